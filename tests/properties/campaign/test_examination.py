"""Campaigns of procedures: what decides about one, and the program that is left of it."""

from collections.abc import Iterator, Sequence

import pytest
from click.testing import CliRunner
from gnomon.properties.backends.outcome import Kind, Outcome
from gnomon.properties.backends.worker import Limits
from gnomon.properties.campaign import examination, findings, minimisation
from gnomon.properties.campaign.campaign import Campaign, run
from gnomon.properties.campaign.examination import Plan, decide
from gnomon.properties.campaign.executors import Inline
from gnomon.properties.campaign.fuzz import fuzz, replay
from gnomon.properties.campaign.scripts import describe
from gnomon.properties.campaign.units import Subject
from gnomon.properties.programs.problem import Problem

POSITIONS = """
from gnomon.properties.backends.backend import Refused
from gnomon.properties.backends.own import Reference

class Positions(Reference):
    name = "positions"

    def run(self, problem):
        if problem.semiring == "or_and":
            raise Refused("truth")
        if problem.text.coordinates and "<" not in problem.source:
            raise ValueError("no positions")
        return super().run(problem)
"""


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Plan]:
    folder = tmp_path_factory.mktemp("positions")
    (folder / "positions.py").write_text(POSITIONS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(folder))
        patch.syspath_prepend(str(folder))
        yield Plan("positions:Positions", 1, subject=Subject.PROCEDURE)


def test_a_finding_decides_then_what_is_refused() -> None:
    agrees, refused, wrong = Outcome(Kind.AGREES), Outcome(Kind.REFUSED, "why"), Outcome(Kind.WRONG, "values")
    assert decide([agrees, refused, wrong, wrong]) == (2, wrong)
    assert decide([agrees, refused, agrees]) == (1, refused)
    assert decide([agrees, agrees]) == (0, agrees)
    assert decide([])[1].kind is Kind.REFUSED


@pytest.mark.parametrize(("seconds", "kind"), [(9.0, Kind.AGREES), (59.0, Kind.AGREES), (61.0, Kind.HUNG)])
def test_what_is_slow_does_not_hang(seconds: float, kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that takes longer than the limit is run alone with more time; one that does not end then hangs."""

    def outcomes(plan: Plan, problems: Sequence[Problem]) -> list[Outcome]:
        return [Outcome(Kind.AGREES if seconds < plan.limits.seconds else Kind.HUNG, "hang")] * len(problems)

    monkeypatch.setattr(examination, "outcomes", outcomes)
    slow = Plan("reference", 0, Limits(seconds=10.0))
    assert examination.examine(slow, 0, 2).outcomes == {kind.value: 2}
    assert examination.alone(slow, slow.unit(0).problems[0]).kind is kind
    assert replay(slow, 0) == int(kind is Kind.HUNG)


def test_steps_are_examined_and_the_one_that_fails_is_minimised(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minimisation, "MOST", 60)
    monkeypatch.setattr(findings, "TRIES", 1)
    campaign = Campaign(plan)
    run(campaign, 12, Inline, 1)
    (finding,) = campaign.findings
    assert (finding.kind, finding.cause) == (Kind.RAISED, "ValueError: no positions")
    assert len(finding.units) == campaign.outcomes()["raised"] and set(campaign.refusals()) == {"truth"}
    first = plan.unit(finding.units[0])
    step = first.problems[finding.step]
    assert step.text.coordinates and not any(p.text.coordinates for p in first.problems[: finding.step])
    assert finding.ingredients - {"operator add", "operator mul"} == {"coordinate", "dtype int64"}
    said = describe(plan, finding, "1")
    assert f"step {finding.step + 1} of unit {finding.units[0]} of seed 1" in said
    done = CliRunner().invoke(
        fuzz, ["--backend", plan.backend, "--procedures", "--seed", "1", "--unit", str(finding.units[0])]
    )
    assert done.exit_code == 1 and first.text in done.output and "no positions" in done.output
    assert done.output.count("gn.check(") == len(first.problems)
