"""Every loop that the execution of a program may come to, with its plan.

A loop of a lattice point's statement is another one than that of the whole statement: it is planned anew for what is
left. As in `interpreter.py`, a loop over a derived variable stands for the loops over what it completes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ....reference.loops.lattice import subsets
from ....reference.loops.strategy import Strategy, choose_strategy
from ....reference.notation.syntax import Access
from ....reference.statement.expansion import steps
from ....reference.statement.statement import Assign, Forall, Program, Sequence, Statement, Where, reads, show
from ....reference.statement.substitution import Background, background_of, reads_of, substitute_statement

Bound = tuple[str, ...]
Open = frozenset[Access]


@dataclass(frozen=True, slots=True)
class Planned:
    """A loop inside the loops `bound`, with its plan."""

    statement: Forall
    bound: Bound
    strategy: Strategy

    @property
    def title(self) -> str:
        """The loop and what it does, in a line."""
        return f"{self.strategy.name()}: {' '.join(show(self.statement).split())}"


@dataclass(frozen=True, slots=True)
class Unread:
    """A consumer of a workspace without components into which no value was put, and what is left of it."""

    consumer: Statement
    missing: frozenset[Access]
    left: Statement | None


@dataclass(frozen=True, slots=True)
class Run:
    """An assignment where everything that it reads has been found, but for the accesses in `optional`, if it has."""

    leaf: Assign
    optional: frozenset[Access] = frozenset()


Reached = Planned | Unread | Run


def reach_statements(program: Program) -> Iterator[Reached]:
    """What the execution of a program may come to, each once, outermost first."""
    return Reaching(program, background_of(program)).inside(program.statement, (), frozenset())


@dataclass
class Reaching:
    """The walk over a program; `seen` are the statements met, each with the loops around it."""

    program: Program
    background: Background
    seen: set[tuple[Statement, Bound, frozenset[str], Open]] = field(default_factory=set)

    def inside(
        self, s: Statement, bound: Bound, expanded: frozenset[str], open_: Open = frozenset()
    ) -> Iterator[Reached]:
        """What is reached in a statement inside some loops, where the accesses in `open_` may be missing."""
        if (s, bound, expanded, open_) in self.seen:
            return
        self.seen.add((s, bound, expanded, open_))
        match s:
            case Assign():
                yield from self.run(s, open_.intersection(reads(s)))
            case Forall(index=index) if index in expanded:
                yield from self.loop(s, bound, expanded - {index}, open_)
            case Forall(index=index):
                outermost, _ = next(steps(s, bound, self.program.provenance))
                yield from self.inside(outermost, bound, expanded | {index}, open_)
            case Where(consumer=consumer, producer=producer, workspace=workspace):
                yield from self.inside(producer, bound, expanded, open_)
                vector = next(w for w in self.program.workspaces if w.name == workspace).shape
                made = reads_of(consumer, workspace) if open_ and vector else frozenset()
                yield from self.inside(consumer, bound, expanded, open_ | made)
                yield from self.unread(s, bound, expanded, open_)
            case Sequence(statements=statements):
                for each in statements:
                    yield from self.inside(each, bound, expanded, open_)

    def run(self, s: Assign, open_: Open) -> Iterator[Reached]:
        """An assignment, and what is left of it where accesses are missing."""
        yield Run(s, open_)
        for present in subsets(tuple(open_)) if open_ else ():
            left = substitute_statement(s, open_ - present, self.background)
            if left is not None:
                yield from self.inside(left, (), frozenset())

    def loop(self, s: Forall, bound: Bound, expanded: frozenset[str], open_: Open) -> Iterator[Reached]:
        """One loop, and what is reached at the points of its lattice, or in the one body that it has for all."""
        p = self.program
        strategy = choose_strategy(s, bound, p.formats, p.provenance, self.background, open_)
        yield Planned(s, bound, strategy)
        inner = (*bound, s.index)
        if strategy.flagged:
            yield from self.inside(s.body, inner, expanded, strategy.uncertain)
            return
        for present in subsets(strategy.lattice.sparse):
            point = strategy.lattice.point(present)
            if point is not None:
                yield from self.inside(point.statement, inner, expanded, strategy.uncertain)

    def unread(self, s: Where, bound: Bound, expanded: frozenset[str], open_: Open) -> Iterator[Reached]:
        """What is left of a consumer where a workspace of one component has none."""
        workspace = next(w for w in self.program.workspaces if w.name == s.workspace)
        if workspace.shape:
            return
        missing = frozenset(a for a in reads(s.consumer) if a.tensor == s.workspace)
        left = substitute_statement(s.consumer, missing, self.background)
        yield Unread(s.consumer, missing, left)
        if left is not None:
            yield from self.inside(left, bound, expanded, open_)
