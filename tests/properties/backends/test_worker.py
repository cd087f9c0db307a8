"""Backends in processes of their own: what ends them is an outcome, and the next problem meets a fresh one."""

from pathlib import Path

import gnomon as gn
import pytest
from gnomon.properties.backends.outcome import Kind, Outcome
from gnomon.properties.backends.result import Result
from gnomon.properties.backends.worker import Limits, Sandbox
from gnomon.properties.problem import Problem
from gnomon.reference.named_formats import format_of

UNSTEADY = """
import os, time
import numpy as np

class Unsteady:
    name, version = "unsteady", "1"

    def supports(self, problem):
        return "-" not in problem.source

    def run(self, problem):
        match problem.source.split()[-1]:
            case "abort":
                os.abort()
            case "exit":
                os._exit(3)
            case "hang":
                time.sleep(60)
            case "much":
                return np.ones(1 << 40)
            case "fail":
                raise ValueError(f"no {problem.source}")
        print("noise")
        return np.asarray(problem.operands["a"])

class Unready(Unsteady):
    def prepare(self, problems):
        if any("unready" in problem.source for problem in problems):
            raise ValueError("not ready")
"""
SCALAR = gn.tensor([], [3.0], (), "")


def named(name: str) -> Problem:
    return Problem(f"y = {name}", {name: SCALAR, "a": SCALAR}, format_of("", 0))


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    (tmp_path / "unsteady.py").write_text(UNSTEADY)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with Sandbox("unsteady:Unsteady", Limits(seconds=1.0)) as made:
        yield made


def test_every_problem_has_its_answer(sandbox: Sandbox) -> None:
    names = ["a", "abort", "a", "hang", "a", "much", "fail", "exit", "a - b", "a"]
    found = list(sandbox.answers([named(name) for name in names]))
    kinds = [each.kind if isinstance(each, Outcome) else Kind.AGREES for each in found]
    assert kinds == [
        Kind.AGREES, Kind.CRASHED, Kind.AGREES, Kind.HUNG, Kind.AGREES, Kind.EXHAUSTED, Kind.RAISED, Kind.CRASHED,
        Kind.REFUSED, Kind.AGREES,
    ]  # fmt: skip
    assert [each.cause for each in found if isinstance(each, Outcome)] == [
        "SIGABRT", "hang", "memory", "ValueError: no y = fail", "exit status 3", "not supported",
    ]  # fmt: skip
    assert isinstance(found[0], Result)
    assert found[0].values.tolist() == [3.0]


def test_what_does_not_load_is_said_to() -> None:
    for spec in ("nonsense", "nowhere:Backend", "json:dumps"):
        with pytest.raises(RuntimeError, match=f"backend {spec} does not start: BackendError"), Sandbox(spec) as made:
            made.start()


def test_what_cannot_be_made_ready_together_is_run_one_by_one(sandbox: Sandbox) -> None:
    sandbox.spec = "unsteady:Unready"
    found = list(sandbox.answers([named(name) for name in ("a", "unready", "a", "a - b")]))
    kinds = [each.kind if isinstance(each, Outcome) else Kind.AGREES for each in found]
    assert kinds == [Kind.AGREES, Kind.RAISED, Kind.AGREES, Kind.REFUSED]


def test_kernels_of_many_problems_are_compiled_together() -> None:
    x = gn.tensor([[0, 2]], [1.0, 2.0], (3,), "SparseVector")
    problems = [Problem(f"y(i) = x(i) * {n}", {"x": x}, format_of("Dense", 1)) for n in range(5)]
    with Sandbox("c") as made:
        found = list(made.answers(problems))
    assert [each.values.tolist() for each in found if isinstance(each, Result)] == [[n, 0, 2 * n] for n in range(5)]
