"""SciPy arrays: kept as they are, or refused where their own arrays contradict each other."""

from collections.abc import Callable
from itertools import chain
from math import prod
from typing import Any

import gnomon as gn
import numpy as np
import pytest
import scipy.sparse
from gnomon.reference.errors import FormatError, StorageError
from gnomon.reference.files import scipy_arrays
from gnomon.reference.files.scipy_arrays import components
from gnomon.reference.storage.packing import pack
from gnomon.reference.storage.tensor import Tensor, scalar
from hypothesis import given
from hypothesis import strategies as st

FIGURE_2 = (
    [[0, 0, 1, 1, 3, 3, 3], [0, 1, 0, 1, 0, 3, 4]],
    [5.0, 1.0, 7.0, 3.0, 8.0, 4.0, 9.0],
    (4, 6),
)

DENSE = np.array([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0], [4.0, 0.0, 5.0]])


def arrays_of(tensor: Tensor) -> list[np.ndarray]:
    """The arrays of a tensor's levels, and its values."""
    return [*(held for level in tensor.levels for held in level.values()), tensor.vals]


def damaged(kind: str, change: Callable[[Any], None]) -> Any:
    """An array of that kind after a change."""
    found = scipy.sparse.coo_array(DENSE).asformat(kind)
    change(found)
    return found


def put(name: str, n: int, value: int) -> Callable[[Any], None]:
    """Write one element of an array."""

    def change(found: Any) -> None:
        getattr(found, name)[n] = value

    return change


def replaced(name: str, value: Any) -> Callable[[Any], None]:
    """Put another array in the place of one."""
    return lambda found: setattr(found, name, value)


@pytest.mark.parametrize("kind", ["csr", "csc", "bsr"])
@pytest.mark.parametrize(
    "change",
    [
        put("indices", 0, 17), put("indices", 0, -1), put("indptr", 1, -5), put("indptr", 0, 1), put("indptr", -1, 99),
        put("indptr", 1, 4), replaced("indptr", np.array([0, 1])), replaced("indices", np.array([0])),
        replaced("data", np.ones(2)), replaced("indices", np.array([0.5, 0, 1, 2, 2])), replaced("indptr", None),
        replaced("indices", np.zeros((5, 1), int)),
    ],
)  # fmt: skip
def test_damaged_compressed_arrays_are_refused(kind: str, change: Callable[[Any], None]) -> None:
    with pytest.raises(StorageError, match=f"SciPy {kind} array"):
        gn.from_scipy(damaged(kind, change))
    with pytest.raises(StorageError, match=f"SciPy {kind} array"):
        gn.evaluate("y(i) = A(i,j)", A=damaged(kind, change))


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("coo", put("row", 0, 17)), ("coo", put("col", 0, -1)), ("coo", replaced("data", np.ones(2))),
        ("coo", replaced("row", np.array([0]))), ("dia", replaced("offsets", np.array([0]))),
        ("dia", replaced("data", np.ones(3))), ("dia", replaced("offsets", np.array([0.5, 1, 2]))),
        ("dia", replaced("data", None)),
        ("csr", replaced("data", np.ma.masked_equal(np.ones(5), 1))), ("bsr", replaced("data", np.ones(5))),
        ("lil", replaced("rows", None)), ("lil", put("rows", 0, ["a", "b"])),
        ("lil", put("rows", 0, [17, 18])), ("lil", put("rows", 0, [0])), ("lil", put("data", 0, [1.0])),
    ],
)  # fmt: skip
def test_damaged_arrays_of_other_kinds_are_refused(kind: str, change: Callable[[Any], None]) -> None:
    with pytest.raises(StorageError):
        gn.from_scipy(damaged(kind, change))


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "bsr", "dia", "lil", "dok"])
def test_sound_arrays_are_taken_and_left_alone(kind: str) -> None:
    array = scipy.sparse.coo_array(DENSE).asformat(kind)
    assert np.array_equal(gn.from_scipy(array).to_numpy(), DENSE)
    assert np.array_equal(array.toarray(), DENSE)
    empty = scipy.sparse.coo_array((0, 3)).asformat(kind)
    assert gn.from_scipy(empty).to_numpy().shape == (0, 3)


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "bsr", "dia", "lil", "dok"])
@given(seed=st.integers(0, 10**6), rows=st.integers(0, 6), columns=st.integers(1, 6), dtype=st.sampled_from("?bdD"))
def test_components_are_those_of_scipy(kind: str, seed: int, rows: int, columns: int, dtype: str) -> None:
    rng = np.random.default_rng(seed)
    dense = (rng.integers(0, 9, (rows, columns)) * rng.integers(0, 2, (rows, columns))).astype(dtype)
    array = scipy.sparse.coo_array(dense).asformat(kind)
    found = gn.from_scipy(array)
    assert found.dtype == array.dtype
    assert np.array_equal(found.to_numpy(), array.toarray())


