"""Counting on the device: results that iterations of a loop over blocks append to, in two kernels and a scan.

The phases are those of the CPU (`threads/counting.py`). A kernel counts what each iteration appends, a scan turns the
counts into positions, the host makes room for their sum, and another kernel fills each iteration's part:

    gn_launch(evaluate_count_i, …);                         C2_first[i + 1] = pC2_own;
    gn_launch(evaluate_scan_C2_first, …);                   C2_first[n + 1] += C2_first[n]; …; C2_total = …
    if (C2_capacity - pC2 < C2_total) { … }
    gn_launch(evaluate_i, …);                               C2_crd[pC2_own] = j; …

Nothing inside the loop is shared out, so each thread runs iterations of its own.
"""

from __future__ import annotations

from dataclasses import replace

from ...reference.errors import InternalError, Unsupported
from ...reference.statement.statement import foralls
from ..assembly.output import Output, Reserved, Tally
from ..ir import ir
from ..ir.grid import BLOCK, BLOCKS, THREAD, THREADS
from ..ir.ir import INT, Cast, Code, Element, Expr, Int, Name, Spelled
from ..ir.writer import Writer
from ..scope.searching import iterations
from ..threads.region import Region
from .grid import Grid
from .memory import Slices, place_workspaces
from .scan import scan
from .sizes import USUAL, unit_of

MOST_SLICED = 4
"""The most blocks of a grid of which each thread has slices of arrays on the device."""


class DevicePhases:
    """The two phases of a result. `first` says how much each iteration appends to every head, one place further on,
    and `totals` how much all of them do."""

    def __init__(self, region: Region, output: Output) -> None:
        self.region, self.output, self.frame = region, output, region.frame
        self.first: dict[int, Name] = {}
        self.totals: dict[int, Name] = {}
        self.own: dict[int, Name] = {}
        self.count: Expr = ir.ZERO
        self.refuse()

    def refuse(self) -> None:
        """Refuse what has no room of its own on the device."""
        region, name = self.region, self.output.name
        if region.env.site.around:
            raise Unsupported(
                f"{region.loop.index} on GPUBlock appends to {name} inside of other loops",
                hint="parallelize the outermost loop",
            )
        for s in foralls(region.loop.statement.body):
            if unit_of(s) is not None:
                raise Unsupported(
                    f"{s.index} on {unit_of(s)} would share out what one iteration of {region.loop.index} appends "
                    f"to {name}",
                    hint="parallelize the loop over blocks alone: threads run its iterations",
                )

    def write(self, out: Writer) -> None:
        """Write both phases, and the scan between them."""
        frame, held, routine = self.frame, self.output.held, self.frame.routine
        for h in self.output.form.heads:
            stem = f"{self.output.name}{h + 1}"
            self.first[h] = routine.region.declare(f"{INT} *", f"{stem}_first", Spelled("NULL"))
            self.totals[h] = routine.region.declare(INT, f"{stem}_total", ir.ZERO, natural=True)
            self.own[h] = Name(out.fresh(f"p{stem}_own"), True)
        own = replace(held, counters=self.own)
        counted_only = replace(own, form=replace(held.form, fresh=True))
        tally = Tally(replace(frame, purpose="count"), counted_only, self.output.widenings)
        Counting(self, tally, "count_").write(out)
        for h, first in self.first.items():
            out.add(scan(routine.root.fresh(f"{routine.name}_scan_{first.name}"), first, self.totals[h], self.count))
            routine.check(out)
        for h, total in self.totals.items():
            self.output.ensure(h, total, None, out)
        Filling(self, Reserved(frame, own, self.output.widenings), "").write(out)
        for h, total in self.totals.items():
            out.add(ir.Assign(held.counters[h], total, "+="))

    def allocate(self, out: Writer) -> None:
        """Allocate the counts of the iterations."""
        for first in self.first.values():
            sizes = (ir.add(self.count, ir.ONE), Spelled(f"sizeof({INT})"), Spelled("&status"))
            out.add(ir.Assign(first, ir.Call("gn_zeros", sizes)))
            self.frame.routine.frees.append(first.name)
        self.frame.routine.check(out)


