"""Mutants of levels that coordinates are inserted into: hashed ones and accumulators."""

from __future__ import annotations

from mutant import Mutant

HASHED = "reference/levels/hashed.py"
ACCUMULATOR = "reference/levels/accumulator.py"

PACKED = ("tests/reference/storage/test_packing.py",)
VALID = ("tests/reference/levels/test_level.py", "tests/reference/storage/test_validation.py")
HASHES = (
    "tests/reference/levels/test_level.py",
    "tests/reference/levels/test_hashed.py",
    "tests/reference/storage/test_packing.py",
)
READ = (
    "tests/reference/levels/test_level.py",
    "tests/reference/levels/test_iterators.py",
    "tests/reference/storage/test_named_formats.py",
    "tests/reference/storage/test_packing.py",
)
WORKSPACES = (
    "tests/reference/levels/test_level.py",
    "tests/reference/storage/test_assembly.py",
    "tests/reference/storage/test_packing.py",
    "tests/reference/execution/test_interpreter.py",
)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "level.90",
        "reference/levels/hashed.py",
        "np.minimum.at(holder, wanted, entries)",
        "holder[wanted] = entries",
        "what has the same home takes the place of what came first",
        HASHES,
    ),
    Mutant(
        "level.91",
        "reference/levels/hashed.py",
        "first[1:] = (parents[1:] != parents[:-1]) | (coordinates[1:] != coordinates[:-1])",
        "first[1:] = parents[1:] != parents[:-1]",
        "segments have room for one coordinate",
        HASHES,
    ),
    Mutant(
        "level.32",
        HASHED,
        "return self.crd[p], self.crd[p] != -1",
        "return self.crd[p], True",
        "empty buckets hold the coordinate -1",
        READ,
    ),
    Mutant(
        "level.33",
        HASHED,
        "while self.crd[q] != -1 and self.crd[q] != i[-1] and q != end:",
        "while self.crd[q] != i[-1] and q != end:",
        "a search goes on past an empty bucket, and inserts out of its reach",
        HASHES,
    ),
    Mutant(
        "level.34",
        HASHED,
        "while self.crd[q] != -1 and self.crd[q] != i[-1] and q != end:",
        "while self.crd[q] != -1 and self.crd[q] != i[-1]:",
        "a search in a full segment never ends",
        HASHES,
    ),
    Mutant(
        "level.35",
        HASHED,
        "            q = begin + (q - begin + 1) % self.W\n            while",
        "            q = q + 1\n            while",
        "a search at the end of a segment goes on in the next",
        HASHES,
    ),
    Mutant(
        "level.36",
        HASHED,
        "return q, self.crd[q] == i[-1]",
        "return q, self.crd[q] != -1",
        "a full segment finds every coordinate",
        HASHES,
    ),
    Mutant(
        "level.37",
        HASHED,
        "return count > self.W if self.width != 0 else 4 * count > 3 * self.W",
        "return count > self.W + 1 if self.width != 0 else 4 * count > 3 * self.W",
        "a segment of a fixed width takes one coordinate more than it has room for",
        (*HASHES, "tests/reference/storage/test_assembly.py"),
    ),
    Mutant(
        "level.38",
        HASHED,
        "while width < (fullest if self.width else 2 * fullest):",
        "while width < fullest // 2:",
        "packing chooses segments that are too narrow",
        HASHES,
    ),
    Mutant(
        "level.39",
        HASHED,
        "for p in range(begin, end):\n            self.crd[p] = -1",
        "for p in range(begin, end):\n            self.crd[p] = 0",
        "new buckets hold the coordinate 0",
        HASHES,
    ),
    Mutant(
        "level.40",
        HASHED,
        "if not -1 <= self.crd[p] < self.N:",
        "if not -1 <= self.crd[p] <= self.N:",
        "a bucket may hold the coordinate after the last",
        VALID,
    ),
    Mutant(
        "level.1",
        ACCUMULATOR,
        "return p * self.N, p * self.N + self.count[p]",
        "return p * self.N, (p + 1) * self.N",
        "an accumulator's children are all its places, used or not",
        WORKSPACES,
    ),
    Mutant(
        "level.2",
        ACCUMULATOR,
        "return p * self.N + (n - 1 if n != 0 else self.count[p]), n != 0",
        "return p * self.N + (n if n != 0 else self.count[p]), n != 0",
        "an accumulator finds a coordinate one place further on",
        WORKSPACES,
    ),
    Mutant(
        "level.3",
        ACCUMULATOR,
        "return p * self.N + (n - 1 if n != 0 else self.count[p]), n != 0",
        "return p * self.N + (n - 1 if n != 0 else 0), n != 0",
        "an accumulator offers its first place for every new coordinate",
        WORKSPACES,
    ),
    Mutant(
        "level.4",
        ACCUMULATOR,
        "self.count[parent] = p - parent * self.N + 1",
        "self.count[parent] = p - parent * self.N",
        "an accumulator does not count the coordinate that was inserted last",
        WORKSPACES,
    ),
    Mutant(
        "level.5",
        ACCUMULATOR,
        "self.slot[parent * self.N + i] = p - parent * self.N + 1",
        "self.slot[i] = p - parent * self.N + 1",
        "all parents of an accumulator share the slots of the first",
        WORKSPACES,
    ),
    Mutant(
        "level.6",
        ACCUMULATOR,
        "self.slot[p * self.N + self.crd[q]] = 0",
        "self.slot[q] = 0",
        "resetting an accumulator clears the slots of places, not those of coordinates",
        WORKSPACES,
    ),
    Mutant(
        "level.7",
        ACCUMULATOR,
        "                self.slot[p * self.N + self.crd[q]] = 0\n            self.count[p] = 0",
        "                self.slot[p * self.N + self.crd[q]] = 0",
        "resetting an accumulator leaves its list",
        WORKSPACES,
    ),
    Mutant(
        "level.8",
        ACCUMULATOR,
        "self.slot[p] = 0\n            self.count[p // self.N] = 0",
        "self.slot[p] = 0",
        "a new accumulator has whatever count there was",
        WORKSPACES,
    ),
    Mutant(
        "level.9",
        ACCUMULATOR,
        "slot[parents[first] * np.int64(self.N) + i[-1][first]] = rank + 1",
        "slot[parents[first] * np.int64(self.N) + i[-1][first]] = rank",
        "packed accumulators number their slots from 0",
        PACKED,
    ),
    Mutant(
        "level.10",
        ACCUMULATOR,
        "np.repeat(np.cumsum(counts) - counts, counts)",
        "np.repeat(np.cumsum(counts), counts)",
        "packed accumulators rank coordinates from the end of their list",
        PACKED,
    ),
    Mutant(
        "level.11",
        ACCUMULATOR,
        "if not 0 <= self.count[p] <= self.N:",
        "if not 0 <= self.count[p]:",
        "an accumulator may hold more coordinates than there are",
        VALID,
    ),
)
