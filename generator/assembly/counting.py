"""Counting: results that threads append to, in two phases (Chou 2018, Table 3; Senanayake 2020 leaves them open).

First every iteration of the parallel loop counts what it is going to append, with workspaces of its own and without
values. A prefix sum turns the counts into the positions at which each iteration begins, and says how much room the
result needs. Then every iteration fills its part:

    for (i …) { int64_t pC2_own = 0; … C2_first[i + 1] = pC2_own; }
    for (n …) C2_first[n + 1] += C2_first[n];
    for (i …) { int64_t pC2_own = C2_first[i]; … C2_crd[pC2_own] = j; C_vals[pC2_own] = …; pC2_own += 1; … }

Positions do not depend on which thread runs an iteration, so neither does the result.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import fields
from typing import Any, TypeVar

from ...reference.errors import InternalError
from ...reference.levels.level import Insert
from ...reference.loops.strategy import known
from ..ir import ir
from ..ir.ir import INT, Element, Expr, Name, Spelled
from ..ir.writer import Writer
from ..loops.spaces import Spaces
from ..threads.parallel import Region
from .outputs import Output, Put

Seen = TypeVar("Seen", bound=Output)


class Reserved(Output):
    """A result with room for all that an iteration appends."""

    def ensure(self, head: int, more: Expr, out: Writer) -> None:
        """There is room."""


class Tally(Reserved):
    """A result of which an iteration counts the positions that it is going to append.

    Nothing is stored yet: where code reads back what an earlier piece of a fiber has appended, counts mean nothing.
    """

    is_read_back = False

    def read_back(self, k: int, p: Expr, path: tuple[Expr, ...], out: Writer) -> Expr:
        """No coordinate; but the tally knows that one was wanted."""
        self.is_read_back = True
        return super().read_back(k, p, path, out)

    def append(self, head: int, coordinates: Mapping[int, Expr], out: Writer) -> Expr:
        """The position of a coordinate, which is not stored."""
        return self.counters[head]

    def connect(self, head: int, parent: Expr, begin: Expr, out: Writer) -> None:
        """Fibers are connected when they are filled."""

    def insert(
        self, k: int, parent: Expr, path: tuple[Expr, ...], out: Writer, put: Put | None = None
    ) -> tuple[Expr, Expr]:
        """Nothing below a head is counted."""
        return parent, ir.TRUE


def divided(region: Region) -> Output | None:
    """The result of which every iteration of a loop appends a part of its own; None if there is none.

    Nothing else may be written. The parts follow one another if the loop is over the next coordinate of the result, or
    tiles of it.
    """
    env, frame, index = region.env, region.frame, region.s.index
    name, *others = region.targets
    output = region.statements.outputs.get(name)
    if others or output is None or not output.heads or name in env.cells:
        return None
    if frame.is_parallel or region.team.racing or env.pieces or finds(output):
        return None
    depth = known(output.target, env.bound, frame.provenance)
    if depth > output.last_append:
        return None
    variable, spaces = output.target.levels[depth], Spaces(frame, env)
    if spaces.is_narrowed(index) and not spaces.partitions(index):
        return None
    inside = Spaces(frame, env.inside(index, Name(index)))
    tiles = variable in frame.derivations.originals(index) and inside.partitions(variable)
    return output if index == variable or tiles else None


def finds(output: Output) -> bool:
    """Whether some level of a result must be searched for what is there, so that iterations would meet."""
    return any(isinstance(level, Insert) and output.keeps(k) for k, level in enumerate(output.levels))


class Phases:
    """The two phases of a result. `first` says how much each iteration appends to every head, one place further on."""

    def __init__(self, region: Region, output: Output) -> None:
        self.region, self.output, self.frame = region, output, region.frame
        self.first: dict[int, Name] = {}
        self.own: dict[int, Name] = {}
        self.pays: Name | None = None

    def write(self, out: Writer) -> bool:
        """Write both phases, unless threads cannot share the loop out, or its iterations append fibers in pieces."""
        frame, scope = self.frame, out.inner()
        self.declare(scope)
        mode, frame.mode = frame.mode, "count"
        frees = len(frame.frees)
        tally = self.seen(Tally, fresh=True)
        counting = Counting(self, tally, scope)
        is_counted = counting.write(scope)
        frame.mode = mode
        if not is_counted or tally.is_read_back:
            del frame.frees[frees:]
            return False
        self.make_room(counting.count, scope)
        if not Filling(self, self.seen(Reserved)).write(scope):
            raise InternalError(f"the loop over {self.region.s.index} counts what it does not fill")
        for h, first in self.first.items():
            scope.add(ir.Assign(self.output.counters[h], Element(first, counting.count), "+="))
        out.add(ir.Region(None, scope.code))
        return True

    def declare(self, out: Writer) -> None:
        """Declare the counts of the iterations, and name those of one iteration."""
        for h in self.output.heads:
            stem = f"{self.output.name}{h + 1}"
            self.first[h] = self.frame.region.declare(f"{INT} *", f"{stem}_first", Spelled("NULL"))
            self.own[h] = Name(out.fresh(f"p{stem}_own"), True)

    def seen(self, kind: type[Seen], **changes: Any) -> Seen:
        """The result as an iteration sees it."""
        held = {f.name: getattr(self.output, f.name) for f in fields(Output)}
        return kind(**{**held, "counters": self.own, **changes})

    def allocate(self, count: Expr, out: Writer) -> None:
        """Allocate the counts of that many iterations, in place of those of an earlier run of the loop."""
        for first in self.first.values():
            out.add(ir.Do(ir.Call("free", (first,))))
            sizes = (ir.add(count, ir.ONE), Spelled(f"sizeof({INT})"), Spelled("&status"))
            out.add(ir.Assign(first, ir.Call("gn_zeros", sizes)))
            self.frame.frees.append(first.name)
        self.frame.check(out)

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
        statements = copy(whole.statements)
        statements.outputs = {**statements.outputs, seen.name: seen}
        super().__init__(statements, whole.s, whole.team, whole.env)
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
        self.count = self.scope.held(f"{self.s.index}_count", several)
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
            begin = ir.add(phases.output.counters[h], Element(phases.first[h], number))
            starts.append(ir.Declare(INT, own.name, begin))
        return (*starts, *body)
