"""Arithmetic of commands: factors map loops one to one, ranges are as bounds say, and wrong functions are found out."""

from __future__ import annotations

from typing import Any

import pytest
from gnomon.generator.runtime.request import make_request
from gnomon.properties.proofs.relations.symbolic import Execution
from gnomon.properties.proofs.schedules import schedule_arithmetic
from gnomon.properties.proofs.schedules.schedule_arithmetic import draw_parents, one_to_one, within
from gnomon.properties.proofs.solver import Found, search, z3
from gnomon.properties.proofs.verdict import Bounded, Proved, Refuted
from gnomon.reference.schedule.application import apply_schedule
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.schedule.schedule import as_schedule
from gnomon.reference.statement.relation import Bound, Collapse, Derivation, Divide, Split, recover_derived
from gnomon.reference.statement.statement import Program


def program(schedule: str = "") -> Program:
    """A product of a matrix and a vector, of any extents."""
    request = make_request("y(i) = A(i,j) * x(j)", {"A": "CSR"})
    return apply_schedule(request.program, as_schedule(schedule))


@pytest.mark.parametrize(
    "relation",
    [
        *(Split("i", "a", "b", size) for size in (1, 2, 7, 2**31)),
        *(Divide("i", "a", "b", parts) for parts in (1, 3, 1000)),
        Collapse("i", "j", "f"),
        Bound("i", "b", 4, "divisible"),
    ],
)
def test_relations_map_one_to_one(relation: Derivation) -> None:
    assert one_to_one(program(), relation) == Proved()


@pytest.mark.parametrize(
    "relation",
    [*(kind("i", "a", "b", factor) for kind in (Split, Divide) for factor in (0, -1, -3))],
)
def test_factors_that_are_not_positive_do_not(relation: Split | Divide) -> None:
    verdict = one_to_one(program(), relation)
    assert isinstance(verdict, Refuted)
    i = int(dict(verdict.counterexample)["i"])
    if isinstance(relation, Split) and relation.factor < 0:
        assert not 0 <= i % relation.factor < relation.factor


def test_positions_are_not_collapsed_one_to_one_since_rows_differ_in_length() -> None:
    verdict = one_to_one(program("pos(j,p,A(i,j))"), Collapse("i", "p", "f"))
    assert isinstance(verdict, Refuted)


def test_a_wrong_recovery_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(relation: Any, variable: str, values: Any, space: Any) -> Any:
        return values["i"] // 2 if variable == "b" else recover_derived(relation, variable, values, space)

    monkeypatch.setattr(schedule_arithmetic, "recover_derived", wrong)
    verdict = one_to_one(program(), Split("i", "a", "b", 3))
    assert isinstance(verdict, Refuted)
    i = int(dict(verdict.counterexample)["i"])
    assert not (i // 3 * 3 + i // 2 == i and i // 2 < 3)


def test_a_wrong_extent_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedule_arithmetic, "extent_of", lambda relation, variable, count: count("i") // 3)
    assert isinstance(one_to_one(program(), Split("i", "a", "b", 3)), Refuted)


def test_what_is_assumed_can_be_met() -> None:
    run = Execution()
    values, lengths = draw_parents(program(), Collapse("i", "j", "f"), run)
    assert lengths.extent("j").term is not None
    assert isinstance(search(run.decisions, {v: each.term for v, each in values.items()}), Found)
    assert not z3.is_false(z3.simplify(z3.And(*run.decisions)))


@pytest.mark.parametrize(
    ("kind", "size", "expected"),
    [
        ("max_exact", 3, Proved), ("max_exact", 4, Refuted), ("max_constraint", 3, Proved),
        ("max_constraint", 2, Refuted), ("min_exact", 0, Proved), ("min_constraint", 1, Refuted),
        ("divisible", 3, Proved), ("divisible", 2, Refuted), ("divisible", 0, Refuted),
    ],
)  # fmt: skip
def test_a_bound_on_a_known_range_holds_or_does_not(kind: str, size: int, expected: type) -> None:
    ready = prepare("y(i) = x(i)", {"x": [1.0, 2.0, 3.0]})
    assert isinstance(within(ready.program, Bound("i", "b", size, kind)), expected)


@pytest.mark.parametrize(
    ("kind", "size", "expected"),
    [("max_exact", 3, Bounded), ("min_exact", 0, Proved), ("divisible", 1, Proved), ("divisible", 0, Refuted)],
)
def test_a_bound_on_any_range_is_an_assumption_unless_it_always_holds(kind: str, size: int, expected: type) -> None:
    assert isinstance(within(program(), Bound("i", "b", size, kind)), expected)
