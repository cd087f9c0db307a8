"""Forward error bounds: how far a floating-point computation may be from the exact result.

Every operator bounds the error of its result from the magnitudes and error bounds of its arguments, with unit roundoff
`u` (2^-24 or 2^-53); a reduction is bounded for any association of its terms. Integers and Booleans have `u = 0`.
(Higham, Accuracy and Stability of Numerical Algorithms, chapters 2 to 4.) Bounds are floats, inflated a little so
that their own rounding does no harm. An infinite bound claims nothing: the computed value may be any, NaN as well.

A result that may overflow keeps its bound, and then an infinity agrees with it; as an argument it has none.

The bound of a complex number is one for each part that is finite; infinite parts are certain. Of a product or quotient
that is not finite it is not claimed which part is what: its exact parts are NaN, and NaN within a bound is anything.
"""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

import mpmath
import numpy as np

from .exact import (
    DIGITS,
    Exact,
    Pair,
    as_pair,
    equal,
    is_finite,
    is_infinite,
    magnitude,
    power,
    sub,
    through,
    to_mpmath,
)

Bound = Callable[[Sequence[Exact], Sequence[float], Exact, float], float]
Spread = Callable[[Sequence[Exact], Sequence[float], Exact], float]
SLACK = 1 + 2.0**-20
LIBRARY = 8
SUBNORMALS = 16
UNKNOWN_PARTS = 1.0
LARGEST_SINGLE = float(np.finfo(np.float32).max)


def roundoff(dtype: np.dtype) -> float:
    """The unit roundoff of a dtype; 0 if its arithmetic is exact."""
    if dtype.kind not in "fc":
        return 0.0
    u = float(np.finfo(dtype).eps) / 2
    return 4 * u if dtype.kind == "c" else u


def infinite_if_nan(bound: float) -> float:
    """A bound as it may be used: what cannot be computed claims nothing.

    >>> infinite_if_nan(0.5), infinite_if_nan(math.nan)
    (0.5, inf)
    """
    return math.inf if math.isnan(bound) else bound


def is_double(u: float) -> bool:
    """Whether a unit roundoff, or a small multiple of one, is that of double precision."""
    return u < 2.0**-40


def smallest(u: float) -> float:
    """What underflow can lose, for the dtype with that unit roundoff: some of its smallest subnormals."""
    return 0.0 if u == 0 else SUBNORMALS * (2.0**-1074 if is_double(u) else 2.0**-149)


def largest(u: float) -> float:
    """The largest finite number of the dtype with that unit roundoff."""
    return math.inf if u == 0 else sys.float_info.max if is_double(u) else LARGEST_SINGLE


def of_argument(value: Exact, bound: float, dtype: np.dtype) -> float:
    """The bound of an intermediate result: none if it may have overflowed."""
    parts = (value.re, value.im) if isinstance(value, Pair) else (value,)
    top = overflow_threshold(dtype)
    if math.isinf(top) or not is_finite(*parts):
        return bound
    size = max(magnitude(part) for part in parts)
    return math.inf if size > top or (bound > 0 and size + bound > top) else bound


def rounding_bound(result: Exact, error: float, u: float) -> float:
    """The bound after rounding a result that is off by `error`."""
    if error == 0 and u == 0:
        return 0.0
    if not math.isfinite(error):
        return math.inf
    if isinstance(result, Pair) and not is_finite(*parts_of(result)):
        return max(error, *(rounding_bound(part, error, u) for part in parts_of(result) if is_finite(part)), 0.0)
    size = magnitude(result)
    if math.isinf(size):
        certain = not is_finite(*parts_of(result)) or overflows(result, u)
        return 0.0 if error == 0 and certain else math.inf
    return (error + u * (size + error) + smallest(u)) * SLACK


def parts_of(value: Exact) -> tuple[Fraction | float, ...]:
    """The real and the imaginary part; of a real itself."""
    return (value.re, value.im) if isinstance(value, Pair) else (value,)


def overflows(result: Exact, u: float) -> bool:
    """Whether a result is infinite in double precision even if rounding moves it towards zero."""
    return isinstance(result, Fraction) and abs(result) * (1 - 2 * Fraction(u)) > 2**1024


def correctly_rounded(result: Exact, error: float, u: float) -> float:
    """The bound of an operation that gives the nearest number: exact on exact arguments if the dtype has the result."""
    return 0.0 if error == 0 and is_representable(result, u) else rounding_bound(result, error, u)


