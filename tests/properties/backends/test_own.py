"""Kernels of many problems at once."""

import os
from dataclasses import replace

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.backends.own import TEAM
from gnomon.properties.backends.worker import Sandbox
from gnomon.properties.programs.problem import Problem
from gnomon.reference.schedule.schedule import as_schedule

ROWS = Problem(
    "y(i) = A(i,j) * x(j)",
    {"A": gn.tensor([[0, 1, 2, 3], [0, 1, 2, 3]], np.ones(4), (4, 4), "CSR"), "x": np.ones(4)},
    "Dense",
)
THREADS = replace(ROWS, schedule=as_schedule("parallelize(i,CPUThread,NoRaces)"))


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="threads are not counted here")
def test_small_problems_have_a_team_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "gcc")
    with Sandbox("c") as sandbox:
        alone, together = (threads(sandbox, problem) for problem in (ROWS, THREADS))
    assert together == alone + TEAM - 1


def threads(sandbox: Sandbox, problem: Problem) -> int:
    """How many threads a process has once it has run a problem."""
    assert list(sandbox.answers([problem]))
    assert sandbox.process is not None
    return len(os.listdir(f"/proc/{sandbox.process.pid}/task"))
