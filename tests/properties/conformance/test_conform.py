"""Conformance: gnomon's engines pass, defects are reported by rule, exclusions are exact."""

import json
from pathlib import Path
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from click.testing import CliRunner
from gnomon.properties.backends.backend import Refused
from gnomon.properties.backends.own import Reference
from gnomon.properties.case_file import problem_of_json
from gnomon.properties.conformance.command import conform as command
from gnomon.properties.conformance.conform import examined
from gnomon.properties.conformance.files import export
from gnomon.properties.conformance.suite import RULES, suite
from gnomon.properties.problem import Problem
from gnomon.reference.errors import DisagreementError, GnomonError


class Plain(Reference):
    """The reference without fills and schedules, which is wrong wherever there is a mask."""

    name = "plain"

    def supports(self, problem: Problem) -> bool:
        if problem.schedule.commands:
            raise Refused("schedules")
        return all(t.fill == 0 for t in problem.operands.values())

    def run(self, problem: Problem) -> Any:
        found = super().run(problem)
        return found if "<" not in problem.source else np.full(found.shape, 17, found.dtype)


@pytest.mark.parametrize("engine", ["reference", "c"])
def test_our_own_engines_pass_entirely(engine: str) -> None:
    report = gn.conform(engine)
    assert {status for *_, status, _ in report.rows()} == {"holds"}
    assert {v.status for v in report.verdicts} == {"passed"}
    assert len(report.verdicts) == len(suite())


def test_what_fails_is_told_by_rule() -> None:
    with pytest.raises(DisagreementError, match=r"plain .* does not conform") as caught:
        gn.conform(Plain())
    report = examined(Plain(), {})
    assert str(caught.value).endswith(report.markdown())
    assert report.failed
    assert all("<" in v.case.problem.source for v in report.failed)
    outcomes = {rule: outcome for rule, _, outcome, _ in report.rows()}
    assert {rule for rule, outcome in outcomes.items() if outcome == "fails"} == {v.case.rule for v in report.failed}
    assert outcomes["expressions.1"] == "holds"
    assert outcomes["schedules.9"] == "not shown"


def test_exclusions_are_exact_cases_with_a_reason() -> None:
    failed = {v.case.id: "masks" for v in examined(Plain(), {}).failed}
    report = gn.conform(Plain(), exclude=failed)
    assert "## Excluded" in report.markdown()
    with pytest.raises(DisagreementError, match="1 exclusions are not needed"):
        gn.conform(Plain(), exclude=failed | {"expressions.1/drawn-1": "old"})
    with pytest.raises(GnomonError, match="no case is called nonsense"):
        gn.conform(Plain(), exclude={"nonsense": "?"})


def test_what_has_no_meaning_must_not_get_a_result() -> None:
    class Generous(Reference):
        name = "generous"

        def run(self, problem: Problem) -> Any:
            try:
                return super().run(problem)
            except GnomonError:
                return np.zeros(3)

    failed = {v.case.id for v in examined(Generous(), {}).failed}
    assert failed == {case.id for case in suite() if case.refused}


def test_cases_are_files_from_which_problems_come_back(tmp_path: Path) -> None:
    assert export(tmp_path) == len(suite())
    listed = json.loads((tmp_path / "suite.json").read_text())
    assert [rule["rule"] for rule in listed["rules"]] == [rule.id for rule in RULES]
    for case in suite():
        held = json.loads((tmp_path / f"{case.id}.json").read_text())
        assert held["refused"] is case.refused
        if case.refused:
            continue
        again = problem_of_json(held)
        assert repr(again) == repr(case.problem)
        for component in held["expected"]:
            assert again.denotation.is_present(tuple(component["at"]))


def test_the_command_prints_tables_and_writes_reports(tmp_path: Path) -> None:
    done = CliRunner().invoke(command, ["reference", "--json", "--markdown", str(tmp_path / "report.md")])
    assert done.exit_code == 0, done.output
    found = json.loads(done.output)
    assert {rule["outcome"] for rule in found["rules"]} == {"holds"}
    assert (tmp_path / "report.md").read_text().startswith("# reference 0.1.0: gnomon-1-")
    assert CliRunner().invoke(command, ["reference", "--exclude", "fill.1"]).exit_code == 2
    assert (
        CliRunner()
        .invoke(command, ["--export", str(tmp_path / "cases")])
        .output.startswith(f"wrote {len(suite())} cases")
    )
