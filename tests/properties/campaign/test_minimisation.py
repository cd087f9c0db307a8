"""Seeded faults: a campaign reports each of them by a program that meets no other."""

from collections.abc import Callable
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
from gnomon.properties.campaign.ingredients import ingredients
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


KERNELS = """
import numpy as np
from gnomon.properties.backends.backend import Refused
from gnomon.properties.backends.result import result_of
from gnomon.properties.strategies import Features
from gnomon.reference.execution.evaluate import execute
from msgspec.structs import replace

class Kernels:
    name, version = "kernels", "1"
    expressions = ("y(i) = A(i,j) * x(j)", "B(j,i) = A(i,j)")
    features = Features(dtypes=("float64", "int64"), semirings=(), fills=False, schedules=False)

    def supports(self, problem):
        return True

    def run(self, problem):
        found = result_of(execute(problem.source, problem.operands, out=problem.out, convert="auto").result)
        A = problem.operands["A"]
        wrong = "x" in problem.operands and np.bincount(A.components()[0][0], minlength=1).max(initial=0) > 2
        return replace(found, values=found.values + 7.25) if wrong else found
"""


def test_one_fault_of_a_kernel_is_one_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of three components or more, in whatever format and of whatever dtype."""
    (tmp_path / "some_kernels.py").write_text(KERNELS)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.syspath_prepend(str(tmp_path))
    campaign, told = Campaign(Plan("some_kernels:Kernels", 1, Limits(seconds=60.0))), list[int]()
    run(campaign, 40, Inline, 1, lambda campaign: told.append(len(campaign.findings)))
    (finding,) = campaign.findings
    assert finding.problem.source == "y(i) = A(i,j) * x(j)" and finding.named
    assert finding.problem.extents in ({"i": 1, "j": n} for n in (1, 2, 3)) and finding.problem.dtype == float
    assert {t.format.order for t in finding.problem.operands.values()} == {1, 2}
    assert set(told) >= {0, 1} and not campaign.unexplained_sightings()


def watched(monkeypatch: pytest.MonkeyPatch, problem: Problem, shows: Callable[[Problem], bool]) -> list[Problem]:
    """The problems that are tried while one is minimised without a shrinker."""
    tried: list[Problem] = []

    def outcome(plan: Plan, problem: Problem) -> Outcome:
        tried.append(problem)
        return Outcome(Kind.WRONG, "values") if shows(problem) else Outcome(Kind.AGREES)

    monkeypatch.setattr(Plan, "unit", lambda plan, number: Unit(problem.source, (problem,)))
    monkeypatch.setattr(minimisation, "shrink", lambda *nothing: None)
    monkeypatch.setattr(minimisation, "alone", outcome)
    monkeypatch.setattr(minimisation, "outcomes", lambda plan, problems: [outcome(plan, each) for each in problems])
    return tried


def seen(problem: Problem) -> Sighting:
    return Sighting(0, 0, Kind.WRONG, "values", ingredients(problem))


ROWS = gn.tensor([[0, 1, 1], [1, 0, 2]], [1.5, 2.0, -3.0], (2, 3), "CSR")
WHOLE = Problem("R(i,j) = A(i,j) + B(i,j)", {"A": ROWS, "B": ROWS}, "CSR")


def test_after_a_while_the_simplest_so_far_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = watched(monkeypatch, WHOLE, lambda p: True)
    monkeypatch.setattr(minimisation, "SECONDS", 0.0)
    found = minimisation.simplest(Plan("reference", 0), seen(WHOLE), ())
    assert found.steady and found.problem is WHOLE and len(tried) == 2


def test_nothing_is_added_to_what_was_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a component, A would be an operand that the program has not got."""
    watched(monkeypatch, WHOLE, lambda p: str(p.operands["A"].format) == "CSR")
    found = minimisation.simplest(Plan("reference", 0), seen(WHOLE), ()).problem
    assert found.operands["A"].nnz == 1 and found.extents == {"i": 1, "j": 1}


def test_what_is_shown_where_another_is_known_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of compressed levels has been found in rows, and is met again in columns of rows."""
    doubly = Problem("R(i,j) = A(i,j)", {"A": ROWS.convert("DCSR")}, "dd")
    known = ingredients(Problem("R(i,j) = A(i,j)", {"A": ROWS}, "dd"))
    made = seen(doubly)
    watched(monkeypatch, doubly, lambda p: p.operands["A"].format.levels[1].name == "compressed")
    found = minimisation.simplest(Plan("reference", 0), made, (known,))
    assert known <= found.plainest and not known <= ingredients(found.problem)


def test_what_is_not_shown_again_is_not_steady(monkeypatch: pytest.MonkeyPatch) -> None:
    watched(monkeypatch, WHOLE, lambda p: False)
    found = minimisation.simplest(Plan("reference", 0), seen(WHOLE), ())
    assert not found.steady and found.problem is WHOLE


def test_formats_become_plain_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    a = gn.tensor([[0, 1], [1, 0]], [1.0, 2.0], (2, 2), "hashed,bitmap")
    problem = Problem("R(i,j) = A(i,j) + B(i,j)", {"A": a, "B": a.convert("DCSR")}, "CSC")

    def is_hashed(problem: Problem) -> bool:
        return any(level.name == "hashed" for t in problem.operands.values() for level in t.format.levels)

    watched(monkeypatch, problem, is_hashed)
    found = minimisation.simplest(Plan("reference", 0), seen(problem), ()).problem
    levels = {name: [level.name for level in t.format.levels] for name, t in found.operands.items()}
    assert (levels, str(found.out)) == ({"A": ["hashed", "dense"], "B": ["dense", "dense"]}, "dense,dense")


def test_what_does_not_show_again_is_shrunk_no_further() -> None:
    """A backend that races fails now and then."""
    asked: list[Problem] = []

    def shows(problem: Problem) -> bool:
        asked.append(problem)
        return False

    minimisation.shrink(Plan("reference", 1).units, 1, 4, shows)
    assert asked
