"""Resolution: what is refused and in which words, and what a resolved assignment settles."""

from __future__ import annotations

import math
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.algebra.semirings import semiring
from gnomon.reference.errors import DtypeError, ExpressionError, GnomonError, MeaningError, SemiringError
from gnomon.reference.notation.parser import parse
from gnomon.reference.notation.printer import pretty
from gnomon.reference.notation.resolution import Resolved, resolve
from gnomon.reference.notation.wellformed import Operand


def operand(*shape: int, dtype: str = "float64", fill: object = 0.0, dense: bool = False) -> Operand:
    """An operand of this shape."""
    return Operand(shape, np.dtype(dtype), fill, dense)  # type: ignore[arg-type]


def solved(text: str, **operands: Operand) -> Resolved:
    """The assignment of a text, resolved."""
    return resolve(parse(text), operands, source=text)


A, B, M, X, SCALAR = operand(2, 3), operand(3, 4), operand(2, 4), operand(3), operand()


def test_extents_shape_and_sums_are_settled() -> None:
    resolved = solved("C(i,j) = A(i,k) * B(k,j)", A=A, B=B)
    assert pretty(resolved.assignment) == "C(i,j) = sum(k, A(i,k) * B(k,j))"
    assert dict(resolved.extents) == {"i": 2, "k": 3, "j": 4}
    assert (resolved.shape, resolved.dtype, resolved.fill) == ((2, 4), np.dtype("float64"), 0)
    assert dict(resolved.operands) == {"A": A, "B": B}


