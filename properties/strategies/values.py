"""Values of a dtype: small numbers, stored zeros of either sign, and in floating point infinities and NaN."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from hypothesis import strategies as st

LOW, HIGH = -3, 4
WIDEST = 64
NARROW = (2**31 - 1, 2**31, 2**32 + 1)
"""What 64 bits hold and 32 do not, or not the sum of two: many of them may be added without overflow."""


@cache
def values(dtype: Any, *, specials: bool = True, zeros: bool = True, large: bool = False) -> st.SearchStrategy[Any]:
    """Small numbers of a dtype; now and then what is not finite, -0.0 and the ends of floats (`specials`), in complex
    numbers in one part, in both or in neither; and the ends of integers (`large`, where each stands alone).

    They shrink towards 0, or 1 without `zeros`.
    """
    kind = np.dtype(dtype).kind
    if kind == "b":
        return st.booleans() if zeros else st.just(True)
    small: st.SearchStrategy[Any] = integers(dtype, large) if kind in "iu" else reals(dtype, specials)
    if kind == "c":
        small = st.builds(complex, small, small)
    return small if zeros else small.map(lambda v: v or 1)


def integers(dtype: Any, large: bool) -> st.SearchStrategy[int]:
    """Small integers, and those next to the ends of a dtype or of a narrower one."""
    info = np.iinfo(dtype)
    small = st.integers(max(LOW, int(info.min)), HIGH)
    ends = st.sampled_from([int(info.max), int(info.min), int(info.max) // 2, int(info.max) - 1])
    odd = {24: ends, 23: st.sampled_from(NARROW) if info.bits == WIDEST else small}
    return st.integers(0, 24).flatmap(lambda n: odd.get(n, small)) if large else small


def reals(dtype: Any, specials: bool) -> st.SearchStrategy[float]:
    """Halves, numbers that rounding changes, and what is not finite or near that."""
    halves = st.integers(-8, 8).map(lambda n: n / 2)
    digits = st.integers(-1000, 1000).map(lambda n: float(np.float32(n / 37)))
    if not specials:
        return st.one_of(halves, halves, digits)
    info = np.finfo(np.dtype(dtype))
    ends = [float(info.max), -float(info.max), float(info.max) / 3, float(info.tiny), float(info.smallest_subnormal)]
    plain = [halves, halves, digits] if np.dtype(dtype).kind == "f" else [halves, digits] * 4
    odd = st.sampled_from([float("inf"), float("-inf"), float("nan"), -0.0, *ends])
    return st.one_of(*plain, odd)
