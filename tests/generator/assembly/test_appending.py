"""Appending: one loop gives the coordinates of several levels, of which each has to be connected to the one above."""

from __future__ import annotations

import gnomon as gn
import numpy as np
import pytest

A = gn.tensor([[0, 0, 1, 2, 2], [0, 2, 1, 0, 2]], [1.0, 2.0, 3.0, 4.0, 5.0], (3, 3), "CSR")
B = gn.tensor([[0, 0, 0, 2, 2, 2], [0, 0, 3, 1, 1, 3], [0, 2, 1, 0, 1, 2]], np.arange(1.0, 7.0), (3, 4, 3), "CSF")
SLICES = "T(i,j,k) = A(l,i) * B(l,j,k)"
TWO = "reorder(l,i,j,k),collapse(j,k,f),precompute(A(l,i)*B(l,j,k),{i,f},{iw,fw},w)"
THREE = "reorder(l,i,j,k),collapse(i,j,f),collapse(f,k,g),precompute(A(l,i)*B(l,j,k),{g},{gw},w)"


@pytest.mark.parametrize("schedule", [TWO, THREE])
@pytest.mark.parametrize(
    "out",
    [
        "CSF",
        "COO",
        "dense,compressed,compressed",
        "dense,dense,compressed",
        "compressed,compressed,dense",
        "compressed,dense,compressed",
    ],
)
def test_fibers_go_on_with_the_next_coordinate_of_one_loop(schedule: str, out: str) -> None:
    plain, found = (gn.evaluate(SLICES, A=A, B=B, out=out, engine="c", schedule=each) for each in (None, schedule))
    assert np.array_equal(found.vals, plain.vals)
    for before, after in zip(plain.levels, found.levels, strict=True):
        assert all(np.array_equal(before[name], after[name]) for name in before)


def test_there_is_room_for_blocks_that_a_visit_appends_and_fills() -> None:
    full = gn.tensor(np.indices((9, 9, 9)).reshape(3, -1), np.arange(1.0, 730.0), (9, 9, 9), "CSF")
    eye = gn.tensor(np.array([range(9)] * 2), np.ones(9), (9, 9), "CSR")
    kernel = gn.compile(SLICES, A="CSR", B="CSF", out="compressed,compressed,dense", schedule="modes=flat")
    assert "if (pT2 == T2_capacity) {" in kernel.source
    assert np.array_equal(kernel(A=eye, B=full).vals, full.vals)
