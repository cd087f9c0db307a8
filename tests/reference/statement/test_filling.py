"""Filling: how many components a result has at least, known before it is computed, and which results are refused."""

from __future__ import annotations

from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.programs.problem import Problem
from gnomon.properties.strategies.programs import programs
from gnomon.reference.errors import GnomonError, StorageError
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.statement.filling import find_fillings, refuse_filled
from hypothesis import given

FAR = 2**40
A = gn.tensor([[5], [7]], [1.0], (FAR, FAR), "DCSR")
B = gn.tensor([[5], [3]], [1.0], (FAR, FAR), "DCSR")
NOTHING = gn.tensor(np.zeros((1, 0), int), [], (FAR,), "SparseVector")
x = gn.tensor([[5]], [1.0], (FAR,), "SparseVector")
ENGINES = pytest.mark.parametrize("engine", ["reference", "c"])


@ENGINES
@pytest.mark.parametrize(
    ("text", "operands", "least"),
    [
        ("C(i,j) = A(i,j) + 1", {"A": A}, FAR**2 - 1),
        ("C(i,j) = exp(A(i,j))", {"A": A}, FAR**2 - 1),
        ("C(i,j) = A(i,j) + B(i,j) - 2", {"A": A, "B": B}, FAR**2 - 2),
        ("C(i,j)<!B(i,j)> = A(i,j) + 1", {"A": A, "B": B}, FAR**2 - 2),
        ("C(i,j) = x(i) + x(j)", {"x": x}, FAR - 1),
        ("C(i,j) = x(i) * (A(i,j) + 1)", {"A": A, "x": x}, FAR - 1),
        ("C(i,j) += A(i,j) + 1", {"A": A, "C": B}, FAR**2 - 2),
    ],
)
def test_results_with_more_components_than_fit_are_refused(
    text: str, operands: dict[str, Any], least: int, engine: Any
) -> None:
    with pytest.raises(StorageError, match=rf"at least {least} components(.|\n)*leave coordinates out"):
        gn.evaluate(text, **operands, out="DCSR", engine=engine)


@ENGINES
@pytest.mark.parametrize(
    ("text", "operands"),
    [
        ("C(i,j) = A(i,j) * (B(i,j) + 1)", {"A": A, "B": B}),
        ("C(i,j)<A(i,j)> = B(i,j) + 1", {"A": A, "B": B}),
        ("C(i,j) = x(i) * x(j)", {"x": x}),
        ("C(i,j) = A(i,j) + B(i,j)", {"A": A, "B": B}),
        ("C(i,j) = x(i) * (A(i,j) + 1)", {"A": A, "x": NOTHING}),
        ("C(i,j) += A(i,j)", {"A": A, "C": B}),
    ],
)
def test_results_that_leave_most_coordinates_out_are_computed(text: str, operands: dict[str, Any], engine: Any) -> None:
    assert gn.evaluate(text, **operands, out="DCSR", engine=engine).nnz <= 2


def test_operands_that_hold_nearly_everything_leave_little_to_fill() -> None:
    m, d = gn.tensor([range(7)], np.ones(7), (8,), "SparseVector"), gn.tensor([[0]], [1.0], (2**16,), "SparseVector")
    wide = gn.tensor([[7, 7], [9, 11]], [1.0, 2.0], (8, 2**16), "DCSR")
    ready = prepare("C(i,j)<!$m(i)> = A(i,j) + d(j) + 1", {"m": m, "d": d, "A": wide}, out="DCSR")
    least = 2**16 - 8 - 2
    refuse_filled(ready.lowered, ready.arguments, least)
    with pytest.raises(
        StorageError, match=f"at least {least} components, more than {least - 1}: one wherever no operand"
    ):
        refuse_filled(ready.lowered, ready.arguments, least - 1)


