"""The command `gnomon prove`: a table, JSON, exit statuses, and errors for what does not go together."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from gnomon.properties.proofs import command
from gnomon.properties.proofs.command import prove
from gnomon.properties.proofs.obligation import Obligation
from gnomon.properties.proofs.prover import Outcome, attempt_here
from gnomon.properties.proofs.topic import Topic
from gnomon.properties.proofs.verdict import Bounded, Proved, Refuted, Unknown, Verdict


def run(*args: str) -> Result:
    return CliRunner().invoke(prove, args)


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Obligations are attempted in this process: others cost more to start than what is proved here."""

    def outcomes(topic: Topic, all_: Iterable[Obligation], workers: int | None) -> Iterator[Outcome]:
        return map(attempt_here, all_)

    monkeypatch.setattr(command, "outcomes", outcomes)


def test_a_table_with_ids_statements_statuses_and_times(here: None) -> None:
    result = run("operators.and.commutative")
    assert result.exit_code == 0
    assert "operators.and.commutative.integers" in result.stdout
    assert "proved" in result.stdout
    assert "6 proved" in result.stdout


def test_json(here: None) -> None:
    result = run("operators.and.commutative.integers", "--json")
    found = json.loads(result.stdout)
    assert found["counts"] == {"proved": 1}
    assert found["obligations"][0]["status"] == "proved"
    assert found["obligations"][0]["statement"] == "and(a, b) = and(b, a) for integers"


def test_the_list_proves_nothing() -> None:
    found = json.loads(run("operators", "--list", "--json").stdout)
    assert {"id", "statement", "rules"} == set(found["obligations"][0])
    assert "operators.and" in run("operators.and", "--list").stdout


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["nothing"], "no obligation is called 'nothing'"),
        (["--schedule", "unroll(i,4)"], "need an expression"),
        (["y(i) = x(i)", "z(i) = x(i)"], "one expression at a time"),
        (["y(i) = x(i)", "--level", "a:b"], "--level goes without an expression"),
        (["--level", "no.such:thing"], "no level format at no.such:thing"),
        (["--level", "math:pi"], "not a level format"),
        (["--workers", "0"], "--workers"),
    ],
)
def test_bad_use_is_told(args: list[str], message: str) -> None:
    result = run(*args)
    assert result.exit_code != 0
    assert message in result.output + str(result.exception)


def test_a_statement_is_proved_with_its_lattices_its_schedule_and_its_kernel(here: None) -> None:
    given = ["y(i) = x(i)", "-f", "x=d", "-f", "y=d", "-s", "split(i,i0,i1,4)"]
    result = run(*given, "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert set(found["counts"]) == {"proved"}
    families = {o["id"].partition(".")[0] for o in found["obligations"]}
    assert families == {"lattices", "schedule", "c"}


def test_a_schedule_that_is_refused_comes_with_operands_that_show_why(here: None) -> None:
    given = ["y(i) = A(i,j) * x(j)", "-f", "A=CSR", "-s", "parallelize(j,CPUThread,NoRaces)"]
    result = run(*given, "schedule", "--json")
    assert result.exit_code == 1
    (refuted,) = [o for o in json.loads(result.stdout)["obligations"] if o["status"] == "refuted"]
    assert refuted["id"] == "schedule.1.parallelize.no_races"
    assert "unchecked=True" in refuted["detail"]


def test_only_strict_runs_ask_that_all_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[Verdict] = [Proved()]
    monkeypatch.setattr(
        command, "outcomes", lambda topic, all_, workers: (Outcome(o.id, "", found[-1], 0.0) for o in all_)
    )
    for verdict, plain, strict in ((Proved(), 0, 0), (Bounded(""), 0, 3), (Unknown(""), 0, 3), (Refuted(()), 1, 1)):
        found.append(verdict)
        assert run("operators.and.commutative.bits").exit_code == plain
        assert run("operators.and.commutative.bits", "--strict").exit_code == strict


def test_every_value_of_a_counterexample_has_a_line(here: None) -> None:
    result = run("y(i) = A(i,j) * x(j)", "-f", "A=CSR", "-s", "parallelize(j,CPUThread,NoRaces)", "schedule")
    starts = [line.split()[0] for line in result.stdout.splitlines() if line.startswith("  ") and line.strip()]
    assert {"input:", "with", "without:", "values:", "refused:"} <= set(starts)


def test_a_level_format_of_a_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shifted_level.py").write_text(SHIFTED)
    monkeypatch.syspath_prepend(tmp_path)
    result = run("--level", "shifted_level:Shifted", "levels.dense.locate", "--json", "--workers", "1")
    assert result.exit_code == 1
    (found,) = json.loads(result.stdout)["obligations"]
    assert "locate = (1, True)" in found["detail"]


SHIFTED = '''
from dataclasses import dataclass
from gnomon.reference.levels.dense import Dense

@dataclass(frozen=True)
class Shifted(Dense):
    """A dense level that looks one position too far."""

    def locate(self, p, i):
        return p * self.N + i[-1] + 1, True
'''
