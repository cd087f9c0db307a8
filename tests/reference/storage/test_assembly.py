"""Assembly: storing components one by one gives the arrays of the paper, whatever the levels need."""

from typing import Any

import numpy as np
import pytest
from gnomon.reference.errors import InternalError
from gnomon.reference.levels.iterators import children
from gnomon.reference.storage.assembly import Assembler
from gnomon.reference.storage.enumeration import descend
from gnomon.reference.storage.named_formats import format_of
from gnomon.reference.storage.packing import pack
from hypothesis import given
from hypothesis import strategies as st

FLOAT = np.dtype("float64")


def assembler(format: str, *extents: int, fill: float = 0.0) -> Assembler:
    return Assembler(format_of(format), extents, FLOAT, fill)


def add(a: Any, b: Any) -> Any:
    return a + b


def test_csr_of_figure_2() -> None:
    built = assembler("CSR", 4, 6)
    for c, value in [((0, 0), 5), ((0, 1), 1), ((1, 0), 7), ((1, 1), 3), ((3, 0), 8), ((3, 3), 4), ((3, 4), 9)]:
        built.store(c, value)
    tensor = built.finish((4, 6))
    assert tensor.levels[1]["pos"].tolist() == [0, 2, 4, 4, 7]  # type: ignore[union-attr]
    assert tensor.levels[1]["crd"].tolist() == [0, 1, 0, 1, 0, 3, 4]  # type: ignore[union-attr]
    assert tensor.vals.tolist() == [5, 1, 7, 3, 8, 4, 9]


def test_contributions_to_one_component_combine() -> None:
    built = assembler("CSR", 2, 2, fill=9.0)
    for value in (1.0, 2.0, 4.0):
        built.store((1, 0), value, add)
    assert list(built.finish((2, 2)).entries()) == [((1, 0), 7.0)]


@pytest.mark.parametrize("format", ["COO", "COO_AoS", "DCSR", "compressed(nonunique),singleton(nonunique)"])
def test_the_same_coordinates_twice_have_one_position(format: str) -> None:
    built = assembler(format, 3, 3)
    assert [built.position(c) for c in [(0, 1), (0, 1), (0, 2), (2, 0), (2, 0)]] == [0, 0, 1, 2, 2]
    built.finish((3, 3)).validate()


@pytest.mark.parametrize("format", ["compressed(nonunique),singleton(nonunique)", "dense,compressed(nonunique)"])
def test_a_duplicate_gets_a_position_of_its_own(format: str) -> None:
    built = assembler(format, 3, 3)
    for duplicate, value in [(False, 1.0), (True, 2.0), (True, 4.0)]:
        built.leaves.values[built.position((1, 2), duplicate=duplicate)] = value
    assert list(built.finish((3, 3)).entries()) == [((1, 2), 1.0), ((1, 2), 2.0), ((1, 2), 4.0)]


def test_a_unique_level_takes_no_duplicate() -> None:
    built = assembler("CSR", 3, 3)
    built.position((1, 2))
    with pytest.raises(InternalError, match=r"\(1, 2\) are appended after \(1, 2\) at level 2"):
        built.position((1, 2), duplicate=True)


@pytest.mark.parametrize(("format", "second"), [("CSR", (1, 1)), ("DCSR", (0, 2)), ("COO", (0, 2)), ("CSR", (0, 2))])
def test_appending_out_of_order_is_a_defect(format: str, second: tuple[int, int]) -> None:
    built = assembler(format, 3, 3)
    built.position((1, 2))
    with pytest.raises(InternalError, match="appended after"):
        built.position(second)


def test_unordered_siblings_come_in_any_order() -> None:
    built = assembler("dense,compressed(unordered)", 2, 5)
    for j in (4, 0, 2):
        built.store((0, j), float(j))
    tensor = built.finish((2, 5))
    tensor.validate()
    assert tensor.levels[1]["crd"].tolist() == [4, 0, 2]  # type: ignore[union-attr]


def test_blocks_below_an_appended_level_are_born_filled() -> None:
    built = assembler("BCSR(2,2)", 2, 2, 2, 2, fill=-1.0)
    built.store((0, 1, 0, 1), 5.0)
    built.store((0, 1, 1, 0), 6.0)
    built.store((1, 0, 0, 0), 7.0)
    tensor = built.finish((4, 4))
    assert tensor.vals.tolist() == [-1, 5, 6, -1, 7, -1, -1, -1]
    tensor.validate()


