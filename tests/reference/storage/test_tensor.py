"""Tensors: what the arrays mean, and the ways out of them."""

import copy
import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import gnomon as gn
import numpy as np
import pytest
import scipy.sparse
from gnomon.reference.errors import DtypeError, FormatError, GnomonError, MeaningError, StorageError
from gnomon.reference.storage.named_formats import format_of
from gnomon.reference.storage.packing import borrow_array
from gnomon.reference.storage.tensor import Tensor, scalar

FIGURE_2 = (
    [[0, 0, 1, 1, 3, 3, 3], [0, 1, 0, 1, 0, 3, 4]],
    [5.0, 1.0, 7.0, 3.0, 8.0, 4.0, 9.0],
    (4, 6),
)
NAMED = [
    "RowMajor", "ColumnMajor", "CSR", "CSC", "DCSR", "DCSC", "COO", "COO_AoS", "ELL", "DIA", "SparseDIA", "BCSR(2,3)",
    "CSB(2,2)", "HashRows", "HashMap", "Banded", "dense,bitmap",
]  # fmt: skip


@pytest.mark.parametrize("format", NAMED)
def test_every_format_means_the_same_matrix(format: str) -> None:
    tensor = gn.tensor(*FIGURE_2, format)
    expected = scipy.sparse.coo_array((FIGURE_2[1], FIGURE_2[0]), shape=FIGURE_2[2]).toarray()
    assert np.array_equal(tensor.to_numpy(), expected)
    assert np.array_equal(np.asarray(tensor), expected)
    assert np.array_equal(tensor.to_scipy().toarray(), expected)
    stored = dict(tensor.entries())
    assert {i: v for i, v in stored.items() if v} == dict(zip(zip(*FIGURE_2[0], strict=True), FIGURE_2[1], strict=True))
    assert len(stored) == tensor.nnz


@pytest.mark.parametrize("source", NAMED)
@pytest.mark.parametrize("target", ["CSR", "DIA", "ELL", "BCSR(3,2)", "HashRows", "compressed(nonunique),dense"])
def test_conversion_keeps_every_component(source: str, target: str) -> None:
    tensor = gn.tensor(*FIGURE_2, source)
    converted = tensor.convert(target)
    converted.validate()
    assert set(tensor.entries()) <= set(converted.entries())
    assert np.array_equal(converted.to_numpy(), tensor.to_numpy())


def test_conversion_keeps_dtype_fill_and_stored_zeros() -> None:
    tensor = gn.tensor([[0, 2]], np.array([0, 3], np.int8), (4,), "SparseVector", fill=7)
    converted = tensor.convert("HashVector")
    assert (converted.dtype, converted.fill, sorted(converted.entries())) == (np.int8, 7, [((0,), 0), ((2,), 3)])


def test_fills_are_integers_that_do_not_wrap() -> None:
    """Whoever makes a tensor of fields may have the fill from an array."""
    tensor = replace(gn.tensor([[0]], np.array([1], np.int8), (2,), "SparseVector", fill=2), fill=np.int8(100))
    with pytest.raises(gn.GnomonError, match="300 does not fit in int8"):
        gn.evaluate("y(i) = x(i) * d(i)", x=np.array([3, 3], np.int8), d=tensor, engine="reference")
    assert type(replace(tensor, fill=np.True_).fill) is bool


def test_fill_stands_where_nothing_is_stored() -> None:
    assert gn.tensor([[1]], [2.0], (3,), "SparseVector", fill=np.inf).to_numpy().tolist() == [np.inf, 2.0, np.inf]


def test_duplicates_stay_and_mean_their_sum() -> None:
    tensor = gn.tensor([[1, 1]], [2.0, 3.0], (3,), "compressed(nonunique)", fill=9)
    assert list(tensor.entries()) == [((1,), 2.0), ((1,), 3.0)]
    assert tensor.to_numpy().tolist() == [9.0, 5.0, 9.0]
    assert list(tensor.convert("SparseVector").entries()) == [((1,), 5.0)]


