"""Plans say all that engines need of a loop, so that none of them plans it again."""

from __future__ import annotations

from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.errors import ScheduleError
from gnomon.reference.loops.plan import LoopPlan, Node, Planner, WherePlan
from gnomon.reference.loops.terms import Coordinate, Extent, Range, least
from gnomon.reference.notation.syntax import Access
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.statement.statement import reads

ROWS = gn.tensor(np.array([[0, 2], [1, 0]]), np.ones(2), (3, 3), "CSR")


def planner(expression: str, *, fits: bool = False, schedule: str | None = None, **operands: Any) -> Planner:
    """What plans an expression."""
    return Planner(prepare(expression, operands, schedule=schedule).program, fits)


def loops(node: Node | None) -> list[LoopPlan]:
    """The loops of a nest, where nothing is missing."""
    return [node, *loops(node.body)] if isinstance(node, LoopPlan) else []


def test_a_loop_over_a_derived_variable_begins_with_the_first_that_it_has_become() -> None:
    schedule = "pos(j,p,A(i,j)),bound(p,b,2,max_constraint)"
    nest = loops(planner("y(i) = A(i,j) * x(j)", schedule=schedule, A=ROWS, x=np.ones(3)).root())
    assert [(loop.index, loop.begins and loop.begins.index) for loop in nest] == [("i", "i"), ("j", "b"), ("b", None)]
    assert [[bound.bounded for bound in loop.checks] for loop in nest] == [[], ["b"], []]
    assert [loop.completed for loop in nest] == [(), (), ("j",)]


@pytest.mark.parametrize("engine", ["reference", "c"])
def test_bounds_are_checked_where_their_loop_begins_whether_or_not_it_visits_anything(engine: str) -> None:
    schedule = "pos(j,p,A(i,j)),bound(p,b,1,max_exact)"
    with pytest.raises(ScheduleError, match=r"bound|max_exact"):
        gn.evaluate("y(i) = A(i,j) * x(j)", A=ROWS, x=np.ones(3), schedule=schedule, engine=engine)


def test_blocks_fit_where_extents_are_multiples_of_them() -> None:
    blocks = ROWS.convert("BCSR(2,2)")
    ranges = [
        {
            loop.index: loop.range
            for loop in loops(planner("y(i) = A(i,j) * x(j)", fits=fits, A=blocks, x=np.ones(3)).root())
        }
        for fits in (False, True)
    ]
    rest = Extent("i") - Coordinate("io") * 2
    assert [found["ii"] for found in ranges] == [Range(0, least(2, rest), whole=True), Range(0, 2, whole=True)]


def test_the_loop_over_the_last_part_of_a_variable_recovers_it() -> None:
    blocks = ROWS.convert("BCSR(2,2)")
    nest = loops(planner("y(i) = A(i,j) * x(j)", A=blocks, x=np.ones(3)).root())
    whole = {v: Coordinate(f"{v}o") * 2 + Coordinate(f"{v}i") for v in "ij"}
    assert {loop.index: dict(loop.recovered) for loop in nest if loop.recovered} == {
        "ii": {"i": whole["i"]},
        "ji": {"j": whole["j"]},
    }


def test_what_is_left_of_the_body_of_a_merge_of_many() -> None:
    three = dict.fromkeys("ABC", ROWS)
    outer = planner("D(i,j) = A(i,j) + B(i,j) + C(i,j)", **three).root()
    (_, loop) = loops(outer)
    assert loop.strategy.flagged
    every = {name: Access(name, ("i", "j"), ("i", "j")) for name in three}
    assert loop.body_left(frozenset(), frozenset(every.values())) is None
    left = loop.body_left(frozenset({every["A"]}), frozenset({every["B"]}))
    assert left is not None
    assert set(reads(left.statement)) == {every["A"], every["C"]}
    assert left.surroundings.optional == {every["C"]}


def test_a_workspace_may_be_missing_where_its_producer_may_have_nothing_to_do() -> None:
    rows = ROWS.convert("DCSR")

    def missing(expression: str, schedule: str, names: str) -> set[str]:
        """The tensors that may be missing where the consumer runs."""
        operands = dict.fromkeys(names, rows) | ({"x": np.ones(3)} if "x" in expression else {})
        (outer,) = loops(planner(expression, schedule=schedule, **operands).root())
        assert isinstance(outer.body, WherePlan)
        return {access.tensor for access in outer.body.consumer.surroundings.optional}

    merged = "D(i,j) = (A(i,j) + B(i,j) + C(i,j)) * x(j)"
    assert missing(merged, "precompute(x(j),{j},{jw},w)", "ABC") == {"A", "B", "C"}
    parts = "D(i,j) = (A(i,j) + B(i,j)) + C(i,j) + E(i,j) + F(i,j)"
    assert missing(parts, "precompute(A(i,j)+B(i,j),{j},{jw},w)", "ABCEF") == {"A", "B", "C", "E", "F", "w"}
