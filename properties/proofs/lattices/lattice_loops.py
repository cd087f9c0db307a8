"""Every loop that the execution of a program may come to, with its strategy, as the loop plan has it.

A loop of a lattice point's statement is another one than that of the whole statement: it is planned anew for what is
left.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field
from msgspec.structs import replace

from ....reference.loops.lattice import subsets
from ....reference.loops.plan import AssignPlan, LoopPlan, Node, ParallelPlan, Planner, SequencePlan, WherePlan
from ....reference.loops.strategy import Strategy
from ....reference.notation.syntax import Access
from ....reference.statement.statement import Assign, Forall, Program, Statement, reads, show


class Planned(Struct, frozen=True):
    """A loop, with its strategy."""

    statement: Forall
    strategy: Strategy

    @property
    def title(self) -> str:
        """The loop and what it does, in a line."""
        return f"{self.strategy.name()}: {' '.join(show(self.statement).split())}"


class Unread(Struct, frozen=True):
    """A consumer of a workspace of which one flag says that no value was put into it, and what is left of it."""

    consumer: Statement
    missing: frozenset[Access]
    left: Statement | None


class Run(Struct, frozen=True):
    """An assignment where everything that it reads has been found, but for the accesses in `optional`, if it has."""

    leaf: Assign
    optional: frozenset[Access] = frozenset()


Reached = Planned | Unread | Run


def reach_statements(program: Program) -> Iterator[Reached]:
    """What the execution of a program may come to, each once, outermost first."""
    planner = Planner(program)
    return Reaching(planner).inside(planner.root())


class Reaching(Struct):
    """The walk over the plan of a program; `seen` are the statements met, each with what encloses it."""

    planner: Planner
    seen: set[tuple[Statement, tuple[str, ...], frozenset[str], frozenset[Access]]] = field(default_factory=set)

    def inside(self, node: Node) -> Iterator[Reached]:
        """What is reached in a part of the plan."""
        if isinstance(node, ParallelPlan):
            node = node.loop
        around = node.surroundings
        place = (node.statement, around.around, frozenset(around.expanded), around.optional)
        if place in self.seen:
            return
        self.seen.add(place)
        match node:
            case AssignPlan():
                yield from self.assignment(node)
            case LoopPlan():
                yield from self.loop(node)
            case WherePlan(consumer=consumer, producer=producer):
                yield from self.inside(producer)
                yield from self.inside(consumer)
                yield from self.unread(node)
            case SequencePlan(parts=parts):
                for each in parts:
                    yield from self.inside(each)

    def assignment(self, node: AssignPlan) -> Iterator[Reached]:
        """An assignment, and what is left of it where accesses are missing."""
        leaf = node.statement
        optional = node.surroundings.optional.intersection(reads(leaf))
        yield Run(leaf, optional)
        for present in subsets(tuple(optional)) if optional else ():
            left = self.planner.remainder(node, optional - present)
            if left is not None:
                yield from self.inside(left)

    def loop(self, node: LoopPlan) -> Iterator[Reached]:
        """One loop, and what is reached at the points of its lattice, or in the one body that it has for all."""
        yield Planned(node.statement, node.strategy)
        if node.strategy.flagged:
            yield from self.inside(node.body)
            return
        for present in subsets(node.strategy.lattice.sparse):
            part = node.case(present)
            if part is not None:
                yield from self.inside(part)

    def unread(self, node: WherePlan) -> Iterator[Reached]:
        """What is left of a consumer where one flag says that its workspace got no value."""
        s = node.statement
        if not self.planner.program.workspace[s.workspace].has_one_flag:
            return
        left = node.without
        whole, rest = statement_of(node.consumer), None if left is None else statement_of(left)
        yield Unread(whole, frozenset(node.reads), rest)
        if left is not None:
            yield from self.inside(left)


def statement_of(node: Node) -> Statement:
    """The statement of a part of the plan, its outermost loops with those over originals that they stand for."""
    match node:
        case ParallelPlan(loop=loop):
            return loop.statement
        case WherePlan(statement=s, consumer=consumer, producer=producer):
            return replace(s, consumer=statement_of(consumer), producer=statement_of(producer))
        case _:
            return node.statement
