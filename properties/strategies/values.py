"""Values of a dtype: small numbers, stored zeros of either sign, and in floating point infinities and NaN."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

LOW, HIGH = -3, 4


def values(dtype: Any, *, specials: bool = True, zeros: bool = True) -> st.SearchStrategy[Any]:
    """Small numbers of a dtype; floats also with many digits, infinite and NaN now and then (`specials`).

    Integers are so small that they overflow in no program of `programs`. They shrink towards 0, or 1 without `zeros`.
    """
    kind = np.dtype(dtype).kind
    if kind == "b":
        return st.booleans() if zeros else st.just(True)
    small: st.SearchStrategy[Any] = reals(dtype, specials)
    if kind in "iu":
        small = st.integers(0 if kind == "u" else LOW, HIGH)
    if kind == "c":
        small = st.builds(complex, small, small)
    return small if zeros else small.map(lambda v: v or 1)


def reals(dtype: Any, specials: bool) -> st.SearchStrategy[float]:
    """Halves, numbers that rounding changes, and what is not finite."""
    halves = st.integers(-8, 8).map(lambda n: n / 2)
    digits = st.integers(-1000, 1000).map(lambda n: float(np.float32(n / 37)))
    if not specials:
        return st.one_of(halves, halves, digits)
    return st.one_of(halves, halves, digits, st.sampled_from([float("inf"), float("-inf"), float("nan"), -0.0]))
