"""Forward error bounds: how far a floating-point computation may be from the exact result.

Every operator bounds the error of its result from the magnitudes and error bounds of its arguments, with unit roundoff
`u` (2^-24 or 2^-53); a reduction is bounded for any association of its terms. Integers and Booleans have `u = 0`.
(Higham, Accuracy and Stability of Numerical Algorithms, chapters 2 to 4.) Bounds are floats, inflated a little so
that their own rounding does no harm.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence

import numpy as np

from .exact import Exact, Pair, approximate, exact, magnitude

Bound = Callable[[Sequence[Exact], Sequence[float], Exact, float], float]
SLACK = 1 + 2.0**-20
LIBRARY = 8
LARGEST_SINGLE = float(np.finfo(np.float32).max)


def roundoff(dtype: np.dtype) -> float:
    """The unit roundoff of a dtype; 0 if its arithmetic is exact."""
    if dtype.kind not in "fc":
        return 0.0
    u = float(np.finfo(dtype).eps) / 2
    return 4 * u if dtype.kind == "c" else u


def smallest(u: float) -> float:
    """What underflow can lose, for the dtype with that unit roundoff."""
    return 0.0 if u == 0 else 2.0**-1073 if u < 2.0**-40 else 2.0**-148


def rounded(result: Exact, error: float, u: float) -> float:
    """The bound after rounding a result that is off by `error`."""
    if error == 0 and u == 0:
        return 0.0
    if not math.isfinite(error):
        return math.inf
    size = magnitude(result)
    if math.isinf(size):
        return error if error == 0 else math.inf
    return (error + u * (size + error) + smallest(u)) * SLACK


def of_add(values: Sequence[Exact], bounds: Sequence[float], result: Exact, u: float) -> float:
    return rounded(result, sum(bounds), u)


def of_mul(values: Sequence[Exact], bounds: Sequence[float], result: Exact, u: float) -> float:
    (a, b), (ea, eb) = values, bounds
    return rounded(result, times(magnitude(a), eb) + times(magnitude(b), ea) + times(ea, eb), u)


def times(a: float, b: float) -> float:
    """A product in which zero wins over infinity: no error stays no error."""
    return 0.0 if a == 0 or b == 0 else a * b


def of_div(values: Sequence[Exact], bounds: Sequence[float], result: Exact, u: float) -> float:
    (a, b), (ea, eb) = values, bounds
    size = magnitude(b)
    if ea == 0 and eb == 0:
        return rounded(result, 0.0, u)
    if eb >= size or math.isinf(ea):
        return math.inf
    if math.isinf(size):
        return rounded(result, 0.0, u)
    return rounded(result, (times(ea, size) + times(magnitude(a), eb)) / (size * (size - eb)), u)


def of_choice(values: Sequence[Exact], bounds: Sequence[float], result: Exact, u: float) -> float:
    """For min, max, abs and the like: 1-Lipschitz and computed without rounding."""
    return max(bounds)


def of_step(values: Sequence[Exact], bounds: Sequence[float], result: Exact, u: float) -> float:
    """For floor, comparisons and other steps: exact on exact arguments, else anything."""
    return 0.0 if all(b == 0 for b in bounds) else math.inf


def of_conversion(values: Sequence[Exact], bounds: Sequence[float], result: Exact, u: float) -> float:
    """Exact for a value that the dtype holds."""
    if bounds[0] == 0 and result == values[0] and is_representable(result, u):
        return 0.0
    return rounded(result, bounds[0], u)


def of_magnitude(values: Sequence[Exact], bounds: Sequence[float], result: Exact, u: float) -> float:
    """Exact for reals; of complex numbers a library function."""
    return rounded(result, bounds[0], LIBRARY * u) if isinstance(values[0], Pair) else bounds[0]


def is_representable(value: Exact, u: float) -> bool:
    """Whether a binary format holds a value exactly: its digits, with an exponent far from the ends of its range.

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
            digits = 53 if u < 2.0**-40 else 24
            return scale & (scale - 1) == 0 and odd.bit_length() <= digits and scale <= 2**100 and abs(value) <= 2**100


