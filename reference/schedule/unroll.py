"""Unroll: a tag for the generator; the meaning of the loop stays (Senanayake 2020, section 4)."""

from __future__ import annotations

from dataclasses import replace

from ..errors import ScheduleError
from ..statement import Program
from .nests import changed, positive
from .tags import Unroll

LARGEST = 64


def unroll(program: Program, variable: str, factor: int) -> Program:
    """Repeat the loop's body `factor` times a round.

    Before: `∀i s`. After: `∀i s`, tagged. Precondition: the factor is positive, and at most 64: compilers take long for
    larger bodies, and kernels do not become faster.
    """
    positive("unroll factor", factor)
    if factor > LARGEST:
        raise ScheduleError(f"the unroll factor is {factor}, but may be at most {LARGEST}", hint=f"give 1 to {LARGEST}")
    return changed(program, variable, lambda s, _: replace(s, tags=(*s.tags, Unroll(factor))))
