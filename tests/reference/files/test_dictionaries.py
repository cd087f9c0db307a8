"""Dictionaries and arrays, there and back."""

from typing import Any

import gnomon as gn
import numpy as np
import pytest
import scipy.sparse
from gnomon.properties.strategies import tensors
from gnomon.reference.errors import DtypeError, MeaningError, StorageError
from gnomon.reference.storage.tensor import Tensor
from hypothesis import given
from hypothesis import strategies as st


@given(st.integers(1, 3).flatmap(lambda n: tensors((3, 4, 2)[:n])))
def test_dictionaries_keep_components(tensor: Tensor) -> None:
    again = gn.from_dict(gn.to_dict(tensor), tensor.shape, "COO")
    assert np.array_equal(again.to_numpy(), tensor.to_numpy(), equal_nan=True)


@given(tensors((3, 4)))
def test_arrays_keep_values(tensor: Tensor) -> None:
    dense = tensor.to_numpy()
    assert np.array_equal(gn.from_numpy(dense, "DCSR").to_numpy(), dense, equal_nan=True)
    assert np.array_equal(np.asarray(tensor), dense, equal_nan=True)


@pytest.mark.parametrize("value", [3.0, 2, True, 1j])
def test_scalars_are_read_without_a_format(value: Any) -> None:
    components = gn.to_dict(gn.from_dict({(): value}, ()))
    assert components == {(): value} and gn.from_dict(components, ())[()] == value
    assert gn.from_dict({}, (), fill=2)[()] == 2 and str(gn.from_dict({}, (2, 2)).format) == "COO"


def test_duplicates_add_up_in_the_dtype_of_the_tensor() -> None:
    format = "compressed(nonunique,unordered),singleton(nonunique,unordered)"

    def stored(dtype: str) -> Tensor:
        return gn.tensor([[1, 0, 1], [1, 2, 1]], np.array([100, 1, 100], dtype), (3, 3), format, dtype=dtype)

    assert list(gn.to_dict(stored("int16")).items()) == [((1, 1), 200), ((0, 2), 1)]
    assert gn.to_dict(stored("bool")) == {(1, 1): True, (0, 2): True}
    assert type(gn.to_dict(stored("float32"))[1, 1]) is np.float32
    with pytest.raises(MeaningError, match="duplicates add up to 200, which does not fit in int8"):
        gn.to_dict(stored("int8"))


def test_keys_must_be_coordinates() -> None:
    with pytest.raises(StorageError, match="is not a tuple of 2 coordinates"):
        gn.from_dict({(1,): 2.0}, (2, 2))


@pytest.mark.parametrize(
    ("components", "shape", "message"),
    [
        (None, (2,), "expected a dictionary"),
        ([1], (2,), "expected a dictionary"),
        ("ab", (2,), "expected a dictionary"),
        ({(0.7, 1.2): 5.0}, (2, 2), "are not integers"),
        ({("a", 1): 5.0}, (2, 2), "are not integers"),
        ({(2**70, 0): 5.0}, (2, 2), "outside the shape"),
        ({(2**63, 0): 5.0}, (2, 2), "outside the shape"),
        ({(10**9999, 0): 5.0}, (2, 2), "outside the shape"),
        ({(-1, 0): 5.0}, (2, 2), "outside the shape"),
        ({(0, 1): 5.0, (0,): 1.0}, (2, 2), "not a tuple of 2 coordinates"),
        ({((0, 1), 1): 5.0}, (2, 2), "are not integers"),
        ({3: 5.0}, (2,), "not a tuple of 1 coordinates"),
        ({(0,): 5.0}, 2, "not a tuple of integers"),
        ({(0,): [1, 2], (1,): [3]}, (2,), "ragged"),
    ],
)
def test_what_is_no_dictionary_of_components_is_refused(components: Any, shape: Any, message: str) -> None:
    with pytest.raises(StorageError, match=message):
        gn.from_dict(components, shape)


def test_large_integers_are_not_rounded() -> None:
    assert gn.from_dict({(0,): 2**63 + 1, (1,): 1}, (2,)).vals.tolist() == [2**63 + 1, 1]
    with pytest.raises(DtypeError, match="from -1 to 9223372036854775809"):
        gn.from_dict({(0,): 2**63 + 1, (1,): -1}, (2,))


@pytest.mark.parametrize(
    ("array", "error", "message"),
    [
        (None, StorageError, "expected a NumPy array, but found None"),
        ([1.0, 2.0], StorageError, "expected a NumPy array"),
        (np.ma.masked_equal([1.0, 2.0], 2.0), StorageError, "masked"),
        (np.array(["a"]), DtypeError, "not supported"),
        (np.array([None]), DtypeError, "not supported"),
    ],
)
def test_what_is_no_array_is_refused(array: Any, error: type[Exception], message: str) -> None:
    for fill in (0, np.nan):
        with pytest.raises(error, match=message):
            gn.from_numpy(array, "COO", fill=fill)


def test_only_tensors_are_dictionaries() -> None:
    with pytest.raises(StorageError, match="expected a tensor, but found 5"):
        gn.to_dict(5)  # type: ignore[arg-type]


@pytest.mark.parametrize("fill", ["x", [1], 1j, np.zeros(2)])
def test_fills_of_arrays_are_numbers(fill: Any) -> None:
    with pytest.raises(DtypeError, match=r"^fill .* (does not fit|is not a number)"):
        gn.from_numpy(np.ones(2), "COO", fill=fill)


def test_arrays_are_stored_by_a_spec() -> None:
    found = gn.from_numpy(np.array([3.0, 0.0]), gn.spec("SparseVector", dtype="float32", fill=3))
    assert (found.dtype, list(found.entries())) == (np.float32, [((1,), 0.0)])
    assert gn.from_dict({(0,): 1.0}, (2,), gn.spec("SparseVector", fill=3)).fill == 3


@pytest.mark.parametrize(
    ("kind", "format"), [("csr", "CSR"), ("csc", "CSC"), ("coo", "COO"), ("dia", "DIA"), ("bsr", "BCSR(1,1)")]
)
def test_scipy_keeps_its_format(kind: str, format: str) -> None:
    dense = np.array([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]])
    found = gn.from_scipy(scipy.sparse.coo_array(dense).asformat(kind))
    assert str(found.format) == format
    assert np.array_equal(found.to_numpy(), dense)
    assert np.array_equal(found.to_scipy().toarray(), dense)


@pytest.mark.parametrize("fill", [0.0, 2.0, np.nan])
def test_arrays_become_dense_as_their_components_would(fill: float) -> None:
    array = np.array([[1.0, 2.0, np.nan], [0.0, -0.0, 5.0]])
    coords = np.stack(np.indices(array.shape)).reshape(2, -1)
    found, wanted = (
        gn.from_numpy(array, "Dense(0,1)", fill=fill),
        gn.tensor(coords, array.reshape(-1), (2, 3), "Dense(0,1)", fill=fill),
    )
    assert np.array_equal(found.vals, wanted.vals, equal_nan=True) and found.format == wanted.format
    assert np.array_equal(found.fill, wanted.fill, equal_nan=True) and not found.vals.flags.writeable
    array[0, 0] = 7.0
    assert found.vals[0] == 1.0
