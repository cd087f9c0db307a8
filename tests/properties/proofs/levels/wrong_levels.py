"""Level formats that are wrong in one way each, and a right one, as a user might write them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from gnomon.reference.levels.accumulator import Accumulator
from gnomon.reference.levels.banded import Banded
from gnomon.reference.levels.bitmap import Bitmap
from gnomon.reference.levels.compressed import Compressed
from gnomon.reference.levels.dense import Dense
from gnomon.reference.levels.hashed import Hashed
from gnomon.reference.levels.invariants import in_range, segments
from gnomon.reference.levels.level import Coordinates, Ints, Level, Violation, array, extent
from gnomon.reference.levels.range import Range
from gnomon.reference.levels.singleton import Singleton
from gnomon.reference.levels.skyline import Skyline


@dataclass(frozen=True)
class Chunks(Level):
    """A right format: coordinates count from the end, segments are given by lengths that `first` accumulates."""

    name: ClassVar[str] = "chunks"

    first: Ints = array()
    back: Ints = array()
    N: int = extent()

    def pos_bounds(self, p: int) -> tuple[int, int]:
        return self.first[p], self.first[p + 1]

    def pos_access(self, p: int, i: Coordinates) -> tuple[int, bool]:
        return self.N - 1 - self.back[p], True

    def append_coord(self, p: int, i: int) -> None:
        self.back[p] = self.N - 1 - i

    def append_edges(self, p: int, begin: int, end: int) -> None:
        self.first[p + 1] = self.first[p + 1] + (end - begin)

    def append_init(self, begin: int, end: int) -> None:
        for p in range(begin, end):
            self.first[p + 1] = 0

    def append_finalize(self, parents: int, size: int) -> None:
        for p in range(parents):
            self.first[p + 1] = self.first[p + 1] + self.first[p]

    def lengths(self, parents: int, size: int) -> dict[str, int]:
        return {"first": parents + 1, "back": size}

    def stored_size(self, parents: int) -> int:
        return len(self.back)

    def violations(self, parents: int, size: int) -> Iterator[Violation]:
        yield from segments(self.first, parents, size)
        yield from in_range(self.back, size, self.N)
        for p in range(parents):
            for q in range(self.first[p] + 1, self.first[p + 1]):
                if self.back[q] >= self.back[q - 1]:
                    yield Violation("back", q, "does not decrease")


@dataclass(frozen=True)
class DeclaredChunks(Chunks):
    """A right format that says what its loops keep true, and what it holds while it is appended to."""

    name: ClassVar[str] = "declared_chunks"

    def append_invariant(self, parents: int, counts: Ints) -> bool:
        for p in range(parents):
            if self.first[p + 1] != counts[p]:
                return False
        return self.first[0] == 0

    def append_init_invariant(self, p: int, begin: int, before: DeclaredChunks) -> bool:
        return all(self.first[n] == (0 if begin < n <= p else before.first[n]) for n in range(len(self.first)))

    def append_finalize_invariant(self, p: int, before: DeclaredChunks) -> bool:
        for n in range(1, len(self.first)):
            if self.first[n] != before.first[n] + (self.first[n - 1] if n <= p else 0):
                return False
        return self.first[0] == before.first[0]


@dataclass(frozen=True)
class WrongInvariant(DeclaredChunks):
    """A right format that declares of a loop what is not so."""

    name: ClassVar[str] = "wrong_invariant"

    def append_finalize_invariant(self, p: int, before: DeclaredChunks) -> bool:
        return self.first[0] == p


@dataclass(frozen=True)
class Contradictory(Bitmap):
    """No storage is valid."""

    name: ClassVar[str] = "contradictory"

    def violations(self, parents: int, size: int) -> Iterator[Violation]:
        for p in range(size):
            if self.flag[p] != 0 or self.flag[p] == 0:
                yield Violation("flag", p, "is wrong")


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
class WrongStride(Dense):
    """Its rows overlap."""

    name: ClassVar[str] = "wrong_stride"

    def coord_access(self, p: int, i: Coordinates) -> tuple[int, bool]:
        return p * (self.N - 1) + i[-1], True


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
class Inverted(Bitmap):
    """`locate` says that what is there is not."""

    name: ClassVar[str] = "inverted"

    def locate(self, p: int, i: Coordinates) -> tuple[int, bool]:
        q = p * self.N + i[-1]
        return q, self.flag[q] == 0


@dataclass(frozen=True)
class Forgetful(DeclaredChunks):
    """`append_edges` forgets earlier pieces of a fiber."""

    name: ClassVar[str] = "forgetful"

    def append_edges(self, p: int, begin: int, end: int) -> None:
        self.first[p + 1] = end - begin


@dataclass(frozen=True)
class LastIsNotNew(Compressed):
    """`append_init` leaves whatever the last new parent's count happens to be."""

    name: ClassVar[str] = "last_is_not_new"

    def append_init(self, begin: int, end: int) -> None:
        for p in range(begin, end - 1):
            self.pos[p + 1] = 0


