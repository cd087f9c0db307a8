"""The command for conformance: bad use is refused first, and reports say what held."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from gnomon.properties.backends.worker import answer
from gnomon.properties.conformance import command as command_module
from gnomon.properties.conformance import conform as conform_module
from gnomon.properties.conformance import files as files_module
from gnomon.properties.conformance import suite as suite_module
from gnomon.properties.conformance.command import conform as command
from gnomon.properties.conformance.conform import STATUSES
from gnomon.properties.conformance.suite import RULES, suite
from gnomon.reference.errors import GnomonError

from .remembering import Remembering, undrawn


@pytest.mark.parametrize(
    "words",
    [["nope"], ["json:dumps"], ["reference", "--markdown", "/nope/x"], ["reference", "--markdown", ""],
     ["--export", "/dev/null/x"], ["reference", "--exclude", "denote.fill"]],
)  # fmt: skip
def test_the_command_refuses_bad_use_before_any_work(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (conform_module, command_module, files_module):
        monkeypatch.setattr(module, "suite", undrawn)
    done = CliRunner().invoke(command, words)
    assert done.exit_code != 0
    assert isinstance(done.exception, GnomonError | SystemExit)


@pytest.mark.parametrize(
    "words", [["--exclude", "denote.fill/typd-1=why"], ["--case", "denote.missing.operand/drawn-9"]]
)
def test_ids_that_no_case_can_have_are_refused_before_the_suite_is_drawn(
    words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (conform_module, command_module, suite_module):
        monkeypatch.setattr(module, "suite", undrawn)
    error = CliRunner().invoke(command, ["reference", *words]).exception
    assert isinstance(error, GnomonError) and "no case is called denote." in error.message
    assert error.hint is not None and "did you mean denote." in error.hint


def test_the_reference_passes_entirely_in_tables_and_reports_of_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In this process, which remembers what it gives; one case in a process of its own."""
    with monkeypatch.context() as patch:
        patch.setattr(conform_module, "answers", lambda _, problems: (answer(Remembering(), each) for each in problems))
        done = CliRunner().invoke(command, ["reference", "--json", "--markdown", str(tmp_path / "report.md")])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert {rule["outcome"] for rule in found["rules"]} == {"holds"}
    assert [(case["case"], case["status"]) for case in found["cases"]] == [(case.id, "passed") for case in suite()]
    assert (tmp_path / "report.md").read_text().startswith("# reference 0.1.0: gnomon-5-")
    assert CliRunner().invoke(command, ["reference", "--exclude", "denote.fill"]).exit_code == 2
    stale = CliRunner().invoke(
        command, ["reference", "--case", "denote.fill/typed-1", "--exclude", "denote.fill/typed-1=rounded"]
    )
    assert stale.exit_code == 1
    assert "1 exclusions are not needed (denote.fill/typed-1)" in stale.output
    monkeypatch.setattr(files_module, "suite", lambda: suite()[:9])
    assert CliRunner().invoke(command, ["--export", str(tmp_path / "cases")]).output.startswith("wrote 9 cases")


def test_rules_are_whole_where_there_is_no_terminal() -> None:
    done = CliRunner().invoke(command, ["reference", "--case", "denote.fill/typed-1"])
    head, row, *_ = done.stdout.splitlines()
    assert head.split() == ["rule", "outcome", *STATUSES]
    assert row.split()[0] == "denote.fill" and next(r.what for r in RULES if r.id == "denote.fill") in row
