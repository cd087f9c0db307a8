"""Bound: what is said of a range is checked, on coordinates at once, on positions when the loop runs."""

from typing import Any

import pytest
from gnomon.reference.errors import ScheduleError


@pytest.mark.parametrize(
    "bound",
    ["5,max_exact", "6,max_constraint", "0,min_exact", "0,min_constraint", "5,divisible", "1,divisible", "5,MaxExact"],
)
def test_a_bound_that_holds_changes_nothing_but_the_name(spmv: Any, bound: str) -> None:
    ran = spmv(f"bound(i,b,{bound})")
    assert ran.loops == ["b", "j"]
    assert ran.counts == {"b": 5, "j": 7}


@pytest.mark.parametrize("bound", ["4,max_exact", "4,max_constraint", "1,min_exact", "1,min_constraint", "2,divisible"])
def test_a_bound_that_does_not_hold_is_refused(spmv: Any, bound: str) -> None:
    with pytest.raises(ScheduleError, match="does not hold"):
        spmv(f"bound(i,b,{bound})")


def test_the_number_of_parts_is_known_whatever_is_divided(spmv: Any) -> None:
    assert spmv("divide(i,a,b,3),bound(a,c,3,max_exact)").loops == ["c", "b", "j"]
    assert spmv("pos(j,p,A(i,j)),divide(p,a,b,3),bound(a,c,3,max_exact)").loops == ["i", "c", "b"]
    for tiles in ("divide(i,a,b,3)", "pos(j,p,A(i,j)),divide(p,a,b,3)"):
        with pytest.raises(ScheduleError, match="a ranges from 0 to 3, for which max_exact 4 does not hold"):
            spmv(f"{tiles},bound(a,c,4,max_exact)")


def test_positions_are_checked_when_the_loop_runs(spmv: Any) -> None:
    assert spmv("collapse(i,j,f),pos(f,p,A(i,j)),bound(p,b,7,max_exact)").counts == {"b": 7}
    with pytest.raises(ScheduleError, match="ranges from 0 to 7"):
        spmv("collapse(i,j,f),pos(f,p,A(i,j)),bound(p,b,8,max_exact)")


def test_a_part_of_positions_ends_where_they_do(spmv: Any) -> None:
    """Rows have 0 to 3 components: all ranges are those of whole tiles, but where a row has less than one."""
    tiles = "pos(j,p,A(i,j)),split(p,p0,p1,4)"
    assert spmv(f"{tiles},bound(p1,b,3,max_constraint)").counts["b"] == 7
    with pytest.raises(ScheduleError, match="p1 ranges from 0 to 3, for which max_constraint 2 is wrong"):
        spmv(f"{tiles},bound(p1,b,2,max_constraint)")
    assert spmv("collapse(i,j,f),pos(f,p,A(i,j)),split(p,p0,p1,4),bound(p1,b,4,max_exact)").counts == {"p0": 2, "b": 7}


@pytest.mark.parametrize("then", ["split(b,b0,b1,2)", "split(b,b0,b1,2),reorder(b1,b0)", "unroll(b,2)"])
def test_what_is_said_is_checked_whatever_the_loop_becomes(spmv: Any, then: str) -> None:
    assert spmv(f"collapse(i,j,f),pos(f,p,A(i,j)),bound(p,b,7,max_exact),{then}").counts
    with pytest.raises(ScheduleError, match="ranges from 0 to 7"):
        spmv(f"collapse(i,j,f),pos(f,p,A(i,j)),bound(p,b,8,max_exact),{then}")


def test_a_bounded_loop_is_split_on(spmv: Any) -> None:
    assert spmv("bound(i,b,5,max_exact),split(b,b0,b1,2)").counts == {"b0": 3, "b1": 5, "j": 7}


@pytest.mark.parametrize(("bound", "message"), [("5,exact", "kind 'exact'"), ("0,divisible", "positive")])
def test_refusals(spmv: Any, bound: str, message: str) -> None:
    with pytest.raises(ScheduleError, match=message):
        spmv(f"bound(i,b,{bound})")


@pytest.mark.parametrize("size", [4611686018427387905, -4611686018427387905])
@pytest.mark.parametrize(
    ("kind", "what", "least"), [("min_constraint", "limit of a bound", -(2**62)), ("divisible", "divisor", 1)]
)
def test_a_size_that_is_too_large_is_shown_with_its_sign(
    spmv: Any, size: int, kind: str, what: str, least: int
) -> None:
    with pytest.raises(ScheduleError, match=f"the {what} is {size}, but may be at most 4611686018427387904") as error:
        spmv(f"bound(i,b,{size},{kind})")
    assert error.value.hint == f"give {least} to 4611686018427387904"


def test_what_is_said_of_positions_is_refused_by_the_rule_of_positions(spmv: Any) -> None:
    with pytest.raises(ScheduleError) as error:
        spmv("collapse(i,j,f),pos(f,p,A(i,j)),bound(p,b,8,max_exact)")
    assert error.value.rule == "schedule.bound.positions"
