"""Parallel loops in C: OpenMP regions, vector lanes and unrolled bodies (Senanayake 2020, section 4, parallelize).

Before: `for (…) { y_vals[i] = …; }`. After, for a loop over `CPUThread`:

    const bool i_pays = gn_pays(…);
    #pragma omp parallel reduction(max : status) if (i_pays)
    {
        status = GN_OK;
        … workspaces and scratch lists of this thread …
        #pragma omp for schedule(…)
        for (…) { … }
        … what this thread has reduced, combined with what is there; its memory freed …
    }

A loop that no team can share out, because it merges step by step or inserts what others search for, runs as it is;
results that are appended to take two such regions (`counting.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ...reference.loops.strategy import known
from ...reference.schedule.races import races, shared
from ...reference.statement.statement import Assign, Forall, Program, Statement, Where
from ...reference.statement.tags import Parallel, Unroll
from ..ir import ir
from ..ir.ir import Declare, Expr, Name, Spelled
from ..ir.simplify import is_pure
from ..ir.writer import Writer
from ..loops.frame import Cell, Env, Frame
from ..loops.spaces import Spaces
from ..storage.positions import At
from .work import pays

if TYPE_CHECKING:
    from ..assembly.outputs import Output
    from ..loops.statements import Statements

FEWEST = 4
PRIVATE = ("Temporary", "ParallelReduction")
REDUCTIONS = {f"{{0}} {sign} {{1}}": sign for sign in ("+", "*")}


@dataclass(frozen=True)
class Team:
    """How a loop over a variable runs: its tag, and the tensors of which several iterations write one component."""

    variable: str
    tag: Parallel
    racing: frozenset[str]


def team(program: Program, s: Forall, bound: tuple[str, ...], unit: str) -> Team | None:
    """The team of a loop on a unit; None if it has none."""
    for tag in s.tags:
        if isinstance(tag, Parallel) and tag.unit == unit:
            return Team(s.index, tag, frozenset(race.leaf.target.tensor for race in races(program, s, bound)))
    return None


def unrolling(s: Forall) -> int | None:
    """How often the body of a loop is to be repeated a round."""
    return next((tag.factor for tag in s.tags if isinstance(tag, Unroll)), None)


def threaded(program: Program) -> frozenset[str]:
    """The workspaces that loops on threads hold inside: each thread has its own."""
    return frozenset(held(program.statement, inside=False))


def held(s: Statement, *, inside: bool) -> Iterator[str]:
    """The workspaces of a statement inside loops on threads, or all of them."""
    match s:
        case Forall(body=body, tags=tags):
            own = any(isinstance(tag, Parallel) and tag.unit == "CPUThread" for tag in tags)
            yield from held(body, inside=inside or own)
        case Where(consumer=consumer, producer=producer, workspace=workspace):
            if inside:
                yield workspace
            yield from held(producer, inside=inside)
            yield from held(consumer, inside=inside)
        case Assign():
            return
        case _:
            for each in s.statements:
                yield from held(each, inside=inside)


class Region:
    """One parallel region being written."""

    def __init__(self, statements: Statements, s: Forall, team: Team, env: Env) -> None:
        self.statements, self.s, self.team, self.env = statements, s, team, env
        self.frame = statements.frame
        self.targets = {leaf.target.tensor: leaf for leaf in shared(s)}

    @property
    def is_shared(self) -> bool:
        """Whether threads can fill everything that the loop writes side by side."""
        for name in self.targets:
            cell = self.env.cells.get(name)
            if cell is not None and cell.block:
                return False
            if cell is None and not self.statements.outputs[name].is_plain:
                return False
        return not self.frame.is_parallel

    def write(self, out: Writer) -> bool:
        """Write the region. Whether threads share out its loop."""
        frame, block = self.frame, out.inner()
        label = frame.root.fresh(f"next_{self.s.index}")
        outer = frame.enter(block, frame.root.fresh(f"ready_{self.s.index}"))
        ready = frame.exit
        setup, main, end = block.inner(), block.inner(), block.inner()
        statements = self.private(setup)
        frame.exit = label
        env = self.combining(statements, block, setup, end)
        loop = statements.filled(self.s, env, main)
        frees = [ir.Do(ir.Call("free", (Spelled(name),))) for name in frame.frees]
        frame.leave(outer)
        body: list[ir.Stmt] = [*block.body, *setup.code]
        pragma, fails = "omp parallel", frame.fallible
        if fails:
            body.insert(0, ir.Assign(Name("status"), Spelled("GN_OK")))
            pragma = "omp parallel reduction(max : status)"
        body += [ir.Label(ready)] if jumps(tuple(body), ready) else []
        if loop is not None:
            self.share_out(loop, main, label if fails else None)
        elif jumps(main.code, label):
            main.add(ir.Label(label))
        region = (*body, *main.code, *end.code, *frees)
        out.add(ir.Region(None, region) if loop is None else ir.Region(pragma, region, self.when(out)))
        if fails:
            frame.check(out)
        return loop is not None

    def when(self, out: Writer) -> Name:
        """Whether there is enough to do for a team."""
        return pays(self.frame, self.s, self.env, out)

    def share_out(self, loop: ir.For, main: Writer, label: str | None) -> None:
        """Make the loop that was written last the team's. Iterations that fail go to the label."""
        main.body.pop()
        begin, end = self.limits(loop, main)
        body = self.iteration(ir.sub(Name(loop.name, True), begin), loop.body)
        if label is not None:
            last = (ir.Label(label),) if jumps(body, label) else ()
            body = (ir.If(Spelled("status == GN_OK"), (*body, *last)),)
        main.add(ir.For(loop.name, begin, end, body, f"omp for schedule({self.frame.sharing})"))

    def limits(self, loop: ir.For, main: Writer) -> tuple[Expr, Expr]:
        """The first iteration, and the one after the last."""
        return main.held(f"{self.s.index}_begin", loop.begin), main.held(f"{self.s.index}_end", loop.end)

    def iteration(self, number: Expr, body: ir.Code) -> ir.Code:
        """What an iteration does, counted from 0."""
        return body

    def private(self, setup: Writer) -> Statements:
        """What writes the region: with workspaces of its own."""
        statements = copy(self.statements)
        statements.outputs = dict(statements.outputs)
        for name in held(self.s, inside=True):
            if self.frame.workspaces[name].shape:
                output = statements.make(name)
                output.declare()
                output.allocate(setup)
                statements.outputs[name] = output
        return statements

    def combining(self, statements: Statements, block: Writer, setup: Writer, end: Writer) -> Env:
        """The environment inside: cells, temporaries and atomic updates for what several iterations write."""
        env, merged = replace(self.env, teams={}), end.inner()
        env = env.partly() if self.team.racing else env
        cells, atomic = dict(env.cells), set(env.atomic)
        for name, leaf in self.targets.items():
            if name in cells:
                cells[name] = self.own_cell(name, leaf, block, merged)
            elif name in self.team.racing and self.team.tag.races in PRIVATE:
                statements.outputs[name] = self.temporary(name, leaf, block, setup, merged)
            elif name in self.team.racing and self.team.tag.races != "IgnoreRaces":
                atomic.add(name)
        if merged.body:
            end.add(ir.Region("omp critical", merged.code))
        return replace(env, cells=cells, atomic=frozenset(atomic), shared=self.team.variable)

    def own_cell(self, name: str, leaf: Assign, block: Writer, merged: Writer) -> Cell:
        """A thread's own accumulator, which is combined with the common one in the end."""
        common = self.env.cells[name]
        start = self.statements.start(leaf)
        own = Cell(
            block.declare(self.frame.types[name], f"t{name}_own", start),
            None if common.present is None else block.declare("bool", f"t{name}_own_present", ir.FALSE),
        )
        merged.add(*self.statements.joined(common.value, own.value, leaf))
        if own.present is not None and common.present is not None:
            merged.add(ir.Assign(common.present, ir.either(common.present, own.present)))
        return own

    def temporary(self, name: str, leaf: Assign, block: Writer, setup: Writer, merged: Writer) -> Output:
        """A thread's own values of a plain result, which are combined with the common ones in the end."""
        output = self.statements.outputs[name]
        kind = output.store.type
        size = setup.held(f"{name}_size", output.positions(setup))
        own = copy(output)
        call = ir.Call("gn_zeros", (size, Spelled(f"sizeof({kind})"), Spelled("&status")))
        own.vals = block.declare(f"{kind} *restrict", f"{name}_own", None)
        own.covered = False
        setup.add(ir.Assign(own.vals, call))
        self.frame.frees.append(own.vals.name)
        self.frame.fallible = True
        p = Name(setup.inner().fresh("p"), True)
        start = self.statements.start(leaf)
        fill = ir.For(p.name, ir.ZERO, size, (ir.Assign(ir.Element(own.vals, p), start),))
        setup.add(*ir.conditional(Spelled("status == GN_OK"), (fill,)))
        place, value = ir.Element(output.vals, p), ir.Element(own.vals, p)
        loop = ir.For(p.name, ir.ZERO, size, self.statements.joined(place, value, leaf))
        merged.add(*ir.conditional(Spelled("status == GN_OK"), (loop,)))
        return own


