"""Position tables: what `Spaces` tells of storage is what the proofs about loops take for granted (`walked.py`).

Its functions run on real levels whose coordinates are symbolic; positions are few.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any, cast

from ....reference.execution.spaces import Spaces
from ....reference.execution.state import State
from ....reference.levels.compressed import Compressed
from ....reference.levels.level import Level
from ....reference.levels.singleton import Singleton
from ....reference.notation.syntax import Access
from ....reference.statement.derivation import Pos
from ....reference.statement.provenance_graph import ProvenanceGraph
from ..obligation import Obligation
from ..solver import Term, z3
from ..verdict import Bounded, Proved, Verdict, together
from .symbolic import Execution, Integer, always, term_of

MOST = 3
FEW = f"up to {MOST} positions"
RULES = ("schedules 3", "schedules 4")
VECTOR = Pos("i", "p", Access("A", ("i",), ("i",)), 0, 1)
MATRIX = Pos("j", "p", Access("A", ("i", "j"), ("i", "j")), 0, 2)


@dataclass(frozen=True, slots=True)
class Source:
    """An operand that is read: its levels."""

    levels: tuple[Level, ...]


class Stand:
    """In the place of the state: one operand, at whose root its access stands."""

    def __init__(self, levels: Sequence[Level]) -> None:
        self.sources = {"A": Source(tuple(levels))}
        self.workspaces: tuple[str, ...] = ()
        self.places: list[Any] = [0] * (len(levels) + 1)

    def standing_at(self, access: Access) -> tuple[list[Any], list[tuple[int, ...]]]:
        """Where the access stands."""
        return self.places, [() for _ in self.places]


def spaces(levels: Sequence[Level], places: Sequence[Any] = ()) -> Spaces:
    """Spaces over an operand with these levels, whose access stands at these places below its root."""
    stand = Stand(levels)
    stand.places[1:] = places or stand.places[1:]
    return Spaces(cast(State, stand), ProvenanceGraph((VECTOR,)))


Table = Callable[[Execution, int], tuple[Spaces, list[Integer]]]


def listed(run: Execution, count: int) -> tuple[Spaces, list[Integer]]:
    """A compressed level with so many positions, and the coordinates that they hold."""
    held = [run.integer(f"c{k}") for k in range(count)]
    return spaces([Compressed().bind({"pos": [0, count], "crd": held, "N": 9})]), held


def coordinates(spaces: Spaces, held: list[Integer], run: Execution) -> Term:
    """Whether the coordinate at a position is the one that is held there."""
    p = run.integer("p")
    run.assume(p.term >= 0, p.term < len(held))
    return at(p, held, spaces.coordinate(VECTOR, cast(int, p)))


def followers(spaces: Spaces, held: list[Integer], run: Execution) -> Term:
    """Whether the coordinate that follows a position is the one at the next."""
    p = run.integer("p")
    run.assume(p.term >= 0, p.term < len(held) - 1)
    return at(p, held[1:], spaces.following(VECTOR, cast(int, p)))


def at(p: Integer, held: list[Integer], value: Any) -> Term:
    """Whether a value is the one of a list at a place."""
    return z3.And(*[z3.Implies(p.term == k, term_of(value) == c.term) for k, c in enumerate(held)])


def windows(spaces: Spaces, held: list[Integer], run: Execution) -> Term:
    """Whether the window of some positions reaches from the least of their coordinates to the greatest."""
    begin, end = run.integer("begin"), run.integer("end")
    low, high = spaces.stored(VECTOR, lambda: cast(Any, (begin, end)))()
    inside = [z3.And(begin.term <= k, k < end.term) for k in range(len(held))]
    within = [z3.And(term_of(low) <= c.term, c.term < term_of(high)) for c in held]
    least = z3.Or(*[z3.And(here, term_of(low) == c.term) for here, c in zip(inside, held, strict=True)])
    greatest = z3.Or(*[z3.And(here, term_of(high) == c.term + 1) for here, c in zip(inside, held, strict=True)])
    holds = [z3.Implies(here, kept) for here, kept in zip(inside, within, strict=True)]
    return z3.And(*holds, z3.If(z3.Or(*inside), z3.And(least, greatest), term_of(low) == term_of(high)))


def segments(run: Execution, parents: int) -> Term:
    """Whether the positions below a root are those of all its children's children, and a position counts from the
    first of them."""
    pos = [run.integer(f"pos{k}") for k in range(parents + 1)]
    run.assume(*[before.term <= after.term for before, after in pairwise(pos)])
    q = run.integer("q")
    rows = Compressed().bind({"pos": [0, parents], "crd": list(range(parents)), "N": 9})
    columns = Compressed().bind({"pos": pos, "crd": [], "N": 9})
    found = spaces([rows, columns], (0, q))
    begin, end = found.segment(MATRIX)
    child = z3.Or(*[z3.And(first.term <= q.term, q.term < last.term) for first, last in pairwise(pos)])
    counted = term_of(found.position(MATRIX, 0)) == q.term - term_of(begin)
    return z3.And(child == z3.And(term_of(begin) <= q.term, q.term < term_of(end)), counted)


def branchless(run: Execution, parents: int) -> Term:
    """Whether the positions below a root, through a level that has one child for every parent, are its children's."""
    rows = Compressed().bind({"pos": [0, parents], "crd": list(range(parents)), "N": 9})
    columns = Singleton().bind({"crd": [run.integer(f"c{k}") for k in range(parents)], "N": 9})
    begin, end = spaces([rows, columns]).segment(MATRIX)
    return z3.And(term_of(begin) == 0, term_of(end) == parents)


Check = Callable[[Spaces, list[Integer], Execution], Term]


def on_lists(check: Check, table: Table = listed) -> Verdict:
    """The verdict on lists of all lengths that are looked at."""
    return few(lambda run, count: check(*table(run, count), run))


def counted(claim: Callable[[Execution, int], Term], count: int, run: Execution) -> Term:
    """A claim about so many positions."""
    return claim(run, count)


def few(claim: Callable[[Execution, int], Term]) -> Verdict:
    """The verdict on all numbers of positions that are looked at."""
    shown = {name: z3.Int(name) for name in ("p", "begin", "end", "q", *(f"c{k}" for k in range(MOST)))}
    found = together(always(partial(counted, claim, count), show=shown) for count in range(MOST + 1))
    return Bounded(FEW) if isinstance(found, Proved) else found


def obligations() -> tuple[Obligation, ...]:
    """What is taken for granted of storage."""
    return (
        Obligation(
            "relations.tables.coordinate",
            "The coordinate of a position is the one that is stored there.",
            lambda: on_lists(coordinates),
            RULES,
        ),
        Obligation(
            "relations.tables.following",
            "What follows a position is the coordinate at the next one.",
            lambda: on_lists(followers),
            RULES,
        ),
        Obligation(
            "relations.tables.window",
            "The window of a range of positions reaches from the least coordinate stored there to the greatest.",
            lambda: on_lists(windows),
            (*RULES, "schedules 9"),
        ),
        Obligation(
            "relations.tables.segment",
            "The positions below where an access stands are those of all its children, counted from the first.",
            lambda: few(segments),
            RULES,
        ),
        Obligation(
            "relations.tables.branchless",
            "Levels with one child for every parent have as many positions as these.",
            lambda: few(branchless),
            RULES,
        ),
    )
