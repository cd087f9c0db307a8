"""Placement: for all entries at once what the level's own function gives entry by entry."""

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
import pytest
from gnomon.reference.levels.banded import Banded
from gnomon.reference.levels.compressed import Compressed
from gnomon.reference.levels.level import Level
from gnomon.reference.levels.skyline import Skyline
from gnomon.reference.storage.placement import place
from hypothesis import given
from hypothesis import strategies as st


@dataclass(frozen=True)
class Told(Banded):
    """A level format beyond restricted Python."""

    name: ClassVar[str] = "told"

    def locate(self, p: int, i: tuple[int, ...]) -> tuple[int, bool]:
        return (lambda: Banded.locate(self, p, i))()


@pytest.mark.parametrize("level", [Banded(), Skyline(), Told()], ids=lambda level: level.name)
@given(entries=st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(lambda c: c[1] <= c[0]), max_size=9))
def test_entries_find_the_places_that_they_find_one_by_one(level: Level, entries: set[tuple[int, int]]) -> None:
    rows, columns = np.array(sorted(entries), np.int64).reshape(-1, 2).T
    empty = {name: np.zeros(0, np.int64) for name in level.arrays()} | {"N": 5}
    bound = level.bind(empty | level.bind(empty).analyse(rows, (rows, columns), 5))
    fresh = np.ones(len(rows), bool)
    found, expected = (f(bound, rows, (rows, columns), fresh, 5) for f in (place, Level.place))
    assert found.positions.tolist() == expected.positions.tolist()
    assert found.size == expected.size


@given(
    parents=st.lists(st.integers(0, 4), max_size=9).map(sorted),
    shared=st.sets(st.integers(1, 9)),
    is_each=st.booleans(),
)
def test_segments_are_those_that_the_level_makes(parents: list[int], shared: set[int], is_each: bool) -> None:
    level, rows = Compressed(unique=False), np.array(parents, np.int64)
    fresh = np.array([is_each or n not in shared for n in range(len(parents))], bool)
    found, expected = (f(rows, (rows, rows + 7), fresh, 5) for f in (partial(place, level), level.place))
    assert (found.positions.tolist(), found.size) == (expected.positions.tolist(), expected.size)
    assert {n: a.tolist() for n, a in found.arrays.items()} == {n: a.tolist() for n, a in expected.arrays.items()}
