"""Seeking: what a fiber is merged with again and again is sought in it, wherever that stands."""

from __future__ import annotations

import itertools
import re

import gnomon as gn
import numpy as np
import pytest
from depth import ALL
from effort import executed
from gnomon.reference.storage.tensor import Tensor
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from texts import c_text

PRODUCT = "C(i,j) = A(i,k) * B(k,j)"
LINES = ("DIA", "dense,banded")
SORTED = ("DCSR", "COO", "COO_AoS", "compressed,dense", "compressed,hashed")


@pytest.mark.parametrize("B", SORTED)
def test_rows_that_are_stored_are_sought_in_a_product(B: str) -> None:
    found = c_text(PRODUCT, A="DCSR", B=B, out="DCSR")
    assert "k: co-iterate A, B" in found and "pA2_stride" not in found
    assert "pB1_stride" in found and "if (pB1 < pB1_end) {" in found


@pytest.mark.parametrize(
    ("source", "options"),
    [
        ("C(i,j) = A(i,j) * B(i,j)", {"A": "DCSR", "B": "DCSR"}),
        ("C(i,l) = A(i,k) * B(i,k) * x(l)", {"A": "CSR", "B": "CSR", "schedule": "reorder(i,k,l)"}),
        ("C(i,l) = sum(k, A(i,k) + B(l,k))", {"A": "CSR", "B": "CSR", "schedule": None}),
        (PRODUCT, {"A": "DCSR", "B": "compressed(unordered),compressed"}),
        ("y(i) = A(i,j) + x(j)", {"A": "CSR", "x": "SparseVector"}),
    ],
)
def test_other_iterators_step(source: str, options: dict[str, str | None]) -> None:
    """Fibers that begin anew together and are not repeated, or whose coordinates are out of order; and unions."""
    found = c_text(source, **options)
    assert "co-iterate" in found and "_stride" not in found


def test_each_of_several_iterators_seeks() -> None:
    found = c_text("y(i) = A(i,k) * x(k) * z(k)", A="DCSR", x="SparseVector", z="SparseVector", schedule=None)
    assert "px1_stride" in found and "pz1_stride" in found and "pA2_stride" not in found


def test_operands_of_a_sum_seek_what_the_product_needs() -> None:
    found = c_text("C(i,j) = A(i,k) * (B(k,j) + E(k,j))", A="DCSR", B="DCSR", E="COO")
    assert "k: co-iterate A, B, E; deduplicate E; empty where missing" in found and "pA2_stride" not in found
    assert re.search(r"if \(pB1 < pB1_end\) \{\s+if \(B1_crd\[pB1\] < A2_crd\[pA2\]\) \{", found)
    assert "if (E1_crd[pE1] < A2_crd[pA2]) {" in found


@pytest.mark.parametrize("source", ["y(i) = x(k) * (A(i,k) + B(i,k))", "C(i,k) = A(i,k) + B(i,k) + x(k)"])
def test_sums_that_begin_anew_and_those_that_nothing_multiplies_are_not_sought_in(source: str) -> None:
    found = c_text(source, A="CSR", B="CSR", x="SparseVector", out="CSR" if "C" in source else None, schedule=None)
    assert "empty where missing" in found and "_stride" not in found


@pytest.mark.parametrize(
    ("source", "formats", "longer"),
    [
        ("C(i,l) = A(i,k) * B(l,k)", ("CSR", "CSR"), ("pA2", "pB2")),
        ("s = A(i,j) * B(j,k) * A(i,k)", ("CSR", "DCSR"), ("pB2", "pA2_2")),
        ("C(i,l) = A(i,k) * B(i,k) * x(l)", ("CSR", "CSR"), ("pA2", "pB2")),
        ("C(i,l) = A(i,k) * B(l,k)", ("CSR", "dense,compressed(unordered)"), ("pA2", "sB2")),
        ("C(i,l,j) = A(i,k) * B(l,k) * D(k,j)", ("CSR", "CSR"), ()),
    ],
)
def test_the_longer_of_two_lists_that_are_repeated_is_sought_in(
    source: str, formats: tuple[str, str], longer: tuple[str, ...]
) -> None:
    """Each where it is far longer; not one that is put in order, and neither if much would be written three times."""
    found = c_text(source, A=formats[0], B=formats[1], schedule="reorder(i,l,k)" if "x(l)" in source else None)
    asked = re.findall(r"if \(\S+ - (\w+) > 32 \* \(\S+ - (\w+)\)\)", found)
    assert set(asked) == {pair for pair in itertools.permutations(longer, 2) if pair[0].startswith("p")}


def column(extent: int, index: int) -> Tensor:
    """A matrix with a full column."""
    return gn.tensor([range(extent), [index] * extent], np.ones(extent), (extent, extent), "CSR")


