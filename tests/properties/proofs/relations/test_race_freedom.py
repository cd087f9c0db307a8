"""Races are told where they are, and a check that tells too few or too many is refuted."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pytest
from depth import DEEP
from gnomon.properties.proofs.relations.race_freedom import (
    accepts,
    apart,
    may_lose,
    possible,
    questions,
    sound,
    values,
    with_duplicates,
    witness,
)
from gnomon.properties.proofs.relations.relation_chains import FIRST
from gnomon.properties.proofs.relations.reordering import is_unordered
from gnomon.properties.proofs.relations.symbolic import Raised, explore
from gnomon.properties.proofs.solver import exhibit
from gnomon.properties.proofs.verdict import Proved, Refuted, Unknown
from gnomon.reference.algebra.operators import ADD, OPERATORS, SUB
from gnomon.reference.errors import ScheduleError
from gnomon.reference.notation.syntax import Access, Literal
from gnomon.reference.schedule.nests import loops
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.schedule.races import Race, is_determined, races
from gnomon.reference.statement.relation import parents
from gnomon.reference.statement.statement import Assign, Program
from gnomon.reference.statement.tags import STRATEGIES


def careless(program: Program, variable: str, known: Collection[str]) -> bool:
    """A check that takes positions of levels that are not unique for determined."""
    relation = program.provenance.derivation_of(variable)
    if variable in known or relation is None:
        return variable in known
    return all(careless(program, parent, known) for parent in parents(relation))


def test_positions_of_duplicates_race() -> None:
    asked = list(with_duplicates(questions(1, "pos")))
    assert sound(asked) == Proved()
    verdict = sound(asked, careless)
    assert isinstance(verdict, Refuted)
    found = dict(verdict.counterexample)
    assert found["loop"].startswith("ip by i") and found["i"] == found["i_"]
    duplicates = np.array([[0, 0], [0, 1]])
    from gnomon.reference.storage.packing import tensor

    a = tensor(duplicates, np.ones(2), (2, 2), "COO")
    ready = prepare("y(i) = A(i,j) * x(j)", {"A": a, "x": np.ones(2)}, schedule="pos(i,p,A(i,j))")
    loop, around = next(loops(ready.program.statement, "p"))
    assert not is_determined(ready.program, "p", ("i",)) and careless(ready.program, "p", ("i",))
    assert any(True for _ in races(ready.program, loop, around))


def test_a_check_that_sees_no_race_is_refuted() -> None:
    for first in FIRST:
        assert isinstance(sound(questions(1, first), lambda program, variable, known: True), Refuted)


def test_a_check_that_sees_races_everywhere_is_refuted() -> None:
    for first in FIRST[:: 1 if DEEP else 2]:
        assert isinstance(witness(questions(1, first), lambda program, variable, known: False), Refuted)


def test_what_is_assumed_can_be_met() -> None:
    for first in FIRST[:: 1 if DEEP else 2]:
        for question in questions(1, first):
            paths = [p for p in explore(lambda run, q=question: values(q, run)) if not isinstance(p.result, Raised)]
            assert any(isinstance(exhibit([*p.condition, p.result[0]], {}), Proved) for p in paths)  # type: ignore[index]


def test_a_strategy_that_refused_more_would_be_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    from gnomon.properties.proofs.relations import race_freedom

    def refuse(loop: object, race: object, strategy: object) -> None:
        raise ScheduleError("no")

    monkeypatch.setattr(race_freedom, "check_race", refuse)
    added = Race(Assign(Access("y", ("i",)), Literal(1), ADD), True)
    refuted = {name for name in STRATEGIES if isinstance(accepts(name, added), Refuted)}
    assert refuted == {*STRATEGIES} - {"NoRaces"}


def test_what_is_lost_and_what_is_not() -> None:
    found = may_lose(ADD)
    assert isinstance(found, Proved) and {name for name, _ in found.witness} == {"before", "first", "second"}
    assert isinstance(may_lose(OPERATORS["second"]), Proved) and isinstance(may_lose(OPERATORS["first"]), Refuted)
    assert isinstance(may_lose(None), Proved) and isinstance(apart(), Proved)


def test_a_strategy_that_accepted_more_would_be_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    from gnomon.properties.proofs.relations import race_freedom

    assert all(isinstance(accepts(name, race), Proved) for name in STRATEGIES for race in possible())
    monkeypatch.setattr(race_freedom, "check_race", lambda loop, race, strategy: None)
    target = Access("y", ("i",))
    stored, added = Assign(target, Literal(1)), Assign(target, Literal(1), ADD)
    assert isinstance(accepts("NoRaces", Race(added, True)), Refuted)
    assert isinstance(accepts("Atomics", Race(stored, True)), Refuted)
    assert isinstance(accepts("Temporary", Race(added, False)), Refuted)
    assert isinstance(accepts("Atomics", Race(Assign(target, Literal(1), SUB), True)), Unknown)
    assert isinstance(is_unordered(SUB), Unknown)
