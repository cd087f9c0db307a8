"""Levels whose coordinates count from the end, in segments of given lengths: right ones, and wrong in one way each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from gnomon.reference.levels.invariants import in_range, segments
from gnomon.reference.levels.level import Coordinates, Ints, Level, Violation, array, extent


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
class Forgetful(DeclaredChunks):
    """`append_edges` forgets earlier pieces of a fiber."""

    name: ClassVar[str] = "forgetful"

    def append_edges(self, p: int, begin: int, end: int) -> None:
        self.first[p + 1] = end - begin


@dataclass(frozen=True)
class Branching(DeclaredChunks):
    """A right format that does without a loop where there is nothing to add up."""

    name: ClassVar[str] = "branching"

    def append_finalize(self, parents: int, size: int) -> None:
        if size > 0:
            for p in range(parents):
                self.first[p + 1] = self.first[p + 1] + self.first[p]
