"""Results in blocks: the workspaces through which they go, block by block or cell by cell."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.runtime.request import make_request
from gnomon.properties.differential.check import check
from gnomon.reference.statement.blocks import LARGEST_BLOCK, Blocks
from gnomon.reference.statement.relation import Split
from gnomon.reference.statement.statement import show
from gnomon.reference.storage.room import LARGEST
from gnomon.reference.storage.tensor import Tensor
from texts import c_text

PRODUCT = "C(i,j) = A(i,k) * B(k,j)"
SQUARE, CELLS = "BCSR(2,2)", "dense,compressed,compressed,compressed; (i,j)->(i//2,j//2,i%2,j%2)"
COLUMNS = "dense,compressed,dense; (i,j)->(i,j//2,j%2)"
BITS = "accumulator,dense,bitmap"
HASHED = "hashed,hashed,hashed,hashed; (i,j)->(i//2,j//2,i%2,j%2)"


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
        (PRODUCT, {"A": SQUARE, "B": "CSR"}, SQUARE, HASHED),
        (PRODUCT, {"A": "BCSR(2,3)", "B": SQUARE}, SQUARE, HASHED),
        (PRODUCT, {"A": "BCSR(3,2)", "B": SQUARE}, SQUARE, HASHED),
        (f"{PRODUCT} * x(j)", {"A": SQUARE, "B": SQUARE, "x": "SparseVector"}, SQUARE, HASHED),
        ("C(i,j)<M(i,j)> = A(i,k) * B(k,j)", {"A": SQUARE, "B": SQUARE, "M": "CSR"}, SQUARE, HASHED),
        ("C(i,j)<M(i,j)> = A(i,k) * B(k,j)", {"A": SQUARE, "B": SQUARE, "M": "Dense"}, SQUARE, BITS),
        (PRODUCT, {"A": "CSR", "B": COLUMNS}, SQUARE, BITS),
        ("C(i,j) = sqrt(A(i,j))", {"A": "dense,dense,dense; (i,j)->(i,j//3,j%3)"}, SQUARE, HASHED),
        (PRODUCT, {"A": "dense,compressed,compressed,dense; (i,j)->(i//2,j//2,i%2,j%2)", "B": SQUARE}, SQUARE, BITS),
    ],
)  # fmt: skip
def test_blocks_are_dense_where_the_operands_have_the_same_blocks(
    expression: str, formats: dict[str, str], out: str, wanted: str
) -> None:
    program = make_request(expression, formats, out=out).program
    assert str(program.workspaces[0].format) == wanted


@pytest.mark.parametrize(
    ("variables", "rows", "wanted"),
    [
        (("jo", "ii", "ji"), LARGEST // 16, "accumulator,dense,dense"),
        (("jo", "ii", "ji"), LARGEST // 16 + 1, "hashed,dense,dense"),
        (("ii", "jo", "ji"), 5, "hashed,hashed,hashed"),
        (("io", "jo", "ii", "ji"), 5, "hashed,hashed,dense,dense"),
        (("ii", "ji"), 5, "dense,dense"),
        (("jo",), 5, "accumulator"),
    ],
)
def test_rows_of_blocks_are_listed_if_they_fit_in_memory(variables: tuple[str, ...], rows: int, wanted: str) -> None:
    blocks = Blocks({v: Split(v, f"{v}o", f"{v}i", 4) for v in "ij"}, are_whole=True)
    levels = blocks.levels(variables, {"io": 5, "jo": rows, "ii": 4, "ji": 4})
    assert ",".join(level.name for level in levels) == wanted


@pytest.mark.parametrize(
    ("size", "wanted"), [(LARGEST_BLOCK, "accumulator,bitmap"), (LARGEST_BLOCK + 1, "hashed,hashed")]
)
def test_large_blocks_are_not_dense(size: int, wanted: str) -> None:
    blocks = Blocks({"j": Split("j", "jo", "ji", size)}, are_whole=False)
    levels = blocks.levels(("jo", "ji"), {"jo": 3, "ji": size})
    assert ",".join(level.name for level in levels) == wanted


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
