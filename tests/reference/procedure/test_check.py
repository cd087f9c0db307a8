"""What must hold of a procedure before it runs."""

from __future__ import annotations

import gnomon as gn
import pytest
from gnomon.reference.errors import ExpressionError

HEAD = "procedure p(A, x) -> x\n"
LOOP = "  repeat\n    x(j) = x(i) * A(i,j)\n"


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        (HEAD + "  x(j) = z(i) * A(i,j)", "z has no value before this step", "names with a value here: A, x"),
        (HEAD + "  y(j)<A(i,j),merge> = A(i,j)", "y has no value before this step", None),
        (HEAD + "  y(j) = y(i) * A(i,j)", "y has no value before this step", None),
        ("procedure p(A) -> y\n  z(i) = A(i,j)", "p gives y, but never assigns it", None),
        ("procedure p(A, xs) -> ys\n  ys(i) = A(i,j) * x(j)", "x has no value before this step", "did you mean xs?"),
        ("procedure p(A, x) -> y\n  y(i) = A(i,j)", "p is given x, but never reads it", None),
        (HEAD + LOOP + "  until A unchanged", "does not end, since nothing in it assigns A", None),
        (HEAD + LOOP + "  until A empty or A unchanged", "does not end", None),
        (HEAD + LOOP + "  until A above 2", "does not end, since nothing in it assigns A", None),
        (HEAD + LOOP + "  until x below n", "n, on which the end of this loop depends, has no value", None),
        (HEAD + LOOP + "    stop if y empty\n  until x empty", "y, on which the end of this loop", None),
        (HEAD + LOOP + "  until y empty", "y, on which the end of this loop depends, has no value", None),
        (HEAD + LOOP + "  until n steps", "n, on which the end of this loop depends, has no value", None),
    ],
)
def test_what_cannot_run_is_refused_beforehand(text: str, message: str, hint: str | None) -> None:
    with pytest.raises(ExpressionError, match=message) as refused:
        gn.procedure(text)
    if hint is not None:
        assert refused.value.hint == hint


@pytest.mark.parametrize(
    "end", ["x unchanged", "x empty", "A empty or 4 steps", "A unchanged or x empty", "x above 2", "x below 1"]
)
def test_loops_that_can_end_are_taken(end: str) -> None:
    assert gn.procedure(f"{HEAD}{LOOP}  until {end}").results == ("x",)


def test_a_loop_that_stops_midway_can_end() -> None:
    assert gn.procedure(f"{HEAD}{LOOP}    stop if x empty\n  until A unchanged").results == ("x",)


def test_a_loop_that_stops_midway_may_not_have_come_to_what_is_below() -> None:
    text = "procedure p(x) -> y\n  repeat\n    x(i) = 2 * x(i)\n    stop if x empty\n    y(i) = x(i)\n  until 2 steps"
    with pytest.raises(ExpressionError, match="p gives y, but never assigns it"):
        gn.procedure(text)
    with pytest.raises(ExpressionError, match="y has no value before this step"):
        gn.procedure(text.replace("-> y", "-> z") + "\n  z(i) = y(i)")
    begun = text.replace("  repeat", "  y(i) = x(i)\n  repeat")
    assert gn.procedure(begun).results == ("y",)


def test_an_update_may_begin_from_nothing() -> None:
    assert gn.procedure("procedure p(A) -> y\n  y(i) += A(i,j)").results == ("y",)


def test_a_number_of_steps_has_a_value_before_the_loop() -> None:
    text = "procedure p(x) -> x\n  repeat\n    n = 3\n    x(i) = 2 * x(i)\n  until n steps"
    with pytest.raises(ExpressionError, match="n, on which the end of this loop depends, has no value"):
        gn.procedure(text)
