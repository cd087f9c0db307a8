"""Counting: results that threads append to, in two phases (Chou 2018, Table 3; Senanayake 2020 leaves them open).

First every iteration of the parallel loop counts what it is going to append, with workspaces of its own and without
values. A prefix sum turns the counts into the positions at which each iteration begins, and says how much room the
result needs. Then every iteration fills its part:

    for (i …) { int64_t pC2_own = 0; … C2_first[i + 1] = pC2_own; }
    for (n …) C2_first[n + 1] += C2_first[n];
    for (i …) { int64_t pC2_own = C2_first[i]; … C2_crd[pC2_own] = j; C_vals[pC2_own] = …; pC2_own += 1; … }

Positions do not depend on which thread runs an iteration, so neither does the result. Whether a loop is written so is
decided before anything of it is.
"""

from __future__ import annotations

from dataclasses import replace

from ...reference.errors import InternalError
from ...reference.levels.level import Insert
from ...reference.loops.plan import AssignPlan, LoopPlan, Node, ParallelPlan, SequencePlan, WherePlan
from ...reference.statement.exactness import partitions
from ...reference.statement.statement import assignments
from ..assembly.output import Output, Reserved, Tally
from ..ir import ir
from ..ir.ir import INT, Element, Expr, Name, Spelled
from ..ir.writer import Writer
from ..loops.course import Course
from ..scope.env import Env
from .region import Region


def divisible_output(region: Region) -> Output | None:
    """The result of which every iteration of a loop appends a part of its own; None if there is none.

    Nothing else may be written, and no part of a fiber that another iteration goes on with, or this one later: what has
    only been counted cannot be read back. The parts follow one another if the loop is over the next coordinate of the
    result, or tiles of it.
    """
    env, frame, index = region.env, region.frame, region.loop.index
    name, *others = region.owned.targets
    output = region.emitter.outputs.find(name)
    if others or output is None or not output.form.heads or name in env.target.cells:
        return None
    if frame.routine.is_parallel or region.team.racing or env.target.pieces or finds(output) or shares(env, output):
        return None
    depth = env.site.surroundings.known_depth(output.form.target)
    if depth > output.form.last_append:
        return None
    variable = output.form.target.levels[depth]
    graph = frame.facts.provenance
    tiles = variable in graph.originals(index) and partitions(graph, variable, (*env.site.around, index))
    if not (index == variable or tiles) or breaks(region.loop, name):
        return None
    return output if Course(frame, region.loop, env).counts else None


def finds(output: Output) -> bool:
    """Whether some level of a result must be searched for what is there, so that iterations would meet."""
    return any(isinstance(level, Insert) and output.held.keeps(k) for k, level in enumerate(output.levels))


def shares(env: Env, output: Output) -> bool:
    """Whether a block of a result around the loop is still to be opened: by whichever iteration stores in it first."""
    keys = (f"{output.name}{h}" for h in output.form.heads)
    return any(key in env.target.blocks and key not in env.target.open for key in keys)


def breaks(node: Node, name: str) -> bool:
    """Whether a plan appends fibers of a result in pieces: in a loop over parts of tiles that overlap others."""
    match node:
        case LoopPlan(index=index, space=space, statement=statement):
            if space.overlaps(index):
                return any(a.target.tensor == name for a in assignments(statement))
            return breaks(node.body, name)
        case ParallelPlan(loop=loop):
            return breaks(loop, name)
        case WherePlan(consumer=consumer, producer=producer):
            return breaks(producer, name) or breaks(consumer, name)
        case SequencePlan(parts=parts):
            return any(breaks(each, name) for each in parts)
        case AssignPlan():
            return False


