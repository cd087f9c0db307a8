"""Fibers: one level of an access below where its parent stands, and the conversions that its use requires.

(Chou 2018, sections 3.2 and 4.3.) It is iterated over positions, over coordinates, or over a sorted scratch list of
both; duplicates may be gathered.
"""

from __future__ import annotations

from functools import cached_property

from msgspec import Struct

from ...reference.levels.level import CoordinatePositionIteration, Level
from ...reference.loops.plan import Placement
from ...reference.loops.strategy import Active, Strategy
from ..ir import ir, logic
from ..ir.ir import INT, Expr, Name
from ..ir.traversal import replace_variables
from ..ir.writer import Writer
from ..scope.env import Env
from ..scope.frame import Frame
from ..scope.terms import print_term
from ..storage.level_functions import Bound
from ..storage.positions import At, Positions, Run


class Fiber(Struct, frozen=True, dict=True):
    """A level as a loop iterates it; `fused`: its duplicates one by one; `merges`: in step with others."""

    frame: Frame
    strategy: Strategy
    placement: Placement
    env: Env
    fused: bool
    merges: bool

    @property
    def active(self) -> Active:
        """The access, and the level of it."""
        return self.placement.active

    @cached_property
    def bound_level(self) -> Bound:
        """The level over its storage."""
        return self.frame.tensors.stores[self.active.access.tensor].bounds[self.active.first]

    @property
    def level(self) -> Level:
        """The level format."""
        return self.active.level

    @property
    def parents(self) -> Positions:
        """Where the access stands above the level."""
        return self.env.site.at(self.active.access, self.active.first)

    @property
    def path(self) -> tuple[Expr, ...]:
        """The level coordinates above the level."""
        return self.env.site.path(self.active.access, self.active.first)

    @property
    def by_position(self) -> bool:
        """Whether the level is iterated over positions, not coordinates."""
        return isinstance(self.level, CoordinatePositionIteration)

    @property
    def parent(self) -> Expr:
        """The only parent."""
        assert isinstance(self.parents, At)
        return self.parents.p

    @cached_property
    def many(self) -> bool:
        """Whether there are several parents."""
        return not isinstance(self.parents, At)

    @cached_property
    def gathers(self) -> bool:
        """Whether duplicates are visited together. Stored coordinates that are unique are so below duplicates too."""
        if self.many and (self.level.full or not self.by_position):
            return True
        return self.by_position and not (self.level.unique or self.fused)

    @cached_property
    def chains(self) -> bool:
        """Whether the children of a run of parents are themselves a run (Figure 7b)."""
        k = self.active.first
        if not k or not isinstance(self.parents, Run) or not self.by_position:
            return False
        above = self.frame.facts.formats[self.active.access.tensor].levels[k - 1]
        return bool(above.ordered and above.compact and self.level.ordered and self.level.compact)

    @cached_property
    def sorts(self) -> bool:
        """Whether children go through a scratch list: out of order, scattered, or not all of them labeled where
        duplicates are gathered, or places that are not labeled cannot be skipped."""
        unordered = not self.level.ordered and (self.strategy.ordered or self.gathers)
        scattered = self.many and not self.chains
        together = self.gathers or (self.merges and not self.can_skip)
        return unordered or scattered or (together and not self.is_labeled)

    @property
    def can_skip(self) -> bool:
        """Whether a merge can tell by one expression whether a place is labeled, and belongs here."""
        return self.labeled_at(Name("p", True)) is not None and (self.by_position or not self.placement.kept)

    @property
    def comes_in_order(self) -> bool:
        """Whether the children of the one parent come in the order of their coordinates."""
        return self.level.ordered and not self.many

    @cached_property
    def is_labeled(self) -> bool:
        """Whether every position holds a coordinate, which can be read without a statement of its own."""
        probe = Writer()
        return self.label(Name("p", True), probe) == ir.TRUE and not probe.body

    def labeled_at(self, place: Expr) -> Expr | None:
        """Whether a place is labeled, as one expression; None if more has to be written."""
        probe = Writer()
        found = self.label(place, probe)
        for s in reversed(probe.body):
            if not isinstance(s, ir.Declare) or s.value is None:
                return None
            found = replace_variables(found, {s.name: s.value})
        return found

    def label(self, place: Expr, out: Writer) -> Expr:
        """Whether a place, a position or a coordinate, is labeled below one parent."""
        if self.by_position:
            return self.bound_level.call("pos_access", (place, self.path), out)[1]
        parent = Name("p", True) if self.many else self.parent
        return self.bound_level.call("coord_access", (parent, (*self.path, place)), out)[1]

    @cached_property
    def flags(self) -> Name | None:
        """The presence flags of a workspace, at its last level."""
        last = self.active.first == len(self.active.access.levels) - 1
        return self.frame.tensors.stores[self.active.access.tensor].present if last else None

    def holds(self, found: Expr, p: Expr) -> Expr:
        """Whether a position is labeled, and in a workspace also present."""
        return found if self.flags is None else logic.both(found, ir.Element(self.flags, p))

    @cached_property
    def base(self) -> Expr:
        """What to subtract from the level's coordinate to get the loop's, inside the block of a split variable."""
        return print_term(self.placement.shift, self.frame, self.env)

    @property
    def stem(self) -> str:
        """The name of the level, as in A2."""
        return f"{self.active.access.tensor}{self.active.first + 1}"

    @property
    def coordinate_stem(self) -> str:
        """The name of the level's coordinate, as in jA."""
        return f"{self.strategy.index}{self.active.access.tensor}"

    def coordinate_name(self) -> str:
        """The loop variable itself, unless the level counts from elsewhere."""
        return self.strategy.index if self.base == ir.ZERO else self.coordinate_stem

    def name_coordinate(self, c: Expr, out: Writer) -> Expr:
        """The level coordinate in a variable."""
        if isinstance(c, Name):
            return c
        return out.declare(f"const {INT}", self.coordinate_name(), c, natural=True)

    def first_place(self) -> Expr | None:
        """Where the loop's coordinate 0 is stored, if the coordinates after it follow one by one."""
        if self.by_position or self.many:
            return None
        probe, c = Writer(), Name("c", True)
        first = self.bound_level.call("coord_access", (self.parent, (*self.path, self.base)), probe)[0]
        later = self.bound_level.call("coord_access", (self.parent, (*self.path, ir.add(c, self.base))), probe)[0]
        return first if not probe.body and later == ir.add(first, c) else None
