"""Random schedules with settings: all of them are found, with commands behind them too, and mean the same."""

from __future__ import annotations

from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.differential.check import check
from gnomon.properties.strategies.settings import schedules_with_settings
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.schedule.schedule import Schedule
from gnomon.reference.schedule.settings import AUTO, VALUES
from gnomon.reference.statement.tags import CPU
from hypothesis import Phase, find, given, settings

QUICK = settings(max_examples=400, database=None, derandomize=True, deadline=None, phases=[Phase.generate])
SHRUNK = settings(QUICK, phases=[Phase.generate, Phase.shrink])
A = gn.tensor([[0, 0, 2, 3], [1, 3, 0, 3]], [1.0, 2.0, 3.0, 4.0], (4, 4), "CSR")
MASKED = "C(i,j)<$M(i,j)> = A(i,k) * B(k,j)"
OPERANDS: dict[str, Any] = {"A": A, "B": np.arange(16.0).reshape(4, 4), "M": A.convert("COO")}
READY = prepare(MASKED, OPERANDS, out="CSR")
DRAWN = schedules_with_settings(READY.lowered, READY.operands, units=CPU)

EVERY = (AUTO, *(f"{name}={value}" for name, values in VALUES.items() for value in values))


@pytest.mark.every(3)
@pytest.mark.parametrize("setting", EVERY)
def test_every_setting_is_found_alone_and_before_commands(setting: str) -> None:
    for commands in (False, True):

        def is_wanted(schedule: Schedule, commands: bool = commands) -> bool:
            return setting in map(str, schedule.settings) and bool(schedule.commands) is commands

        assert find(DRAWN, is_wanted, settings=QUICK)


def test_they_shrink_to_settings_that_choose_nothing() -> None:
    assert str(find(DRAWN, lambda _: True, settings=SHRUNK)) == "workspaces=output"


@settings(max_examples=settings().max_examples // 10)
@given(DRAWN)
def test_they_mean_the_same(schedule: Schedule) -> None:
    check(MASKED, OPERANDS, out="CSR", schedule=schedule, engines=("reference",))
