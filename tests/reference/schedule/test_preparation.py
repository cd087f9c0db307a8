"""Operands and results: what is taken as a tensor, and what would not fit in memory."""

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.errors import (
    DtypeError,
    ExpressionError,
    GnomonError,
    MeaningError,
    ParseError,
    ScheduleError,
    StorageError,
)
from gnomon.reference.files.operands import as_tensor


def test_large_integers_are_not_rounded() -> None:
    assert as_tensor("x", [2**63 + 1, 1, 1]).vals.tolist() == [2**63 + 1, 1, 1]
    assert as_tensor("x", [[2**63 + 1, 1], [1, 0]]).to_numpy().tolist() == [[2**63 + 1, 1], [1, 0]]
    with pytest.raises(DtypeError, match=r"from -1 to 9223372036854775809"):
        as_tensor("x", [2**63 + 1, -1])


@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        ([[1, 2], [3]], StorageError, "ragged"),
        (np.ma.masked_equal([1.0, 2.0], 2.0), StorageError, "masked"),
        (np.ma.masked, StorageError, "masked"),
        (None, ExpressionError, "x is a NoneType"),
        (b"x", ExpressionError, "x is a bytes"),
        (["a"], ExpressionError, "x has dtype"),
        (2**70, DtypeError, "no integer dtype holds"),
        ([10**9999, 1], DtypeError, "no integer dtype holds"),
        (np.broadcast_to(0.0, (10**6, 10**6)), StorageError, "does not fit in memory"),
        (np.zeros((1,) * 40), GnomonError, "at most 32 modes"),
    ],
)
def test_what_is_no_operand_is_refused(value: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        gn.evaluate("y(i) = x(i)", x=value)


@pytest.mark.parametrize("engine", ["reference", "c"])
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("C(i,j) = A(i,j) + A(j,i)", ScheduleError),
        ("C(i,j) = A(i,j) * 300", MeaningError),
        ("C(i,j) = A(k,j)", ExpressionError),
        ("C(i,j) = A(i,j", ParseError),
    ],
)
def test_a_schedule_that_cannot_be_read_is_refused_before_what_is_wrong_with_the_text(
    engine: str, text: str, kind: type[GnomonError]
) -> None:
    A = gn.tensor([[0], [1]], [1], (2, 2), "CSR", dtype="int8")
    with pytest.raises(ParseError) as unread:
        gn.evaluate(text, engine=engine, schedule="split(", A=A)
    assert unread.value.rule == "schedule.text.refused"
    with pytest.raises(kind) as refused:
        gn.evaluate(text, engine=engine, schedule="unroll(q,2)", A=A)
    assert not refused.value.message.startswith("there is no loop over q")


@pytest.mark.parametrize("out", [5, b"CSR", ["dense"], {"dense"}, np.zeros(2)])
def test_what_is_no_format_of_a_result_is_refused(out: object) -> None:
    with pytest.raises(GnomonError, match="expected a format"):
        gn.evaluate("y(i) = x(i)", x=[1.0], out=out)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "out", ["bitmap", "accumulator", "hashed(width=2000000000)", "Dense", "bitmap(unordered)", "compressed"]
)
def test_results_of_every_level_are_measured(out: str) -> None:
    x = gn.tensor([[5]], [1.0], (10**9,), "SparseVector")
    if out == "compressed":
        assert gn.evaluate("y(i) = x(i)", x=x, out=out).nnz == 1
        return
    with pytest.raises(GnomonError, match=r"needs \d+ positions|no property"):
        gn.evaluate("y(i) = x(i)", x=x, out=out)


@pytest.mark.parametrize("out", ["BCSR(100000,100000)", "HashRows", "dense,compressed", "compressed,bitmap"])
def test_blocks_below_levels_that_grow_are_measured(out: str) -> None:
    a = gn.tensor([[5], [7]], [1.0], (10**9, 10**9), "COO")
    with pytest.raises(StorageError, match=r"needs \d+ positions"):
        gn.evaluate("C(i,j) = A(i,j)", A=a, out=out)
