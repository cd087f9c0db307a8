"""Conformance: gnomon's engines pass, defects are reported by rule, exclusions are exact."""

import re
import sys
from pathlib import Path
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from click.testing import CliRunner
from gnomon.properties.backends import BackendError, load
from gnomon.properties.backends.backend import Refused
from gnomon.properties.backends.own import Reference
from gnomon.properties.conformance import conform as conform_module
from gnomon.properties.conformance.command import conform as command
from gnomon.properties.conformance.conform import Report, examine
from gnomon.properties.conformance.suite import RULES, suite
from gnomon.properties.programs.problem import Problem
from gnomon.reference.errors import DisagreementError, GnomonError, InternalError

from .remembering import Remembering, undrawn


class Plain(Remembering):
    """The reference without fills and schedules, which is wrong wherever there is a mask."""

    name = "plain"

    def supports(self, problem: Problem) -> bool:
        if problem.schedule.commands:
            raise Refused("schedules")
        return all(t.fill == 0 for t in problem.operands.values())

    def run(self, problem: Problem) -> Any:
        found = super().run(problem)
        return found if "<" not in problem.source else np.full(found.shape, 17, found.dtype)


@pytest.fixture(scope="module")
def plain() -> Report:
    return examine(Plain(), {})


@pytest.mark.every(20)
@pytest.mark.parametrize("turn", range(20))
def test_generated_c_passes_entirely(turn: int) -> None:
    """In twenty turns, of which each twentieth case is one's."""
    asked = [case.id for case in suite()][turn::20]
    report = gn.conform("c", cases=asked)
    assert {v.status for v in report.verdicts} == {"passed"}
    assert len(report.verdicts) == len(asked)


def test_kernels_for_gpus_pass_where_the_cpu_emulates_them() -> None:
    asked = [case.id for case in suite() if case.rule.startswith("code.cuda.")]
    assert {v.status for v in gn.conform("emulated", cases=asked).verdicts} == {"passed"}
    assert len(asked) == 39


def test_what_fails_is_told_by_rule(plain: Report) -> None:
    with pytest.raises(DisagreementError, match=r"plain .* does not conform") as caught:
        gn.conform(Plain())
    report = plain
    assert str(caught.value).endswith(report.markdown())
    assert report.failures
    assert all("<" in v.case.problem.source for v in report.failures)
    outcomes = {rule: outcome for rule, _, outcome, _ in report.rows()}
    fails = {v.case.rule for v in report.failures}
    assert {rule for rule, outcome in outcomes.items() if outcome == "fails"} == fails
    shown = {v.case.rule for v in report.verdicts if v.status == "passed"} - fails
    assert shown and {rule for rule, outcome in outcomes.items() if outcome == "holds"} == shown
    assert outcomes["schedule.loop.completed"] == "not shown"


def test_a_backend_that_refuses_everything_shows_nothing() -> None:
    class Modest(Remembering):
        name = "modest"

        def supports(self, problem: Problem) -> bool:
            return False

    class Shy(Remembering):
        name = "shy"

        def run(self, problem: Problem) -> Any:
            raise Refused("everything")

    for backend in (Modest(), Shy()):
        report = examine(backend, {})
        assert {outcome for _, _, outcome, _ in report.rows()} == {"not shown"}
        assert {v.status for v in report.verdicts} == {"refused"}
        with pytest.raises(DisagreementError, match="no case passes"):
            gn.conform(backend)


def test_an_exception_is_right_only_beside_cases_that_pass() -> None:
    class Furious(Remembering):
        name = "furious"

        def run(self, problem: Problem) -> Any:
            raise RuntimeError("whatever it is")

    class Unscheduled(Remembering):
        name = "unscheduled"

        def run(self, problem: Problem) -> Any:
            if problem.schedule.commands:
                raise Refused("schedules") if problem.ready else InternalError("cannot happen")
            return super().run(problem)

    report = examine(Furious(), {})
    assert not any(v.status == "passed" for v in report.verdicts)
    assert {v.status for v in report.verdicts if v.case.refused} == {"refused"}
    report = examine(Unscheduled(), {})
    outcomes = {rule: outcome for rule, _, outcome, _ in report.rows()}
    assert (outcomes["notation.variables"], outcomes["schedule.split.requires"]) == ("holds", "not shown")
    assert report.fault is None


def test_dense_complex_arrays_show_neither_dtypes_nor_structure() -> None:
    class Dense(Remembering):
        name = "dense"
        promises: tuple[str, ...] = ()

        def run(self, problem: Problem) -> Any:
            found = super().run(problem).to_numpy()
            if found.dtype.kind in "iu" and any(abs(int(value)) > 2**53 for value in found.flat):
                raise Refused("integers that complex numbers do not hold")
            return found.astype(complex)

    class Boasting(Remembering):
        name = "boasting"

        def run(self, problem: Problem) -> Any:
            return super().run(problem).to_numpy()

    report = examine(Dense(), {})
    needy = {rule.id for rule in RULES if rule.needs}
    assert needy >= {"type.promotion", "type.widening", "denote.structure", "format.fibers"}
    assert {rule for rule, _, outcome, _ in report.rows() if outcome == "not shown"} == needy
    assert not report.failures
    asked = [case for case in suite() if case.rule in needy or case.rule.startswith("denote.")]
    boasting = examine(Boasting(), {}, only=[case.id for case in asked])
    hidden = {rule for rule, _, outcome, _ in boasting.rows() if outcome == "not shown"} & {c.rule for c in asked}
    assert {"denote.structure", "format.fibers"} <= hidden <= needy
    assert "type.promotion" not in hidden


