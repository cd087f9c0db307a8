"""Claims: somebody's result, of any kind, against what the expression means."""

from dataclasses import replace
from typing import Any

import gnomon as gn
import numpy as np
import pytest
import scipy.sparse as sp
from gnomon.properties.differential import claim as module
from gnomon.properties.differential.difference import Difference
from gnomon.reference.errors import DisagreementError, ExpressionError, GnomonError

A = gn.tensor([[0, 0, 1, 3], [0, 2, 1, 3]], [5.0, 1.0, 7.0, 9.0], (4, 4), "CSR")
X = np.array([0.1, 0.2, 0.3, 0.4])
SPMV, SQUARE = "y(i) = A(i,j) * x(j)", "C(i,j) = A(i,k) * A(k,j)"
Y = gn.evaluate(SPMV, A=A, x=X)
C = gn.evaluate(SQUARE, A=A, out="CSR")


def wrong(expression: str, result: Any, error: type[GnomonError] = DisagreementError, **operands: Any) -> GnomonError:
    with pytest.raises(error) as caught:
        gn.check(expression, result=result, **operands)
    return caught.value


@pytest.mark.parametrize("result", [Y.to_numpy(), Y.to_numpy().tolist(), Y, Y.convert("SparseVector").to_numpy()])
def test_vectors_of_any_kind_agree(result: Any) -> None:
    report = gn.check(SPMV, A=A, x=X, result=result)
    assert str(report) == "4 of 4 points agree (every point; the given result)"
    with pytest.raises(ExpressionError, match="nothing was run"):
        assert report.execution


@pytest.mark.parametrize(
    "result", [C, C.convert("COO"), C.convert("BCSR(2,2)"), C.to_numpy(), C.to_scipy(), sp.coo_array(C.to_scipy())]
)
def test_matrices_of_any_kind_agree(result: Any) -> None:
    assert gn.check(SQUARE, A=A, result=result).checked == 16


@pytest.mark.parametrize("result", [22, 22.0, np.float64(22), np.array(22.0), gn.tensor([], [22.0], (), "")])
def test_numbers_agree(result: Any) -> None:
    assert gn.check("a = A(i,j)", A=A, result=result).checked == 1


def test_the_first_differences_are_told_with_their_bounds() -> None:
    error = wrong(SPMV, Y.to_numpy() + np.array([0, 1e-10, 0, 1]), A=A, x=X)
    assert isinstance(error, DisagreementError)
    assert [d.at for d in error.differences if isinstance(d, Difference)] == [(1,), (3,)]
    first, second, third = error.message.splitlines()
    assert first == "the result is wrong at 2 of 4 points compared"
    assert second.startswith(
        "  at (1,) the result is 1.4000000001000001, but the expression means 1.4000000000000001 wi"
    )
    assert third.startswith("  at (3,) the result is 4.6")


def test_many_differences_are_counted_and_the_first_five_shown() -> None:
    message = wrong(SQUARE, np.ones((4, 4)), A=A).message
    assert message.splitlines()[0] == "the result is wrong at 16 of 16 points compared, of which the first are"
    assert len(message.splitlines()) == 6


def test_structure_counts_where_a_result_has_one() -> None:
    matrix = A.to_scipy()
    error = wrong("C(i,j) = A(i,j) - A(i,j)", matrix - matrix, A=A)
    assert "(0, 0) belongs to the structure but is not stored" in error.message
    assert "toarray()" in str(error.hint)
    assert gn.check("C(i,j) = A(i,j) - A(i,j)", A=A, result=(matrix - matrix).toarray()).checked == 16
    more = gn.tensor([[0, 0, 0, 1, 2, 3], [0, 1, 2, 1, 0, 3]], [5.0, 0.0, 1.0, 7.0, 0.0, 9.0], (4, 4), "CSR")
    message = wrong("C(i,j) = A(i,j)", more, A=A).message
    assert "(0, 1) is stored but does not belong to the structure" in message and "2 of 16" in message


