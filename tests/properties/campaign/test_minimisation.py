"""Seeded faults: a campaign reports each of them by a program that meets no other."""

from pathlib import Path

import gnomon as gn
import pytest
from depth import DEEP
from gnomon.properties.backends.outcome import Kind, Outcome
from gnomon.properties.backends.worker import Limits
from gnomon.properties.campaign import minimisation
from gnomon.properties.campaign.campaign import Campaign, run
from gnomon.properties.campaign.examination import Plan, Sighting
from gnomon.properties.campaign.executors import Inline
from gnomon.properties.campaign.units import Unit
from gnomon.properties.programs.problem import Problem

CHOSEN, SEED, EXAMPLES = ("0123456789", 5, 2000) if DEEP else ("3", 5, 20)


def test_every_seeded_fault_is_reported_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = str(Path(__file__).parent)
    monkeypatch.setenv("PYTHONPATH", folder)
    monkeypatch.syspath_prepend(folder)
    from seeded import shown

    campaign = Campaign(Plan(f"seeded:Faults_{CHOSEN}", SEED, Limits(seconds=60.0)))
    run(campaign, EXAMPLES, Inline, 1)
    wanted = {int(digit) for digit in CHOSEN}
    met = [shown(finding.problem) & wanted for finding in campaign.findings]
    assert {n for found in met if len(found) == 1 for n in found} == wanted
    assert not campaign.unexplained_sightings()


def test_formats_become_plain_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    a = gn.tensor([[0, 1], [1, 0]], [1.0, 2.0], (2, 2), "hashed,bitmap")
    problem = Problem("R(i,j) = A(i,j) + B(i,j)", {"A": a, "B": a.convert("DCSR")}, "CSC")

    def outcome(plan: Plan, problem: Problem) -> Outcome:
        hashed = any(level.name == "hashed" for t in problem.operands.values() for level in t.format.levels)
        return Outcome(Kind.WRONG if hashed else Kind.AGREES, "values" if hashed else "")

    monkeypatch.setattr(Plan, "unit", lambda plan, number: Unit(problem.source, (problem,)))
    monkeypatch.setattr(minimisation, "shrink", lambda *nothing: None)
    monkeypatch.setattr(minimisation, "alone", outcome)
    monkeypatch.setattr(minimisation, "outcomes", lambda plan, problems: [outcome(plan, each) for each in problems])
    found = minimisation.simplest(Plan("reference", 0), Sighting(0, 0, Kind.WRONG, "values", frozenset()), ()).problem
    levels = {name: [level.name for level in t.format.levels] for name, t in found.operands.items()}
    assert (levels, str(found.out)) == ({"A": ["hashed", "dense"], "B": ["dense", "dense"]}, "dense,dense")
