"""What a request follows unasked: kept in the cache as it is, looked for anew where that is damaged."""

from __future__ import annotations

import json
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.runtime.request import make_request
from gnomon.generator.runtime.unasked import Unasked, as_note, read_note, recall_unasked
from gnomon.reference.errors import ExpressionError
from gnomon.reference.schedule.autoschedule.unasked import default_schedule
from gnomon.reference.schedule.branched.choice import Choice, choice_for
from gnomon.reference.statement.statement import Program

MTTKRP = "C(i,r) = A(i,j,k) * D(j,r) * E(k,r)"


def lowered() -> Program:
    """The statement of a product that can be taken apart."""
    request = make_request(MTTKRP, {"A": "CSF"})
    return request.lower(request.resolve_without_shapes())


def choices() -> list[Unasked]:
    """A choice, and a schedule."""
    found = choice_for(lowered())
    assert found is not None
    return [found, default_schedule(lowered())]


@pytest.mark.parametrize("number", [0, 1])
def test_notes_are_read_as_they_were_written(number: int) -> None:
    found = choices()[number]
    assert read_note(json.loads(json.dumps(as_note(found)))) == found


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
        {"finalists": [["", "i"]], "places": {}},
        {"finalists": [["", "i", []]], "places": {"I": ["A"]}},
        {"finalists": [3], "places": {}},
    ],
)
def test_damaged_notes_are_none(damaged: dict[str, Any] | None) -> None:
    assert read_note(damaged) is None


def test_what_was_found_is_not_looked_for_again() -> None:
    identity = make_request(MTTKRP, {"A": "CSF"}, out="CSR").identity

    def again() -> Program:
        raise AssertionError

    first = recall_unasked(identity, lowered)
    assert isinstance(first, Choice)
    assert recall_unasked(identity, again) == first


def fibers(count: int) -> gn.Tensor:
    """A tensor with components in fibers of this many."""
    grid = np.indices((3, 4, count)).reshape(3, -1)
    return gn.tensor(grid, np.arange(1.0, 1 + grid.shape[1]), (3, 4, 9), "CSF")


D, E = np.arange(8.0).reshape(4, 2), np.arange(18.0).reshape(9, 2)


def meant(a: gn.Tensor) -> np.ndarray:
    """What the expression means."""
    return np.asarray(np.einsum("ijk,jr,kr->ir", a.to_numpy(), D, E))


def test_a_call_takes_the_schedule_for_its_operands() -> None:
    kernel = gn.compile(MTTKRP, A="CSF")
    full, thin = fibers(9), fibers(1)
    assert kernel.choose(A=full, D=D, E=E) is kernel
    other = kernel.choose(A=thin, D=D, E=E)
    assert other is not kernel and "loopfuse" not in other.source and "loopfuse" in kernel.source
    for a in (full, thin, full):
        assert np.array_equal(kernel(A=a, D=D, E=E).to_numpy(), meant(a))
    assert list(kernel.others.values()) == [other]


def test_the_kernel_for_tensors_starts_with_their_schedule() -> None:
    full, thin = (gn.compile(MTTKRP, A=a, D=D, E=E.tolist()) for a in (fibers(9), fibers(1)))
    assert "loopfuse" in str(full.request.schedule) and "loopfuse" not in str(thin.request.schedule)
    assert full.request.choice == thin.request.choice
    assert gn.compile(MTTKRP, A="CSF", schedule=None).request.choice is None


def test_results_may_be_assembled_and_given_memory_by_any_of_them() -> None:
    kernel, memory = gn.compile(MTTKRP, A="CSF"), np.empty((3, 2))
    for a in (fibers(1), fibers(9)):
        kernel(A=a, D=D, E=E, out=memory)
        assert np.array_equal(memory, meant(a))
        structure = kernel.assemble(A=a, D=D, E=E)
        assert np.array_equal(kernel.compute(structure, A=a, D=D, E=E).to_numpy(), meant(a))


def test_operands_are_checked_before_anything_is_chosen() -> None:
    kernel = gn.compile(MTTKRP, A="CSF")
    with pytest.raises(ExpressionError, match="operand E is missing"):
        kernel.choose(A=fibers(1), D=D)
    with pytest.raises(ExpressionError, match="dimensions"):
        kernel(A=fibers(1), D=D, E=np.ones(9))
    with pytest.raises(ExpressionError, match="extent"):
        kernel(A=fibers(1), D=D, E=np.ones((8, 2)))


def test_the_reference_follows_the_same() -> None:
    for a in (fibers(1), fibers(9)):
        kernel = gn.compile(MTTKRP, A="CSF").choose(A=a, D=D, E=E)
        assert gn.trace(MTTKRP, A=a, D=D, E=E, schedule="auto").schedule == kernel.request.schedule
