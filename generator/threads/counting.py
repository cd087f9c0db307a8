"""Counting: results that threads append to, in two phases (Chou 2018, Table 3; Senanayake 2020 leaves them open).

First every iteration of the parallel loop counts what it is going to append, without values. A prefix sum turns the
counts into the positions at which each iteration begins, and says how much room the result needs. Then every iteration
fills its part. All that is one region, so that threads keep their workspaces from the first phase to the second:

    #pragma omp for
    for (i …) { int64_t pC2_own = 0; … C2_first[i + 1] = pC2_own; }
    #pragma omp single
    { for (n …) C2_first[n + 1] += C2_first[n]; … }
    #pragma omp for
    for (i …) { int64_t pC2_own = C2_first[i]; … C2_crd[pC2_own] = j; C_vals[pC2_own] = …; pC2_own += 1; … }

An iteration that fails says so, for then nothing may be filled: its part has no room.

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
from ..assembly.outputs import Outputs
from ..assembly.variables import Variables
from ..ir import ir, logic
from ..ir.ir import INT, Element, Expr, Name, Spelled
from ..ir.writer import Writer
from ..loops.course import Course
from ..scope.env import Env
from .region import Region, Round, jumps

STATUS, OK = Name("status"), Spelled("GN_OK")


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


class Phases(Region):
    """The region of both phases. `first` says how much each iteration appends to every head, one place further on."""

    def __init__(self, region: Region, output: Output, out: Writer) -> None:
        super().__init__(region.emitter, region.loop, region.team, region.env)
        self.output, self.around = output, out.inner()
        self.first: dict[int, Name] = {}
        self.own: dict[int, Name] = {}
        for h in output.form.heads:
            stem = f"{output.name}{h + 1}"
            self.first[h] = self.frame.routine.region.declare(f"{INT} *", f"{stem}_first", Spelled("NULL"))
            self.own[h] = Name(self.around.fresh(f"p{stem}_own"), True)
        self.failed = self.around.declare("int", f"{output.name}_status", OK)

    def write(self, out: Writer) -> None:
        """Write both phases, and what comes before and after them."""
        super().write(self.around)
        for h, first in self.first.items():
            self.around.add(ir.Assign(self.output.held.counters[h], Element(first, self.count), "+="))
        out.add(ir.Region(None, self.around.code))

    def rounds(self, outputs: Outputs, env: Env, block: Writer) -> tuple[Round, ...]:
        held = replace(self.output.held, counters=self.own)
        counting = self.round(self.for_counting(outputs, held), env, block)
        self.begin, self.end = self.hoist(counting)
        reserved = Reserved(self.frame, held, self.output.widenings)
        return counting, self.round(outputs.replace_outputs(reserved), env, block)

    def for_counting(self, outputs: Outputs, held: Variables) -> Outputs:
        """The outputs while the result is counted, when nobody asks for values but those that decide."""
        frame = replace(self.frame, purpose="count")
        tally = Tally(frame, replace(held, form=replace(held.form, fresh=True)), self.output.widenings)
        return replace(outputs.replace_outputs(tally), frame=frame)

    def hoist(self, counting: Round) -> tuple[Expr, Expr]:
        """Find how many iterations there are before the region; the first of them, and the one after the last."""
        loop = counting.loop
        if loop is None:
            raise InternalError(f"the loop over {self.loop.index} does not count its iterations")
        counting.code.body.pop()
        self.around.add(*counting.code.body)
        self.around.taken |= counting.code.taken
        counting.code.body.clear()
        begin, end = self.limits(loop, self.around)
        several = ir.sub(end, begin) if begin == ir.ZERO else ir.larger(ir.sub(end, begin), ir.ZERO)
        self.count = self.around.hold(f"{self.loop.index}_count", several)
        return begin, end

    def share_out(self, rounds: tuple[Round, ...], out: Writer) -> bool:
        counting, filling = rounds
        self.allocate(out)
        self.share_counting(counting)
        self.make_room(counting.code)
        self.share_filling(filling)
        return True

    def allocate(self, out: Writer) -> None:
        """Allocate the counts of the iterations, in place of those of an earlier run of the loop."""
        for first in self.first.values():
            out.add(ir.Do(ir.Call("free", (first,))))
            sizes = (ir.add(self.count, ir.ONE), Spelled(f"sizeof({INT})"), Spelled("&status"))
            out.add(ir.Assign(first, ir.Call("gn_zeros", sizes)))
            self.frame.routine.frees.append(first.name)
        self.frame.routine.check(out)

    def share_counting(self, counting: Round) -> None:
        """Let the team count, and say so if an iteration fails."""
        assert counting.loop is not None
        place = ir.add(ir.sub(Name(counting.loop.name, True), self.begin), ir.ONE)
        starts = [ir.Declare(INT, own.name, ir.ZERO) for own in self.own.values()]
        ends = [ir.Assign(Element(first, place), self.own[h]) for h, first in self.first.items()]
        body = self.guard((*starts, *counting.loop.body, *ends), counting.label)
        told = ir.Region("omp critical", (ir.Assign(self.failed, STATUS),))
        self.share(counting, self.begin, self.end, (*body, ir.If(logic.compare("!=", STATUS, OK), (told,))))

    def make_room(self, out: Writer) -> None:
        """Let one thread sum up the counts and make room for as much; who could not is no longer OK."""
        routine, alone = self.frame.routine, out.inner()
        outer, routine.exit = routine.exit, routine.root.fresh(f"counted_{self.loop.index}")
        for h, first in self.first.items():
            n = Name(alone.inner().fresh("n"), True)
            step = ir.Assign(Element(first, ir.add(n, ir.ONE)), Element(first, n), "+=")
            alone.add(ir.For(n.name, ir.ZERO, self.count, (step,)))
            self.output.ensure(h, Element(first, self.count), alone)
        if jumps(alone.code, routine.exit):
            alone.add(ir.Label(routine.exit), ir.Assign(self.failed, STATUS))
        routine.exit = outer
        out.add(ir.Region("omp single", (ir.If(logic.compare("==", self.failed, OK), alone.code),)))
        out.add(ir.If(logic.compare("!=", self.failed, OK), (ir.Assign(STATUS, self.failed),)))

    def share_filling(self, filling: Round) -> None:
        """Let the team fill the parts."""
        loop = filling.loop
        if loop is None:
            raise InternalError(f"the loop over {self.loop.index} is counted, but not filled so")
        filling.code.body.pop()
        begin, end = self.limits(loop, filling.code)
        number, starts = ir.sub(Name(loop.name, True), begin), []
        for h, own in self.own.items():
            place = ir.add(self.output.held.counters[h], Element(self.first[h], number))
            starts.append(ir.Declare(INT, own.name, place))
        self.share(filling, begin, end, self.guard((*starts, *loop.body), filling.label))
