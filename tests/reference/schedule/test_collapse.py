"""Collapse: one loop over the Cartesian combination, in the same order."""

from collections.abc import Callable
from typing import Any

import pytest
from gnomon.reference.errors import ScheduleError

Spmv = Callable[..., Any]


@pytest.mark.parametrize("format", ["CSR", "DCSR", "COO", "Dense", "HashRows"])
def test_collapsed_loops_visit_in_the_same_order(spmv: Spmv, format: str) -> None:
    ran = spmv("collapse(i,j,f)", format)
    assert ran.loops == ["f"]
    assert ran.order("i", "j") == sorted(ran.order("i", "j"))
    assert ran.counts == {"f": 20 if format == "Dense" else 7}


def test_tiles_of_a_collapsed_loop_cross_rows(spmv: Spmv) -> None:
    ran = spmv("fuse(i,j,f),split(f,f0,f1,6)")
    assert ran.counts == {"f0": 4, "f1": 7}
    assert spmv("fuse(i,j,f),split(f,f0,f1,6),reorder(f1,f0)").counts == {"f1": 6, "f0": 7}


def test_a_tile_of_one_dimension_with_another(spmv: Spmv) -> None:
    assert spmv("split(j,j0,j1,3),collapse(i,j0,f)").counts == {"f": 10, "j1": 7}
    assert spmv("split(i,i0,i1,2),collapse(i1,j,f)").counts == {"i0": 3, "f": 7}


def test_blocks_collapse(spmv: Spmv) -> None:
    assert spmv("collapse(io,jo,f),split(f,f0,f1,2)", "BCSR(2,2)").loops == ["f0", "f1", "ii", "ji"]


@pytest.mark.parametrize(
    ("schedule", "message"),
    [
        ("collapse(j,i,f)", "needs i directly nested in j"),
        ("split(i,i0,i1,2),collapse(i0,j,f)", "needs j directly nested in i0"),
        ("pos(j,p,A(i,j)),collapse(i,p,f)", "p counts positions"),
        ("collapse(i,j,x)", "the name x is already in use"),
    ],
)
def test_refusals(spmv: Spmv, schedule: str, message: str) -> None:
    with pytest.raises(ScheduleError, match=message):
        spmv(schedule)
