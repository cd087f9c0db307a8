"""Packing: level functions and whole levels give the same arrays, and the components that went in."""

import time

import numpy as np
import pytest
from gnomon.properties.strategies import formats, values
from gnomon.reference.errors import DtypeError, StorageError
from gnomon.reference.format import Format
from gnomon.reference.packing import pack, pack_by_level_functions
from hypothesis import given
from hypothesis import strategies as st


@st.composite
def inputs(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, tuple[int, ...], Format]:
    order = draw(st.integers(1, 4))
    shape = tuple(draw(st.integers(0, 5)) for _ in range(order))
    coordinate = st.tuples(*(st.integers(0, max(n - 1, 0)) for n in shape))
    coords = draw(st.lists(coordinate, max_size=0 if 0 in shape else 10))
    held = draw(st.lists(values("int64"), min_size=len(coords), max_size=len(coords)))
    return np.array(coords, np.int64).reshape(-1, order).T, np.array(held, np.int64), shape, draw(formats(order))


@given(inputs())
def test_level_functions_and_whole_levels_agree(drawn: tuple[np.ndarray, np.ndarray, tuple[int, ...], Format]) -> None:
    coords, held, shape, format = drawn
    fast, slow = pack(coords, held, shape, format), pack_by_level_functions(coords, held, shape, format)
    for a, b in zip((*fast.levels, fast.shared), (*slow.levels, slow.shared), strict=True):
        assert a.keys() == b.keys()
        assert all(np.array_equal(a[name], b[name]) for name in a)
    assert np.array_equal(fast.vals, slow.vals)


@given(inputs())
def test_components_survive(drawn: tuple[np.ndarray, np.ndarray, tuple[int, ...], Format]) -> None:
    coords, held, shape, format = drawn
    tensor = pack(coords, held, shape, format)
    tensor.validate()
    expected = np.zeros(shape, np.int64)
    np.add.at(expected, tuple(coords), held)
    assert np.array_equal(tensor.to_numpy(), expected)


@given(inputs(), st.data())
def test_conversion_keeps_values(
    drawn: tuple[np.ndarray, np.ndarray, tuple[int, ...], Format], data: st.DataObject
) -> None:
    coords, held, shape, format = drawn
    tensor = pack(coords, held, shape, format)
    other = tensor.convert(data.draw(formats(len(shape))))
    assert np.array_equal(tensor.to_numpy(), other.to_numpy())


def test_a_million_entries_pack_into_csr() -> None:
    rng = np.random.default_rng(0)
    coords = rng.integers(0, 100_000, (2, 1_000_000))
    start = time.perf_counter()
    tensor = pack(coords, np.ones(1_000_000), (100_000, 100_000), "CSR")
    assert time.perf_counter() - start < 30
    assert tensor.vals.sum() == 1_000_000


@pytest.mark.parametrize(
    ("coords", "held", "message"),
    [
        ([[0, 4], [0, 0]], [1.0, 2.0], r"component 1 has coordinates \(4, 0\), outside the shape \(2, 3\) in mode 1"),
        ([[0, -1], [0, 0]], [1.0, 2.0], r"\(-1, 0\), outside"),
        ([[0, 1]], [1.0, 2.0], "do not fit 2 values of order 2"),
        ([[0.5, 1], [0, 0]], [1.0, 2.0], "not integers"),
    ],
)
def test_bad_components_are_refused(coords: list[list[int]], held: list[float], message: str) -> None:
    with pytest.raises(StorageError, match=message):
        pack(coords, held, (2, 3), "CSR")


def test_values_must_fit_the_dtype() -> None:
    with pytest.raises(DtypeError, match="float64 cannot be stored as int32"):
        pack([[0], [0]], [1.5], (2, 3), "CSR", dtype="int32")
