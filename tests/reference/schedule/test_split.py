"""Split and divide: the loops they leave, tiles that do not divide, refusals."""

from collections.abc import Callable
from typing import Any

import pytest
from gnomon.reference.errors import ScheduleError

Spmv = Callable[..., Any]


@pytest.mark.parametrize("format", ["CSR", "DCSR", "COO", "Dense", "ELL", "BCSR(2,2)", "HashRows"])
def test_tiles_of_a_size_that_does_not_divide(spmv: Spmv, format: str) -> None:
    variable = "io" if format.startswith("BCSR") else "i"
    assert spmv(f"split({variable},i0,i1,3)", format).loops.index("i0") < spmv(
        f"split({variable},i0,i1,3)", format
    ).loops.index("i1")


def test_split_leaves_two_loops_that_visit_everything_in_order(spmv: Spmv) -> None:
    ran = spmv("split(i,i0,i1,3)")
    assert ran.loops == ["i0", "i1", "j"]
    assert ran.counts == {"i0": 2, "i1": 5, "j": 7}
    assert ran.order("i", "j") == [(0, 0), (0, 2), (1, 1), (3, 0), (3, 1), (3, 3), (4, 3)]


def test_divide_fixes_the_number_of_tiles(spmv: Spmv) -> None:
    ran = spmv("divide(i,i0,i1,4)")
    assert ran.counts["i0"] == 4 and ran.counts["i1"] == 5
    assert spmv("split(i,i0,i1,4,up)").program == ran.program


def test_tiles_of_a_sparse_loop_are_coordinates(spmv: Spmv) -> None:
    ran = spmv("split(j,j0,j1,2)")
    assert ran.loops == ["i", "j0", "j1"]
    assert ran.counts == {"i": 5, "j0": 10, "j1": 7}


def test_the_inner_loop_outside_strides(spmv: Spmv) -> None:
    ran = spmv("split(i,i0,i1,2),reorder(i1,i0)")
    assert ran.order("i", "j") == [(0, 0), (0, 2), (4, 3), (1, 1), (3, 0), (3, 1), (3, 3)]


def test_split_again_and_again(spmv: Spmv) -> None:
    ran = spmv("split(i,i0,i1,4),split(i1,i2,i3,3),split(i0,i4,i5,1)")
    assert ran.loops == ["i4", "i5", "i2", "i3", "j"]
    assert ran.order("i", "j") == sorted(ran.order("i", "j"))


@pytest.mark.parametrize(
    ("schedule", "message"),
    [
        ("split(i,a,b,0)", "must be a positive integer"),
        ("divide(i,a,b,-1)", "must be a positive integer"),
        ("split(i,a,b,4611686018427387904),divide(a,c,d,2)", "has a tile of 4611686018427387904 or more is 2, but"),
        ("split(i,a,b,2147483648),split(a,c,d,2147483648),divide(c,e,f,4)", "is 4, but may be at most 1"),
        ("split(k,a,b,2)", "no loop runs over k"),
        ("split(i,j,b,2)", "the name j is already in use"),
        ("split(i,a,a,2)", "the name a is already in use"),
        ("split(i,a,b,2),split(i,c,d,2)", "no loop runs over i"),
        ("split(i,a,b,2),split(a,i,d,2)", "the name i is already in use"),
        ("split(i,a,b,2),split(a,c,d,2),split(j,a,e,2)", "the name a is already in use"),
    ],
)
def test_refusals(spmv: Spmv, schedule: str, message: str) -> None:
    with pytest.raises(ScheduleError, match=message) as caught:
        spmv(schedule)
    assert "^" in str(caught.value) and "hint:" in str(caught.value)


def test_the_hint_of_a_division_says_what_is_left_for_it(spmv: Spmv) -> None:
    with pytest.raises(ScheduleError, match="is 2000000, but may be at most 1000000") as caught:
        spmv("divide(i,a,b,2000),divide(a,c,d,1000)")
    assert caught.value.hint == "give 1 to 500"


def test_one_part_may_be_as_large_as_tiles_make_it(spmv: Spmv) -> None:
    widest = "split(i,a,b,4611686018427387904),split(a,c,d,4611686018427387904)"
    assert spmv(f"{widest},divide(c,e,f,1)").counts["e"] == 1
    with pytest.raises(ScheduleError, match="is 2, but may be at most 1"):
        spmv(f"{widest},divide(c,e,f,2)")