def of_function(function: Callable[..., Exact]) -> Bound:
    """For library functions: a few ulps, and the spread of the function over the arguments' error boxes.

    Sound for functions that are monotone in each argument between the ends of the box, which is how the declared ones
    are used; a box of zero size needs no such assumption.
    """

    def bound(values: Sequence[Exact], bounds: Sequence[float], result: Exact, u: float) -> float:
        if math.isinf(magnitude(result)):
            return 0.0 if all(b == 0 for b in bounds) else math.inf
        if any(math.isinf(b) for b in bounds) or any(on_branch_cut(v) for v in values):
            return math.inf
        spread = 0.0
        for position, error in enumerate(bounds):
            for moved in shifted(values[position], error):
                other = function(*values[:position], moved, *values[position + 1 :])
                spread += abs(approximate(other) - approximate(result))
        return rounded(result, 2 * spread, LIBRARY * u) if spread == spread else math.inf

    return bound


def on_branch_cut(value: Exact) -> bool:
    """Whether the sign of a zero, which exact arithmetic does not have, decides on which side of a cut a value lies."""
    return isinstance(value, Pair) and value.im == 0 and value.re < 0


def shifted(value: Exact, error: float) -> list[Exact]:
    """A value moved by its error bound either way."""
    if error == 0:
        return []
    if isinstance(value, Pair | float):
        return [math.nan]
    return [value + exact(error), value - exact(error)]  # type: ignore[operator]


def of_sum(values: Sequence[Exact], bounds: Sequence[float], result: Exact, u: float) -> float:
    """Any association of n terms: `n u` times the sum of magnitudes; no bound if a partial sum may overflow."""
    error = sum(bounds)
    if math.isinf(error):
        return math.inf
    if any(math.isinf(magnitude(v)) for v in values):
        return error if error == 0 else math.inf
    sizes = sum(magnitude(v) for v in values) + error
    if u > 0 and sizes >= (LARGEST_SINGLE if u > 2.0**-40 else sys.float_info.max):
        return math.inf
    return (error + len(values) * u * sizes * SLACK) * SLACK


def of_product(values: Sequence[Exact], bounds: Sequence[float], result: Exact, u: float) -> float:
    """Any association of n factors: their own errors, and a rounding for each."""
    if u == 0 and all(e == 0 for e in bounds):
        return 0.0
    exacts = approximates = 1.0
    for v, e in zip(values, bounds, strict=True):
        exacts, approximates = times(exacts, magnitude(v)), times(approximates, magnitude(v) + e)
    n = len(values)
    roundings = math.expm1(4 * n * max(u, 2.0**-53))
    error = approximates - exacts + approximates * roundings + n * smallest(u) * max(1.0, approximates)
    return error * SLACK if math.isfinite(error) else math.inf


def agrees(computed: object, value: Exact, bound: float, dtype: np.dtype) -> bool:
    """Whether a computed number is within the bound of the exact value.

    NaN agrees with NaN. An infinity also agrees with a value that the bound takes past the largest finite number.
    """
    if math.isinf(bound):
        return True
    mine, theirs = exact(computed), value
    if isinstance(mine, Pair) or isinstance(theirs, Pair):
        return agrees_complex(mine, theirs, bound, dtype)
    if mine != mine or theirs != theirs:
        return mine != mine and theirs != theirs
    if isinstance(mine, float) and isinstance(theirs, float):
        return mine == theirs
    if isinstance(mine, float):
        return magnitude(theirs) + bound >= overflow_threshold(dtype) and (mine > 0) == (theirs > 0)
    if isinstance(theirs, float):
        return False
    return abs(mine - theirs) <= exact(bound)  # type: ignore[operator]


def agrees_complex(mine: Exact, theirs: Exact, bound: float, dtype: np.dtype) -> bool:
    """Component by component; where either is not finite, both have to be."""
    a = mine if isinstance(mine, Pair) else Pair(mine, exact(0))  # type: ignore[arg-type]
    b = theirs if isinstance(theirs, Pair) else Pair(theirs, exact(0))  # type: ignore[arg-type]
    if any(isinstance(part, float) for part in (b.re, b.im)) or any(isinstance(part, float) for part in (a.re, a.im)):
        return any(isinstance(part, float) for part in (a.re, a.im)) and (
            any(isinstance(part, float) for part in (b.re, b.im)) or magnitude(b) + bound >= overflow_threshold(dtype)
        )
    return abs(a.re - b.re) <= exact(bound) and abs(a.im - b.im) <= exact(bound)  # type: ignore[operator]


def overflow_threshold(dtype: np.dtype) -> float:
    """The largest finite number of an inexact dtype."""
    return float(np.finfo(dtype).max) if dtype.kind in "fc" else math.inf
