"""Means of ratios."""

from __future__ import annotations

from math import exp, log


def geometric(values: list[float]) -> float:
    """The geometric mean."""
    return exp(sum(map(log, values)) / len(values)) if values else float("nan")
