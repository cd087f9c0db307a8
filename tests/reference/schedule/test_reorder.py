"""Reorder: visit order, distributivity, storage order."""

from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.algebra.operators import ADD
from gnomon.reference.errors import ScheduleError
from gnomon.reference.execution.interpreter import interpret
from gnomon.reference.notation.syntax import Access, Apply
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.statement.statement import Assign, Forall
from msgspec.structs import replace


def test_loops_change_places(spmv: Any) -> None:
    ran = spmv("reorder(j,i)", "Dense")
    assert ran.loops == ["j", "i"]
    assert ran.order("j", "i") == [(j, i) for j in range(4) for i in range(5)]


def test_only_the_named_loops_move(run: Any) -> None:
    a, b = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4)
    ran = run("C(i,j) = A(i,k) * B(k,j)", "reorder(k,i,j)", A=a, B=b)
    assert ran.loops == ["k", "i", "j"]
    np.testing.assert_array_equal(ran.result.to_numpy(), a @ b)
    assert run("C(i,j) = A(i,k) * B(k,j)", "reorder(j,i)", A=a, B=b).loops == ["j", "k", "i"]


def test_tiles_of_a_dense_product(run: Any) -> None:
    a, b = np.arange(20.0).reshape(4, 5), np.arange(15.0).reshape(5, 3)
    schedule = "split(i,i0,i1,3),split(j,j0,j1,2),split(k,k0,k1,2),reorder(i0,j0,k0,i1,j1,k1)"
    ran = run("C(i,j) = A(i,k) * B(k,j)", schedule, A=a, B=b)
    np.testing.assert_array_equal(ran.result.to_numpy(), a @ b)
    assert ran.counts["k1"] == 60


def test_every_nest_that_has_the_loops_changes(run: Any) -> None:
    a, b, c = np.arange(1.0, 7).reshape(2, 3), np.arange(12.0).reshape(3, 4), np.arange(8.0).reshape(2, 4)
    columns = gn.tensor(np.array(a.nonzero()), a.ravel(), a.shape, "CSC")
    for after, nests in (("reorder(i,j)", "kijij"), ("reorder(j,i)", "kjiji"), ("reorder(j,k)", "jkiij")):
        ran = run("D(i,j) = C(i,j) + A(i,k) * B(k,j)", f"reorder(k,j,i),{after}", A=columns, B=b, C=c)
        assert "".join(ran.loops) == nests  # of what fills w, then of what reads it
        np.testing.assert_array_equal(ran.result.to_numpy(), c + a @ b)


def test_a_factor_distributes_over_the_sum(run: Any, matrix: Any) -> None:
    b = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    ran = run("c(i) = b(i) * sum(j, A(i,j))", "reorder(j,i)", A=matrix("Dense"), b=b)
    np.testing.assert_array_equal(ran.result.to_numpy(), b * matrix("Dense").to_numpy().sum(axis=1))


def test_an_addend_does_not_and_moving_it_would_repeat_it(matrix: Any) -> None:
    b = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    operands = {"A": matrix("Dense"), "b": b}
    with pytest.raises(ScheduleError, match=r"does not distribute over the sum"):
        prepare("c(i) = b(i) + sum(j, A(i,j))", operands, schedule="reorder(j,i)")
    ready = prepare("c(i) = sum(j, b(i) + A(i,j))", operands)
    dtype = np.dtype("float64")
    addends = Access("b", ("i",), ("i",), dtype=dtype), Access("A", ("i", "j"), ("i", "j"), dtype=dtype)
    value = Apply(ADD, addends, dtype=dtype)
    moved = Forall("j", Forall("i", Assign(Access("c", ("i",)), value, ADD)))
    result, _ = interpret(replace(ready.program, statement=moved), ready.operands)
    right = b + matrix("Dense").to_numpy().sum(axis=1)
    assert not np.array_equal(result.to_numpy(), right)


def test_semirings_have_their_own_distributivity(matrix: Any) -> None:
    a = gn.tensor([[0, 0, 1], [0, 1, 1]], [1.0, 2.0, 3.0], (2, 2), "Dense", fill=np.inf)
    b = gn.tensor([[0, 1]], [5.0, 7.0], (2,), "Dense", fill=np.inf)
    ready = prepare("c(i) = b(i) * A(i,j)", {"A": a, "b": b}, semiring="min_plus", schedule="reorder(j,i)")
    result, _ = interpret(ready.program, ready.operands)
    assert result.to_numpy().tolist() == [6.0, 10.0]


@pytest.mark.parametrize("format", ["CSR", "DCSR", "COO", "HashRows"])
def test_storage_order_is_kept(spmv: Any, format: str) -> None:
    with pytest.raises(ScheduleError, match="can only be reached through the ones above it"):
        spmv("reorder(j,i)", format)


@pytest.mark.parametrize(
    ("schedule", "message"),
    [
        ("reorder(i)", "two or more different variables"),
        ("reorder(i,i)", "two or more different variables"),
        ("reorder(i,k)", "no loop runs over k"),
    ],
)
def test_refusals(spmv: Any, schedule: str, message: str) -> None:
    with pytest.raises(ScheduleError, match=message):
        spmv(schedule)


def test_the_loops_of_a_block_change_places(spmv: Any) -> None:
    assert spmv("reorder(ji,ii)", "BCSR(2,2)").loops == ["io", "jo", "ji", "ii"]


def test_a_diagonal_copy_stays_inside(run: Any, matrix: Any) -> None:
    square = gn.tensor([[0, 1, 1], [0, 0, 1]], [1.0, 2.0, 3.0], (2, 2), "Dense")
    with pytest.raises(ScheduleError, match="depends on i"):
        run("y(i) = A(i,i)", "reorder(i1,i)", A=square)
