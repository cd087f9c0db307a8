"""Courses: over which coordinates and positions a loop goes, and what is known inside."""

from __future__ import annotations

from dataclasses import replace

from ...reference.loops.strategy import Active
from ...reference.statement.derivation import Pos
from ...reference.statement.statement import Forall
from ..ir import ir
from ..ir.ir import Expr
from ..ir.writer import Writer
from ..scope.env import Env
from ..scope.frame import Frame
from ..scope.places import counted as counted_positions
from ..scope.searching import Limits, is_one
from ..scope.terms import print_range
from ..scope.tiles import tile
from .fiber import Fiber
from .walk import Walk


class Course:
    """The course of one loop by its strategy. `env` learns which positions belong here, once they have been found."""

    def __init__(self, frame: Frame, s: Forall, env: Env) -> None:
        self.frame, self.env, self.index, self.space = frame, env, s.index, env.site.space
        self.strategy = frame.facts.strategy(s, env.site.bound, env.site.optional)
        if frame.purpose == "count" and env.teams.shared in env.site.bound and self.is_single:
            self.strategy = replace(self.strategy, ordered=False)
        fused = {self.strategy.coiterated[0].access} if self.strategy.fused else set()
        self.fused = env.site.fused | fused
        self.sparse = self.strategy.lattice.sparse

    @property
    def is_single(self) -> bool:
        """Whether the loop goes over one level and nothing else, in whatever order if only a number is wanted."""
        return len(self.strategy.coiterated) == 1 and not self.strategy.whole_extent and not self.strategy.depends

    @property
    def completes(self) -> bool:
        """Whether other loops have given the loop's variable its value."""
        return self.space.completes(self.index)

    @property
    def range(self) -> Limits:
        """The values that the loop ranges over."""
        given = self.env.tiling.given.get(self.index)
        if given is not None:
            return given, ir.add(given, ir.ONE)
        return print_range(self.space.range(self.index), self.frame, self.env)

    @property
    def counts(self) -> bool:
        """Whether the loop will count iterations that a team can share out, as `write` then says."""
        strategy, probe = self.strategy, Writer()
        if self.completes:
            return False
        if not strategy.coiterated:
            tiled = tile(self.frame, self.env, self.index, self.env.tiling.counters.get(self.index, ""))
            return tiled is not None or not is_one(*self.reach(probe))
        return self.is_single and self.walk(strategy.coiterated[0], probe, merges=False).counts

    def walk(self, active: Active, out: Writer, *, merges: bool) -> Walk:
        """The walk over a co-iterated level."""
        own = active.access.levels[active.first] == self.index
        is_all = own and self.index not in self.env.tiling.given and self.space.range(self.index).whole
        fiber = Fiber(self.frame, self.strategy, active, self.env, active.access in self.fused, merges)
        walk = Walk(fiber, None if is_all else self.range)
        return replace(walk, places=self.places(active, out), ends=self.ends(active)) if walk.keeps_places else walk

    def places(self, active: Active, out: Writer) -> Limits | None:
        """The positions at which a level holds what belongs here, if that is a part of them."""
        found: Limits | None = None
        for relation in self.frame.facts.derivations.positions():
            if relation.first <= active.first < relation.last and relation.counts(active.access):
                own = self.counted(relation, out)
                if own is None:
                    continue
                if active.first == relation.last - 1:
                    narrowed = self.env.tiling.narrowed | {relation}
                    self.env = replace(self.env, tiling=replace(self.env.tiling, narrowed=narrowed))
                begin, end = own[active.first - relation.first]
                found = (begin, end) if found is None else (ir.larger(found[0], begin), ir.smaller(found[1], end))
        return found

    def ends(self, active: Active) -> bool:
        """Whether a level is the last of which some relation counts the positions."""
        graph = self.frame.facts.derivations
        return any(r.last == active.first + 1 and r.counts(active.access) for r in graph.positions())

    def counted(self, relation: Pos, out: Writer) -> tuple[Limits, ...] | None:
        """The positions that belong here at every level that a relation counts, found once; None if all do."""
        counted = self.env.tiling.counted
        if (
            relation in counted
            or self.completes
            or not self.frame.facts.derivations.leads_to(relation, self.env.site.bound)
        ):
            return counted.get(relation)
        window = self.space.window(relation.position)
        if window.whole:
            return None
        limits = print_range(window, self.frame, self.env)
        alike = (
            r for r in counted if r.access == relation.access and (r.first, r.last) == (relation.first, relation.last)
        )
        same = (r for r in alike if print_range(self.space.window(r.position), self.frame, self.env) == limits)
        known = next(same, None)
        found = counted_positions(relation, limits, self.frame, self.env, out) if known is None else counted[known]
        self.env = replace(self.env, tiling=replace(self.env.tiling, counted={**counted, relation: found}))
        return found

    def reach(self, out: Writer) -> Limits:
        """The coordinates that the loop visits without a walk: those below which levels of all coordinates belong."""
        begin, end = self.range
        for active in self.strategy.located:
            first = Fiber(self.frame, self.strategy, active, self.env, False, False).first_place()
            places = None if first is None else self.places(active, out)
            if first is not None and places is not None:
                begin = ir.larger(begin, ir.sub(places[0], first))
                end = ir.smaller(end, ir.sub(places[1], first))
        return begin, end

    def inside(self, c: Expr, env: Env) -> Env:
        """The environment in the body."""
        if self.space.overlaps(self.index):
            env = replace(env, target=replace(env.target, covers=False, pieces=True))
        return replace(env, site=replace(env.site.inside(self.index, c), fused=self.fused))