def test_duplicates_that_packing_adds_may_be_stored_nevertheless() -> None:
    packed = gn.tensor([[0, 1], [1, 1]], [2.0, 3.0], (2, 2), "compressed(nonunique),dense(nonunique,unordered)")
    rows = {**packed.levels[0], "crd": np.array([1, 1], np.int32)}
    tensor = replace(packed, levels=(rows, packed.levels[1]))
    tensor.validate()
    assert (
        tensor.to_numpy().tolist() == gn.evaluate("C(i,j) = A(i,j)", A=tensor).to_numpy().tolist() == [[0, 0], [0, 5]]
    )


def test_duplicates_that_overflow_are_reported() -> None:
    tensor = gn.tensor([[1, 1]], np.array([100, 100], np.int8), (3,), "compressed(nonunique)")
    with pytest.raises(MeaningError, match="200"):
        tensor.to_numpy()


def test_padding_is_no_component() -> None:
    tensor = gn.tensor([[2], [2]], [1.0], (3, 3), "BCSR(2,2)")
    assert len(tensor.vals) == 4
    assert list(tensor.entries()) == [((2, 2), 1.0)]


def test_values_keep_all_their_bits() -> None:
    tensor = gn.tensor([[0, 1]], np.array([2**64 - 1, 1], np.uint64), (2,), "Dense")
    assert tensor.components()[1].tolist() == [2**64 - 1, 1]


@pytest.mark.parametrize("format", ["CSR", "CSC", "COO", "CSF"])
def test_what_is_stored_as_asked_is_kept(format: str, monkeypatch: pytest.MonkeyPatch) -> None:
    i, j = np.nonzero(np.random.default_rng(3).random((5, 7)) < 0.3)
    tensor = gn.tensor([i, j], np.arange(1.0, len(i) + 1), (5, 7), format)
    with monkeypatch.context() as patch:
        patch.setattr(gn.Tensor, "components", lambda _: pytest.fail("components are enumerated"))
        found = tensor.convert(gn.Format(tensor.format.levels, map=tensor.format.map))
    assert found is not tensor and found.vals is tensor.vals
    assert str(found.format) != format or format == "CSF"
    assert not found.doubt and found.sound


def test_arrays_that_somebody_may_change_are_not_kept_by_a_conversion() -> None:
    held = np.arange(3.0)
    found = borrow_array(held, 0).convert("Dense")
    held[0] = 7
    assert found.to_numpy().tolist() == [0, 1, 2]


def test_what_is_stored_otherwise_than_asked_is_packed() -> None:
    tensor = gn.tensor([[0, 1], [2, 0]], [5.0, 7.0], (2, 3), "CSR")
    assert tensor.convert(gn.spec("CSR", index="int64")).levels[1]["crd"].dtype == np.int64
    assert tensor.convert(gn.spec("CSR", dtype="float32")).dtype == np.float32
    assert tensor.convert(gn.spec("CSR", dtype="float64")).vals is tensor.vals
    assert tensor.convert("CSC").format != tensor.format
    changing = replace(tensor, vals=tensor.vals.copy())
    found = changing.convert("CSR")
    changing.vals[:] = 0
    assert found.to_numpy().tolist() == [[0, 0, 5], [7, 0, 0]]
    empty_row = replace(
        gn.tensor([[0], [2]], [5.0], (2, 3), "DCSR"),
        levels=({"pos": np.array([0, 2]), "crd": np.array([0, 1])}, {"pos": np.array([0, 1, 1]), "crd": np.array([2])}),
    )
    assert len(empty_row.convert("DCSR").levels[0]["crd"]) == 1


def test_numpy_protocol() -> None:
    tensor = gn.tensor([[1]], [2.5], (2,), "SparseVector")
    assert np.asarray(tensor, dtype="float32").dtype == np.float32
    with pytest.raises(ValueError, match="without a copy"):
        np.array(tensor, copy=False)


def test_scalars_have_one_value_and_no_level() -> None:
    assert list(scalar(3.0).entries()) == [((), 3.0)]
    assert scalar(3.0).to_numpy() == 3.0
    assert gn.tensor([], [], (), "").to_numpy() == 0.0


