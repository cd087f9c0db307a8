"""Kinds of bounds: what holds of each, and what a graph that says otherwise would be told."""

from __future__ import annotations

from typing import Any

import pytest
from gnomon.properties.proofs.obligation import Obligation
from gnomon.properties.proofs.relations import bound_kinds
from gnomon.properties.proofs.relations.bound_kinds import fits_some, fitting, of_kinds, rest, unfitting
from gnomon.properties.proofs.relations.symbolic import Raised, explore
from gnomon.properties.proofs.solver import exhibit
from gnomon.properties.proofs.verdict import Proved, Refuted
from gnomon.reference.statement.derivation import KINDS
from gnomon.reference.statement.provenance_graph import ProvenanceGraph


@pytest.mark.parametrize("obligation", [o for o in of_kinds() if not o.id.endswith("divisible")], ids=lambda o: o.id)
def test_kinds_are_proved_with_numbers_for_which_their_bounds_hold(obligation: Obligation) -> None:
    found = obligation.prove()
    assert isinstance(found, Proved)
    shown = {name: int(value) for name, value in found.witness}
    assert shown["begin"] <= shown["end"] > 0


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_assumed_can_be_met(kind: str) -> None:
    paths = explore(lambda run: bound_kinds.bounded(kind, run, from_zero=fits_some(kind)).fits())
    taken = [path for path in paths if not isinstance(path.result, Raised)]
    assert {path.result for path in taken} == ({True, False} if fits_some(kind) else {False})
    assert any(isinstance(exhibit(path.condition, {}), Proved) for path in taken)


class Generous(ProvenanceGraph):
    """A graph by which a factor fits every kind of bound whose size it divides."""

    def fits(self, variable: str, size: int) -> Any:
        made: Any = self.relation_of(variable)
        return made.size % size == 0


def test_a_graph_by_which_every_kind_fits_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bound_kinds, "ProvenanceGraph", Generous)
    assert {kind for kind in KINDS if isinstance(fitting(kind), Refuted)} == {"max_constraint"}
    assert isinstance(unfitting("min_exact"), Refuted) and isinstance(unfitting("min_constraint"), Refuted)
    assert isinstance(rest("divisible"), Proved)
