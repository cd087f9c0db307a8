"""Unroll: a tag that changes nothing but is the loop's last."""

from typing import Any

import pytest
from gnomon.reference.errors import ScheduleError
from gnomon.reference.statement.statement import show


def test_the_loop_is_tagged(spmv: Any) -> None:
    ran = spmv("unroll(i,4)")
    assert show(ran.program.statement).splitlines()[0] == "∀i  [unroll 4]"
    assert ran.counts == {"i": 5, "j": 7}


def test_the_largest_factor(spmv: Any) -> None:
    assert show(spmv("unroll(i,64)").program.statement).splitlines()[0] == "∀i  [unroll 64]"


@pytest.mark.parametrize(
    ("schedule", "message"),
    [
        ("unroll(i,0)", "positive"),
        ("unroll(i,65)", "at most 64"),
        ("unroll(i,100000)", "at most 64"),
        ("unroll(i,2),split(i,a,b,2)", "i is unrolled"),
        ("unroll(k,2)", "no loop"),
    ],
)
def test_refusals(spmv: Any, schedule: str, message: str) -> None:
    with pytest.raises(ScheduleError, match=message):
        spmv(schedule)
