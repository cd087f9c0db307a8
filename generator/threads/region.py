"""Parallel regions: loops that a team of threads shares out in OpenMP (Senanayake 2020, section 4, parallelize).

Before: `for (…) { y_vals[i] = …; }`. After:

    const bool i_pays = gn_pays(…);
    #pragma omp parallel reduction(max : status) if (i_pays)
    {
        status = GN_OK;
        … workspaces and scratch lists of this thread …
        #pragma omp for schedule(…)
        for (…) { … }
        … what this thread has reduced, combined with what is there; its memory freed …
    }

A loop that no team can share out, because it merges step by step or inserts what others search for, runs as it is.
Where results are appended to, threads first append to arrays of their own (`parts.py`).
"""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from ...reference.loops.plan import LoopPlan, Node
from ...reference.statement.exactness import is_exact
from ...reference.statement.statement import Assign, Program
from ..assembly.growth import allocate
from ..assembly.output import Output
from ..assembly.outputs import Outputs
from ..ir import ir, logic, traversal
from ..ir.emission import text_of
from ..ir.ir import Expr, Name, Spelled
from ..ir.writer import Writer
from ..scope.env import Env
from ..scope.frame import Frame
from ..scope.places import lies_inside
from ..scope.target import Cell
from ..scope.team import Team
from ..storage.positions import At
from ..values.combining import combine_partial, start
from .ownership import ownership, workspaces_inside
from .work import pays


def thread_workspaces(program: Program) -> frozenset[str]:
    """The workspaces inside loops on threads, of which each thread has its own."""
    return frozenset(workspaces_inside(program.statement, inside=False))


class Emitter(Protocol):
    """What writes the loop of a region, and fills outputs in it."""

    @property
    def outputs(self) -> Outputs:
        """The outputs that are filled."""

    def with_outputs(self, outputs: Outputs) -> Emitter:
        """The same, filling other outputs."""

    def write(self, node: Node, env: Env, out: Writer) -> None:
        """Write a part of a plan."""

    def write_loop(self, loop: LoopPlan, env: Env, out: Writer) -> ir.For | None:
        """Write a loop. What was written last, if that counts the iterations of this loop."""

    def store_cell(self, leaf: Assign, cell: Cell, path: tuple[Expr, ...], env: Env, out: Writer) -> None:
        """Store what a cell holds at level coordinates of its output."""


class Round(Struct, frozen=True):
    """The loop of a region: what was written last in some code, if a team can share it out. Iterations that fail go to
    a label."""

    loop: ir.For | None
    code: Writer
    label: str