def test_duplicates_of_a_result_stand_for_their_sum() -> None:
    twice = sp.coo_array(([1.0, 4.0, 1.0, 7.0, 9.0], ([0, 0, 0, 1, 3], [0, 0, 2, 1, 3])), shape=(4, 4))
    assert gn.check("C(i,j) = A(i,j)", A=A, result=twice).checked == 16
    held = gn.tensor([[0, 0]], [1.0, 2.0], (1,), "compressed(nonunique)")
    assert gn.check("y(i) = 3 * x(i)", x=np.ones(1), result=held).checked == 1


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (np.zeros(3), r"the result has shape (3,), but the expression means shape (4,)"),
        (A, r"the result has shape (4, 4), but the expression means shape (4,)"),
        (3.0, r"the result has shape (), but the expression means shape (4,)"),
        (np.zeros(4, "float32"), "the result has dtype float32, but the expression means float64"),
    ],
)
def test_another_shape_or_dtype_is_said(result: Any, message: str) -> None:
    assert wrong(SPMV, result, A=A, x=X).message == message


def test_the_dtype_asked_for_is_the_one_expected() -> None:
    single = gn.spec("dense", dtype="float32")
    assert gn.check(SPMV, A=A, x=X, out=single, result=Y.to_numpy().astype("float32")).checked == 4


@pytest.mark.parametrize("result", ["y", {}, np.array(["y"]), [[1], [1, 2]], object()])
def test_what_is_no_result_is_refused(result: Any) -> None:
    assert wrong(SPMV, result, GnomonError, A=A, x=X).message


def test_none_is_no_result_and_is_not_left_out() -> None:
    error = wrong(SPMV, None, ExpressionError, A=A, x=X)
    assert error.message == "the result is None, not a tensor" and "leave result out" in str(error.hint)
    with pytest.raises(ExpressionError, match="a result is given"):
        gn.check(SPMV, A=A, x=X, result=None, schedule="reorder(i,j)")
    assert gn.check(SPMV, A=A, x=X).checked == 4


@pytest.mark.parametrize("settings", [{"schedule": "reorder(i,j)"}, {"convert": "auto"}])
def test_how_to_run_means_nothing_for_a_result(settings: dict[str, str]) -> None:
    with pytest.raises(ExpressionError, match="says how to run, but a result is given"):
        gn.check(SPMV, A=A, x=X, result=Y, **settings)


def test_a_result_may_be_called_result() -> None:
    assert gn.check("result(i) = A(i,j) * x(j)", A=A, x=X, result=Y).checked == 4


def test_arrays_that_break_an_invariant_are_a_disagreement() -> None:
    assert "is no tensor" in wrong(SQUARE, replace(C, extents=(4, 2)), A=A).message


def test_absent_in_a_semiring_is_absent_in_scipy_too() -> None:
    paths = gn.evaluate(SQUARE, A=A, out="CSR", semiring="min_plus")
    coords, values = paths.components()
    matrix = sp.csr_array((values, tuple(coords)), shape=(4, 4))
    for result in (paths, matrix):
        assert gn.check(SQUARE, A=A, semiring="min_plus", result=result).checked == 16
    assert (
        "at (0, 1) the result is 0.0, but the expression means inf"
        in wrong(SQUARE, matrix.toarray(), A=A, semiring="min_plus").message
    )


def test_large_claims_are_sampled_where_they_are_not_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gnomon.properties.differential.check.TERMS", 100)
    monkeypatch.setattr(module, "SAMPLE", 4)
    n = 500
    result = np.zeros(n)
    result[77] = 1.0
    nothing = gn.tensor([[]], [], (n,), "SparseVector", dtype="float64")
    message = wrong("y(i) = x(i)", result, x=nothing).message
    assert "at (77,) the result is 1.0" in message
    assert gn.check("y(i) = x(i)", x=nothing, result=np.zeros(n)).seed == 0
