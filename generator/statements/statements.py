"""Statements in C: loops, workspaces and assignments of one kernel function (Chou 2018, section 4.5; Figure 9).

A component that a loop nest reduces into is kept in local variables (`accumulation.py`). A result with appended levels
is filled where the loops over them stand (`appending.py`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...reference.loops.presence import remains
from ...reference.loops.strategy import known
from ...reference.statement.expansion import order, steps
from ...reference.statement.provenance import Split
from ...reference.statement.statement import Assign, Forall, Sequence, Statement, Where, assignments, reads
from ...reference.statement.substitution import reads_of, substitute_statement
from ..assembly.appending import Fibers, Filling
from ..assembly.initial import reset
from ..assembly.output import Output
from ..assembly.outputs import Outputs
from ..ir import ir, logic
from ..ir.ir import Expr
from ..ir.writer import Writer
from ..loops.course import Course
from ..loops.loops import loop
from ..loops.visit import Visit
from ..scope.env import Env
from ..scope.extents import check
from ..scope.flags import condition, under
from ..scope.frame import Frame
from ..scope.team import team, unrolling
from ..scope.tiles import tile
from ..threads.counting import Phases, divided
from ..threads.lanes import unrolled, vectorised
from ..threads.region import Region, owned
from ..values.combining import start
from .accumulation import Accumulation, cloned
from .storing import Storing


@dataclass(frozen=True)
class Statements:
    """The statements of one function, and the outputs that they fill."""

    outputs: Outputs

    @property
    def frame(self) -> Frame:
        """The function being written."""
        return self.outputs.frame

    def filling(self, outputs: Outputs) -> Statements:
        """The same statements, filling other outputs."""
        return Statements(outputs)

    @property
    def storing(self) -> Storing:
        """What their assignments do."""
        return Storing(self.outputs)

    def write(self, s: Statement, env: Env, out: Writer) -> None:
        """Write one statement."""
        own = owned(self.frame, env)
        if own is not None:
            alone, met = out.inner(), out.inner()
            self.write(s, replace(env, teams=replace(env.teams, atomic=frozenset())), alone)
            self.write(s, replace(env, teams=replace(env.teams, meets=True)), met)
            out.add(*logic.conditional(own, alone.code, met.code))
            return
        if all(self.is_idle(a) for a in assignments(s)):
            return
        match s:
            case Forall(index=index) if self.frame.facts.derivations.made(index) and index not in env.tiling.expanded:
                self.expand(s, env, out)
            case Forall():
                if not Accumulation(self.storing, self.write, s, env).write(out):
                    self.loop(s, env, out)
            case Where():
                self.where(s, env, out)
            case Assign():
                self.storing.assign(s, env, out)
            case Sequence(statements=statements):
                for each in statements:
                    self.guarded(each, env, out)

    def guarded(self, s: Statement, env: Env, out: Writer) -> None:
        """A statement, if it has something to do where accesses are missing."""
        under(self.remains(s, env), out, lambda inner: self.write(s, env, inner))

    def remains(self, s: Statement, env: Env) -> Expr:
        """Whether a statement has something to do where accesses are missing."""
        return condition(remains(s, env.site.optional, self.frame.facts.background), env.site.flags)

    def is_idle(self, a: Assign) -> bool:
        """Whether an assignment stores only a value, for which nobody asks."""
        output = self.outputs.known(a.target.tensor)
        return output is not None and output.held.is_plain and not self.frame.wants(output.name)

    def expand(self, s: Forall, env: Env, out: Writer) -> None:
        """The loop over a derived variable, as those over the original ones that it completes."""
        for relation in self.frame.facts.derivations.bounds_on(s.index, env.site.bound):
            if self.frame.facts.derivations.is_position(relation.bounded):
                check(self.frame, env, relation, out)
        first, _ = next(steps(s, env.site.bound, self.frame.facts.derivations))
        added = tuple(v for v in order(s, env.site.bound, self.frame.facts.derivations) if v != s.index)
        env = env.expanding(s.index, added)
        self.write(first, self.tagged(s, first.index, env), out)

    def tagged(self, s: Forall, first: str, env: Env) -> Env:
        """The environment that knows how the first of the loops that a loop stands for is to run."""
        program, bound = self.frame.facts.program, env.site.bound
        threads, lanes = (team(program, s, bound, unit) for unit in ("CPUThread", "CPUVector"))
        repeated = unrolling(s)
        teams = env.teams
        if threads is not None:
            teams = replace(teams, threads={**teams.threads, first: threads})
        if lanes is not None:
            teams = replace(teams, vectors={**teams.vectors, first: lanes})
        if repeated is not None:
            teams = replace(teams, unrolled={**teams.unrolled, first: repeated})
        return replace(env, teams=teams)

    def loop(self, s: Forall, env: Env, out: Writer) -> None:
        """A loop, as its schedule wants it run."""
        if self.frame.facts.derivations.made(s.index) is None and s.tags:
            env = self.tagged(s, s.index, env)
        tile = self.tile_of(s, env)
        if tile is not None:
            cloned(self.frame, tile, env, out, lambda inside, code: self.loop(s, inside, code))
            return
        threads = env.teams.threads.get(s.index)
        if threads is not None:
            region = Region(self, s, threads, env)
            if region.is_shared:
                region.write(out)
                return
            output = divided(region)
            if output is not None:
                Phases(region, output).write(out)
                return
        written = self.filled(s, env, out)
        if written is not None and s.index in env.teams.vectors:
            vectorised(
                out, written, env.teams.vectors[s.index], env.target.cells, {a.target.tensor: a for a in assignments(s)}
            )
        elif written is not None and s.index in env.teams.unrolled:
            unrolled(out, written, env.teams.unrolled[s.index])

    def tile_of(self, s: Forall, env: Env) -> Split | None:
        """The split whose tile a loop counts through in lanes or an unrolled body, if that may be less than whole."""
        if s.index not in env.teams.vectors and s.index not in env.teams.unrolled:
            return None
        split = tile(self.frame, env, s.index, env.tiling.counters.get(s.index, ""))
        known_ = split is None or split in env.tiling.whole or split in env.tiling.partial
        return split if not known_ and all(self.frame.facts.is_dense(a, s.index) for a in reads(s)) else None

    def filled(self, s: Forall, env: Env, out: Writer) -> ir.For | None:
        """A loop, with what a result needs around the body where the loop gives coordinates of its appended levels.

        What was written last, if that counts the iterations of this loop.
        """
        output = self.appended(s)
        if output is not None and self.fills_block(s, output, env):
            env = Fibers(self.frame, output).opened(self.frame.dimension(s.index), env, out)
        visit = Visit(Course(self.frame, s, env), self.write)
        if output is not None:
            bounds = (env.site.bound, (*env.site.bound, s.index))
            before, after = (known(output.form.target, bound, self.frame.facts.provenance) for bound in bounds)
            visit.filling = Filling(Fibers(self.frame, output), before, after)
        return loop(visit, out)

    def fills_block(self, s: Forall, output: Output, env: Env) -> bool:
        """Whether a loop stores something at every coordinate of an extent, in a block that may not be open yet."""
        if f"{output.name}{output.form.heads[-1]}" not in env.target.blocks or not isinstance(s.body, Assign):
            return False
        if s.body.mask is not None or s.body.target.tensor in env.target.cells:
            return False
        if self.frame.facts.derivations.made(s.index) is not None or env.site.space.is_narrowed(s.index):
            return False
        strategy = self.frame.facts.strategy(s, env.site.bound, env.site.optional)
        return not strategy.coiterated and not strategy.lattice.sparse

    def appended(self, s: Statement) -> Output | None:
        """The output with appended levels that a statement writes, if any."""
        for a in assignments(s):
            output = self.outputs.known(a.target.tensor)
            if output is not None and output.form.heads:
                return output
        return None

    def where(self, s: Where, env: Env, out: Writer) -> None:
        """Clear the workspace, run the producer, then the consumer; without it where a scalar got no value."""
        inside = env.partly()
        if self.frame.facts.workspaces[s.workspace].shape:
            self.write(s.consumer, self.produced(s, inside, out), out)
            return
        leaf_ = next(a for a in assignments(s.producer) if a.target.tensor == s.workspace)
        cell = self.storing.cell(leaf_, start(leaf_, self.frame), out, flagged=True)
        inside = inside.into(s.workspace, cell)
        self.guarded(s.producer, inside, out)
        present, absent = out.inner(), out.inner()
        self.write(s.consumer, inside, present)
        without = substitute_statement(s.consumer, reads_of(s.consumer, s.workspace), self.frame.facts.background)
        if without is not None:
            self.guarded(without, env.partly(), absent)
        assert cell.present is not None
        out.add(*logic.conditional(cell.present, present.code, absent.code))

    def produced(self, s: Where, env: Env, out: Writer) -> Env:
        """Fill a workspace, unless its producer has nothing to do: then the environment says that it is missing."""
        remains = self.remains(s.producer, env)
        if remains == ir.TRUE:
            reset(self.outputs[s.workspace].held, out)
            self.write(s.producer, env, out)
            return env
        made, inner = out.declare("const bool", f"{s.workspace}_made", remains), out.inner()
        reset(self.outputs[s.workspace].held, inner)
        self.write(s.producer, env, inner)
        out.add(*logic.conditional(made, inner.code))
        return env.flagged({**env.site.flags, **dict.fromkeys(reads_of(s.consumer, s.workspace), made)})
