"""Counting on the device: results that iterations of a loop over blocks append to, in two kernels and a scan.

A kernel counts what each iteration appends, a scan turns the counts into positions, the host makes room for their sum,
and another kernel fills each iteration's part. (Threads of a CPU append to arrays of their own: `threads/parts.py`.)

    gn_launch(evaluate_count_i, …);                         C2_first[i + 1] = pC2_own;
    gn_launch(evaluate_parts_of_C2_first, …);               C2_first[n + 1] += C2_first[n]; …, in each block
    gn_launch(evaluate_reached_of_C2_first, …);
    gn_launch(evaluate_scan_C2_first, …);                   … and before it; C2_total = …
    if (C2_capacity - pC2 < C2_total) { … }
    gn_launch(evaluate_i, …);                               C2_crd[pC2_own] = j; …

Each thread counts iterations of its own. Where loops inside are on units, a group of threads fills an iteration: a warp
if its lanes suffice, else a block. It counts together, too, where these loops fill workspaces. The first thread of a
group appends, and it alone knows how far the group has come, unless threads append what a list leads to
(`listing.py`).
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from ...reference.errors import Unsupported
from ...reference.statement.statement import Flags, Forall, assignments, foralls
from ..assembly.output import Output, Reserved, Tally
from ..ir import extremes, ir
from ..ir.grid import BLOCKS, THREADS
from ..ir.ir import INT, LANES, Cast, Code, Element, Expr, Int, Name, Spelled
from ..ir.writer import Writer
from ..scope.env import Env
from ..scope.searching import iterations
from ..scope.team import Group
from ..threads.region import Region
from .collective import lead
from .grid import Grid
from .listing import stands_once
from .memory import place_workspaces, slices_for
from .scan import parts_of, scan, scan_parts, scan_reached
from .sizes import USUAL, WARPS, block, lanes_for, threads_of, unit_of


class Crew(Struct, frozen=True):
    """Who runs an iteration of a loop: a group of threads, or one thread if there is no group."""

    group: Group | None

    @property
    def threads(self) -> int:
        """The threads of a block."""
        return USUAL if self.group is None else self.group.threads

    @property
    def each(self) -> int:
        """How many of a block's threads run an iteration."""
        return 1 if self.group is None else self.group.size

    @property
    def per_block(self) -> int:
        """How many iterations a block runs at a time."""
        return self.threads // self.each

    @property
    def number(self) -> Expr:
        """The number of the first iteration that is run here."""
        return slices_for(self.group, self.threads).number

    @property
    def several(self) -> Expr:
        """How many iterations a block runs at a time, as kernels reckon."""
        return THREADS if self.each == 1 else Int(self.per_block)