@ENGINES
def test_the_hint_says_which_fill_to_ask_for(engine: Any) -> None:
    most = {"reference": 10**8, "c": 2**34 // 8}[engine]
    hint = r"ask for its fill, out=gn\.spec\('DCSR', fill=1\.0\), or leave"
    with pytest.raises(StorageError, match=rf"more than {most}: one wherever no operand has one\n  hint: {hint}"):
        gn.evaluate("C(i,j) = A(i,j) + 1", A=A, out="DCSR", engine=engine)
    found = gn.evaluate("C(i,j) = A(i,j) + 1", A=A, out=gn.spec("DCSR", fill=1.0), engine=engine)
    assert (list(found.entries()), found.fill) == ([((5, 7), 2.0)], 1.0)


@ENGINES
@pytest.mark.parametrize("text", ["c(i) = max(j, E(i,j))", "c(i) = prod(j, E(i,j))", "c(i) = max(j, E(i,j) + 1)"])
def test_reductions_over_nothing_fill_what_has_room(text: str, engine: Any) -> None:
    far = gn.tensor(np.zeros((2, 0), int), [], (FAR, 0), gn.spec("DCSR", index="int64"))
    with pytest.raises(StorageError, match=rf"at least {FAR} components"):
        gn.evaluate(text, E=far, out="SparseVector", engine=engine)
    slots = gn.tensor(np.zeros((2, 0), int), [], (FAR, 0), gn.spec("ELL", index="int64"))
    with pytest.raises(StorageError, match=rf"at least {FAR} components"):
        gn.evaluate(text, E=slots, out="SparseVector", engine=engine)
    near = gn.tensor(np.zeros((2, 0), int), [], (3, 0), "DCSR")
    assert gn.evaluate(text, E=near, out="SparseVector", engine=engine).nnz == 3


def test_loops_without_an_iteration_fill_nothing_though_all_that_they_read_is_dense() -> None:
    found = find_fillings(prepare("c(i) = D(i,j)", {"D": np.zeros((3, 0))}, out="SparseVector").lowered, 2)
    assert found is not None and found.ways == ()


@ENGINES
def test_sums_over_nothing_and_results_without_coordinates_are_computed(engine: Any) -> None:
    far = gn.tensor(np.zeros((2, 0), int), [], (FAR, 0), gn.spec("DCSR", index="int64"))
    out = gn.spec("SparseVector", index="int64")
    assert gn.evaluate("c(i) = E(i,j)", E=far, out=out, engine=engine).nnz == 0
    assert gn.evaluate("c(j) = max(i, E(i,j))", E=far, out=out, engine=engine).nnz == 0
    assert gn.evaluate("c(i) = x(i) * max(j, E(i,j))", E=far, x=x, out=out, engine=engine).nnz == 1


def test_a_kernel_refuses_by_what_each_call_holds() -> None:
    kernel = gn.compile("C(i,j) = x(i) * (A(i,j) + 1)", A=A, x=x, out="DCSR")
    for _ in range(2):
        assert kernel(A=A, x=NOTHING).nnz == 0
        with pytest.raises(StorageError, match="one wherever x has one"):
            kernel(A=A, x=x)


@given(programs())
def test_results_have_as_many_components_as_is_known_beforehand(problem: Problem) -> None:
    try:
        found = find_fillings(problem.ready.lowered, -1)
        result = problem.execution.result
    except GnomonError:
        return
    ways = () if found is None else found.ways
    assert all(way.least(problem.ready.arguments) <= result.nnz for way in ways)


OFF, EMPTY = (gn.tensor(np.array(c), np.ones(len(c[0])), (2, 2), "CSR") for c in ([[0], [1]], np.zeros((2, 0), int)))


@pytest.mark.parametrize(
    ("text", "operands"),
    [
        ("R(i) = not(sum(k, not(A(i,k))))", {"A": EMPTY}),
        ("R(i) = A(i,k)", {"A": EMPTY}),
        ("R(i) = A(i,i)", {"A": OFF}),
        ("R(i)<d(i)> = A(i,i) + 1", {"A": OFF, "d": [0.0, 0.0]}),
    ],
)
def test_nothing_is_filled_by_empty_sums_and_diagonals_and_what_masks_leave_out(
    text: str, operands: dict[str, Any]
) -> None:
    ready = prepare(text, operands, out="SparseVector")
    refuse_filled(ready.lowered, ready.arguments, 0)
    assert gn.evaluate(text, **operands, out="SparseVector").nnz == 0
