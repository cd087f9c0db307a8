"""Tensors as values: operators, transposes, parts and equality agree with NumPy's on dense arrays."""

import operator
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gnomon as gn
import numpy as np
import pytest
import scipy.sparse
from gnomon.properties.strategies.tensors import tensors
from gnomon.reference.errors import DtypeError, ExpressionError, FormatError, StorageError
from gnomon.reference.execution import arithmetic
from gnomon.reference.files.operands import as_tensor
from gnomon.reference.storage.named_formats import dense
from gnomon.reference.storage.tensor import Tensor, scalar
from hypothesis import given
from hypothesis import strategies as st

SHAPES = st.lists(st.integers(0, 4), max_size=3).map(tuple)
A = gn.tensor([[0, 0, 1], [0, 2, 1]], [1.0, 2.0, 3.0], (2, 3), "CSR")
D = A.to_numpy()
JOINED = [operator.add, operator.sub, operator.mul, operator.truediv]


@pytest.mark.parametrize("join", JOINED)
@pytest.mark.parametrize("other", [A, A.convert("CSC"), D + 1.0, scipy.sparse.csr_array(D), 2, -0.5, np.float32(3)])
def test_operators_join_coordinate_by_coordinate(join: Callable[[Any, Any], Any], other: Any) -> None:
    beside = other.toarray() if scipy.sparse.issparse(other) else np.asarray(other)
    found = join(A, other)
    with np.errstate(invalid="ignore"):
        expected = join(D, beside)
    present = D != 0 if join is operator.truediv else np.ones_like(D, bool)
    assert found.format == A.format
    assert np.array_equal(found.to_numpy()[present], expected[present])


@pytest.mark.parametrize("join", JOINED[:3])
@pytest.mark.parametrize("other", [D + 1.0, 2, -0.5, np.float32(3), [[1.0, 2.0, 3.0]] * 2])
def test_the_tensor_may_stand_on_the_right(join: Callable[[Any, Any], Any], other: Any) -> None:
    found = join(other, A)
    assert isinstance(found, Tensor)
    assert found.format == A.format
    assert np.array_equal(found.to_numpy(), join(np.asarray(other), D))


@pytest.mark.parametrize("join", JOINED[:3])
@pytest.mark.parametrize("one", [scalar(3.0), scalar(2), scalar(np.nan), scalar(0.5, fill=1)])
def test_a_tensor_of_order_0_stands_beside_every_coordinate(join: Callable[[Any, Any], Any], one: Tensor) -> None:
    for other in (A, A.convert("DCSC"), gn.tensor([[1]], [2.0], (4,)), D + 1.0, scipy.sparse.csr_array(D), [1.0, 2.0]):
        beside = other.toarray() if scipy.sparse.issparse(other) else np.asarray(other)
        for left, right in ((one, other), (other, one))[: 1 if scipy.sparse.issparse(other) else 2]:
            found = join(left, right)
            wanted = join(*(one[()] if side is one else beside for side in (left, right)))
            stored = np.ones(beside.shape, bool) if join is not operator.mul else beside != 0
            assert isinstance(found, Tensor)
            assert found.format == (other.format if isinstance(other, Tensor) else dense(beside.ndim))
            assert np.array_equal(found.to_numpy()[stored], wanted[stored], equal_nan=True)
    assert join(one, one)[()] == join(one[()], one[()]) or np.isnan(one[()])


@pytest.mark.parametrize("other", [A.T, D.T, [1.0, 2.0, 3.0], D[0], scipy.sparse.csr_array(D.T), D[None]])
def test_operands_of_different_shapes_are_told_by_their_shapes(other: Any) -> None:
    shape = re.escape(str(np.shape(other)))
    with pytest.raises(ExpressionError, match=rf"\+ joins operands of one shape, not \(2, 3\) and {shape}"):
        A + other
    if not scipy.sparse.issparse(other):
        with pytest.raises(ExpressionError, match=rf"\* joins operands of one shape, not {shape} and \(2, 3\)"):
            other * A


def test_an_operand_that_is_no_tensor_is_told_by_its_side() -> None:
    with pytest.raises(StorageError, match=r"elements of the right operand .* are ragged"):
        A * [[1.0], [2.0, 3.0]]


def test_numbers_adapt_to_the_dtype_beside_them() -> None:
    small = gn.tensor([[1]], np.array([3], np.int8), (2,))
    assert ((small * 2).dtype, (small + np.int32(2)).dtype, (-small).dtype) == (np.int8, np.int32, np.int8)
    assert (scalar(2.0) + scalar(3.0))[()] == 5.0
    assert (A * np.inf)[0].to_numpy().tolist() == [np.inf, 0.0, np.inf]


