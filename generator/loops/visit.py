"""Visits: what runs at a coordinate of a loop: accesses are located, cases chosen, results prepared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import combinations

from msgspec import Struct

from ...reference.notation.syntax import Access
from ...reference.statement.statement import reads
from ..assembly.appending import Filling
from ..ir import ir, logic
from ..ir.ir import INT, Expr
from ..ir.writer import Writer
from ..scope.env import Emit, Env
from ..scope.flags import condition, under
from ..scope.places import search_coordinates
from ..scope.terms import print_term
from .cases import ALONE, Case, Round, chain_cases
from .course import Course
from .iteration import Ahead
from .locating import locate_coordinate, place_level
from .walk import Walk


class Visit(Struct):
    """The visits of a loop; `emit` writes the statement of a lattice point, `filling` what a result needs around it."""

    course: Course
    emit: Emit
    filling: Filling | None = None

    def ahead(self, walks: Sequence[Walk]) -> Ahead | None:
        """What to write before the loop, where it walks what is stored: room for as many positions, once for all."""
        if (
            self.filling is None
            or self.has_room(self.course.env)
            or not self.filling.at_once(self.course.index)
            or not all(w.fiber.by_position or w.fiber.sorts for w in walks)
        ):
            return None
        room = partial(self.filling.room, self.course.env)
        self.course.env = self.filling.with_room(self.course.env)
        return room

    def has_room(self, env: Env) -> bool:
        """Whether room for all that is appended here is made before this loop, or one around it."""
        return self.filling is not None and self.filling.fibers.output.name in env.target.roomy

    def finish(self, out: Writer, env: Env, conditions: Mapping[Access, Expr], round_: Round = ALONE) -> None:
        """At a coordinate where some accesses are present under conditions: the body.

        At a position of an operand that no loop reads, what it holds is searched for first.
        """
        relation = self.course.loop.searched
        if relation is None:
            self.settle(out, env, conditions, round_)
            return
        frame, space = self.course.frame, env.site.space
        position = out.hold(relation.position, print_term(space.recover(relation.position), frame, env))
        inner = out.inner()
        coordinates, found = search_coordinates(relation, position, frame, env, inner)
        deeper = inner.inner()
        self.settle(deeper, env.partly().bind_terms(coordinates), conditions, round_)
        inner.add(*logic.conditional(found, deeper.code))
        end = print_term(space.extent(relation.position), frame, env)
        out.add(*logic.conditional(logic.compare("<", position, end), inner.code))

    def settle(self, out: Writer, env: Env, conditions: Mapping[Access, Expr], round_: Round) -> None:
        """At a coordinate where some accesses are present under conditions: locate the rest, choose the case."""
        env = self.recover_sources(env, out)
        if self.filling is not None:
            env, close = self.filling.around(env, out)
            if self.filling.appends and not self.has_room(env):
                self.filling.room(env, ir.ONE, out)
            if self.filling.appends:
                env = self.filling.with_room(env)
        wanted = self.relevant(conditions)
        known = dict(conditions)
        for placement in self.course.loop.located:
            active = placement.active
            if active.access not in wanted:
                continue
            c = ir.add(env.site.coordinates[self.course.index], print_term(placement.shift, self.course.frame, env))
            positions, found = locate_coordinate(self.course.frame, active.access, active.first, c, env, out)
            env = place_level(self.course.frame, placement, positions, c, env, out)
            if active.is_sparse:
                known[active.access] = found
        self.cases(out, env, {a: known.get(a, ir.FALSE) for a in self.course.sparse}, round_)
        if self.filling is not None:
            close(out)

    def recover_sources(self, env: Env, out: Writer) -> Env:
        """The environment with the source variables that this loop completes."""
        for variable, coordinate in self.course.loop.recovered_variables:
            value = print_term(coordinate, self.course.frame, env)
            env = env.bind_terms({coordinate: out.declare(f"const {INT}", variable, value, natural=True)})
        return env

    def relevant(self, conditions: Mapping[Access, Expr]) -> set[Access]:
        """The accesses that some case reads."""
        if self.course.strategy.flagged or not self.course.strategy.forks:
            return set(reads(self.course.strategy.lattice.body))
        certain = frozenset(a for a, c in conditions.items() if c == ir.TRUE)
        open_ = [a for a in self.course.sparse if a not in certain and (a in conditions or self.is_located(a))]
        found: set[Access] = set()
        for size in range(len(open_) + 1):
            for chosen in combinations(open_, size):
                point = self.course.strategy.lattice.point(
                    (certain | frozenset(chosen)) & frozenset(self.course.sparse)
                )
                if point is not None:
                    found |= set(reads(point.statement))
        return found

    def is_located(self, access: Access) -> bool:
        return any(a.access == access for a in self.course.strategy.located)

    def cases(self, out: Writer, env: Env, conditions: Mapping[Access, Expr], round_: Round) -> None:
        """Choose the statement by which accesses are present, and step over the coordinate with those that are."""
        flags = {**env.site.flags, **conditions}
        asked = (a for a in self.course.strategy.uncertain if flags.get(a, ir.TRUE) not in (ir.TRUE, ir.FALSE))
        env = env.flag({a: flags[a] for a in asked})
        if self.course.strategy.flagged:
            self.body(out, env, flags, met=bool(round_.some))
            return
        chain = chain_cases(self.course.strategy.lattice, conditions, round_.some)
        if len(chain) == 1 and not chain[0].needs and not round_.steps:
            self.case(chain[0], env, out)
            return
        code: ir.Code = ()
        for case in reversed(chain):
            inner = out.inner()
            self.case(case, round_.inside(case, self.course.index, env.partly()), inner)
            for access, step_ in round_.steps.items():
                inner.add(*step_(case.presence(access)))
            needed = logic.both(*[conditions[a] for a in case.needs])
            code = logic.conditional(needed, inner.code, code)
        out.add(*code)

    def case(self, case: Case, env: Env, out: Writer) -> None:
        """What is to be done in a case, if anything is."""
        node = self.course.loop.case(case.least)
        if node is not None:
            self.emit(node, env, out)

    def body(self, out: Writer, env: Env, flags: Mapping[Access, Expr], *, met: bool) -> None:
        """The body of a flagged loop, if anything is left of it; `met`: some iterator is, or the extent."""
        there, lost = (frozenset(a for a, flag in flags.items() if flag == truth) for truth in (ir.TRUE, ir.FALSE))
        node = self.course.loop.remaining_body(there, lost)
        if node is None:
            return
        flag = ir.TRUE if met and self.course.strategy.suffices else condition(self.course.strategy.remains, flags)
        under(flag, out, lambda inner: self.emit(node, env.partly(), inner))