def of_add(values: Sequence[Exact], bounds: Sequence[float], result: Exact, u: float) -> float:
    return correctly_rounded(result, sum(bounds), u)


def of_mul(values: Sequence[Exact], bounds: Sequence[float], result: Exact, u: float) -> float:
    (a, b), (ea, eb) = values, bounds
    if u > 0 and math.isinf(ea + eb):
        return math.inf
    error = times(magnitude(a), eb) + times(magnitude(b), ea) + times(ea, eb)
    if not isinstance(result, Pair):
        return correctly_rounded(result, error, u)
    if is_finite(*parts_of(a), *parts_of(b)) and times(magnitude(a) + ea, magnitude(b) + eb) > largest(u) / 2:
        return math.inf
    return in_some_part(result, rounding_bound(result, error, u))


def in_some_part(result: Pair, bound: float) -> float:
    """The bound of a complex product or quotient: of one that is not finite is only claimed that it is not."""
    return bound if is_finite(*parts_of(result)) else max(bound, UNKNOWN_PARTS)


def times(a: float, b: float) -> float:
    """A product in which zero wins over infinity: no error stays no error."""
    return 0.0 if a == 0 or b == 0 else a * b


def of_div(values: Sequence[Exact], bounds: Sequence[float], result: Exact, u: float) -> float:
    """From `(a + x) / (b + y) - a / b = (x - y a / b) / (b + y)`."""
    (a, b), (ea, eb) = values, bounds
    if isinstance(result, Pair) and is_finite(*parts_of(a), *parts_of(b)):
        return in_some_part(result, of_complex_div(values, bounds, result, u))
    if isinstance(result, Pair) and not is_finite(*parts_of(result)):
        return math.inf if math.isinf(ea + eb) or may_be_infinite(b, eb) else UNKNOWN_PARTS
    if ea == 0 and eb == 0:
        return correctly_rounded(result, 0.0, u)
    if math.isinf(ea + eb):
        return math.inf
    size = magnitude(b)
    if math.isinf(size):
        return rounding_bound(result, 0.0, u)
    return rounding_bound(result, quotient_error(magnitude(result), size, ea, eb), u)


def may_be_infinite(divisor: Exact, error: float) -> bool:
    """Whether a complex divisor is infinite, or one of unknown parts: some divisions make zero of a quotient by it."""
    parts = parts_of(divisor)
    return any(is_infinite(part) for part in parts) or (error > 0 and not is_finite(*parts))


def quotient_error(quotient: float, divisor: float, ea: float, eb: float) -> float:
    """How far a quotient moves if its numerator moves by `ea` and its divisor by `eb`."""
    room = math.nextafter(divisor, 0.0) * (1 - 2.0**-30) - eb
    return (ea + times(quotient, eb)) / room * SLACK if room > 0 else math.inf


def of_complex_div(values: Sequence[Exact], bounds: Sequence[float], result: Exact, u: float) -> float:
    """For Smith's method and those with scaling: twice the roundings, which underflow magnifies by the divisor.

    What they add and multiply is at most eight times the largest operand, or the reciprocal of the divisor.
    """
    (a, b), (ea, eb) = values, bounds
    if max(magnitude(a) + ea, magnitude(b) + eb) > largest(u) / 8:
        return math.inf
    if magnitude(b) == 0 and eb == 0:
        return rounding_bound(result, ea, u)
    if (magnitude(b) - eb) * largest(u) < 8:
        return math.inf
    lost = smallest(u)
    error = quotient_error(magnitude(result), magnitude(b) / SLACK, ea + lost, eb + lost)
    return rounding_bound(result, error, 2 * u)


def of_choice(values: Sequence[Exact], bounds: Sequence[float], result: Exact, u: float) -> float:
    """For min, max, abs and the like: 1-Lipschitz and computed without rounding."""
    return max(bounds)


def of_step(values: Sequence[Exact], bounds: Sequence[float], result: Exact, u: float) -> float:
    """For truth, remainders and other steps: of exact arguments a rounded result, else anything.

    An integral quotient comes from a rounded one, of which large ones have lost the last digits.
    """
    if any(b != 0 for b in bounds):
        return math.inf
    if u == 0 or (is_representable(result, u) and magnitude(result) * 8 * u <= 1):
        return 0.0
    return rounding_bound(result, 0.0, 4 * u)


