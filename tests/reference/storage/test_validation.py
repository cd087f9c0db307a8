"""Validation finds every corrupted array, and what passes is safe to read."""

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import product
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.strategies import tensors
from gnomon.reference.errors import GnomonError, StorageError
from gnomon.reference.storage import repacking
from gnomon.reference.storage.repacking import holds_rows_in_order, holds_segments_in_order, is_as_packed, unreadable
from gnomon.reference.storage.tensor import Tensor
from gnomon.reference.storage.validation import complaints, validate
from hypothesis import assume, given
from hypothesis import strategies as st


@st.composite
def mutations(draw: st.DrawFn) -> Tensor:
    """A valid tensor with one entry of one array changed."""
    tensor = draw(st.integers(1, 3).flatmap(lambda n: tensors((4, 3, 2)[:n])))
    places = [(k, name) for k, store in enumerate(tensor.levels) for name, a in store.items() if np.size(a)]
    places += [(-1, name) for name, a in tensor.shared.items() if np.size(a)]
    assume(places)
    k, name = draw(st.sampled_from(places))
    store = dict(tensor.shared if k < 0 else tensor.levels[k])
    value = draw(st.integers(-3, 9))
    if isinstance(store[name], np.ndarray):
        changed = store[name].copy()
        changed[draw(st.integers(0, len(changed) - 1))] = value
        store[name] = changed
    else:
        store[name] = value
    if k < 0:
        return replace(tensor, shared=store)
    return replace(tensor, levels=(*tensor.levels[:k], store, *tensor.levels[k + 1 :]))


@given(mutations())
def test_a_changed_entry_is_named_or_harmless(tensor: Tensor) -> None:
    try:
        tensor.validate()
    except StorageError as error:
        broken = error.message
    else:
        broken = ""
    assert not broken or any(word in broken for word in ("level", "offset", "vals", "twice"))
    if broken:
        return
    dense = tensor.to_numpy()
    indices = ",".join("ijk"[: tensor.order])
    copied = gn.evaluate(f"C({indices}) = A({indices})", A=tensor)
    assert np.array_equal(copied.to_numpy(), dense, equal_nan=True)


@given(mutations())
def test_what_is_as_packed_breaks_no_invariant(tensor: Tensor) -> None:
    assert not is_as_packed(tensor) or not list(complaints(tensor))


@pytest.mark.parametrize(
    "format", ["CSR", "DCSC", "COO", "COO_AoS", "DIA", "ELL", "Banded", "BCSR(2,2)", "hashed,dense"]
)
def test_what_is_packed_is_told_to_be_so(format: str) -> None:
    made = gn.tensor([[0, 0, 1, 3], [0, 2, 1, 3]], [1.0, 2.0, 3.0, 4.0], (4, 4), format)
    assert is_as_packed(made)
    assert is_as_packed(replace(made, vals=np.full(len(made.vals), np.nan)))
    for k, store in enumerate(made.levels):
        for name, held in store.items():
            if not isinstance(held, np.ndarray):
                continue
            for n in range(len(held)):
                other = held.copy()
                other[n] += 1
                changed = replace(made, levels=(*made.levels[:k], {**store, name: other}, *made.levels[k + 1 :]))
                assert not is_as_packed(changed) or not list(complaints(changed))


@pytest.mark.parametrize(
    "format",
    ["CSR", "CSC", "DCSR", "compressed,dense", "dense,compressed(nonunique)", "compressed,compressed(unordered)", "COO",
     "CSB(2,3)",
     "BCSR(2,3)", "compressed(nonunique),singleton(nonunique)", "compressed(nonunique,unordered),singleton"],
)  # fmt: skip
def test_order_that_is_seen_at_once_breaks_no_invariant(format: str) -> None:
    made = gn.tensor([[0, 0, 1, 1, 3, 3], [0, 2, 1, 2, 0, 3]], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], (5, 4), format)
    stored = [(k, name, n) for k, held in enumerate(made.levels) for name, a in held.items() for n in range(np.size(a))]
    for (k, name, n), (other, also, m), by in product(stored, stored, (-4, -1, 1)):
        levels = [{key: np.array(a) for key, a in held.items()} for held in made.levels]
        levels[k][name][n] += by
        levels[other][also][m] += 1
        changed = replace(made, levels=tuple(levels))
        if next(unreadable(changed), None) is None and (
            holds_segments_in_order(changed) or holds_rows_in_order(changed)
        ):
            assert not list(complaints(changed)), (levels, format)


