"""The accumulator level: coordinates in a list in order of arrival, found through a dense array of slots.

The sparse accumulator of Gilbert, Moler and Schreiber (1992), which is what a dense workspace with a coordinate list is
(Kjolstad 2019, section 5). Clearing it costs as much as it holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .level import Coordinates, Indices, Ints, Level, Placed, Violation, array, extent


@dataclass(frozen=True)
class Accumulator(Level):
    """Children of `p` are the positions `[p*N, p*N + count[p])`; `slot[p*N + i]` is 1 more than the place of `i` there.

    >>> held = Accumulator().bind({"slot": [0, 2, 0, 1], "crd": [3, 1, 0, 0], "count": [2], "N": 4})
    >>> held.locate(0, (1,)), held.locate(0, (2,))
    ((1, True), (2, False))
    """

    name: ClassVar[str] = "accumulator"
    letter: ClassVar[str] = "a"
    ordered: bool = False
    compact: bool = False

    slot: Ints = array()
    crd: Ints = array()
    count: Ints = array()
    N: int = extent()

    def pos_bounds(self, p: int) -> tuple[int, int]:
        """pos_bounds(p_{k-1}) -> <pbegin_k, pend_k>"""
        return p * self.N, p * self.N + self.count[p]

    def pos_access(self, p: int, i: Coordinates) -> tuple[int, bool]:
        """pos_access(p_k, i_1, ..., i_{k-1}) -> <i_k, found>"""
        return self.crd[p], True

    def locate(self, p: int, i: Coordinates) -> tuple[int, bool]:
        """locate(p_{k-1}, i_1, ..., i_k) -> <p_k, found>: the next free position if it is not there"""
        n = self.slot[p * self.N + i[-1]]
        return p * self.N + (n - 1 if n != 0 else self.count[p]), n != 0

    def insert_coord(self, p: int, i: int) -> None:
        """insert_coord(p_k, i_k)"""
        parent = p // self.N
        self.crd[p] = i
        self.count[parent] = p - parent * self.N + 1
        self.slot[parent * self.N + i] = p - parent * self.N + 1

    def size(self, parents: int) -> int:
        """size(sz_{k-1}) -> sz_k"""
        return parents * self.N

    def insert_init(self, begin: int, end: int) -> None:
        """insert_init(begin_k, end_k)"""
        for p in range(begin, end):
            self.slot[p] = 0
            self.count[p // self.N] = 0

    def insert_finalize(self, parents: int, size: int) -> None:
        """insert_finalize(sz_{k-1}, sz_k)"""

    def insert_reset(self, begin: int, end: int) -> None:
        """insert_reset(begin_{k-1}, end_{k-1}): forget the children of these parents"""
        for p in range(begin, end):
            for q in range(p * self.N, p * self.N + self.count[p]):
                self.slot[p * self.N + self.crd[q]] = 0
            self.count[p] = 0

    def lengths(self, parents: int, size: int) -> dict[str, int]:
        return {"slot": size, "crd": size, "count": parents}

    def place(self, parents: Indices, i: Sequence[Indices], fresh: Indices, count: int) -> Placed:
        size = self.size(count)
        first = np.flatnonzero(fresh)
        counts = np.bincount(parents[first], minlength=count)
        by_parent = np.argsort(parents[first], kind="stable")
        rank = np.empty_like(first)
        rank[by_parent] = np.arange(len(first)) - np.repeat(np.cumsum(counts) - counts, counts)
        positions = parents[first] * np.int64(self.N) + rank
        slot, crd = np.zeros(size, np.int64), np.zeros(size, np.int64)
        crd[positions] = i[-1][first]
        slot[parents[first] * np.int64(self.N) + i[-1][first]] = rank + 1
        return Placed(positions[np.cumsum(fresh) - 1], size, {"slot": slot, "crd": crd, "count": counts})

    def violations(self, parents: int, size: int) -> Iterator[Violation]:
        for p in range(parents):
            if not 0 <= self.count[p] <= self.N:
                yield Violation("count", p, f"is {self.count[p]}, not between 0 and {self.N}")
            for q in range(p * self.N, p * self.N + self.count[p]):
                if not 0 <= self.crd[q] < self.N:
                    yield Violation("crd", q, f"is {self.crd[q]}, outside [0, {self.N})")
            for c in range(self.N):
                n = self.slot[p * self.N + c]
                if not 0 <= n <= self.count[p] or (n != 0 and self.crd[p * self.N + n - 1] != c):
                    yield Violation("slot", p * self.N + c, f"is {n}, where the list does not hold {c}")
            for k in range(self.count[p]):
                c = self.crd[p * self.N + k]
                if self.slot[p * self.N + c] != k + 1:
                    yield Violation("slot", p * self.N + c, f"does not point at place {k}, where the list holds {c}")
