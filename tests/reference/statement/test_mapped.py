"""Operands in blocks, diagonals and slots: beside what they are read in place, and what they are converted for."""

from __future__ import annotations

from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.runtime.request import make_request
from gnomon.properties.differential.check import check
from gnomon.reference.storage.tensor import Tensor

PRODUCT = "C(i,j) = A(i,k) * B(k,j)"
COLUMNS = "compressed,compressed,dense; (i,j)->(j//2,i,j%2)"
OTHER = "dense,dense,compressed,dense; (i,j,k)->(k,i//2,j,i%2)"


def converted(expression: str, formats: dict[str, Any], **settings: Any) -> str:
    """The operands that a statement has converted."""
    program = make_request(expression, formats, convert="auto", **settings).program
    return " ".join(sorted(dict.fromkeys(each.source for each in program.converted)))


@pytest.mark.parametrize(
    ("expression", "formats", "wanted"),
    [
        ("y(i) = A(i,j) * x(j)", {"A": "DIA", "x": "Dense"}, ""),
        ("y(i) = A(i,j) * x(j)", {"A": "DIA", "x": "SparseVector"}, "A"),
        ("y(i) = A(i,j) * x(j)", {"A": "ELL", "x": "bitmap"}, ""),
        ("y(i) = A(i,j) * x(j)", {"A": "BCSR(2,2)", "x": "SparseVector"}, ""),
        ("s = A(i,j) * B(i,j)", {"A": "DIA", "B": "DIA"}, "A B"),
        ("s = A(i,j) * B(i,j)", {"A": "ELL", "B": "RowMajor"}, ""),
        ("s = A(i,j) * B(i,j)", {"A": "BCSR(2,2)", "B": "CSR"}, ""),
        ("s = A(i,j) * B(i,j)", {"A": "BCSR(2,2)", "B": "SparseDIA"}, "B"),
        ("y(i) = A(i,j) * B(k,l)", {"A": "ELL", "B": "CSR"}, ""),
        ("y(j) = A(k,l) * D(k,l) * B(k,j)", {"A": "ELL", "D": "CSR", "B": "SparseDIA"}, "A"),
        ("C(i,j)<M(i,j)> = A(i,j)", {"A": "ELL", "M": "CSR"}, "A"),
        (PRODUCT, {"A": "CSR", "B": "ELL"}, ""),
        (PRODUCT, {"A": "HashRows", "B": "SparseDIA"}, "B"),
        (PRODUCT, {"A": "HashRows", "B": "DIA"}, ""),
        ("y(i) = A(i,j) * x(j)", {"A": "SparseDIA", "x": "HashVector"}, ""),
        (PRODUCT, {"A": "ELL", "B": "ELL"}, ""),
        (PRODUCT, {"A": "CSR", "B": "DIA"}, ""),
        (PRODUCT, {"A": "DIA", "B": "DIA"}, ""),
        ("s = A(i,k) * B(i,j)", {"A": "DIA", "B": "DIA"}, ""),
        (PRODUCT, {"A": "SparseDIA", "B": "SparseDIA"}, "A B"),
    ],
)
def test_slots_and_diagonals_are_read_in_place_beside_what_finds_coordinates(
    expression: str, formats: dict[str, str], wanted: str
) -> None:
    assert converted(expression, formats) == wanted


@pytest.mark.parametrize(
    ("expression", "formats", "wanted"),
    [
        (PRODUCT, {"A": "CSR", "B": "BCSR(2,2)"}, "B"),
        (PRODUCT, {"A": "BCSR(2,2)", "B": "CSR"}, ""),
        (PRODUCT, {"A": "BCSR(2,2)", "B": "DCSR"}, ""),
        (PRODUCT, {"A": "BCSR(2,2)", "B": "CSC"}, "A"),
        (PRODUCT, {"A": "CSC", "B": "BCSR(2,2)"}, ""),
        (PRODUCT, {"A": "BCSR(2,2)", "B": "BCSR(2,2)"}, ""),
        (PRODUCT, {"A": "BCSR(2,2)", "B": "BCSR(3,2)"}, "B"),
        ("C(i,j) = A(i,k) * A(j,k)", {"A": "BCSR(2,2)"}, "A"),
        ("C(i,j) = A(k,i) * A(k,j)", {"A": "BCSR(2,2)"}, ""),
        (PRODUCT, {"A": "CSR", "B": "dense,compressed,dense; (i,j)->(i,j//2,j%2)"}, ""),
        (PRODUCT, {"A": "CSR", "B": COLUMNS}, "B"),
        ("C(i,j) = A(i,k) * T(k,j,i)", {"A": "CSR", "T": OTHER}, ""),
        ("C(i,j)<M(i,j)> = A(i,k) * B(k,j)", {"A": "CSR", "B": "BCSR(2,2)", "M": "CSR"}, "B"),
    ],
)
def test_blocks_are_read_in_place_where_nothing_else_is_visited_to_find_them(
    expression: str, formats: dict[str, str], wanted: str
) -> None:
    assert converted(expression, formats) == wanted


