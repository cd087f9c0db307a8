"""Proofs about levels that read what belongs to the tensor: diagonals, and interleaved coordinates."""

from __future__ import annotations

from functools import partial

from ....reference.levels.aos import CompressedAoS, SingletonAoS
from ....reference.levels.level import Level
from ....reference.levels.offset import Offset
from ....reference.levels.range import Range
from ..obligation import Obligation
from ..solver import z3
from ..verdict import Verdict
from .invariant_terms import fresh
from .level_model import model
from .level_properties import as_far_as_unrolled, establish
from .restricted_terms import Notes, formula, implies


def below_range() -> Verdict:
    """Below a range level, an offset level gives coordinates in its dimension: those of the diagonal."""
    rows, columns = model(Range()), model(Offset())
    offset, M = rows.fields["offset"], rows.fields["M"]
    columns = columns.with_storage({"offset": offset, "N": M})
    diagonal, row, p = fresh("diagonal"), fresh("row"), fresh("p")
    begin, end = rows.bounds(p, (z3.IntVal(0), z3.IntVal(0), diagonal))
    column, _, _ = columns.access(p, (z3.IntVal(0), diagonal, row), p)
    inside = z3.And(begin <= row, row < end)
    reached = z3.And(row >= 0, row < rows.fields["N"], row + offset(diagonal) >= 0, row + offset(diagonal) < M)
    goals = [z3.Implies(inside, z3.And(column >= 0, column < M, column == row + offset(diagonal))), inside == reached]
    return as_far_as_unrolled(establish([*rows.axioms(), *columns.axioms()], goals), rows.notes, columns.notes)


def columns_apart(level: Level) -> Verdict:
    """Levels that interleave their coordinates leave each other's alone."""
    m = model(level)
    q, c, s, column, notes = fresh("q"), fresh("c"), fresh("s"), fresh("column"), Notes()
    stride, own = m.fields["stride"], m.fields["column"]
    given = [*m.frame(), q >= 0, s >= 0, column >= 0, column < stride, column != own]
    (path,) = m.runs("append_coord", (q, c), notes)
    place = s * stride + column
    same = path.fields["coords"](place) == m.fields["coords"](place)
    return as_far_as_unrolled(establish(given, [formula(implies(path.when, same))], notes), m.notes)


def diagonals() -> tuple[Obligation, ...]:
    """The obligations about several levels."""
    said = "offset: below a range level, its coordinates are those of the diagonal, all in its dimension"
    found = [Obligation("levels.offset.diagonals", said, below_range, ("level.properties",))]
    for level in (CompressedAoS(), SingletonAoS()):
        said = f"{level.name}: levels that interleave their coordinates leave each other's alone"
        found.append(
            Obligation(f"levels.{level.name}.columns", said, partial(columns_apart, level), ("level.capabilities",))
        )
    return tuple(found)