@dataclass(frozen=True)
class WithoutFlag(Bitmap):
    """`insert_coord` forgets the flag."""

    name: ClassVar[str] = "without_flag"

    def insert_coord(self, p: int, i: int) -> None:
        pass


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


@dataclass(frozen=True)
class NeverFull(Range):
    """It declares that all rows are there, on diagonals that do not reach them."""

    name: ClassVar[str] = "never_full"
    full: bool = True


@dataclass(frozen=True)
class NoPadding(Singleton):
    """It stores -1 where there is nothing, and enumerates it."""

    name: ClassVar[str] = "no_padding"

    def violations(self, parents: int, size: int) -> Iterator[Violation]:
        for p in range(size):
            if not -1 <= self.crd[p] < self.N:
                yield Violation("crd", p, "is no coordinate")


@dataclass(frozen=True)
class DividesByExtent(Dense):
    """It divides by an extent that may be zero."""

    name: ClassVar[str] = "divides_by_extent"

    def size(self, parents: int) -> int:
        return parents * self.N * self.N // self.N


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
class FalseSearch(Hashed):
    """A right format whose search declares what is never so."""

    name: ClassVar[str] = "false_search"

    def locate_invariant(self, q: int) -> bool:
        return q < q


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


@dataclass(frozen=True)
class Branching(DeclaredChunks):
    """A right format that does without a loop where there is nothing to add up."""

    name: ClassVar[str] = "branching"

    def append_finalize(self, parents: int, size: int) -> None:
        if size > 0:
            for p in range(parents):
                self.first[p + 1] = self.first[p + 1] + self.first[p]


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


WRONG: tuple[tuple[Level, str], ...] = (
    (OneTooFar(), "segments"),
    (OneTooFar(), "in_range.pos_access"),
    (MissesLast(), "locate"),
    (WrongStride(), "segments"),
    (WrongStride(), "locate"),
    (Unsorted(), "ordered"),
    (Repeats(), "unique"),
    (Inverted(), "locate"),
    (Forgetful(), "append_edges"),
    (LastIsNotNew(), "append_init"),
    (WithoutFlag(), "insert"),
    (NoWrap(), "in_range.locate"),
    (NoWrap(), "locate"),
    (NeverStops(), "locate"),
    (ManyChildren(), "branchless"),
    (ReadsBefore(), "in_range.pos_bounds"),
    (Gaps(), "compact"),
    (HalfReset(), "insert_reset"),
    (NeverFull(), "full"),
    (NoPadding(), "coordinates"),
    (DividesByExtent(), "in_range.size"),
    (Namesake(), "unique"),
)
"""Each with the statement that does not hold of it."""

NOT_PROVED: tuple[tuple[Level, str], ...] = (
    *((level, name) for level in (BeyondSix(), Uncounted()) for name in ("coordinates", "in_range.pos_access")),
    *((FalseSearch(), name) for name in ("insert", "in_range.locate", "in_range.insert_coord")),
    (Branching(), "append_finalize"),
)
"""Each with a statement that is not proved, and that no small level refutes."""


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


BROKEN: tuple[Level, ...] = (OneResult(), NoSuchArray(), NoReturn())
"""Formats that cannot be run."""
