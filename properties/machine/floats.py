"""Floating point as IEEE 754 has it, where Python refuses."""

from __future__ import annotations

import math


def divide(x: float, y: float) -> float:
    """x / y

    >>> divide(-1.0, 0.0), divide(0.0, 0.0)
    (-inf, nan)
    """
    if y != 0.0:
        return x / y
    if x == 0.0 or x != x:
        return math.nan
    return math.copysign(math.inf, x) * math.copysign(1.0, y)
