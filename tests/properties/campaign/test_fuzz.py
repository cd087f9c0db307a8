"""The command: what it prints, writes and says when something is wrong."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner
from gnomon import cli
from gnomon.properties.backends.outcome import Kind
from gnomon.properties.campaign import executors
from gnomon.properties.campaign import fuzz as command
from gnomon.properties.campaign.campaign import Campaign
from gnomon.properties.campaign.coverage import coverage, reached_cells
from gnomon.properties.campaign.examination import Examined, Plan, Sighting
from gnomon.properties.campaign.findings import Finding
from gnomon.properties.campaign.fuzz import News, fuzz, report_names
from gnomon.properties.command_line.output import check_writable
from gnomon.properties.programs.problem import Problem
from gnomon.reference.errors import GnomonError

BACKEND = """
import numpy as np
from msgspec.structs import replace
from gnomon.properties.backends.backend import Scripted
from gnomon.properties.programs.features import PLAIN

class Zero(Scripted):
    name, version = "zero", "7"
    features = replace(
        PLAIN, orders=(0, 1), reductions=(), updates=(), masks=(), broadcasts=False, inner=False, empties=False,
        specials=False,
    )

    def script(self, problem):
        return f"import numpy as np\\nresult = np.zeros({problem.shape})"
"""


@pytest.fixture
def zero(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "zero_backend.py").write_text(BACKEND)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.syspath_prepend(str(tmp_path))
    return "zero_backend:Zero"


def test_nothing_is_found_in_the_reference() -> None:
    done = CliRunner().invoke(fuzz, ["--examples", "20"])
    assert done.exit_code == 0, done.output
    assert "20 agrees" in done.output
    assert "nothing was found" in done.output


def test_findings_become_reports_and_scripts_that_run_alone(zero: str, tmp_path: Path) -> None:
    file, reports = tmp_path / "zero.json", tmp_path / "reports"
    done = CliRunner().invoke(
        fuzz, ["--backend", zero, "--examples", "20", "--json", str(file), "--reports", str(reports)]
    )
    assert done.exit_code == 1, done.output
    held = json.loads(file.read_text())
    assert held["units"] == 20
    (finding,) = held["findings"]
    assert finding["cause"] == "values"
    assert finding["problem"]["expression"] == "R(i) = A(i)"
    (path,) = reports.glob("*.py")
    assert "gnomon" not in path.read_text()
    ran = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[0.]"
    text = path.with_suffix(".md").read_text()
    assert "- version: zero_backend:Zero 7" in text
    assert "expected" in text
    assert path.read_text().strip() in text


def test_reports_of_several_findings_stand_beside_one_another_and_shadow_no_module() -> None:
    problem = Problem("y(i) = A(i)", {"A": [1.0, 2.0]}, "d")
    findings = [Finding(Kind.WRONG, cause, problem, "", True, (7,), 0) for cause in ("a", "b.c", "b c", "b-c")]
    names = [name for name, _ in report_names("mine.pkg:Obj", findings)]
    assert names == ["mine-pkg-Obj-7-wrong-a", *(f"mine-pkg-Obj-7-wrong-b-c{n}" for n in ("", "-2", "-3"))]
    assert not any(name.isidentifier() for name in names)


def test_a_unit_can_be_replayed(zero: str) -> None:
    done = CliRunner().invoke(fuzz, ["--backend", zero, "--unit", "3"])
    assert "gn.check(" in done.output
    assert done.exit_code == int("wrong" in done.output)
    assert CliRunner().invoke(fuzz, ["--backend", "reference", "--unit", "3"]).exit_code == 0


SPMV, ROWS = "y(i) = A(i,j) * x(j)", "y(i) = max(j, A(i,j))"


def test_expressions_are_chosen_kept_and_replayed(tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    chosen, kept = ["--expression", SPMV, "--expression", ROWS], ["--memory", "2", "--json", str(file)]
    done = CliRunner().invoke(fuzz, ["--examples", "3", *kept, *chosen])
    assert done.exit_code == 0, done.output
    assert json.loads(file.read_text())["expressions"] == [SPMV, ROWS]
    more = CliRunner().invoke(fuzz, ["--examples", "5", *kept])
    assert more.exit_code == 0 and json.loads(file.read_text())["units"] == 5
    with pytest.raises(GnomonError, match=r"programs of 'y.* = A.*' against reference"):
        CliRunner().invoke(fuzz, [*kept, "--expression", SPMV], catch_exceptions=False)
    shown = {CliRunner().invoke(fuzz, ["--unit", str(n), *chosen]).output.splitlines()[0] for n in range(8)}
    assert shown == {SPMV, ROWS}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--expression", "y(i) = A(i,j) *"], "expected"),
        (["--expression", "y(i) = A(i,"], "expected"),
        (["--expression", "y(i) = A(i) + (1 if)"], "expected"),
        (["--backend", "einsum", "--expression", "y(i) = sqrt(A(i))"], "features lack sqrt"),
    ],
)
def test_what_is_wrong_with_an_expression_is_said(words: list[str], message: str) -> None:
    with pytest.raises(GnomonError, match=message):
        CliRunner().invoke(fuzz, ["--examples", "1", *words], catch_exceptions=False)


def test_outcomes_and_findings_are_told_once_as_soon_as_they_are_known() -> None:
    problem = Problem("y(i) = A(i)", {"A": [1.0, 2.0]}, "d")
    found = Finding(Kind.WRONG, "values", problem, "", True, (7,), 0)
    sighting = Sighting(7, 0, Kind.WRONG, "values", frozenset())
    chunk = Examined(0, 40, Counter(), Counter(), (sighting, sighting))
    campaign, news = Campaign(Plan("reference", 0)), News()
    assert list(news.lines(campaign)) == []
    campaign.done[0] = chunk
    assert list(news.lines(campaign)) == ["unit 7 is a finding: wrong, values"]
    campaign.findings = [found]
    assert list(news.lines(campaign)) == ["finding: wrong, values: y(i) = A(i)  [A=dense -> dense]"]
    assert list(news.lines(campaign)) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--backend", "nonsense"], "unknown backend 'nonsense'"),
        (["--backend", "nowhere:Nothing"], "does not load"),
        (["--dask", "tcp://127.0.0.1:1"], "no scheduler at tcp://127.0.0.1:1"),
        (["--backend", "json:dumps"], "not a backend"),
    ],
)
def test_bad_use_is_said_plainly(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executors, "PATIENCE", 0.2)
    given = ["fuzz", "--examples", "1", *arguments]
    assert cli.guard(lambda: cli.commands(given, standalone_mode=False)) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [["--json", "/nope/x"], ["--json", ""], ["--coverage", "--json", "/nope/x"], ["--reports", "/dev/null/x"]],
)
def test_places_that_cannot_be_written_are_refused_first(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for work in ("run", "coverage"):
        monkeypatch.setattr(command, work, lambda *_: pytest.fail("the work comes first"))
    done = CliRunner().invoke(fuzz, words)
    assert isinstance(done.exception, GnomonError), done.exception
    assert "cannot be written" in str(done.exception)


def test_the_check_of_a_place_leaves_nothing(tmp_path: Path) -> None:
    check_writable(tmp_path / "new.json")
    (tmp_path / "old.json").write_text("old")
    check_writable(tmp_path / "old.json")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("old.json", "old")]


@pytest.mark.parametrize(
    "words",
    [["--seconds", "nan"], ["--seconds", "1e300"], ["--seconds", "inf"], ["--memory", "99999999999999"],
     ["--minutes", "nan"], ["--seconds", "0"], ["--coverage", "--procedures"], ["--coverage", "--reports", "new"],
     ["--unit", "1", "--json", "new.json"], ["--unit", "1", "--reports", "new"],
     ["--procedures", "--expression", "s = A(i)"]],
)  # fmt: skip
def test_what_says_nothing_is_bad_use(words: list[str]) -> None:
    done = CliRunner().invoke(fuzz, ["--examples", "1", *words])
    assert done.exit_code == 2
    assert words[0] in done.output


REACHING = (
    10, 11, 21, 23, 25, 27, 30, 33, 36, 43, 44, 73, 79, 85, 103, 117, 122, 126, 128, 132, 133, 135, 142, 143,
    167, 169, 178, 184, 188, 195, 198, 199, 209, 223, 226, 258, 262, 309, 365, 424, 444, 453, 597, 612, 706,
    859, 899, 1240, 1257, 1275, 1533, 1611, 1626, 1835,
)  # fmt: skip
"""Units that reach every cell; where strategies change, others are found."""


def test_every_cell_is_reached() -> None:
    """By a few units, but no more than it takes."""
    plan = Plan("reference", 2018)
    sections = coverage(plan, range(0))
    assert len(sections) == 21
    empty = {(section, cell) for section, cells in sections.items() for cell in cells}
    for number in (*REACHING, *range(800)):
        counts = coverage(plan, [number]) if empty else {}
        empty -= {(section, cell) for section, cells in counts.items() for cell, count in cells.items() if count}
    assert empty == set()


def test_units_are_counted_where_they_reach_a_cell() -> None:
    plan = Plan("reference", 0)
    counts = coverage(plan, range(4))
    units = [plan.unit(number).problems for number in range(4)]
    found = Counter(each for (problem,) in units for each in set(reached_cells(problem)))
    assert {(s, cell): count for s, cells in counts.items() for cell, count in cells.items() if count} == {
        (s, cell): count for (s, cell), count in found.items() if cell in counts.get(s, {})
    }
