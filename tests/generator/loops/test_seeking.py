"""Seeking: what a fiber is merged with again and again is sought in it, wherever that stands."""

from __future__ import annotations

import re

import gnomon as gn
import numpy as np
import pytest
from depth import ALL
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
        ("C(i,l) = A(i,k) * B(l,k)", {"A": "CSR", "B": "CSR", "schedule": None}),
        (PRODUCT, {"A": "DCSR", "B": "compressed(unordered),compressed"}),
        ("y(i) = A(i,j) + x(j)", {"A": "CSR", "x": "SparseVector"}),
    ],
)
def test_other_iterators_step(source: str, options: dict[str, str | None]) -> None:
    """Fibers that begin anew together, or in different loops, or whose coordinates are out of order; and unions."""
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
@settings(max_examples=400 if ALL else 25, deadline=None)
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
