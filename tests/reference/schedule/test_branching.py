"""Branching: which loops stay around a workspace, and which go to what fills it and to what reads it."""

from __future__ import annotations

from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.errors import ScheduleError
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.statement.statement import show
from gnomon.reference.storage.tensor import Tensor

SPMV, SPMM, CHAIN = "y(i) = A(i,j) * x(j)", "C(i,k) = A(i,j) * D(j,k)", "C(i,l) = A(i,j) * D(j,k) * E(k,l)"


def operands(source: str) -> dict[str, Any]:
    """Small operands of an expression."""
    made = np.random.default_rng(7)
    dense = made.integers(1, 9, (5, 6)) * (made.random((5, 6)) < 0.4)
    a: Tensor = gn.tensor(np.array(np.nonzero(dense)), dense[np.nonzero(dense)].astype(float), (5, 6), "CSR")
    every = {"A": a, "x": np.arange(1.0, 7), "D": made.integers(1, 5, (6, 4)).astype(float), "E": np.ones((4, 3)) * 2}
    return {name: t for name, t in every.items() if f"{name}(" in source}


@pytest.mark.parametrize(
    ("source", "schedule", "statement"),
    [
        (SPMV, "precompute(A(i,j)*x(j),{i},{iw},w)", "∀i y(i) = w(i) where w: ∀iw ∀j w(iw) += A(iw,j) * x(j)"),
        (SPMV, "precompute(A(i,j)*x(j),{},{},w)", "∀i y(i) = w where w: ∀j w += A(i,j) * x(j)"),
        (SPMV, "precompute(x(j),{},{},w)", "∀i ∀j y(i) += A(i,j) * w where w: w = x(j)"),
        (
            SPMM,
            "precompute(A(i,j),{j},{j},w)",
            "∀i ∀j ∀k C(i,k) += w(j) * D(j,k) where w: ∀j w(j) = A(i,j)",
        ),
        (
            SPMM,
            "precompute(A(i,j)*D(j,k),{i,k},{iw,kw},w)",
            "∀i ∀k C(i,k) = w(i,k) where w: ∀iw ∀j ∀kw w(iw,kw) += A(iw,j) * D(j,kw)",
        ),
        (
            CHAIN,
            "precompute(A(i,j)*D(j,k),{k},{kw},w)",
            "∀i ∀k ∀l C(i,l) += w(k) * E(k,l) where w: ∀j ∀kw w(kw) += A(i,j) * D(j,kw)",
        ),
        (
            CHAIN,
            "precompute(D(j,k)*E(k,l),{j,l},{jw,lw},w)",
            "∀i ∀j ∀l C(i,l) += A(i,j) * w(j,l) where w: ∀jw ∀k ∀lw w(jw,lw) += D(jw,k) * E(k,lw)",
        ),
        (
            CHAIN,
            "precompute(A(i,j)*D(j,k),{k},{kw},w),precompute(A(i,j),{},{},v)",
            "∀i ∀k ∀l C(i,l) += w(k) * E(k,l) where w: ∀j ∀kw w(kw) += v * D(j,kw) where v: v = A(i,j)",
        ),
        (
            CHAIN,
            "precompute(A(i,j)*D(j,k),{k},{kw},w),precompute(w(k),{},{},v)",
            "∀i ∀k ∀l C(i,l) += v * E(k,l) where v: v = w(k) where w: ∀j ∀kw w(kw) += A(i,j) * D(j,kw)",
        ),
        (
            SPMM,
            "split(k,k0,k1,2),precompute(D(j,k),{k0},{k0w},w)",
            "∀i ∀j ∀k1 ∀k0 C(i,k) += A(i,j) * w(k0) where w: ∀k0w w(k0w) = D(j,k)",
        ),
        (
            SPMV,
            "split(j,j0,j1,2),precompute(A(i,j)*x(j),{j0},{j0},w)",
            "∀i ∀j0 y(i) += w(j0) where w: ∀j0 ∀j1 w(j0) += A(i,j) * x(j)",
        ),
        (
            SPMV,
            "divide(j,j0,j1,9),precompute(A(i,j)*x(j),{i,j0},{i,j0},w)",
            "∀i ∀j0 y(i) += w(i,j0) where w: ∀i ∀j0 ∀j1 w(i,j0) += A(i,j) * x(j)",
        ),
        (
            SPMV,
            "split(j,j0,j1,2),precompute(A(i,j)*x(j),{j1},{j1},w)",
            "∀i ∀j0 ∀j1 y(i) += w(j1) where w: ∀j1 w(j1) = A(i,j) * x(j)",
        ),
        (
            SPMV,
            "split(j,j0,j1,2),unroll(j0,2),precompute(A(i,j)*x(j),{i},{i},w)",
            "∀j0 [unroll 2] ∀i y(i) += w(i) where w: ∀i ∀j1 w(i) += A(i,j) * x(j)",
        ),
        (
            SPMV,
            "split(j,j0,j1,4),split(j1,a,b,2),precompute(A(i,j)*x(j),{a},{a},w)",
            "∀i ∀j0 ∀a y(i) += w(a) where w: ∀a ∀b w(a) += A(i,j) * x(j)",
        ),
        (
            SPMV,
            "split(j,j0,j1,4),split(j1,a,b,2),reorder(j0,b,a),precompute(A(i,j)*x(j),{j0},{j0},w)",
            "∀i ∀j0 y(i) += w(j0) where w: ∀j0 ∀b ∀a w(j0) += A(i,j) * x(j)",
        ),
        ("y(i) = 2 * A(i,j) * x(j)", "reorder(i,j),precompute(2*x(j),{j},{jw},w)", None),
        ("y(i) = 3 * sum(j, A(i,j) * x(j))", "precompute(A(i,j)*x(j),{i},{i},w)", None),
        ("y(i) = max(j, A(i,j) * x(j))", "precompute(A(i,j)*x(j),{},{},t)", None),
        ("y(i) = D(i,k) + sum(j, A(j,i))", "precompute(A(j,i),{i},{iw},t)", None),
        ("y(i) = max(j, A(i,j) + x(j))", "precompute(A(i,j),{},{},t)", None),
    ],
)
def test_loops_go_where_they_are_needed(source: str, schedule: str, statement: str | None) -> None:
    given = operands(source)
    report = gn.check(source, out="Dense", schedule=schedule, **given)
    if statement is not None:
        found = prepare(source, given, schedule=schedule).program
        assert " ".join(show(found.statement).split()) == statement
    np.testing.assert_array_equal(report.execution.result.to_numpy(), gn.evaluate(source, **given).to_numpy())


