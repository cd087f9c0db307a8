"""How often the loops of a schedule run, estimated without data: what tells schedules that go over far too much.

A loop over a level runs once for each coordinate that is stored below those of the loops around it, and a loop over an
extent, or a part of one, once for each of its values, whatever is stored. The estimate is for operands of one size: a
dimension that some operand stores sparsely has 10,000 coordinates, a matrix or tensor ten components for each of these,
a vector one for ten. A tile of coordinates of a sparse level counts for several visits: its begin is searched for.

A loop that intersects levels steps through the shortest level, and seeks in the others. The body of the loop runs where
coordinates of all levels meet, if coordinates lie anywhere.

For `y(i) = A(i,j) * x(j)` with `A` in CSR, `split(j,j0,j1,32)` gives 10,000 values of `i`, for each of these 313 of
`j0`, and 100,000 of `j` in all of them: far more than the 110,000 without a schedule.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import ceil, log2, prod
from typing import NamedTuple

from msgspec import Struct

from ..errors import ScheduleError
from ..loops.plan import AssignPlan, LoopPlan, Node, ParallelPlan, Planner, SequencePlan, WherePlan
from ..loops.strategy import Active
from ..notation.printer import pretty
from ..notation.syntax import Access
from ..statement.relation import Bound, Collapse, Coord, Divide, Pos, Rank, Same, Split
from ..statement.statement import Program, reads
from .command import Command
from .commands import run
from .nests import fresh_name

LONG, SHORT, ROW, SLOTS = 10_000, 64, 10, 10
SEARCH, SOUGHT, FAR = 8.0, 6.0, 4.0


class Excess(Struct, frozen=True):
    """A loop that makes a schedule visit far more than is visited without it, how many times as much, and a remedy."""

    loop: str
    factor: float
    remedy: str

    def __str__(self) -> str:
        return (
            f"the loop over {self.loop} goes over coordinates whatever is stored, which costs about "
            f"{self.factor:.0f} times what all loops do without a schedule (estimated for {LONG:,} coordinates a "
            f"dimension, {ROW} components to each): {self.remedy}"
        )


def excess(before: Program, after: Program) -> Excess | None:
    """What a schedule counts far too much of, if anything; the program is given before the schedule and after it."""
    usual, estimate = sum(visits(before).values()), estimate_of(after)
    found = estimate.found
    loop = max(found, key=lambda v: found[v], default="")
    factor = sum(found.values()) / max(usual, 1.0)
    return Excess(loop, factor, remedy(before, after, loop)) if factor > FAR and loop in estimate.counted else None


def remedy(before: Program, after: Program, loop: str) -> str:
    """What to write instead of counting coordinates: positions of an operand that stores them sparsely."""
    graph, formats = after.provenance, before.formats
    originals = graph.originals(loop)
    counted = (
        v
        for v in graph.lineage(loop)
        if v != loop and not graph.is_position(v) and set(graph.originals(v)) == set(originals)
    )
    variable = max(counted, key=lambda v: isinstance(graph.derivation_of(v), Collapse), default=loop)
    for access in reads(before.statement):
        levels = zip(formats[access.tensor].levels, access.levels, strict=True)
        stored = [v for level, v in levels if v in originals and not level.full]
        whole = Access(access.tensor, access.indices)
        if stored and has_positions(before, stored[-1], whole):
            return f"write pos({variable},p,{pretty(whole)}) and split p, to count what is stored"
    return "split a loop around it, or leave it whole"


def has_positions(program: Program, variable: str, access: Access) -> bool:
    """Whether a loop may count the positions of an operand."""
    try:
        run(Command("pos", (variable, fresh_name(program, "p"), access)), program)
    except ScheduleError:
        return False
    return True


def visits(program: Program) -> dict[str, float]:
    """How often each loop steps, by its variable."""
    return estimate_of(program).found


def estimate_of(program: Program) -> Estimate:
    """The estimate for a program."""
    estimate = Estimate(program)
    estimate.visit(Planner(program).root(), {})
    return estimate


class Fan(NamedTuple):
    """The number of steps of a loop, and of runs of the body, each time that the loop is reached."""

    steps: float
    runs: float


def seek(shortest: float, walked: Sequence[float]) -> float:
    """The steps of a loop through levels with so many coordinates each, without the shortest of which there is nothing
    to do: the loop seeks in levels that are far longer.

    >>> seek(10.0, [10.0, 1000.0]), seek(10.0, [10.0, 20.0])
    (409.0, 30.0)
    """
    sought = SOUGHT * shortest * log2(1 + max(walked) / shortest) if shortest else 0.0
    return float(round(sum(min(each, max(sought, shortest)) for each in walked)))


class Estimate:
    """The estimate for one program: the number of steps of each loop, and which loops count coordinates, whatever is
    stored."""

    def __init__(self, program: Program) -> None:
        self.program, self.formats, self.provenance = program, program.formats, program.provenance
        operands = [a for a in reads(program.statement) if a.tensor not in program.workspace]
        sparse = [a for a in operands if not all(v.full for v in self.formats[a.tensor].levels)]
        self.long = {v for a in sparse for v in a.indices}
        pairs = [p for a in sparse for p in zip(self.formats[a.tensor].levels, a.levels, strict=True)]
        self.sparse = {v for level, v in pairs if not level.full}
        self.found: dict[str, float] = {}
        self.counted: set[str] = set()
        self.brought: dict[str, float] = {}

    def visit(self, node: Node, fans: dict[str, float]) -> None:
        """Add what a part of a plan visits; `fans`: how often each loop around runs each time that it is reached. Of a
        workspace, `brought` becomes how often its producer stores in it each time."""
        match node:
            case AssignPlan(statement=leaf):
                self.brought[leaf.target.tensor] = prod(fans.values())
            case ParallelPlan(loop=loop):
                self.visit(loop, fans)
            case LoopPlan(index=index):
                fan = self.fan(node, fans)
                cost = prod(fans.values()) * fan.steps * (SEARCH if self.searches(node) else 1.0)
                if node.strategy.whole_extent or not node.strategy.coiterated:
                    self.counted.add(index)
                self.found[index] = self.found.get(index, 0.0) + cost
                self.visit(node.body, {**fans, index: fan.runs})
            case WherePlan(statement=where, consumer=consumer, producer=producer):
                self.visit(producer, fans)
                self.brought[where.workspace] /= prod(fans.values())
                self.visit(consumer, fans)
            case SequencePlan(parts=parts):
                for each in parts:
                    self.visit(each, fans)

    def searches(self, loop: LoopPlan) -> bool:
        """Whether the values of a loop's variable are tiles of coordinates that some operand stores sparsely."""
        originals, bound = self.provenance.originals(loop.index), (*loop.space.around, loop.index)
        completes = any(self.provenance.is_derivable(v, bound) for v in originals)
        positions = self.provenance.is_position(loop.index) or self.provenance.is_original(loop.index)
        return not completes and not positions and bool(self.sparse & set(originals))

    def fan(self, loop: LoopPlan, fans: dict[str, float]) -> Fan:
        """How often a loop steps, and runs its body, each time that it is reached, on average."""
        bound = loop.space.around
        if not self.provenance.is_original(loop.index) and self.provenance.is_derivable(loop.index, bound):
            return Fan(1.0, 1.0)
        strategy, reached = loop.strategy, max(prod(fans.values()), 1.0)
        held = {a: self.held_coordinates(a, bound, fans) / reached for a in (*strategy.coiterated, *strategy.located)}
        over = self.extent(loop.index) / prod(fans[v] for v in bound if self.concerns(v, {loop.index}))
        needed = [a for a in held if a.is_sparse and strategy.needs(a.access)]
        walked = [held[a] for a in strategy.coiterated]
        shortest = min((a for a in needed if a in strategy.coiterated), key=held.__getitem__, default=None)
        whole = strategy.whole_extent or not walked
        steps = max(sum(walked), over if whole else 0.0) if shortest is None else seek(held[shortest], walked)
        runs = steps if shortest is None else held[shortest]
        return Fan(steps, runs * prod(min(1.0, held[a] / over) for a in needed if a != shortest))

    def held_coordinates(self, active: Active, bound: Sequence[str], fans: Mapping[str, float]) -> float:
        """How many coordinates a level holds, all the times that a loop is reached."""
        prefix = set(active.access.levels[: active.first + 1])
        others = [fans[v] for v in bound if not self.concerns(v, prefix)]
        return self.reached_coordinates(active, bound, fans) * prod(others)

    def reached_coordinates(self, active: Active, bound: Sequence[str], fans: Mapping[str, float]) -> float:
        """How many coordinates a level stores below those of the levels above it that loops come to."""
        access, first = active.access, active.first
        parents = prod(fans[v] for v in bound if self.concerns(v, set(access.levels[:first])))
        share = min(1.0, parents / self.stored_coordinates(access, first))
        return share * self.stored_coordinates(access, first + 1)

    def concerns(self, variable: str, others: Collection[str]) -> bool:
        """Whether a loop's variable has to do with one of some variables. Parts of blocks have to do with the whole,
        but not with one another."""
        own = set(self.provenance.originals(variable))
        theirs = {original for other in others for original in self.provenance.originals(other)}
        return not own.isdisjoint(theirs | set(map(self.whole, theirs))) or not theirs.isdisjoint(map(self.whole, own))

    def whole(self, variable: str) -> str:
        """What a variable is a part of, or another name for, by a format; else itself."""
        match self.provenance.format_relation_of(variable):
            case Split(parent=parent):
                return parent
            case Same(original=original):
                return original
            case _:
                return variable

    def stored_coordinates(self, access: Access, depth: int) -> float:
        """How many coordinates the first levels of an operand store together: one at least."""
        usual = LONG * ROW if len(access.indices) > 1 else LONG / ROW
        components = max(1.0, min(usual, self.brought.get(access.tensor, usual)))
        count = 1.0
        for level, variable in zip(self.formats[access.tensor].levels[:depth], access.levels, strict=False):
            count *= self.extent(variable)
            count = count if level.full else min(count, components)
        return count

    def extent(self, variable: str) -> float:
        """The number of values of a variable."""
        match self.provenance.derivation_of(variable):
            case None:
                return self.original(variable)
            case Split(inner=inner, factor=factor) if inner == variable:
                return factor
            case Split(parent=parent, factor=factor):
                return ceil(self.extent(parent) / factor)
            case Divide(parent=parent, outer=outer, parts=parts):
                return parts if outer == variable else ceil(self.extent(parent) / parts)
            case Collapse(outer=outer, inner=inner):
                return self.extent(outer) * self.extent(inner)
            case Bound(parent=parent):
                return self.extent(parent)
            case Pos(access=access, first=first, last=last):
                return self.stored_coordinates(access, last) / self.stored_coordinates(access, first)
            case Coord(of=of):
                return self.extent(of.coordinate)

    def original(self, variable: str) -> float:
        """The extent of a variable that no schedule has made."""
        match self.program.provenance.format_relation_of(variable):
            case Split(parent=parent, inner=inner, factor=factor):
                return factor if inner == variable else ceil(self.original(parent) / factor)
            case Same(original=original):
                return self.original(original)
            case Rank():
                return SLOTS
            case _:
                return LONG if variable in self.long else SHORT