class Region:
    """One parallel region being written."""

    def __init__(self, emitter: Emitter, loop: LoopPlan, team: Team, env: Env) -> None:
        self.emitter, self.loop, self.team, self.env = emitter, loop, team, env
        self.frame = emitter.outputs.frame
        self.owned = ownership(loop, team, env)

    @property
    def is_shared(self) -> bool:
        """Whether threads can fill everything that the loop writes side by side."""
        for name in self.owned.targets:
            cell = self.env.target.cells.get(name)
            if cell is not None and cell.block:
                return False
            if cell is None and not self.emitter.outputs[name].held.is_plain:
                return False
        return not self.frame.routine.is_parallel

    def write(self, out: Writer) -> None:
        """Write the region."""
        frame, block = self.frame, out.inner()
        outer = frame.routine.enter(block, frame.routine.root.fresh(f"ready_{self.loop.index}"))
        ready, setup, end = frame.routine.exit, block.inner(), block.inner()
        outputs = self.private(setup)
        env, outputs = self.combine_targets(outputs, block, setup, end)
        round = self.prepare(outputs, env, block)
        frees = frame.routine.releases()
        frame.routine.leave(outer)
        is_shared = self.share_out(round, out)
        body: list[ir.Stmt] = [*block.body, *setup.code]
        pragma, fails = "omp parallel", frame.routine.fallible
        if fails:
            body.insert(0, ir.Assign(ir.STATUS, ir.OK))
            pragma = "omp parallel reduction(max : status)"
        body += [ir.Label(ready)] if jumps(tuple(body), ready) else []
        region = (*body, *round.code.body, *end.code, *frees)
        if fails:
            frame.routine.check(out)
        out.add(ir.Region(pragma, region, self.when(out)) if is_shared else ir.Region(None, region))
        if fails:
            frame.routine.check(out)

    def when(self, out: Writer) -> Name:
        """Whether there is enough to do for a team, and room."""
        return pays(self.frame, self.loop.statement, self.owned.workspaces, self.env, out)

    def prepare(self, outputs: Outputs, env: Env, block: Writer) -> Round:
        """The loop, filling some outputs."""
        routine, code = self.frame.routine, block.inner()
        routine.exit = routine.root.fresh(f"next_{self.loop.index}")
        return Round(self.emitter.with_outputs(outputs).write_loop(self.loop, env, code), code, routine.exit)

    def share_out(self, round: Round, out: Writer) -> bool:
        """Make the loop that has been written the team's. Whether it is."""
        if round.loop is not None:
            round.code.take_back(round.loop)
            begin, end = self.limits(round.loop, round.code)
            self.share(round, begin, end, self.guard(round.loop.body, round.label))
        elif jumps(round.code.code, round.label):
            round.code.add(ir.Label(round.label))
        return round.loop is not None

    def limits(self, loop: ir.For, out: Writer) -> tuple[Expr, Expr]:
        """The first iteration, and the one after the last."""
        return out.hold(f"{self.loop.index}_begin", loop.begin), out.hold(f"{self.loop.index}_end", loop.end)

    def share(self, round: Round, begin: Expr, end: Expr, body: ir.Code) -> None:
        """Write the loop of a round as one that a team shares out."""
        assert round.loop is not None
        sharing = self.frame.sharing.replace("gn_chunk", text_of(ir.Call("gn_chunk", (begin, end))))
        pragma = f"omp for schedule({sharing})"
        round.code.add(replace(round.loop, begin=begin, end=end, body=body, pragma=pragma))

    def guard(self, body: ir.Code, label: str) -> ir.Code:
        """What an iteration does, unless its thread has failed."""
        if not self.frame.routine.fallible:
            return body
        last = (ir.Label(label),) if jumps(body, label) else ()
        return (ir.If(ir.SUCCEEDS, (*body, *last)),)

    def private(self, setup: Writer) -> Outputs:
        """The outputs of a thread: with workspaces of its own."""
        outputs = self.emitter.outputs.replace_outputs()
        for name in self.owned.workspaces:
            if self.frame.facts.workspaces[name].shape:
                own = outputs.make(name, self.frame)
                allocate(own.held, self.frame, setup)
                outputs = outputs.replace_outputs(own)
        return outputs

    def combine_targets(self, outputs: Outputs, block: Writer, setup: Writer, end: Writer) -> tuple[Env, Outputs]:
        """The environment and outputs inside: cells, temporaries, atomic updates for what several iterations write."""
        env, owned, merged = replace(self.env, teams=replace(self.env.teams, threads={})), self.owned, end.inner()
        env = env.partly() if self.team.racing else env
        cells = dict(env.target.cells)
        for name in owned.cells:
            cells[name] = self.own_cell(name, owned.targets[name], block, merged)
        for name in owned.temporaries:
            outputs = outputs.replace_outputs(self.temporary(name, owned.targets[name], block, setup, merged))
        if merged.body:
            end.add(ir.Region("omp critical", merged.code))
        teams = replace(env.teams, atomic=env.teams.atomic | owned.atomic, shared=(*env.teams.shared, self.team))
        return replace(env, target=replace(env.target, cells=cells), teams=teams), outputs

    def own_cell(self, name: str, leaf: Assign, block: Writer, merged: Writer) -> Cell:
        """A thread's own accumulator, which is combined with the common one in the end."""
        common = self.env.target.cells[name]
        own = Cell(
            block.declare(self.frame.facts.types[name], f"t{name}_own", start(leaf, self.frame)),
            None if common.present is None else block.declare("bool", f"t{name}_own_present", ir.FALSE),
        )
        merged.add(*combine_partial(common.value, own.value, leaf, self.frame))
        if own.present is not None and common.present is not None:
            merged.add(ir.Assign(common.present, logic.either(common.present, own.present)))
        return own

    def temporary(self, name: str, leaf: Assign, block: Writer, setup: Writer, merged: Writer) -> Output:
        """A thread's own values of a plain result, which are combined with the common ones in the end."""
        output = self.emitter.outputs[name]
        kind = output.held.store.type
        size = setup.hold(f"{name}_size", output.held.positions(setup))
        call = ir.Call("gn_zeros", (size, Spelled(f"sizeof({kind})"), ir.STATUS_ADDRESS))
        vals = block.declare(f"{kind} *restrict", f"{name}_own", None)
        setup.add(ir.Assign(vals, call))
        self.frame.routine.frees.append(vals.name)
        self.frame.routine.fallible = True
        p = Name(setup.inner().fresh("p"), True)
        fill = ir.For(p.name, ir.ZERO, size, (ir.Assign(ir.Element(vals, p), start(leaf, self.frame)),))
        setup.add(*logic.conditional(ir.SUCCEEDS, (fill,)))
        place, value = ir.Element(output.held.vals, p), ir.Element(vals, p)
        loop = ir.For(p.name, ir.ZERO, size, combine_partial(place, value, leaf, self.frame))
        merged.add(*logic.conditional(ir.SUCCEEDS, (loop,)))
        return replace(output, held=replace(output.held, vals=vals))


def owns_positions(frame: Frame, env: Env) -> Expr | None:
    """Whether all that is stored below here lies in this tile of positions, so that no other thread writes there.

    None where that is not to be asked: nothing is updated by several threads, tiles are not what they share, or the
    coordinates that are known do not determine what is updated.
    """
    if not env.teams.atomic or env.teams.meets:
        return None
    teams = [team for team in env.teams.shared if team.racing & env.teams.atomic or team is env.teams.shared[-1]]
    for relation, places in env.tiling.counted.items():
        access, bounds = relation.access, frame.tensors.stores[relation.access.tensor].bounds
        depth = env.site.surroundings.known_depth(access)
        row, parents = set(access.levels[:depth]), env.site.positions.get(access, ())
        if not relation.first < depth < relation.last or len(parents) <= depth:
            continue
        graph, around = frame.facts.provenance, env.site.around
        tiled = all(relation.position in graph.lineage(team.variable) for team in teams)
        if not tiled or not is_exact(graph, relation.position, around, env.tiling.narrowed):
            continue
        unique = all(bound.level.unique for bound in bounds[:depth]) and isinstance(parents[depth], At)
        if unique and all(row <= set(frame.facts.targets[name].indices) for name in env.teams.atomic):
            return lies_inside(relation, depth, places[-1], frame, env)
    return None


def jumps(code: ir.Code, label: str) -> bool:
    """Whether code leaves for a label."""
    return any(isinstance(s, ir.Jump) and s.label == label for s in traversal.statements(code))
