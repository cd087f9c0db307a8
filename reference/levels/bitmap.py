"""The bitmap level: a dense level with presence flags, as dense workspaces have them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .level import Coordinates, Indices, Ints, Level, Placed, Violation, array, extent


@dataclass(frozen=True)
class Bitmap(Level):
    """Every coordinate has a position; `flag` says which are present."""

    name: ClassVar[str] = "bitmap"
    letter: ClassVar[str] = "b"
    compact: bool = False

    flag: Ints = array()
    N: int = extent()

    def coord_bounds(self, i: Coordinates) -> tuple[int, int]:
        """coord_bounds(i_1, ..., i_{k-1}) -> <ibegin_k, iend_k>"""
        return 0, self.N

    def coord_access(self, p: int, i: Coordinates) -> tuple[int, bool]:
        """coord_access(p_{k-1}, i_1, ..., i_k) -> <p_k, found>"""
        q = p * self.N + i[-1]
        return q, self.flag[q] == 1

    def locate(self, p: int, i: Coordinates) -> tuple[int, bool]:
        """locate(p_{k-1}, i_1, ..., i_k) -> <p_k, found>"""
        q = p * self.N + i[-1]
        return q, self.flag[q] == 1

    def insert_coord(self, p: int, i: int) -> None:
        """insert_coord(p_k, i_k)"""
        self.flag[p] = 1

    def size(self, parents: int) -> int:
        """size(sz_{k-1}) -> sz_k"""
        return parents * self.N

    def insert_init(self, begin: int, end: int) -> None:
        """insert_init(begin_k, end_k)"""
        for p in range(begin, end):
            self.flag[p] = 0

    def insert_finalize(self, parents: int, size: int) -> None:
        """insert_finalize(sz_{k-1}, sz_k)"""

    def lengths(self, parents: int, size: int) -> dict[str, int]:
        return {"flag": size}

    def place(self, parents: Indices, i: Sequence[Indices], fresh: Indices, count: int) -> Placed:
        positions = parents * np.int64(self.N) + i[-1]
        flag = np.zeros(self.size(count), np.int64)
        flag[positions] = 1
        return Placed(positions, len(flag), {"flag": flag})

    def violations(self, parents: int, size: int) -> Iterator[Violation]:
        for p in range(size):
            if self.flag[p] != 0 and self.flag[p] != 1:
                yield Violation("flag", p, f"is {self.flag[p]}, but a flag is 0 or 1")
