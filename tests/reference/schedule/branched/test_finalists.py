"""Finalists: branched schedules that are measured, in parallel where they may be."""

from __future__ import annotations

import pytest
from gnomon.generator.runtime.request import make_request
from gnomon.properties.sparseauto.kernels import KERNELS
from gnomon.reference.schedule.application import apply_schedule
from gnomon.reference.schedule.branched.finalists import finalists, operand_orders_of
from gnomon.reference.schedule.branched.space import branched_schedules
from gnomon.reference.statement.statement import Program


def listed(program: Program) -> list[str]:
    """The finalists of a program, as text."""
    return list(map(str, finalists(program, operand_orders_of(program))))


def test_each_comes_alone_on_threads_and_on_lanes() -> None:
    fused = "loopfuse({},B(i,j) * C(i,k) * D(j,k),left,t)"
    threads = f"{fused},parallelize(i,CPUThread,NoRaces)"
    assert listed(KERNELS[1].program) == [fused, threads, f"{threads},parallelize({{1}},l,CPUVector,NoRaces)"]


def test_all_are_legal_and_loops_around_branches_are_on_no_lanes() -> None:
    program = KERNELS[6].program
    found = list(finalists(program, operand_orders_of(program)))
    assert [str(each).count("CPUVector") for each in found] == [0, 0, 1]
    assert str(found[-1]).endswith("parallelize({1},l,CPUVector,NoRaces)")
    assert all(apply_schedule(program, each.schedule()).statement != program.statement for each in found)


@pytest.mark.parametrize("expression", ["y(i) = A(i,j) * x(j)", "y(i) = A(i,j) + x(i)", "y(i) = x(i) * z(i) * w(i)"])
def test_what_is_not_taken_apart_has_none(expression: str) -> None:
    request = make_request(expression, {})
    assert listed(request.program) == []


def test_where_there_are_too_many_there_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(branched_schedules, "__defaults__", (2, None, 50))
    assert listed(KERNELS[1].program) == []
