"""Hypothesis strategies for programs that are valid by construction, and for programs that are not.

In reading order: `values`, `formats`, `tensors`, `expressions` (typed as they are drawn), `programs` (expression,
operands, formats, semiring, mask, schedule), `schedules` (legal ones for a program).
"""

from __future__ import annotations

from ..features import EVERYTHING, PLAIN, Features, Storage
from ..problem import Problem
from .formats import formats, result_formats
from .programs import programs
from .schedules import schedules
from .tensors import tensors
from .values import values

__all__ = [
    "EVERYTHING",
    "PLAIN",
    "Features",
    "Problem",
    "Storage",
    "formats",
    "programs",
    "result_formats",
    "schedules",
    "tensors",
    "values",
]
