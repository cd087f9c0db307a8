"""Directions of masks unasked: which are possible, when each pays, and that they mean the same."""

from __future__ import annotations

from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.runtime.request import make_request
from gnomon.properties.differential.check import check
from gnomon.reference.schedule.branched.directions import choose_directions
from gnomon.reference.schedule.branched.unasked import unasked_schedules
from gnomon.reference.statement.statement import Program
from scattered import spread

PRODUCT = "C(i,j)<$M(i,j)> = A(i,k) * B(k,j)"


def lowered(expression: str, formats: dict[str, Any], **settings: Any) -> Program:
    """The statement of an expression."""
    request = make_request(expression, formats, **settings)
    return request.program


def test_a_mask_pulls_or_pushes() -> None:
    made = choose_directions(lowered(PRODUCT, {"A": "CSR", "M": "CSR"}, out="CSR"))
    assert made is not None
    pull, push = made.finalists
    assert (str(pull.schedule), str(push.schedule)) == ("reorder(i,j,k)", "")
    sizes = {"I": 4, "J": 9, "nnz(A(i))": 4, "nnz(A(i,k))": 12, "nnz(M(i))": 4, "nnz(M(i,j))": 8}
    assert (pull.work.evaluate(sizes), push.work.evaluate(sizes)) == (8 * 3, 2 * 12 * 9)


@pytest.mark.parametrize(
    ("expression", "formats"),
    [
        (PRODUCT, {"A": "CSR", "B": "CSR", "M": "CSR"}),
        (PRODUCT, {"A": "CSR", "B": "CSC", "M": "CSR"}),
        (PRODUCT.replace("<$", "<!$"), {"A": "CSR", "M": "CSR"}),
        ("C(i,j)<$M(i,j)> = A(i,j)", {"A": "CSR", "M": "CSR"}),
        ("C(i,j)<$M(i,j)> = A(i,k) * B(k,j) + D(i,j)", {"A": "CSR", "M": "CSR"}),
        (PRODUCT, {"A": "BCSR(2,2)", "M": "CSR"}),
    ],
)
def test_where_only_one_is_possible_there_is_no_choice(expression: str, formats: dict[str, Any]) -> None:
    assert choose_directions(lowered(expression, formats, out="hashed,hashed")) is None


def test_a_mask_that_holds_everything_pulls_too() -> None:
    made = choose_directions(lowered(PRODUCT, {"A": "CSR", "M": "CSR"}, out="CSR"))
    assert made is not None
    a, b = spread((8, 9), 20, "CSR"), np.ones((9, 10))
    chosen = [made.at({"A": a, "B": b, "M": spread((8, 10), count, "CSR")}).structure for count in (10, 80)]
    assert chosen == ["pull", "pull"]


@pytest.mark.every(2)
@pytest.mark.parametrize("mask", ["$M(i,j)", "M(i,j)", "gt(M(i,j), 3)"])
@pytest.mark.parametrize("ring", [None, "min_plus", "any_second"])
def test_directions_mean_the_same(mask: str, ring: str | None) -> None:
    operands = {"A": spread((6, 5), 12, "CSR"), "B": np.arange(20.0).reshape(5, 4), "M": spread((6, 4), 10, "CSR")}
    expression = PRODUCT.replace("$M(i,j)", mask)
    schedules = unasked_schedules(gn.trace(expression, **operands, out="CSR", semiring=ring).program)
    assert any("reorder" in str(each) for each in schedules)
    for schedule in schedules:
        check(expression, operands, out="CSR", semiring=ring, schedule=schedule)
