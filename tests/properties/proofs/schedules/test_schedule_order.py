"""When loops make coordinates known, against what running needs."""

from __future__ import annotations

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.proofs.schedules.schedule_order import counts_inside, dependent, locates, time
from gnomon.properties.proofs.schedules.schedule_visits import places_of
from gnomon.properties.proofs.verdict import Proved, Refuted
from gnomon.reference.schedule.application import apply_schedule_unchecked
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.statement.statement import Program

EYE = np.eye(4)


def program(schedule: str, format: str = "CSR", source: str = "y(i) = A(i,j) * x(j)") -> Program:
    """A program by a schedule that nothing has checked."""
    operands = {"A": gn.from_numpy(EYE, format), "x": np.ones(4)}
    used = {name: value for name, value in operands.items() if f"{name}(" in source}
    return prepare(source, used, schedule=schedule, applied=apply_schedule_unchecked).program


@pytest.mark.parametrize(
    ("format", "schedule", "holds"),
    [
        ("CSR", "", True), ("CSR", "reorder(j,i)", False), ("RowMajor", "reorder(j,i)", True),
        ("HashRows", "reorder(j,i)", False), ("CSC", "", True), ("CSC", "reorder(i,j)", False),
        ("CSR", "split(j,u,v,2),reorder(u,i)", True), ("CSR", "split(j,u,v,2),reorder(v,u)", True),
        ("BCSR(2,2)", "reorder(ji,ii)", True), ("BCSR(2,2)", "reorder(jo,io)", False),
        ("COO", "reorder(j,i)", False), ("COO", "collapse(i,j,f),split(f,u,v,3)", True),
    ],
)  # fmt: skip
def test_levels_are_reached_below_their_parents(format: str, schedule: str, holds: bool) -> None:
    assert isinstance(locates(program(schedule, format)), Proved if holds else Refuted)


@pytest.mark.parametrize(
    ("schedule", "holds"),
    [
        ("pos(j,p,A(i,j)),split(p,u,v,2)", True),
        ("pos(j,p,A(i,j)),split(p,u,v,2),reorder(u,i)", False),
        ("collapse(i,j,f),pos(f,p,A(i,j)),split(p,u,v,2),reorder(v,u)", True),
    ],
)
def test_positions_are_counted_below_their_parents(schedule: str, holds: bool) -> None:
    assert isinstance(counts_inside(program(schedule)), Proved if holds else Refuted)


@pytest.mark.parametrize(
    ("format", "source", "schedule", "holds"),
    [
        ("BCSR(2,2)", "y(i) = A(i,j) * x(j)", "", True), ("BCSR(2,2)", "y(i) = A(i,j) * x(j)", "reorder(ii,io)", False),
        ("RowMajor", "y(i) = A(i,i)", "", True), ("RowMajor", "y(i) = A(i,i)", "reorder(i1,i)", False),
        ("CSR", "y(i) = A(i,j) * x(j)", "reorder(j,i)", True),
    ],
)  # fmt: skip
def test_loops_that_depend_on_others_are_inside_them(format: str, source: str, schedule: str, holds: bool) -> None:
    assert isinstance(dependent(program(schedule, format, source)), Proved if holds else Refuted)


def test_a_blocked_variable_is_known_after_both_of_its_loops() -> None:
    blocked = program("", "BCSR(2,2)")
    (place,) = places_of(blocked, blocked.statement)
    assert place.loops == ("io", "jo", "ii", "ji")
    assert [time(blocked, place, v) for v in ("io", "i", "j", "q")] == [1, 3, 4, 5]
