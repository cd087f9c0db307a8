"""The hashed level: coordinates in a hash table per parent (Chou 2018, section 3.1, Tables 2 and 3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .invariants import covers
from .level import Coordinates, Indices, Ints, Level, Placed, Violation, array, extent, parameter

SMALLEST = 4


@dataclass(frozen=True)
class Hashed(Level):
    """A segment of `W` buckets per parent, probed linearly; -1 marks an empty bucket.

    `width` fixes `W`; 0 lets the data choose. Not-found at an occupied position means that the segment is full.
    """

    name: ClassVar[str] = "hashed"
    letter: ClassVar[str] = "h"
    configurable: ClassVar[tuple[str, ...]] = ("full", "width")
    ordered: bool = False
    compact: bool = False
    width: int = 0

    crd: Ints = array()
    W: int = parameter()
    N: int = extent()

    def pos_bounds(self, p: int) -> tuple[int, int]:
        """pos_bounds(p_{k-1}) -> <pbegin_k, pend_k>"""
        return p * self.W, (p + 1) * self.W

    def pos_access(self, p: int, i: Coordinates) -> tuple[int, bool]:
        """pos_access(p_k, i_1, ..., i_{k-1}) -> <i_k, found>"""
        return self.crd[p], self.crd[p] != -1

    def locate(self, p: int, i: Coordinates) -> tuple[int, bool]:
        """locate(p_{k-1}, i_1, ..., i_k) -> <p_k, found>

        Whether a bucket is empty is asked first, so that a coordinate that others insert meanwhile is not passed by.
        """
        begin = p * self.W
        q = begin + i[-1] % self.W
        if self.crd[q] != -1 and self.crd[q] != i[-1]:
            end = q
            q = begin + (q - begin + 1) % self.W
            while self.crd[q] != -1 and self.crd[q] != i[-1] and q != end:
                q = begin + (q - begin + 1) % self.W
        return q, self.crd[q] == i[-1]

    def insert_coord(self, p: int, i: int) -> None:
        """insert_coord(p_k, i_k)"""
        self.crd[p] = i

    def size(self, parents: int) -> int:
        """size(sz_{k-1}) -> sz_k"""
        return parents * self.W

    def insert_init(self, begin: int, end: int) -> None:
        """insert_init(begin_k, end_k)"""
        for p in range(begin, end):
            self.crd[p] = -1

    def insert_finalize(self, parents: int, size: int) -> None:
        """insert_finalize(sz_{k-1}, sz_k)"""

    def lengths(self, parents: int, size: int) -> dict[str, int]:
        return {"crd": size}

    def is_crowded(self, count: int) -> bool:
        """Whether a segment with `count` coordinates is too full to probe quickly.

        A width that was asked for gives way only when the coordinates do not fit.
        """
        return count > self.W if self.width != 0 else 4 * count > 3 * self.W

    def wider(self) -> dict[str, int]:
        """The parameters of a level with more room."""
        return {"W": 2 * self.W}

    def analyse(self, parents: Indices, i: Sequence[Indices], count: int) -> dict[str, int | Indices]:
        """The width: the configured one, or a power of two at least twice the fullest segment; never too small."""
        fullest = largest_family(parents, i[-1])
        width = self.width or SMALLEST
        while width < (fullest if self.width else 2 * fullest):
            width *= 2
        return {"W": width}

    def place(self, parents: Indices, i: Sequence[Indices], fresh: Indices, count: int) -> Placed:
        first = np.flatnonzero(fresh)
        own = i[-1][first]
        found = self.probe(parents[first] * self.W, own, self.size(count))
        crd = np.full(self.size(count), -1, np.int64)
        crd[found] = own
        return Placed(found[np.cumsum(fresh) - 1], len(crd), {"crd": crd})

    def probe(self, begin: Indices, own: Indices, size: int) -> Indices:
        """The buckets of coordinates that are inserted one after another, each in the segment that begins there.

        All of them look on together, from bucket to bucket; who comes to a bucket before others are inserted has it,
        and whoever held it so far looks on.
        """
        entries = np.arange(len(own))
        q = begin + own % self.W
        holder = np.full(size, len(own), np.int64)
        while len(entries):
            wanted = q[entries]
            earlier = np.unique(holder[wanted])
            np.minimum.at(holder, wanted, entries)
            earlier = earlier[: np.searchsorted(earlier, len(own))]
            seeking = np.concatenate((entries, earlier))
            entries = seeking[holder[q[seeking]] != seeking]
            q[entries] = begin[entries] + (q[entries] - begin[entries] + 1) % self.W
        return q

    def violations(self, parents: int, size: int) -> Iterator[Violation]:
        if self.W <= 0:
            yield Violation("W", 0, f"is {self.W}, but a segment has at least one bucket")
        for p in range(size):
            if not -1 <= self.crd[p] < self.N:
                yield Violation("crd", p, f"is {self.crd[p]}, neither -1 nor in [0, {self.N})")
        for p in range(parents):
            begin = p * self.W
            for q in range(begin, begin + self.W):
                c = self.crd[q]
                if c != -1:
                    home = begin + c % self.W
                    yield from self.interruptions(home, q if home <= q else begin + self.W, q)
                    yield from self.interruptions(begin, q if q < home else begin, q)
            if self.full and not covers(self.crd, begin, begin + self.W, self.N):
                yield Violation("crd", begin, f"begins a segment that is not full: it lacks some of [0, {self.N})")

    def interruptions(self, begin: int, end: int, q: int) -> Iterator[Violation]:
        """What keeps a search from going on through `[begin, end)` to the coordinate at `q`."""
        for r in range(begin, end):
            if self.crd[r] == -1 or self.crd[r] == self.crd[q]:
                yield Violation("crd", q, f"is {self.crd[q]}, which locate does not find there")


def largest_family(parents: Indices, coordinates: Indices) -> int:
    """How many coordinates one parent has at most, where equal ones of a parent stand side by side.

    >>> largest_family(np.array([0, 1, 1, 1]), np.array([5, 5, 5, 2]))
    2
    """
    first = np.ones(len(parents), bool)
    first[1:] = (parents[1:] != parents[:-1]) | (coordinates[1:] != coordinates[:-1])
    return int(np.bincount(parents[first]).max(initial=0))
