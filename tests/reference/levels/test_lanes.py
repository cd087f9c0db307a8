"""Level functions for many positions at once: each lane does what the call would do alone."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from gnomon.reference.errors import CompileError
from gnomon.reference.levels.hashed import Hashed
from gnomon.reference.levels.lanes import in_lanes
from gnomon.reference.levels.level import Ints, Level, array, extent
from hypothesis import given
from hypothesis import strategies as st

numbers = st.lists(st.integers(-5, 9), min_size=1, max_size=12)


@dataclass(frozen=True)
class Everything(Level):
    """A level whose functions use all of restricted Python that reads."""

    name: ClassVar[str] = "everything"
    crd: Ints = array()
    N: int = extent()

    def branches(self, p: int, i: tuple[int, ...]) -> tuple[int, bool]:
        n = p
        if p < 0:
            if i[-1] > 2:
                return -i[-1], True
            n = -p
        else:
            n, m = self.pair(p)
            n = n + m
        return (n if n % 2 == 0 else n * self.N), 0 <= p < i[0] + 2 or p // 2 == i[-1]

    def pair(self, p: int) -> tuple[int, int]:
        return p + 1, min(p, 3, self.N)

    def passed_on(self, p: int) -> tuple[int, int]:
        return self.pair(p + 1)

    def loops(self, p: int) -> int:
        total = 0
        n = p
        while n > 0 and total < 7:
            total = total + n
            n = n - 2
        for q in range(p):
            if q == 4:
                return -total
            total = total + q
        for q in range(1, p):
            total = total + q * q
        return total

    def guarded(self, p: int) -> tuple[int, bool]:
        within = p >= 0 and p < 3
        return self.crd[p] if within else -1, not within or self.crd[p] != 5

    def widths(self, p: int) -> tuple[int, int]:
        n = p * 10000000000
        if p > 3:
            n = self.crd[0]
        if p < 0:
            return self.crd[0], n
        return n, p

    def nothing(self, p: int) -> None:
        pass

    def writes(self, p: int) -> int:
        self.crd[p] = 1
        return p


LEVEL = Everything().bind({"crd": np.array([4, 5, 6]), "N": 3})


@given(st.lists(st.tuples(st.integers(-5, 9), st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=12))
def test_branches_are_taken_by_the_lanes_whose_condition_holds(given: list[tuple[int, int, int]]) -> None:
    p, i, j = (np.array(each) for each in zip(*given, strict=True))
    found = in_lanes(LEVEL, "branches", len(given), p, (i, j))
    expected = [LEVEL.branches(n, (a, b)) for n, a, b in given]
    assert list(zip(*(each.tolist() for each in found), strict=True)) == expected


@given(numbers)
def test_loops_end_for_each_lane_by_itself(given: list[int]) -> None:
    (found,) = in_lanes(LEVEL, "loops", len(given), np.array(given))
    assert found.tolist() == [LEVEL.loops(p) for p in given]


@given(numbers)
def test_what_some_lanes_read_off_narrow_arrays_is_as_wide_as_the_others(given: list[int]) -> None:
    narrow = LEVEL.bind({"crd": np.array([4, 5, 6], np.int32), "N": 3})
    found = in_lanes(narrow, "widths", len(given), np.array(given))
    assert list(zip(*(each.tolist() for each in found), strict=True)) == [LEVEL.widths(p) for p in given]


@given(numbers)
def test_what_is_guarded_is_read_by_the_lanes_that_may(given: list[int]) -> None:
    found = in_lanes(LEVEL, "guarded", len(given), np.array(given))
    assert list(zip(*(each.tolist() for each in found), strict=True)) == [LEVEL.guarded(p) for p in given]


@given(st.lists(st.integers(0, 30), unique=True, max_size=6), st.lists(st.integers(0, 30), min_size=1, max_size=8))
def test_searches_go_on_for_the_lanes_that_have_not_found(stored: list[int], sought: list[int]) -> None:
    level = Hashed().bind({"W": 8, "N": 31, "crd": [-1] * 16})
    for c in stored:
        level.insert_coord(level.locate(1, (c,))[0], c)
    whole = level.bind({"W": 8, "N": 31, "crd": np.array(level.crd)})
    found = in_lanes(whole, "locate", len(sought), np.ones(len(sought), int), (np.array(sought),))
    assert list(zip(*(each.tolist() for each in found), strict=True)) == [level.locate(1, (c,)) for c in sought]


def test_what_does_not_depend_on_the_lane_holds_for_all() -> None:
    assert [each.tolist() for each in in_lanes(LEVEL, "pair", 2, 7)] == [[8, 8], [3, 3]]
    assert [each.tolist() for each in in_lanes(LEVEL, "passed_on", 2, 6)] == [[8, 8], [3, 3]]
    assert in_lanes(LEVEL, "nothing", 2, np.array([1, 2])) == ()


def test_functions_that_write_are_refused() -> None:
    with pytest.raises(CompileError, match="only reads"):
        in_lanes(LEVEL, "writes", 1, np.array([0]))
