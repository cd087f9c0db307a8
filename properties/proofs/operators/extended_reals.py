"""Extended reals: the reals with infinities and NaN, as exact arithmetic has them (`exact.py`)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache, reduce
from typing import Any

import numpy as np

from ....reference.algebra.dtypes import Number
from ..solver import Term, z3
from .carrier_terms import Named, cases, floor, rational


class ExtendedReals(Named, frozen=True):
    """The reals with infinities and NaN, which follow IEEE 754 as in `exact.py`: the zero is a positive one."""

    @property
    def sort(self) -> Term:
        return extended_sort()

    def variable(self, name: str) -> Term:
        return z3.Const(name, extended_sort())

    def constant(self, value: Number) -> Term:
        """The exact value. Raises ValueError for a complex number."""
        if isinstance(value, float | np.floating) and math.isnan(value):
            return extended_sort().nan
        if isinstance(value, float | np.floating) and math.isinf(value):
            return extended_sort().infinity if value > 0 else extended_sort().minus_infinity
        return extended_sort().finite(rational(value))

    def within(self, a: Term) -> Term:
        """Whether a term is a number: laws leave NaN out (`operator.laws`)."""
        return z3.Not(is_nan(a))

    def is_finite(self, a: Term) -> Term:
        """Whether a term is a real number."""
        return extended_sort().is_finite(a)

    def primitive(self, symbol: str, args: Sequence[Term]) -> Term | None:
        """What a symbol means; None if it means nothing here."""
        if symbol == "^":
            return whole_power(*args)
        found = EXTENDED.get((symbol, len(args)))
        return None if found is None else found(*args)


@cache
def extended_sort() -> Any:
    """The sort of reals with infinities and NaN."""
    sort = z3.Datatype("Extended")
    sort.declare("finite", ("real", z3.RealSort()))
    sort.declare("infinity")
    sort.declare("minus_infinity")
    sort.declare("nan")
    return sort.create()


def whole_power(a: Term, b: Term) -> Term | None:
    """A power of which the exponent is 1, 2, 3 and so on; None for others.

    >>> number = ExtendedReals()
    >>> z3.simplify(whole_power(number.constant(float("-inf")), number.constant(3)))
    minus_infinity
    >>> whole_power(number.constant(2.0), number.constant(0.5)), whole_power(number.constant(2.0), number.variable("n"))
    (None, None)
    """
    if b.decl() != extended_sort().finite or not z3.is_rational_value(b.arg(0)):
        return None
    exponent = b.arg(0).as_fraction()
    if exponent.denominator != 1 or exponent < 1:
        return None
    return reduce(EXTENDED["*", 2], [a] * int(exponent))


def is_nan(*args: Term) -> Term:
    return z3.Or([extended_sort().is_nan(a) for a in args])


def sign(a: Term) -> Term:
    """-1, 0 or 1 for what is not NaN."""
    e = extended_sort()
    size = z3.If(e.is_infinity(a), z3.RealVal(1), z3.If(e.is_minus_infinity(a), z3.RealVal(-1), e.real(a)))
    return z3.If(size > 0, z3.RealVal(1), z3.If(size < 0, z3.RealVal(-1), z3.RealVal(0)))


def infinite(a: Term) -> Term:
    return z3.Or(extended_sort().is_infinity(a), extended_sort().is_minus_infinity(a))


def signed_infinity(s: Term) -> Term:
    """The infinity of a sign, NaN for 0."""
    e = extended_sort()
    return cases((s > 0, e.infinity), (s < 0, e.minus_infinity), otherwise=e.nan)


def negate(a: Term) -> Term:
    e = extended_sort()
    return cases(
        (e.is_nan(a), e.nan),
        (e.is_infinity(a), e.minus_infinity),
        (e.is_minus_infinity(a), e.infinity),
        otherwise=e.finite(-e.real(a)),
    )


def add(a: Term, b: Term) -> Term:
    e = extended_sort()
    return cases(
        (z3.Or(is_nan(a, b), z3.And(infinite(a), infinite(b), a != b)), e.nan),
        (infinite(a), a),
        (infinite(b), b),
        otherwise=e.finite(e.real(a) + e.real(b)),
    )


def multiply(a: Term, b: Term) -> Term:
    e = extended_sort()
    return cases(
        (is_nan(a, b), e.nan),
        (z3.Or(infinite(a), infinite(b)), signed_infinity(sign(a) * sign(b))),
        otherwise=e.finite(e.real(a) * e.real(b)),
    )


def divide(a: Term, b: Term) -> Term:
    e = extended_sort()
    return cases(
        (z3.Or(is_nan(a, b), z3.And(infinite(a), infinite(b))), e.nan),
        (infinite(b), e.finite(z3.RealVal(0))),
        (infinite(a), z3.If(sign(b) >= 0, a, negate(a))),
        (e.real(b) == 0, signed_infinity(sign(a))),
        otherwise=e.finite(e.real(a) / e.real(b)),
    )


def floor_term(a: Term) -> Term:
    e = extended_sort()
    return z3.If(e.is_finite(a), e.finite(floor(e.real(a))), a)


def less(a: Term, b: Term) -> Term:
    e = extended_sort()
    below = z3.And(e.is_finite(a), e.is_finite(b), e.real(a) < e.real(b))
    ends = z3.Or(z3.And(e.is_minus_infinity(a), a != b), z3.And(e.is_infinity(b), a != b))
    return z3.And(z3.Not(is_nan(a, b)), z3.Or(below, ends))


def equal(a: Term, b: Term) -> Term:
    return z3.And(z3.Not(is_nan(a, b)), a == b)


EXTENDED: dict[tuple[str, int], Callable[..., Term]] = {
    ("+", 2): add,
    ("-", 1): negate,
    ("-", 2): lambda a, b: add(a, negate(b)),
    ("*", 2): multiply,
    ("/", 2): divide,
    ("to_int", 1): floor_term,
    ("abs", 1): lambda a: z3.If(less(a, ExtendedReals().constant(0)), negate(a), a),
    ("=", 2): equal,
    ("<", 2): less,
    (">", 2): lambda a, b: less(b, a),
    ("<=", 2): lambda a, b: z3.Or(less(a, b), equal(a, b)),
    (">=", 2): lambda a, b: z3.Or(less(b, a), equal(a, b)),
}
