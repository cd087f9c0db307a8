"""Flags: which workspaces are dense because their components are stored all together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.errors import InternalError
from gnomon.reference.execution.interpreter import interpret
from gnomon.reference.levels.dense import Dense
from gnomon.reference.schedule.application import apply_schedule
from gnomon.reference.schedule.flags import settle_flags, with_flags
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.schedule.schedule import Schedule
from gnomon.reference.statement.statement import Flags, Program, Workspace

A = gn.tensor([[0, 0, 1, 3], [1, 2, 0, 2]], [1.0, 2.0, 3.0, 4.0], (4, 3), "CSR")
B = gn.tensor([[0, 0, 1, 3], [1, 2, 0, 2], [0, 1, 1, 2]], [1.0, 2.0, 3.0, 4.0], (4, 3, 3), "CSF")
D = np.array([[1.0, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]])
X = np.array([1.0, 2, 3, 4])
S = gn.tensor([[0, 1, 2], [0, 1, 2]], [1.0, 2.0, 3.0], (3, 3), "CSR")
SPMM, ROW = "Y(i,k) = A(i,j) * D(j,k)", "precompute(A(i,j)*D(j,k),{k},{k},w)"
OPERANDS: dict[str, Any] = {"A": A, "D": D}


def workspace(source: str, schedule: str, operands: Mapping[str, Any] = OPERANDS, **settings: Any) -> Workspace:
    """The first workspace of a program, whose value is checked."""
    gn.check(source, schedule=schedule, **settings, **operands)
    return prepare(source, operands, schedule=schedule, **settings).program.workspaces[0]


@pytest.mark.parametrize(
    ("source", "schedule", "operands", "flags"),
    [
        (SPMM, ROW, OPERANDS, Flags.ONE),
        (SPMM, ROW.replace("w)", "w,Dense)"), OPERANDS, Flags.ONE),
        (SPMM, ROW.replace("w)", "w,bitmap)"), OPERANDS, Flags.ONE),
        (SPMM, "reorder(j,k,i),precompute(A(i,j)*D(j,k),{i,k},{iw,kw},w)", {"A": A.to_numpy(), "D": D}, Flags.ONE),
        (SPMM, f"split(k,k0,k1,3),reorder(i,k0,j,k1),{ROW.replace('{k}', '{k1}')}", OPERANDS, Flags.ONE),
        (SPMM, f"{ROW},split({{0}},k,k0,k1,3),reorder({{0}},k0,j,k1)", OPERANDS, Flags.ONE),
        (SPMM, f"{ROW},parallelize({{0}},k,CPUVector,NoRaces)", OPERANDS, Flags.ONE),
        (SPMM, f"{ROW},parallelize(i,CPUThread,NoRaces)", OPERANDS, Flags.ONE),
        ("y(i) = x(i) * 2 + x(i)", "precompute(x(i)*2,{i},{i},w)", {"x": X}, Flags.NONE),
        ("y(i) = x(i) * 2 + x(i)", "precompute(x(i)*2,{i},{i},w,Dense)", {"x": X}, Flags.NONE),
        (
            "R(l,m,n) = B(i,j,k) * E(k,n) * D(j,m) * C(i,l)",
            "reorder(i,n,j,k,m,l),loopfuse({},3,left,T),loopfuse({0},2,left,t)",
            {"B": B, "C": D.T, "D": D, "E": D},
            Flags.ONE,
        ),
    ],
)
def test_components_that_are_stored_together(
    source: str, schedule: str, operands: Mapping[str, Any], flags: Flags
) -> None:
    found = workspace(source, schedule, operands)
    assert found.flags is flags and all(isinstance(level, Dense) for level in found.format.levels)


@pytest.mark.parametrize(
    ("source", "schedule", "operands"),
    [
        ("Y(i,k) = A(i,j) * S(j,k)", "precompute(A(i,j)*S(j,k),{k},{k},w)", {"A": A, "S": S}),
        ("y(i) = A(i,j) * x(j) * 2", "precompute(A(i,j)*2,{j},{j},w)", {"A": A, "x": D[:, 0]}),
        (SPMM, ROW.replace("w)", "w,HashVector)"), OPERANDS),
        (SPMM, ROW.replace("w)", "w,accumulator)"), OPERANDS),
        (SPMM, f"{ROW},pos({{1}},k,p,w(k))", OPERANDS),
        ("y(i) = x(i) * 2 + x(i)", "bound(i,b,4,max_exact),precompute(x(i)*2,{b},{b},w)", {"x": X}),
        (SPMM, f"{ROW},parallelize({{0}},k,CPUThread,NoRaces)", OPERANDS),
        ("y(i) = sum(k, abs(sum(l, T(i,l,k))))", "collapse(l,k,f)", {"T": np.ones((4, 0, 2))}),
        (
            "y(k) = S(j,k) * x(k)",
            "reorder(k,j),precompute(S(j,k)*x(k),{k},{k},w),reorder({0},k,j),precompute({0},S(j,k),{},{},t)",
            {"S": S.convert("CSC"), "x": X[:3]},
        ),
        ("Y(i,k) = max(j, A(i,j) * D(j,k))", "", OPERANDS),
        ("y(k) = D(j,k)", "divide(j,a,b,9),precompute(D(j,k),{a},{a},w)", {"D": D}),
        ("y(k) = D(j,k)", "split(j,u,v,4),split(v,a,b,2),precompute(D(j,k),{a},{a},w)", {"D": D}),
    ],
)
def test_components_that_are_not(source: str, schedule: str, operands: Mapping[str, Any]) -> None:
    program = prepare(source, operands, schedule=schedule).program
    gn.check(source, schedule=schedule, **operands)
    assert all(w.flags is Flags.EACH for w in program.workspaces)


def test_masked_components() -> None:
    source, operands = "Y(i,k)<M(i,k)> = A(i,j) * D(j,k)", {"A": A, "D": D, "M": np.eye(4)}
    gn.check(source, out="CSR", **operands)
    (own,) = prepare(source, operands, out="CSR").program.workspaces
    assert own.flags is Flags.EACH


@pytest.mark.parametrize("schedule", ["", "reorder(i,j,k)", ROW])
def test_absent_rows_stay_absent(schedule: str) -> None:
    """Row 2 of A is empty: nothing is stored for it, and infinity meets nothing."""
    gn.check(SPMM, A=A, D=D, out="CSR", schedule=schedule)
    infinite = np.array([1.0, 2.0, np.inf, 4.0])
    source, part = "Y(i,k) = A(i,j) * D(j,k) * x(i)", "precompute(A(i,j)*D(j,k),{k},{k},w)"
    assert workspace(source, part, {**OPERANDS, "x": infinite}).flags is Flags.ONE
    found = gn.evaluate(source, A=A, D=D, x=infinite, schedule=part, engine="c").to_numpy()
    np.testing.assert_array_equal(found[2], np.zeros(4))


def test_a_workspace_filled_from_another_one_may_get_nothing() -> None:
    """The scalar t is absent in row 2, so that w is, although only the loop over k fills it."""
    source, scalar = "Y(i,k) = A(i,j) * z(j) * x(k)", "loopfuse({0},2,left,t)"
    schedule = f"reorder(i,j,k),precompute(A(i,j)*z(j)*x(k),{{k}},{{k}},w),{scalar}"
    assert workspace(source, schedule, {"A": A, "z": D[:, 0], "x": X}, out="CSR").flags is Flags.ONE


def test_a_workspace_that_reads_another_one() -> None:
    source, row = "Y(i,k) = A(i,j) * z(j) * x(k)", "reorder(i,j,k),precompute(A(i,j)*z(j)*x(k),{k},{k},w)"
    operands = {"A": A, "z": D[:, 0], "x": X}
    program = prepare(source, operands, schedule=f"{row},precompute({{0}},x(k),{{k}},{{k}},u)").program
    assert [(w.name, w.flags) for w in program.workspaces] == [("w", Flags.ONE), ("u", Flags.NONE)]


def together(program: Program, schedule: Schedule) -> Program:
    """A program by a schedule, its workspace taken to be stored together whether it is or not."""
    found = apply_schedule(program, schedule)
    return with_flags(found, found.workspaces[0], Flags.ONE)


def test_what_nobody_stored_is_not_read() -> None:
    sparse, schedule = {"A": A, "S": S}, "precompute(A(i,j)*S(j,k),{k},{k},w)"
    ready = prepare("Y(i,k) = A(i,j) * S(j,k)", sparse, schedule=schedule, applied=together)
    with pytest.raises(InternalError, match="w is read where nothing was stored"):
        interpret(ready.program, ready.operands)


def test_what_is_filled_in_vain_is_no_difference() -> None:
    """Without a schedule one flag says that `w` got nothing, so that `w1` is not filled; on threads none says it."""
    source = "R(i,m) = sum(k, abs(sum(l, A(m,k,l))) * abs(sum(l, B(l,i))))"
    operands = {"A": np.ones((2, 3, 0)), "B": gn.tensor([[0, 4], [1, 2]], [1.0, 2.0], (5, 3), "hashed,hashed")}
    gn.check(source, schedule="parallelize(l,CPUThread,Atomics)", **operands)


def test_flags_are_settled_once() -> None:
    program = prepare(SPMM, OPERANDS, schedule=ROW).program
    assert settle_flags(program) == program
