"""Tuples: the numbers by which a fused merge compares coordinates order them as tuples (docs/spec/loops)."""

from __future__ import annotations

from functools import reduce

from ....generator.loops.fused import BEYOND_INDEX
from ..solver import Term, decide, z3
from ..verdict import Verdict, together

LARGEST_INDEX = 2**31 - 1
DEEPEST = 7
"""The longest chain that is looked at: four numbers."""


def tuples() -> Verdict:
    """Whether numbers of two coordinates, and the first ones that differ, are ordered as whole tuples are."""
    return together(of_length(n) for n in range(1, DEEPEST + 1))


def of_length(n: int) -> Verdict:
    """Whether that holds of tuples of `n` coordinates that fit into 32 bits."""
    left, right = ([z3.Int(f"{side}{k}") for k in range(n)] for side in ("left", "right"))
    given = [z3.And(c >= 0, c <= LARGEST_INDEX) for c in (*left, *right)]
    one, other = first_difference(numbers(left), numbers(right))
    equal = z3.And([a == b for a, b in zip(left, right, strict=True)])
    goal = z3.And((one == other) == equal, (one <= other) == z3.Not(precedes(right, left)))
    return decide(goal, given=given, show={str(c): c for c in (*left, *right)})


def numbers(coordinates: list[Term]) -> list[Term]:
    """The numbers of a tuple, each of two coordinates if there are two."""
    pairs = [coordinates[k : k + 2] for k in range(0, len(coordinates), 2)]
    return [reduce(lambda number, c: number * BEYOND_INDEX + c, rest, first) for first, *rest in pairs]


def first_difference(left: list[Term], right: list[Term]) -> tuple[Term, Term]:
    """The first numbers that differ; the last ones if none do."""
    *before, one = left
    *above, other = right
    for a, b in reversed(list(zip(before, above, strict=True))):
        one, other = z3.If(a != b, a, one), z3.If(a != b, b, other)
    return one, other


def precedes(left: list[Term], right: list[Term]) -> Term:
    """Whether a tuple comes before another."""
    found = z3.BoolVal(False)
    for a, b in reversed(list(zip(left, right, strict=True))):
        found = z3.Or(a < b, z3.And(a == b, found))
    return found
