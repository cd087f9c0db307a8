"""Origins: why there is a workspace that no command makes, and where that is told."""

from __future__ import annotations

import json
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.cli import commands
from gnomon.reference.schedule.origin import Origin

A = gn.tensor([[0, 0, 2, 3], [1, 3, 0, 3]], [1.0, 2.0, 3.0, 4.0], (4, 4), "CSR")
X = gn.tensor([[1, 3]], [1.0, 2.0], (4,), "SparseVector")
PRODUCT = "C(i,j)<$M(i,j)> = A(i,k) * B(k,j)"
VECTOR = "y(i) = A(i,j) * x(j)"
RESULT, MASK, INPUT, PART = Origin.RESULT, Origin.MASK, Origin.INPUT, Origin.PART


@pytest.mark.parametrize(
    ("expression", "operands", "schedule", "out", "told"),
    [
        (PRODUCT, {"A": A, "B": A, "M": A}, None, "CSR", {"w": RESULT, "w1": MASK}),
        (PRODUCT, {"A": A, "B": A, "M": A}, "mask=pull", "CSR", {"B_": INPUT}),
        (PRODUCT, {"A": A, "B": A.convert("CSC"), "M": A}, "mask=push", None, {"B_": INPUT, "w": MASK}),
        (VECTOR, {"A": A, "x": X}, "precompute(x(j),{j},{j},t),hoist(t)", None, {}),
        (VECTOR, {"A": gn.tensor(np.indices((99, 4)).reshape(2, -1), np.ones(396), (99, 4), "CSR"), "x": X},
         "workspaces=both,precompute(A(i,j),{j},{j},t)", None, {"x_": INPUT}),
        ("y(i) = sqrt(sum(j, A(i,j)))", {"A": A}, "workspaces=none", None, {}),
    ],
)  # fmt: skip
def test_the_trace_tells_the_rule(
    expression: str, operands: dict[str, Any], schedule: str | None, out: str | None, told: dict[str, Origin]
) -> None:
    run = gn.trace(expression, **operands, schedule=schedule, out=out)
    assert run.trace.origins == told
    assert told.keys() <= run.trace.workspaces.keys()


def test_parts_of_products_are_told() -> None:
    run = gn.trace(
        "E(i,l) = A(i,j) * B(j,k) * C(k,l)", A=np.ones((4, 4)), B=np.ones((4, 4)), C=np.ones((4, 4)), schedule="auto"
    )
    assert set(run.trace.origins.values()) == {PART}


def test_show_tells_the_rule_and_the_direction(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["show", PRODUCT, *(f"-f{name}=CSR" for name in "ABMC"), "-s", "mask=push"]
    commands([*words], standalone_mode=False)
    shown = capsys.readouterr().out
    assert "mask <$M(i,j)>: push\n" in shown and f"\n  {MASK}\n" in shown and f"\n  {RESULT}\n" in shown
    commands([*words, "--json"], standalone_mode=False)
    assert json.loads(capsys.readouterr().out)["origins"] == {"w": RESULT, "w1": MASK}