@pytest.mark.parametrize(
    ("text", "operands", "message"),
    [
        ("y(i) = A(i,j) * x(j)", {"A": A}, "unknown tensor x"),
        ("y(i) = x(i)", {"x": X, "z": X}, "z is given but does not occur"),
        ("y(i) = A(i)", {"A": A}, "A(i) has 1 indices, but A has order 2"),
        ("y = x", {"x": X}, "x has 0 indices, but x has order 1"),
        ("y(i) = A(i,j) * x(j)", {"A": A, "x": operand(4)}, "A(i,j)"),
        ("y(i) = A(i,j) * x(j)", {"A": A, "x": operand(4)}, "x(j)"),
        ("y(i) = A(i,i)", {"A": A}, "i has extent 2"),
        ("y(i,j) = x(i)", {"x": X}, "j is on the left but not on the right"),
        ("C(i,j)<$x(i)> = 3", {"x": X}, "j is on the left but not on the right"),
        ("y(i) += i", {}, "i is used as a value but indexes no operand that is given"),
        ("y(i) += i * x(j)", {"x": X}, "i is used as a value but indexes no operand that is given"),
        ("y(i,i) = x(i)", {"x": X}, "y(i,i) repeats a variable"),
        ("y(i) = y(i) + x(i)", {"x": X, "y": X}, "y is both the result and an operand"),
        ("y(i)<y(i)> = y(i)", {"y": X}, "y is both the result and an operand"),
        ("y(i)<y(i)> = x(i)", {"x": X}, "the mask reads previous contents of y, but none are given"),
        ("y(i)<!$y(i)> += x(i)", {"x": X}, "the mask reads previous contents of y, but none are given"),
        ("y(i)<lt(y(i), 1),merge> = x(i)", {"x": X}, "the mask reads previous contents of y, but none are given"),
        ("y(i)<y(i)> = x(i)", {"x": X, "y": operand(4)}, "i has extent 3 in x(i)"),
        ("y(i) = x(i)", {"x": X, "y": X}, "y is assigned with ="),
        ("y(i) += x(i)", {"x": X, "y": operand(4)}, "i has extent 3 in x(i)"),
        ("y(i) += x(i)", {"x": X, "y": A}, "y has order 2"),
        ("y(i) = sum(i, x(i))", {"x": X}, "i"),
        ("y(i) = sum(k, x(i))", {"x": X}, "k"),
        ("y(i) = sum(k, A(i,k) * sum(k, x(k)))", {"A": A, "x": X}, "k"),
        ("C(i,j)<M(i,k)> = A(i,k) * B(k,j)", {"A": A, "B": B, "M": A}, "k indexes the mask but not the result"),
        ("C(i,j)<A(i,j),merge> = A(i,j)", {"A": A}, "the mask keeps previous contents of C, but none are given"),
        ("C(i,j)<M(j,i)> = A(i,k) * B(k,j)", {"A": A, "B": B, "M": M}, "M(j,i)"),
        ("C(i,j)<N(i,j)> = A(i,k) * B(k,j)", {"A": A, "B": B}, "unknown tensor N"),
        ("y(i) = exp(A(i,j))", {"A": A}, "not linear"),
    ],
)
def test_expressions_that_do_not_denote_are_refused(text: str, operands: dict[str, Operand], message: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        solved(text, **operands)
    assert message in caught.value.message
    assert caught.value.source == text
    assert caught.value.span is not None


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("C(i,j)<M(i,k)> = A(i,k) * B(k,j)", "write indices of C there: i, j"),
        ("C(i,j)<M(i,j),merge> = A(i,k) * B(k,j)", "pass C=..., or leave out merge"),
    ],
)
def test_hints_say_what_a_mask_needs(text: str, hint: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        solved(text, A=A, B=B, M=A)
    assert caught.value.hint == hint


def test_sibling_scopes_may_reuse_a_name() -> None:
    assert solved("y(i) = sum(k, A(i,k)) + sum(k, A(i,k) * x(k))", A=A, x=X).shape == (2,)


@pytest.mark.parametrize(
    ("text", "operands", "dtype", "fill"),
    [
        ("y(i) = x(i)", {"x": operand(3, dtype="int8")}, "int8", 0),
        ("y = x(i)", {"x": operand(3, dtype="int8")}, "int64", 0),
        ("y(i) = x(i) / 2", {"x": operand(3, dtype="int8")}, "float64", 0),
        ("y(i) min= x(i)", {"x": X}, "float64", math.inf),
        ("y(i) max= x(i)", {"x": operand(3, dtype="int8")}, "int8", -128),
        ("y(i) *= x(i)", {"x": X}, "float64", 1),
        ("y(i) += x(i)", {"x": X}, "float64", 0),
        ("y(i) min= x(i)", {"x": X, "y": operand(3, fill=7.0)}, "float64", 7),
        ("y(i) += x(i)", {"x": operand(3, dtype="int8"), "y": operand(3, dtype="int16")}, "int16", 0),
    ],
)
def test_the_result_has_a_dtype_and_a_fill(text: str, operands: dict[str, Operand], dtype: str, fill: float) -> None:
    resolved = solved(text, **operands)
    assert (resolved.dtype.name, resolved.fill) == (dtype, fill)


def test_a_result_dtype_and_fill_may_be_asked_for() -> None:
    resolved = resolve(parse("y(i) = x(i)"), {"x": X}, dtype=np.dtype("float32"), fill=3)
    assert resolved.dtype == np.dtype("float32")
    assert resolved.fill == 3


def test_where_a_fill_is_asked_for_that_of_previous_contents_need_not_fit() -> None:
    before = operand(3, dtype="int64", fill=1000)
    resolved = resolve(parse("y(i) += x(i)"), {"x": X, "y": before}, dtype=np.dtype("float32"), fill=0)
    assert resolved.fill == 0
    small = operand(3, dtype="int8")
    assert resolve(parse("y(i) += x(i)"), {"x": small, "y": before}, dtype=np.dtype("int8"), fill=7).fill == 7
    with pytest.raises(MeaningError, match="1000 does not fit in int8"):
        resolve(parse("y(i) += x(i)"), {"x": small, "y": before}, dtype=np.dtype("int8"))


@pytest.mark.parametrize(
    ("given", "asked"), [("float64", "int64"), ("complex128", "float64"), ("int8", "bool"), ("int8", "uint8")]
)
def test_a_dtype_that_cannot_hold_the_result_is_refused(given: str, asked: str) -> None:
    with pytest.raises(DtypeError, match=given) as caught:
        resolve(parse("y(i) = x(i)"), {"x": operand(3, dtype=given)}, dtype=np.dtype(asked))
    assert asked in caught.value.message


def in_ring(text: str, name: str, **operands: Operand) -> Resolved:
    """The assignment of a text, resolved in a named semiring."""
    return resolve(parse(text), operands, source=text, semiring=semiring(name))


def test_a_semiring_reinterprets_sums_and_products_and_means_absent_by_its_identity() -> None:
    resolved = in_ring("y(i) = A(i,j) * x(j)", "min_plus", A=A, x=X)
    assert pretty(resolved.assignment) == "y(i) = min(j, A(i,j) + x(j))"
    assert all(o.fill == math.inf for _, o in resolved.operands)
    assert resolved.fill == math.inf
    assert str(resolved.semiring) == "min_plus"


def test_dense_leaves_need_the_identity_as_fill() -> None:
    with pytest.raises(SemiringError, match="dense leaves") as caught:
        in_ring("y(i) = A(i,j) * x(j)", "min_plus", A=A, x=operand(3, dense=True))
    assert caught.value.hint is not None
    assert "fill=inf" in caught.value.hint
    assert in_ring("y(i) = A(i,j) * x(j)", "min_plus", A=A, x=operand(3, fill=math.inf, dense=True)).shape == (2,)


@pytest.mark.parametrize("text", ["y(i) = x(i) - x(i)", "y(i) = x(i) / x(i)", "y(i) = abs(x(i))", "y(i) = -x(i)",
                                  "y(i) max= x(i)", "y = max(i, x(i))"])  # fmt: skip
def test_other_operators_have_no_meaning_in_a_semiring(text: str) -> None:
    with pytest.raises(SemiringError, match="no meaning in the semiring min_plus") as caught:
        in_ring(text, "min_plus", x=X)
    assert caught.value.span is not None


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        (
            "C(i,j)<A(i,j)> = A(i,j)",
            "do not pass C, or say merge in the mask to keep what it excludes; out= says how the result is stored",
        ),
        ("C(i,j) = A(i,j)", "do not pass C, or write C(i,j) += ...; out= says how the result is stored"),
    ],
)
def test_contents_that_have_no_use_are_refused(text: str, hint: str) -> None:
    with pytest.raises(ExpressionError, match="previous contents of it have no use") as caught:
        solved(text, A=A, C=A)
    assert caught.value.hint == hint