class DevicePhase(Grid):
    """A kernel that does one phase: its threads run iterations, each its own."""

    def __init__(self, phases: DevicePhases, seen: Output, word: str) -> None:
        whole = phases.region
        outputs = replace(whole.emitter.outputs.replace_outputs(seen), frame=seen.frame)
        self.phases = phases
        super().__init__(whole.emitter.with_outputs(outputs), whole.loop, whole.team, whole.env, word)

    def can_fill(self, name: str) -> bool:
        return name == self.phases.output.name or super().can_fill(name)

    def can_own(self, name: str) -> bool:
        return False

    def write(self, out: Writer) -> None:
        routine, body, index = self.frame.routine, out.inner(), self.loop.index
        outer = routine.enter(body, routine.root.fresh(f"next_{index}"), lists=False)
        env = self.inside(None, body)
        reserved = len(routine.reserved)
        slices = Slices(MOST_SLICED * USUAL, ir.add(ir.mul(Cast(INT, BLOCK), THREADS), THREAD))
        outputs = place_workspaces(self.emitter.outputs, self.owned.workspaces, None, slices)
        main = body.inner()
        loop = self.emitter.with_outputs(outputs).write_loop(self.loop, env, main)
        routine.leave(outer)
        if loop is None:
            raise InternalError(f"the loop over {index} does not count its iterations")
        main.body.pop()
        out.add(*main.body)
        out.taken |= main.taken
        begin, end = out.hold(f"{index}_begin", loop.begin), out.hold(f"{index}_end", loop.end)
        count = iterations(begin, end, loop.step)
        self.prepare(count, out)
        iteration = self.iteration(ir.floordiv(ir.sub(Name(loop.name, True), begin), loop.step), loop.body)
        first = ir.add(begin, ir.mul(ir.add(ir.mul(Cast(INT, BLOCK), THREADS), THREAD), loop.step))
        step = ir.mul(ir.mul(Cast(INT, BLOCKS), THREADS), loop.step)
        shared = replace(loop, begin=first, end=end, step=step, body=iteration)
        blocks = ir.floordiv(ir.add(count, Int(USUAL - 1)), Int(USUAL))
        blocks = blocks if len(routine.reserved) == reserved else ir.smaller(blocks, Int(MOST_SLICED))
        name = f"{routine.name}_{self.word}{index}"
        out.add(ir.Kernel(routine.root.fresh(name), blocks, USUAL, (*body.code, shared)))
        routine.fallible = True
        routine.check(out)

    def prepare(self, count: Expr, out: Writer) -> None:
        """What the host does before the kernel, which has so many iterations."""

    def iteration(self, number: Expr, body: Code) -> Code:
        """What an iteration does, counted from 0."""
        return body


class Counting(DevicePhase):
    """The first phase. How many iterations there are is found before it."""

    def prepare(self, count: Expr, out: Writer) -> None:
        self.phases.count = out.hold(f"{self.loop.index}_count", count)
        self.phases.allocate(out)

    def iteration(self, number: Expr, body: Code) -> Code:
        starts = [ir.Declare(INT, own.name, ir.ZERO) for own in self.phases.own.values()]
        place = ir.add(number, ir.ONE)
        ends = [ir.Assign(Element(first, place), self.phases.own[h]) for h, first in self.phases.first.items()]
        return (*starts, *body, *ends)


class Filling(DevicePhase):
    """The second phase."""

    def iteration(self, number: Expr, body: Code) -> Code:
        phases, starts = self.phases, []
        for h, own in phases.own.items():
            begin = ir.add(phases.output.held.counters[h], Element(phases.first[h], number))
            starts.append(ir.Declare(INT, own.name, begin))
        return (*starts, *body)
