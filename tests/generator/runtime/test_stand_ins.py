"""Extents of a kind have one stand-in, and what is far away is stored and found in both engines."""

from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.runtime.stand_ins import SMALL, WIDEST, stand_in, stand_ins
from gnomon.reference.errors import ScheduleError
from gnomon.reference.storage.tensor import Tensor

EXTENTS = (2**31 - 1, 2**31, 2**31 + 1, 3 * 10**9, 2**40)
MATRICES = ("COO", "COO_AoS", "DCSR", "DCSC", "HashMap", "compressed,hashed", "compressed(unordered),compressed")


def held(tensor: Tensor) -> tuple[list[Any], list[dict[str, Any]]]:
    """The components of a tensor, and how its arrays are stored."""
    own = [{n: a if isinstance(a, int) else a.dtype.name for n, a in level.items()} for level in tensor.levels]
    return sorted(tensor.entries()), own


def both(expression: str, **settings: Any) -> Tensor:
    """The result of C, which the reference has and stores in the same way."""
    ours, theirs = (gn.evaluate(expression, engine=engine, **settings) for engine in ("reference", "c"))
    assert held(ours) == held(theirs)
    theirs.validate()
    return theirs


def far(n: int, format: str, *coords: int) -> Tensor:
    """A matrix with a component on the diagonal for each of some coordinates."""
    return gn.tensor([coords, coords], np.arange(1.0, len(coords) + 1), (n, n), format)


def test_stand_ins_of_small_extents_are_left_out() -> None:
    assert stand_ins({"A": (5, 10**8), "x": ()}) == {}
    assert stand_ins({"A": (5, 10**8 + 1)}) == {"A": (SMALL, WIDEST)}
    assert stand_in(WIDEST) == WIDEST != stand_in(WIDEST + 1)


def test_no_schedule_is_refused_by_an_extent_that_stands_in_for_others() -> None:
    """Neither when it is compiled nor when a library is made for an extent that it counts: calls check the data."""
    kernel = gn.compile("y(i) = exp(sum(j, A(i,j) + 1))", A="CSR", schedule="bound(i,b,6,max_exact)")
    found = kernel(A=gn.tensor([[0], [0]], [1.0], (6, 2), "CSR"))
    assert found.to_numpy() == pytest.approx(np.exp([3.0, *[2.0] * 5]))
    for width in (2, 3):
        with pytest.raises(ScheduleError, match="a bound of the schedule for y does not hold"):
            kernel(A=gn.tensor([[0], [0]], [1.0], (5, width), "CSR"))


@pytest.mark.every(3)
@pytest.mark.parametrize("format", MATRICES)
def test_far_coordinates_in_every_format_of_a_result(format: str) -> None:
    for n in EXTENTS:
        for coords in ((5, n - 1), (5, 7)):
            a = far(n, "DCSC" if format == "DCSC" else "COO", *coords)
            assert both("C(i,j) = A(i,j) * 2", A=a, out=format).nnz == 2


@pytest.mark.every(2)
@pytest.mark.parametrize("format", ["HashVector", "SparseVector", "compressed_aos"])
def test_far_coordinates_of_vectors(format: str) -> None:
    for n in EXTENTS:
        both("y(i) = x(i) * 2", x=gn.tensor([[3, n - 1]], [1.0, 2.0], (n,), format), out=format)
        both("y(j) = A(i,j)", A=far(n, "COO", 4, n - 1), out=format)


@pytest.mark.parametrize("n", [2**31, 2**40])
def test_far_coordinates_through_workspaces_merges_and_copies(n: int) -> None:
    a, b = far(n, "DCSR", 0, n - 2, n - 1), gn.tensor([[0, n - 1], [n - 1, 0]], [3.0, 4.0], (n, n), "DCSR")
    assert dict(both("C(i,j) = A(i,k) * B(k,j)", A=a, B=b, out="DCSR").entries()) == {(0, n - 1): 3.0, (n - 1, 0): 12.0}
    assert both("C(i,j) = A(i,j) + B(i,j)", A=a, B=b, out="DCSR").nnz == 5
    assert both("C(i,j) = B(j,i)", B=b, out="DCSR", convert="auto").nnz == 2
    assert float(both("s = A(i,j) * B(i,j)", A=a, B=b).to_numpy()) == 0.0
