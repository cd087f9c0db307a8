"""Copies: as many of a value as are counted fold to what a loop over them gives."""

from __future__ import annotations

import math

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.algebra.copies import PRINTED, are_folded_at_once, copies
from gnomon.reference.algebra.operator import Operator
from gnomon.reference.algebra.operators import ADD, AND, MAX, MIN, MUL, OR, XOR, structural
from gnomon.reference.algebra.scalars import caster
from hypothesis import given
from hypothesis import strategies as st

FLOAT, INT8 = np.dtype("float64"), np.dtype("int8")


def fold(operator: Operator, value: float, count: int, dtype: np.dtype) -> float:
    """Copies folded one after another."""
    total = operator.repeat(None, 0, dtype)
    for n in range(count):
        total = operator.compute(total, value) if n else operator.first(value, dtype)
    return total


@given(st.sampled_from([ADD, MIN, MAX, OR, AND]), st.integers(-9, 9), st.integers(0, 9))
def test_copies_are_what_a_loop_folds(operator: Operator, value: int, count: int) -> None:
    many = min(count, 1) if operator.idempotent else count
    assert copies(operator).compute(float(value), float(many)) == fold(operator, float(value), count, FLOAT)


@pytest.mark.parametrize("dtype", ["int8", "float32", "bool", "complex64"])
@pytest.mark.parametrize("operator", [ADD, OR, MUL])
def test_none_are_the_identity_of_a_dtype(operator: Operator, dtype: str) -> None:
    known = np.dtype(dtype)
    number = caster(known)
    found = copies(operator).computing_in(known)(number(1), number(0))
    assert found == operator.left_identity(known) and type(caster(known)(found)) is type(number(1))


def test_none_are_as_large_as_a_dtype_allows() -> None:
    assert copies(MIN).computing_in(INT8)(5, 0) == 127 and copies(MAX).computing_in(INT8)(5, 0) == -128


def test_of_one_operator_there_is_one() -> None:
    combine, _ = structural(MAX, ADD)
    assert copies(combine) is copies(MAX) is PRINTED["copies_max"]


@pytest.mark.parametrize(
    ("operator", "value", "count", "dtype", "expected"),
    [
        (MAX, None, 10**9, FLOAT, True),
        (ADD, None, 2**53, FLOAT, True),
        (ADD, None, 2**53 + 1, FLOAT, False),
        (ADD, None, 127, INT8, True),
        (ADD, None, 128, INT8, False),
        (ADD, None, 1, np.dtype("complex128"), False),
        (MUL, 0.0, 5, FLOAT, True),
        (MUL, math.nan, 5, FLOAT, True),
        (MUL, 2.0, 5, FLOAT, False),
        (MUL, None, 5, FLOAT, False),
        (XOR, 1.0, 5, FLOAT, False),
    ],
)
def test_what_is_folded_at_once(
    operator: Operator, value: float | None, count: int, dtype: np.dtype, expected: bool
) -> None:
    assert are_folded_at_once(operator, value, count, dtype) is expected


def test_products_of_copies_that_become_infinite_do_so_in_silence() -> None:
    x = gn.tensor([[0]], [1.0], (3,), gn.spec("SparseVector", dtype="float32", fill=3e38))
    assert gn.evaluate("s = prod(i, x(i))", x=x)[()] == np.inf
