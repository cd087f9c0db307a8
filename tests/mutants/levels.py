"""Mutants of level functions and of their twins over whole levels: `analyse`, `place`, `violations`."""

from __future__ import annotations

from mutant import Mutant
from suites import ASSEMBLED, LEVELS_READ, PACKED, VALID, WORKSPACES

AOS = "reference/levels/aos.py"
BANDED = "reference/levels/banded.py"
BITMAP = "reference/levels/bitmap.py"
COMPRESSED = "reference/levels/compressed.py"
DENSE = "reference/levels/dense.py"
OFFSET = "reference/levels/offset.py"
RANGE = "reference/levels/range.py"
SINGLETON = "reference/levels/singleton.py"
SKYLINE = "reference/levels/skyline.py"

LEVELS = "tests/reference/levels/test_level.py"

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "level.12",
        AOS,
        '"""pos_access(p_k, i_1, ..., i_{k-1}) -> <i_k, found>"""\n'
        "        return self.coords[p * self.stride + self.column], True\n\n"
        "    def append_coord(self, p: int, i: int) -> None:\n"
        '        """append_coord(p_k, i_k)"""\n'
        "        self.coords[p * self.stride + self.column] = i\n\n"
        "    def misfit(self, above: tuple[Level, ...]) -> str | None:\n"
        "        return Compressed.misfit",
        '"""pos_access(p_k, i_1, ..., i_{k-1}) -> <i_k, found>"""\n'
        "        return self.coords[p * self.stride], True\n\n"
        "    def append_coord(self, p: int, i: int) -> None:\n"
        '        """append_coord(p_k, i_k)"""\n'
        "        self.coords[p * self.stride + self.column] = i\n\n"
        "    def misfit(self, above: tuple[Level, ...]) -> str | None:\n"
        "        return Compressed.misfit",
        "an interleaved compressed level reads the first column, whichever its own is",
        LEVELS_READ,
        equivalent="a compressed level interleaves only with levels below it, so its own column is always the first",
    ),
    Mutant(
        "level.13",
        AOS,
        'return {"pos": parents + 1, "coords": size * self.stride, "crd": 0}',
        'return {"pos": parents + 1, "coords": size, "crd": 0}',
        "the interleaved array has room for one column",
        ASSEMBLED,
    ),
    Mutant(
        "level.14",
        AOS,
        "return len(self.coords) // self.stride",
        "return len(self.coords)",
        "an interleaved level has a position for every number in its array",
        (*LEVELS_READ, *VALID),
    ),
    Mutant(
        "level.15",
        AOS,
        'coords[column::stride] = plain.arrays["crd"]',
        'coords[::stride] = plain.arrays["crd"]',
        "every interleaved level is packed into the first column",
        LEVELS_READ,
    ),
    Mutant(
        "level.16",
        AOS,
        "while head > 0 and above[head - 1].branchless:\n            head -= 1",
        "pass",
        "an interleaved singleton looks for others among those right above it only",
        LEVELS_READ,
    ),
    Mutant(
        "level.17",
        BANDED,
        "return self.lo[i[-1]] + p - self.pos[i[-1]], True",
        "return self.lo[i[-1]] + p, True",
        "a run counts its coordinates from the start of the storage",
        LEVELS_READ,
    ),
    Mutant(
        "level.18",
        BANDED,
        "return q, i[-1] >= self.lo[p] and q < self.pos[p + 1]",
        "return q, i[-1] >= self.lo[p] and q <= self.pos[p + 1]",
        "a run reaches one coordinate too far",
        LEVELS_READ,
    ),
    Mutant(
        "level.19",
        BANDED,
        "return q, i[-1] >= self.lo[p] and q < self.pos[p + 1]",
        "return q, q < self.pos[p + 1]",
        "coordinates before a run are found in the run before",
        LEVELS_READ,
    ),
    Mutant(
        "level.20",
        BANDED,
        "length = np.maximum(hi - lo + 1, 0)",
        "length = np.maximum(hi - lo, 0)",
        "a run ends before its last coordinate",
        PACKED,
    ),
    Mutant(
        "level.21",
        BANDED,
        "if not 0 <= self.lo[p] <= self.N - (self.pos[p + 1] - self.pos[p]):",
        "if not 0 <= self.lo[p] <= self.N:",
        "a run may leave its dimension",
        VALID,
    ),
    Mutant(
        "level.59",
        BANDED,
        "if len(above) == 1 and above[0].full and isinstance(above[0], CoordinateValueIteration):",
        "if len(above) == 1 and above[0].full:",
        "a banded level may stand below a full hash table, whose positions are no coordinates",
        LEVELS_READ,
    ),
    Mutant(
        "level.22",
        BITMAP,
        "q = p * self.N + i[-1]\n        return q, self.flag[q] == 1\n\n    def insert_coord",
        "q = p * self.N + i[-1]\n        return q, True\n\n    def insert_coord",
        "a bitmap finds what is not flagged",
        WORKSPACES,
    ),
    Mutant(
        "level.23",
        BITMAP,
        "q = p * self.N + i[-1]\n        return q, self.flag[q] == 1\n\n    def locate",
        "q = p * self.N + i[-1]\n        return q, True\n\n    def locate",
        "a bitmap yields what is not flagged",
        LEVELS_READ,
    ),
    Mutant(
        "level.24",
        BITMAP,
        "flag[positions] = 1",
        "flag[positions[:1]] = 1",
        "packing flags the first component only",
        PACKED,
    ),
    Mutant(
        "level.25",
        COMPRESSED,
        "self.pos[p + 1] = self.pos[p + 1] + end - begin",
        "self.pos[p + 1] = end - begin",
        "of a fiber that comes in several pieces only the last is connected",
        (LEVELS, *ASSEMBLED),
    ),
    Mutant(
        "level.26",
        COMPRESSED,
        "for p in range(begin, end):\n            self.pos[p + 1] = 0",
        "for p in range(begin, end):\n            self.pos[p] = 0",
        "new parents forget the children of the parent before them",
        ASSEMBLED,
    ),
    Mutant(
        "level.27",
        COMPRESSED,
        "for p in range(1, parents + 1):",
        "for p in range(1, parents):",
        "the last parent is left out of the running sum",
        ASSEMBLED,
    ),
    Mutant(
        "level.28",
        COMPRESSED,
        "else np.cumsum(fresh) - 1\n",
        "else np.arange(len(fresh))\n",
        "packing gives every component a position of its own",
        PACKED,
    ),
    Mutant(
        "level.29",
        COMPRESSED,
        "np.bincount(parents[first], minlength=count)",
        "np.bincount(parents, minlength=count)",
        "packing counts components, not nodes, below a parent",
        PACKED,
    ),
    Mutant(
        "level.30",
        DENSE,
        '"""locate(p_{k-1}, i_1, ..., i_k) -> <p_k, found>"""\n        return p * self.N + i[-1], True',
        '"""locate(p_{k-1}, i_1, ..., i_k) -> <p_k, found>"""\n        return p + i[-1] * self.N, True',
        "dense rows are located by columns",
        LEVELS_READ,
    ),
    Mutant(
        "level.31",
        DENSE,
        "return Placed(parents * np.int64(self.N) + i[-1], self.size(count), {})",
        "return Placed(parents + i[-1] * np.int64(self.N), self.size(count), {})",
        "dense rows are packed by columns",
        PACKED,
    ),
    Mutant(
        "level.41",
        OFFSET,
        "return i[-1] + self.offset[i[-2]], True",
        "return i[-1] - self.offset[i[-2]], True",
        "diagonals lie on the other side",
        LEVELS_READ,
    ),
    Mutant(
        "level.42",
        RANGE,
        "return max(0, -self.offset[i[-1]]), min(self.N, self.M - self.offset[i[-1]])",
        "return max(0, -self.offset[i[-1]]), self.N",
        "a diagonal reaches every row below its first",
        LEVELS_READ,
    ),
    Mutant(
        "level.43",
        RANGE,
        "return max(0, -self.offset[i[-1]]), min(self.N, self.M - self.offset[i[-1]])",
        "return max(0, self.offset[i[-1]]), min(self.N, self.M - self.offset[i[-1]])",
        "a diagonal below the main one begins in row 0",
        LEVELS_READ,
    ),
    Mutant(
        "level.44",
        SINGLETON,
        "return self.crd[p], not self.padded or self.crd[p] != -1",
        "return self.crd[p], True",
        "padding is a component at coordinate -1",
        LEVELS_READ,
    ),
    Mutant(
        "level.45",
        SINGLETON,
        "if level.padded or isinstance(level, Insert)",
        "if isinstance(level, Insert)",
        "a singleton need not be padded below a padded level",
        (LEVELS, *PACKED),
    ),
    Mutant(
        "level.46",
        SINGLETON,
        "if level.unique:",
        "if False:",
        "a singleton may stand below a unique level, where it has room for one child of several",
        (LEVELS, *PACKED),
    ),
    Mutant(
        "level.47",
        SINGLETON,
        "crd = np.full(count, -1, np.int64)",
        "crd = np.zeros(count, np.int64)",
        "packing pads with coordinate 0",
        LEVELS_READ,
    ),
    Mutant(
        "level.48",
        SINGLETON,
        "if not (0 <= self.crd[p] < self.N or (self.padded and self.crd[p] == -1)):",
        "if not -1 <= self.crd[p] < self.N:",
        "-1 is valid in a singleton that is not padded",
        VALID,
    ),
    Mutant(
        "level.49",
        SKYLINE,
        "return i[-1] + 1 - (self.pos[i[-1] + 1] - p), True",
        "return i[-1] - (self.pos[i[-1] + 1] - p), True",
        "the rows of a skyline end before the diagonal",
        LEVELS_READ,
    ),
    Mutant(
        "level.50",
        SKYLINE,
        "return q, i[-1] <= p and q >= self.pos[p]",
        "return q, q >= self.pos[p]",
        "coordinates above the diagonal are found in the next row",
        LEVELS_READ,
    ),
    Mutant(
        "level.51",
        SKYLINE,
        "np.maximum.at(length, parents, parents - i[-1] + 1)",
        "np.minimum.at(length, parents, parents - i[-1] + 1)",
        "rows of a skyline have no length",
        PACKED,
    ),
    Mutant(
        "level.52",
        SKYLINE,
        "above = np.flatnonzero(i[-1] > parents)",
        "above = np.flatnonzero(i[-1] > parents + 1)",
        "a component just above the diagonal is packed into a skyline",
        PACKED,
    ),
    Mutant(
        "level.53",
        SKYLINE,
        "if length > p + 1:",
        "if length > p + 2:",
        "a row of a skyline may begin before column 0",
        VALID,
    ),
    Mutant(
        "level.60",
        SKYLINE,
        "if len(above) == 1 and above[0].full and isinstance(above[0], CoordinateValueIteration):",
        "if len(above) == 1 and above[0].full:",
        "a skyline level may stand below a full hash table, whose positions are no coordinates",
        LEVELS_READ,
    ),
)
