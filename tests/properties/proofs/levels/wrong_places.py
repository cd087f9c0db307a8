"""Levels with a place for each coordinate, or one for each parent, that are wrong in one way each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from gnomon.reference.levels.bitmap import Bitmap
from gnomon.reference.levels.dense import Dense
from gnomon.reference.levels.level import Coordinates, Violation
from gnomon.reference.levels.range import Range
from gnomon.reference.levels.singleton import Singleton


@dataclass(frozen=True)
class WrongStride(Dense):
    """Its rows overlap."""

    name: ClassVar[str] = "wrong_stride"

    def coord_access(self, p: int, i: Coordinates) -> tuple[int, bool]:
        return p * (self.N - 1) + i[-1], True


@dataclass(frozen=True)
class DividesByExtent(Dense):
    """It divides by an extent that may be zero."""

    name: ClassVar[str] = "divides_by_extent"

    def size(self, parents: int) -> int:
        return parents * self.N * self.N // self.N


@dataclass(frozen=True)
class Contradictory(Bitmap):
    """No storage is valid."""

    name: ClassVar[str] = "contradictory"

    def violations(self, parents: int, size: int) -> Iterator[Violation]:
        for p in range(size):
            if self.flag[p] != 0 or self.flag[p] == 0:
                yield Violation("flag", p, "is wrong")


@dataclass(frozen=True)
class Inverted(Bitmap):
    """`locate` says that what is there is not."""

    name: ClassVar[str] = "inverted"

    def locate(self, p: int, i: Coordinates) -> tuple[int, bool]:
        q = p * self.N + i[-1]
        return q, self.flag[q] == 0


@dataclass(frozen=True)
class WithoutFlag(Bitmap):
    """`insert_coord` forgets the flag."""

    name: ClassVar[str] = "without_flag"

    def insert_coord(self, p: int, i: int) -> None:
        pass


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