@pytest.mark.parametrize("kind", ["csr", "csc", "bsr"])
@given(rows=st.lists(st.lists(st.integers(0, 5), max_size=4), max_size=5), rises=st.booleans(), room=st.integers(0, 2))
def test_segments_are_kept_as_packing_gives_them(kind: str, rows: list[list[int]], rises: bool, room: int) -> None:
    """In order or not, with coordinates twice, and with room beyond the last row; in arrays of their own."""
    rows = [sorted(set(row)) for row in rows] if rises else rows
    size, block = len(rows), (2, 3) if kind == "bsr" else ()
    array = scipy.sparse.coo_array((2 * size, 18) if block else (6, size) if kind == "csc" else (size, 6))
    array = array.tobsr(block) if block else array.asformat(kind)
    array.indptr = np.concatenate([[0], np.cumsum([len(row) for row in rows], dtype=int)])
    array.indices = np.array([*chain(*rows), *[0] * room], int)
    array.data = np.arange(1.0, len(array.indices) * prod(block) + 1).reshape(-1, *block)
    found, expected = gn.from_scipy(array), pack(*components(array), array.shape, gn.from_scipy(array).format)
    array.indptr[:], array.indices[:], array.data[:] = 0, 0, 0
    found.validate()
    assert found.sound and (found.shape, found.extents) == (expected.shape, expected.extents)
    for one, other in zip(arrays_of(found), arrays_of(expected), strict=True):
        assert one.dtype == other.dtype and np.array_equal(one, other)


@given(
    offsets=st.lists(st.integers(-5, 6), max_size=5),
    rows=st.integers(0, 4),
    columns=st.integers(0, 5),
    width=st.integers(0, 7),
    seed=st.integers(0, 10**6),
    dtype=st.sampled_from("?bdD"),
)
def test_diagonals_are_kept_as_packing_gives_them(
    offsets: list[int], rows: int, columns: int, width: int, seed: int, dtype: str
) -> None:
    """In any order, twice, outside the matrix, too short, and all zeros, some of them negative."""
    array = scipy.sparse.dia_array((rows, columns))
    array.offsets = np.array(offsets, int)
    drawn = np.random.default_rng(seed).choice([0.0, -0.0, np.nan, 1.0, 2.0], (len(offsets), width))
    array.data = (drawn if dtype in "dD" else np.nan_to_num(drawn)).astype(dtype)
    found, expected = gn.from_scipy(array), pack(*components(array), array.shape, "DIA")
    array.data[:], array.offsets[:] = 0, 0
    found.validate()
    assert found.sound and (found.shape, found.extents) == (expected.shape, expected.extents)
    for one, other in ((found.vals, expected.vals), (found.shared["offset"], expected.shared["offset"])):
        assert one.dtype == other.dtype and one.tobytes() == other.tobytes()


def test_masked_diagonals_are_refused() -> None:
    array = scipy.sparse.dia_array(DENSE)
    array.data = np.ma.masked_equal(array.data, 1)
    with pytest.raises(StorageError, match="masked"):
        gn.from_scipy(array)


def test_rows_out_of_order_are_put_in_order_without_their_components(monkeypatch: pytest.MonkeyPatch) -> None:
    array = scipy.sparse.csr_array((np.array([7.0, 8.0, 9.0]), np.array([2, 0, 1]), np.array([0, 2, 3])), shape=(2, 3))
    monkeypatch.setattr(scipy_arrays, "pack", None)
    assert gn.to_dict(gn.from_scipy(array)) == {(0, 0): 8.0, (0, 2): 7.0, (1, 1): 9.0}


def test_coordinates_beyond_32_bits_are_copied_too() -> None:
    array = scipy.sparse.csr_array((1, 2**40))
    array.indptr, array.indices = np.array([0, 1]), np.array([2**40 - 1])
    array.data = np.array([3.0])
    found = gn.from_scipy(array)
    array.indices[0] = 0
    assert gn.to_dict(found) == {(0, 2**40 - 1): 3.0}


@pytest.mark.parametrize("offset", [50, -50, 2**62, -(2**62), 3, -3])
def test_diagonals_outside_the_matrix_hold_nothing(offset: int) -> None:
    found = scipy.sparse.dia_array((np.ones((1, 3)), [0]), shape=(3, 3))
    found.offsets = np.array([offset])
    assert gn.from_scipy(found).nnz == 0


