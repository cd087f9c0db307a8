"""Procedures checked step by step."""

from __future__ import annotations

from dataclasses import replace

import gnomon as gn
import pytest
from gnomon.properties.differential import check as module
from gnomon.reference.errors import DisagreementError
from gnomon.reference.storage.tensor import Tensor

WALK = """
procedure walk(A, x) -> x, y
  y(i) = x(i)
  repeat
    x(j) += x(i) * A(i,j)  in max_min
  until x unchanged
"""
A = gn.tensor([[0, 1, 2], [1, 2, 3]], [2.0, 3.0, 4.0], (4, 4), "CSR")


def test_every_step_that_runs_is_compared() -> None:
    report = gn.check_run(WALK, A=A, x=gn.tensor([[0]], [9.0], (4,), "SparseVector"))
    assert len(report.steps) == 5
    assert str(report) == "5 steps: 20 of 20 points agree"
    assert report.results["x"].to_numpy().tolist() == [9.0, 2.0, 2.0, 2.0]


def test_a_step_that_goes_wrong_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    run = module.by_kernel

    def wrong(execution, settings) -> Tensor:  # type: ignore[no-untyped-def]
        found = run(execution, settings)
        return replace(found, vals=found.vals + (str(settings["semiring"]) == "max_min"))

    monkeypatch.setattr(module, "by_kernel", wrong)
    with pytest.raises(DisagreementError, match="x_before"):
        gn.check_run(WALK, A=A, x=gn.tensor([[0]], [9.0], (4,), "SparseVector"))
