"""Courses: over which coordinates and positions a loop goes, and what is known inside."""

from __future__ import annotations

from msgspec.structs import replace

from ...reference.loops.iteration_space import Kept
from ...reference.loops.plan import LoopPlan, Placement
from ...reference.loops.terms import Range
from ..ir import extremes, ir
from ..ir.ir import Expr
from ..ir.writer import Writer
from ..scope.env import Env
from ..scope.frame import Frame
from ..scope.places import count_positions as counted_positions
from ..scope.searching import Limits, is_one
from ..scope.terms import print_range, print_term
from .fiber import Fiber
from .walk import Walk


class Course:
    """The course of one loop by its plan. `env` learns which positions belong here, and for which there is room."""

    def __init__(self, frame: Frame, loop: LoopPlan, env: Env) -> None:
        self.frame, self.loop, self.env, self.index = frame, loop, env, loop.index
        self.strategy = loop.strategy
        if frame.purpose == "count" and env.teams.shared and self.is_single:
            self.strategy = replace(self.strategy, ordered=False)
        self.sparse = self.strategy.lattice.sparse

    @property
    def is_single(self) -> bool:
        """Whether the loop goes over one level and nothing else, in whatever order if only a number is wanted."""
        return len(self.strategy.coiterated) == 1 and not self.strategy.whole_extent and not self.strategy.depends

    @property
    def follows(self) -> bool:
        """Whether a loop around is fused with this one and stands where all levels have the same coordinate."""
        fused = self.loop.surroundings.fused
        return all(active.access in fused for active in self.strategy.coiterated)

    @property
    def completes(self) -> bool:
        """Whether other loops have given the loop's variable its value."""
        return self.loop.space.completes(self.index)

    @property
    def range(self) -> Limits:
        """The values that the loop ranges over."""
        return print_range(self.loop.range, self.frame, self.env)

    @property
    def counts(self) -> bool:
        """Whether the loop will count iterations that a team can share out, as `write` then says."""
        strategy, probe = self.strategy, Writer()
        if self.completes:
            return False
        if not strategy.coiterated:
            return self.env.site.surroundings.counted_tile(self.index) is not None or not is_one(*self.reach(probe))
        return self.is_single and self.walk(self.loop.coiterated[0], probe, merges=False).counts

    def walk(self, placement: Placement, out: Writer, *, merges: bool) -> Walk:
        """The walk over a co-iterated level."""
        fiber = self.fiber(placement, merges=merges)
        walk = Walk(fiber, None if placement.window is None else self.range)
        if not walk.keeps_places:
            return walk
        ends = any(kept.relation.last == placement.active.first + 1 for kept in placement.kept)
        walk = replace(walk, places=self.places(placement, out), ends=ends)
        return replace(walk, step=self.step_between(placement.kept)) if walk.may_step else walk

    def step_between(self, kept: tuple[Kept, ...]) -> Expr:
        """The step between positions to walk: that of the window of the one relation that counts this level alone."""
        if len(kept) != 1 or kept[0].relation.last != kept[0].relation.first + 1:
            return ir.ONE
        return self.step_over(kept[0].relation.position, kept[0].window)

    def step_over(self, variable: str, range_: Range) -> Expr:
        """The step of the range of a variable, by which a loop or a walk is to go."""
        step = print_term(range_.step, self.frame, self.env)
        if step != ir.ONE:
            stepped = self.env.tiling.stepped | {variable}
            self.env = replace(self.env, tiling=replace(self.env.tiling, stepped=stepped))
        return step

    def fiber(self, placement: Placement, *, merges: bool) -> Fiber:
        """The level that an access is placed in."""
        fused = placement.active.access in self.loop.inside.fused
        return Fiber(self.frame, self.strategy, placement, self.env, fused, merges)

    def places(self, placement: Placement, out: Writer) -> Limits | None:
        """The positions at which a level holds what belongs here, if that is a part of them."""
        found: Limits | None = None
        for kept in placement.kept:
            relation, first = kept.relation, placement.active.first
            begin, end = self.count_positions(kept, out)[first - relation.first]
            if first == relation.last - 1:
                narrowed = self.env.tiling.narrowed | {relation}
                self.env = replace(self.env, tiling=replace(self.env.tiling, narrowed=narrowed))
            if found is not None:
                begin, end = extremes.larger(found[0], begin), extremes.smaller(found[1], end)
            found = begin, end
        return found

    def count_positions(self, kept: Kept, out: Writer) -> tuple[Limits, ...]:
        """The positions that belong here at every level that a relation counts, found once."""
        counted, relation = self.env.tiling.counted, kept.relation
        if relation in counted:
            return counted[relation]
        limits = print_range(kept.window, self.frame, self.env)
        alike = (
            r for r in counted if r.access == relation.access and (r.first, r.last) == (relation.first, relation.last)
        )
        same = (r for r in alike if print_range(self.loop.space.window(r.position), self.frame, self.env) == limits)
        known = next(same, None)
        found = counted_positions(relation, limits, self.frame, self.env, out) if known is None else counted[known]
        self.env = replace(self.env, tiling=replace(self.env.tiling, counted={**counted, relation: found}))
        return found

    def reach(self, out: Writer) -> Limits:
        """The coordinates that the loop visits without a walk: those below which levels of all coordinates belong."""
        begin, end = self.range
        for placement in self.loop.located:
            first = self.fiber(placement, merges=False).first_place()
            places = None if first is None else self.places(placement, out)
            if first is not None and places is not None:
                begin = extremes.larger(begin, ir.sub(places[0], first))
                end = extremes.smaller(end, ir.sub(places[1], first))
        return begin, end

    def inside(self, c: Expr, env: Env) -> Env:
        """The environment in the body."""
        space = self.loop.space
        if space.overlaps(self.index):
            covers = env.target.covers and not space.overlaps(self.index, self.env.tiling.stepped)
            env = replace(env, target=replace(env.target, covers=covers, pieces=True))
        elif self.loop.walks_collapsed:
            env = replace(env, target=replace(env.target, pieces=True))
        return env.inside(self.index, c).enclose(self.loop.inside)