def test_padded_singletons_say_where_nothing_is() -> None:
    built = assembler("ELL3", 2, 3, 4)
    built.store((1, 0, 2), 5.0)
    tensor = built.finish((2, 3, 4))
    assert tensor.levels[2]["crd"].tolist() == [-1, -1, -1, 2, -1, -1]  # type: ignore[union-attr]


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 40)), max_size=60))
def test_hashed_levels_widen_and_keep_everything(coords: list[tuple[int, int]]) -> None:
    for format in ("HashRows", "HashMap"):
        built = assembler(format, 3, 41)
        expected: dict[tuple[int, int], float] = {}
        for n, c in enumerate(coords):
            built.store(c, float(n), add)
            expected[c] = expected.get(c, 0.0) + n
        tensor = built.finish((3, 41))
        tensor.validate()
        assert dict(tensor.entries()) == expected


def test_missing_contributions_outlive_widening() -> None:
    built = assembler("HashVector", 100)
    built.store_missing((0,), 3.0, add)
    for c in range(1, 50):
        built.store((c,), 1.0, add)
    built.store((0,), 4.0, add)
    assert dict(built.finish((100,)).entries())[(0,)] == 7.0


def test_missing_contributions_outlive_widening_below_appended_levels() -> None:
    built = assembler("compressed,hashed", 3, 100)
    for i in range(3):
        built.store_missing((i, 99), 3.0, add)
    for c in range(50):
        built.store((2, c), 1.0, add)
    built.store((2, 99), 4.0, add)
    found = dict(built.finish((3, 100)).entries())
    assert (found[(0, 99)], found[(2, 99)]) == (3.0, 7.0)


def test_a_missing_contribution_makes_nothing_present() -> None:
    built = assembler("dense", 2)
    built.store_missing((0,), 3.0, add)
    built.store((1,), 5.0)
    assert built.leaves.present == [False, True]


def test_every_missing_contribution_counts() -> None:
    built = assembler("dense", 2)
    built.store((0,), 2.0)
    built.store_missing((0,), 3.0, add)
    built.store_missing((1,), 4.0, add)
    built.store_missing((1,), 5.0, add)
    assert (built.leaves.values, built.leaves.present) == ([5.0, 9.0], [True, False])


def test_a_tensor_under_construction_can_be_read() -> None:
    built = assembler("HashVector", 10)
    built.store((7,), 1.0)
    assert [(c, built.leaves.values[p]) for c, p in descend(built.levels, (), 0)] == [((7,), 1.0)]


@pytest.mark.parametrize("format", ["CSR", "DCSR", "COO", "HashRows", "RowMajor", "BCSR(2,2)", "dense,bitmap"])
def test_nothing_stored_is_an_empty_tensor(format: str) -> None:
    levels = format_of(format).map.level_extents((4, 4))
    empty = Assembler(format_of(format), [int(n or 0) for n in levels], FLOAT, 0.0).finish((4, 4))
    empty.validate()
    packed = pack([[], []], [], (4, 4), format)
    for ours, theirs in zip(empty.levels, packed.levels, strict=True):
        assert all(np.array_equal(ours[name], theirs[name]) for name in theirs)


def test_starting_again_forgets_everything() -> None:
    built = assembler("HashVector", 100)
    for c in range(40):
        built.store((c,), 1.0)
    narrow, wide = assembler("HashVector", 100).levels[0].W, built.levels[0].W  # type: ignore[attr-defined]
    built.renew()
    assert built.levels[0].W == narrow < wide  # type: ignore[attr-defined]
    built.store((3,), 2.0)
    assert list(built.finish((100,)).entries()) == [((3,), 2.0)]


def test_what_is_cleared_holds_nothing_that_a_loop_would_visit() -> None:
    built = assembler("accumulator", 4)
    for c in (2, 0):
        built.store((c,), 1.0)
    (level,) = built.levels
    assert [c for c, _ in children(level, 0, ())] == [2, 0]
    built.renew()
    assert [*children(level, 0, ())] == [] and not any(built.leaves.present)
    built.store((3,), 2.0)
    assert [c for c, _ in children(level, 0, ())] == [3]


def test_what_is_cleared_forgets_missing_contributions() -> None:
    built = assembler("accumulator", 4)
    built.store_missing((2,), 3.0, add)
    built.clear()
    built.store_missing((2,), 5.0, add)
    assert built.leaves.values[built.position((2,))] == 5.0


def test_index_arrays_are_as_wide_as_they_must_be() -> None:
    built = assembler("SparseVector", 2**40)
    built.store((2**35,), 1.0)
    tensor = built.finish((2**40,))
    assert tensor.levels[0]["crd"].dtype == np.int64  # type: ignore[union-attr]
    assert tensor.levels[0]["pos"].dtype == np.int32  # type: ignore[union-attr]


def test_what_is_missing_does_not_become_present_in_a_wider_level() -> None:
    held = Assembler(format_of("hashed"), (100,), np.dtype("float64"), 0.0)
    held.store_missing((0,), 5.0, max)
    for i in range(1, 30):
        held.store((i,), float(i))
    assert held.leaves.present[held.position((1,))] and not held.leaves.present[held.position((0,))]
