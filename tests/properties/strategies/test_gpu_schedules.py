"""Random schedules for GPUs: every nest of units, and counts of threads that vary, are found before long."""

from __future__ import annotations

import numpy as np
import pytest
from gnomon.properties.strategies.gpu_schedules import LANES, NESTS, gpu_schedules
from gnomon.properties.strategies.schedules import Scheduled
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.statement.tags import STRATEGIES
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

QUICK = settings(max_examples=500, database=None, derandomize=True, deadline=None, phases=[Phase.generate])
MATRIX = prepare("y(i) = A(i,j) * x(j)", {"A": np.ones((4, 4)), "x": np.ones(4)}).program


def parallel(drawn: Scheduled, place: int) -> tuple[object, ...]:
    """An argument of each command that runs a loop in parallel: its unit at 1, its strategy at 2."""
    return tuple(c.args[place] for c in drawn.schedule.commands if c.name == "parallelize")


@pytest.mark.parametrize("units", NESTS)
def test_units_are_nested(units: tuple[str, ...]) -> None:
    assert parallel(find(gpu_schedules(MATRIX), lambda s: parallel(s, 1) == units, settings=QUICK), 1) == units


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_races_are_settled_by(strategy: str) -> None:
    assert find(gpu_schedules(MATRIX), lambda s: strategy in parallel(s, 2), settings=QUICK)


@pytest.mark.every(3)
@pytest.mark.parametrize("count", [*dict.fromkeys(LANES), 33, 1024])
def test_threads_in_a_block(count: int) -> None:
    drawn = find(gpu_schedules(MATRIX), lambda s: count in [c.args[-1] for c in s.schedule.commands], settings=QUICK)
    assert "GPUBlock" in parallel(drawn, 1)


@given(st.data())
@settings(QUICK, max_examples=20)
def test_no_unit_is_of_a_cpu(data: st.DataObject) -> None:
    assert not any(str(unit).startswith("CPU") for unit in parallel(data.draw(gpu_schedules(MATRIX)), 1))
