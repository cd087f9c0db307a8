"""Layout: workspaces lie as they are read."""

from __future__ import annotations

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.errors import ScheduleError
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.statement.statement import Program, reads

SOURCE = "C(i,l) = A(i,j) * B(j,k) * D(k,l)"
OPERANDS = {"A": np.arange(6.0).reshape(2, 3), "B": np.arange(12.0).reshape(3, 4), "D": np.ones((4, 2))}
PAIRS = "precompute(A(i,j)*B(j,k),{i,k},{i,k},w)"


def levels(program: Program, name: str) -> tuple[str, ...]:
    """The variables of a workspace's levels where it is read."""
    (read,) = (access for access in reads(program.statement) if access.tensor == name)
    return read.levels


@pytest.mark.parametrize(
    ("schedule", "order"),
    [
        (PAIRS, ("i", "k")),
        (f"{PAIRS},reorder({{1}},k,i,l)", ("k", "i")),
        (f"{PAIRS},reorder({{1}},l,k,i),reorder({{1}},l,i,k)", ("i", "k")),
        (f"{PAIRS},split({{1}},k,a,b,2),reorder({{1}},a,i,b,l)", ("i", "k")),
        (f"{PAIRS},split({{1}},k,a,b,2),reorder({{1}},a,b,i,l)", ("k", "i")),
        (f"{PAIRS},collapse({{1}},i,k,f)", ("i", "k")),
        (f"{PAIRS},pos({{1}},k,p,w(i,k))", ("i", "k")),
        ("split(k,a,b,2),precompute(A(i,j)*B(j,k),{b,i},{b,i},w)", ("i", "b")),
        ("reorder(j,i,k,l),loopfuse({},2,left,w,hashed,hashed),reorder({1},l,k,i)", ("k", "i")),
    ],
)
def test_levels_follow_the_loops_that_read_them(schedule: str, order: tuple[str, ...]) -> None:
    gn.check(SOURCE, schedule=schedule, **OPERANDS)
    assert levels(prepare(SOURCE, OPERANDS, schedule=schedule).program, "w") == order


def test_blocks_stay_as_they_are() -> None:
    A = gn.from_numpy(np.arange(24.0).reshape(4, 6), "BCSR(2,3)")
    gn.check("C(j,i) = A(i,j) * x(j)", A=A, x=np.arange(6.0), out="COO", convert="auto")


def test_a_workspace_whose_positions_are_counted_stays() -> None:
    with pytest.raises(ScheduleError, match="p counts positions of w below i, which the loops around do not give"):
        prepare(SOURCE, OPERANDS, schedule=f"{PAIRS},pos({{1}},k,p,w(i,k)),reorder({{1}},p,i,l)")
