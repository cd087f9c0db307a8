"""Direct assembly: results without workspaces, and why some need one."""

from __future__ import annotations

from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.differential.check import check
from gnomon.reference.errors import ScheduleError

PRODUCT = "C(i,j) = A(i,k) * B(k,j)"
MASKED = "C(i,j)<!M(i,j)> = A(i,k) * B(k,j)"
A = gn.tensor([[0, 0, 2, 3], [1, 3, 0, 3]], [1.0, 2.0, 3.0, 4.0], (4, 4), "CSR")
OPERANDS: dict[str, Any] = {"A": A, "B": A, "M": A}


def run(expression: str, schedule: str, out: str | None = None, **operands: Any) -> Any:
    """The execution by a schedule, once it is compared with C and the meaning."""
    names = {name: {**OPERANDS, **operands}[name] for name in "ABM" if f"{name}(" in expression}
    return check(expression, names, out=out, schedule=schedule).execution


@pytest.mark.parametrize(
    ("out", "b", "commands"),
    [
        (None, "CSR", ""),
        ("hashed,hashed", "CSR", ""),
        ("CSR", "CSC", ""),
        ("CSR", "Dense", "reorder(i,j,k)"),
    ],
)
def test_results_are_assembled_without_workspaces(out: str | None, b: str, commands: str) -> None:
    made = run(PRODUCT, "workspaces=none", out, B=A.convert(b))
    assert not made.program.workspaces
    assert str(made.schedule) == ",".join(filter(None, ("workspaces=none", commands)))


def test_masks_are_walked_again_where_nothing_may_be_copied() -> None:
    full = gn.tensor(np.indices((4, 4)).reshape(2, -1), np.arange(1.0, 17), (4, 4), "CSR")
    copied, walked = (run(MASKED, schedule, "hashed,hashed", A=full) for schedule in ("", "workspaces=none"))
    assert [len(made.trace.workspaces) for made in (copied, walked)] == [1, 0]
    assert walked.trace.calls["M2.pos_bounds"] > copied.trace.calls["M2.pos_bounds"] == 4


@pytest.mark.parametrize(
    ("schedule", "out", "at"),
    [
        ("workspaces=none", "CSR", "workspaces=none\n  ^^^^^^^^^^^^^^^"),
        ("auto,workspaces=none", "CSR", "     ^^^^^^^^^^^^^^^"),
        ("workspaces=none,reorder(k,i,j)", "DCSR", "  ^^^^^^^^^^^^^^^"),
    ],
)
def test_results_that_need_a_workspace_are_refused(schedule: str, out: str, at: str) -> None:
    dense = {"A": np.ones((2, 3)), "B": np.ones((3, 2))} if "k,i,j" in schedule else {"A": A, "B": A}
    with pytest.raises(ScheduleError, match="needs a workspace, and workspaces=none allows none") as caught:
        gn.evaluate(PRODUCT, **dense, out=out, schedule=schedule)
    assert at in str(caught.value) and "hint: write workspaces=output" in str(caught.value)
    with pytest.raises(ScheduleError, match="needs a workspace"):
        gn.compile(PRODUCT, **dense, out=out, schedule=schedule)


def test_sums_inside_an_expression_stay() -> None:
    assert run("y(i) = sqrt(sum(j, A(i,j)))", "workspaces=none").program.workspaces
