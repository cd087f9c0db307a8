"""The range level: an interval whose bounds follow from a diagonal's offset (Chou 2018, section 3.1, Table 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .level import Coordinates, Indices, Ints, Level, Placed, extent, shared_array


@dataclass(frozen=True)
class Range(Level):
    """The rows `i` that a diagonal reaches: those with `0 <= i + offset < M`. Every row has a position.

    >>> Range().bind({"offset": [-3, -1, 0, 1], "N": 4, "M": 6}).coord_bounds((1,))
    (1, 4)
    """

    name: ClassVar[str] = "range"
    letter: ClassVar[str] = "r"
    configurable: ClassVar[tuple[str, ...]] = ("ordered", "unique")
    compact: bool = False

    offset: Ints = shared_array()
    N: int = extent()
    M: int = extent()

    def coord_bounds(self, i: Coordinates) -> tuple[int, int]:
        """coord_bounds(i_1, ..., i_{k-1}) -> <ibegin_k, iend_k>"""
        return max(0, -self.offset[i[-1]]), min(self.N, self.M - self.offset[i[-1]])

    def coord_access(self, p: int, i: Coordinates) -> tuple[int, bool]:
        """coord_access(p_{k-1}, i_1, ..., i_k) -> <p_k, found>"""
        return p * self.N + i[-1], True

    def shared_lengths(self, above: Sequence[int]) -> dict[str, int]:
        return {"offset": above[-1]}

    def misfit(self, above: tuple[Level, ...]) -> str | None:
        if len(above) < 1:
            return "it reads the offset of the diagonal whose number is the coordinate one level up"
        return None

    def place(self, parents: Indices, i: Sequence[Indices], fresh: Indices, count: int) -> Placed:
        return Placed(parents * np.int64(self.N) + i[-1], self.size(count), {})

    def size(self, parents: int) -> int:
        """A position for every row of every diagonal, used or not."""
        return parents * self.N
