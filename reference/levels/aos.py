"""Array-of-structs variants of compressed and singleton: one `coords` array for the whole chain (Chou 2018, 5.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .compressed import Compressed
from .invariants import segments
from .level import Coordinates, Indices, Ints, Level, Placed, Violation, parameter, shared_array
from .singleton import Singleton


@dataclass(frozen=True)
class CompressedAoS(Compressed):
    """A compressed level whose coordinates are interleaved with those of the singletons below it.

    >>> storage = {"pos": [0, 2], "coords": [0, 1, 3, 4], "stride": 2, "column": 0, "crd": [], "N": 4}
    >>> CompressedAoS().bind(storage).pos_access(1, ())
    (3, True)
    """

    name: ClassVar[str] = "compressed_aos"
    letter: ClassVar[str] = "S"

    coords: Ints = shared_array()
    stride: int = parameter()
    column: int = parameter()

    def pos_access(self, p: int, i: Coordinates) -> tuple[int, bool]:
        """pos_access(p_k, i_1, ..., i_{k-1}) -> <i_k, found>"""
        return self.coords[p * self.stride + self.column], True

    def append_coord(self, p: int, i: int) -> None:
        """append_coord(p_k, i_k)"""
        self.coords[p * self.stride + self.column] = i

    def misfit(self, above: tuple[Level, ...]) -> str | None:
        return Compressed.misfit(self, above) or apart(above, len(above))

    def lengths(self, parents: int, size: int) -> dict[str, int]:
        return {"pos": parents + 1, "coords": size * self.stride, "crd": 0}

    def stored_size(self, parents: int) -> int:
        return len(self.coords) // self.stride

    def place(self, parents: Indices, i: Sequence[Indices], fresh: Indices, count: int) -> Placed:
        plain = Compressed.place(self, parents, i, fresh, count)
        return Placed(plain.positions, plain.size, interleave(plain, self.stride, self.column))

    def violations(self, parents: int, size: int) -> Iterator[Violation]:
        if not 0 <= self.column < self.stride:
            yield Violation("column", 0, f"is {self.column}, outside [0, {self.stride})")
        yield from segments(self.pos, parents, size)
        yield from self.fibers(self.coords[self.column :: self.stride], parents, size)


@dataclass(frozen=True)
class SingletonAoS(Singleton):
    """A singleton level whose coordinates are interleaved with those of the levels above it."""

    name: ClassVar[str] = "singleton_aos"
    letter: ClassVar[str] = "Q"
    configurable: ClassVar[tuple[str, ...]] = ("full", "ordered", "unique")

    coords: Ints = shared_array()
    stride: int = parameter()
    column: int = parameter()

    def pos_access(self, p: int, i: Coordinates) -> tuple[int, bool]:
        """pos_access(p_k, i_1, ..., i_{k-1}) -> <i_k, found>"""
        return self.coords[p * self.stride + self.column], True

    def append_coord(self, p: int, i: int) -> None:
        """append_coord(p_k, i_k)"""
        self.coords[p * self.stride + self.column] = i

    def misfit(self, above: tuple[Level, ...]) -> str | None:
        head = len(above)
        while head > 0 and above[head - 1].branchless:
            head -= 1
        return Singleton.misfit(self, above) or apart(above, head - 1)

    def lengths(self, parents: int, size: int) -> dict[str, int]:
        return {"coords": size * self.stride, "crd": 0}

    def place(self, parents: Indices, i: Sequence[Indices], fresh: Indices, count: int) -> Placed:
        plain = Singleton.place(self, parents, i, fresh, count)
        return Placed(plain.positions, plain.size, interleave(plain, self.stride, self.column))

    def violations(self, parents: int, size: int) -> Iterator[Violation]:
        if not 0 <= self.column < self.stride:
            yield Violation("column", 0, f"is {self.column}, outside [0, {self.stride})")
        for p in range(size):
            c = self.coords[p * self.stride + self.column]
            if not 0 <= c < self.N:
                yield Violation("coords", p * self.stride + self.column, f"is {c}, outside [0, {self.N})")


def apart(above: tuple[Level, ...], head: int) -> str | None:
    """Why a level cannot interleave with those above: one stands before `head` and has other positions."""
    for level in above[: max(head, 0)]:
        if "column" in level.roles():
            return f"it shares the coordinate array of the {level.name} level above, which has other positions"
    return None


def interleave(plain: Placed, stride: int, column: int) -> dict[str, Indices]:
    """The arrays with the coordinates spread over one column of the shared array; -1 elsewhere."""
    coords = np.full(plain.size * stride, -1, np.int64)
    coords[column::stride] = plain.arrays["crd"]
    return {**plain.arrays, "crd": np.zeros(0, np.int64), "coords": coords}
