"""Dictionaries and arrays, there and back."""

import gnomon as gn
import numpy as np
import pytest
import scipy.sparse
from gnomon.properties.strategies import tensors
from gnomon.reference.errors import StorageError
from gnomon.reference.tensor import Tensor
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


def test_keys_must_be_coordinates() -> None:
    with pytest.raises(StorageError, match="is not a tuple of 2 coordinates"):
        gn.from_dict({(1,): 2.0}, (2, 2))


@pytest.mark.parametrize(
    ("kind", "format"), [("csr", "CSR"), ("csc", "CSC"), ("coo", "COO"), ("dia", "DIA"), ("bsr", "BCSR(1,1)")]
)
def test_scipy_keeps_its_format(kind: str, format: str) -> None:
    dense = np.array([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]])
    found = gn.from_scipy(scipy.sparse.coo_array(dense).asformat(kind))
    assert str(found.format) == format
    assert np.array_equal(found.to_numpy(), dense)
    assert np.array_equal(found.to_scipy().toarray(), dense)
