"""Narrowing: programs on integers of few bits that hold any values, so that what they compute may not fit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...reference.errors import GnomonError
from .problem import Problem

NARROW = ("int8", "uint8", "int16", "int64")
SMALL = 3


def narrow(problem: Problem, random: np.random.Generator) -> Problem | None:
    """A program on operands of one integer dtype, whose values are any that it has, or small ones; None if the program
    is refused for them."""
    dtype = np.dtype(random.choice(NARROW))
    info, few = np.iinfo(dtype), random.random() < 0.5
    low, high = (max(int(info.min), -SMALL), SMALL) if few else (int(info.min), int(info.max))
    operands = {}
    for name, t in problem.operands.items():
        values = random.integers(low, high, len(t.vals), dtype, endpoint=True)
        fits = t.dtype.kind in "iu" and info.min <= t.fill.real <= info.max
        operands[name] = replace(t, vals=values, dtype=dtype, fill=int(t.fill.real) if fits else 0)
    made = replace(problem, operands=operands)
    try:
        _ = made.ready
    except GnomonError:
        return None
    return made
