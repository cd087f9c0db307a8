"""Crowded lists: loops over a list that has to be put in order go over every coordinate, where most are there."""

from __future__ import annotations

import gnomon as gn
import numpy as np
import pytest
from depth import ALL
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from texts import c_text

PRODUCT = "C(i,j) = A(i,k) * B(k,j)"
ROWS = "precompute(A(i,k) * B(k,j),{j},{j},w)"
WAYS = "if (5 * ((int64_t) w1_count[0]) >= 4 * B2_dimension)"


def text(source: str, **options: str) -> str:
    """The kernel, for matrices by rows unless told otherwise."""
    operands = {name: "CSR" for name in "AB" if f"{name}(" in source}
    return c_text(source, **{"out": "CSR", **operands, **options})


@pytest.mark.parametrize("options", [{}, {"out": "DCSR"}, {"semiring": "min_plus"}, {"overflow": "ignore"}])
def test_products_by_rows_have_both_ways(options: dict[str, str]) -> None:
    found = text(PRODUCT, **options)
    assert WAYS in found and "gn_order_int32(&w1_list" in found


@pytest.mark.parametrize(
    ("source", "options"),
    [
        ("C(i,j) = -A(i,j)", {"A": "dense,compressed(unordered)"}),
        (PRODUCT, {"schedule": ROWS, "out": "Dense"}),
        (PRODUCT, {"out": "dense,hashed"}),
        (PRODUCT, {"schedule": "precompute(A(i,k) * B(k,j),{j},{j},w,hashed)"}),
        (PRODUCT, {"schedule": f"{ROWS},unroll({{1}},j,2)"}),
    ],
)
def test_other_lists_do_not(source: str, options: dict[str, str]) -> None:
    """A compressed level and a hash table do not say at once what is there, what is put into a table needs no order, a
    loop that is unrolled stays one."""
    assert ">= 4 *" not in text(source, **options)


def test_tiles_of_a_list_are_no_whole_rows() -> None:
    with pytest.warns(gn.ScheduleWarning, match="the loop over j0 goes over coordinates whatever is stored"):
        kernel = gn.compile(PRODUCT, A="CSR", B="CSR", out="CSR", schedule=f"{ROWS},split({{1}},j,j0,j1,4)")
    assert ">= 4 *" not in kernel.source


def test_room_is_made_for_all_that_may_come() -> None:
    every, ordered = text(PRODUCT).partition("int evaluate_arrays")[2].partition(WAYS)[2].partition("gn_order")[::2]
    assert "C2_room - pC2_own < B2_dimension" in every
    assert "C2_room - pC2_own < w1_list.size - sw1" in ordered


@given(
    left=hnp.arrays(np.int8, (6, 3), elements=st.integers(0, 2)),
    right=hnp.arrays(np.int8, (3, 10), elements=st.integers(0, 2), fill=st.just(1)),
    semiring=st.sampled_from(["plus_times", "min_plus", "any_pair"]),
    schedule=st.sampled_from(["", "parallelize(i,CPUThread,NoRaces)"]),
    out=st.sampled_from(["CSR", "DCSR"]),
)
@settings(max_examples=settings().max_examples // (2 if ALL else 4))
def test_either_way_gives_the_same(left: np.ndarray, right: np.ndarray, semiring: str, schedule: str, out: str) -> None:
    """Rows of ten coordinates, of which any number is there."""
    operands = {"A": gn.tensor(np.nonzero(left), left[left != 0].astype(float), left.shape, "CSR")}
    operands["B"] = gn.tensor(np.nonzero(right), right[right != 0].astype(float), right.shape, "CSR")
    options = {"semiring": semiring, "out": out, "schedule": schedule}
    found = [gn.evaluate(PRODUCT, engine=engine, **options, **operands) for engine in ("reference", "c")]
    assert [dict(t.entries()) for t in found[:1]] == [dict(t.entries()) for t in found[1:]]
