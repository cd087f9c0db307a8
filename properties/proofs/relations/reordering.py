"""Reordering: nested reductions commute, and factors move past a reduction that they distribute over.

The steps of the inductions over the extents of two loops, from the laws alone, and the laws' consequences for every
operator with a reduction over the numbers that it computes with. (Kjolstad 2019; Senanayake 2020, section 4, reorder.)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ....reference.algebra.operator import Operator
from ....reference.algebra.operators import DECLARED
from ..obligation import Obligation
from ..operators.laws import laws
from ..operators.operator_laws import holds, kinds
from ..solver import Term, decide, z3
from ..verdict import Unknown, Verdict, together

NUMBER = z3.DeclareSort("number")
PLUS = z3.Function("plus", NUMBER, NUMBER, NUMBER)
TIMES = z3.Function("times", NUMBER, NUMBER, NUMBER)
RULE = "schedule.reorder.requires"
EXACT = ("integers", "reals", "complex", "booleans")
"""The numbers between which no rounding and no overflow stands."""


def numbers(names: str) -> list[Term]:
    """Numbers of which nothing is known."""
    return [z3.Const(name, NUMBER) for name in names.split()]


def commutes(a: Term, b: Term) -> Term:
    """An instance of the commutative law."""
    return PLUS(a, b) == PLUS(b, a)


def associates(a: Term, b: Term, c: Term) -> Term:
    """An instance of the associative law."""
    return PLUS(PLUS(a, b), c) == PLUS(a, PLUS(b, c))


def block() -> Verdict:
    """Whether two sums of two are the two sums of their firsts and of their seconds."""
    a, b, c, d = numbers("a b c d")
    goal = PLUS(PLUS(a, b), PLUS(c, d)) == PLUS(PLUS(a, c), PLUS(b, d))
    given = [
        associates(a, b, PLUS(c, d)),
        associates(b, c, d),
        commutes(b, c),
        associates(c, b, d),
        associates(a, c, PLUS(b, d)),
    ]
    return decide(goal, given=given)


def by_rows() -> Verdict:
    """Whether reducing two rows at once, to their sums, is reducing each and combining: from n columns to n + 1.

    `first`, `second` and `sums` are the reductions of n columns.
    """
    first, second, sums, a, b = numbers("first second sums a b")
    step = PLUS(PLUS(first, second), PLUS(a, b)) == PLUS(PLUS(first, a), PLUS(second, b))
    goal = PLUS(sums, PLUS(a, b)) == PLUS(PLUS(first, a), PLUS(second, b))
    return decide(goal, given=[sums == PLUS(first, second), step])


def in_either_order() -> Verdict:
    """Whether reducing rows first and reducing columns first agree: from n rows to n + 1.

    `rows` and `columns` are the reductions of n rows in either order, `row` is that of the next one, `joined` that of
    the columns with the next row: the reduction of the columns, combined with the row.
    """
    rows, columns, row, joined = numbers("rows columns row joined")
    return decide(PLUS(rows, row) == joined, given=[rows == columns, joined == PLUS(columns, row)])


def by_factor() -> Verdict:
    """Whether a factor may be applied to what is reduced instead of to the reduction: from n values to n + 1.

    `total` is the reduction of n values, `scaled` that of the values with the factor.
    """
    total, scaled, a, factor = numbers("total scaled a factor")
    law = TIMES(PLUS(total, a), factor) == PLUS(TIMES(total, factor), TIMES(a, factor))
    goal = TIMES(PLUS(total, a), factor) == PLUS(scaled, TIMES(a, factor))
    return decide(goal, given=[TIMES(total, factor) == scaled, law])


def present() -> Verdict:
    """Whether an operator that combines what is present only is commutative and associative if it is on numbers."""
    maybe = z3.Datatype("maybe")
    maybe.declare("absent")
    maybe.declare("held", ("value", NUMBER))
    kind = maybe.create()
    a, b, c = (z3.Const(name, kind) for name in "abc")
    x, y, z = (kind.value(each) for each in (a, b, c))

    def combine(p: Term, q: Term) -> Term:
        both = kind.held(PLUS(kind.value(p), kind.value(q)))
        return z3.If(p == kind.absent, q, z3.If(q == kind.absent, p, both))

    swapped = decide(combine(a, b) == combine(b, a), given=[commutes(x, y)])
    grouped = combine(combine(a, b), c) == combine(a, combine(b, c))
    return together([swapped, decide(grouped, given=[associates(x, y, z)])])


def obligations() -> tuple[Obligation, ...]:
    """The inductions, and their laws for every operator that reduces."""
    general = (
        ("block", "Four values combine alike by rows and by columns, if the operator commutes and associates.", block),
        (
            "added",
            "Reducing the sums of two rows is reducing each row and combining: the step of induction.",
            by_rows,
        ),
        ("nested", "Two nested reductions give the same in either order: the step of induction.", in_either_order),
        (
            "factor",
            "A factor that distributes moves past a reduction of any length: the step of induction.",
            by_factor,
        ),
        ("present", "Combining what is present only commutes and associates if the operator does.", present),
    )
    return (
        *(Obligation(f"relations.reorder.{name}", text, prove, (RULE,)) for name, text, prove in general),
        *(each for operator in reductions() for each in of_operator(operator)),
    )


def reductions() -> tuple[Operator, ...]:
    """The operators that reduce."""
    return tuple(operator for operator in DECLARED if operator.reduction is not None)


def of_operator(operator: Operator) -> Iterator[Obligation]:
    """The laws of one operator, as reorder uses them."""
    name = operator.name
    yield Obligation(
        f"relations.reorder.interchange.{name}",
        f"Two nested reductions by {name} commute.",
        partial(interchanges, operator),
        (RULE, "schedule.race"),
    )
    for outer in DECLARED:
        if name in outer.distributes_over:
            yield Obligation(
                f"relations.reorder.moves.{outer.name}.{name}",
                f"What {outer.name} combines with a reduction by {name} may be combined with what is reduced.",
                partial(moves, outer, operator),
                (RULE,),
            )


def is_unordered(operator: Operator) -> Verdict:
    """Whether an operator commutes and associates over all numbers that it computes with."""
    return together(found for name in ("commutative", "associative") for found in law_of(operator, name))


def law_of(operator: Operator, *names: str) -> Iterator[Verdict]:
    """The verdicts on laws that an operator declares; unknown if it does not."""
    found = [law for law in laws(operator) if law.name in names]
    if len(found) < len(names):
        yield Unknown(f"{operator.name} does not declare that it is {' and '.join(names)}")
    for law in found:
        yield from (holds(law, kind) for kind in kinds(law) if kind in EXACT)


def interchanges(operator: Operator) -> Verdict:
    """Whether the block of four combines alike by rows and by columns, by the laws of an operator."""
    return together([is_unordered(operator), block()])


def moves(outer: Operator, reduced: Operator) -> Verdict:
    """Whether an operator distributes over a reduction from both sides."""
    name = f"distributes_over_{reduced.name}"
    return together(law_of(outer, f"{name}.left", f"{name}.right"))
