"""Commands of other schedulers: refused, with commands of ours that do the same."""

from __future__ import annotations

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.errors import ParseError
from gnomon.reference.schedule.halide import LOOPS
from gnomon.reference.schedule.text import read_schedule

A = np.arange(12.0).reshape(3, 4)


def hint_of(schedule: str) -> str:
    """The hint with which a schedule is refused."""
    with pytest.raises(ParseError, match="is not a scheduling command") as refused:
        read_schedule(schedule)
    assert refused.value.hint is not None
    return refused.value.hint


@pytest.mark.parametrize(
    ("theirs", "own"),
    [
        ("vectorize(j)", "parallelize(j,CPUVector,NoRaces)"),
        ("vectorise( k , 8)", "parallelize(k,CPUVector,NoRaces)"),
        ("simd(j)", "parallelize(j,CPUVector,NoRaces)"),
        ("vectorize", "parallelize(i,CPUVector,NoRaces)"),
        ("parallel(i)", "parallelize(i,CPUThread,NoRaces)"),
        ("interchange(k,j)", "reorder(j,k)"),
        ("tile(i,j,16,8)", "split(i,i0,i1,16),split(j,j0,j1,8),reorder(i0,j0,i1,j1)"),
        ("tile(k,l,a,b)", "split(k,k0,k1,32),split(l,l0,l1,32),reorder(k0,l0,k1,l1)"),
        ("tile(i,j,i0,j0,i1,j1,4,2)", "split(i,i0,i1,4),split(j,j0,j1,2),reorder(i0,j0,i1,j1)"),
        ("tile(i", "split(i,i0,i1,32),split(j,j0,j1,32),reorder(i0,j0,i1,j1)"),
    ],
)
def test_loops_and_sizes_are_those_that_are_written(theirs: str, own: str) -> None:
    assert hint_of(theirs) == f"write {own}"
    assert hint_of(f"unroll(i,2),{theirs}") == f"write {own}"


@pytest.mark.parametrize("name", sorted(LOOPS))
def test_what_is_written_instead_is_a_schedule(name: str) -> None:
    own = hint_of(f"{name}(i,j)").removeprefix("write ")
    found = gn.evaluate("y(i,j) = 2 * A(i,j)", A=A, schedule=own)
    assert np.array_equal(found.to_numpy(), 2 * A)


@pytest.mark.parametrize("text", ["None", "none"])
def test_no_schedule_is_no_text(text: str) -> None:
    assert hint_of(text) == "pass schedule=None, without quotes"


def test_what_is_known_of_no_scheduler_has_the_list() -> None:
    assert hint_of("frobnicate(i)").startswith("use split, divide, ")
    assert hint_of("splt(i,i0,i1,2)") == "did you mean split?"