@pytest.mark.parametrize(
    ("expression", "formats", "out", "wanted"),
    [
        (PRODUCT, {"A": "BCSR(2,2)", "B": "CSR"}, "CSR", "A"),
        (PRODUCT, {"A": "ELL", "B": "CSR"}, "DCSR", "A"),
        (PRODUCT, {"A": "BCSR(2,2)", "B": "Dense"}, "CSR", "A"),
        (PRODUCT, {"A": "BCSR(2,2)", "B": "CSR"}, "HashMap", ""),
        (PRODUCT, {"A": "BCSR(2,2)", "B": "BCSR(2,2)"}, "BCSR(2,2)", ""),
        (PRODUCT, {"A": "BCSR(3,2)", "B": "BCSR(2,2)"}, "BCSR(2,2)", "A B"),
        ("C(i,j) = sum(k, A(i,k) * B(k,j)) + 1", {"A": "BCSR(2,2)", "B": "CSR"}, "CSR", ""),
        ("C(j,k) = A(i) * T(i,j) * x(k)", {"A": "dense,dense; (i)->(i//2,i%2)", "T": "CSR", "x": "Dense"}, "CSR", ""),
        ("C(i,j) = A(k,i) * B(k,j)", {"A": "CSR", "B": "BCSR(2,2)"}, "CSR", "B"),
        ("C(i,j)<M(i,j),merge> = A(i,k) * B(k,j)", {"C": "CSR", "A": "BCSR(2,2)", "B": "CSR", "M": "CSR"}, "CSR", "A"),
        ("C(i,j) = A(k,i) * B(k,j)", {"A": "CSR", "B": "BCSR(2,2)"}, "Dense", ""),
        ("y(i) = A(i,j) * x(j)", {"A": "BCSR(2,2)", "x": "Dense"}, "SparseVector", ""),
        ("C(i,j) = T(k,i,j)", {"T": OTHER}, "CSC", ""),
    ],
)
def test_what_is_stored_together_in_a_result_does_not_come_in_parts(
    expression: str, formats: dict[str, str], out: str, wanted: str
) -> None:
    assert converted(expression, formats, out=out) == wanted


@pytest.mark.parametrize(
    ("expression", "formats", "out", "wanted"),
    [
        (PRODUCT, {"A": "DIA", "B": "DIA"}, "CSR", ["CSR", "CSR"]),
        (PRODUCT, {"A": "CSC", "B": "SparseDIA"}, None, []),
        ("C(i,j) = A(k,i) * B(k,j)", {"A": "DIA", "B": "DIA"}, "CSR", ["CSC", "CSR"]),
        ("C(i,j) = A(k,i) * B(k,j)", {"A": "SparseDIA", "B": "SparseDIA"}, None, ["CSC", "CSR"]),
        ("C(i,j) = A(k,i) * B(k,j)", {"A": "DIA", "B": "DIA"}, "CSC", ["CSR", "CSC"]),
        ("y(j) = A(j,k) * B(j,k)", {"A": "DIA", "B": "CSC"}, None, ["CSC"]),
        (PRODUCT, {"A": "BCSR(3,2)", "B": COLUMNS}, None, ["CSR", "DCSR"]),
        ("C(i,j) = A(i,k) * B(j,k)", {"A": "BCSR(2,2)", "B": "BCSR(2,2)"}, "CSR", ["CSR", "CSC"]),
        ("C(i,j) = D(i) * A(j,k) * x(k)", {"D": "Dense", "A": "DIA", "x": "SparseVector"}, None, ["CSR"]),
    ],
)
def test_what_is_converted_keeps_its_order_behind_that_of_the_result(
    expression: str, formats: dict[str, str], out: str | None, wanted: list[str]
) -> None:
    program = make_request(expression, formats, out=out).program
    assert [str(program.formats[each.name]) for each in program.converted] == wanted


def matrix(seed: int, format: str, shape: tuple[int, int] = (5, 6)) -> Tensor:
    """A matrix with some components."""
    rng = np.random.default_rng(seed)
    a = (rng.random(shape) < 0.4) * rng.integers(1, 5, shape) * 1.0
    return gn.tensor(np.array(a.nonzero()), a[a.nonzero()], shape, format)


@pytest.mark.parametrize("format", ["DIA", "ELL"])
@pytest.mark.parametrize("mask", ["", "<x(i)>"])
def test_what_contributes_where_nothing_is_stored_is_not_read_in_place(
    lowered: Any, agreed: Any, format: str, mask: str
) -> None:
    """Loops over diagonals or slots come to a place that is missing once for each of these."""
    operands = {"A": ((4, 4), format, "float64", 2)} | ({"x": ((4,), "SparseVector")} if mask else {})
    question = f"y(i){mask} = prod(j, A(i,j))", "SparseVector", operands
    assert f"A, in {format}, is converted to CSR" in lowered(*question)
    agreed(*question)


MAPPED = ["BCSR(2,3)", "CSB(2,2)", "DIA", "SparseDIA", "ELL", COLUMNS]


@pytest.mark.every(4)
@pytest.mark.parametrize("left", ["CSR", "CSC", *MAPPED])
@pytest.mark.parametrize("right", ["CSR", *MAPPED])
@pytest.mark.parametrize("out", ["CSR", "BCSR(2,2)", None])
def test_products_mean_the_same_in_place_and_converted(left: str, right: str, out: str | None) -> None:
    operands = {"A": matrix(1, left), "B": matrix(2, right, (6, 4))}
    check(PRODUCT, operands, out=out, convert="auto")
    check("C(i,j) = A(i,j) * B(i,j)", {"A": matrix(1, left), "B": matrix(3, right)}, out=out, convert="auto")
    check("C(i,j) = A(k,i) * B(k,j)", {"A": matrix(1, left), "B": matrix(3, right)}, out=out, convert="auto")


@pytest.mark.parametrize("format", ["BCSR(2,2)", "DIA"])
def test_what_a_complement_in_blocks_admits_is_computed_outside_of_them(agreed: Any, format: str) -> None:
    operands = {"A": ((4, 6), "dense,dense"), "M": ((4, 6), format), "C": ((4, 6), "dense,dense")}
    for mask in ("<!$M(i,j)>", "<$M(i,j)>", "<!M(i,j)>"):
        agreed(f"C(i,j){mask} += A(i,j)", "dense,dense", operands, convert="auto")
