"""Parts: results that threads append to (Chou 2018, Table 3; Senanayake 2020 leaves them open).

Each thread appends what its iterations give to arrays of its own, as one thread alone would, and notes how much each of
them has appended. A prefix sum turns these counts into the positions at which the parts of the iterations begin, and
says how much room the result needs. Then each thread moves its parts to their places. All that is one region:

    #pragma omp for
    for (i …) { const int64_t C2_begun = pC2_own; … C2_crd_own[pC2_own] = j; … C2_first[i + 1] = pC2_own - C2_begun; … }
    #pragma omp single
    { for (n …) C2_first[n + 1] += C2_first[n]; … }
    gn_place(C2_crd, C2_crd_own, 0, 1, pC2, pC2_own, C2_first, C_before, C_last); …

Where a single thread has appended the whole result, in the order of the iterations, nothing is moved: the thread's
arrays become those of the result (`gn_swap`).
The iterations of a thread are a chain: `C_last` is the one that it ran last, and `C_before` says of each which one the
same thread ran before, so that the parts are found in its arrays one behind the other.

Positions do not depend on which thread runs an iteration, so neither does the result. Whether a loop is written so is
decided before anything of it is (`division.py`).
"""

from __future__ import annotations

from msgspec.structs import replace

from ..assembly import growth
from ..assembly.output import Output, Pieced
from ..assembly.outputs import Outputs
from ..assembly.variables import Variables
from ..ir import ir, logic
from ..ir.ir import INT, Element, Expr, Name, Spelled
from ..ir.writer import Writer
from ..scope.env import Env
from ..scope.frame import Frame
from ..scope.searching import iterations
from .region import Region, Round, jumps


class Part(Pieced, frozen=True):
    """The part of a result that one thread makes, which runs some iterations of the loop over a variable."""

    shared: str = ""

    def makes_all_visits(self, index: str) -> bool:
        return index != self.shared