def of_jumps(function: Callable[..., Exact]) -> Bound:
    """For rounding to integers, signs and orders, which are computed exactly: what lies in reach of the errors."""
    spread = over_corners(function)

    def bound(values: Sequence[Exact], bounds: Sequence[float], result: Exact, u: float) -> float:
        if any(e > 0 and (math.isinf(e) or not isinstance(v, Fraction)) for v, e in zip(values, bounds, strict=True)):
            return math.inf
        size = 0.0 if all(b == 0 for b in bounds) else spread(values, bounds, result)
        return size if size <= 2**24 else size * SLACK

    return bound


def of_equality(values: Sequence[Exact], bounds: Sequence[float], result: Exact, u: float) -> float:
    """Certain between equal exact arguments, and where the errors do not meet."""
    (a, b), error = values, sum(bounds)
    if error == 0:
        return 0.0
    if not any(is_finite(*parts_of(v)) for v in values):
        return 1.0
    apart = sub(as_pair(a), as_pair(b))
    return 0.0 if any(magnitude(part) > error * SLACK for part in parts_of(apart)) else 1.0


def of_conversion(values: Sequence[Exact], bounds: Sequence[float], result: Exact, u: float) -> float:
    """Exact for a value that the dtype holds. A Boolean is certain unless the error reaches zero."""
    if u == 0:
        return max(bounds[0], 1.0) if 0 < bounds[0] >= magnitude(values[0]) else bounds[0]
    if bounds[0] == 0 and is_representable(result, u) and equal(result, values[0]):
        return 0.0
    return rounding_bound(result, bounds[0], u)


def of_magnitude(values: Sequence[Exact], bounds: Sequence[float], result: Exact, u: float) -> float:
    """Exact for reals; of complex numbers a library function.

    Nothing is claimed of the size of what is not a number: C's complex products make some of them infinite.
    """
    if not isinstance(values[0], Pair):
        return bounds[0]
    if result == math.inf and math.isfinite(bounds[0]):
        return 0.0
    return math.inf if result != result else rounding_bound(result, bounds[0], LIBRARY * u)


def of_part(values: Sequence[Exact], bounds: Sequence[float], result: Exact, u: float) -> float:
    """For the parts of a complex number: its bound where they are finite."""
    if is_finite(*parts_of(result)) or bounds[0] == 0 or math.isinf(bounds[0]):
        return bounds[0]
    return math.inf if result != result else 0.0


def is_representable(value: Exact, u: float) -> bool:
    """Whether a binary format holds a value exactly: its digits, with an exponent far from the ends of its range.

    >>> from gnomon.reference.algebra.exact import exact
    >>> is_representable(exact(0.5), 2.0**-24), is_representable(exact(0.1), 2.0**-24)
    (True, False)
    """
    match value:
        case Pair(re=re, im=im):
            return is_representable(re, u) and is_representable(im, u)
        case float():
            return True
        case _:
            odd = abs(value.numerator)
            odd //= (odd & -odd) or 1
            scale = value.denominator
            digits = 53 if is_double(u) else 24
            return scale & (scale - 1) == 0 and odd.bit_length() <= digits and scale <= 2**100 and abs(value) <= 2**100


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
    corners = ends(values[0], bounds[0])
    with mpmath.workdps(DIGITS):
        branches = {str(mpmath.floor(to_mpmath(x) / mpmath.pi + 0.5)) for x in corners}
    return tangents(values, bounds, result) if len(corners) == 2 and len(branches) == 1 else math.inf


tangents = over_corners(through(mpmath.tan))
powers = over_corners(through(power))
logarithms = through(mpmath.log)


def spread_of_power(values: Sequence[Exact], bounds: Sequence[float], result: Exact) -> float:
    """The spread of a power: of a positive base it is monotone in both, of a negative one for an integral exponent."""
    (a, b), (ea, eb) = values, bounds
    if not isinstance(a, Fraction) or not isinstance(b, Fraction) or (abs(a) <= Fraction(ea) and ea > 0):
        return math.inf
    return math.inf if a < 0 and (eb > 0 or b.denominator != 1) else powers(values, bounds, result)


