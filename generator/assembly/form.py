"""Forms: what a tensor that is written is like, before anything is declared.

Its levels fall into groups that grow together. The first group has a size that the extents determine; every appended
level that is not a singleton heads a further group, whose size is the number of positions appended so far.
"""

from __future__ import annotations

from functools import cached_property

from msgspec import Struct

from ...reference.levels.level import Append, Insert, Level, makes_positions
from ...reference.notation.syntax import Access
from ..ir.ir import Expr
from ..storage.layout import Layout

ROOT = -1
UNLIMITED = "INT64_MAX"


class Form(Struct, frozen=True, dict=True):
    """The form of a tensor that is written.

    `initial` is the value of a component before anything is stored in it; `flagged`: it keeps which components are
    present; `fresh`: its structure is made here, else it is there; `given`: the caller provides the values, those of a
    result that stores nothing else; `bare`: nobody asks for values; `parameter`: the caller's tensor, if it is one.
    `begins` is the tensor as whose contents it begins, if there is one; `in_place`: the caller's arrays hold these.
    `meeting`: several threads may bring its components at once, so that each is combined with `initial`.
    """

    target: Access
    layout: Layout
    initial: Expr
    flagged: bool
    fresh: bool
    given: bool = False
    bare: bool = False
    parameter: str | None = None
    begins: str | None = None
    in_place: bool = False
    meeting: bool = False

    @property
    def is_lent(self) -> bool:
        """Whether the arrays are the caller's, and stay so."""
        return self.in_place or not self.fresh

    @property
    def grows(self) -> bool:
        """Whether room is made for what is appended: not in arrays of the caller's."""
        return self.fresh or self.parameter is None

    @property
    def name(self) -> str:
        """The tensor's name."""
        return self.target.tensor

    @property
    def levels(self) -> tuple[Level, ...]:
        """Its level formats."""
        return self.layout.format.levels

    @cached_property
    def heads(self) -> list[int]:
        """The levels that head a group."""
        return [k for k, level in enumerate(self.levels) if makes_positions(level)]

    @cached_property
    def last_append(self) -> int:
        """The last level that is appended to; -1 if none is."""
        return max((k for k, level in enumerate(self.levels) if not isinstance(level, Insert)), default=-1)

    def group(self, k: int) -> int:
        """The head of the group of level `k`; the values belong to that of the last level."""
        return max((h for h in self.heads if h <= k), default=ROOT)

    def chain(self, k: int) -> range:
        """The appended levels that share positions with head `k`."""
        end = k + 1
        while end < len(self.levels) and isinstance(self.levels[end], Append) and not makes_positions(self.levels[end]):
            end += 1
        return range(k, end)

    @property
    def limit(self) -> str:
        """The largest number of positions that the index arrays can count."""
        return "GN_INDEX_MAX" if "int32_t" in self.layout.types.values() else UNLIMITED
