"""The offset level: a coordinate shifted from its parent's (Chou 2018, section 3.1, Table 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from .level import Coordinates, Indices, Ints, Level, Placed, extent, shared_array


@dataclass(frozen=True)
class Offset(Level):
    """The column `i + offset[d]` of row `i` on diagonal `d`, the coordinate two levels up.

    >>> Offset().bind({"offset": [-3, -1, 0, 1], "N": 6}).pos_access(7, (1, 3))
    (2, True)
    """

    name: ClassVar[str] = "offset"
    letter: ClassVar[str] = "o"
    configurable: ClassVar[tuple[str, ...]] = ("ordered", "unique")
    branchless: bool = True
    compact: bool = False

    offset: Ints = shared_array()
    N: int = extent()

    def pos_bounds(self, p: int) -> tuple[int, int]:
        """pos_bounds(p_{k-1}) -> <pbegin_k, pend_k>"""
        return p, p + 1

    def pos_access(self, p: int, i: Coordinates) -> tuple[int, bool]:
        """pos_access(p_k, i_1, ..., i_{k-1}) -> <i_k, found>"""
        return i[-1] + self.offset[i[-2]], True

    def shared_lengths(self, above: Sequence[int]) -> dict[str, int]:
        return {"offset": above[-2]}

    def misfit(self, above: tuple[Level, ...]) -> str | None:
        if len(above) < 2:
            return "it reads the offset of the diagonal whose number is the coordinate two levels up"
        if above[-1].full:
            return "the level above must leave out the rows that a diagonal does not reach: use range or compressed"
        return None

    def place(self, parents: Indices, i: Sequence[Indices], fresh: Indices, count: int) -> Placed:
        return Placed(parents, self.size(count), {})

    def size(self, parents: int) -> int:
        """One position per parent."""
        return parents
