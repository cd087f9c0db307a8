"""What a request follows unasked: kept in the cache as it is, looked for anew where that is damaged."""

from __future__ import annotations

import json
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.runtime.request import make_request
from gnomon.generator.runtime.unasked import as_note, read_note, recall_unasked
from gnomon.reference.errors import ExpressionError
from gnomon.reference.schedule.branched.choice import Choice
from gnomon.reference.schedule.branched.unasked import options
from gnomon.reference.schedule.schedule import Schedule, as_schedule
from gnomon.reference.statement.statement import Program

CHAIN = "A(i,l) = B(i,j) * C(j,k) * D(k,l)"


def lowered() -> Program:
    """The statement of a product that can be taken apart."""
    request = make_request(CHAIN, {"B": "CSR"})
    return request.program


def test_notes_say_where_operands_are_sought_in() -> None:
    asked = as_schedule("auto")
    found = options(make_request(CHAIN, dict.fromkeys("BCD", "DCSR")).program, asked)
    assert isinstance(found, Choice) and "min(" in str(found)
    assert read_note(json.loads(json.dumps(as_note(found))), asked) == found


def test_notes_say_which_workspaces_are_flat() -> None:
    asked, formats = as_schedule("auto"), {"A": "CSR", "B": "CSF"}
    found = options(make_request("T(i,j,k) = A(i,l) * B(l,j,k)", formats, out="CSF").program, asked)
    assert isinstance(found, Choice) and "modes=flat" in str(found)
    assert read_note(json.loads(json.dumps(as_note(found))), asked) == found


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("auto", Choice),
        ("auto,unroll(k,2)", Choice),
        ("auto,workspaces=output", Schedule),
        ("workspaces=none,unroll(l,2)", Schedule),
    ],
)
def test_notes_are_read_as_they_were_written(text: str, kind: type) -> None:
    asked = as_schedule(text)
    found = options(lowered(), asked)
    assert isinstance(found, kind)
    assert read_note(json.loads(json.dumps(as_note(found))), asked) == found


@pytest.mark.parametrize(
    "damaged",
    [
        None,
        {},
        {"schedule": 3},
        {"schedule": "split(i"},
        {"finalists": [], "places": {}},
        {"finalists": [["", "i", [["x", [[], [], [], []]]]]], "places": {}},
        {"finalists": [["", "i", [[1, [["I"], []]]]]], "places": {}},
        {"finalists": [["", "i", [[1, [["I"], [], [3], []]]]]], "places": {}},
        {"finalists": [["", "i", [[1, {"steps": [["I"], [], [], []], "leader": [["I"], []]}]]]], "places": {}},
        {"finalists": [["", "i", [[1, {"steps": 3}]]]], "places": {}},
        {"finalists": [["", "i"]], "places": {}},
        {"finalists": [["", "i", []]], "places": {"I": ["A"]}},
        {"finalists": [3], "places": {}},
    ],
)
def test_damaged_notes_are_none(damaged: dict[str, Any] | None) -> None:
    assert read_note(damaged, as_schedule("auto")) is None


def test_what_was_found_is_not_looked_for_again() -> None:
    identity, asked = make_request(CHAIN, {"B": "CSR"}, out="CSR").identity, as_schedule("auto")

    def again() -> Program:
        raise AssertionError

    first = recall_unasked(identity, asked, lowered)
    assert isinstance(first, Choice)
    assert recall_unasked(identity, asked, again) == first


def rows(count: int) -> gn.Tensor:
    """A matrix with so many components in each row."""
    grid = np.indices((3, count)).reshape(2, -1)
    return gn.tensor(grid, np.arange(1.0, 1 + grid.shape[1]), (3, 9), "CSR")


C, D = np.arange(36.0).reshape(9, 4), np.arange(20.0).reshape(4, 5)


def meant(b: gn.Tensor) -> np.ndarray:
    """What the expression means."""
    return np.asarray(b.to_numpy() @ C @ D)


def test_a_call_takes_the_schedule_for_its_operands() -> None:
    kernel = gn.compile(CHAIN, B="CSR")
    full, thin = rows(9), rows(1)
    assert kernel.choose(B=full, C=C, D=D) is kernel
    other = kernel.choose(B=thin, C=C, D=D)
    assert other is not kernel and "loopfuse" not in other.source and "loopfuse" in kernel.source
    for a, branches in ((full, True), (thin, False), (full, True)):
        assert np.array_equal(kernel(B=a, C=C, D=D).to_numpy(), meant(a))
        assert kernel.settled is not None and kernel.settled.chosen is not None
        assert ("loopfuse" in str(kernel.settled.chosen[1])) is branches
    assert list(kernel.others.values()) == [other]


def test_the_kernel_for_tensors_starts_with_their_schedule() -> None:
    full, thin = (gn.compile(CHAIN, B=a, C=C, D=D.tolist()) for a in (rows(9), rows(1)))
    assert "loopfuse" in str(full.request.schedule) and "loopfuse" not in str(thin.request.schedule)
    assert full.request.choice == thin.request.choice
    assert gn.compile(CHAIN, B="CSR", schedule=None).request.choice is None


def test_results_may_be_assembled_and_given_memory_by_any_of_them() -> None:
    kernel, memory = gn.compile(CHAIN, B="CSR"), np.empty((3, 5))
    for a in (rows(1), rows(9)):
        kernel(B=a, C=C, D=D, out=memory)
        assert np.array_equal(memory, meant(a))
        structure = kernel.assemble(B=a, C=C, D=D)
        assert np.array_equal(kernel.compute(structure, B=a, C=C, D=D).to_numpy(), meant(a))


def test_operands_are_checked_before_anything_is_chosen() -> None:
    kernel = gn.compile(CHAIN, B="CSR")
    with pytest.raises(ExpressionError, match="operand D is missing"):
        kernel.choose(B=rows(1), C=C)
    with pytest.raises(ExpressionError, match="C has 1 dimensions, not 2"):
        kernel.choose(B=rows(1), C=gn.tensor([[0]], [1.0], (3,), "COO"), D=D)
    with pytest.raises(ExpressionError, match="dimensions"):
        kernel(B=rows(1), C=C, D=np.ones(4))
    with pytest.raises(ExpressionError, match="extent"):
        kernel(B=rows(1), C=C, D=np.ones((3, 5)))


def test_the_reference_follows_the_same() -> None:
    for a in (rows(1), rows(9)):
        kernel = gn.compile(CHAIN, B="CSR").choose(B=a, C=C, D=D)
        assert gn.trace(CHAIN, B=a, C=C, D=D, schedule="auto").schedule == kernel.request.schedule