def test_what_is_counted_together_is_told_by_all_its_parts() -> None:
    tiles = "split(i,a,b,2),split(j,c,d,2),reorder(b,d,c,a),collapse(b,d,f)"
    given = {"x": np.arange(1.0, 6), "z": np.arange(1.0, 4)}
    gn.check("R(i,j) = z(i) * x(j)", schedule=f"{tiles},precompute(x(j),{{c}},{{c}},t)", **given)
    with pytest.raises(ScheduleError, match="the loop over a belongs to one side"):
        prepare("R(i,j) = z(i) * x(j)", given, schedule=f"{tiles},loopfuse({{}},1,right)")


def test_a_number_as_a_factor_stands_in_no_way() -> None:
    given = operands(SPMV)
    for source in ("y(i) = A(i,j) * 1 * x(j)", "y(i) = 2 * A(i,j) * x(j)"):
        program = prepare(source, given, schedule="precompute(A(i,j) * x(j),{i},{iw},w)").program
        assert [w.name for w in program.workspaces] == ["w"]
        dense = {**given, "A": given["A"].convert("Dense")}
        gn.check(source, schedule="reorder(j,i)", **dense)


def test_what_both_sides_need_stays_around_them() -> None:
    """Storage has the last word: a workspace over rows of CSR would need columns outermost."""
    given = operands(SPMM)
    with pytest.raises(ScheduleError, match="can only be reached through"):
        prepare("C(i,j) = A(i,j) * z(j)", {"A": given["A"], "z": np.ones(6)}, schedule="precompute(A(i,j),{i},{iw},w)")
    dense = {"A": given["A"].convert("Dense"), "z": np.ones(6)}
    found = prepare("C(i,j) = A(i,j) * z(j)", dense, schedule="precompute(A(i,j),{i},{iw},w)").program
    text = " ".join(show(found.statement).split())
    assert text == "∀j ∀i C(i,j) = w(i) * z(j) where w: ∀iw w(iw) = A(iw,j)"


@pytest.mark.parametrize("schedule", ["", "split(ii,a,b,4),"])
@pytest.mark.parametrize("variables", ["k", "j", ""])
def test_loops_over_blocks_are_needed_by_what_counts_in_coordinates(schedule: str, variables: str) -> None:
    a = gn.tensor([[0, 1, 3], [1, 1, 2]], [1.0, 2.0, 3.0], (4, 4), "BCSR(2,2)")
    d, x = np.arange(1.0, 5.0), np.arange(2.0, 10.0).reshape(4, 2)
    names = variables.replace("j", "ji")
    command = f"{schedule}precompute(D(i),{{{names}}},{{{names}}},t)"
    if variables == "j":
        with pytest.raises(ScheduleError, match="the format of an operand derives it"):
            gn.evaluate("C(i,k) = A(i,j) * D(i) * x(j,k)", A=a, D=d, x=x, schedule=command)
    else:
        gn.check("C(i,k) = A(i,j) * D(i) * x(j,k)", A=a, D=d, x=x, schedule=command)


def test_collapsed_loops_over_blocks_stay_around_a_workspace() -> None:
    a = gn.tensor([[0, 1, 3], [1, 1, 2]], [1.0, 2.0, 3.0], (4, 4), "BCSR(2,2)")
    schedule = "reorder(io,ii,jo,ji),collapse(jo,ji,f),precompute(A(i,j)*x(j),{},{},t)"
    found = prepare(SPMV, {"A": a, "x": np.arange(1.0, 5)}, schedule=schedule).program
    assert " ".join(show(found.statement).split()) == "∀io ∀ii ∀f y(i) += t where t: t = A(i,j) * x(j)"
