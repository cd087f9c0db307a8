"""Implicit sums that do not say over what: in functions, divisors, reductions and products of sums."""

from __future__ import annotations

from hypothesis import strategies as st

from ...reference.algebra.operator import Operator
from ...reference.algebra.operators import ADD, DIV, MUL, OPERATORS, SUB
from ...reference.algebra.semirings import KNOWN, semiring
from ...reference.errors import ExpressionError
from ...reference.notation.reductions import LINEAR, is_product
from ...reference.notation.reinterpretation import distributes
from ...reference.notation.syntax import Access, Apply, Expr, Literal, Reduce
from ..programs.features import Features
from .invalid_program import (
    FOLDS,
    NEW,
    OTHER,
    SUMMED,
    Mistake,
    Written,
    append_term,
    fresh,
    program,
    ring_program,
)

BENT = tuple(o for o in OPERATORS.values() if o.arity == 1 and o not in LINEAR)
PAIRED = tuple(o for o in OPERATORS.values() if o.arity == 2 and o not in (ADD, SUB, DIV) and not is_product(o))
TWO, THREE = Literal(2), Literal(3)


def ambiguous(draw: st.DrawFn, features: Features, term: Expr, operator: Operator = ADD, *variables: str) -> Written:
    """A program with a term in which `z` is to be summed over implicitly."""
    drawn = program(draw, features, updates=(), masks=(), semirings=())
    return append_term(drawn, term, operator, Z=fresh(draw, features, drawn, *(variables or (OTHER,))))


def sum_in_function(draw: st.DrawFn, features: Features) -> Written:
    return ambiguous(draw, features, Apply(draw(st.sampled_from(BENT)), (SUMMED,)))


def sum_in_divisor(draw: st.DrawFn, features: Features) -> Written:
    return ambiguous(draw, features, SUMMED, DIV)


def sum_in_pair(draw: st.DrawFn, features: Features) -> Written:
    args: tuple[Expr, ...] = (SUMMED, TWO) if draw(st.booleans()) else (TWO, SUMMED)
    return ambiguous(draw, features, Apply(draw(st.sampled_from(PAIRED)), args))


def sum_in_reduction(draw: st.DrawFn, features: Features) -> Written:
    fold = draw(st.sampled_from([o for o in FOLDS if o is not ADD]))
    return ambiguous(draw, features, Reduce(fold, "w", Access(NEW, ("w", OTHER))), ADD, OTHER, OTHER)


def sum_in_each_factor(draw: st.DrawFn, features: Features) -> Written:
    left, right = (Apply(draw(st.sampled_from((ADD, SUB))), (SUMMED, number)) for number in (TWO, THREE))
    return ambiguous(draw, features, Apply(MUL, (left, right)))


def sum_that_does_not_move(draw: st.DrawFn, features: Features) -> Written:
    known = [name for name in features.semirings if not distributes(semiring(name))]
    fallback = [name for name, _ in KNOWN if not distributes(semiring(name))]
    drawn = ring_program(draw, features, semirings=tuple(known or fallback))
    return append_term(drawn, SUMMED, MUL, Z=fresh(draw, features, drawn, OTHER))


SUMS = {
    "an implicit sum inside a non-linear function": Mistake(
        ExpressionError, r"is summed over, but occurs inside \w+, which is not linear", sum_in_function
    ),
    "an implicit sum in a divisor": Mistake(
        ExpressionError, "is summed over, but occurs in the divisor of", sum_in_divisor
    ),
    "an implicit sum inside a function of two arguments": Mistake(
        ExpressionError, r"is summed over, but occurs inside \w+\((Z\(z\), 2|2, Z\(z\))\)", sum_in_pair
    ),
    "an implicit sum inside another reduction": Mistake(
        ExpressionError, r"is summed over, but occurs inside \w+\(w, Z\(w,z\)\)", sum_in_reduction
    ),
    "an implicit sum in factors that all have addends without it": Mistake(
        ExpressionError, "is summed over, but every factor of .* has an addend without it", sum_in_each_factor
    ),
    "an implicit sum that does not distribute": Mistake(
        ExpressionError,
        r"is summed over, but \* does not distribute over \+ here",
        sum_that_does_not_move,
        ("semirings",),
    ),
}
