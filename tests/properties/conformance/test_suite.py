"""The suite: a property for every rule of the specification, the same cases everywhere."""

import subprocess
import sys
from pathlib import Path

import pytest
from gnomon.properties.backends.own import Reference
from gnomon.properties.conformance import suite as module
from gnomon.properties.conformance.suite import RULES, identity, suite
from gnomon.properties.programs.features import EVERYTHING
from gnomon.properties.programs.problem import Problem
from gnomon.properties.specification.rules import rules_of
from gnomon.reference.errors import GnomonError
from gnomon.reference.statement.tags import UNITS
from msgspec.structs import replace

SPEC = Path(__file__).parents[3] / "docs" / "spec"


def test_every_rule_of_the_specification_is_in_the_suite() -> None:
    stated = {rule.name for rule in rules_of(SPEC) if not rule.no_case}
    assert {rule.id for rule in RULES} == stated
    assert {case.rule for case in suite()} == stated


def test_every_rule_has_cases_that_have_a_meaning() -> None:
    assert [rule.id for rule in RULES if not rule.meant and rule.shows is None] == []


def test_cases_have_ids_of_their_own_and_are_within_the_features() -> None:
    assert len({case.id for case in suite()}) == len(suite())
    every = replace(EVERYTHING, units=UNITS)
    for case in suite():
        if not case.refused:
            assert every.lacks(case.problem) is None
            assert case.problem.ready is not None


@pytest.mark.parametrize("problem", [problem for rule in RULES for problem in rule.refused], ids=lambda p: p.source)
def test_what_must_be_refused_has_no_meaning(problem: Problem) -> None:
    with pytest.raises(GnomonError):
        Reference().run(problem)


FEW = """
from gnomon.properties.conformance import suite
suite.POOL = 10
print(suite.identity())
"""


def test_the_suite_is_the_same_in_every_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """A suite of few random programs."""
    done = subprocess.run([sys.executable, "-c", FEW], capture_output=True, text=True, check=True)
    monkeypatch.setattr(module, "POOL", 10)
    monkeypatch.setattr(module, "suite", suite.__wrapped__)
    assert done.stdout.strip() == identity.__wrapped__()
