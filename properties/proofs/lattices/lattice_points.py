"""Points: at every point of a lattice the statement that is left does what the whole statement does there.

Obligations speak of one loop after another. What a loop leaves to its body is the statement of a point, whose loops are
planned anew; so the statements that are compared reach from the whole program down to the assignments that are run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from ....reference.loops.lattice import Lattice, subsets
from ....reference.loops.presence import holds
from ....reference.loops.strategy import Strategy
from ....reference.notation.syntax import Access
from ....reference.statement.statement import Program, Statement, reads, show
from ....reference.statement.substitution import Background, background_of
from ..operators.carriers import Reals
from ..operators.extended_reals import ExtendedReals
from ..solver import Term, decide
from ..verdict import Refuted, Verdict, of_each, together
from .agreement import Comparison, Place
from .fill_rule import Rule
from .lattice_loops import Planned, Reached, Run, Unread
from .lattice_rule import ByRule
from .lattice_values import reading_of


class Replaced(Struct, frozen=True):
    """A statement, and what is run instead of it where some accesses are missing; nothing if that is None."""

    whole: Statement
    missing: frozenset[Access]
    left: Statement | None

    @property
    def open(self) -> tuple[Access, ...]:
        """The accesses that may be present."""
        return tuple(a for a in reads(self.whole) if a not in self.missing)


def replacements(s: Reached, background: Background) -> Iterator[Replaced]:
    """What is run instead of what, at a place that the execution comes to."""
    match s:
        case Planned(strategy=strategy) if strategy.flagged:
            yield from idle_points(strategy)
        case Planned(strategy=strategy):
            yield from at_points(strategy.lattice)
        case Unread(consumer=consumer, missing=missing, left=left):
            yield Replaced(consumer, missing, left)
        case Run(leaf=leaf, optional=optional) if optional:
            lattice = Lattice(leaf, tuple(optional), background)
            yield from at_points(lattice)
        case Run():
            return


def idle_points(strategy: Strategy) -> Iterator[Replaced]:
    """Where a loop with one body for all points does nothing; what it does elsewhere is settled further in."""
    every = frozenset(strategy.lattice.sparse) | strategy.optional
    for present in subsets(tuple(every)):
        if not holds(strategy.remains, present):
            yield Replaced(strategy.lattice.body, every - present, None)


def at_points(lattice: Lattice) -> Iterator[Replaced]:
    """The statement of the point for every set of present accesses. Raises Unsupported as `Lattice.points` does."""
    lattice.points()
    for present in subsets(lattice.sparse):
        point = lattice.point(present)
        yield Replaced(lattice.body, frozenset(lattice.sparse) - present, None if point is None else point.statement)


def by_rule(program: Program, places: Iterable[Reached]) -> Verdict:
    """Whether what is run means the same as the whole by the fill rule. Where a loop leaves nothing out, nothing is run
    instead."""
    background = background_of(program)
    return together(of_each(judge_by_rule(background, s)) for s in places)


def judge_by_rule(background: Background, s: Reached) -> Iterator[Verdict]:
    """The verdicts on what is run at one place."""
    if isinstance(s, Run) and not s.optional:
        own = ByRule(Rule(), background.fills)
        goal = own.runs(s.leaf)
        yield name_refutation(
            decide(goal, given=own.rule.assumptions(), show=print_accesses(reads(s.leaf), own.variable)), show(s.leaf)
        )
    for r in replacements(s, background):
        reader = ByRule(Rule(), background.fills)
        comparison = Comparison(reader, background, r.missing)
        goal = comparison.agree(r.whole, r.left)
        given = [*reader.rule.assumptions(), *comparison.given]
        yield describe_refutation(decide(goal, given=given, show=print_accesses(r.open, reader.variable)), r)


def by_value(program: Program, places: Iterable[Reached]) -> Verdict:
    """Whether what is run gives the same numbers as the whole with fills for what is missing."""
    found = list(places)
    try:
        return together(of_each(judge_by_value(program, s, Reals())) for s in found)
    except ValueError:
        return together(of_each(judge_by_value(program, s, ExtendedReals())) for s in found)


def judge_by_value(program: Program, s: Reached, real: Reals | ExtendedReals) -> Iterator[Verdict]:
    """The verdicts on what is run at one place, with floating-point dtypes in these numbers."""
    background = background_of(program)
    for r in replacements(s, background):
        reader = reading_of(program, real)
        comparison = Comparison(reader, background, r.missing)
        goal = comparison.agree(r.whole, r.left)
        given = [*reader.given, *comparison.given]
        yield describe_refutation(decide(goal, given=given, show=print_accesses(r.open, reader.component)), r)


def print_accesses(accesses: Iterable[Access], variable: Callable[[Access, Place], Term]) -> dict[str, Term]:
    """The values of accesses, for a counterexample."""
    return {Place().name(a): variable(a, Place()) for a in accesses}


def describe_refutation(verdict: Verdict, r: Replaced) -> Verdict:
    """A refutation with what is present and what is run."""
    match verdict:
        case Refuted(counterexample=values):
            absent = tuple((Place().name(a), "missing") for a in r.missing)
            left = "nothing" if r.left is None else " ".join(show(r.left).split())
            whole = " ".join(show(r.whole).split())
            return Refuted((("statement", whole), *values, *sorted(absent), ("run instead", left)))
        case _:
            return verdict


def name_refutation(verdict: Verdict, what: str, kind: str = "statement") -> Verdict:
    """A refutation with what is refuted."""
    match verdict:
        case Refuted(counterexample=values):
            return Refuted(((kind, " ".join(what.split())), *values))
        case _:
            return verdict
