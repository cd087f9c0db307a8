"""Whole levels: what their arrays say outright is what their level functions give node by node."""

import numpy as np
import pytest
from gnomon import tensor
from gnomon.reference.errors import StorageError
from gnomon.reference.levels.compressed import Compressed
from gnomon.reference.levels.dense import Dense
from gnomon.reference.levels.hashed import Hashed
from gnomon.reference.levels.skyline import Skyline
from gnomon.reference.storage.enumeration import called_children
from gnomon.reference.storage.whole_levels import listed_children
from hypothesis import given
from hypothesis import strategies as st

LISTED = ("CSR", "DCSR", "COO", "ELL", "HashRows", "HashMap", "Banded", "SparseDIA", "DIA", "BCSR(2,2)")


@pytest.mark.parametrize("format", LISTED)
@given(
    entries=st.dictionaries(st.tuples(st.integers(0, 4), st.integers(0, 4)), st.just(1.0), max_size=9),
    chosen=st.sets(st.integers(0, 40)),
)
def test_children_are_those_of_level_functions(
    format: str, entries: dict[tuple[int, int], float], chosen: set[int]
) -> None:
    coords = np.array(sorted(entries), np.int64).reshape(-1, 2).T
    held = tensor(coords, np.ones(len(entries)), (5, 5), format)
    path, positions = (), np.zeros(1, np.int64)
    for k, level in enumerate(held.format.levels):
        bound = level.bind(held.storage(k))
        expected = called_children(bound, positions, path)
        found = listed_children(bound, positions, path)
        if found is not None:
            parents = np.arange(len(positions)) if found[0] is None else found[0]
            assert [a.tolist() for a in (parents, *found[1:])] == [a.tolist() for a in expected]
        parents, c, positions = expected
        kept = [n for n in range(len(positions)) if k == len(held.format.levels) - 1 or n not in chosen]
        path = (*(each[parents][kept] for each in path), c[kept])
        positions = positions[kept]
        if not kept:
            return


def test_a_dense_level_lists_no_more_than_the_range() -> None:
    for within, expected in ((range(3, 9), [[0, 1], [3, 3], [3, 11]]), (range(1, 2), [[0, 1], [1, 1], [1, 9]])):
        found = listed_children(Dense().bind({"N": 4}), np.array([0, 2]), (), within)
        assert found is not None
        assert [a.tolist() for a in found if a is not None] == expected


def test_segments_that_do_not_follow_one_another_are_left_to_level_functions() -> None:
    level = Compressed().bind({"pos": np.array([0, 2, 1, 3]), "crd": np.array([0, 1, 2]), "N": 4})
    assert listed_children(level, np.arange(3), ()) is None
    assert listed_children(level, np.array([0, 2]), ()) is None
    rising = level.bind({"pos": np.arange(5), "crd": np.arange(4), "N": 4})
    assert listed_children(rising, np.array([0, 2, 1, 3]), ()) is None


def test_tables_of_no_whole_width_are_left_to_level_functions() -> None:
    level = Hashed().bind({"crd": np.array([0, -1, 2]), "W": 2, "N": 4})
    assert listed_children(level, np.arange(1), ()) is None
    assert listed_children(level.bind({"crd": np.array([0, -1]), "W": 0, "N": 4}), np.arange(1), ()) is None


def test_levels_of_a_user_are_left_to_their_functions() -> None:
    class Own(Dense):
        """Not the level that it is derived from."""

    assert listed_children(Own().bind({"N": 4}), np.arange(1), ()) is None
    assert listed_children(Skyline().bind({"pos": np.array([0, 1]), "N": 1}), np.arange(1), (np.arange(1),)) is None


def test_more_coordinates_than_fit_in_memory_are_refused() -> None:
    with pytest.raises(StorageError, match="do not fit in memory"):
        listed_children(Dense().bind({"N": 2**31 + 1}), np.arange(1), ())