@pytest.mark.parametrize("format", NAMED)
@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0), (1, 1), (4, 2)])
def test_empty_tensors(format: str, shape: tuple[int, int]) -> None:
    tensor = gn.tensor([[], []], [], shape, format, fill=2)
    tensor.validate()
    assert np.array_equal(tensor.to_numpy(), np.full(shape, 2.0))


def test_arrays_are_read_only() -> None:
    tensor = gn.tensor(*FIGURE_2, "CSR")
    for array in (tensor.vals, *tensor.levels[1].values()):
        assert isinstance(array, np.ndarray)
        assert not array.flags.writeable


def test_levels_are_read_only() -> None:
    given = {"pos": np.array([0, 1], np.int32), "crd": np.array([0], np.int32)}
    made = Tensor(format_of("s"), (3,), np.dtype("float64"), 0.0, (given,), {}, (3,), np.ones(1))
    given["crd"] = np.array([99])
    made.validate()
    for tensor in (made, gn.tensor(*FIGURE_2, "CSR"), gn.evaluate("y(i) = x(i)", x=np.ones(2), engine="c")):
        for store in (*tensor.levels, tensor.shared):
            with pytest.raises(TypeError):
                store["crd"] = np.array([99])  # type: ignore[index]


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda t: pickle.loads(pickle.dumps(t)), replace])
def test_copies_are_as_sound_and_as_read_only(again: Callable[[Tensor], Tensor]) -> None:
    tensor = gn.tensor(*FIGURE_2, "COO_AoS")
    found = again(tensor)
    assert found.sound == (tensor.sound and again is not replace)
    assert list(found.entries()) == list(tensor.entries())
    with pytest.raises(TypeError):
        found.levels[0]["pos"] = 0  # type: ignore[index]
    for array in (found.vals, found.levels[0]["pos"], found.shared["coords"]):
        assert isinstance(array, np.ndarray)
        assert not array.flags.writeable


def test_scalars_are_copied() -> None:
    given = np.array(2.0)
    tensor = scalar(given)
    given[()] = 3.0
    assert tensor.to_numpy() == 2.0


def test_orders_have_a_maximum() -> None:
    assert gn.tensor(np.zeros((32, 1), int), [2.0], (1,) * 32).to_numpy().shape == (1,) * 32
    for order in (33, 70, 1000):
        with pytest.raises(FormatError, match="at most 32"):
            gn.tensor(np.zeros((order, 1), int), [2.0], (1,) * order)


def test_bound_levels_read_as_in_the_paper() -> None:
    rows, columns = gn.tensor(*FIGURE_2, "CSR").bound_levels()
    assert rows.locate(0, (3,)) == (3, True)  # type: ignore[attr-defined]
    assert columns.pos_bounds(3) == (4, 7)  # type: ignore[attr-defined]


def test_dense_arrays_too_large_for_memory_are_refused() -> None:
    with pytest.raises(StorageError, match="does not fit in memory"):
        gn.tensor([[0], [0]], [1.0], (2**40, 2**40), "COO").to_numpy()


