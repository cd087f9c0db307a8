"""Foreign values: each is refused, and what its hint says is taken."""

from __future__ import annotations

import array
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.errors import ExpressionError
from gnomon.reference.files.foreign import operand_hint


class Converting:
    """An object that NumPy makes an array of."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.array([1.0, 2.0])


class Exchanging:
    """An object that lends its memory."""

    def __dlpack__(self, **settings: Any) -> Any:
        return np.array([1.0, 2.0]).__dlpack__(**settings)

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0


def hint_of(text: str, x: Any) -> str:
    """The hint with which an operand is refused."""
    with pytest.raises(ExpressionError) as refused:
        gn.evaluate(text, x=x)
    assert refused.value.hint is not None
    return refused.value.hint


def total(text: str, x: Any, hint: str, **known: Any) -> Any:
    """What comes of passing what a hint says."""
    given = eval(hint.removeprefix("pass ").partition(", which")[0], {"x": x, "np": np, "gn": gn, **known})
    return gn.evaluate(text, x=given)[()]


@pytest.mark.parametrize(
    ("make", "hint", "sum_"),
    [
        (lambda: np.array([1.0, 2.0], ">f8"), 'pass x.astype(x.dtype.newbyteorder("="))', 3),
        (lambda: np.array([1, 2], ">i2"), 'pass x.astype(x.dtype.newbyteorder("="))', 3),
        (lambda: [np.array(3.0, ">f8")], 'pass np.asarray(x, "float64")', 3),
        (lambda: np.array([1.0, 2.0], "float16"), 'pass x.astype("float32")', 3),
        (lambda: np.array([1.0, 2.0], "longdouble"), 'pass x.astype("float64")', 3),
        (lambda: np.array([1j, 2.0], "clongdouble"), 'pass x.astype("complex128")', 2 + 1j),
        (lambda: [Decimal(1), Fraction(1, 2)], 'pass np.asarray(x, "float64")', 1.5),
        (lambda: np.array([Decimal(1), 1j], object), 'pass x.astype("complex128")', 1 + 1j),
        (lambda: (1, 2), "pass np.asarray(x)", 3),
        (lambda: range(3), "pass np.asarray(x)", 3),
        (lambda: array.array("d", [1, 2]), "pass np.asarray(x)", 3),
        (lambda: memoryview(b"\x01\x02"), "pass np.asarray(x)", 3),
        (Converting, "pass np.asarray(x)", 3),
        (Exchanging, "pass np.from_dlpack(x)", 3),
        (lambda: (n for n in range(3)), "pass list(x)", 3),
    ],
)
def test_what_a_hint_says_is_taken(make: Callable[[], Any], hint: str, sum_: Any) -> None:
    assert hint_of("s = x(i)", make()) == hint
    assert total("s = x(i)", make(), hint) == sum_


@pytest.mark.parametrize("number", [Decimal("0.5"), Fraction(1, 2)])
def test_numbers_of_other_kinds_are_floats(number: Any) -> None:
    assert total("s = x", number, hint_of("s = x", number)) == 0.5


@pytest.mark.parametrize("value", [None, "many", b"ab", {1, 2}, object()])
def test_what_is_no_array_has_no_way_of_its_own(value: Any) -> None:
    assert hint_of("s = x(i)", value) == "pass a tensor, an array or a number"


@pytest.mark.parametrize(
    "value", [np.array(["a"]), np.array(["2020"], "datetime64[D]"), np.array([None]), [[object()]]]
)
def test_elements_that_are_no_numbers_have_a_list_of_dtypes(value: Any) -> None:
    assert hint_of("s = x(i)", value).startswith("use bool, int8, ")


def test_dictionaries_need_a_shape() -> None:
    assert hint_of("s = x(i)", {(0,): 1.0}) == "pass gn.from_dict(x, shape)"


def test_arrays_of_pydata_are_matrices_of_scipy_or_components() -> None:
    sparse = pytest.importorskip("sparse")
    matrix, cube = sparse.COO.from_numpy(np.eye(2)), sparse.COO.from_numpy(np.ones((2, 1, 2)))
    for own in (matrix, sparse.GCXS(matrix)):
        assert hint_of("s = x(i,j)", own) == "pass x.to_scipy_sparse()"
        assert total("s = x(i,j)", own, "pass x.to_scipy_sparse()") == 2
    for own in (cube, sparse.GCXS(cube)):
        assert total("s = x(i,j,k)", own, hint_of("s = x(i,j,k)", own)) == 4
    keyed = sparse.DOK.from_coo(matrix)
    assert total("s = x(i,j)", keyed, operand_hint("x", keyed)) == 2


def test_collections_of_graphblas_are_matrices_of_scipy_or_components() -> None:
    graphblas = pytest.importorskip("graphblas")
    matrix = graphblas.Matrix.from_coo([0, 1], [1, 0], [1.0, 2.0])
    vector = graphblas.Vector.from_coo([0, 2], [1.0, 5.0])
    hint = hint_of("s = x(i,j)", matrix)
    assert hint == "pass graphblas.io.to_scipy_sparse(x)"
    assert total("s = x(i,j)", matrix, hint, graphblas=graphblas) == 3
    assert total("s = x(i)", vector, hint_of("s = x(i)", vector)) == 6
