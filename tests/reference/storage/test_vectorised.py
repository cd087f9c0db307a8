"""Whole arrays of components: order, sums, slots and offsets."""

import numpy as np
import pytest
from gnomon.reference.errors import FormatError, MeaningError, StorageError
from gnomon.reference.storage.format import Format
from gnomon.reference.storage.named_formats import format_of
from gnomon.reference.storage.vectorised import (
    first_occurrences,
    fresh,
    holds_duplicates,
    in_order_of_levels,
    indices,
    map_coordinates,
    numbered_keys,
    numbered_values,
    offsets,
    run_starts,
    slots,
    sorting_order,
    storage_order,
    sum_duplicates,
)
from hypothesis import given
from hypothesis import strategies as st

pairs = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=12)


def columns(rows: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    table = np.array(rows, np.int64).reshape(-1, 2).T
    return table[0], table[1]


@given(st.lists(st.tuples(*[st.sampled_from((0, 1, 2, 7, 2**20, 2**40, 2**62, -1))] * 2), max_size=12))
def test_rows_are_sorted_and_equal_ones_stay_as_they_come(rows: list[tuple[int, int]]) -> None:
    assert sorting_order(columns(rows), len(rows)).tolist() == sorted(range(len(rows)), key=rows.__getitem__)


def test_rows_are_numbered_where_63_bits_suffice() -> None:
    low, high = np.array([0, 2**31 - 1]), np.array([0, 2**30 - 1])
    keys = numbered_keys((low, high), 2)
    assert keys is not None and keys.tolist() == [0, 2**63 - 3]
    assert numbered_keys((low, high + 1), 2) is None


rounded = st.lists(st.tuples(st.integers(0, 1), st.sampled_from((0.1, 1e16, -1e16, 3.3, -0.0, 1.0))), max_size=12)


@given(rounded)
def test_floats_are_added_in_storage_order(components: list[tuple[int, float]]) -> None:
    expected: dict[int, float] = {}
    for c, value in components:
        expected[c] = expected[c] + value if c in expected else value
    coords = np.array([c for c, _ in components], np.int64)
    for dtype in (np.float64, np.complex128):
        (found,), values = sum_duplicates((coords,), np.array([v for _, v in components], dtype))
        assert found.tolist() == list(expected) and [repr(v.real) for v in values.tolist()] == list(
            map(repr, expected.values())
        )


@given(pairs)
def test_sums_are_those_of_a_dictionary_in_order_of_first_appearance(rows: list[tuple[int, int]]) -> None:
    expected: dict[tuple[int, int], int] = {}
    for n, row in enumerate(rows):
        expected[row] = expected.get(row, 0) + 2**n
    found, values = sum_duplicates(columns(rows), np.array([2**n for n in range(len(rows))], np.int64))
    assert list(zip(*(a.tolist() for a in found), strict=True)) == list(expected)
    assert values.tolist() == list(expected.values())


def test_sums_that_overflow_are_refused() -> None:
    with pytest.raises(MeaningError, match="duplicates add up to 200, which does not fit in int8"):
        sum_duplicates((np.array([1, 1]),), np.array([100, 100], np.int8))


def test_booleans_add_up_to_or_and_infinities_to_nan() -> None:
    same = (np.array([1, 1]),)
    assert sum_duplicates(same, np.array([True, True]))[1].tolist() == [True]
    assert np.isnan(sum_duplicates(same, np.array([np.inf, -np.inf]))[1][0])


@given(pairs)
def test_first_seen_is_the_first_equal_row(rows: list[tuple[int, int]]) -> None:
    assert first_occurrences(columns(rows), len(rows)).tolist() == [rows.index(row) for row in rows]


def test_changed_marks_runs() -> None:
    assert run_starts([np.array([0, 0, 1, 1]), np.array([2, 2, 2, 3])], 4).tolist() == [True, False, True, True]


@pytest.mark.parametrize(
    ("format", "expected"),
    [
        ("CSR", [(0, 1), (0, 5), (2, 0), (2, 4)]),
        ("dense,compressed(unordered)", [(0, 5), (0, 1), (2, 4), (2, 0)]),
        ("compressed(unordered),compressed", [(2, 0), (2, 4), (0, 1), (0, 5)]),
        ("compressed(nonunique,unordered),singleton(unordered)", [(2, 4), (0, 5), (2, 0), (0, 1)]),
        ("compressed(nonunique,unordered),singleton", [(2, 0), (2, 4), (0, 1), (0, 5)]),
        ("hashed,hashed", [(0, 1), (0, 5), (2, 0), (2, 4)]),
    ],
)
def test_unordered_levels_keep_the_order_given(format: str, expected: list[tuple[int, int]]) -> None:
    given_rows = [(2, 4), (0, 5), (2, 0), (0, 1)]
    order = storage_order(format_of(format, 2), columns(given_rows), 4)
    assert (order is None) == (expected == given_rows)
    assert [given_rows[n] for n in (range(4) if order is None else order)] == expected


@pytest.mark.parametrize(
    ("format", "holds"),
    [
        ("compressed(nonunique)", True),
        ("compressed(nonunique),singleton(nonunique)", True),
        ("compressed(nonunique),singleton", False),
        ("dense,compressed(nonunique)", True),
        ("compressed(nonunique),dense", False),
        ("dense(nonunique)", False),
        ("dense,singleton(padded,nonunique)", False),
    ],
)
def test_which_formats_hold_duplicates(format: str, holds: bool) -> None:
    assert holds_duplicates(Format(format) if "," not in format and "(" not in format else format_of(format)) is holds


def test_a_non_unique_level_has_a_node_per_chain() -> None:
    levels = (np.array([0, 0, 0, 1]), np.array([2, 3, 3, 0]))
    coo = format_of("compressed(nonunique),singleton(nonunique)")
    assert fresh(coo, 0, levels, 4).tolist() == [True] * 4
    assert fresh(format_of("CSR"), 0, levels, 4).tolist() == [True, False, False, True]
    chain = format_of("compressed(nonunique),singleton(nonunique),hashed")
    assert fresh(chain, 0, (*levels, np.arange(4)), 4).tolist() == [True, True, False, True]


@given(st.lists(st.one_of(st.integers(-5, 5), st.sampled_from((2**40, -(2**62)))), max_size=12))
def test_values_are_numbered_in_order(given_values: list[int]) -> None:
    values = np.array(given_values, np.int64)
    found, numbers = numbered_values(values)
    assert found.tolist() == sorted(set(given_values))
    assert found[numbers].tolist() == given_values


def test_diagonals_and_slots_are_numbered() -> None:
    i = np.array([[0, 0, 2], [0, 3, 0]])
    levels, extents, shared = map_coordinates(format_of("DIA"), i, (3, 4))
    assert (levels[0].tolist(), extents, shared["offset"].tolist()) == ([1, 2, 0], (3, 3, 4), [-2, 0, 3])
    levels, extents, _ = map_coordinates(format_of("ELL"), i, (3, 4))
    assert (levels[0].tolist(), extents) == ([0, 1, 0], (2, 3, 4))


def test_offsets_follow_from_components_on_their_diagonals() -> None:
    levels = (np.array([0, 1]), np.array([0, 2]), np.array([1, 0]))
    assert offsets(format_of("DIA3"), levels, (2, 3, 3))["offset"].tolist() == [1, -2]
    with pytest.raises(StorageError, match="does not lie on diagonal 0, whose offset is -2"):
        offsets(format_of("DIA3"), (np.array([0, 0]), *levels[1:]), (2, 3, 3))
    with pytest.raises(FormatError, match=r"level 2 \(range\) of dense,range: nothing gives it its offsets"):
        offsets(format_of("dense,range"), levels[:2], (2, 3))


def test_slots_are_counted_in_each_row_in_the_order_of_its_columns() -> None:
    ell = format_of("ELL")
    assert slots(ell, 0, np.array([[0, 0, 1], [2, 0, 1]])).tolist() == [1, 0, 0]
    assert slots(ell, 0, np.array([[0, 0, 0], [1, 1, 2]])).tolist() == [0, 0, 1]


def test_sums_below_the_least_integer_are_refused() -> None:
    with pytest.raises(MeaningError, match="add up to -200"):
        sum_duplicates((np.zeros(2, np.int64),), np.array([-100, -100], np.int8))


@pytest.mark.parametrize(("largest", "dtype"), [(2**31 - 1, np.int32), (2**31, np.int64)])
def test_an_index_array_has_64_bits_from_the_first_value_that_needs_them(largest: int, dtype: type) -> None:
    assert indices([0, largest], np.int32).dtype == dtype


@given(rows=st.lists(st.tuples(*[st.integers(-1, 3) | st.just(2**40)] * 3), max_size=9))
def test_components_in_order_of_levels_are_those_that_a_stable_sort_gives(rows: list[tuple[int, int, int]]) -> None:
    levels = tuple(np.array(rows, np.int64).reshape(-1, 3).T)
    columns, values = in_order_of_levels(levels, np.arange(len(rows)))
    expected = sorted(range(len(rows)), key=lambda n: rows[n])
    assert values.tolist() == expected
    assert list(zip(*(column.tolist() for column in columns), strict=True)) == [rows[n] for n in expected]