class Nameless:
    version = "1"

    def supports(self, problem: Problem) -> bool:
        return True

    def run(self, problem: Problem) -> Any:
        return 0


class Demanding(Nameless):
    def __init__(self, name: str) -> None:
        self.name = name


class Numbered(Nameless):
    name = 5


class Boastful(Nameless):
    name, promises = "boastful", 3


@pytest.mark.parametrize(
    "backend", [5, None, Nameless(), Nameless, Demanding, Numbered(), Boastful(), "nope", "json:dumps", "json:", ":X"]
)
def test_what_is_no_backend_is_refused_at_once(backend: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conform_module, "suite", undrawn)
    with pytest.raises(BackendError):
        gn.conform(backend)


SPOILT = """
class Wants:
    def __init__(self, what): pass

class Raises:
    def __init__(self): raise RuntimeError("no licence")

class Leaves:
    def __init__(self): raise SystemExit(7)

class Odd:
    version = "1"
    @property
    def name(self): raise KeyError("name")
    def supports(self, problem): return True
    def run(self, problem): return 0
"""
MODULES = {
    "spoilt": SPOILT,
    "raising": "raise KeyError('while it is imported')",
    "leaving": "import sys; sys.exit(7)",
    "unreadable": "def (:",
    "lazy": "def __getattr__(name): raise ZeroDivisionError(name)",
}


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("raising:X", "KeyError"), ("leaving:X", "SystemExit: 7"), ("unreadable:X", "SyntaxError"),
        ("lazy:X", "ZeroDivisionError"), ("spoilt:Wants", "TypeError"), ("spoilt:Raises", "no licence"),
        ("spoilt:Leaves", "SystemExit"), ("spoilt:Odd", "KeyError"), ("spoilt:Absent", "no attribute"),
        ("absent:X", "No module named"), (":X", "does not load"), ("..a:b", "does not load"),
        ("json:", "does not load"), ("", "unknown backend"), ("spoilt:Odd.name", "does not load"),
        ("json:dumps", "is not a backend"),
    ],
)  # fmt: skip
def test_what_does_not_load_is_said_to(spec: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in MODULES.items():
        (tmp_path / f"{name}.py").write_text(text)
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(BackendError, match=said):
        load(spec)


def test_modules_of_the_current_folder_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_adapter.py").write_text("from own_helper import Mine\n")
    (tmp_path / "own_helper.py").write_text("from gnomon.properties.backends.own import Reference as Mine\n")
    monkeypatch.setattr(sys, "path", [each for each in sys.path if each != ""])
    monkeypatch.chdir(tmp_path)
    assert load("own_adapter:Mine").name == "reference"
    with pytest.raises(BackendError) as caught:
        load("own_absent:Mine")
    assert caught.value.hint is not None and "current folder" in caught.value.hint


WRONG = """
import numpy as np
from gnomon.properties.backends.own import Reference

class Wrong(Reference):
    def run(self, problem):
        return np.full(problem.shape, 17, problem.dtype)
"""


def test_a_case_that_fails_is_shown_whole_and_runs_alone(
    plain: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = plain.failures[0]
    report = examine(Plain(), {}, only=[failed.case.id])
    assert [(v.case.id, v.status) for v in report.verdicts] == [(failed.case.id, "failed")]
    text = report.markdown()
    assert " = gn.tensor(" in text and f"gn.conform(backend, cases=['{failed.case.id}'])" in text
    told = report.as_json()["cases"][0]
    assert told["program"] == repr(failed.case.problem)
    (tmp_path / "wrong_backend.py").write_text(WRONG)
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(command, ["wrong_backend:Wrong", "--case", failed.case.id])
    assert done.exit_code == 1
    assert " = gn.tensor(" in done.output
    assert f"alone: gnomon conform wrong_backend:Wrong --case {failed.case.id}\n" in done.output
    assert f"{failed.case.rule} " in done.output and "0 passed, 1 failed" in done.output


def test_a_mistake_alone_is_judged_beside_its_rule() -> None:
    mistake = next(case for case in suite() if case.refused)
    report = examine(Reference(), {}, only=[mistake.id])
    assert [(v.case.id, v.status) for v in report.verdicts] == [(mistake.id, "passed")]


@pytest.mark.parametrize(
    "exclude", [5, {5: "x"}, {"denote.fill/typed-1": ""}, {"denote.fill/typed-1": None}, "denote.fill"]
)
def test_exclusions_without_a_reason_are_refused_at_once(exclude: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conform_module, "suite", undrawn)
    with pytest.raises(GnomonError, match="exclude"):
        gn.conform(Plain, exclude=exclude)


def test_exclusions_are_exact_cases_with_a_reason(plain: Report) -> None:
    failed = {v.case.id: "masks" for v in plain.failures}
    passed = next(v.case.id for v in plain.verdicts if v.status == "passed")
    report = gn.conform(Plain(), exclude=failed)
    assert "## Excluded" in report.markdown()
    with pytest.raises(DisagreementError, match=rf"1 exclusions are not needed \({re.escape(passed)}\)"):
        gn.conform(Plain(), exclude=failed | {passed: "old"})
    with pytest.raises(GnomonError, match="no case is called nonsense"):
        gn.conform(Plain(), exclude={"nonsense": "?"})


def test_what_has_no_meaning_must_not_get_a_result() -> None:
    class Generous(Remembering):
        name = "generous"

        def run(self, problem: Problem) -> Any:
            try:
                return super().run(problem)
            except GnomonError:
                return np.zeros(3)

    failed = {v.case.id for v in examine(Generous(), {}).failures}
    assert failed == {case.id for case in suite() if case.refused}