@pytest.mark.parametrize("text", ["y(l) = A(i,k) * B(l,k)", "y(l) = B(l,k) * A(i,k)"])
def test_a_row_that_is_far_longer_than_those_it_meets_is_not_walked_for_each(text: str) -> None:
    few, many = (executed(text, {"A": gn.from_numpy(np.ones((1, n)), "CSR"), "B": column(n, n - 1)}) for n in (50, 200))
    assert many < 6 * few


def test_duplicates_in_a_list_that_is_sought_in_are_not_walked_each_time() -> None:
    """Each row of B asks for the first row of A, which has the last alone."""

    def for_extent(n: int) -> int:
        last = gn.tensor([[n - 1] * n, range(n)], np.ones(n), (n, n), "COO")
        return executed("y(j) = B(i,k) * A(k,j)", {"A": last, "B": column(n, 0)})

    assert for_extent(200) < 6 * for_extent(50)


def test_a_row_is_found_at_once_where_all_rows_hold_something() -> None:
    """Each row of A asks for one in the middle of B, of which all rows hold a component, or every other one."""

    def for_rows(rows: range) -> int:
        held = gn.tensor([rows, [0] * len(rows)], np.ones(len(rows)), (400, 400), "DCSR")
        return executed("y(i) = A(i,k) * B(k,j)", {"A": column(400, 200), "B": held})

    assert for_rows(range(400)) < 0.5 * for_rows(range(0, 400, 2))


@pytest.mark.parametrize(("format", "begins"), [("DCSR", True), ("COO", False), ("COO_AoS", False)])
def test_rows_that_may_be_equal_have_no_first_place(format: str, begins: bool) -> None:
    found = c_text(PRODUCT, A="CSR", B=format, out="CSR", schedule=None)
    assert ("pB1 = gn_max_int64(pB1, pB1_end - (A2_dimension - kA));" in found) is begins


def test_lines_are_entered_where_another_iterator_stands() -> None:
    product = c_text("C(i,j) = A(i,k) * B(k,j)", A="DIA", B="DIA")
    assert "if (cB2 < kA) {" in product
    both = c_text("C(k,j) = A(i,k) * B(i,j)", A="DIA", B="DIA")
    assert "if (cB2 < iA) {" in both and "if (cA2 < iB) {" not in both


def test_in_a_part_of_a_block_the_coordinate_of_the_whole_is_sought() -> None:
    blocked = "dense,compressed,compressed; (i,k)->(i,k//3,k%3)"
    found = c_text("y(i) = A(i,k) * x(k)", A=blocked, x="SparseVector", schedule=None)
    assert "if (x1_crd[px1] < kiA + ko * 3) {" in found


@given(
    left=hnp.arrays(np.int8, (3, 40), elements=st.integers(0, 2), fill=st.just(0)),
    right=hnp.arrays(np.int8, (40, 4), elements=st.integers(0, 2), fill=st.just(0)),
    row=hnp.arrays(np.int8, 40, elements=st.integers(0, 1)),
    format=st.sampled_from((*SORTED, *LINES)),
    parts=st.sampled_from(["DCSR", *LINES, "dense,compressed,compressed; (i,k)->(i,k//3,k%3)"]),
    source=st.sampled_from(
        [
            PRODUCT,
            "y(i) = A(i,k) * B(k,j) * x(k)",
            "y(i) = A(i,k) * x(k)",
            "C(k,i) = A(i,k) * x(k)",
            "C(i,j) = A(i,k) * (B(k,j) + D(k,j))",
            "C(i,j) = A(i,k) * (B(k,j) - D(k,j) * x(k))",
            "y(i) = x(k) * (A(i,k) + E(i,k)) - A(i,l) * E(i,l)",
        ]
    ),
    schedule=st.sampled_from(["", "split(i,i0,i1,2)"]),
)
@settings(max_examples=400 if ALL else 15, deadline=None)
def test_what_is_sought_is_found(
    left: np.ndarray, right: np.ndarray, row: np.ndarray, format: str, parts: str, source: str, schedule: str
) -> None:
    operands = {
        "A": gn.from_numpy(left.astype(float), parts),
        "B": gn.from_numpy(right.astype(float), format),
        "D": gn.from_numpy(np.roll(right, 3, 0).astype(float), "DCSR"),
        "E": gn.from_numpy(np.roll(left, 2, 1).astype(float), "COO"),
        "x": gn.from_numpy(row.astype(float), "SparseVector"),
    }
    used = {name: tensor for name, tensor in operands.items() if f"{name}(" in source}
    out = "COO" if source.startswith("C") else "Dense"
    gn.check(source, out=out, convert="auto", schedule=schedule or None, **used)