@pytest.mark.parametrize("format", ["CSR", "CSC", "DCSR", "COO", "BCSR(2,3)", "DIA", "compressed,dense", "CSR:empty"])
def test_order_is_seen_without_packing(format: str, monkeypatch: pytest.MonkeyPatch) -> None:
    i = np.zeros((2, 0), int) if format == "CSR:empty" else np.array([[0, 0, 1, 3], [0, 2, 1, 3]])
    made = gn.tensor(i, np.ones(i.shape[1]), (5, 4), format.partition(":")[0])
    if i.size:
        monkeypatch.setattr(repacking, "pack", lambda *_, **__: pytest.fail("components are packed"))
    assert is_as_packed(made)


def test_a_parent_without_children_is_valid_though_none_is_packed() -> None:
    made = gn.tensor([[0, 1], [0, 1]], [1.0, 2.0], (2, 2), "DCSR")
    levels = ({**made.levels[0]}, {**made.levels[1], "pos": np.array([0, 2, 2])})
    bare = replace(made, levels=levels)
    assert not is_as_packed(bare)
    bare.validate()


def test_parameters_are_not_negative() -> None:
    made = gn.tensor([[0, 1]], [1.0, 2.0], (4,), "HashVector")
    broken = replace(made, levels=({**made.levels[0], "W": -8},))
    with pytest.raises(StorageError, match="W is -8, but should be from 0"):
        broken.validate()


def test_segments_that_overlap_are_not_read() -> None:
    rows = 2000
    made = gn.tensor([[0] * rows, range(rows)], np.ones(rows), (2 * rows, rows), "CSR")
    pos = np.append(np.tile([0, rows], rows), rows)
    broken = replace(made, levels=(made.levels[0], {**made.levels[1], "pos": pos}))
    assert next(unreadable(broken)) == "level 2 (compressed): its segments overlap"
    with pytest.raises(StorageError, match=r"pos\[2\] is 0, less than the 2000 before it"):
        broken.validate()


def test_a_million_components_are_validated_at_once() -> None:
    rng = np.random.default_rng(3)
    made = gn.tensor(rng.integers(0, 10**5, (2, 10**6)), np.ones(10**6), (10**5, 10**5), "DCSR")
    begun = time.perf_counter()
    made.validate()
    assert time.perf_counter() - begun < 1


def test_an_accumulator_holds_no_more_coordinates_than_there_are() -> None:
    good = gn.tensor([[1]], [0.5], (3,), "accumulator")
    levels = ({**good.levels[0], "count": np.array([4], np.int32)},)
    with pytest.raises(StorageError, match=r"count\[0\] is 4, not between 0 and 3"):
        replace(good, levels=levels).validate()


def test_a_row_that_its_diagonal_does_not_reach_is_named() -> None:
    good = gn.tensor([[1], [0]], [0.5], (4, 3), "SparseDIA")
    levels = (good.levels[0], {**good.levels[1], "crd": np.array([0], np.int32)}, good.levels[2])
    with pytest.raises(StorageError, match=r"level 3 \(offset\): coordinate -1 below \(0, 0\) leaves the shape"):
        replace(good, levels=levels).validate()


def csr() -> Tensor:
    return gn.tensor([[0, 0, 1], [0, 2, 1]], [1.0, 2.0, 3.0], (2, 3), "CSR")


