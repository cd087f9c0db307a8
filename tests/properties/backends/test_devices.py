"""The backends of kernels for GPUs: what they are given, what they refuse, and that campaigns find nothing."""

import numpy as np
import pytest
from click.testing import CliRunner
from gnomon.properties.backends import BackendError, Refused, judge, load, result_of
from gnomon.properties.campaign.fuzz import fuzz
from gnomon.properties.programs.problem import Problem

ROWS = "parallelize(i,GPUBlock,NoRaces)"
NAMES = ("emulated", "machine")


def product(dtype: str = "float64", schedule: str = ROWS) -> Problem:
    return Problem("y(i) = A(i,j)", {"A": np.arange(6).reshape(2, 3).astype(dtype)}, "Dense", schedule=schedule)


@pytest.mark.parametrize("name", NAMES)
def test_problems_are_run(name: str) -> None:
    backend, problem = load(name), product()
    assert backend.supports(problem)
    assert not judge(problem, result_of(backend.run(problem)), backend.promises).is_finding


@pytest.mark.parametrize(
    ("problem", "reason"),
    [
        (product(schedule="parallelize(i,CPUThread,NoRaces)"), "a loop on CPUThread"),
    ],
)
def test_other_problems_are_refused_with_the_reason(problem: Problem, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        load("machine").supports(problem)


@pytest.mark.parametrize("name", NAMES)
def test_scripts_run_the_backend(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(load(name).script(product()), "script", "exec"), {})
    assert "AGREES" in capsys.readouterr().out


def test_without_a_gpu_the_backend_for_one_does_not_load(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NVCC", "no-such-compiler")
    with pytest.raises(BackendError, match="NVCC is 'no-such-compiler', which is not a program"):
        load("cuda")


def test_reasons_name_nothing_of_a_program() -> None:
    tiles = "collapse(i,j,f),split(f,tile,cell,3),parallelize(tile,GPUBlock,NoRaces)"
    problem = Problem("y1(i,j) = x(i,j)", {"x": np.eye(4)}, "COO", schedule=tiles)
    with pytest.raises(Refused, match="cannot fill …, to which loops append"):
        load("machine").run(problem)


@pytest.mark.parametrize("name", NAMES)
def test_campaigns_find_nothing_and_count_what_is_refused(name: str) -> None:
    done = CliRunner().invoke(fuzz, ["--backend", name, "--examples", "3"])
    assert done.exit_code == 0, done.output
    assert f"{name} " in done.output and "nothing was found" in done.output
