"""Visits: what runs at a coordinate of a loop: accesses are located, cases chosen, results prepared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from ...reference.loops.strategy import Active
from ...reference.notation.syntax import Access
from ...reference.statement.statement import reads
from ...reference.statement.substitution import substitute_statement
from ..assembly.appending import Filling
from ..ir import ir, logic
from ..ir.ir import INT, Expr
from ..ir.writer import Writer
from ..scope.env import Emit, Env
from ..scope.flags import condition, under
from ..scope.places import searched
from ..scope.terms import print_term
from .cases import ALONE, Round, chained
from .course import Course
from .iteration import Ahead
from .locating import later, located
from .walk import Walk


@dataclass
class Visit:
    """The visits of a loop; `emit` writes the statement of a lattice point, `filling` what a result needs around it.

    `ready`: room for everything that the loop appends is made before it.
    """

    course: Course
    emit: Emit
    filling: Filling | None = None
    ready: bool = False

    def ahead(self, walks: Sequence[Walk]) -> Ahead | None:
        """What to write before the loop, where it walks what is stored: room for as many positions, once for all."""
        if (
            self.filling is None
            or not self.filling.at_once
            or not all(w.fiber.by_position or w.fiber.sorts for w in walks)
        ):
            return None
        self.ready = True
        return self.filling.room

    def finish(self, out: Writer, env: Env, conditions: Mapping[Access, Expr], round_: Round = ALONE) -> None:
        """At a coordinate where some accesses are present under conditions: the body.

        At a position of an operand that no loop reads, what it holds is searched for first.
        """
        if self.course.completes or not env.tiling.expanded.get(self.course.index):
            self.settle(out, env, conditions, round_)
            return
        relation = self.course.frame.facts.derivations.space_of(self.course.index)
        assert relation is not None
        frame, space = self.course.frame, env.site.space
        position = out.held(relation.position, print_term(space.original(relation.position), frame, env))
        inner = out.inner()
        given, found = searched(relation, position, frame, env, inner)
        deeper = inner.inner()
        self.settle(deeper, env.partly().giving(given), conditions, round_)
        inner.add(*logic.conditional(found, deeper.code))
        end = print_term(space.extent(relation.position), frame, env)
        out.add(*logic.conditional(logic.compare("<", position, end), inner.code))

    def settle(self, out: Writer, env: Env, conditions: Mapping[Access, Expr], round_: Round) -> None:
        """At a coordinate where some accesses are present under conditions: locate the rest, choose the case."""
        env = self.recovered(env, out)
        if self.filling is not None:
            env, close = self.filling.around(env, out)
            if self.filling.appends and not self.ready:
                self.filling.room(ir.ONE, out)
        wanted = self.relevant(conditions)
        known = dict(conditions)
        for active in self.course.strategy.located:
            if active.access not in wanted:
                continue
            base = self.base(active, env)
            c = ir.add(env.site.coordinates[self.course.index], base)
            positions, found = located(self.course.frame, active.access, active.first, c, env, out)
            env = env.placed(active.access, active.first, positions, c)
            env = later(self.course.frame, active, env, out)
            if active.is_sparse:
                known[active.access] = found
        self.cases(out, env, {a: known.get(a, ir.FALSE) for a in self.course.sparse}, round_)
        if self.filling is not None:
            close(out)

    def recovered(self, env: Env, out: Writer) -> Env:
        """The environment with the source variables that this loop completes."""
        for relation in self.course.frame.facts.provenance.relations:
            variable = getattr(relation, "parent", None)
            if variable is None or variable in env.site.coordinates:
                continue
            loops = self.course.frame.facts.provenance.loops(variable, env.site.bound)
            if loops is not None and self.course.index in loops:
                term = env.site.space.source(variable)
                if term not in env.site.held:
                    value = print_term(term, self.course.frame, env)
                    env = env.holding(term, out.declare(f"const {INT}", variable, value, natural=True))
        return env

    def base(self, active: Active, env: Env) -> Expr:
        """What to add to the loop's coordinate to get the level's."""
        variable = active.access.levels[active.first]
        return print_term(env.site.space.shift(variable, self.course.index), self.course.frame, env)

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
        env = env.flagged({a: flags[a] for a in asked})
        if self.course.strategy.flagged:
            self.body(out, env, flags, met=bool(round_.some))
            return
        chain = chained(self.course.strategy.lattice, conditions, round_.some)
        if len(chain) == 1 and not chain[0].needs and not round_.steps:
            if chain[0].statement is not None:
                self.emit(chain[0].statement, env, out)
            return
        code: ir.Code = ()
        for case in reversed(chain):
            inner = out.inner()
            if case.statement is not None:
                self.emit(case.statement, round_.inside(case, self.course.index, env.partly()), inner)
            for access, step_ in round_.steps.items():
                inner.add(*step_(case.presence(access)))
            needed = logic.both(*[conditions[a] for a in case.needs])
            code = logic.conditional(needed, inner.code, code)
        out.add(*code)

    def body(self, out: Writer, env: Env, flags: Mapping[Access, Expr], *, met: bool) -> None:
        """The body of a flagged loop, if anything is left of it; `met`: some iterator is, or the extent."""
        lost = frozenset(a for a, flag in flags.items() if flag == ir.FALSE)
        statement = substitute_statement(self.course.strategy.lattice.body, lost, self.course.frame.facts.background)
        if statement is None:
            return
        flag = ir.TRUE if met and self.course.strategy.suffices else condition(self.course.strategy.remains, flags)
        under(flag, out, lambda inner: self.emit(statement, env.partly(), inner))
