"""Types: NumPy's promotion with weak constants, and what operators and reductions declare."""

from __future__ import annotations

import numpy as np
import pytest
from gnomon.reference.algebra.dtypes import DTYPES
from gnomon.reference.algebra.operators import OPERATORS
from gnomon.reference.errors import DtypeError
from gnomon.reference.notation.parser import parse
from gnomon.reference.notation.syntax import Access, Apply, Fill
from gnomon.reference.notation.types import infer_types, operand_dtype
from hypothesis import given
from hypothesis import strategies as st

dtypes = st.sampled_from(DTYPES)
numeric = st.sampled_from([d for d in DTYPES if d.kind != "b"])


def dtype_of(text: str, **tensors: str) -> str:
    """The dtype of a right side over tensors of these dtypes."""
    e = infer_types(parse(f"y = {text}").value, {n: np.dtype(d) for n, d in tensors.items()})
    assert e.dtype is not None
    return e.dtype.name


@given(dtypes, dtypes, st.sampled_from(["+", "*"]))
def test_sums_and_products_promote_as_numpy(a: np.dtype, b: np.dtype, symbol: str) -> None:
    assert dtype_of(f"a {symbol} b", a=a.name, b=b.name) == np.result_type(a, b).name


@given(dtypes, st.sampled_from([("true", True), ("2", 2), ("2.5", 2.5), ("2j", 2j)]))
def test_constants_are_weak_as_in_numpy(a: np.dtype, constant: tuple[str, object]) -> None:
    text, value = constant
    expected = np.result_type(a, value)  # type: ignore[arg-type]
    assert dtype_of(f"a * {text}", a=a.name) == expected.name
    assert dtype_of(f"{text} * a", a=a.name) == expected.name


@given(numeric)
def test_an_expression_of_constants_is_weak(a: np.dtype) -> None:
    assert dtype_of("a * (1 + 1)", a=a.name) == a.name


@given(dtypes)
def test_sums_and_products_over_an_index_widen_as_numpy(a: np.dtype) -> None:
    zeros = np.zeros(1, a)
    assert dtype_of("sum(k, A(k))", A=a.name) == np.sum(zeros).dtype.name
    assert dtype_of("prod(k, A(k))", A=a.name) == np.prod(zeros).dtype.name


@pytest.mark.parametrize(
    ("text", "tensors", "expected"),
    [
        ("1", {}, "int64"),
        ("1.5", {}, "float64"),
        ("2j", {}, "complex128"),
        ("true", {}, "bool"),
        ("a / b", {"a": "int8", "b": "int8"}, "float64"),
        ("a / 2", {"a": "float32"}, "float32"),
        ("exp(a)", {"a": "int8"}, "float64"),
        ("exp(a)", {"a": "complex64"}, "complex64"),
        ("floordiv(a, b)", {"a": "int8", "b": "int16"}, "int16"),
        ("or(a, b)", {"a": "float32", "b": "float32"}, "float32"),
        ("not(a)", {"a": "float32"}, "bool"),
        ("lt(a, b)", {"a": "int8", "b": "float32"}, "bool"),
        ("abs(a)", {"a": "complex64"}, "float32"),
        ("real(a)", {"a": "complex128"}, "float64"),
        ("conj(a)", {"a": "complex64"}, "complex64"),
        ("min(k, A(k))", {"A": "int8"}, "int8"),
        ("max(k, A(k))", {"A": "bool"}, "bool"),
        ("a + b", {"a": "uint64", "b": "int64"}, "float64"),
    ],
)
def test_operators_give_what_they_declare(text: str, tensors: dict[str, str], expected: str) -> None:
    assert dtype_of(text, **tensors) == expected


@pytest.mark.parametrize(
    ("text", "dtype"),
    [
        ("min(a, b)", "complex64"),
        ("max(k, A(k))", "complex128"),
        ("lt(a, b)", "complex64"),
        ("a - b", "bool"),
        ("-a", "bool"),
    ],
)
def test_what_an_operator_does_not_define_is_refused(text: str, dtype: str) -> None:
    with pytest.raises(DtypeError):
        dtype_of(text, a=dtype, b=dtype, A=dtype)


@pytest.mark.parametrize(
    ("text", "tensors", "expected"),
    [
        ("a + b", {"a": "int8", "b": "float32"}, "float32"),
        ("a / b", {"a": "int8", "b": "int8"}, "float64"),
        ("lt(a, b)", {"a": "int8", "b": "int32"}, "int32"),
        ("a * 2.5", {"a": "float32"}, "float32"),
        ("abs(a)", {"a": "complex64"}, "complex64"),
    ],
)
def test_the_arguments_of_an_operator_enter_in_one_dtype(text: str, tensors: dict[str, str], expected: str) -> None:
    e = infer_types(parse(f"y = {text}").value, {n: np.dtype(d) for n, d in tensors.items()})
    assert isinstance(e, Apply)
    assert operand_dtype(e).name == expected


def test_a_missing_operand_keeps_its_dtype() -> None:
    e = Apply(OPERATORS["add"], (Fill(0, np.dtype("int8")), Access("a")))
    assert infer_types(e, {"a": np.dtype("int16")}).dtype == np.dtype("int16")
