"""Kernels of many problems at once."""

import os
from dataclasses import replace

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.runtime.kernel import Kernel
from gnomon.generator.runtime.request import Request
from gnomon.properties.backends import judge, load, own, result_of
from gnomon.properties.backends.backend import Refused
from gnomon.properties.backends.outcome import Kind
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


def test_kernels_are_compiled_for_any_extents_and_called(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what is missing there is as much as the operands that are given have."""
    asked: list[Request] = []
    monkeypatch.setattr(own, "Kernel", lambda request: asked.append(request) or Kernel(request))
    backend = load("compile")
    for columns in (2, 5):
        A = gn.tensor([[0], [1]], [1.0], (3, columns), gn.spec("CSR", fill=2.0, index="int64"))
        problem = Problem("y(i) = sum(j, exp(A(i,j))) + i", {"A": A}, "Dense")
        assert judge(problem, result_of(backend.run(problem)), backend.promises).kind is Kind.AGREES
    assert len({request.key({}) for request in asked}) == 1 and not any(request.shapes for request in asked)


def test_what_kernels_for_any_extents_cannot_do_is_refused() -> None:
    A = gn.tensor(np.zeros((2, 0), int), np.zeros(0), (3, 0), "CSR")
    z = gn.tensor([[0, 1, 2]], [1.0, 2.0, 3.0], (3,), "Dense")
    problem = Problem("y(i) = z(i) * sum(k, A(i,k) + 1)", {"A": A, "z": z}, "Dense", None, "split({},k,a,b,2)")
    assert judge(problem, result_of(load("c").run(problem))).kind is Kind.AGREES
    with pytest.raises(Refused, match="some extents alone"):
        load("compile").run(problem)


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
