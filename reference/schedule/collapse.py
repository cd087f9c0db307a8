"""Collapse: two loops become one over their Cartesian combination (Senanayake 2020, sections 3.3 and 4; Figure 11)."""

from __future__ import annotations

from ..errors import ScheduleError
from ..statement.relation import Collapse
from ..statement.statement import Forall, Program, Statement
from .nests import change_loops, check_countable, derive, free, fresh
from .path import Path


def collapse(program: Program, path: Path, outer: str, inner: str, fused: str) -> Program:
    """One loop over both variables, in the same order.

    Before: `∀i ∀j s`. After: `∀f s`, with `f = i * N + j` and `N` the extent of `j`. Preconditions: `j` is directly
    nested in `i`, and both are in coordinate space (the paper asks it of the outer one only: collapse first, then
    take positions). Reductions keep their order.
    """
    free(program, path, outer)
    free(program, path, inner)
    fresh(program, (fused,))
    if outer == inner:
        raise ScheduleError(f"collapse needs two loops, but {outer} is one", hint="name the outer and the inner loop")

    def join(s: Forall) -> Statement:
        if not isinstance(s.body, Forall) or s.body.index != inner:
            raise ScheduleError(
                f"collapse needs {inner} directly nested in {outer}, but it is not",
                hint=f"reorder the loops first, so that {inner} comes right after {outer}",
            )
        return Forall(fused, s.body.body)

    return derive(change_loops(program, path, outer, join), Collapse(outer, inner, fused))


def check_coordinates(program: Program, path: Path, outer: str, inner: str, fused: str) -> None:
    """Refuse positions: below another parent there are as many others, so no factor takes two loops to one."""
    for variable in (outer, inner):
        if program.provenance.is_position(variable):
            raise ScheduleError(
                f"collapse needs coordinates, but {variable} counts positions",
                hint="collapse the coordinate variables first, then apply pos to the collapsed one",
            )


def check_both(program: Program, path: Path, outer: str, inner: str, fused: str) -> None:
    """Refuse loops with more values than the loop over both could count."""
    check_countable(program, path, outer)
    check_countable(program, path, inner)
