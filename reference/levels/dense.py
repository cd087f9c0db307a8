"""The dense level: every coordinate of the dimension (Chou 2018, section 3.1, Tables 2 and 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .level import Coordinates, Indices, Level, Placed, extent


@dataclass(frozen=True)
class Dense(Level):
    """Encodes the interval `[0, N)` below each parent, in order, without storing anything.

    >>> Dense().bind({"N": 4}).locate(2, (0, 3))
    (11, True)
    """

    name: ClassVar[str] = "dense"
    letter: ClassVar[str] = "d"
    configurable: ClassVar[tuple[str, ...]] = ("ordered", "unique")
    full: bool = True

    N: int = extent()

    def coord_bounds(self, i: Coordinates) -> tuple[int, int]:
        """coord_bounds(i_1, ..., i_{k-1}) -> <ibegin_k, iend_k>"""
        return 0, self.N

    def coord_access(self, p: int, i: Coordinates) -> tuple[int, bool]:
        """coord_access(p_{k-1}, i_1, ..., i_k) -> <p_k, found>"""
        return p * self.N + i[-1], True

    def locate(self, p: int, i: Coordinates) -> tuple[int, bool]:
        """locate(p_{k-1}, i_1, ..., i_k) -> <p_k, found>"""
        return p * self.N + i[-1], True

    def insert_coord(self, p: int, i: int) -> None:
        """insert_coord(p_k, i_k)"""

    def size(self, parents: int) -> int:
        """size(sz_{k-1}) -> sz_k"""
        return parents * self.N

    def insert_init(self, begin: int, end: int) -> None:
        """insert_init(begin_k, end_k)"""

    def insert_finalize(self, parents: int, size: int) -> None:
        """insert_finalize(sz_{k-1}, sz_k)"""

    def place(self, parents: Indices, i: Sequence[Indices], fresh: Indices, count: int) -> Placed:
        return Placed(parents * np.int64(self.N) + i[-1], self.size(count), {})
