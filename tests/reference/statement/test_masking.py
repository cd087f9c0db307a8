"""Copies for masks: where they stand, that schedules do not see them, that masks push or pull as loops are ordered."""

from __future__ import annotations

from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.runtime.request import make_request
from gnomon.properties.differential.check import check
from gnomon.properties.strategies import PLAIN, programs
from gnomon.reference.errors import ScheduleError
from gnomon.reference.statement.masking import copy_masks, inline_copies
from gnomon.reference.statement.staging import dissolve, stage
from gnomon.reference.statement.statement import Program, show
from gnomon.reference.storage.tensor import Tensor
from hypothesis import given, settings

PRODUCT = "C(i,j)<$M(i,j)> = A(i,k) * B(k,j)"
COPY = "where w1:\n      ∀j\n        w1(j) = M(i,j)"


def lowered(expression: str, formats: dict[str, str], **settings: Any) -> Program:
    """The statement of an expression."""
    request = make_request(expression, formats, **settings)
    return request.program


def spread(shape: tuple[int, ...], format: str) -> Tensor:
    """A tensor with components anywhere."""
    rng = np.random.default_rng(sum(shape))
    a = (rng.random(shape) < 0.5) * rng.integers(1, 5, shape) * 1.0
    return gn.tensor(np.array(a.nonzero()), a[a.nonzero()], shape, format)


def operands(**formats: str) -> dict[str, Tensor]:
    """Operands of a masked product."""
    shapes = {"A": (4, 5), "B": (5, 6), "M": (4, 6)}
    return {name: spread(shapes[name], format) for name, format in formats.items()}


def test_what_a_mask_holds_is_copied_inside_the_loops_that_give_it() -> None:
    program = lowered(PRODUCT, {"A": "CSR", "B": "CSR", "M": "CSR"}, out="CSR")
    assert program.copies == ("w1",) and COPY in show(program.statement)
    columns = lowered(PRODUCT, {"A": "CSC", "B": "CSR", "M": "CSR"}, out="hashed,hashed")
    assert "where w:\n  ∀i\n    ∀j\n      w(i,j) = M(i,j)" in show(columns.statement)


@pytest.mark.parametrize(
    ("expression", "formats"),
    [
        (PRODUCT, {"A": "CSR", "B": "CSC", "M": "CSR"}),
        (PRODUCT, {"A": "CSR", "B": "CSR", "M": "dense,bitmap"}),
        ("C(i,j)<$M(i,j)> = A(i,j)", {"A": "CSR", "M": "CSR"}),
        ("C(i,j)<$A(i,j)> = A(i,j) * B(i,j)", {"A": "CSR", "B": "CSR"}),
        ("C(i,j)<$A(i,j)> = A(i,j) * B(k,j)", {"A": "CSR", "B": "CSR"}),  # what is computed with is walked anyhow
        ("C(i,j)<$M(i,j)> = A(i,j) * T(j,k,j)", {"A": "CSR", "T": "dense,dense,dense", "M": "CSR"}),  # j1 gives no j
    ],
)
def test_what_is_walked_once_or_found_at_once_is_not_copied(expression: str, formats: dict[str, str]) -> None:
    assert lowered(expression, formats, out="CSR").copies == ()


def test_loops_over_parts_of_a_block_give_its_variable() -> None:
    rows = {"A": "dense,dense,compressed; (i,j)->(i//2,i%2,j)", "B": "CSR", "M": "CSR"}
    assert "  where w:\n      ∀j\n        w(j) = M(i,j)" in show(lowered(PRODUCT, rows, out="hashed,hashed").statement)
    columns = {"A": "CSR", "B": "dense,compressed,dense; (i,j)->(i,j//2,j%2)", "M": "SparseVector"}
    assert lowered("C(i,j)<$M(j)> = A(i,k) * B(k,j)", columns, out="hashed,hashed").copies == ("w",)


def test_what_a_loop_counts_the_positions_of_is_not_copied() -> None:
    given_ = operands(A="CSR", B="Dense", M="CSR")
    assert gn.trace(PRODUCT, **given_, out="CSR", schedule="pos(j,p,M(i,j))").program.copies == ()


