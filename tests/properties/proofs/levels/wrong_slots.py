"""Levels with slots in which coordinates are sought that are wrong in one way each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gnomon.reference.levels.accumulator import Accumulator
from gnomon.reference.levels.hashed import Hashed
from gnomon.reference.levels.level import Coordinates


@dataclass(frozen=True)
class NoWrap(Hashed):
    """Its search runs past the end of the segment."""

    name: ClassVar[str] = "no_wrap"

    def locate(self, p: int, i: Coordinates) -> tuple[int, bool]:
        q = p * self.W + i[-1] % self.W
        end = q + self.W
        while q != end and self.crd[q] != i[-1] and self.crd[q] != -1:
            q = q + 1
        return q, self.crd[q] == i[-1]


@dataclass(frozen=True)
class NeverStops(Hashed):
    """Its search goes round and round in a full segment, though it declares that it does not."""

    name: ClassVar[str] = "never_stops"

    def locate(self, p: int, i: Coordinates) -> tuple[int, bool]:
        begin = p * self.W
        end = begin + i[-1] % self.W
        q = end
        while self.crd[q] != i[-1] and self.crd[q] != -1:
            q = begin + (q - begin + 1) % self.W
        return q, self.crd[q] == i[-1]

    def locate_invariant(self, i: Coordinates, begin: int, end: int, q: int) -> bool:
        return begin <= q < begin + self.W


@dataclass(frozen=True)
class FalseSearch(Hashed):
    """A right format whose search declares what is never so."""

    name: ClassVar[str] = "false_search"

    def locate_invariant(self, q: int) -> bool:
        return q < q


@dataclass(frozen=True)
class Gaps(Accumulator):
    """It declares to be compact, with room between its segments."""

    name: ClassVar[str] = "gaps"
    compact: bool = True


@dataclass(frozen=True)
class HalfReset(Accumulator):
    """`insert_reset` leaves the slots."""

    name: ClassVar[str] = "half_reset"

    def insert_reset(self, begin: int, end: int) -> None:
        for p in range(begin, end):
            self.count[p] = 0