@pytest.mark.parametrize("dtype", ["bool", "int8", "float32", "float64", "complex64"])
@pytest.mark.parametrize("number", [2, 0.5, np.inf, -np.inf, np.nan, 1j, 2 - 0.5j, complex(np.inf, np.nan), 1e300 + 0j])
def test_numbers_take_the_dtypes_that_they_have_in_texts(dtype: str, number: complex) -> None:
    ones = gn.tensor([[0, 1]], np.ones(2, dtype), (3,), "Dense", dtype=dtype)
    literal = {int: "2", float: "0.5", complex: "1j"}[type(number)]
    for found in (ones * number, number * ones, ones + number):
        assert found.dtype == gn.evaluate(f"y(i) = x(i) * {literal}", x=ones).dtype
    with np.errstate(all="ignore"):
        expected = np.ones(1, dtype) * number + 0
        found = (ones * number).to_numpy()[:1]
    assert np.array_equal(found, expected.astype(found.dtype), equal_nan=True)


@pytest.mark.parametrize("digits", [400, 5000])
def test_numbers_that_no_dtype_holds_are_refused(digits: int) -> None:
    with pytest.raises(gn.GnomonError):
        A * 10**digits


@pytest.mark.parametrize(("left", "right"), [(A, D.T), (D, A.T), (A, A.T), (A, D[0]), (D[:, 0], A), (D[0], A[0])])
def test_matrix_products(left: Any, right: Any) -> None:
    found = left @ right
    assert np.array_equal(found.to_numpy(), np.asarray(left) @ np.asarray(right))
    assert found.order < 2 or found.format == (left if isinstance(left, Tensor) else right).format


def test_what_is_no_operand_is_refused() -> None:
    with pytest.raises(TypeError, match="unsupported operand"):
        A + "x"  # type: ignore[operator]
    with pytest.raises(ExpressionError, match="has extent 3"):
        A @ A
    with pytest.raises(ExpressionError, match="@ takes vectors and matrices, not tensors of order 3 and 1"):
        gn.tensor([[0], [0], [0]], [1.0], (1, 1, 1)) @ [1.0]


@given(SHAPES.flatmap(tensors))
def test_transposes_share_the_arrays(tensor: Tensor) -> None:
    turned = tensor.T
    turned.validate()
    assert turned.vals is tensor.vals
    assert np.array_equal(turned.to_numpy(), tensor.to_numpy().T, equal_nan=True)


KEYS = st.one_of(
    st.integers(-4, 3), st.builds(slice, *[st.none() | st.integers(-5, 5)] * 2, st.sampled_from([None, 1, 2, -1, -3]))
)


@given(SHAPES.flatmap(tensors), st.lists(KEYS, max_size=3), st.booleans())
def test_parts_are_those_of_the_array(tensor: Tensor, key: list[Any], gap: bool) -> None:
    key = key[: tensor.order]
    chosen = (..., *key) if gap else tuple(key)
    try:
        expected = tensor.to_numpy()[chosen]
    except IndexError:
        with pytest.raises(StorageError, match="lies outside mode") as refused:
            tensor[chosen]
        assert refused.value.rule == "format.parts"
        return
    found = tensor[chosen]
    assert np.shape(found) == expected.shape
    assert np.array_equal(np.asarray(found), expected, equal_nan=True)
    assert not isinstance(found, Tensor) or found.fill == tensor.fill


@pytest.mark.parametrize("key", ["a", 0.5, (0, 0, 0), (..., ...), True, None, slice("a", None), slice(0, 1, 0)])
def test_what_is_no_part_is_refused(key: Any) -> None:
    with pytest.raises(ExpressionError) as refused:
        A[key]
    assert refused.value.rule == "format.parts"


def test_a_part_that_its_format_cannot_hold_lists_coordinates() -> None:
    lower = gn.tensor([[0, 1, 2], [0, 0, 2]], [1.0, 2.0, 3.0], (3, 3), "Skyline")
    assert (str(lower[:2].format), str(lower[1:].format)) == ("Skyline", "COO")
    assert np.array_equal(lower[1:].to_numpy(), lower.to_numpy()[1:])


def test_rows_one_after_the_other() -> None:
    assert [row.to_numpy().tolist() for row in A] == D.tolist()
    with pytest.raises(TypeError, match="no parts"):
        list(scalar(1.0))


@given(SHAPES.flatmap(tensors), st.data())
def test_equality_is_that_of_values_however_stored(tensor: Tensor, data: st.DataObject) -> None:
    other = data.draw(tensors(tensor.shape))
    assert (tensor == other) == np.array_equal(tensor.to_numpy(), other.to_numpy(), equal_nan=True)
    assert tensor == tensor.to_numpy()


