"""Spreads: how far a function moves over the error box of its arguments, computed without rounding."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from fractions import Fraction

from .exact import DIGITS, Exact, Pair, library, magnitude, power, sub, through, to_mpmath

Spread = Callable[[Sequence[Exact], Sequence[float], Exact], float]


def over_corners(function: Callable[..., Exact]) -> Spread:
    """How far a function that is monotone in each argument moves: most at a corner of the error box."""

    def spread(values: Sequence[Exact], bounds: Sequence[float], result: Exact) -> float:
        corners = itertools.product(*(ends(v, e) for v, e in zip(values, bounds, strict=True)))
        return max(magnitude(sub(function(*corner), result)) for corner in corners)

    return spread


def ends(value: Exact, error: float) -> tuple[Exact, ...]:
    """A value moved by its error either way; NaN where that has no meaning."""
    if error == 0:
        return (value,)
    if not isinstance(value, Fraction) or math.isinf(error):
        return (math.nan,)
    return (value - Fraction(error), value + Fraction(error))


def of_wave(values: Sequence[Exact], bounds: Sequence[float], result: Exact) -> float:
    """The spread of sine and cosine, which are 1-Lipschitz and bounded by 1."""
    return math.inf if magnitude(values[0]) == math.inf or isinstance(result, Pair) else min(bounds[0], 2.0)


def of_tangent(values: Sequence[Exact], bounds: Sequence[float], result: Exact) -> float:
    """The spread of the tangent, which is monotone between two poles."""
    import mpmath

    corners = ends(values[0], bounds[0])
    with mpmath.workdps(DIGITS):
        branches = {str(mpmath.floor(to_mpmath(x) / mpmath.pi + 0.5)) for x in corners}
    return tangents(values, bounds, result) if len(corners) == 2 and len(branches) == 1 else math.inf


tangents = over_corners(through(library("tan")))
powers = over_corners(through(power))


def spread_of_power(values: Sequence[Exact], bounds: Sequence[float], result: Exact) -> float:
    """The spread of a power: of a positive base it is monotone in both, of a negative one for an integral exponent."""
    (a, b), (ea, eb) = values, bounds
    if not isinstance(a, Fraction) or not isinstance(b, Fraction) or (abs(a) <= Fraction(ea) and ea > 0):
        return math.inf
    return math.inf if a < 0 and (eb > 0 or b.denominator != 1) else powers(values, bounds, result)
