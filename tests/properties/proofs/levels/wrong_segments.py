"""Levels with segments that are wrong in one way each, and right ones that are hard to prove."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from gnomon.reference.levels.banded import Banded
from gnomon.reference.levels.compressed import Compressed
from gnomon.reference.levels.invariants import in_range, segments
from gnomon.reference.levels.level import Coordinates, Ints, Violation
from gnomon.reference.levels.skyline import Skyline


@dataclass(frozen=True)
class OneTooFar(Compressed):
    """Its segments reach one position too far."""

    name: ClassVar[str] = "one_too_far"

    def pos_bounds(self, p: int) -> tuple[int, int]:
        return self.pos[p], self.pos[p + 1] + 1


@dataclass(frozen=True)
class MissesLast(Banded):
    """`locate` misses the last coordinate of a run."""

    name: ClassVar[str] = "misses_last"

    def locate(self, p: int, i: Coordinates) -> tuple[int, bool]:
        q = self.pos[p] + i[-1] - self.lo[p]
        return q, i[-1] >= self.lo[p] and q + 1 < self.pos[p + 1]


@dataclass(frozen=True)
class Unsorted(Compressed):
    """It declares order, and validates only that coordinates are in range."""

    name: ClassVar[str] = "unsorted"

    def violations(self, parents: int, size: int) -> Iterator[Violation]:
        yield from segments(self.pos, parents, size)
        yield from in_range(self.crd, size, self.N)


@dataclass(frozen=True)
class Repeats(Unsorted):
    """It declares that coordinates are unique, and nothing makes them so."""

    name: ClassVar[str] = "repeats"
    ordered: bool = False


@dataclass(frozen=True)
class LastIsNotNew(Compressed):
    """`append_init` leaves whatever the last new parent's count happens to be."""

    name: ClassVar[str] = "last_is_not_new"

    def append_init(self, begin: int, end: int) -> None:
        for p in range(begin, end - 1):
            self.pos[p + 1] = 0


@dataclass(frozen=True)
class ManyChildren(Compressed):
    """It declares that every parent has one child, and has segments."""

    name: ClassVar[str] = "many_children"
    branchless: bool = True


@dataclass(frozen=True)
class ReadsBefore(Skyline):
    """It reads the element before the first."""

    name: ClassVar[str] = "reads_before"

    def pos_bounds(self, p: int) -> tuple[int, int]:
        return self.pos[p - 1 + 1] + self.pos[p - 1] - self.pos[p - 1], self.pos[p + 1]


@dataclass(frozen=True)
class BeyondSix(Compressed):
    """Its coordinates leave the dimension from position 6 on, which four turns of its loop do not reach."""

    name: ClassVar[str] = "beyond_six"

    def pos_access(self, p: int, i: Coordinates) -> tuple[int, bool]:
        c = self.crd[p]
        for q in range(p):
            if q == 5:
                c = self.N
        return c, True


@dataclass(frozen=True)
class Uncounted(Compressed):
    """The same, with an invariant of its loop that is false."""

    name: ClassVar[str] = "uncounted"

    def pos_access(self, p: int, i: Coordinates) -> tuple[int, bool]:
        n = 0
        for q in range(p):
            n = n + min(q, 1) + 1 - min(q, 1)
        if n > 5:
            return self.N, True
        return self.crd[p], True

    def pos_access_invariant(self, n: int) -> bool:
        return n == 0


@dataclass(frozen=True)
class Running(Compressed):
    """A right format whose validation compares with what the turn before has left."""

    name: ClassVar[str] = "running"

    def violations(self, parents: int, size: int) -> Iterator[Violation]:
        yield from segments(self.pos, parents, size)
        yield from in_range(self.crd, size, self.N)
        for p in range(parents):
            last = -1
            for q in range(self.pos[p], self.pos[p + 1]):
                if self.crd[q] <= last:
                    yield Violation("crd", q, "does not increase")
                last = self.crd[q]


def distinct(crd: Ints, begin: int, end: int) -> bool:
    """A condition with the name of another."""
    return True


@dataclass(frozen=True)
class Namesake(Repeats):
    """It declares that coordinates are unique, by a condition of its own that says nothing."""

    name: ClassVar[str] = "namesake"

    def violations(self, parents: int, size: int) -> Iterator[Violation]:
        yield from segments(self.pos, parents, size)
        yield from in_range(self.crd, size, self.N)
        for p in range(parents):
            if not distinct(self.crd, self.pos[p], self.pos[p + 1]):
                yield Violation("crd", p, "repeats")


@dataclass(frozen=True)
class OneResult(Compressed):
    """Its iteration gives a coordinate only."""

    name: ClassVar[str] = "one_result"

    def pos_access(self, p: int, i: Coordinates) -> tuple[int, bool]:
        return self.crd[p]  # type: ignore[return-value]


@dataclass(frozen=True)
class NoSuchArray(Compressed):
    """It reads what no level has."""

    name: ClassVar[str] = "no_such_array"

    def pos_access(self, p: int, i: Coordinates) -> tuple[int, bool]:
        return self.nothing[p], True  # type: ignore[attr-defined,no-any-return]


@dataclass(frozen=True)
class NoReturn(Compressed):
    """Its bounds have no end."""

    name: ClassVar[str] = "no_return"

    def pos_bounds(self, p: int) -> tuple[int, int]:  # type: ignore[return]
        if p > 3:
            return self.pos[p], self.pos[p + 1]