def test_schedules_see_the_statement_without_copies() -> None:
    program = lowered(PRODUCT, {"A": "CSR", "B": "CSR", "M": "CSR"}, out="CSR")
    bare = inline_copies(program)
    assert bare.copies == () and "w1" not in show(bare.statement) and "<$M(i,j)>" in show(bare.statement)
    assert copy_masks(bare) == program and stage(dissolve(program)) == program


@settings(max_examples=settings().max_examples // 4)
@given(programs(PLAIN))
def test_what_is_taken_out_comes_back(problem: Any) -> None:
    program = problem.ready.lowered
    assert repr(copy_masks(inline_copies(program))) == repr(program)


PULL = "precompute(B(k,j),{k,j},{k,j},t),hoist(t),reorder({1},i,j,k)"


@pytest.mark.every(3)
@pytest.mark.parametrize("mask", ["$M(i,j)", "M(i,j)", "!$M(i,j)", "!M(i,j)", "gt(M(i,j), 2)"])
@pytest.mark.parametrize(
    "schedule",
    [
        PULL,
        "split(j,j0,j1,2)",
        "split(k,k0,k1,2)",
        "reorder(k,i,j)",
        "split(i,i0,i1,3)",
        "precompute(A(i,k)*B(k,j),{j},{jw},t)",
        "parallelize(i,CPUThread,NoRaces)",
        "pos(k,p,A(i,k)),split(p,p0,p1,2)",
    ],
)
def test_masked_products_follow_schedules(mask: str, schedule: str) -> None:
    given_ = operands(A="CSR", B="CSR", M="CSR")
    if schedule.startswith("reorder(k"):
        given_["A"] = given_["A"].convert("CSC")
    check(f"C(i,j)<{mask}> = A(i,k) * B(k,j)", given_, out="CSR", schedule=schedule, convert="auto")


@pytest.mark.parametrize("schedule", ["mask=pull", "mask=push"])
def test_what_a_merging_mask_reduces_is_told_inside_the_loops_around_its_workspace(schedule: str) -> None:
    given_ = operands(A="CSR", B="CSR", M="CSR") | {"C": spread((4, 6), "CSR")}
    kept = "C(i,j)<M(i,j),merge> = A(i,k) * B(k,j)"
    statement = show(gn.trace(kept, **given_, out="CSR", schedule=schedule).program.statement)
    assert ("∀j\n      ∀k" in statement) == (schedule == "mask=pull") and statement.startswith(
        "∀i\n  ∀j\n    C(i,j) = w"
    )
    check(kept, given_, out="CSR", schedule=schedule)
    by_columns = {**given_, "B": given_["B"].convert("CSC")}
    check(kept, by_columns, out="CSR", schedule=schedule)
    check(kept, {**given_, "A": given_["A"].convert("CSC")}, out="CSR", convert="auto")


def test_a_mask_pulls_where_loops_visit_what_it_holds() -> None:
    given_ = operands(A="CSR", B="CSR", M="CSR")
    pulled = gn.trace(PRODUCT, **given_, out="CSR", schedule=PULL)
    assert pulled.program.copies == () and "∀j\n    ∀k\n      C(i,j)<$M(i,j)> +=" in show(pulled.program.statement)
    kernel = gn.compile(PRODUCT, A="CSR", B="CSR", M="CSR", out="CSR", schedule=PULL)
    assert "/* j: iterate M" in kernel.source


def test_a_mask_pushes_where_it_would_be_walked_again() -> None:
    given_ = operands(A="CSR", B="Dense", M="CSR")
    pull, push = (gn.trace(PRODUCT, **given_, out="CSR", schedule=s).program for s in ("reorder(i,j,k)", None))
    assert pull.copies == () and push.copies == ("w1",) and COPY in show(push.statement)
    check(PRODUCT, given_, out="CSR", schedule="reorder(i,j,k)")


def test_copies_are_no_workspaces_of_a_schedule() -> None:
    given_ = operands(A="CSR", B="CSR", M="CSR")
    with pytest.raises(ScheduleError, match="there is no workspace w1"):
        gn.evaluate(PRODUCT, **given_, out="CSR", schedule="hoist(w1)")
    counted = "collapse(i,j,f),pos(f,p,M(i,j)),split(p,p0,p1,2)"
    by_columns = given_ | {"B": given_["B"].convert("CSC")}
    check(PRODUCT, by_columns, out="CSR", schedule=counted)
