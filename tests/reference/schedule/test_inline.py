"""Inline: producers in the place of what reads them; precompute and inline undo each other."""

from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.errors import ScheduleError
from gnomon.reference.execution.interpreter import interpret
from gnomon.reference.schedule.command import Command
from gnomon.reference.schedule.commands import transform
from gnomon.reference.schedule.inline import inline_workspace
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.schedule.section import peel_loops
from gnomon.reference.statement.statement import Where, show


def only(
    source: str, *, schedule: str = "", out: str | None = None, convert: str | None = None, **operands: Any
) -> Where:
    """The workspace of a program, inside its outermost loops."""
    _, inner = peel_loops(prepare(source, operands, schedule=schedule, out=out, convert=convert).program.statement)
    assert isinstance(inner, Where)
    return inner


def test_a_reduction_moves_out_of_what_is_computed_with_it(matrix: Any) -> None:
    where = only("y(i) = sqrt(sum(j, A(i,j)))", A=matrix("CSR"))
    assert show(inline_workspace(where)) == "∀j\n  y(i) += sqrt(A(i,j))"


def test_the_loops_of_a_producer_stand_for_those_of_its_consumer(matrix: Any) -> None:
    operands = {"A": matrix("CSR"), "B": matrix("CSC").to_numpy().T.copy()}
    where = only("C(i,j) = A(i,k) * B(k,j)", out="CSR", **operands)
    assert show(inline_workspace(where)) == "∀k\n  ∀j\n    C(i,j) += A(i,k) * B(k,j)"


def test_inlining_undoes_precompute(matrix: Any) -> None:
    a, x = matrix("CSR"), np.ones(4)
    where = only("y(i) = A(i,j) * x(j)", schedule="precompute(x(j),{j},{jw},w)", A=a, x=x)
    plain = prepare("y(i) = A(i,j) * x(j)", {"A": a, "x": x}).program.statement
    assert show(inline_workspace(where)) == show(peel_loops(plain)[0][0].body)


def test_one_of_two_workspaces_moves(matrix: Any) -> None:
    where = only("y(i) = sqrt(sum(j, A(i,j))) * sqrt(sum(k, B(i,k)))", A=matrix("CSR"), B=matrix("CSR"))
    inner = inline_workspace(where)
    assert "where" in show(inner) and show(inner).count("sqrt") == 2 and "+=" in show(inner)


def test_a_reorder_past_a_sign_is_right_though_it_is_refused(matrix: Any) -> None:
    ready = prepare("y(i) = -sum(j, A(i,j))", {"A": matrix("Dense")})
    with pytest.raises(ScheduleError, match="does not distribute"):
        prepare("y(i) = -sum(j, A(i,j))", {"A": matrix("Dense")}, schedule="reorder(j,i)")
    moved = transform(Command("reorder", ("j", "i")), ready.program)
    result, _ = interpret(moved, ready.operands)
    np.testing.assert_array_equal(result.to_numpy(), -matrix("Dense").to_numpy().sum(axis=1))


def test_workspaces_with_another_reduction_stay(matrix: Any) -> None:
    source = "y = max(i, sum(j, A(i,j)))"
    with pytest.raises(ScheduleError, match="filled by add and read under max"):
        gn.evaluate(source, A=matrix("Dense"), schedule="reorder(j,i)", unchecked=True)


def test_workspaces_stay_where_loops_over_their_variables_are_split(matrix: Any) -> None:
    where = only("y(i) = sqrt(sum(j, A(j,i)))", schedule="split(i,i0,i1,2)", A=matrix("CSR"))
    with pytest.raises(ScheduleError, match="what reads it counts by i in parts"):
        inline_workspace(where)
