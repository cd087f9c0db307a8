"""Roundoff: what a binary floating-point format holds, and what rounding, underflow and overflow lose of the rest."""

from __future__ import annotations

import math
import sys
from fractions import Fraction

import numpy as np

from .exact import Exact, Pair

SUBNORMALS = 16
LARGEST_SINGLE = float(np.finfo(np.float32).max)


def roundoff(dtype: np.dtype) -> float:
    """The unit roundoff of a dtype; 0 if its arithmetic is exact."""
    if dtype.kind not in "fc":
        return 0.0
    u = float(np.finfo(dtype).eps) / 2
    return 4 * u if dtype.kind == "c" else u


def is_double(u: float) -> bool:
    """Whether a unit roundoff, or a small multiple of one, is that of double precision."""
    return u < 2.0**-40


def smallest(u: float) -> float:
    """What underflow can lose, for the dtype with that unit roundoff: some of its smallest subnormals."""
    return 0.0 if u == 0 else SUBNORMALS * (2.0**-1074 if is_double(u) else 2.0**-149)


def largest(u: float) -> float:
    """The largest finite number of the dtype with that unit roundoff."""
    return math.inf if u == 0 else sys.float_info.max if is_double(u) else LARGEST_SINGLE


def overflow_threshold(dtype: np.dtype) -> float:
    """The largest finite number of an inexact dtype."""
    return float(np.finfo(dtype).max) if dtype.kind in "fc" else math.inf


def overflows(result: Exact, u: float) -> bool:
    """Whether a result is infinite in double precision even if rounding moves it towards zero."""
    return isinstance(result, Fraction) and abs(result) * (1 - 2 * Fraction(u)) > 2**1024


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
