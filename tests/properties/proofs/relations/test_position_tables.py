"""What spaces tell of storage is what proofs take for granted, and tables that are wrong are refuted."""

from __future__ import annotations

from bisect import bisect_left
from typing import Any

import pytest
from gnomon.properties.proofs.relations.position_tables import (
    FEW,
    VECTOR,
    coordinates,
    followers,
    obligations,
    on_lists,
    windows,
)
from gnomon.properties.proofs.relations.symbolic import explore
from gnomon.properties.proofs.solver import exhibit
from gnomon.properties.proofs.verdict import Bounded, Proved, Refuted
from gnomon.reference.execution.spaces import Spaces
from gnomon.reference.levels.compressed import Compressed


@pytest.mark.parametrize("obligation", obligations(), ids=lambda o: o.id)
def test_tables_are_as_taken_for_granted(obligation: Any) -> None:
    assert obligation.prove() == Bounded(FEW)


def plain(held: list[int]) -> Spaces:
    """Spaces over a list of plain coordinates."""
    from gnomon.properties.proofs.relations.position_tables import spaces

    return spaces([Compressed().bind({"pos": [0, len(held)], "crd": held, "N": 9})])


def test_following_that_stays_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Spaces, "following", Spaces.coordinate)
    verdict = on_lists(followers)
    assert isinstance(verdict, Refuted)
    found = {name: int(value) for name, value in verdict.counterexample}
    held = [found["c0"], found["c1"], found["c2"]]
    p = found["p"]
    assert plain(held).following(VECTOR, p) == held[p] != held[p + 1]


def test_a_window_without_its_last_coordinate_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    before = Spaces.stored

    def early(self: Spaces, relation: Any, places: Any) -> Any:
        return before(self, relation, lambda: (places()[0], places()[1] - 1))

    monkeypatch.setattr(Spaces, "stored", early)
    verdict = on_lists(windows)
    assert isinstance(verdict, Refuted)
    found = {name: int(value) for name, value in verdict.counterexample}
    monkeypatch.setattr(Spaces, "stored", before)
    begin, end = found["begin"], found["end"]
    held = [found["c0"], found["c1"], found["c2"]]
    right = [plain(held[:n]).stored(VECTOR, lambda: (begin, end))() for n in (1, 2, 3)]
    wrong = [early(plain(held[:n]), VECTOR, lambda: (begin, end))() for n in (1, 2, 3)]
    assert right != wrong


def test_a_coordinate_one_further_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    def further(self: Spaces, relation: Any, position: Any) -> Any:
        positions, held = self.table(relation)
        return held[bisect_left(positions, position) - 1]

    monkeypatch.setattr(Spaces, "coordinate", further)
    assert isinstance(on_lists(coordinates), Refuted)


def test_what_is_assumed_can_be_met() -> None:
    from gnomon.properties.proofs.relations.position_tables import listed, segments

    for check in (coordinates, followers, windows):
        paths = explore(lambda run, check=check: check(*listed(run, 3), run))
        assert any(isinstance(exhibit([*p.condition, p.result], {}), Proved) for p in paths)
    assert any(isinstance(exhibit([*p.condition, p.result], {}), Proved) for p in explore(lambda run: segments(run, 3)))