def test_blocks_keep_their_size() -> None:
    dense = np.kron(np.array([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]]), np.arange(1.0, 7.0).reshape(2, 3))
    found = gn.from_scipy(scipy.sparse.bsr_array(dense, blocksize=(2, 3)))
    assert str(found.format) == "BCSR(2,3)"
    assert np.array_equal(found.to_numpy(), dense)


def test_other_orders_are_refused() -> None:
    with pytest.raises(FormatError, match="of order 1 is not known"):
        gn.from_scipy(scipy.sparse.csr_array(np.array([1.0, 0.0, 2.0])))


def test_room_beyond_the_last_row_is_no_damage() -> None:
    found = scipy.sparse.csr_array(DENSE)
    found.indices, found.data = np.append(found.indices, [0, 0]), np.append(found.data, [7.0, 7.0])
    assert np.array_equal(gn.from_scipy(found).to_numpy(), DENSE)


@pytest.mark.parametrize(
    ("format", "kind"), [("CSR", "csr"), ("CSC", "csc"), ("DIA", "dia"), ("COO", "coo"), ("DCSR", "coo")]
)
def test_scipy_gets_its_own_form_of_the_format(format: str, kind: str) -> None:
    assert gn.tensor(*FIGURE_2, format).to_scipy().format == kind


@pytest.mark.parametrize("shape", [(5, 7), (7, 5), (1, 9), (9, 1), (0, 3), (3, 0), (2, 10**11)])
@pytest.mark.parametrize("format", ["COO", "DIA"])
def test_scipy_gets_copies_of_the_arrays_that_it_stores_too(
    format: str, shape: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, columns = (min(n, 7) for n in shape)
    i, j = np.nonzero(np.random.default_rng(rows).random((rows, columns)) < 0.5)
    tensor = gn.tensor([i, j], np.arange(1.0, len(i) + 1), shape, format)
    with monkeypatch.context() as patch:
        patch.setattr(gn.Tensor, "components", lambda _: pytest.fail("components are enumerated"))
        found = tensor.to_scipy()
    assert found.format == format.lower() and found.shape == shape
    entries = found.tocoo()
    columns_of = (entries.row.tolist(), entries.col.tolist(), entries.data.tolist())
    kept = {(a, b): v for a, b, v in zip(*columns_of, strict=True)}
    assert kept == {c: v for c, v in tensor.entries() if v}
    found.data[...] = 0
    assert all(dict(tensor.entries())[c] == v for c, v in kept.items())


@pytest.mark.parametrize(("shape", "kind"), [((4, 6), "bsr"), ((4, 7), "coo"), ((5, 6), "coo"), ((0, 6), "bsr")])
def test_scipy_gets_copies_of_blocks_that_end_with_the_matrix(shape: tuple[int, int], kind: str) -> None:
    i, j = np.nonzero(np.random.default_rng(3).random(shape) < 0.3)
    tensor = gn.tensor([i, j], np.arange(1.0, len(i) + 1), shape, "BCSR(2,3)")
    found = tensor.to_scipy()
    assert found.format == kind and np.array_equal(found.toarray(), tensor.to_numpy())
    found.data[...] = 0
    assert tensor.to_numpy().sum() == sum(range(len(i) + 1))


def test_scipy_gets_duplicates_as_they_are_stored() -> None:
    assert gn.tensor([[1, 0, 1], [1, 0, 1]], [1.0, 2.0, 3.0], (2, 2), "COO").to_scipy().toarray().tolist() == [
        [2, 0],
        [0, 4],
    ]
    assert gn.tensor([0, 0], [1.0, 2.0], (3,), "COO").to_scipy().toarray().tolist() == [3, 0, 0]


def test_formats_that_only_bear_a_name_are_stored_as_they_say() -> None:
    for name in ("CSR", "CSC", "COO", "DIA"):
        named = gn.Format(["dense", "dense"], name=name)
        assert gn.tensor([[0, 1], [1, 0]], [1.0, 2.0], (2, 2), named).to_scipy().toarray().tolist() == [[0, 1], [2, 0]]


def test_what_scipy_cannot_say_is_refused() -> None:
    with pytest.raises(StorageError, match="fill 0, this tensor has 1"):
        gn.tensor([[0]], [1.0], (2,), "SparseVector", fill=1).to_scipy()
    with pytest.raises(StorageError, match="order 0"):
        scalar(2.0).to_scipy()


def test_a_matrix_of_scipys_is_multiplied_by_a_tensor() -> None:
    tensor = gn.tensor(*FIGURE_2, "CSR")
    other = scipy.sparse.csr_array(np.arange(8.0).reshape(2, 4))
    assert np.array_equal(other @ tensor, other.toarray() @ tensor.to_numpy())
