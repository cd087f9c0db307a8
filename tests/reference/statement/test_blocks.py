"""Results in blocks: the workspaces through which they go, block by block or cell by cell."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.runtime.request import make_request
from gnomon.properties.differential.check import check
from gnomon.reference.statement.blocks import FEW, LARGEST_BLOCK, Blocks
from gnomon.reference.statement.relation import Split
from gnomon.reference.statement.statement import show
from gnomon.reference.storage.coordinate_map import Mode, Quotient, Remainder
from gnomon.reference.storage.room import LARGEST
from gnomon.reference.storage.tensor import Tensor
from texts import c_text

PRODUCT = "C(i,j) = A(i,k) * B(k,j)"
SQUARE, CELLS = "BCSR(2,2)", "dense,compressed,compressed,compressed; (i,j)->(i//2,j//2,i%2,j%2)"
COLUMNS = "dense,compressed,dense; (i,j)->(i,j//2,j%2)"
BITS = "accumulator,dense,bitmap"
HASHED = "hashed,hashed,hashed,hashed; (i,j)->(i//2,j//2,i%2,j%2)"
BY_TWO = "compressed,compressed,compressed; (i,j)->(i//2,i%2,j)"
ACROSS, ROWS = "accumulator,dense,bitmap; (i,j)->(i//2,j,i%2)", "accumulator,dense,bitmap; (i,j)->(j//2,i,j%2)"


def test_blocks_are_computed_in_rows_of_blocks() -> None:
    program = make_request(PRODUCT, {"A": SQUARE, "B": SQUARE}, out=SQUARE).program
    text = dedent("""
        ∀io1
          ∀jo1
            ∀ii1
              ∀ji1
                C(i,j) = w(jo1,ii1,ji1)
          where w:
            ∀ko1
              ∀jo1
                ∀ii1
                  ∀ki1
                    ∀ji1
                      w(jo1,ii1,ji1) += A(i,k) * B(k,j)
        """)
    assert show(program.statement) == text.strip() and program.staging is None


@pytest.mark.parametrize(
    ("expression", "formats", "out", "wanted"),
    [
        (PRODUCT, {"A": SQUARE, "B": SQUARE}, SQUARE, "accumulator,dense,dense"),
        (PRODUCT, {"A": SQUARE, "B": SQUARE}, CELLS, "accumulator,dense,bitmap"),
        (PRODUCT, {"A": SQUARE, "B": "Dense"}, SQUARE, "dense,dense"),
        (PRODUCT, {"A": SQUARE, "B": COLUMNS}, SQUARE, "accumulator,dense,dense"),
        ("C(i,j) = A(k,i) * B(k,j)", {"A": SQUARE, "B": SQUARE}, SQUARE, "hashed,hashed,dense,dense"),
        ("C(i,j) = A(j,i) * x(j)", {"A": SQUARE, "x": "Dense"}, CELLS, "hashed,hashed,dense,bitmap"),
        (PRODUCT, {"A": SQUARE, "B": "CSR"}, SQUARE, ROWS),
        (PRODUCT, {"A": "BCSR(2,3)", "B": SQUARE}, SQUARE, ROWS),
        (PRODUCT, {"A": "BCSR(3,2)", "B": SQUARE}, SQUARE, HASHED),
        (PRODUCT, {"A": "DCSR", "B": "CSR"}, SQUARE, HASHED),
        (PRODUCT, {"A": "CSR", "B": "CSR"}, CELLS, ROWS),
        (PRODUCT, {"A": "CSR", "B": "CSR"}, f"compressed,{CELLS[6:]}", ROWS),
        ("C(i,j) = A(i,j) * x(j)", {"A": "CSR", "x": "SparseVector"}, SQUARE, ROWS),
        ("C(j,i) = A(i,j)", {"A": "CSR"}, SQUARE, HASHED),
        ("C(j,i) = A(i,j)", {"A": "CSR"}, "dense,compressed,dense,dense; (i,j)->(j//2,i//2,j%2,i%2)", ACROSS),
        (f"{PRODUCT} * x(j)", {"A": SQUARE, "B": SQUARE, "x": "SparseVector"}, SQUARE, ROWS),
        ("C(i,j)<M(i,j)> = A(i,k) * B(k,j)", {"A": SQUARE, "B": SQUARE, "M": "CSR"}, SQUARE, ROWS),
        ("C(i,j)<M(i,j)> = A(i,k) * B(k,j)", {"A": SQUARE, "B": SQUARE, "M": "Dense"}, SQUARE, BITS),
        (PRODUCT, {"A": "CSR", "B": COLUMNS}, SQUARE, BITS),
        ("C(i,j) = sqrt(A(i,j))", {"A": "dense,dense,dense; (i,j)->(i,j//3,j%3)"}, SQUARE, ROWS),
        (PRODUCT, {"A": "dense,compressed,compressed,dense; (i,j)->(i//2,j//2,i%2,j%2)", "B": SQUARE}, SQUARE, BITS),
    ],
)  # fmt: skip
def test_blocks_are_dense_where_the_operands_have_the_same_blocks(
    expression: str, formats: dict[str, str], out: str, wanted: str
) -> None:
    program = make_request(expression, formats, out=out).program
    assert str(program.workspaces[0].format) == wanted


@pytest.mark.parametrize(
    ("inside", "rows", "wanted"),
    [
        ([False, True, True], LARGEST // 16, "accumulator,dense,dense"),
        ([False, True, True], LARGEST // 16 + 1, "hashed,dense,dense"),
        ([True, False, True], 5, "hashed,hashed,hashed"),
        ([False, False, True, True], 5, "hashed,hashed,dense,dense"),
        ([True, True], 5, "dense,dense"),
        ([False], 5, "accumulator"),
    ],
)
def test_rows_of_blocks_are_listed_if_they_fit_in_memory(inside: list[bool], rows: int, wanted: str) -> None:
    levels = Blocks({}, are_whole=True).levels(inside, [4 if each else rows for each in inside])
    assert ",".join(level.name for level in levels) == wanted


@pytest.mark.parametrize("largest", [LARGEST_BLOCK, FEW])
def test_large_blocks_are_not_dense(largest: int) -> None:
    for size, wanted in ((largest, "accumulator,bitmap"), (largest + 1, "hashed,hashed")):
        levels = Blocks({}, are_whole=False, largest=largest).levels([False, True], [3, size])
        assert ",".join(level.name for level in levels) == wanted


@pytest.mark.parametrize(("side", "wanted"), [(8, "accumulator,dense,bitmap"), (9, "hashed,hashed,hashed")])
def test_large_blocks_that_single_components_may_begin_are_not_dense(side: int, wanted: str) -> None:
    program = make_request("C(i,j) = A(i,j)", {"A": "CSR"}, out=f"CSB({side},{side})").program
    assert str(program.workspaces[0].format).split(";")[0] == wanted


def test_places_in_blocks_are_inside_them() -> None:
    blocks = Blocks({"i": Split("i", "io", "ii", 4)}, are_whole=False)
    terms = (Quotient(1, 2), Mode(0), Remainder(1, 2))
    assert [blocks.is_inside(("ii", "j"), term) for term in terms] == [False, True, True]
    assert not blocks.is_inside(("i", "j"), Mode(0))


def test_a_row_of_blocks_is_filled_at_once() -> None:
    found = make_request(PRODUCT, {"A": "CSR", "B": "CSR"}, out=SQUARE).program
    text = dedent("""
        ∀io
          ∀jo
            ∀ii
              ∀ji
                C(i,j) = w(ii,j)
          where w:
            ∀ii
              ∀k
                ∀j
                  w(ii,j) += A(i,k) * B(k,j)
        """)
    assert show(found.statement) == text.strip() and found.workspaces[0].shape == (2, 4)


@pytest.mark.parametrize(
    ("expression", "formats", "wanted"),
    [
        ("C(i,j) = A(j,i)", {"A": "CSR"}, {"A": "CSC"}),
        ("C(i,j) = A(i,j)", {"A": "DIA"}, {"A": "CSR"}),
        ("C(i,j) = A(i,j)", {"A": "DCSC"}, {"A": BY_TWO}),
        ("C(i,j) = A(i,j) * B(i,j)", {"A": "DCSR", "B": "CSR"}, {"A": "CSR"}),
        (PRODUCT, {"A": "COO", "B": "DCSR"}, {"A": BY_TWO}),
        (PRODUCT, {"A": "CSR", "B": "CSC"}, {"B": "CSR"}),
        (PRODUCT, {"A": "CSR", "B": "DCSC"}, {"B": "DCSR"}),
        ("C(i,j) = A(i,k) * B(j,k)", {"A": SQUARE, "B": "CSR"}, {"B": "CSC"}),
        (PRODUCT, {"A": "Dense", "B": "CSC"}, {}),
        ("C(i,j) = A(i,j) + x(j)", {"A": "CSR", "x": "SparseVector"}, {}),
    ],
)
def test_operands_are_converted_for_rows_of_blocks(
    expression: str, formats: dict[str, str], wanted: dict[str, str]
) -> None:
    program = make_request(expression, formats, out=CELLS, convert="auto").program
    assert {each.source: str(program.formats[each.name]) for each in program.converted} == wanted
    if wanted:
        assert str(program.workspaces[0].format) == ROWS
    held = {name: matrix(1, f) for name, f in formats.items() if name != "x"}
    x = gn.tensor([[1, 3]], [2.0, 3.0], (5,), "SparseVector")
    check(expression, held | ({"x": x} if "x" in formats else {}), out=CELLS, convert="auto")


def test_operands_are_converted_once_where_other_loops_ask_for_another_order() -> None:
    out = "dense,dense,compressed,dense,dense; (i,j,k)->(j//2,i,k//2,k%2,j%2)"
    rng = np.random.default_rng(3)
    shape = {"A": (3, 4, 2), "B": (4, 3, 2)}
    operands = {name: gn.from_numpy(rng.integers(0, 2, s) * 1.0, "COO") for name, s in shape.items()}
    check("C(m,i,j) = A(m,j,i) * B(j,m,i)", operands, engines=("reference",), out=out, convert="auto")


def test_what_is_missing_and_counts_leaves_blocks_missing() -> None:
    """A product of exponentials of what is folded over nothing."""
    D, B = gn.tensor([[], []], [], (3, 0), "DCSR", fill=2.0), np.zeros((2, 4, 0))
    out = gn.spec("dense,compressed,dense; (i,j)->(i,j//2,j%2)")
    check("C(i,j) = prod(k, exp(and(l, first(D(i,l), B(k,j,l)))))", {"D": D, "B": B}, out=out, convert="auto")


def test_results_in_blocks_that_are_inserted_into_have_no_workspace() -> None:
    whole = "dense,dense,dense,dense; (i,j)->(i//2,j//2,i%2,j%2)"
    program = make_request(PRODUCT, {"A": "CSR", "B": "CSC"}, out=whole, convert="auto").program
    assert not program.workspaces and not program.converted


def test_what_is_cleared_are_the_blocks_that_were_filled() -> None:
    text = c_text(PRODUCT, A="BCSR(4,4)", B="BCSR(4,4)", out="BCSR(4,4)", schedule=None)
    assert "p_end = ((int64_t) w1_count[0]) * 4 * 4; p < p_end" in text and "w1_slot[w1_crd[q]] = 0;" in text
    cells = c_text(PRODUCT, A=SQUARE, B=SQUARE, out=CELLS, schedule=None)
    assert "p_end = ((int64_t) w1_count[0]) * 2 * 2; p < p_end" in cells and "w3_flag[p] = 0;" in cells


def matrix(seed: int, format: str, fill: float = 0.0) -> Tensor:
    """A matrix of five rows and columns with some components."""
    rng = np.random.default_rng(seed)
    a = (rng.random((5, 5)) < 0.4) * rng.integers(1, 5, (5, 5)) * 1.0
    return gn.tensor(np.array(a.nonzero()), a[a.nonzero()], (5, 5), format, fill=fill)


@pytest.mark.every(3)
@pytest.mark.parametrize("out", [SQUARE, CELLS, "CSB(2,2)", "dense,hashed,dense,dense; (i,j)->(i//2,j//2,i%2,j%2)"])
@pytest.mark.parametrize(
    ("expression", "settings"),
    [
        (PRODUCT, {}),
        ("C(i,j) = A(k,i) * B(k,j)", {}),
        ("C(i,j) = max(k, A(i,k) * B(k,j))", {}),
        ("C(i,j) = min(k, A(i,k) - B(k,j))", {}),
        ("C(i,j) = sum(k, A(i,k) * B(k,j)) * A(i,j)", {}),
        ("C(i,j) += A(i,k) * B(k,j)", {"C": SQUARE}),
        ("C(i,j)<M(i,j)> = A(i,k) * B(k,j)", {"M": "RowMajor"}),
        ("C(i,j)<$B(i,j),merge> = A(i,k) * B(k,j)", {"C": SQUARE}),
        (PRODUCT, {"semiring": "min_plus", "fill": np.inf}),
        (PRODUCT, {"semiring": "or_and"}),
    ],
)
def test_results_in_blocks_mean_the_same(expression: str, settings: dict[str, Any], out: str) -> None:
    fill = settings.get("fill", 0.0)
    operands = {"A": matrix(1, SQUARE, fill), "B": matrix(2, SQUARE, fill)}
    operands |= {name: matrix(3, settings[name]) for name in "CM" if name in settings}
    ring = {name: settings[name] for name in settings if name == "semiring"}
    check(expression, operands, out=out, convert="auto", **ring)
