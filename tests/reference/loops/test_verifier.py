"""Plans keep the rules, and broken ones are found out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gnomon.properties.campaign.units import nth_program
from gnomon.properties.programs.features import EVERYTHING
from gnomon.reference.errors import InternalError
from gnomon.reference.loops.plan import LoopPlan, Node, Planner
from gnomon.reference.loops.terms import Coordinate, Extent, Range, SegmentBegin, Standing, Stored
from gnomon.reference.loops.verifier import verify_plan, violations
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.statement.relation import Pos
from gnomon.reference.storage.packing import tensor
from msgspec.structs import replace

A = tensor(np.array([[0, 1, 1], [1, 0, 2]]), np.ones(3), (2, 3), "CSR")


def plan(schedule: str | None = None) -> Node:
    """The plan of a product with a vector."""
    ready = prepare("y(i) = A(i,j) * x(j)", {"A": A, "x": np.ones(3)}, schedule=schedule)
    return Planner(ready.program).root()


def inner() -> LoopPlan:
    """The loop over the columns."""
    outer = plan()
    assert isinstance(outer, LoopPlan)
    body = outer.case(frozenset())
    assert isinstance(body, LoopPlan)
    return body


@pytest.mark.parametrize("begin", range(0, 30, 10))
def test_plans_of_random_programs_keep_the_rules(begin: int) -> None:
    for number in range(begin, begin + 10):
        verify_plan(Planner(nth_program(EVERYTHING, 18, number).ready.program).root())


@pytest.mark.parametrize("schedule", ["split(i,i0,i1,2)", "collapse(i,j,f),pos(f,p,A(i,j)),split(p,p0,p1,2)"])
def test_plans_of_schedules_keep_the_rules(schedule: str) -> None:
    assert list(violations(plan(schedule))) == []


@pytest.mark.parametrize(
    ("term", "said"),
    [
        (Coordinate("k"), "no loop around gives k"),
        (Stored("j"), "j has not been found in storage"),
        (Coordinate("i") + Coordinate("j"), "no loop around gives j"),
    ],
)
def test_terms_speak_of_what_is_known(term: Any, said: str) -> None:
    loop = inner()
    assert said in list(violations(replace(loop, range=Range(0, term))))
    assert said in list(violations(replace(loop, range=Range(term, 0))))


def test_terms_speak_of_levels_that_are_known() -> None:
    loop = inner()
    access = loop.coiterated[0].active.access
    deep = Pos("j", "p", access, 2, 2)
    assert "is not known" in next(iter(violations(replace(loop, range=Range(0, SegmentBegin(deep))))))
    assert "is not known" in next(iter(violations(replace(loop, range=Range(0, Standing(deep))))))


def test_a_derived_variable_has_no_extent_of_its_own() -> None:
    outer = plan("split(i,i0,i1,2)")
    assert isinstance(outer, LoopPlan)
    wrong = replace(outer, range=Range(0, Extent("i0")))
    assert "i0 is derived, and has no extent of its own" in list(violations(wrong))


def test_guards_stand_where_something_is_completed() -> None:
    wrong = replace(inner(), completed=("i",))
    assert list(violations(wrong)) == ["j: guards stand where nothing is completed"]
    with pytest.raises(InternalError, match="guards stand where nothing is completed"):
        verify_plan(wrong)


def test_every_access_that_becomes_known_is_placed() -> None:
    loop = inner()
    assert "j: 1 of 2 accesses are placed" in list(violations(replace(loop, located=())))
    (placement,) = loop.coiterated
    early = replace(placement, active=replace(placement.active, first=0))
    assert "j: A(i,j) is placed from level 1 on" in list(violations(replace(loop, coiterated=(early,))))
