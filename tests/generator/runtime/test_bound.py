"""Bound kernels: what a call of them gives is what a call of the kernel would, whatever has been written meanwhile."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.runtime.kernel import Kernel
from gnomon.reference.errors import ExpressionError, GnomonError, MeaningError, SemiringError, StorageError
from gnomon.reference.storage.tensor import Tensor

from .product import SPMV, A, X

RESULT = [8.0, 14.0, 0.0, 36.0]


@pytest.fixture(scope="module")
def spmv() -> Kernel:
    return gn.compile(SPMV, A="CSR")


def refuse_looking(*_: Any) -> None:
    raise AssertionError("operands are looked at again")


def test_what_is_written_into_arrays_is_read_and_the_result_is_where_it_was(
    spmv: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    x, y = X.copy(), np.empty(4)
    bound = spmv.bind(A=A, x=x, out=y)
    monkeypatch.setattr(Kernel, "prepare", refuse_looking)
    first = bound()
    assert (y.tolist(), np.shares_memory(first.vals, y)) == (RESULT, True)
    x *= 2
    assert bound() is first
    assert first.to_numpy().tolist() == y.tolist() == [16.0, 28.0, 0.0, 72.0]


def test_a_result_without_an_array_is_another_each_time(spmv: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    x = X.copy()
    bound = spmv.bind(A=A, x=x)
    monkeypatch.setattr(Kernel, "prepare", refuse_looking)
    first = bound()
    x *= 2
    assert (first.to_numpy().tolist(), bound().to_numpy().tolist()) == (RESULT, [16.0, 28.0, 0.0, 72.0])


def test_sparse_results_are_assembled_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    bound = gn.compile("C(i,j) = A(i,j) * x(j)", A="CSR", out="CSR").bind(A=A, x=(x := X.copy()))
    monkeypatch.setattr(Kernel, "prepare", refuse_looking)
    first = bound()
    x += 1
    again = bound()
    assert gn.to_dict(first) == {(0, 0): 5.0, (0, 2): 3.0, (1, 1): 14.0, (3, 3): 36.0} != gn.to_dict(again)
    assert again == gn.evaluate("C(i,j) = A(i,j) * x(j)", A=A, x=x, out="CSR")


@pytest.mark.parametrize(
    "given",
    [
        np.repeat(X, 2)[::2],
        np.frombuffer(bytearray(b"\0" + X.tobytes()), np.float64, offset=1),
        X.tolist(),
    ],
    ids=["strided", "unaligned", "list"],
)
def test_what_c_cannot_read_where_it_is_is_read_each_time(spmv: Kernel, given: Any) -> None:
    bound = spmv.bind(A=A, x=given)
    assert bound().to_numpy().tolist() == RESULT
    given[3] = 5.0
    assert bound().to_numpy().tolist() == [*RESULT[:3], 45.0]


def test_matrices_are_read_where_they_are_if_they_lie_as_they_are_stored() -> None:
    operands = {"A": A, "B": np.arange(8.0).reshape(4, 2).copy()}
    for B in (operands["B"], np.asfortranarray(operands["B"])):
        bound = gn.compile("C(i,k) = A(i,j) * B(j,k)", A="CSR").bind(A=A, B=B)
        bound()
        B[3] = 1.0
        assert bound().to_numpy()[3].tolist() == [9.0, 9.0]


def test_truth_values_are_looked_at_each_time() -> None:
    """NumPy takes any byte but 0 for true; C counts on 1."""
    x = np.zeros(4, bool)
    bound = gn.compile("y(i) = x(i)", x=gn.spec("Dense", dtype="bool"), out=gn.spec("Dense", dtype="int64")).bind(x=x)
    assert bound().to_numpy().tolist() == [0, 0, 0, 0]
    x.view(np.uint8)[1] = 2
    assert bound().to_numpy().tolist() == [0, 1, 0, 0]


def test_numbers_that_stand_for_what_is_absent_are_looked_for_each_time() -> None:
    x = np.array([1, 2], np.int32)
    kernel = gn.compile("y(i) = A(i,j) * x(j)", A="CSR", x=gn.spec("Dense", dtype="int32"), semiring="min_plus")
    bound = kernel.bind(A=gn.tensor([[0], [1]], [1.0], (1, 2), "CSR"), x=x)
    assert bound().to_numpy().tolist() == [3.0]
    x[0] = np.iinfo(np.int32).max
    with pytest.raises(SemiringError, match="absent"):
        bound()


def test_tensors_that_somebody_may_change_are_validated_each_time(spmv: Kernel) -> None:
    pos, crd = np.array([0, 2, 3, 3, 4], np.int32), A.levels[1]["crd"].copy()
    given = Tensor(A.format, A.shape, A.dtype, A.fill, ({}, {"pos": pos, "crd": crd}), {}, A.extents, A.vals.copy())
    bound = spmv.bind(A=given, x=X)
    assert bound().to_numpy().tolist() == RESULT
    crd[0] = 9
    with pytest.raises(StorageError):
        bound()


def test_tensors_are_converted_once_and_matrices_of_scipy_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = gn.compile("C(i,j) = S(i,j) * B(j,i)", S="CSR", B="CSR", out="CSR", convert="auto")
    matrix, expected = A.to_scipy(), kernel(S=A, B=A)
    steady, other = kernel.bind(S=A, B=A), kernel.bind(S=A, B=matrix)
    assert steady() == other() == expected
    matrix.data *= 2
    assert other() == 2 * expected
    monkeypatch.setattr(Kernel, "prepare", refuse_looking)
    assert steady() == expected


def test_coordinates_that_are_given_are_looked_at_each_time() -> None:
    places = np.arange(4)
    bound = gn.compile("y(i) = A(i,j) * j", A="CSR").bind(A=A, j=places)
    assert bound().to_numpy().tolist() == [2.0, 7.0, 0.0, 27.0]
    places[0] = 3
    with pytest.raises(ExpressionError):
        bound()
    steady = gn.compile("y(i) = A(i,j) * j", A="CSR").bind(A=A)
    assert steady().to_numpy().tolist() == [2.0, 7.0, 0.0, 27.0]


def test_errors_of_later_calls_have_their_statement() -> None:
    x = np.array([3, 5])
    bound = gn.compile("y(i) = floordiv(7, x(i))", x=gn.spec("Dense", dtype="int64")).bind(
        x=x, out=np.empty(2, np.int64)
    )
    assert bound().to_numpy().tolist() == [2, 1]
    x[1] = 0
    with pytest.raises(MeaningError, match="division by zero") as error:
        bound()
    assert "y(i) = floordiv(7, x(i))\n" in str(error.value)


@pytest.mark.parametrize(
    ("bind", "said"),
    [
        (lambda kernel: kernel.bind(A=A), "operand x is missing"),
        (lambda kernel: kernel.bind(A, X), "given by name"),
        (lambda kernel: kernel.bind(A=A.convert("CSC"), x=X), "A is stored as CSC"),
        (lambda kernel: kernel.bind(A=A, x=X, out=X), "overlaps"),
        (lambda kernel: kernel.bind(A=A, x=X, out=np.empty(3)), "out must be"),
        (lambda kernel: kernel.bind(A=A, x=X[:3]), "j"),
    ],
)
def test_operands_are_checked_when_they_are_bound(spmv: Kernel, bind: Callable[[Kernel], Any], said: str) -> None:
    with pytest.raises(GnomonError, match=said):
        bind(spmv)


def test_the_schedule_is_chosen_once(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = gn.compile("F(i,l) = A(i,j) * G(j,k) * H(k,l)", A="CSR")
    G, H = np.ones((4, 3)), np.ones((3, 2))
    bound = kernel.bind(A=A, G=G, H=H)
    monkeypatch.setattr(Kernel, "other", refuse_looking)
    assert bound() == gn.evaluate("F(i,l) = A(i,j) * G(j,k) * H(k,l)", A=A, G=G, H=H)


def test_bound_kernels_go_to_other_processes_with_their_operands(spmv: Kernel) -> None:
    bound = spmv.bind(A=A, x=X)
    assert pickle.loads(pickle.dumps(bound))().to_numpy().tolist() == RESULT
    assert "y(i) = A(i,j) * x(j)" in repr(bound)
