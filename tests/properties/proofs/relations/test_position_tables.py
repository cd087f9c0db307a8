"""What the interpreter finds in storage is what proofs take for granted, and functions that are wrong are refuted."""

from __future__ import annotations

from typing import Any

import pytest
from gnomon.properties.proofs.relations.position_tables import (
    CLAIMS,
    FEW,
    MATRIX,
    VECTOR,
    few,
    obligations,
    rows,
    state,
)
from gnomon.properties.proofs.relations.symbolic import explore
from gnomon.properties.proofs.solver import exhibit
from gnomon.properties.proofs.verdict import Bounded, Proved, Refuted
from gnomon.reference.execution import numbers
from gnomon.reference.levels.compressed import Compressed


@pytest.mark.every(2)
@pytest.mark.parametrize("obligation", obligations(), ids=lambda o: o.id)
def test_tables_are_as_taken_for_granted(obligation: Any) -> None:
    assert obligation.prove() == Bounded(FEW)


def wrong(monkeypatch: pytest.MonkeyPatch, claim: str, name: str, function: Any) -> dict[str, int]:
    """The counterexample to a claim, by one wrong function."""
    monkeypatch.setattr(numbers, name, function)
    verdict = few(CLAIMS[claim][1])
    assert isinstance(verdict, Refuted)
    return {key: int(value) for key, value in verdict.counterexample if key != "error"}


def test_a_coordinate_of_the_position_before_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    before = numbers.coordinates_at

    def earlier(relation: Any, position: Any, state: Any) -> Any:
        return before(relation, position - 1, state)

    found = wrong(monkeypatch, "coordinate", "coordinates_at", earlier)
    held = [found["c0"], found["c1"], found["c2"]]
    level = Compressed().bind({"pos": [0, 3], "crd": held, "N": 9})
    right, late = (read(VECTOR, found["p"], state([level])) for read in (before, earlier))
    assert right != late and right in ({"i": held[found["p"]]} if 0 <= found["p"] < 3 else None, None)


def test_positions_below_the_first_parent_alone_are_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    before = numbers.below

    def first(levels: Any, begin: Any, end: Any) -> Any:
        return before(levels, begin, begin + 1) if end > begin else before(levels, begin, end)

    found = wrong(monkeypatch, "consecutive", "below", first)
    pos = [found["pos0"], found["pos1"], found["pos2"]]
    columns = Compressed().bind({"pos": pos, "crd": [], "N": 9})
    assert before((columns,), 0, 2) != first((columns,), 0, 2) or pos[1] == pos[2]


def test_a_segment_that_is_one_short_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    before = numbers.segment

    def short(relation: Any, state: Any) -> Any:
        begin, end = before(relation, state)
        return begin, end - 1

    wrong(monkeypatch, "segment", "segment", short)
    levels = [rows(2), Compressed().bind({"pos": [0, 1, 3], "crd": [0, 0, 1], "N": 3})]
    assert before(MATRIX, state(levels)) == (0, 3)


@pytest.mark.parametrize("claim", ["kept", "kept.branchless", "last"])
@pytest.mark.parametrize("answer", [True, False])
def test_a_walk_that_keeps_to_everything_or_nothing_is_refuted(
    claim: str, answer: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong(monkeypatch, claim, "is_kept", lambda kept, level, p, state: answer)


def test_a_walk_that_keeps_to_parents_without_children_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    def loose(kept: Any, level: int, p: int, state: Any) -> bool:
        first, last = (bound + numbers.segment(kept.relation, state)[0] for bound in numbers.limits(kept.window, state))
        begin, end = numbers.below(state.sources["A"].levels[level + 1 :], p, p + 1)
        return bool(first < end and begin < last)

    wrong(monkeypatch, "kept", "is_kept", loose)


@pytest.mark.parametrize("claim", CLAIMS)
def test_what_is_assumed_can_be_met(claim: str) -> None:
    paths = explore(lambda run: CLAIMS[claim][1](run, 3))
    assert any(isinstance(exhibit([*p.condition, p.result], {}), Proved) for p in paths)
