"""Error bounds of functions: of libraries, which are off by a few ulps, and of those that jump, computed exactly."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

from .error_bound import LIBRARY, SLACK, UNKNOWN_PARTS, Bound, of_mul, rounding_bound
from .exact import (
    Exact,
    Pair,
    as_pair,
    cube_root,
    equal,
    is_finite,
    library,
    magnitude,
    mul,
    parts_of,
    power,
    sub,
    through,
)
from .roundoff import largest
from .spread import Spread, over_corners, spread_of_power

logarithms = through(library("log"))


def of_function(function: Callable[..., Exact], spread: Spread | None = None) -> Bound:
    """For library functions: a few ulps, and the spread of the function over the arguments' error boxes.

    Without a `spread`, the function is monotone in each argument. Nothing is claimed of complex functions of what is
    not finite, which libraries define as they like.
    """
    moved = over_corners(function) if spread is None else spread

    def bound(values: Sequence[Exact], bounds: Sequence[float], result: Exact, u: float) -> float:
        if any(math.isinf(b) for b in bounds) or any(is_on_branch_cut(v) for v in values):
            return math.inf
        if isinstance(result, Pair) and not all(is_finite(*parts_of(v)) for v in values):
            return math.inf
        if isinstance(result, Pair) and not is_finite(*parts_of(result)):
            return UNKNOWN_PARTS
        if any(b != 0 for b in bounds):
            return rounding_bound(result, moved(values, bounds, result), LIBRARY * u)
        return 0.0 if is_settled(values, result) else rounding_bound(result, 0.0, LIBRARY * u)

    return bound


def is_settled(values: Sequence[Exact], result: Exact) -> bool:
    """Whether C's Annexes F and G say what a function gives: 0 or 1 of 0 or 1, as in `cos(0)`, `log(1)`, `pow(x, 0)`.

    Of complex numbers every argument has to be one of these.
    """
    enough = all if isinstance(result, Pair) else any
    return is_zero_or_one(result) and enough(is_zero_or_one(v) for v in values)


def is_zero_or_one(value: Exact) -> bool:
    return equal(value, Fraction(0)) or equal(value, Fraction(1))


def is_on_branch_cut(value: Exact) -> bool:
    """Whether the sign of a zero, which exact arithmetic does not have, decides on which side of a cut a value lies."""
    return isinstance(value, Pair) and value.im == 0 and value.re < 0


def of_jumps(function: Callable[..., Exact]) -> Bound:
    """For rounding to integers, signs and orders, which are computed exactly: what lies in reach of the errors."""
    spread = over_corners(function)

    def bound(values: Sequence[Exact], bounds: Sequence[float], result: Exact, u: float) -> float:
        if any(e > 0 and (math.isinf(e) or not isinstance(v, Fraction)) for v, e in zip(values, bounds, strict=True)):
            return math.inf
        size = 0.0 if all(b == 0 for b in bounds) else spread(values, bounds, result)
        return size if size <= 2**24 else size * SLACK

    return bound


def of_cube(values: Sequence[Exact], bounds: Sequence[float], result: Exact, u: float) -> float:
    """Two products, one after the other."""
    (a,), (e,) = values, bounds
    square = mul(a, a)
    return of_mul((square, a), (of_mul((a, a), (e, e), square, u), e), result, u)


def of_cube_root(values: Sequence[Exact], bounds: Sequence[float], result: Exact, u: float) -> float:
    """A library function, of which no annex of C says that the root of 1 is 1."""
    found = library_cube_root(values, bounds, result, u)
    return max(found, LIBRARY * u) if equal(result, Fraction(1)) else found


def of_heaviside(values: Sequence[Exact], bounds: Sequence[float], result: Exact, u: float) -> float:
    """A step: the results on either side of zero, and the one that is given for zero, if they are in reach."""
    (a, middle), (e, given) = values, bounds
    if e > 0 and (math.isinf(e) or not isinstance(a, Fraction)):
        return math.inf
    if e == 0:
        return given if a == 0 else 0.0
    assert isinstance(a, Fraction)
    reached = [Fraction(0)] * (a - Fraction(e) < 0) + [Fraction(1)] * (a + Fraction(e) > 0)
    apart = [float(magnitude(sub(v, result))) * SLACK for v in reached]
    at_zero = [float(magnitude(sub(middle, result))) * SLACK + given] if abs(a) <= Fraction(e) else []
    return max([*apart, *at_zero])


library_cube_root = of_function(cube_root)


def of_power(values: Sequence[Exact], bounds: Sequence[float], result: Exact, u: float) -> float:
    """A library function; of complex numbers one that may go through the logarithm, whose error the exponent magnifies.

    Nothing is claimed of a complex power that comes near overflow or underflow, or whose logarithm does.
    """
    a, b = values
    if not isinstance(result, Pair) or not is_finite(*parts_of(a), *parts_of(b)) or magnitude(a) == 0:
        return real_power(values, bounds, result, u)
    (growth, turn), (re, im) = polar(a), (magnitude(part) for part in parts_of(as_pair(b)))
    magnified = (re + im) * (growth + turn)
    if not (re * growth + im * turn <= math.log(largest(u)) / 2 and magnified <= largest(u) / 4):
        return math.inf
    return real_power(values, bounds, result, u * (1 + magnified))


def polar(a: Exact) -> tuple[float, float]:
    """The absolute values of the real and the imaginary part of the logarithm of a finite number other than zero."""
    logarithm = as_pair(logarithms(as_pair(a)))
    return magnitude(logarithm.re), magnitude(logarithm.im)


real_power = of_function(through(power), spread_of_power)
