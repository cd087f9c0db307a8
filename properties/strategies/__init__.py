"""Hypothesis strategies for programs that are valid by construction, and for programs that are not.

In reading order: `values`, `formats`, `extents`, `tensors`, `typed_parts` (expressions with dtypes and bounds),
`expressions` (typed as they are drawn), `programs` (expression, operands, formats, semiring, mask, schedule),
`instances` (of one expression), `schedules` (legal ones for a program), `gpu_schedules` (those on units of a GPU),
`settings` (schedules that begin with some), `contractions` (products by structures of their spaces), `procedures`
(several assignments in order and in loops), `level_functions` (texts of level formats).

What must be refused: `invalid_program` (as it is written, with its mistake), the kinds of mistakes in `invalid_texts`,
`invalid_expressions`, `invalid_sums`, `invalid_dtypes`, `invalid_values`, `invalid_semirings`, `invalid_data`,
`invalid_formats`, `invalid_commands` (on any program) and `invalid_schedules`, and `invalid` (any of them).
"""

from __future__ import annotations

from ..programs.features import EVERYTHING, PLAIN, Features, Storage
from ..programs.problem import Problem
from .contractions import contractions
from .formats import formats
from .gpu_schedules import gpu_schedules
from .instances import instances
from .invalid import invalid_programs
from .invalid_program import Invalid
from .level_functions import level_functions
from .procedures import procedures
from .programs import programs
from .schedules import schedules
from .tensors import tensors
from .values import values

__all__ = [
    "EVERYTHING",
    "PLAIN",
    "Features",
    "Invalid",
    "Problem",
    "Storage",
    "contractions",
    "formats",
    "gpu_schedules",
    "instances",
    "invalid_programs",
    "level_functions",
    "procedures",
    "programs",
    "schedules",
    "tensors",
    "values",
]
