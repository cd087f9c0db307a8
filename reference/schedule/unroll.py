"""Unroll: a tag for the generator; the meaning of the loop stays (Senanayake 2020, section 4)."""

from __future__ import annotations

from msgspec.structs import replace

from ..statement.statement import Program
from ..statement.tags import Unroll
from .nests import change_loops, positive, refuse_large_factor
from .path import Path

LARGEST = 64


def unroll(program: Program, path: Path, variable: str, factor: int) -> Program:
    """Repeat the loop's body `factor` times a round.

    Before: `∀i s`. After: `∀i s`, tagged. Precondition: the factor is positive, and at most 64: compilers take long for
    larger bodies, and kernels do not become faster.
    """
    refuse_large_factor("unroll factor", factor, LARGEST)
    return change_loops(program, path, variable, lambda s: replace(s, tags=(*s.tags, Unroll(factor))))


def check_factor(program: Program, path: Path, variable: str, factor: int) -> None:
    """Refuse a factor that is not positive."""
    positive("unroll factor", factor, LARGEST)
