"""Packing: level functions and whole levels give the same arrays, and the components that went in."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import gnomon as gn
import numpy as np
import pytest
import scipy.sparse as sp
from gnomon.properties.strategies import formats, values
from gnomon.properties.strategies.formats import is_lower
from gnomon.properties.strategies.tensors import coordinates
from gnomon.reference.errors import DtypeError, FormatError, StorageError
from gnomon.reference.levels import Level
from gnomon.reference.levels.dense import Dense
from gnomon.reference.levels.level import Indices, parameter
from gnomon.reference.storage.format import Format, misfit, parse_level
from gnomon.reference.storage.named_formats import format_of
from gnomon.reference.storage.packing import borrow_array, pack, pack_array, pack_by_level_functions
from hypothesis import given
from hypothesis import strategies as st

LEVELS = [
    parse_level(text)
    for text in (
        "dense", "dense(unordered)", "dense(nonunique)", "bitmap", "accumulator", "hashed", "hashed(width=1)",
        "hashed(width=3)", "banded", "compressed_aos", "compressed_aos(nonunique)", "singleton_aos(nonunique)",
        "compressed", "compressed(unordered)", "compressed(nonunique)", "compressed(unordered,nonunique)",
        "singleton", "singleton(unordered)", "singleton(nonunique)", "singleton(unordered,nonunique)",
    )
]  # fmt: skip


@st.composite
def compositions(draw: st.DrawFn, order: int) -> Format:
    """Any legal composition of levels, in any mode order."""
    levels: list[Level] = []
    while len(levels) < order:
        above = tuple(levels)
        fitting = [level for level in LEVELS if level.misfit(above) is None and misfit(level, above) is None]
        levels.append(draw(st.sampled_from(fitting)))
    return Format(levels, draw(st.permutations(range(order))))


@st.composite
def inputs(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, tuple[int, ...], Format]:
    order = draw(st.integers(1, 4))
    shape = tuple(draw(st.integers(0, 5)) for _ in range(order))
    format = draw(st.one_of(formats(order, shape=shape), compositions(order)))
    once = draw(coordinates(shape, format))
    coords = once + (draw(st.lists(st.sampled_from(once), max_size=4)) if once else [])
    held = draw(st.lists(values("int64"), min_size=len(coords), max_size=len(coords)))
    return np.array(coords, np.int64).reshape(-1, order).T, np.array(held, np.int64), shape, format


@given(inputs())
def test_level_functions_and_whole_levels_agree(drawn: tuple[np.ndarray, np.ndarray, tuple[int, ...], Format]) -> None:
    agree(*drawn)


@pytest.mark.parametrize("coords", [[[1, 3, 3], [0, 0, 0], [0, 0, 1]], [[1, 1, 2], [0, 0, 0], [0, 1, 0]]])
def test_lists_below_parents_in_any_order(coords: list[list[int]]) -> None:
    """Positions in a hashed level are in the order of its slots, not in that of the coordinates."""
    format = format_of("hashed(width=1),accumulator,dense; (i,j,k)->(i,k,j)")
    agree(np.array(coords), np.array([1, 2, 3]), (4, 1, 2), format)


def agree(coords: np.ndarray, held: np.ndarray, shape: tuple[int, ...], format: Format) -> None:
    """Level functions and whole levels store the same."""
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
    other = tensor.convert(data.draw(formats(len(shape)).filter(lambda format: not is_lower(format))))
    assert np.array_equal(tensor.to_numpy(), other.to_numpy())


@pytest.mark.parametrize("shape", [(3,), (2, 0, 3), (2, 3, 2)])
@pytest.mark.parametrize("dtype", ["float64", "bool", "int8", "complex64"])
def test_arrays_are_packed_whole(shape: tuple[int, ...], dtype: str) -> None:
    array = np.arange(int(np.prod(shape))).reshape(shape).astype(dtype)
    for given_ in (array, array.T, array[..., ::-1]):
        wanted = pack(
            np.indices(given_.shape).reshape(given_.ndim, -1), given_.reshape(-1), given_.shape, "d" * len(shape)
        )
        found = pack_array(given_, 0)
        assert (found.format, found.shape, found.dtype, found.fill) == (wanted.format, wanted.shape, wanted.dtype, 0)
        assert (found.levels, found.shared, found.extents) == (wanted.levels, wanted.shared, wanted.extents)
        assert np.array_equal(found.vals, wanted.vals) and found.sound and not np.may_share_memory(found.vals, given_)
    with pytest.raises(ValueError, match="read-only"):
        found.vals[:] = 0
    with pytest.raises(DtypeError, match=r"fill 0\.5 does not fit"):
        pack_array(np.ones(2, "int8"), 0.5)


def test_arrays_whose_values_lie_in_order_are_borrowed() -> None:
    array = np.arange(6.0).reshape(2, 3)
    for given_, shares in ((array, True), (array[:1], True), (array.T, False), (array[:, ::-1], False)):
        found, wanted = borrow_array(given_), pack_array(given_)
        assert np.array_equal(found.vals, wanted.vals) and found.shape == wanted.shape
        assert np.may_share_memory(found.vals, array) is shares and not found.vals.flags.writeable
    assert array.flags.writeable


@pytest.mark.parametrize("index", ["int32", "int64"])
@pytest.mark.parametrize("format", ["CSR", "COO", "DCSR", "ELL", "BCSR(2,2)", "dense,compressed(unordered)"])
def test_what_was_given_stays_its_owners(format: str, index: str) -> None:
    coords, held = np.array([[0, 0, 1], [0, 2, 1]]), np.array([1.0, 2.0, 3.0])
    made = gn.tensor(coords, held, (2, 4), format, index=index)
    before = list(made.entries())
    coords[:], held[:] = 0, 9.0
    assert list(made.entries()) == before


def test_a_million_entries_pack_into_csr() -> None:
    rng = np.random.default_rng(0)
    coords = rng.integers(0, 100_000, (2, 1_000_000))
    start = time.perf_counter()
    tensor = pack(coords, np.ones(1_000_000), (100_000, 100_000), "CSR")
    assert time.perf_counter() - start < 10
    assert tensor.vals.sum() == 1_000_000


SHAPES = {"DIA3": (3, 2, 3), "ELL3": (2, 3, 3), "BCSR4": (2, 2, 2, 3), "CSB4": (2, 2, 2, 3), "Skyline": (3, 3)}
COMPONENTS = {
    "DIA3": [(0, 0, 0), (0, 1, 1), (2, 0, 1)],
    "ELL3": [(0, 0, 2), (1, 2, 0)],
    "BCSR4": [(0, 1, 1, 2), (0, 1, 0, 0), (1, 0, 1, 1)],
    "CSB4": [(0, 1, 1, 2), (0, 1, 0, 0), (1, 0, 1, 1)],
    "Skyline": [(1, 0), (2, 2), (2, 1)],
}


@pytest.mark.parametrize("name", SHAPES)
def test_formats_for_some_components_only(name: str) -> None:
    coords = np.array(COMPONENTS[name]).T
    held = np.arange(1.0, coords.shape[1] + 1)
    fast, slow = pack(coords, held, SHAPES[name], name), pack_by_level_functions(coords, held, SHAPES[name], name)
    fast.validate()
    assert {i: v for i, v in fast.entries() if v} == dict(zip(COMPONENTS[name], held.tolist(), strict=True))
    assert np.array_equal(fast.vals, slow.vals)
    for a, b in zip((*fast.levels, fast.shared), (*slow.levels, slow.shared), strict=True):
        assert all(np.array_equal(a[array], b[array]) for array in a)


@pytest.mark.parametrize(
    ("name", "coords", "shape", "message"),
    [
        ("DIA3", [[0, 0], [0, 1], [0, 0]], (2, 2, 2), "does not lie on diagonal 0"),
        ("ELL3", [[0, 0], [0, 0], [0, 1]], (2, 2, 2), r"\(0, 0, 0\) and \(0, 0, 1\) cannot both be stored in ELL3"),
        ("Skyline", [[0], [1]], (2, 2), "above the diagonal"),
        ("Skyline", [[1], [0]], (2, 1), "ends before the diagonal"),
        ("dense,singleton(padded,nonunique)", [[0, 0], [1, 2]], (2, 3), "level 2 .singleton. has one position for"),
    ],
)
def test_components_without_a_place_are_refused(
    name: str, coords: list[list[int]], shape: tuple[int, ...], message: str
) -> None:
    with pytest.raises(StorageError, match=message):
        pack(coords, np.ones(len(coords[0])), shape, name)


def test_levels_that_nothing_gives_offsets_are_refused() -> None:
    with pytest.raises(FormatError, match=r"level 2 \(range\)"):
        pack([[0], [0]], [1.0], (2, 2), "dense,range")


def test_duplicates_stay_where_they_can() -> None:
    coords, held = [[1, 0, 1], [2, 0, 2]], [1.0, 2.0, 4.0]
    kept = pack(coords, held, (2, 3), "compressed(nonunique),singleton(nonunique)")
    assert list(kept.entries()) == [((0, 0), 2.0), ((1, 2), 1.0), ((1, 2), 4.0)]
    assert list(pack(coords, held, (2, 3), "COO").entries()) == [((0, 0), 2.0), ((1, 2), 5.0)]
    assert pack(coords, held, (2, 3), "dense(nonunique),dense(nonunique)").to_numpy()[1, 2] == 5.0


@pytest.mark.parametrize(
    "format", ["compressed(nonunique,unordered),singleton(unordered)", "compressed(unordered),compressed(unordered)"]
)
def test_duplicates_add_up_where_the_first_stands_in_levels_that_keep_the_order(format: str) -> None:
    made = gn.tensor([[1, 0, 1], [2, 3, 2]], [1.0, 2.0, 4.0], (2, 4), format)
    assert list(made.entries()) == [((1, 2), 5.0), ((0, 3), 2.0)]


def test_unordered_levels_keep_the_order_given() -> None:
    coords, held = [[1, 0, 1], [2, 0, 0]], [1.0, 2.0, 4.0]
    rows = pack(coords, held, (2, 3), "dense,compressed(unordered)")
    assert list(rows.entries()) == [((0, 0), 2.0), ((1, 2), 1.0), ((1, 0), 4.0)]
    loose = pack(coords, held, (2, 3), "compressed(nonunique,unordered),singleton(unordered)")
    assert list(loose.entries()) == [((1, 2), 1.0), ((0, 0), 2.0), ((1, 0), 4.0)]


@pytest.mark.parametrize("format", ["CSR", "COO", "HashRows", "DIA", "ELL", "BCSR(2,2)", "Banded"])
def test_stored_zeros_are_stored(format: str) -> None:
    tensor = pack([[0, 1], [1, 0]], [0.0, 3.0], (3, 3), format)
    assert ((0, 1), 0.0) in list(tensor.entries())


@pytest.mark.parametrize("format", ["RowMajor", "dense,bitmap", "dense,hashed(width=1000000)"])
def test_storage_too_large_for_memory_is_refused(format: str) -> None:
    with pytest.raises(StorageError, match=r"would need \d+ positions"):
        pack([[0], [0]], [1.0], (10**6, 10**6), format)


@pytest.mark.parametrize("shape", [5, (5, 2.5), "ab", None, (None, 2)])
def test_shapes_are_tuples_of_integers(shape: object) -> None:
    with pytest.raises(StorageError, match="is not a tuple of integers"):
        pack([[0], [0]], [1.0], shape, "CSR")  # type: ignore[arg-type]


@pytest.mark.parametrize("shape", [(2**63,), (2**64,), (10**9999,), (-(10**9999),)])
def test_extents_beyond_64_bits_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(StorageError, match="extent"):
        pack(np.array([[2**63]], np.uint64), [1.0], shape, "SparseVector")


def test_coordinates_beyond_64_bits_are_refused() -> None:
    for coords in (np.array([[2**63]], np.uint64), [[2**63]], [[2**64]], [[-(2**70)]], [[10**9999]]):
        with pytest.raises(StorageError, match="coordinates"):
            pack(coords, [1.0], (2**63 - 1,), "SparseVector")
    with pytest.raises(StorageError, match="from -1 to 9223372036854775808"):
        pack([[2**63, -1]], [1.0, 2.0], (2**63 - 1,), "SparseVector")
    assert list(pack([[2**63 - 2]], [1.0], (2**63 - 1,), "SparseVector").entries()) == [((2**63 - 2,), 1.0)]


@pytest.mark.parametrize("beyond", [10**30, 1e30, -(10**30)])
def test_the_hint_for_coordinates_that_are_too_large_says_which_there_are(beyond: float) -> None:
    with pytest.raises(StorageError, match="coordinates are integers from 0 to 9223372036854775806"):
        gn.tensor([[beyond]], [1.0], (2,), "s")
    with pytest.raises(DtypeError, match="give floats, which may round"):
        gn.tensor([[0]], [10**30], (2,), "s")


def test_masked_arrays_are_refused() -> None:
    masked = np.ma.masked_equal([0, 1], 1)
    with pytest.raises(StorageError, match="the values are masked"):
        pack([[0, 1]], masked, (2,), "SparseVector")
    with pytest.raises(StorageError, match="the coordinates are masked"):
        pack(masked, [1.0, 2.0], (2,), "SparseVector")


@pytest.mark.parametrize("index", [np.zeros(2), "foo", 5, "float32", [1]])
def test_index_arrays_have_32_or_64_bits(index: object) -> None:
    with pytest.raises(DtypeError, match="int32 or int64"):
        pack([[0]], [1.0], (2,), "SparseVector", index=index)


@pytest.mark.parametrize("format", [None, 5, ["dense"], b"d", {"d"}, np.zeros(2)])
def test_what_is_no_format_is_refused(format: object) -> None:
    with pytest.raises(FormatError, match="expected a format"):
        pack([[0]], [1.0], (2,), format)  # type: ignore[arg-type]
    with pytest.raises(FormatError, match="expected a format"):
        pack([[0]], [1.0], (2,), "d").convert(format)  # type: ignore[arg-type]


def test_a_vector_takes_plain_coordinates() -> None:
    assert pack([3, 0], [1.0, 2.0], (5,), "SparseVector").levels[0]["crd"].tolist() == [0, 3]  # type: ignore[union-attr]
    with pytest.raises(StorageError, match=r"component 1 has coordinates \(99,\)"):
        pack([0, 99], [1.0, 2.0], (5,), "SparseVector")


@pytest.mark.parametrize(
    ("held", "dtype", "message"),
    [
        ([2**40], "int32", "value 1099511627776 does not fit in int32"),
        ([-1], "uint8", "value -1 does not fit in uint8"),
        ([1j], "float64", "complex128 cannot be stored as float64"),
        (["a"], None, "not supported"),
        ([2**64, 1], None, "from 1 to 18446744073709551616"),
        ([1e300], "float32", "value 1e[+]300 does not fit in float32"),
        ([1e300j], "complex64", "value 1e[+]300j does not fit in complex64"),
        ([1.5], "foo", "dtype 'foo' is not supported"),
        ([2**63 + 1, -1], None, "from -1 to 9223372036854775809"),
    ],
)
def test_values_that_would_change_are_refused(held: list[object], dtype: str | None, message: str) -> None:
    with pytest.raises(DtypeError, match=message):
        pack([[0] * len(held)], held, (2,), "SparseVector", dtype=dtype)


def test_values_that_fit_are_taken() -> None:
    assert pack([[0]], [200], (2,), "SparseVector", dtype="uint8").vals.tolist() == [200]
    assert pack([[0]], [np.inf], (2,), "SparseVector", dtype="float32").vals.tolist() == [np.inf]


def test_lists_of_large_and_small_integers_are_not_rounded() -> None:
    assert pack([[0, 1]], [2**64 - 1, 3], (2,), "Dense", dtype="uint64").vals.tolist() == [2**64 - 1, 3]
    with pytest.raises(DtypeError, match="does not fit in int64"):
        pack([[0, 1]], [2**63, 3], (2,), "Dense", dtype="int64")


@pytest.mark.parametrize(("fill", "dtype"), [(0.5, "int64"), (np.nan, "int64"), (300, "int8"), (2, "bool")])
def test_fills_must_fit_the_dtype(fill: float, dtype: str) -> None:
    with pytest.raises(DtypeError, match=f"fill .* does not fit in {dtype}"):
        pack([[0]], np.zeros(1, dtype), (2,), "SparseVector", fill=fill)


@pytest.mark.parametrize(
    ("coords", "held", "message"),
    [
        ([[0, 4], [0, 0]], [1.0, 2.0], r"component 1 has coordinates \(4, 0\), outside the shape \(2, 3\) in mode 1"),
        ([[0, -1], [0, 0]], [1.0, 2.0], r"\(-1, 0\), outside"),
        ([[0, 1]], [1.0, 2.0], "do not fit 2 values of order 2"),
        ([[0.5, 1], [0, 0]], [1.0, 2.0], "not integers"),
        ([[0, 1], [0]], [1.0, 2.0], "coordinates .* are ragged"),
        ([[0, 0], [1, 1]], [[1.0, 2.0]], "not a vector"),
    ],
)
def test_bad_components_are_refused(coords: list[list[int]], held: list[float], message: str) -> None:
    with pytest.raises(StorageError, match=message):
        pack(coords, held, (2, 3), "CSR")


def test_values_must_fit_the_dtype() -> None:
    with pytest.raises(DtypeError, match="float64 cannot be stored as int32"):
        pack([[0], [0]], [1.5], (2, 3), "CSR", dtype="int32")


def test_positions_without_a_component_hold_the_fill() -> None:
    held = pack(np.array([[0], [1]]), np.array([5.0]), (2, 2), gn.spec("compressed,dense", fill=3.0))
    assert held.vals.tolist() == [3.0, 5.0]


def test_a_coordinate_is_below_the_extent() -> None:
    with pytest.raises(StorageError):
        pack(np.array([[2]]), np.array([5.0]), (2,), format_of("SparseVector"))


@pytest.mark.parametrize("map", ["(i,j)->(#,i,j)", "(i,j)->(#,j,i)"])
def test_ranks_hold_a_component_once(map: str) -> None:
    held = pack([[0, 0, 1, 1], [1, 1, 0, 2]], [1, 2, 3, 4], (3, 3), f"dense,dense,compressed(nonunique); {map}")
    assert sorted(held.vals.tolist()) == [3, 3, 4]


@pytest.mark.parametrize("value", [1e39, 1e39 + 1j, complex(1, 1e39), complex(1e39, np.nan)])
def test_each_part_of_a_complex_value_stays_finite(value: complex) -> None:
    with pytest.raises(DtypeError, match="does not fit in complex64"):
        gn.tensor([[0, 1]], [1.0, value], (2,), "COO", dtype="complex64")
    kept = gn.tensor([[0]], [complex(np.inf, np.nan)], (1,), "COO", dtype="complex64")
    assert np.isinf(kept.vals[0].real) and np.isnan(kept.vals[0].imag)


@pytest.mark.parametrize("engine", ["reference", "c"])
def test_booleans_are_true_whatever_byte_they_are_stored_as(engine: str) -> None:
    odd = np.array([2, 0, 1, 255], np.uint8).view(bool)
    packed = gn.tensor([range(4)], odd, (4,), "SparseVector")
    for x in (odd, odd[::2], packed, sp.csr_array(odd.reshape(2, 2))):
        shape = "i,j" if isinstance(x, sp.csr_array) else "i"
        assert gn.evaluate(f"s = x({shape})", x=x, engine=engine).to_numpy() == np.sum(x if x is not packed else odd)
        assert gn.check(f"y({shape}) = x({shape}) * 3", x=x)
    assert packed.vals.view(np.uint8).tolist() == [1, 0, 1, 1]
    own = replace(packed, vals=odd)
    with pytest.raises(StorageError, match=r"vals\[0\] is stored as 2, but a Boolean as 0 or 1"):
        gn.evaluate("s = x(i)", x=own, engine=engine)


@dataclass(frozen=True)
class Chosen(Dense):
    """A dense level whose parameter is whatever was configured."""

    name: ClassVar[str] = "chosen"
    wish: Any = 0
    W: int = parameter()

    def analyse(self, parents: Indices, i: Sequence[Indices], count: int) -> dict[str, int | Indices]:
        return {"W": self.wish}


@pytest.mark.parametrize("wish", [-1, 2**63, 1.5, "4", None])
def test_parameters_are_whole_numbers(wish: object) -> None:
    with pytest.raises(StorageError, match=r"a chosen level chooses .* for W"):
        pack([[0]], [1.0], (3,), Format([Chosen(wish=wish)]))


def test_parameters_are_integers_of_python() -> None:
    (stored,) = pack([[0]], [1.0], (3,), Format([Chosen(wish=np.int32(5))])).levels
    assert stored == {"W": 5} and type(stored["W"]) is int