class Phases:
    """The two phases of a result. `first` says how much each iteration appends to every head, one place further on."""

    def __init__(self, region: Region, output: Output) -> None:
        self.region, self.output, self.frame = region, output, region.frame
        self.first: dict[int, Name] = {}
        self.own: dict[int, Name] = {}
        self.pays: Name | None = None

    def write(self, out: Writer) -> None:
        """Write both phases."""
        frame, scope, held = self.frame, out.inner(), self.output.held
        self.declare(scope)
        own = replace(held, counters=self.own)
        counted_only = replace(own, form=replace(held.form, fresh=True))
        tally = Tally(replace(frame, purpose="count"), counted_only, self.output.widenings)
        counting = Counting(self, tally, scope)
        counted = counting.write(scope)
        self.make_room(counting.count, scope)
        filled = Filling(self, Reserved(frame, own, self.output.widenings)).write(scope)
        if not (counted and filled):
            raise InternalError(f"the loop over {self.region.loop.index} does not count its iterations")
        for h, first in self.first.items():
            scope.add(ir.Assign(held.counters[h], Element(first, counting.count), "+="))
        out.add(ir.Region(None, scope.code))

    def declare(self, out: Writer) -> None:
        """Declare the counts of the iterations, and name those of one iteration."""
        for h in self.output.form.heads:
            stem = f"{self.output.name}{h + 1}"
            self.first[h] = self.frame.routine.region.declare(f"{INT} *", f"{stem}_first", Spelled("NULL"))
            self.own[h] = Name(out.fresh(f"p{stem}_own"), True)

    def allocate(self, count: Expr, out: Writer) -> None:
        """Allocate the counts of that many iterations, in place of those of an earlier run of the loop."""
        for first in self.first.values():
            out.add(ir.Do(ir.Call("free", (first,))))
            sizes = (ir.add(count, ir.ONE), Spelled(f"sizeof({INT})"), Spelled("&status"))
            out.add(ir.Assign(first, ir.Call("gn_zeros", sizes)))
            self.frame.routine.frees.append(first.name)
        self.frame.routine.check(out)

    def make_room(self, count: Expr, out: Writer) -> None:
        """Sum up the counts, and make room for as much."""
        for h, first in self.first.items():
            n = Name(out.inner().fresh("n"), True)
            step = ir.Assign(Element(first, ir.add(n, ir.ONE)), Element(first, n), "+=")
            out.add(ir.For(n.name, ir.ZERO, count, (step,)))
            self.output.ensure(h, Element(first, count), out)


class Phase(Region):
    """A parallel region that writes one phase of a result."""

    def __init__(self, phases: Phases, seen: Output) -> None:
        whole = phases.region
        outputs = replace(whole.emitter.outputs.replace_outputs(seen), frame=seen.frame)
        super().__init__(whole.emitter.with_outputs(outputs), whole.loop, whole.team, whole.env)
        self.phases = phases

    def when(self, out: Writer) -> Name:
        """What both phases ask once."""
        if self.phases.pays is None:
            self.phases.pays = super().when(out)
        return self.phases.pays


class Counting(Phase):
    """The first phase. How many iterations there are is found before it."""

    def __init__(self, phases: Phases, seen: Output, scope: Writer) -> None:
        super().__init__(phases, seen)
        self.scope = scope
        self.count: Expr = ir.ZERO

    def limits(self, loop: ir.For, main: Writer) -> tuple[Expr, Expr]:
        self.scope.add(*main.body)
        self.scope.taken |= main.taken
        main.body.clear()
        begin, end = super().limits(loop, self.scope)
        several = ir.sub(end, begin) if begin == ir.ZERO else ir.larger(ir.sub(end, begin), ir.ZERO)
        self.count = self.scope.hold(f"{self.loop.index}_count", several)
        self.phases.allocate(self.count, self.scope)
        return begin, end

    def iteration(self, number: Expr, body: ir.Code) -> ir.Code:
        starts = [ir.Declare(INT, own.name, ir.ZERO) for own in self.phases.own.values()]
        place = ir.add(number, ir.ONE)
        ends = [ir.Assign(Element(first, place), self.phases.own[h]) for h, first in self.phases.first.items()]
        return (*starts, *body, *ends)


class Filling(Phase):
    """The second phase."""

    def iteration(self, number: Expr, body: ir.Code) -> ir.Code:
        phases, starts = self.phases, []
        for h, own in phases.own.items():
            begin = ir.add(phases.output.held.counters[h], Element(phases.first[h], number))
            starts.append(ir.Declare(INT, own.name, begin))
        return (*starts, *body)