def of_power(values: Sequence[Exact], bounds: Sequence[float], result: Exact, u: float) -> float:
    """A library function; of complex numbers one that may go through the logarithm, whose error the exponent magnifies.

    Nothing is claimed of a complex power that comes near overflow or underflow.
    """
    a, b = values
    if not isinstance(result, Pair) or not is_finite(*parts_of(a), *parts_of(b)) or magnitude(a) == 0:
        return real_power(values, bounds, result, u)
    (growth, turn), (re, im) = polar(a), (magnitude(part) for part in parts_of(as_pair(b)))
    if not re * growth + im * turn <= math.log(largest(u)) / 2:
        return math.inf
    return real_power(values, bounds, result, u * (1 + (re + im) * (growth + turn)))


def polar(a: Exact) -> tuple[float, float]:
    """The absolute values of the real and the imaginary part of the logarithm of a finite number other than zero."""
    logarithm = as_pair(logarithms(as_pair(a)))
    return magnitude(logarithm.re), magnitude(logarithm.im)


real_power = of_function(through(power), spread_of_power)


def of_sum(values: Sequence[Exact], bounds: Sequence[float], result: Exact, u: float) -> float:
    """Any association of n terms: `n u` times the sum of magnitudes; no bound if a partial sum may overflow.

    One that overflows the way that an infinite sum goes does no harm.
    """
    error = sum(bounds)
    if math.isinf(error) or any(may_cancel(p, error, r, u) for p, r in parts_apart(values, result)):
        return math.inf
    if isinstance(result, Pair) and not is_finite(*parts_of(result)):
        return max(error, *(of_sum(p, bounds, r, u) for p, r in parts_apart(values, result) if is_finite(r)), 0.0)
    if any(math.isinf(magnitude(v)) for v in values):
        return error if error == 0 and any(not is_finite(*parts_of(v)) for v in values) else math.inf
    sizes = sum(magnitude(v) for v in values) + error
    if sizes >= largest(u):
        return math.inf
    return (error + len(values) * u * sizes * SLACK) * SLACK


def may_cancel(values: Sequence[Exact], error: float, result: Exact, u: float) -> bool:
    """Whether a partial sum of finite terms may overflow against an infinite sum, and leave no number of it."""
    against = [v for v in values if isinstance(v, Fraction) and is_infinite(result) and (v > 0) != (result > 0)]
    return bool(against) and sum(magnitude(v) for v in against) + error >= largest(u)


def parts_apart(values: Sequence[Exact], result: Exact) -> Iterator[tuple[list[Exact], Fraction | float]]:
    """The real parts of some numbers and that of a result, then the imaginary ones."""
    pairs, whole = [as_pair(v) for v in values], as_pair(result)
    yield [z.re for z in pairs], whole.re
    yield [z.im for z in pairs], whole.im


def of_product(values: Sequence[Exact], bounds: Sequence[float], result: Exact, u: float) -> float:
    """Any association of n factors: their own errors, a rounding for each, and what a partial product underflows by.

    No bound if a partial product may overflow.
    """
    if u == 0 and all(e == 0 for e in bounds):
        return 0.0
    if u > 0 and any(math.isinf(e) for e in bounds):
        return math.inf
    if not all(is_finite(*parts_of(v)) for v in values):
        return of_infinite_product(values, bounds, result, u)
    exacts = approximates = most = 1.0
    for v, e in zip(values, bounds, strict=True):
        exacts, approximates = times(exacts, magnitude(v)), times(approximates, magnitude(v) + e)
        most *= max(1.0, magnitude(v) + e)
    if 2 * most >= largest(u):
        return math.inf
    n = len(values)
    roundings = math.expm1(4 * n * max(u, 2.0**-53))
    error = approximates - exacts + approximates * roundings + n * smallest(u) * most
    return error * SLACK if math.isfinite(error) else math.inf


def of_infinite_product(values: Sequence[Exact], bounds: Sequence[float], result: Exact, u: float) -> float:
    """A product of reals with an infinite factor: certain, unless a partial product of others may become zero."""
    if isinstance(result, Pair):
        return math.inf
    least = 1.0
    for v, e in zip(values, bounds, strict=True):
        least *= 1.0 if v == 0 and e == 0 else min(1.0, max(magnitude(v) - e, 0.0))
    return 0.0 if least * u > smallest(u) else math.inf


def overflow_threshold(dtype: np.dtype) -> float:
    """The largest finite number of an inexact dtype."""
    return float(np.finfo(dtype).max) if dtype.kind in "fc" else math.inf
