"""Error bounds of reductions: of sums and products of any number of values, in any association (Higham 2002)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

from .error_bound import SLACK, times
from .exact import Exact, Pair, as_pair, is_finite, is_infinite, magnitude, parts_of
from .roundoff import largest, smallest


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
