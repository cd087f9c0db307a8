"""Statements in C: loops, workspaces and assignments of one kernel function (Chou 2018, section 4.5; Figure 9).

A component that a loop nest reduces into is kept in local variables (`accumulation.py`). A result with appended levels
is filled where the loops over them stand (`parts.py`).
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from ...reference.errors import InternalError
from ...reference.loops.plan import AssignPlan, LoopPlan, Node, ParallelPlan, SequencePlan, WherePlan
from ...reference.statement.relation import Split
from ...reference.statement.statement import Assign, Flags, Forall, Program, Statement, assignments, reads
from ..assembly.appending import Fibers, Filling
from ..assembly.output import Output
from ..assembly.outputs import Outputs
from ..cuda.alone import is_for_one
from ..cuda.collective import meet
from ..cuda.listing import clear, find_appended, needs_order, put_in_order
from ..cuda.sizes import UNITS
from ..ir import ir, logic
from ..ir.ir import Code, Expr, Name
from ..ir.writer import Writer
from ..loops.course import Course
from ..loops.loops import write_loop
from ..loops.visit import Visit
from ..scope.env import Env
from ..scope.extents import check
from ..scope.flags import condition, under
from ..scope.frame import Frame
from ..scope.target import Cell, Mark
from ..scope.team import Group, Team, team, unroll_factor
from ..threads.division import divisible_output
from ..threads.lanes import unroll, vectorise
from ..threads.parts import Parts
from ..threads.region import Region, owns_positions
from ..values.combining import start
from .accumulation import Accumulation, write_tile
from .marking import clearing, mark_values
from .runs import has_long_runs, in_runs, visit_at_once
from .storing import Storing


class Statements(Struct, frozen=True):
    """The statements of one function, and the outputs that they fill."""

    outputs: Outputs

    @classmethod
    def meeting(cls, program: Program) -> frozenset[str]:
        """The workspaces whose values are set before anything is stored, since it is combined with them."""
        return frozenset()

    @property
    def frame(self) -> Frame:
        """The function being written."""
        return self.outputs.frame

    def with_outputs(self, outputs: Outputs) -> Statements:
        """The same statements, filling other outputs."""
        return Statements(outputs)

    @property
    def storing(self) -> Storing:
        """What their assignments do."""
        return Storing(self.outputs)

    def store_cell(self, leaf: Assign, cell: Cell, path: tuple[Expr, ...], env: Env, out: Writer) -> None:
        """Store what a cell holds at level coordinates of its output."""
        self.storing.store_cell(leaf, cell, path, env, out)

    def write(self, node: Node, env: Env, out: Writer) -> None:
        """Write one part of a plan."""
        env = env.enclose(node.surroundings)
        own = owns_positions(self.frame, env)
        if own is not None:
            alone, met = out.inner(), out.inner()
            self.write(node, replace(env, teams=replace(env.teams, atomic=frozenset())), alone)
            self.write(node, replace(env, teams=replace(env.teams, meets=True)), met)
            out.add(*logic.conditional(own, alone.code, met.code))
            return
        if is_for_one(node.statement, env):
            if not self.append_listed(node, env, out):
                self.write_alone(node, env, out)
            return
        env = mark_values(self.outputs, node, env, self.remains(node, env), out)
        if all(self.is_idle(a, env) for a in assignments(node.statement)):
            return
        match node:
            case LoopPlan():
                self.write_either_way(node, self.begin_loop(node, env, out), out)
            case ParallelPlan(loop=loop):
                self.write(loop, env, out)
            case WherePlan():
                self.where(node, env, out)
            case AssignPlan():
                self.storing.assign(node.statement, env, out)
            case SequencePlan(parts=parts):
                for part in parts:
                    self.write_guarded(part, env, out)
                    out.add(*meet(env.teams.group))

    def write_either_way(self, loop: LoopPlan, env: Env, out: Writer) -> None:
        """A loop, run by run where that is shorter."""
        runs = in_runs(loop)
        if runs is None:
            self.accumulate(loop, env, out)
            return
        long, short = out.inner(), out.inner()
        self.accumulate(runs, env, long)
        self.accumulate(loop, env, short)
        (leaf,) = assignments(loop.statement)
        at_once = visit_at_once(loop, self.outputs[leaf.target.tensor].form, self.frame, long.code)
        out.add(ir.If(has_long_runs(loop, self.frame, env, out), at_once, short.code))

    def accumulate(self, loop: LoopPlan, env: Env, out: Writer) -> None:
        """A loop, with what it reduces into one component kept in a variable."""
        if not Accumulation(self.storing, self.loop, loop, env).write(out):
            self.loop(loop, env, out)

    def append_listed(self, node: Node, env: Env, out: Writer) -> bool:
        """Have a group append together what a loop over a list appends, if the group may. Whether the group does."""
        found, code = find_appended(node, self.outputs, env), out.inner()
        if found is None:
            return False
        inside = replace(self.begin_loop(found.loop, env, code), teams=replace(env.teams, group=None))
        loop = self.write_loop(found.loop, inside, code)
        if loop is None:
            return False
        out.add(*code.body[:-1], *found.share(loop))
        out.taken |= code.taken
        return True

    def write_alone(self, node: Node, env: Env, out: Writer) -> None:
        """What one thread of a group does for all of them."""
        inner = out.inner()
        self.write(node, replace(env, teams=replace(env.teams, group=None)), inner)
        out.add(*logic.conditional(env.teams.stores, inner.code))

    def write_guarded(self, node: Node, env: Env, out: Writer) -> None:
        """A part of a plan, if it has something to do where accesses are missing."""
        under(self.remains(node, env), out, lambda inner: self.write(node, env, inner))

    def remains(self, node: Node, env: Env) -> Expr:
        """Whether a part of a plan has something to do where accesses are missing."""
        return condition(self.frame.facts.planner.remains(node), env.site.flags)

    def is_idle(self, a: Assign, env: Env) -> bool:
        """Whether an assignment stores only a value, for which nobody asks."""
        output = self.outputs.find(a.target.tensor)
        if output is None or not output.held.is_plain or output.name in env.target.marks:
            return False
        return not self.frame.wants(output.name)

    def begin_loop(self, loop: LoopPlan, env: Env, out: Writer) -> Env:
        """The environment that knows how the loop is to run that is the first of those that a loop has become.

        What is said of ranges of positions is checked before it.
        """
        s, first = loop.begins, loop.index
        if s is None:
            return env
        for relation in loop.checks:
            if loop.space.provenance.is_position(relation.bounded):
                check(self.frame, env, relation, out)
        program, around = self.frame.facts.program, env.site.around
        threads, lanes = (team(program, s, around, unit) for unit in ("CPUThread", "CPUVector"))
        repeated = unroll_factor(s)
        teams = env.teams
        if threads is not None:
            teams = replace(teams, threads={**teams.threads, first: threads})
        if lanes is not None:
            teams = replace(teams, vectors={**teams.vectors, first: lanes})
        unit = None if env.teams.alone else team(program, s, around, *UNITS)
        if unit is not None:
            teams = replace(teams, units={**teams.units, first: unit})
        if repeated is not None:
            teams = replace(teams, unrolled={**teams.unrolled, first: repeated})
        return replace(env, teams=teams)

    def loop(self, loop: LoopPlan, env: Env, out: Writer) -> None:
        """A loop, as its schedule wants it run."""
        index, s = loop.index, loop.statement
        tile = self.tile_of(loop, env)
        if tile is not None:
            write_tile(self.frame, tile, env, out, lambda inside, code: self.loop(loop, inside, code))
            return
        unit = env.teams.units.get(index)
        if unit is not None:
            self.run_on_unit(unit, loop, env, out)
            return
        threads = env.teams.threads.get(index)
        if threads is not None:
            region = Region(self, loop, threads, env)
            if region.is_shared:
                region.write(out)
                return
            output = divisible_output(region)
            if output is not None:
                Parts(region, output, out).write(out)
                return
        written = self.write_loop(loop, env, out)
        if written is not None and index in env.teams.vectors:
            vectorise(out, written, env.teams.vectors[index], env.target.cells, self.folds(s))
        elif written is not None and index in env.teams.unrolled:
            unroll(out, written, env.teams.unrolled[index])

    def run_on_unit(self, unit: Team, loop: LoopPlan, env: Env, out: Writer) -> None:
        """Have a unit of a GPU run a loop, if there is one."""
        raise InternalError(f"{loop.index} runs on {unit.tag.unit}, which C does not have")

    def folds(self, s: Forall) -> dict[str, str]:
        """The spellings of the operators by which a loop reduces, by what it reduces into."""
        dtypes, leaves = self.frame.facts.dtypes, assignments(s)
        into = {a.target.tensor: a.operator for a in leaves if a.operator is not None}
        return {name: operator.in_reduction(dtypes[name]).c for name, operator in into.items()}

    def tile_of(self, loop: LoopPlan, env: Env) -> Split | None:
        """The split whose tile a loop counts through in lanes or an unrolled body, if that may be less than whole."""
        index, read = loop.index, reads(loop.statement)
        if index not in env.teams.vectors and index not in env.teams.unrolled:
            return None
        split = env.site.surroundings.counted_tile(index)
        known_ = split is None or split in env.tiling.whole or split in env.tiling.partial
        return split if not known_ and all(self.frame.facts.is_dense(a, index) for a in read) else None

    def write_loop(self, loop: LoopPlan, env: Env, out: Writer) -> ir.For | None:
        """A loop, with what a result needs around the body where the loop gives coordinates of its appended levels.

        Returns the C loop, if there is one that counts the iterations.
        """
        output = self.appended_output(loop.statement)
        if output is not None and self.fills_block(loop, output, env):
            env = Fibers(self.frame, output).open_block(self.frame.dimension(loop.index), env, out)
        visit = Visit(Course(self.frame, loop, env), self.write)
        if output is not None:
            visit.filling = Filling.of(loop, output, self.frame)
        return write_loop(visit, out)

    def fills_block(self, loop: LoopPlan, output: Output, env: Env) -> bool:
        """Whether a loop stores something at every coordinate of an extent, in a block that may not be open yet."""
        s = loop.statement
        if f"{output.name}{output.form.heads[-1]}" not in env.target.blocks or not isinstance(s.body, Assign):
            return False
        if s.body.mask is not None or s.body.target.tensor in env.target.cells:
            return False
        if not loop.space.provenance.is_original(s.index) or loop.space.is_narrowed(s.index):
            return False
        return not loop.strategy.coiterated and not loop.strategy.lattice.sparse

    def appended_output(self, s: Statement) -> Output | None:
        """The output with appended levels that a statement writes, if any."""
        for a in assignments(s):
            output = self.outputs.find(a.target.tensor)
            if output is not None and output.form.heads:
                return output
        return None

    def where(self, node: WherePlan, env: Env, out: Writer) -> None:
        """Clear the workspace, run the producer, then the consumer, or what is left of it if one flag says that the
        workspace got no value."""
        inside, workspace = env.partly(), self.frame.facts.workspaces[node.statement.workspace]
        together = meet(env.teams.group) if workspace.shape else ()
        if not workspace.has_one_flag:
            inside = self.write_producer(node, inside, out)
            out.add(*together, *self.order_list(node, env.teams.group))
            self.write(node.consumer, inside, out)
            out.add(*together)
            return
        write_flagged = self.write_together if workspace.shape else self.write_scalar
        made, inside = write_flagged(node, inside, out)
        out.add(*together)
        present, absent = out.inner(), out.inner()
        self.write(node.consumer, inside, present)
        if node.without is not None:
            self.write_guarded(node.without, env.partly(), absent)
        out.add(*logic.conditional(made, present.code, absent.code), *together)

    def order_list(self, node: WherePlan, group: Group | None) -> Code:
        """Code that sorts the list of a workspace, if there is a list, and a loop may read it in order."""
        store = self.frame.tensors.stores.get(node.statement.workspace)
        if store is None or store.listed is None or self.frame.purpose == "count":
            return ()
        return put_in_order(store.listed, group) if needs_order(node.consumer, store.name) else ()

    def write_scalar(self, node: WherePlan, env: Env, out: Writer) -> tuple[Name, Env]:
        """Fill a workspace of one component: what says that it got a value, and where it stands."""
        name = node.statement.workspace
        leaf = next(a for a in assignments(node.statement.producer) if a.target.tensor == name)
        cell = self.storing.cell(leaf, start(leaf, self.frame), out, flagged=True)
        inside = env.into(name, cell)
        self.write_guarded(node.producer, inside, out)
        assert cell.present is not None
        return cell.present, inside

    def write_together(self, node: WherePlan, env: Env, out: Writer) -> tuple[Name, Env]:
        """Fill a workspace of which all components get values together: what says that they did."""
        name = node.statement.workspace
        when = clearing(node.statement.producer, self.frame.facts.provenance)
        mark = Mark(out.declare("bool", f"{name}_made", ir.FALSE), when == "at the mark")

        def write(inner: Writer) -> None:
            if when == "before":
                clear(self.outputs[name].held, env.teams.group, inner)
            self.write(node.producer, env.mark({**env.target.marks, name: mark}), inner)

        under(self.remains(node.producer, env), out, write)
        return mark.made, env

    def write_producer(self, node: WherePlan, env: Env, out: Writer) -> Env:
        """Fill a workspace, unless its producer has nothing to do: then the environment says that it is missing."""
        workspace, remains = node.statement.workspace, self.remains(node.producer, env)
        if remains == ir.TRUE:
            self.clear_and_fill(node, env, out)
            return env
        made, inner = out.declare("const bool", f"{workspace}_made", remains), out.inner()
        self.clear_and_fill(node, env, inner)
        out.add(*logic.conditional(made, inner.code))
        return env.flag({**env.site.flags, **dict.fromkeys(node.reads, made)})

    def clear_and_fill(self, node: WherePlan, env: Env, out: Writer) -> None:
        """Fill a workspace that is cleared before, unless each of its components is assigned to."""
        workspace = self.frame.facts.workspaces[node.statement.workspace]
        if workspace.flags is Flags.EACH:
            clear(self.outputs[workspace.name].held, env.teams.group, out)
        self.write(node.producer, env, out)
