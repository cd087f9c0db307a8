"""Iterators over one level and their conversions: Figures 5 and 7."""

import gnomon as gn
import pytest
from gnomon.reference.levels.bitmap import Bitmap
from gnomon.reference.levels.compressed import Compressed
from gnomon.reference.levels.dense import Dense
from gnomon.reference.levels.hashed import Hashed
from gnomon.reference.levels.iterators import (
    by_coordinate,
    by_position,
    chain,
    deduplicate,
    iterator,
    locate_children,
    reorder,
    siblings,
)
from gnomon.reference.levels.singleton import Singleton
from hypothesis import given
from hypothesis import strategies as st


def test_figure_5_coordinate_value_and_position_iteration() -> None:
    assert list(by_coordinate(Dense().bind({"N": 3}), 2, ())) == [(0, 6), (1, 7), (2, 8)]
    assert list(by_coordinate(Bitmap().bind({"N": 3, "flag": [0, 1, 1]}), 0, ())) == [(1, 1), (2, 2)]
    cols = Compressed().bind({"pos": [0, 2, 4, 4, 7], "crd": [0, 1, 0, 1, 0, 3, 4], "N": 6})
    assert list(by_position(cols, 3, (3,))) == [(0, 4), (3, 5), (4, 6)]
    buckets = Hashed().bind({"crd": [-1, 5, -1, 3], "W": 4, "N": 6})
    assert list(by_position(buckets, 0, ())) == [(5, 1), (3, 3)]


ROWS, COLUMNS = [0, 0, 1, 1, 3, 3, 3], [0, 1, 0, 1, 0, 3, 4]


def test_figure_7_children_of_duplicates_are_chained() -> None:
    rows = Compressed(unique=False).bind({"pos": [0, 7], "crd": ROWS, "N": 4})
    cols = Singleton().bind({"crd": COLUMNS, "N": 6})
    segments = list(deduplicate(by_position(rows, 0, ())))
    assert segments == [(0, (0, 1)), (1, (2, 3)), (3, (4, 5, 6))]
    for _, parents in segments:
        assert list(chain(cols, parents, (0,))) == list(siblings(cols, parents, (0,), chains=False))
    assert list(chain(cols, (4, 5, 6), (3,))) == [(0, 4), (3, 5), (4, 6)]


def test_duplicates_that_lie_apart_are_not_chained() -> None:
    cols = Singleton().bind({"crd": COLUMNS, "N": 6})
    assert list(siblings(cols, (4, 6), (3,), chains=True)) == [(0, 4), (4, 6)]


def test_duplicates_of_an_unordered_level_are_gathered_wherever_they_lie() -> None:
    level = Compressed(ordered=False, unique=False).bind({"pos": [0, 3], "crd": [2, 0, 2], "N": 3})
    gathered = iterator(level, None, many=False, ordered=False, unique=True)
    assert dict(gathered(level, 0, ())) == {0: (1,), 2: (0, 2)}


def test_a_coordinate_is_found_below_those_of_several_duplicates_that_hold_it() -> None:
    buckets = Hashed().bind({"crd": [5, -1, -1, 3, -1, 3], "W": 2, "N": 6})
    assert locate_children(buckets, (0, 1, 2), (0, 3)) == (3, 5)
    assert locate_children(buckets, (0, 1), (0, 3)) == (3,)
    assert locate_children(buckets, (0, 1, 2), (0, 1)) is None


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 99))))
def test_reordering_is_stable_and_deduplication_keeps_every_position(pairs: list[tuple[int, int]]) -> None:
    gathered = dict(deduplicate(reorder(pairs)))
    assert list(gathered) == sorted({c for c, _ in pairs})
    assert all(gathered[c] == tuple(q for d, q in pairs if d == c) for c in gathered)


@pytest.mark.parametrize("text", ["COO", "compressed(nonunique,unordered),singleton(unordered)"])
def test_an_iterator_over_duplicates_yields_each_column_once(text: str) -> None:
    tensor = gn.from_dict({(0, 3): 1.0, (0, 1): 2.0, (2, 1): 3.0}, (3, 4), text)
    rows, cols = tensor.bound_levels()
    outer = iterator(rows, None, many=False, ordered=True, unique=True)
    inner = iterator(cols, rows, many=True, ordered=True, unique=True)
    found = {i: [j for j, _ in inner(cols, p, (i,))] for i, p in outer(rows, 0, ())}
    assert found == {0: [1, 3], 2: [1]}