def test_equality_across_dtypes_fills_and_duplicates() -> None:
    assert gn.tensor([[0]], [2**53], (1,)) != gn.tensor([[0]], [2.0**53 + 2], (1,))
    assert gn.tensor([[0]], [2**53 + 1], (1,)) != gn.tensor([[0]], [2.0**53], (1,))
    assert gn.tensor([[0, 0]], [2.0, 1.0], (1,), "compressed(nonunique)") == [3]
    assert gn.tensor([[0]], [np.nan], (1,)) == [np.nan]
    full = gn.tensor([[0, 1]], [1.0, 2.0], (2,))
    assert full == replace(full, fill=7.0)
    assert full[:1] != gn.tensor([[0]], [1.0], (2,))
    assert gn.tensor([[0]], [1.0], (2,)) != gn.tensor([[0]], [1.0], (2,), fill=7.0)
    assert A != "CSR"
    assert (np.array_equal(A, D), D == A, D != A) == (True, True, False)


@given(SHAPES.filter(len).flatmap(tensors), st.sampled_from([0.0, 1.0, -2.5, np.inf, np.nan]), st.data())
def test_equality_does_not_depend_on_which_value_is_the_fill(tensor: Tensor, fill: float, data: st.DataObject) -> None:
    array = tensor.to_numpy().copy()
    for c in np.ndindex(array.shape):
        array[c] = data.draw(st.sampled_from([array[c], fill]))
    stored = (array != fill) & ~(np.isnan(array) & np.isnan(fill))
    other = gn.tensor(np.argwhere(stored).T, array[stored], array.shape, fill=fill)
    assert other == array
    assert (tensor == other) is (other == tensor) is np.array_equal(tensor.to_numpy(), array, equal_nan=True)


def test_equality_where_each_stores_what_the_other_leaves_to_its_fill() -> None:
    odd, even = gn.tensor([[1, 3]], [1, 1], (4,)), gn.tensor([[0, 2]], [0, 0], (4,), fill=1)
    assert odd == even == [0, 1, 0, 1]
    assert odd != gn.tensor([[0, 2]], [0, 5], (4,), fill=1)
    assert odd != gn.tensor([[0]], [0], (4,), fill=1)
    assert gn.tensor([[0, 2]], [5.0, 7.0], (4,), gn.spec("SparseVector", fill=1.0)) == [5, 1, 7, 1]
    assert gn.tensor([[0]], [5.0], (2,), fill=np.nan) == [5, np.nan]
    assert gn.tensor([[0]], [5.0], (4,), fill=np.nan) == gn.tensor([[0, 1]], [5.0, np.nan], (4,), fill=np.nan)
    assert scalar(2.0, fill=7) == 2
    twice = gn.tensor([[0, 0]], [2, 1], (2,), "compressed(nonunique)", fill=7)
    assert twice == [3, 7]
    assert twice != [2, 7]


def test_equality_of_huge_tensors_looks_at_what_is_stored() -> None:
    shape = (2**40, 2**40)
    one = gn.tensor([[5], [7]], [1.0], shape, "DCSR")
    assert one == gn.tensor([[5, 6], [7, 7]], [1.0, 0.0], shape)
    assert one != gn.tensor([[5], [7]], [1.0], shape, fill=1.0)
    assert gn.tensor(np.zeros((2, 0), int), [], (0, 2**62)) == gn.tensor(np.zeros((2, 0), int), [], (0, 2**62), fill=1)


@pytest.mark.parametrize("given", [2**64, [2**64], [-1, 2**63], [10**400]])
def test_integers_that_no_dtype_holds_are_compared_exactly(given: Any) -> None:
    beside = np.asarray(given, object)
    assert given != A
    floats = as_tensor("floats", np.full(beside.shape, 2.0**64))
    assert (floats == given) is bool(np.all(beside == 2**64))
    assert (replace(floats, fill=1.0) == given) is bool(np.all(beside == 2**64))


@pytest.mark.parametrize("value", [2.5, 0.0, np.nan, -3, True, False, 1j, np.float32(0.1), np.uint64(2**64 - 1)])
@pytest.mark.parametrize("kind", [bool, complex, float, int])
def test_a_tensor_of_order_0_is_the_number_that_it_holds(kind: Callable[[Any], Any], value: Any) -> None:
    def outcome(number: Any) -> Any:
        try:
            return repr(kind(number))
        except (TypeError, ValueError) as error:
            return type(error)

    assert outcome(scalar(value)) == outcome(np.asarray(value).item())