def owned(frame: Frame, env: Env) -> Expr | None:
    """Whether all that is stored below here lies in this tile of positions, so that no other thread writes there.

    None where that is not to be asked: nothing is updated by several threads, tiles are not what they share, or the
    coordinates that are known do not determine what is updated.
    """
    if not env.atomic or env.meets:
        return None
    for relation, places in env.counted.items():
        access, bounds = relation.access, frame.stores[relation.access.tensor].bounds
        depth = known(access, env.bound, frame.provenance)
        row, parents = set(access.levels[:depth]), env.positions.get(access, ())
        if not relation.first < depth < relation.last or len(parents) <= depth:
            continue
        spaces = Spaces(frame, env)
        tiled = relation.position in frame.derivations.lineage(env.shared)
        if not tiled or not spaces.is_exact(relation.position):
            continue
        unique = all(bound.level.unique for bound in bounds[:depth]) and isinstance(parents[depth], At)
        if unique and all(row <= set(frame.targets[name].indices) for name in env.atomic):
            return spaces.lies_inside(relation, depth, places[-1])
    return None


def vectorised(out: Writer, loop: ir.For, team: Team, cells: Mapping[str, Cell], leaves: Mapping[str, Assign]) -> None:
    """Let lanes share the loop that was written last, if it is one that they can.

    Lanes reduce by operators that C writes as OpenMP does; its `min` and `max` would lose NaN. Whether anything is
    present is told before the loop: it is, if the loop runs at all. Lanes do not share what reports a status, as do
    integers that may overflow.
    """
    if not all(is_computed(s) for s in loop.body) or is_short(loop):
        return
    clauses, flags = "", []
    for name in sorted(team.racing):
        operator, cell = leaves[name].operator, cells.get(name)
        sign = None if operator is None else REDUCTIONS.get(operator.c)
        if cell is None or cell.block or sign is None:
            return
        clauses += f" reduction({sign} : {cell.value.name})"
        if cell.present is not None and ir.Assign(cell.present, ir.TRUE) in loop.body:
            flags.append(cell.present)
    out.body.pop()
    end = out.held(f"{loop.name}_end", loop.end)
    for flag in flags:
        out.add(ir.Assign(flag, ir.either(flag, ir.compare("<", loop.begin, end))))
    body = tuple(s for s in loop.body if s not in [ir.Assign(flag, ir.TRUE) for flag in flags])
    out.add(ir.For(loop.name, loop.begin, end, body, f"omp simd{clauses}"))


def is_short(loop: ir.For) -> bool:
    """Whether a loop has too few iterations for lanes, so that compilers write them out one after another."""
    return isinstance(loop.end, ir.Int) and loop.begin == ir.ZERO and loop.end.value < FEWEST


def is_computed(s: ir.Stmt) -> bool:
    """Whether a statement stores a value that is only computed."""
    match s:
        case Declare(value=value):
            return value is None or is_pure(value)
        case ir.Assign(value=value):
            return is_pure(value)
        case _:
            return isinstance(s, ir.Comment)


def unrolled(out: Writer, loop: ir.For, factor: int) -> None:
    """Ask for a repeated body of the loop that was written last."""
    if factor > 1:
        out.body[-1] = replace(loop, pragma=f"GCC unroll {min(factor, 65534)}")


def jumps(code: ir.Code, label: str) -> bool:
    """Whether code leaves for a label."""
    for s in code:
        match s:
            case ir.Jump(label=found):
                if found == label:
                    return True
            case ir.If(then=then, orelse=orelse):
                if jumps(then + orelse, label):
                    return True
            case ir.While(body=body) | ir.For(body=body) | ir.Region(body=body):
                if jumps(body, label):
                    return True
            case _:
                pass
    return False
