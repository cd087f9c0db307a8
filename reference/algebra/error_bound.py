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

import math
from collections.abc import Callable, Sequence

import numpy as np

from .exact import Exact, Pair, as_pair, equal, is_finite, is_infinite, magnitude, parts_of, sub
from .roundoff import is_representable, largest, overflow_threshold, overflows, smallest

Bound = Callable[[Sequence[Exact], Sequence[float], Exact, float], float]
SLACK = 1 + 2.0**-20
LIBRARY = 8
UNKNOWN_PARTS = 1.0


def infinite_if_nan(bound: float) -> float:
    """A bound as it may be used: what cannot be computed claims nothing.

    >>> infinite_if_nan(0.5), infinite_if_nan(math.nan)
    (0.5, inf)
    """
    return math.inf if math.isnan(bound) else bound


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
