"""Unroll: a tag for the generator; the meaning of the loop stays (Senanayake 2020, section 4)."""

from __future__ import annotations

from dataclasses import replace

from ..statement import Program
from .nests import changed, positive
from .tags import Unroll


def unroll(program: Program, variable: str, factor: int) -> Program:
    """Repeat the loop's body `factor` times a round.

    Before: `∀i s`. After: `∀i s`, tagged. Precondition: the factor is positive.
    """
    positive("unroll factor", factor)
    return changed(program, variable, lambda s, _: replace(s, tags=(*s.tags, Unroll(factor))))