class DevicePhases:
    """The two phases of a result. `first` says how much each iteration appends to every head, one place further on,
    and `totals` how much all of them do; `reached` is what the blocks of a scan have reached."""

    def __init__(self, region: Region, output: Output) -> None:
        self.region, self.output, self.frame = region, output, region.frame
        self.first: dict[int, Name] = {}
        self.totals: dict[int, Name] = {}
        self.own: dict[int, Name] = {}
        self.count: Expr = ir.ZERO
        self.reached = region.frame.routine.region.declare(f"{INT} *", f"{output.name}_reached", Spelled("NULL"))
        self.refuse()

    def refuse(self) -> None:
        """Refuse what has no room of its own on the device."""
        region, name = self.region, self.output.name
        if region.env.site.around:
            raise Unsupported(
                f"{region.loop.index} on GPUBlock appends to {name} inside of other loops",
                hint="parallelize the outermost loop",
            )
        shared = [s for s in foralls(region.loop.statement.body) if unit_of(s) is not None]
        for s in shared:
            if self.appends(s):
                raise Unsupported(
                    f"{s.index} on {unit_of(s)} would share out what one iteration of {region.loop.index} appends "
                    f"to {name}",
                    hint="parallelize the loop over blocks, and inside it loops that compute one component",
                )
        form = self.output.form
        if shared and form.last_append + 1 < len(form.levels):
            raise Unsupported(
                f"{shared[0].index} on {unit_of(shared[0])} would share out what is stored in blocks that "
                f"{region.loop.index} appends to {name}",
                hint="parallelize the loop over blocks alone: threads run its iterations",
            )

    def appends(self, s: Forall) -> bool:
        """Whether iterations of a loop append to the result."""
        inside = {s.index, *(each.index for each in foralls(s.body))}
        leaves = [a for a in assignments(s) if a.target.tensor == self.output.name]
        space = self.region.loop.inside.space
        return any(inside.intersection(space.loops(v) or (v,)) for a in leaves for v in a.target.indices)

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
            part, every, whole = (
                routine.root.fresh(f"{routine.name}_{word}_{first.name}") for word in ("parts_of", "reached_of", "scan")
            )
            out.add(scan_parts(part, first, self.reached, self.count))
            out.add(scan_reached(every, self.reached, self.count))
            out.add(scan(whole, first, self.reached, self.totals[h], self.count))
            routine.check(out)
        for h, total in self.totals.items():
            self.output.ensure(h, total, None, out)
        Filling(self, Reserved(frame, own, self.output.widenings), "").write(out)
        for h, total in self.totals.items():
            out.add(ir.Assign(held.counters[h], total, "+="))

    def allocate(self, out: Writer) -> None:
        """Allocate the counts of the iterations, and what the blocks of a scan reach."""
        size, status = Spelled(f"sizeof({INT})"), ir.STATUS_ADDRESS
        for first in self.first.values():
            out.add(ir.Assign(first, ir.Call("gn_zeros", (ir.add(self.count, ir.ONE), size, status))))
            self.frame.routine.frees.append(first.name)
        out.add(ir.Assign(self.reached, ir.Call("gn_room", (parts_of(self.count), size, status))))
        self.frame.routine.frees.append(self.reached.name)
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

    def inside(self, group: Group | None, out: Writer) -> Env:
        env, name = super().inside(group, out), self.phases.output.name
        together = frozenset({name} if stands_once(self.loop, name) else ())
        return replace(env, teams=replace(env.teams, together=together))

    @property
    def crew(self) -> Crew:
        """Who runs an iteration."""
        return Crew(None)

    def write(self, out: Writer) -> None:
        routine, body, index, crew = self.frame.routine, out.inner(), self.loop.index, self.crew
        outer = routine.enter(body, routine.root.fresh(f"next_{index}"), lists=False)
        env = self.inside(crew.group, body)
        slices = slices_for(crew.group, crew.threads)
        outputs = place_workspaces(self.emitter.outputs, self.owned.workspaces, crew.group, slices)
        main = body.inner()
        loop = main.take_back(self.emitter.with_outputs(outputs).write_loop(self.loop, env, main))
        routine.leave(outer)
        out.add(*main.body)
        out.taken |= main.taken
        begin, end = out.hold(f"{index}_begin", loop.begin), out.hold(f"{index}_end", loop.end)
        count = iterations(begin, end, loop.step)
        self.prepare(count, out)
        iteration = self.iteration(ir.floordiv(ir.sub(Name(loop.name, True), begin), loop.step), loop.body)
        first = ir.add(begin, ir.mul(crew.number, loop.step))
        step = ir.mul(ir.mul(Cast(INT, BLOCKS), crew.several), loop.step)
        shared = replace(loop, begin=first, end=end, step=step, body=iteration)
        blocks = ir.floordiv(ir.add(count, Int(crew.per_block - 1)), Int(crew.per_block))
        most = routine.most_blocks
        blocks = blocks if most is None else extremes.smaller(blocks, Int(most))
        name = f"{routine.name}_{self.word}{index}"
        out.add(ir.Kernel(routine.root.fresh(name), blocks, crew.threads, (*body.code, shared)))
        routine.fallible = True
        routine.check(out)

    def group_of_iteration(self) -> Crew:
        """The group of threads that the loops on units inside want, if there are any."""
        program, loop = self.frame.facts.program, self.loop.statement
        units = {unit_of(s) for s in foralls(loop.body)}
        if units == {None} or not units:
            return Crew(None)
        depth = len(self.env.site.around) + 1
        if WARPS not in units and all(n is not None and n <= LANES for n in threads_of(program, loop)):
            return Crew(Group("warp", USUAL, depth, lanes_for(threads_of(program, loop))))
        return Crew(block(program, loop, depth))

    def prepare(self, count: Expr, out: Writer) -> None:
        """What the host does before the kernel, which has so many iterations."""

    def iteration(self, number: Expr, body: Code) -> Code:
        """What an iteration does, counted from 0."""
        return body


class Counting(DevicePhase):
    """The first phase. Each thread runs whole iterations, loops on units inside of them too, unless those tell what a
    workspace holds: then groups run them, as in the second phase. How many iterations there are is found before it."""

    @property
    def crew(self) -> Crew:
        return self.group_of_iteration() if self.shares_filling else Crew(None)

    @property
    def shares_filling(self) -> bool:
        """Whether loops on units bring components of a workspace that keeps which are there."""
        kept = {name for name in self.owned.workspaces if self.frame.facts.workspaces[name].flags is Flags.EACH}
        on_units = (s for s in foralls(self.loop.statement.body) if unit_of(s) is not None)
        return any(a.target.tensor in kept for s in on_units for a in assignments(s))

    def inside(self, group: Group | None, out: Writer) -> Env:
        env = super().inside(group, out)
        return replace(env, teams=replace(env.teams, alone=group is None))

    def prepare(self, count: Expr, out: Writer) -> None:
        self.phases.count = out.hold(f"{self.loop.index}_count", count)
        self.phases.allocate(out)

    def iteration(self, number: Expr, body: Code) -> Code:
        starts = [ir.Declare(INT, own.name, ir.ZERO) for own in self.phases.own.values()]
        place = ir.add(number, ir.ONE)
        ends = [ir.Assign(Element(first, place), self.phases.own[h]) for h, first in self.phases.first.items()]
        return (*starts, *body, *lead(self.crew.group, tuple(ends)))


class Filling(DevicePhase):
    """The second phase, in which a group of threads runs an iteration if loops inside are on units."""

    @property
    def crew(self) -> Crew:
        return self.group_of_iteration()

    def iteration(self, number: Expr, body: Code) -> Code:
        phases, starts = self.phases, []
        for h, own in phases.own.items():
            begin = ir.add(phases.output.held.counters[h], Element(phases.first[h], number))
            starts.append(ir.Declare(INT, own.name, begin))
        return (*starts, *body)
