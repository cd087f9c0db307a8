"""Tilings: what is known of a schedule's tiles where code is written (Senanayake 2020, section 5)."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from ...reference.statement.relation import Pos, Split
from ..ir import ir
from ..ir.ir import Expr


class Stretch(Struct, frozen=True):
    """A part of a tile that has a known length: from a place of the tile on, so many places."""

    first: Expr
    size: int


class Tiling(Struct, frozen=True):
    """What loops over derived variables have made known.

    `counted`: the positions that belong here at every level that a relation counts; `narrowed`: the relations whose
    walks keep to them; `stepped`: the variables, positions among them, whose loops go by the step of their range and so
    over nothing but what belongs here; `whole`: the splits of whose tile the code here is for a stretch that is there,
    which may be all of it, `partial` those whose tile may be smaller.
    """

    counted: Mapping[Pos, tuple[tuple[Expr, Expr], ...]] = field(default_factory=dict)
    narrowed: frozenset[Pos] = frozenset()
    stepped: frozenset[str] = frozenset()
    whole: Mapping[Split, Stretch] = field(default_factory=dict)
    partial: frozenset[Split] = frozenset()

    def first(self, split: Split) -> Expr:
        """The place in the tile that the loops around have reached where what they visit of it begins."""
        return self.whole[split].first if split in self.whole else ir.ZERO