def test_repr_names_shape_dtype_and_format() -> None:
    assert repr(gn.tensor(*FIGURE_2, "CSR")) == "<4×6 float64 tensor in CSR, 7 values, fill 0.0>"


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"dtype": "float16"}, DtypeError, "dtype float16 is not supported"),
        ({"dtype": "nonsense"}, DtypeError, "nonsense"),
        ({"fill": 1j}, DtypeError, "fill 1j does not fit in float64"),
        ({"fill": "x"}, DtypeError, "fill 'x'"),
        ({"index": "float32"}, DtypeError, "int32 or int64, not float32"),
        ({"format": "SparseVector"}, FormatError, "order 1"),
    ],
)
def test_bad_settings_are_refused(settings: dict[str, object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        gn.tensor([[0], [0]], [1.0], (2, 2), **settings)  # type: ignore[arg-type]


def test_formats_of_any_order() -> None:
    coords = [[0, 1, 1], [2, 0, 2], [1, 1, 0]]
    for format in ("CSF", "COO", "COO_AoS", "ModeGeneric", "CSF(2,0,1)", "Dense"):
        tensor: Tensor = gn.tensor(coords, [1.0, 2.0, 3.0], (2, 3, 2), format_of(format, 3))
        assert {i: v for i, v in tensor.entries() if v} == {(0, 2, 1): 1.0, (1, 0, 1): 2.0, (1, 2, 0): 3.0}


@pytest.mark.parametrize("field", ["format", "shape", "dtype", "levels", "shared", "extents", "vals"])
@pytest.mark.parametrize("given", [None, 3, ("x",), {1}], ids=str)
def test_fields_of_other_kinds_are_refused(field: str, given: object) -> None:
    with pytest.raises(StorageError, match=f"^{field} is .+, but should be a"):
        replace(gn.tensor(*FIGURE_2, "CSR"), **{field: given})


@pytest.mark.parametrize("k", [-1, 2, "1", None, 1.0])
def test_levels_that_a_tensor_has_not_are_refused(k: Any) -> None:
    tensor = gn.tensor(*FIGURE_2, "CSR")
    for asked in (tensor.size, tensor.storage):
        with pytest.raises(StorageError, match=f"level {k!r} of a tensor with levels 0 to 1"):
            asked(k)
    with pytest.raises(StorageError, match="level 0 of a tensor with no levels"):
        scalar(1.0).storage(0)


@pytest.mark.parametrize("read", [gn.to_dict, gn.Tensor.to_numpy, gn.Tensor.to_scipy, lambda t: t.convert("COO")])
def test_what_cannot_be_listed_in_memory_is_refused(read: Callable[[Tensor], object], monkeypatch: Any) -> None:
    def exhausted(*_: object) -> None:
        raise MemoryError

    tensor = gn.tensor([[0, 1], [2, 0]], [5.0, 7.0], (2, 3), "BCSR(2,2)")
    monkeypatch.setattr("gnomon.reference.storage.hierarchy.enumerate_leaves", exhausted)
    with pytest.raises(StorageError, match=r"not enough memory to list what a tensor of shape \(2, 3\) in BCSR"):
        read(tensor)


CSR = gn.tensor([[0, 1], [1, 2]], [1.0, 2.0], (3, 3), "CSR")
READERS: dict[str, Callable[[Tensor], Any]] = {
    "convert": lambda t: t.convert("COO"),
    "item": lambda t: t[0],
    "iteration": list,
    "to_scipy": lambda t: t.to_scipy(),
    "to_numpy": lambda t: t.to_numpy(),
    "asarray": np.asarray,
    "entries": lambda t: list(t.entries()),
    "leaves": lambda t: list(t.leaves()),
    "components": lambda t: t.components(),
    "levels": lambda t: t.bound_levels(),
    "enumeration": lambda t: t.enumerate_leaves(),
    "sizes": lambda t: t.sizes,
    "nnz": lambda t: t.nnz,
    "equality": lambda t: t == CSR,
    "equality of another": lambda t: CSR.__eq__(t),
    "transposition": lambda t: t.T,
    "another fill": lambda t: t.with_fill(2.0).to_numpy(),
    "copy": lambda t: copy.deepcopy(t).to_numpy(),
    "dictionary": gn.to_dict,
    "a matrix file": lambda t: gn.write("never.mtx", t),
    "a tensor file": lambda t: gn.write("never.tns", t),
    "a sum": lambda t: t + CSR,
    "a call of C": lambda t: gn.evaluate("s = A(i,j)", A=t, engine="c"),
    "a kernel": lambda t: gn.compile("s = A(i,j)", A=t),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    "damage",
    [
        {"levels": (CSR.levels[0], {**CSR.levels[1], "pos": np.array([0, 5, 6, 7])})},
        {"levels": (CSR.levels[0], {**CSR.levels[1], "pos": np.array([0, 1, 2, -1])})},
        {"levels": (CSR.levels[0], {"pos": CSR.levels[1]["pos"]})},
        {"levels": (CSR.levels[0], {**CSR.levels[1], "crd": None})},
        {"shape": (3,), "extents": (3,)},
        {"vals": np.array(1.0)},
        {"fill": np.array([1.0, 2.0])},
        {"fill": None},
    ],
    ids=["beyond", "falling", "lacking", "none", "order", "scalar", "fills", "no fill"],
)
def test_damaged_tensors_are_refused_before_they_are_read(
    damage: dict[str, Any], reader: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if reader == "another fill" and "fill" in damage:
        return
    monkeypatch.chdir(tmp_path)
    broken = replace(CSR, **damage)
    assert "float64" in repr(broken) and broken.positions in (1, 2)
    with pytest.raises(GnomonError) as found:
        READERS[reader](broken)
    assert found.value.rule == "format.valid" or (reader == "a sum" and "shape" in damage)
    assert not any(tmp_path.iterdir())


def test_shared_arrays_are_looked_at_before_they_are_read() -> None:
    pairs = gn.tensor([[0, 1], [1, 2]], [1.0, 2.0], (3, 3), "COO_AoS")
    broken = replace(pairs, shared={"coords": None})
    for reader in READERS.values():
        with pytest.raises(StorageError, match="coords should be a vector of integers"):
            reader(broken)


def test_tensors_are_validated_once_if_nobody_can_change_them(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    monkeypatch.setattr(Tensor, "validate", lambda tensor: looked.append(id(tensor)))
    fixed, loose = replace(CSR), replace(CSR, vals=CSR.vals.copy())
    for tensor in (CSR, fixed, loose):
        for reader in ("to_numpy", "entries", "to_scipy", "a call of C"):
            READERS[reader](tensor)
    assert looked == [id(fixed), *[id(loose)] * 4]
    assert next(iter(loose)).nnz == 1 and len(looked) == 6
    for made in (fixed.T, fixed.with_fill(2.0), copy.copy(fixed), gn.evaluate("B(i,j) = A(i,j)", A=CSR, out="CSR")):
        made.to_numpy()
    assert len(looked) == 6
    for read in (lambda t: t.with_fill(2.0).to_numpy(), lambda t: t.T, lambda t: t == CSR, lambda t: t.nnz):
        before = len(looked)
        read(loose)
        assert len(looked) == before + 1
    turned, before = loose.T, len(looked)
    turned.to_numpy()
    assert len(looked) == before + 1


def test_what_is_packed_is_read_though_it_may_not_be_full() -> None:
    lacking = gn.tensor([[0]], [1.0], (3,), "compressed(full)")
    assert lacking.to_numpy().tolist() == [1.0, 0.0, 0.0] and lacking.convert("COO").nnz == 1
    assert lacking.with_fill(2.0).T.to_numpy().tolist() == [1.0, 2.0, 2.0]
    with pytest.raises(StorageError, match="not full"):
        gn.evaluate("s = x(i)", x=lacking)


def test_what_is_found_valid_stays_so_in_copies() -> None:
    given = replace(CSR)
    given.to_numpy()
    found = pickle.loads(pickle.dumps(given))
    with pytest.raises(ValueError, match="read-only"):
        found.vals[0] = 2.0


def test_extents_are_integers_that_do_not_wrap() -> None:
    wide = np.uint8(200)
    tensor = replace(gn.tensor([[0], [0]], [1.0], (200, 200), "COO"), shape=(wide, wide), extents=(wide, wide))
    assert tensor.to_numpy().shape == (200, 200)


def test_a_fill_is_a_number() -> None:
    tensor = replace(gn.tensor([[0]], [1], (2,), "COO"), fill=np.array(3))
    assert type(tensor.fill) is int and (-tensor).to_numpy().tolist() == [-1, -3]
    with pytest.raises(StorageError, match=r"dtype .* is none that tensors may have"):
        replace(CSR, dtype=np.dtype("V8")).with_fill(2.0).to_numpy()


@pytest.mark.parametrize("shape", [(2**62, 0), (2**62, 0, 4, 4), (0, 2**61), (2**40, 2**40)])
def test_shapes_of_which_there_is_no_array_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(StorageError, match=r"a dense array of shape .* does not fit in memory"):
        gn.tensor(np.zeros((len(shape), 0), int), [], shape, "COO").to_numpy()
    assert gn.tensor([[], []], [], (2**40, 0), "COO").to_numpy().shape == (2**40, 0)
