"""Nested reductions commute by their laws, and what does not distribute does not move."""

from __future__ import annotations

from typing import Any

import pytest
from gnomon.properties.proofs.relations.reordering import PLUS, associates, block, moves, numbers, obligations
from gnomon.properties.proofs.solver import decide, exhibit
from gnomon.properties.proofs.verdict import Proved, Refuted, Unknown
from gnomon.reference.algebra.operators import ADD, DECLARED, MAX, MIN, MUL
from msgspec.structs import replace


@pytest.mark.every(3)
@pytest.mark.parametrize("obligation", obligations(), ids=lambda o: o.id)
def test_reductions_may_be_reordered(obligation: Any) -> None:
    assert obligation.prove() == Proved()


def test_every_operator_with_a_reduction_is_there() -> None:
    ids = {each.id.rpartition(".")[2] for each in obligations() if ".interchange." in each.id}
    assert ids == {operator.name for operator in DECLARED if operator.reduction is not None}


def test_associativity_alone_does_not_suffice() -> None:
    a, b, c, d = numbers("a b c d")
    goal = PLUS(PLUS(a, b), PLUS(c, d)) == PLUS(PLUS(a, c), PLUS(b, d))
    given = [associates(a, b, PLUS(c, d)), associates(b, c, d), associates(c, b, d), associates(a, c, PLUS(b, d))]
    assert isinstance(decide(goal, given=given), Refuted)
    assert block() == Proved()
    assert isinstance(exhibit(given, {}), Proved)


def test_an_operator_that_does_not_distribute_does_not_move() -> None:
    wrong = replace(ADD, distributes_over=frozenset({"add"}))
    verdict = moves(wrong, ADD)
    assert isinstance(verdict, Refuted)
    a, b, c = (int(dict(verdict.counterexample).get(name, "0")) for name in "abc")
    assert (a + b) + c != (a + c) + (b + c) or c + (a + b) != (c + a) + (c + b) or a + (b + c) != (a + b) + (a + c)
    assert isinstance(moves(replace(MAX, distributes_over=frozenset({"add"})), ADD), Refuted)
    assert isinstance(moves(MAX, MUL), Unknown)
    assert moves(MUL, ADD) == Proved() and moves(ADD, MIN) == Proved()
