"""Agreement: whether a computed number is one that an exact value and its error bound allow."""

from __future__ import annotations

import math

import numpy as np

from .exact import Exact, Pair, approximate_real, exact, magnitude
from .roundoff import overflow_threshold


def agrees(computed: object, value: Exact, bound: float, dtype: np.dtype) -> bool:
    """Whether a computed number is within the bound of the exact value.

    NaN agrees with NaN. An infinity also agrees with a value that the bound takes past the largest finite number on its
    side of zero, which need not be the value's.
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
        return (1 if mine > 0 else -1) * approximate_real(theirs) + bound >= overflow_threshold(dtype)
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