class Parts(Region):
    """The region of a result in parts. `first` says how much each iteration appends to every head that has arrays here,
    one place further on; `own` is the result as far as a thread makes it. Of a result that grows, `ordered` says
    whether a thread has run its iterations in order."""

    def __init__(self, region: Region, output: Output, out: Writer) -> None:
        super().__init__(region.emitter, region.loop, region.team, region.env)
        self.output, self.around = output, out.inner()
        region.emitter.outputs.parted.add(output.name)
        make = self.frame.routine.region.declare
        grown = [h for h in output.form.heads if growth.lengths(output.held, h, ir.ONE, Writer())]
        self.first = {h: make(f"{INT} *", f"{self.stem(h)}_first", Spelled("NULL")) for h in grown}
        self.before = make(f"{INT} *", f"{output.name}_before", Spelled("NULL"))
        self.failed = self.around.declare("int", f"{output.name}_status", ir.OK)

    def stem(self, head: int) -> str:
        """What variables of a head are called."""
        return f"{self.output.name}{head + 1}"

    def write(self, out: Writer) -> None:
        """Write the region, and what comes before and after it."""
        super().write(self.around)
        for h, first in self.first.items():
            self.around.add(ir.Assign(self.output.held.counters[h], Element(first, self.count), "+="))
        out.add(ir.Region(None, self.around.code))

    def prepare(self, outputs: Outputs, env: Env, block: Writer) -> Round:
        self.last = block.declare(INT, f"{self.output.name}_last", ir.Int(-1))
        grows = self.output.form.grows
        self.ordered = block.declare("bool", f"{self.output.name}_ordered", ir.TRUE) if grows else None
        held = own_variables(self.output.held, self.frame, block)
        self.own = Part(self.frame, held, self.output.widenings, self.loop.index)
        round = super().prepare(outputs.replace_outputs(self.own), env, block)
        self.begin, self.end = self.hoist(round)
        return round

    def hoist(self, round: Round) -> tuple[Expr, Expr]:
        """Find how many iterations there are before the region; the first of them, and the one after the last."""
        loop = round.code.take_back(round.loop)
        self.around.add(*round.code.body)
        self.around.taken |= round.code.taken
        round.code.body.clear()
        begin, end = self.limits(loop, self.around)
        self.count = self.around.hold(f"{self.loop.index}_count", iterations(begin, end, loop.step))
        return begin, end

    def share_out(self, round: Round, out: Writer) -> bool:
        self.allocate(out)
        growth.allocate_part(self.own.held, self.frame, round.code)
        self.share_appending(round)
        self.make_room(round.code)
        self.place(round.code)
        return True

    def allocate(self, out: Writer) -> None:
        """Allocate what is noted of iterations, in place of what was of an earlier run of the loop."""
        sizes = {self.before: self.count} | {first: ir.add(self.count, ir.ONE) for first in self.first.values()}
        for array, size in sizes.items():
            out.add(ir.Do(ir.Call("free", (array,))))
            out.add(ir.Assign(array, ir.Call("gn_zeros", (size, Spelled(f"sizeof({INT})"), ir.STATUS_ADDRESS))))
            self.frame.routine.frees.append(array.name)
        self.frame.routine.check(out)

    def share_appending(self, round: Round) -> None:
        """Let each of the team append what its iterations give, note how much, and say so if one of them fails."""
        loop = round.loop
        assert loop is not None
        number = ir.floordiv(ir.sub(Name(loop.name, True), self.begin), loop.step)
        counters = self.own.held.counters
        begun = {h: Name(round.code.inner().fresh(f"{self.stem(h)}_begun"), True) for h in self.first}
        starts: list[ir.Stmt] = [ir.Declare(f"const {INT}", name.name, counters[h]) for h, name in begun.items()]
        if self.ordered is not None:
            starts.append(ir.Assign(self.ordered, logic.both(self.ordered, logic.compare("<", self.last, number))))
        ends = [
            *(
                ir.Assign(Element(first, ir.add(number, ir.ONE)), ir.sub(counters[h], begun[h]))
                for h, first in self.first.items()
            ),
            ir.Assign(Element(self.before, number), self.last),
            ir.Assign(self.last, number),
        ]
        told = ir.If(ir.FAILED, (ir.Region("omp critical", (ir.Assign(self.failed, ir.STATUS),)),))
        body = self.guard((*starts, *loop.body, *ends), round.label)
        self.share(round, self.begin, self.end, (*body, told))

    def make_room(self, out: Writer) -> None:
        """Let one thread sum up the counts and make room for as much; who could not is no longer OK."""
        routine, alone = self.frame.routine, out.inner()
        outer, routine.exit = routine.exit, routine.root.fresh(f"placed_{self.loop.index}")
        for h, first in self.first.items():
            n = Name(alone.inner().fresh("n"), True)
            step = ir.Assign(Element(first, ir.add(n, ir.ONE)), Element(first, n), "+=")
            alone.add(ir.For(n.name, ir.ZERO, self.count, (step,)))
            self.output.ensure(h, Element(first, self.count), None, alone)
        if jumps(alone.code, routine.exit):
            alone.add(ir.Label(routine.exit), ir.Assign(self.failed, ir.STATUS))
        routine.exit = outer
        out.add(ir.Region("omp single", (ir.If(logic.compare("==", self.failed, ir.OK), alone.code),)))
        out.add(ir.If(logic.compare("!=", self.failed, ir.OK), (ir.Assign(ir.STATUS, self.failed),)))

    def place(self, out: Writer) -> None:
        """Let each thread move the parts of its iterations to their places in the result."""
        moved = out.inner()
        for h in self.first:
            self.place_head(h, moved)
        out.add(*logic.conditional(ir.SUCCEEDS, moved.code))

    def place_head(self, head: int, out: Writer) -> None:
        """Move the parts of a thread to their places in the arrays of a head; or take its arrays as they are, if all of
        the result is in them, in the order of the iterations."""
        whole, own, moved, taken = self.output.held, self.own.held, out.inner(), out.inner()
        first, at, end = self.first[head], whole.counters[head], own.counters[head]
        none, one = (growth.lengths(whole, head, count, moved) for count in (ir.ZERO, ir.ONE))
        iterations = (at, end, first, self.before, self.last)
        for array, part in zip(one, growth.lengths(own, head, ir.ONE, moved), strict=True):
            skip = none[array][1]
            stride = ir.sub(one[array][1], skip)
            moved.add(ir.Do(ir.Call("gn_place", (array, part, skip, stride, *iterations))))
            taken.add(ir.Do(ir.Call("gn_swap", (array, part))))
        if self.ordered is None:
            out.add(*moved.code)
            return
        taken.add(ir.Assign(whole.capacities[head], own.capacities[head]))
        is_first, is_there = logic.compare("==", at, ir.ZERO), logic.compare(">", end, ir.ZERO)
        is_all = logic.compare("==", end, Element(first, self.count))
        out.add(ir.If(logic.both(is_first, is_there, is_all, self.ordered), taken.code, moved.code))


def own_variables(held: Variables, frame: Frame, out: Writer) -> Variables:
    """Variables in which a thread appends to a result that it alone sees: arrays that begin empty, and counters."""
    form = replace(held.form, parameter=None)
    names: dict[Name, Name] = {}
    for h in form.heads:
        for array, (kind, _) in growth.lengths(held, h, ir.ZERO, out).items():
            names[array] = out.declare(f"{kind} *", f"{array.name}_own", Spelled("NULL"))
            frame.routine.frees.append(names[array].name)
    bounds = [
        replace(b, fields={name: names.get(e, e) if isinstance(e, Name) else e for name, e in b.fields.items()})
        for b in held.bounds
    ]
    return replace(
        held,
        form=form,
        bounds=bounds,
        arrays={key: names.get(array, array) for key, array in held.arrays.items()},
        vals=names.get(held.vals, held.vals),
        present=None if held.present is None else names.get(held.present, held.present),
        counters={h: out.declare(INT, f"p{form.name}{h + 1}_own", ir.ZERO, natural=True) for h in form.heads},
        capacities={h: out.declare(INT, f"{form.name}{h + 1}_room", ir.ZERO, natural=True) for h in form.heads},
    )