@pytest.mark.parametrize(
    ("name", "array", "message"),
    [
        ("pos", [0, 2], "pos has length 2, but should have 3"),
        ("pos", [1, 2, 3], r"pos\[0\] is 1, but segments start at 0"),
        ("pos", [0, 4, 3], r"pos\[2\] is 3, less than the 4"),
        ("crd", [0, 7, 1], r"crd\[1\] is 7, outside \[0, 3\)"),
        ("crd", [2, 0, 1], "coordinate 0 comes after 2"),
        ("crd", [2, 2, 1], "coordinate 2 occurs twice"),
    ],
)
def test_broken_invariants_are_named(name: str, array: list[int], message: str) -> None:
    tensor = csr()
    broken = replace(tensor, levels=(tensor.levels[0], {**tensor.levels[1], name: np.array(array)}))
    with pytest.raises(StorageError, match=message):
        broken.validate()
    with pytest.raises(GnomonError, match=f"A: .*{message}"):
        gn.evaluate("y(i) = A(i,j)", A=broken)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"shape": (2,)}, r"shape \(2,\) has 1 modes, but the format stores 2"),
        ({"shape": (2, 4)}, "level 2 has extent 3, but the shape gives 4"),
        ({"shape": (-2, 3)}, "negative extent"),
        ({"extents": (2,)}, "levels are given"),
        ({"dtype": np.dtype("float32")}, "should be a vector of float32"),
        ({"vals": np.ones((3, 1))}, "2-dimensional"),
        ({"fill": "x"}, "fill 'x' does not fit in float64"),
        ({"levels": ({}, {"pos": np.array([0, 2, 3])})}, "level 2 .compressed. lacks crd"),
        ({"levels": ({}, {"pos": 3, "crd": np.array([0, 2, 1])})}, "pos is 3, but should be a vector"),
        ({"levels": ({}, {"pos": [0, 2, 3], "crd": np.array([0, 2, 1])})}, "pos should be a vector"),
        ({"levels": ({}, {"pos": np.array([0, 2, 3]), "crd": np.array([0.0, 2, 1])})}, "crd should be a vector"),
    ],
)
def test_parts_must_be_what_the_format_says(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(StorageError, match=message):
        replace(csr(), **changes).validate()


@pytest.mark.parametrize("level", ["compressed(full)", "compressed(full,unordered)", "hashed(full)"])
def test_a_level_that_is_declared_full_is(level: str) -> None:
    gaps = gn.tensor([[0, 1], [1, 0]], [1.0, 2.0], (2, 2), f"dense,{level}")
    with pytest.raises(StorageError, match="segment that is not full"):
        gaps.validate()
    other = gn.tensor([[0, 1], [1, 1]], [1.0, 2.0], (2, 2), "CSR")
    with pytest.raises(StorageError, match=r"A: .*segment that is not full"):
        gn.evaluate("y(i) = A(i,j) + B(i,j)", A=gaps, B=other)
    whole = gn.tensor([[0, 0, 1, 1], [0, 1, 0, 1]], [1.0, 2.0, 3.0, 4.0], (2, 2), f"dense,{level}")
    assert gn.evaluate("y(i) = A(i,j) + B(i,j)", A=whole, B=other).to_numpy().tolist() == [4.0, 9.0]


def test_a_level_is_full_across_duplicates_of_its_parents() -> None:
    format = "compressed(nonunique),singleton(full)"
    gn.tensor([[0, 0, 2, 2], [0, 1, 1, 0]], [1.0] * 4, (3, 2), format).validate()
    with pytest.raises(StorageError, match=r"level 2 .singleton.: coordinate 1 is missing below \(2,\)"):
        gn.tensor([[0, 0, 2], [0, 1, 0]], [1.0] * 3, (3, 2), format).validate()


def test_blocks_hold_no_component_outside_the_shape() -> None:
    tensor = gn.tensor([[0], [1]], [1.0], (1, 2), "CSB(2,2)")
    broken = replace(tensor, levels=(*tensor.levels[:2], {**tensor.levels[2], "crd": np.array([1])}, tensor.levels[3]))
    with pytest.raises(StorageError, match=r"level 3 .compressed.: coordinate 1 below \(0, 0\) leaves the shape"):
        broken.validate()
    gn.tensor([[0], [1]], [1.0], (1, 2), "BCSR(2,2)").validate()


@pytest.mark.parametrize("properties", ["full", "full,unordered"])
def test_full_levels_that_are_walked_end_at_the_shape(properties: str) -> None:
    blocks = f"dense,compressed({properties}); (i)->(i//2,i%2)"
    gn.tensor([[0, 1, 2, 3]], [1.0, 2.0, 3.0, 4.0], (4,), blocks).validate()
    packed = gn.tensor([[0, 1, 2]], [1.0, 2.0, 3.0], (3,), blocks)
    levels = (packed.levels[0], {"pos": np.array([0, 2, 4]), "crd": np.array([0, 1, 0, 1])})
    padded = replace(packed, levels=levels, vals=np.array([1.0, 2.0, 3.0, 9.0]))
    with pytest.raises(StorageError, match=r"level 2 .compressed.: coordinate 1 below \(1,\) leaves the shape \(3,\)"):
        padded.validate()
    hashed = gn.tensor([[0, 1, 2]], [1.0, 2.0, 3.0], (3,), "dense,hashed(full,width=2); (i)->(i//2,i%2)")
    found = replace(hashed, levels=(hashed.levels[0], {"crd": np.array([0, 1, 0, 1]), "W": 2}), vals=padded.vals)
    found.validate()
    assert gn.evaluate("s = x(i)", x=found)[()] == 6


def test_no_coordinate_leaves_its_level() -> None:
    good = gn.tensor([[0], [1], [2]], [1.0], (3, 2, 4), "dense,bitmap,offset,dense; (i,j,k)->(i,j,k//2,k%2)")
    with pytest.raises(StorageError, match=r"level 3 .offset.: coordinate -4 below \(0, 1\) lies outside \[0, 2\)"):
        replace(good, shared={"offset": np.array([-5, 0, 0])}).validate()


@pytest.mark.parametrize(
    ("level", "message"),
    [
        ("dense", r"coordinate 0 comes after 2 below \(1,\)"),
        ("dense(unordered)", r"coordinate 0 occurs twice below \(1,\)"),
        ("dense(nonunique)", r"coordinate 0 comes after 2 below \(1,\)"),
        ("dense(nonunique,unordered)", None),
    ],
)
def test_full_levels_below_duplicates_are_looked_at(level: str, message: str | None) -> None:
    good = gn.tensor([[0, 1], [0, 2]], [1.0, 2.0], (2, 3), f"compressed(nonunique),{level}")
    twice = replace(good, levels=({**good.levels[0], "crd": np.array([1, 1])}, good.levels[1]))
    if message is None:
        twice.validate()
        return
    with pytest.raises(StorageError, match=rf"level 2 .dense.: {message}"):
        twice.validate()


def test_values_must_match_positions() -> None:
    with pytest.raises(StorageError, match="vals has length 2, but the levels encode 3"):
        replace(csr(), vals=np.ones(2)).validate()


@contextmanager
def at_most(seconds: int) -> Iterator[None]:
    """Interrupt what takes longer."""

    def stop(*_: object) -> None:
        raise AssertionError(f"not done in {seconds} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("level", ["compressed(full)", "compressed(full,unordered)", "hashed(full)"])
def test_full_levels_are_told_by_what_they_hold(level: str) -> None:
    """The extent says how much is missing, and may be any."""
    for extent in (2**26, 2**62):
        lacking = gn.tensor([[0]], [1.0], (extent,), level)
        with at_most(5), pytest.raises(StorageError, match="segment that is not full"):
            lacking.validate()
        with at_most(5), pytest.raises(StorageError, match="segment that is not full"):
            gn.evaluate("s = x(i)", x=lacking, engine="c")


@pytest.mark.parametrize("format", ["dense,dense", "dense,bitmap"])
def test_levels_that_nothing_is_stored_for_are_not_walked(format: str) -> None:
    empty = gn.tensor([[], []], [], (4, 0), format)
    broken = replace(empty, shape=(2**40, 0), extents=(2**40, 0))
    for check in (broken.validate, broken.to_numpy, lambda: validate(broken)):
        with at_most(5), pytest.raises(StorageError, match=r"level 1 \(dense\) has 1099511627776 positions, more than"):
            check()


@pytest.mark.parametrize("extent", [2**63, 2**70, True, -1])
def test_extents_are_those_of_packing(extent: int) -> None:
    empty = gn.tensor([[], []], [], (3, 0), "CSF")
    said = "negative extent" if extent == -1 else f"mode 1 has extent {extent}, but extents are integers from 0 to"
    for check in (Tensor.validate, validate):
        with pytest.raises(StorageError, match=said):
            check(replace(empty, shape=(extent, 0), extents=(extent, 0)))
    ranked = gn.tensor([[], []], [], (3, 0), "ELL")
    for check in (Tensor.validate, validate):
        with pytest.raises(StorageError, match=f"level 1 has extent {extent}, but extents are"):
            check(replace(ranked, extents=(extent, *ranked.extents[1:])))
    largest = replace(empty, shape=(2**63 - 1, 0), extents=(2**63 - 1, 0))
    validate(largest)
    largest.validate()


def test_what_is_stored_has_a_dtype_and_no_masks() -> None:
    good = csr()
    pos = np.ma.masked_array(good.levels[1]["pos"], mask=[False, True, False])
    for broken, said in (
        (replace(good, dtype=np.dtype(object), vals=good.vals.astype(object)), "dtype object is none that tensors"),
        (replace(good, dtype=np.dtype(">f8"), vals=good.vals.astype(">f8")), "dtype >f8 is none that tensors"),
        (replace(good, vals=np.ma.masked_array(good.vals, mask=[True, False, False])), "vals is masked"),
        (replace(good, levels=({}, {**good.levels[1], "pos": pos})), "pos should be a vector of integers"),
    ):
        with pytest.raises(StorageError, match=said):
            broken.validate()


def test_places_of_blocks_outside_the_shape_are_refused() -> None:
    held = gn.tensor([[3], [3]], [1.0], (4, 4), gn.Format("dsss", map="(i,j)->(i//2,j//2,i%2,j%2)"))
    with pytest.raises(StorageError, match=r"leaves the shape \(3, 3\)"):
        replace(held, shape=(3, 3)).validate()
