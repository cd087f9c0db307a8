"""What a user may get wrong, and what the message says."""

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.errors import DtypeError, ExpressionError, GnomonError, ParseError, SemiringError, StorageError

A = gn.tensor([[0, 1], [1, 2]], [1.0, 2.0], (2, 3), "CSR")


@pytest.mark.parametrize(
    ("source", "kind", "message"),
    [
        ("y(i) = A(i,j) * z(j)", ExpressionError, "unknown tensor z"),
        ("y(i) = A(i)", ExpressionError, "A has order 2"),
        ("y(i) = A(i,i)", ExpressionError, "i has extent 2 in .* but 3"),
        ("y(k) = A(i,j)", ExpressionError, "k is on the left but not on the right"),
        ("y(i,i) = A(i,j)", ExpressionError, "repeats a variable"),
        ("A(i,j) = A(i,j)", ExpressionError, "both the result and an operand"),
        ("y(i) = A(i,j) +", ParseError, "expected a number"),
        ("y(i) = A(i,j) ? 2", ParseError, "unexpected character"),
        ("y(i) = sqrt(A(i,j), 2)", ParseError, "sqrt takes 1 argument"),
        ("y(i) = sum(i, A(i,j))", ExpressionError, "already in use"),
        ("y(i) = sqrt(A(i,j))", ExpressionError, "sqrt"),
        ("y = " + "(" * 5000 + "A(i,j)" + ")" * 5000, ParseError, "nested"),
        ("y = " + "+".join(["A(i,j)"] * 5000), ParseError, "nested"),
        ("", ParseError, "expected the name of a tensor"),
    ],
)
def test_bad_expressions(source: str, kind: type[GnomonError], message: str) -> None:
    with pytest.raises(kind, match=message):
        gn.evaluate(source, A=A)


def test_unused_operands_and_wrong_kinds() -> None:
    with pytest.raises(ExpressionError, match="B is given but does not occur"):
        gn.evaluate("y(i) = A(i,j)", A=A, B=A)
    with pytest.raises(ExpressionError, match="x is a str"):
        gn.evaluate("y(i) = x(i)", x="file.mtx")
    with pytest.raises(ExpressionError, match="previous contents of it have no use"):
        gn.evaluate("y(i) = A(i,j)", A=A, y=np.zeros(2))


def test_dtypes_and_semirings() -> None:
    with pytest.raises(DtypeError, match="float64, which int32 cannot hold"):
        gn.evaluate("y(i) = A(i,j)", A=A, out=gn.spec("Dense", dtype="int32"))
    with pytest.raises(SemiringError, match="unknown semiring 'plus_plus_plus'"):
        gn.evaluate("y(i) = A(i,j)", A=A, semiring="plus_plus_plus")
    with pytest.raises(SemiringError, match="cannot add"):
        gn.evaluate("y(i) = A(i,j)", A=A, semiring="minus_times")
    with pytest.raises(SemiringError, match="has no meaning in the semiring min_plus"):
        gn.evaluate("y(i,j) = A(i,j) - A(i,j)", A=A, semiring="min_plus")
    with pytest.raises(SemiringError, match="fill=inf"):
        gn.evaluate("y(i) = A(i,j)", A=A.convert("BCSR(2,2)"), semiring="min_plus")
    with pytest.raises(DtypeError, match="not defined for complex"):
        gn.evaluate("y(i) = max(x(i), x(i))", x=np.ones(2, complex))


def test_numbers_are_operands_of_every_semiring() -> None:
    a = gn.tensor([[0, 2]], [2.0, 5.0], (3,), "SparseVector")
    for engine in ("reference", "c"):
        found = gn.evaluate("y(i) = a(i) * s", a=a, s=3.0, semiring="min_plus", engine=engine)
        assert found.to_numpy().tolist() == [5.0, np.inf, 8.0]
    gn.check("y(i) = a(i) + s", a=a, s=3, semiring="max_times")


def test_results_too_large_for_memory_are_refused() -> None:
    huge = gn.tensor([[0], [0]], [1.0], (10**6, 10**6), "COO")
    with pytest.raises(StorageError, match="needs 1000000000000 positions"):
        gn.evaluate("C(i,j) = A(i,j)", A=huge)
    assert gn.evaluate("C(i,j) = A(i,j)", A=huge, out="COO").nnz == 1
    with pytest.raises(StorageError, match="does not fit in memory"):
        huge.to_numpy()


def test_numbers_arrays_and_widening() -> None:
    x = np.array([100, 100], np.int8)
    assert gn.evaluate("s = x(i)", x=x).dtype == np.int64
    assert int(gn.evaluate("s = x(i)", x=x).to_numpy()) == 200
    assert gn.evaluate("y(i) = x(i) / 2", x=x).dtype == np.float64
    assert gn.evaluate("y(i) = a * x(i)", a=2.5, x=np.ones(2)).to_numpy().tolist() == [2.5, 2.5]


def test_running_twice_gives_the_same_text() -> None:
    from gnomon.reference.statement.statement import show

    runs = [gn.trace("C(i,j) = A(i,j) + A(i,j)", A=A, out="DCSR") for _ in range(2)]
    assert show(runs[0].program.statement) == show(runs[1].program.statement)
    assert runs[0].trace == runs[1].trace
