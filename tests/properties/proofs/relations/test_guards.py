"""Guards are asked for where they are needed, and a check that leaves them out is refuted."""

from __future__ import annotations

from typing import Any

import pytest
from gnomon.properties.proofs.relations.guards import Recovered, asked, needed, obligations, sound
from gnomon.properties.proofs.relations.relation_chains import FIRST
from gnomon.properties.proofs.relations.symbolic import Raised, explore
from gnomon.properties.proofs.solver import exhibit, z3
from gnomon.properties.proofs.verdict import Proved, Refuted
from gnomon.reference.statement.derivation import Bound, derived_variables
from gnomon.reference.statement.provenance import Split
from gnomon.reference.statement.provenance_graph import ProvenanceGraph

QUICK = [each for each in obligations() if not each.slow]


@pytest.mark.parametrize("obligation", QUICK, ids=lambda o: o.id)
def test_guards_are_told_exactly(obligation: Any) -> None:
    assert obligation.prove() == Proved()


def hopeful(graph: ProvenanceGraph, variable: str) -> bool:
    """A check by which every bound makes tiles fit."""
    made = graph.relation_of(variable)
    fits = isinstance(made, Bound)
    return all(
        (fits or not isinstance(use, Split)) and all(hopeful(graph, v) for v in derived_variables(use))
        for use in graph.uses(variable)
    )


def test_a_bound_that_does_not_fit_keeps_nothing_inside() -> None:
    assert sound(2, "bound") == Proved()
    verdict = sound(2, "bound", hopeful)
    assert isinstance(verdict, Refuted)
    assert "split(ib" in dict(verdict.counterexample)["schedule"]
    assert not ProvenanceGraph((Bound("i", "b", 10, "divisible"), Split("b", "b0", "b1", 4))).is_in_bounds("b")


def test_a_check_that_asks_for_no_guard_is_refuted() -> None:
    verdict = sound(1, "split", lambda graph, variable: True)
    assert isinstance(verdict, Refuted)
    found = {name: int(value) for name, value in verdict.counterexample if name != "schedule"}
    assert found["i0"] * found["size0"] + found["i1"] >= found["N_i"]
    assert 0 <= found["i0"] < -(-found["N_i"] // found["size0"]) and 0 <= found["i1"] < found["size0"]


def test_a_check_that_asks_for_guards_everywhere_is_refuted() -> None:
    assert isinstance(needed(1, "bound", lambda graph, variable: False), Refuted)


def test_what_is_assumed_can_be_met() -> None:
    for first in FIRST:
        for chain, variable in asked(1, first):

            def met(run: Any, nest: Any = chain.nest, variable: str = variable) -> Any:
                found = Recovered(nest.sized(run), run)
                return found.is_inside(variable, found.value(variable))

            paths = [p for p in explore(met) if not isinstance(p.result, Raised)]
            assert any(isinstance(exhibit([*p.condition, p.result, z3.Int("N_i") > 1], {}), Proved) for p in paths)