def test_a_mask_in_a_semiring_keeps_meaning_what_it_holds() -> None:
    resolved = in_ring("y(i)<m(i)> = x(i)", "min_plus", x=X, m=operand(3, dense=True))
    assert dict(resolved.operands)["m"].fill == 0


def test_scopes_of_one_name_may_differ_in_extent() -> None:
    resolved = solved("y(i) = sum(k, A(i,k)) + sum(k, D(i,k))", A=A, D=operand(2, 5))
    assert dict(resolved.extents) == {"i": 2}


def test_a_sum_that_could_stand_inside_or_outside_a_product_is_refused_where_that_matters() -> None:
    with pytest.raises(ExpressionError, match="does not distribute"):
        in_ring("t = A(i,j) * A(j,k) * A(i,k)", "plus_pair", A=operand(3, 3))
    assert in_ring("t = sum(i, sum(j, sum(k, A(i,j) * A(j,k) * A(i,k))))", "plus_pair", A=operand(3, 3)).shape == ()
    assert in_ring("t = A(i,j) * A(j,k) * A(i,k)", "min_plus", A=operand(3, 3)).shape == ()


def test_dtype_errors_point_at_the_expression() -> None:
    with pytest.raises(GnomonError, match="not defined for complex") as caught:
        solved("y(i) = min(x(i), 2)", x=operand(3, dtype="complex64"))
    assert caught.value.span is not None
    assert caught.value.source is not None


