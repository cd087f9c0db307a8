"""Scripts of findings run alone, whether their backend writes programs or not."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.backends.outcome import Kind
from gnomon.properties.campaign.examination import Plan
from gnomon.properties.campaign.findings import Finding
from gnomon.properties.campaign.scripts import describe, folder_of_module, path_of_backend, script, values
from gnomon.properties.programs.problem import Problem
from msgspec.structs import replace

BACKEND = """
import numpy as np

class Ones:
    name, version = "ones", "1"

    def supports(self, problem):
        return True

    def run(self, problem):
        return np.ones(problem.shape[0])

class Broken(Ones):
    def supports(self, problem):
        raise TypeError("broken")

class Leaving(Ones):
    def run(self, problem):
        raise SystemExit(0)

class Refusing(Ones):
    def supports(self, problem):
        return False
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "ones_backend.py").write_text(BACKEND)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def ran(folder: Path, problem: Problem, backend: str = "Ones") -> subprocess.CompletedProcess[str]:
    """The script of a finding, run in another folder than the campaign."""
    place, plan = folder / "elsewhere" / "finding-1.py", replace(PLAN, backend=f"ones_backend:{backend}")
    place.write_text(script(plan, Finding(Kind.WRONG, "values", problem, "", True, (7,), 0)))
    return subprocess.run([sys.executable, str(place)], capture_output=True, text=True, cwd=folder / "elsewhere")


PLAN = Plan("ones_backend:Ones", 3, chosen=("y(i) = A(i)", "s = A(i)"))


def test_a_script_judges_and_finds_its_backend(folder: Path) -> None:
    wrong = ran(folder, Problem("y(i) = A(i)", {"A": [1.0, 2.0]}, "d"))
    assert wrong.returncode == 1 and wrong.stderr == "wrong: at (1,) the value is 1.0, expected 2.0\n"
    right = ran(folder, Problem("y(i) = A(i)", {"A": [1.0, 1.0]}, "d"))
    assert (right.returncode, right.stdout, right.stderr) == (0, "agrees\n", "")
    broken = ran(folder, Problem("y(i) = A(i)", {"A": [1.0, 1.0]}, "d"), "Broken")
    assert broken.returncode == 1 and broken.stderr.endswith("TypeError: broken\n")
    leaving = ran(folder, Problem("y(i) = A(i)", {"A": [1.0, 1.0]}, "d"), "Leaving")
    assert leaving.returncode == 1 and leaving.stderr.endswith("the backend ends the process with 0\n")
    refusing = ran(folder, Problem("y(i) = A(i)", {"A": [1.0, 1.0]}, "d"), "Refusing")
    assert (refusing.returncode, refusing.stderr) == (1, "the backend refuses the program\n")


def test_our_own_backends_are_on_the_path_anyway() -> None:
    assert path_of_backend("reference") == []
    assert path_of_backend("json:dumps")[1].startswith(f"sys.path.append({str(Path(json.__file__).parents[1])!r})")
    assert folder_of_module("nowhere.at_all") == str(Path.cwd())


@pytest.mark.parametrize(
    ("dtype", "said"),
    [("int64", "(0,): 3, (1,): 0; 0 elsewhere"), ("bool", "(0,): True, (1,): False; False elsewhere")],
)
def test_integers_and_truth_values_are_told_as_such(dtype: str, said: str) -> None:
    operand = gn.tensor([[0]], np.array([3], dtype), (2,), "d", dtype=dtype)
    assert values(Problem("y(i) = A(i)", {"A": operand}, "d")) == said


def test_of_many_values_some_are_told() -> None:
    assert values(Problem("y(i) = A(i)", {"A": np.arange(11)}, "d")).endswith("(9,): 9, …; 0 elsewhere")


def test_a_report_tells_how_to_run_its_unit(folder: Path) -> None:
    problem = Problem("y(i) = A(i)", {"A": [1.0, 2.0]}, "d")
    said = describe(PLAN, Finding(Kind.WRONG, "values", problem, "", True, (7,), 0), "1", ["s = A(i)"])
    words = "--seed 3 --unit 7 --expression 'y(i) = A(i)' --expression 's = A(i)'"
    assert f"`gnomon fuzz --backend ones_backend:Ones {words}`" in said
    assert "- probably also in `s = A(i)`" in said
