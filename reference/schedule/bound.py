"""Bound: what is known of the range of a loop (Senanayake 2020, section 4)."""

from __future__ import annotations

import re

from ..errors import ScheduleError
from ..notation.extent import LONGEST
from ..statement.provenance import Provenance
from ..statement.relation import KINDS, Bound, BoundKind, Coord, Divide, Pos, holds, parents
from ..statement.statement import Forall, Program
from .nests import change_loops, derive, fresh, known_extent, positive
from .path import Path


def bound(program: Program, path: Path, variable: str, bounded: str, size: int, kind: str) -> Program:
    """A loop over the same values, of which something is known.

    Before: `∀i s`. After: `∀b s`, with `b = i`. `kind` says of the range: it ends at `size` (`max_exact`) or not beyond
    (`max_constraint`), begins at it (`min_exact`) or not before (`min_constraint`), or has a multiple of it as its
    length (`divisible`). TACO's spelling, `MaxExact`, does too.
    Precondition: this holds on the data, which is checked when the loop runs.
    """
    made = change_loops(program, path, variable, lambda s: Forall(bounded, s.body))
    fresh(program, (bounded,))
    return derive(made, Bound(variable, bounded, size, known_kind(size, kind)))


def known_kind(size: int, kind: str) -> BoundKind:
    """A kind of bound in our spelling. Raises ScheduleError for one that is not known."""
    spelled = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind).lower()
    found = next((known for known in KINDS if known == spelled), None)
    if found is None:
        raise ScheduleError(f"a bound of kind {spelled!r} is not known", hint=f"use {', '.join(KINDS)}")
    refuse_large_size(size, found)
    return found


def refuse_large_size(size: int, kind: BoundKind) -> None:
    """Refuse a size that is farther from 0 than any loop runs."""
    if abs(size) > LONGEST:
        what, least = ("divisor", 1) if kind == "divisible" else ("limit of a bound", -LONGEST)
        raise ScheduleError(
            f"the {what} is {size}, but may be at most {LONGEST} away from 0", hint=f"give {least} to {LONGEST}"
        )


def check_range(program: Program, path: Path, variable: str, bounded: str, size: int, kind: str) -> None:
    """Refuse what does not hold of a range that is known beforehand, and a divisor that is not positive."""
    known = known_kind(size, kind)
    if known == "divisible":
        positive("divisor", size)
    length = None if depends_on_storage(program.provenance, variable) else known_extent(program, variable)
    if length is not None and not holds(Bound(variable, bounded, size, known), (0, length)):
        raise ScheduleError(
            f"{variable} ranges from 0 to {length}, for which {known} {size} does not hold",
            hint="give a bound that holds, or leave it out",
        )


def depends_on_storage(graph: Provenance, variable: str) -> bool:
    """Whether what is stored tells how many values a variable has: positions, and all that derives from such, but for
    a number of parts."""
    relation = graph.derivation_of(variable)
    match relation:
        case None | Coord():
            return False
        case Pos():
            return True
        case Divide(outer=outer) if outer == variable:
            return False
        case _:
            return any(depends_on_storage(graph, v) for v in parents(relation))