@pytest.mark.parametrize("kind", [bool, complex, float, int])
@pytest.mark.parametrize("tensor", [A, gn.tensor([[0]], [1.0], (1,)), A[:0]])
def test_a_tensor_of_other_order_is_no_number(kind: Callable[[Any], Any], tensor: Tensor) -> None:
    with pytest.raises(gn.GnomonError, match=r"of order [12]") as caught:
        kind(tensor)
    assert isinstance(caught.value, TypeError) and isinstance(caught.value, ValueError)
    assert caught.value.hint is not None and f"[{', '.join('0' * tensor.order)}]" in caught.value.hint


def test_tensors_have_no_hash() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(A)


@pytest.mark.parametrize("format", ["CSR", "COO", "CSC", "DCSR"])
def test_tensors_that_are_stored_alike_are_compared_by_their_values(
    format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arithmetic, "distinct", lambda _: pytest.fail("components are put in order"))
    one, same, other = (gn.tensor([[0, 1], [2, 0]], [np.nan, n], (2, 3), format) for n in (7.0, 7.0, 8.0))
    assert one == same and one != other


def test_tensors_with_the_same_arrays_are_equal_by_their_components() -> None:
    """Duplicates may add up to the same, and gaps hold what they like; fills differ."""
    one, other = (gn.tensor([[1, 1]], v, (3,), "compressed(nonunique)") for v in ([2.0, 3.0], [4.0, 1.0]))
    assert one == other
    one, other = (replace(gn.tensor([[0], [1]], [1.0], (2, 2), "DIA"), vals=np.array([1.0, n])) for n in (5.0, 6.0))
    assert one == other
    one, other = (gn.tensor([[0], [2]], [5.0], (2, 3), "CSR", fill=n) for n in (0, 1))
    assert one != other
    one, other = (gn.tensor([[0], [c]], [5.0], (2, 3), "CSR") for c in (0, 1))
    assert one != other


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "uint64", "complex64", "complex128"])
@pytest.mark.parametrize("source", ["bool", "int8", "int64", "float32", "float64", "complex128"])
def test_conversion_to_a_dtype_in_the_same_format_gives_that_dtype(source: str, dtype: str) -> None:
    tensor = gn.tensor([[0, 1], [1, 0]], np.ones(2, source), (2, 2), "CSR")
    try:
        expected = tensor.convert(gn.spec("DCSR", dtype=dtype))
    except DtypeError as refused:
        with pytest.raises(DtypeError, match=refused.message):
            tensor.convert(gn.spec("CSR", dtype=dtype))
    else:
        found = tensor.convert(gn.spec("CSR", dtype=dtype))
        assert (found.dtype, found == expected) == (np.dtype(dtype), True)


def tenths(dtype: str) -> Tensor:
    """A vector whose fill is the tenth of a dtype."""
    return gn.tensor([[0]], [1.0], (2,), gn.spec("SparseVector", dtype=dtype, fill=0.1))


def test_a_rounded_fill_is_another_than_the_one_that_is_not() -> None:
    narrow, wide = tenths("float32"), tenths("float64")
    assert (narrow == wide, narrow == wide.to_numpy(), narrow.convert("Dense") == wide.convert("Dense")) == (False,) * 3
    with pytest.raises(FormatError, match=r"fill is 0.1 in the spec, but the tensor has 0.10000000149011612"):
        narrow.convert(gn.spec("Dense", dtype="float64", fill=0.1))
    for format in (gn.spec("Dense", fill=0.1), gn.spec("COO", dtype="float32", fill=0.1)):
        assert narrow.convert(format) == narrow
    assert wide.convert(gn.spec("Dense", dtype="float32", fill=0.1)) == narrow
    assert gn.from_numpy(narrow.to_numpy(), gn.spec("SparseVector", dtype="float64", fill=0.1)).nnz == 2


@pytest.mark.parametrize("engine", ["reference", "c"])
def test_components_that_are_missing_are_stored_where_the_fill_is_another_number(engine: str) -> None:
    narrow, wide = tenths("float32"), gn.spec("SparseVector", dtype="float64", fill=0.1)
    assert gn.evaluate("y(i) = x(i)", x=narrow, out=wide, engine=engine).to_numpy().tolist() == [
        1.0,
        float(np.float32(0.1)),
    ]
    mask, z = gn.tensor([[0]], [1.0], (2,), "SparseVector"), gn.tensor([[0]], [3.0], (2,), "SparseVector")
    merged = gn.evaluate("y(i)<m(i),merge> = z(i)", y=narrow, m=mask, z=z, out=wide, engine=engine)
    assert merged.to_numpy().tolist() == [3.0, float(np.float32(0.1))]
