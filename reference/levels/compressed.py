"""The compressed level: coordinates in a segment per parent (Chou 2018, section 3.1, Tables 2 and 3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .invariants import covers, distinct, duplicate_violations, in_range, order_violations, segments
from .level import Coordinates, Indices, Ints, Level, Placed, Violation, array, extent


@dataclass(frozen=True)
class Compressed(Level):
    """Children of `p` are the positions `[pos[p], pos[p+1])`, with their coordinates in `crd`.

    >>> cols = Compressed().bind({"pos": [0, 2, 4, 4, 7], "crd": [0, 1, 0, 1, 0, 3, 4], "N": 6})
    >>> cols.pos_bounds(3), cols.pos_access(6, (3,))
    ((4, 7), (4, True))
    """

    name: ClassVar[str] = "compressed"
    letter: ClassVar[str] = "s"
    configurable: ClassVar[tuple[str, ...]] = ("full", "ordered", "unique")

    pos: Ints = array()
    crd: Ints = array()
    N: int = extent()

    def pos_bounds(self, p: int) -> tuple[int, int]:
        """pos_bounds(p_{k-1}) -> <pbegin_k, pend_k>"""
        return self.pos[p], self.pos[p + 1]

    def pos_access(self, p: int, i: Coordinates) -> tuple[int, bool]:
        """pos_access(p_k, i_1, ..., i_{k-1}) -> <i_k, found>"""
        return self.crd[p], True

    def append_coord(self, p: int, i: int) -> None:
        """append_coord(p_k, i_k)"""
        self.crd[p] = i

    def append_edges(self, p: int, begin: int, end: int) -> None:
        """append_edges(p_{k-1}, pbegin_k, pend_k): a fiber may come in several pieces"""
        self.pos[p + 1] = self.pos[p + 1] + end - begin

    def append_init(self, begin: int, end: int) -> None:
        """append_init(begin_{k-1}, end_{k-1}): the new parents have no children yet"""
        for p in range(begin, end):
            self.pos[p + 1] = 0

    def append_finalize(self, parents: int, size: int) -> None:
        """append_finalize(sz_{k-1}, sz_k)"""
        total = self.pos[0]
        for p in range(1, parents + 1):
            total = total + self.pos[p]
            self.pos[p] = total

    def lengths(self, parents: int, size: int) -> dict[str, int]:
        return {"pos": parents + 1, "crd": size}

    def stored_size(self, parents: int) -> int:
        return len(self.crd)

    def place(self, parents: Indices, i: Sequence[Indices], fresh: Indices, count: int) -> Placed:
        (first,) = fresh.nonzero()
        positions = first if len(first) == len(fresh) else np.cumsum(fresh) - 1
        pos = np.zeros(count + 1, np.int64)
        np.add.accumulate(np.bincount(parents[first], minlength=count), out=pos[1:])
        return Placed(positions, len(first), {"pos": pos, "crd": i[-1][first]})

    def violations(self, parents: int, size: int) -> Iterator[Violation]:
        yield from segments(self.pos, parents, size)
        yield from self.fibers(self.crd, parents, size)

    def fibers(self, crd: Ints, parents: int, size: int) -> Iterator[Violation]:
        """What is wrong with the coordinates of the segments."""
        yield from in_range(crd, size, self.N)
        if self.ordered:
            yield from order_violations(crd, self.pos, parents)
        if self.ordered and self.unique:
            yield from duplicate_violations(crd, self.pos, parents)
        for p in range(parents):
            if self.unique and not self.ordered and not distinct(crd, self.pos[p], self.pos[p + 1]):
                yield Violation("crd", self.pos[p], f"begins a segment in which a coordinate occurs twice below {p}")
            if self.full and not covers(crd, self.pos[p], self.pos[p + 1], self.N):
                yield Violation(
                    "crd", self.pos[p], f"begins a segment that is not full: it lacks some of [0, {self.N})"
                )
