"""Circles of rounds: names stored bit for bit as they were some rounds before."""

from __future__ import annotations

import gnomon as gn
import pytest
from gnomon.reference.files.operands import as_tensor
from gnomon.reference.procedure.recurrence import FIRST, LONGEST, Recurrence, image, is_alike
from gnomon.reference.storage.tensor import Tensor

A = gn.tensor([[0, 1, 2], [1, 2, 3]], [2.0, 3.0, 4.0], (4, 4), "CSR")


def dense(value: float | list[float]) -> Tensor:
    """A number or a vector as a tensor."""
    return as_tensor("x", value)


def states(period: int) -> list[dict[str, Tensor]]:
    """What names stand for, a round after another, in a circle."""
    return [{"A": A, "n": dense(float(k))} for k in range(period)]


def first_found(period: int, start: int = 1, most: int = 2 * FIRST) -> tuple[int, int]:
    """After how many rounds a circle is found, and how long it is."""
    recurrence, held = Recurrence(), states(period)
    for done in range(start, most):
        if length := recurrence.circle(done, held[done % period]):
            return done, length
    return most, 0


@pytest.mark.parametrize("period", [1, 2, 3, LONGEST])
def test_a_circle_is_found_as_soon_as_it_closes(period: int) -> None:
    assert first_found(period) == (FIRST + period, period)


def test_longer_circles_are_left_to_the_limit_of_rounds() -> None:
    assert first_found(LONGEST + 1, FIRST) == (2 * FIRST, 0)


def test_a_loop_that_comes_to_its_circle_late_is_found_later() -> None:
    recurrence, still = Recurrence(), states(1)[0]
    assert not any(recurrence.circle(done, {"n": dense(float(done))}) for done in range(FIRST, 2 * FIRST))
    assert recurrence.circle(2 * FIRST, still) == 0 and recurrence.circle(2 * FIRST + 1, still) == 1


@pytest.mark.parametrize(
    "other",
    [
        gn.tensor([[0, 1, 2], [1, 2, 3]], [2.0, 3.0, 5.0], (4, 4), "CSR"),
        gn.tensor([[0, 1, 2], [1, 2, 0]], [2.0, 3.0, 4.0], (4, 4), "CSR"),
        gn.tensor([[0, 1, 2], [1, 2, 3]], [2.0, 3.0, 4.0], (4, 5), "CSR"),
        gn.tensor([[0, 1, 2], [1, 2, 3]], [2.0, 3.0, 4.0], (4, 4), "CSC"),
        gn.tensor([[0, 1, 2], [1, 2, 3]], [2, 3, 4], (4, 4), "CSR"),
        gn.tensor([[0, 1, 2], [1, 2, 3]], [2.0, 3.0, 4.0], (4, 4), gn.spec("CSR", fill=1.0)),
        gn.tensor([[0, 1, 2], [1, 2, 3]], [2.0, 3.0, 4.0], (4, 4), gn.spec("CSR", index="int64")),
    ],
)
def test_what_is_stored_otherwise_is_another(other: Tensor) -> None:
    assert is_alike(A, image(A)) and not is_alike(other, image(A))


def test_zeros_of_either_sign_are_two_states() -> None:
    assert not is_alike(dense(-0.0), image(dense(0.0)))
    assert is_alike(dense(float("nan")), image(dense(float("nan"))))


def test_an_image_stays_when_steps_go_on_in_the_same_memory() -> None:
    changed = dense([1.0, 2.0])
    kept = image(changed)
    changed.vals.setflags(write=True)
    changed.vals[0] = 3.0
    assert not is_alike(changed, kept)


def test_other_names_are_another_state() -> None:
    recurrence = Recurrence()
    assert recurrence.circle(FIRST, {"x": A}) == 0
    assert recurrence.circle(FIRST + 1, {"x": A, "y": A}) == 0
    assert recurrence.circle(FIRST + 2, {"x": A}) == 2
