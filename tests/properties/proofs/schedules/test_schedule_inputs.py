"""Inputs: small operands as questions want them, and schedules that go wrong on them."""

from __future__ import annotations

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.proofs.schedules.schedule_inputs import (
    Question,
    counterexample,
    inputs,
    literal,
    plain,
    same,
    wrong,
)
from gnomon.reference.notation.text import as_text
from gnomon.reference.schedule.schedule import Schedule, as_schedule
from gnomon.reference.storage.format import Format
from gnomon.reference.storage.spec import spec

SPMV = Question(as_text("y(i) = A(i,j) * x(j)"), {"A": "CSR"})


def test_operands_are_stored_as_asked_and_meet_and_miss_each_other() -> None:
    question = Question(as_text("C(i,j) = A(i,j) + B(i,j)"), {"A": "CSR", "B": spec("DCSR", dtype="int32", fill=3)})
    made = list(inputs(question))
    assert all((m["A"].format.name, m["B"].format.name) == ("CSR", "DCSR") for m in made)
    assert all(m["B"].dtype == np.int32 and m["B"].fill == 3 for m in made)
    places = [[{i for i, _ in m[name].entries()} for name in "AB"] for m in made]
    assert any(a == b for a, b in places) and any(a and b and not a & b for a, b in places)
    assert any(a < b for a, b in places) and any(b < a for a, b in places)


def test_duplicates_and_disorder_are_there_where_a_format_allows_them() -> None:
    question = Question(as_text("y(i) = v(i)"), {"v": "compressed(nonunique,unordered)"})
    held = [[i for i, _ in made["v"].entries()] for made in inputs(question)]
    assert any(len(set(each)) < len(each) for each in held)
    assert any(list(made["v"].levels[0]["crd"]) != sorted(made["v"].levels[0]["crd"]) for made in inputs(question))


def test_operands_of_a_semiring_are_filled_with_what_is_absent() -> None:
    question = Question(as_text("a = x(i) * x(i)"), {"x": "SparseVector"}, semiring="min_plus")
    assert {made["x"].fill for made in inputs(question)} == {np.inf}


def test_extents_may_be_given() -> None:
    question = Question(as_text("y(i) = A(i,j) * x(j)"), {"A": "CSR"}, extents={"i": 7})
    assert {made["A"].shape[0] for made in inputs(question)} == {7}


def test_a_schedule_that_goes_wrong_is_shown_with_the_operands() -> None:
    found = counterexample(SPMV, Schedule(), (as_schedule("parallelize(j,CPUThread,NoRaces)"),))
    assert found is not None and "both write y(0)" in found.found
    assert found.program().startswith("gn.evaluate('y(i) = A(i,j) * x(j)', A=gn.tensor([[")
    assert found.program().endswith("schedule='parallelize(j,CPUThread,NoRaces)', unchecked=True)")


@pytest.mark.parametrize("schedule", ["parallelize(i,CPUThread,NoRaces)", "split(j,u,v,2)", "split(q,u,v,2)"])
def test_a_schedule_that_is_right_or_none_at_all_is_not(schedule: str) -> None:
    assert counterexample(SPMV, Schedule(), (as_schedule(schedule),)) is None


def test_operands_on_which_earlier_commands_go_wrong_do_not_count() -> None:
    earlier = as_schedule("bound(i,b,50,max_exact)")
    later = Schedule((*earlier.commands, *as_schedule("parallelize(j,CPUThread,NoRaces)").commands))
    assert counterexample(SPMV, earlier, (later,)) is None


def test_what_is_given_comes_first() -> None:
    given = {"A": gn.tensor([[0, 0], [0, 1]], [1.0, 1.0], (1, 9), "CSR"), "x": gn.tensor([[0]], [1.0], (9,), "dense")}
    found = counterexample(SPMV, Schedule(), (as_schedule("parallelize(j,CPUThread,NoRaces)"),), (given,))
    assert found is not None and found.operands == given


def test_operands_that_do_not_fit_are_left_out() -> None:
    operands = next(iter(inputs(SPMV)))
    assert plain(SPMV, {"A": operands["A"]}) is None
    right = plain(SPMV, operands)
    assert right is not None and wrong(SPMV, operands, as_schedule("unroll(i,2)"), right) is None


def test_results_are_the_same_but_for_rounding() -> None:
    a, b = (gn.tensor([[0, 1]], values, (2,), "SparseVector") for values in ([0.1 + 0.2, 1.0], [0.3, 1.0]))
    assert same(a, b) and not same(a, gn.tensor([[0]], [0.3], (2,), "SparseVector"))
    assert not same(a, gn.tensor([[0, 1]], [0.3, 1.001], (2,), "SparseVector"))


@pytest.mark.parametrize("fill", [0, np.inf, 2.5])
def test_a_literal_means_the_tensor(fill: float) -> None:
    tensor = gn.tensor([[0, 1], [1, 0]], [1.0, -np.inf], (2, 2), Format(["dense", "compressed(nonunique)"]), fill=fill)
    found = eval(literal(tensor), {"gn": gn})
    assert list(found.entries()) == list(tensor.entries())
    assert (found.fill, found.format, found.shape) == (tensor.fill, tensor.format, tensor.shape)