@pytest.mark.parametrize("text", ["y(i) min= x(i)", "y(i) max= x(i)"])
def test_a_reduction_assignment_takes_its_values_also_without_previous_contents(text: str) -> None:
    with pytest.raises(DtypeError, match="not defined for complex") as caught:
        solved(text, x=operand(3, dtype="complex64"))
    assert caught.value.span is not None


@pytest.mark.parametrize("fill", [0.5, 1j, math.nan, math.inf, 2**70])
def test_the_fill_asked_for_a_result_fits_its_dtype(fill: complex) -> None:
    with pytest.raises(DtypeError, match="does not fit in int32"):
        resolve(parse("y(i) = x(i)"), {"x": operand(3, dtype="int32")}, fill=fill)


@pytest.mark.parametrize("engine", ["reference", "c"])
def test_a_result_in_a_semiring_has_no_other_fill(engine: str) -> None:
    a = gn.tensor([[1]], [7.0], (3,), "SparseVector")
    with pytest.raises(
        SemiringError, match=r"fill 2\.0 is asked for the result, but absent is -inf in max_plus"
    ) as caught:
        gn.evaluate("R(i) = A(i)", A=a, semiring="max_plus", out=gn.spec("Dense", fill=2), engine=engine)
    assert caught.value.hint == "leave fill out, or write fill=-inf"
    result = gn.evaluate(
        "R(i) = A(i)", A=a, semiring="max_plus", out=gn.spec("Dense", fill=float("-inf")), engine=engine
    )
    assert result.to_numpy().tolist() == [-np.inf, 7.0, -np.inf]


FULL = 2**31 - 1


@pytest.mark.parametrize("engine", ["reference", "c"])
@pytest.mark.parametrize(
    "source", ["R(i) += A(i)", "y(i) = R(i) + A(i)", "y(i) = R(i) * A(i)", "s = sum(i, R(i) * A(i))"]
)
def test_what_is_absent_does_not_become_a_number(source: str, engine: str) -> None:
    a = gn.tensor([[1]], [7.0], (3,), "SparseVector")
    settings: dict[str, Any] = {"semiring": "min_plus", "engine": engine}
    with pytest.raises(SemiringError, match="R holds 2147483647, which is absent in int32 but a number in") as caught:
        gn.evaluate(source, A=a, R=np.array([5, FULL, FULL], np.int32), **settings)
    assert "convert R" in str(caught.value.hint)
    held = gn.tensor([[0]], [5], (3,), "SparseVector", dtype="int32", fill=FULL)
    gn.evaluate(source, A=a, R=held, **settings)
    gn.evaluate(source, A=a, R=np.array([5, 6, 7], np.int32), **settings)


def test_a_comparison_converts_nothing_to_what_it_gives() -> None:
    a, b = (gn.from_numpy(np.array([5.0, -math.inf]), gn.spec("Dense", fill=-math.inf)) for _ in range(2))
    assert list(gn.evaluate("y(i) = a(i) * b(i)", a=a, b=b, semiring="max_lt").to_numpy()) == [False, False]


def test_what_is_absent_stays_so_in_its_own_dtype() -> None:
    held = np.array([5, FULL], np.int32)
    a = gn.tensor([[1]], [7], (2,), "SparseVector", dtype="int32")
    assert gn.evaluate("R(i) += A(i)", A=a, R=held, semiring="min_plus").to_numpy().tolist() == [5, 7]
    with pytest.raises(SemiringError, match="R holds 2147483647"):
        gn.evaluate("y(i) = R(i)", R=held, semiring="min_plus", out=gn.spec("Dense", dtype="float64"))
    assert gn.evaluate("y(i) = R(i)", R=held, semiring="plus_times", out=gn.spec("Dense", dtype="float64")).vals[0] == 5
