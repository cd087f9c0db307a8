"""A new level format is one class: this one is defined here and works everywhere."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.format import Format
from gnomon.reference.levels import LEVELS
from gnomon.reference.levels.dense import Dense
from gnomon.reference.levels.level import (
    Append,
    CoordinatePositionIteration,
    Coordinates,
    CoordinateValueIteration,
    Indices,
    Insert,
    Ints,
    Level,
    Locate,
    Placed,
    Violation,
    array,
    extent,
)


@dataclass(frozen=True)
class Reversed(Level):
    """A compressed level that stores the distance of each coordinate from the end of its dimension."""

    name: ClassVar[str] = "reversed"

    pos: Ints = array()
    back: Ints = array()
    N: int = extent()

    def pos_bounds(self, p: int) -> tuple[int, int]:
        return self.pos[p], self.pos[p + 1]

    def pos_access(self, p: int, i: Coordinates) -> tuple[int, bool]:
        return self.N - 1 - self.back[p], True

    def append_coord(self, p: int, i: int) -> None:
        self.back[p] = self.N - 1 - i

    def append_edges(self, p: int, begin: int, end: int) -> None:
        self.pos[p + 1] = end - begin

    def append_init(self, begin: int, end: int) -> None:
        for p in range(begin, end):
            self.pos[p + 1] = 0

    def append_finalize(self, parents: int, size: int) -> None:
        for p in range(parents):
            self.pos[p + 1] = self.pos[p + 1] + self.pos[p]

    def lengths(self, parents: int, size: int) -> dict[str, int]:
        return {"pos": parents + 1, "back": size}

    def stored_size(self, parents: int) -> int:
        return len(self.back)

    def place(self, parents: Indices, i: Sequence[Indices], fresh: Indices, count: int) -> Placed:
        first = np.flatnonzero(fresh)
        pos = np.concatenate(([0], np.cumsum(np.bincount(parents[first], minlength=count))))
        return Placed(np.cumsum(fresh) - 1, len(first), {"pos": pos, "back": self.N - 1 - i[-1][first]})

    def violations(self, parents: int, size: int) -> Iterator[Violation]:
        for p in range(size):
            if not 0 <= self.back[p] < self.N:
                yield Violation("back", p, f"is {self.back[p]}")


def test_a_users_level_reads_and_assembles() -> None:
    format = Format([Dense(), Reversed()])
    rng = np.random.default_rng(5)
    dense = rng.integers(0, 3, (6, 5)).astype(float)
    a = gn.from_numpy(dense, format)
    a.validate()
    assert np.array_equal(a.to_numpy(), dense)
    for expression, expected in (("C(i,j) = A(i,j) + B(i,j)", 2 * dense), ("C(i,j) = A(i,j) * B(i,j)", dense**2)):
        report = gn.check(expression, A=a, B=a.convert("COO"), out=format)
        assert np.array_equal(report.execution.result.to_numpy(), expected)


TABLE_1 = {
    "dense": ("V L I", {"full", "ordered", "unique", "compact"}),
    "range": ("V", {"ordered", "unique"}),
    "compressed": ("P A", {"ordered", "unique", "compact"}),
    "singleton": ("P A", {"ordered", "unique", "branchless", "compact"}),
    "offset": ("P", {"ordered", "unique", "branchless"}),
    "hashed": ("P L I", {"unique"}),
}


@pytest.mark.parametrize("kind", [k for k in LEVELS if k.name in TABLE_1], ids=lambda k: k.name)
def test_table_1(kind: type[Level]) -> None:
    level = kind()
    offered = (CoordinateValueIteration, CoordinatePositionIteration, Locate, Insert, Append)
    capabilities = " ".join(mark for mark, c in zip("VPLIA", offered, strict=True) if isinstance(level, c))
    names = ("full", "ordered", "unique", "branchless", "compact")
    assert (capabilities, {n for n in names if getattr(level, n)}) == TABLE_1[kind.name]


@pytest.mark.parametrize("kind", LEVELS, ids=lambda k: k.name)
def test_level_functions_open_with_the_papers_signature(kind: type[Level]) -> None:
    for name in ("coord_bounds", "coord_access", "pos_bounds", "pos_access", "locate", "append_coord", "insert_coord"):
        if name in vars(kind):
            assert (getattr(kind, name).__doc__ or "").startswith(f"{name}(")
