"""Procedures as text: what a line says, and where it is wrong."""

from __future__ import annotations

import pytest
from gnomon.reference.errors import ParseError
from gnomon.reference.procedure.parser import parse_procedure
from gnomon.reference.procedure.syntax import Condition, Repeat, Step, Stop

LOOPED = "procedure p(x) -> x\n  repeat\n    x(i) = x(i)\n  until {0}"
LISTING = """
# a remark
procedure walk(A, x, n) -> x, y   # another one
  y(i) = x(i)  as SparseVector of int64
  repeat
    x(j)<!$y(j)> = x(i) * A(i,j)  in min_first
    repeat
      y(i)<$x(i),merge> = x(i) in min_plus as compressed(nonunique,unordered)

    until y unchanged or 3 steps
  until x empty or n steps
  y(i) = x(i)  as of float64
"""


def test_a_listing_is_its_steps_and_loops() -> None:
    found = parse_procedure(LISTING)
    assert (found.name, found.parameters, found.results) == ("walk", ("A", "x", "n"), ("x", "y"))
    first, loop, last = found.body
    assert isinstance(first, Step) and isinstance(loop, Repeat) and isinstance(last, Step)
    assert (str(first.text), first.semiring, first.format, first.dtype) == (
        "y(i) = x(i)",
        None,
        "SparseVector",
        "int64",
    )
    assert (last.format, last.dtype) == (None, "float64")
    assert loop.until == Condition(empty=("x",), steps="n")
    step, inner = loop.body
    assert isinstance(step, Step) and str(step.semiring) == "min_first"
    assert isinstance(inner, Repeat) and inner.until == Condition(unchanged=("y",), steps=3)
    (merged,) = inner.body
    assert isinstance(merged, Step)
    assert (str(merged.semiring), merged.format) == ("min_plus", "compressed(nonunique,unordered)")
    assert str(inner.until) == "y unchanged or 3 steps"


def test_a_step_reads_its_own_target_under_another_name() -> None:
    (step,) = parse_procedure("procedure p(A, x) -> x\n  x(j)<!$x(j),merge> = x(i) * A(i,j)\n").body
    assert isinstance(step, Step)
    assert str(step.statement) == "x(j)<!$x(j),merge> = x_before(i) * A(i,j)"
    assert step.operands == (("x_before", "x"), ("A", "A"), ("x", "x"))
    (asked,) = parse_procedure("procedure p(x, y) -> y\n  y(i)<!$y(i)> = x(i)\n").body
    assert isinstance(asked, Step)
    assert asked.statement is asked.text and asked.operands == (("x", "x"), ("y", "y"))
    (plain,) = parse_procedure("procedure p(A, x) -> y\n  y(j) = x(i) * A(i,j)\n").body
    assert isinstance(plain, Step)
    assert plain.statement is plain.text and plain.operands == (("x", "x"), ("A", "A"))


def test_a_loop_may_end_by_how_much_there_is_and_stop_midway() -> None:
    text = "procedure p(x, n) -> x\n  repeat\n    stop if x below 2 or x empty\n    x(i) = x(i)\n  until x above n"
    (loop,) = parse_procedure(text).body
    assert isinstance(loop, Repeat) and loop.until == Condition(above=(("x", "n"),))
    stop, _ = loop.body
    assert isinstance(stop, Stop) and stop.condition == Condition(empty=("x",), below=(("x", 2),))
    assert (str(loop.until), str(stop.condition)) == ("x above n", "x empty or x below 2")
    assert stop.span is not None and text[stop.span.start : stop.span.stop] == "stop if x below 2 or x empty"


HEAD = "procedure p(x) -> x\n"


@pytest.mark.parametrize(
    ("text", "message", "marked"),
    [
        ("", "a procedure begins with procedure", None),
        ("# nothing", "a procedure begins with procedure", None),
        ("x(i) = y(i)", "a procedure begins with its name", "x(i) = y(i)"),
        ("procedure p(x)", "a procedure begins with its name", "procedure p(x)"),
        ("procedure p(x, x) -> y\n  y = x", "x stands here twice", "procedure p(x, x) -> y"),
        ("procedure p(2) -> y\n  y = x", "'2' is no name", "procedure p(2) -> y"),
        (HEAD, "nothing is below this line", "procedure p(x) -> x"),
        (HEAD + "x(i) = x(i)", "nothing is below this line", "procedure p(x) -> x"),
        (HEAD + "  x(i) = x(i)\nmore", "belongs to no procedure", "more"),
        (HEAD + "  x(i) = x(i)\n    x(i) = x(i)", "indented otherwise", "x(i) = x(i)"),
        (HEAD + "  repeat\n  until x empty", "nothing is below this line", "repeat"),
        (HEAD + "  repeat\n    x(i) = x(i)", "does not say when it ends", "repeat"),
        (HEAD + "  repeat\n    x(i) = x(i)\n  x(i) = x(i)", "does not say when it ends", "repeat"),
        (HEAD + "  repeat\n    x(i) = x(i)\n until x empty", "not aligned", "until x empty"),
        (HEAD + "  repeat\n    x(i) = x(i)\n  until x small", "'x small' is no condition", " x small"),
        (HEAD + "  repeat\n    x(i) = x(i)\n  until x empty or ", "is no condition", None),
        (HEAD + "  repeat\n    x(i) = x(i)\n  until 2 steps or 3 steps", "one number of steps", "3 steps"),
        (HEAD + "  repeat\n    x(i) = x(i)\n  until 0 steps", "0 is no number of steps", " 0 steps"),
        (HEAD + "  repeat\n    x(i) = x(i)\n  until x below 0", "0 is no number of components", " x below 0"),
        (HEAD + "  repeat\n    x(i) = x(i)\n  until x above", "'x above' is no condition", " x above"),
        (HEAD + "  stop if x empty", "no loop is around this line", "stop if x empty"),
        (HEAD + "  repeat\n    stop if 3 steps\n  until x empty", "said of rounds", "stop if 3 steps"),
        (HEAD + "  repeat\n    stop if x unchanged\n  until x empty", "said of rounds", "stop if x unchanged"),
        (HEAD + "  x(i) = x(i) +", "expected a number", ""),
        (HEAD + "".join(f"{' ' * n}repeat\n" for n in range(1, 3000)), "too far inside", None),
        (HEAD + "  x(i) = y(i,)", "expected an index variable", ")"),
        (HEAD + "  x(i) = x(i) in nowhere", "unknown semiring 'nowhere'", "nowhere"),
        (HEAD + "  x(i) = x(i) as SparseVector of int65", "int65 is no dtype", "int65"),
    ],
)
def test_what_is_no_procedure_is_refused_where_it_stands(text: str, message: str, marked: str | None) -> None:
    with pytest.raises(ParseError, match=message) as refused:
        parse_procedure(text)
    span = refused.value.span
    if marked is not None:
        assert span is not None and refused.value.source == text
        assert text[span.start : span.stop] == marked


def test_text_is_wanted() -> None:
    with pytest.raises(ParseError, match="expected a procedure as text"):
        parse_procedure(None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "rule", "message"),
    [
        ("procedure p(x, x) -> x\n  x(i) = 1 * x(i)", "procedure.words", "x stands here twice"),
        ("procedure p(x) -> x\n  stop if x empty", "procedure.words", "no loop is around this line"),
        (LOOPED.format("0 steps"), "procedure.words", "0 is no number of steps"),
        (LOOPED.format("٣ steps"), "procedure.words", "٣ is no number of steps"),
        (LOOPED.format("1 steps or 2 steps"), "procedure.words", "a loop ends after one number of steps"),
        (LOOPED.format("x small"), "procedure.words", "'x small' is no condition"),
        ("procedure p(x) -> x\n  x(i) = 1 * x(i)\n    x(i) = x(i)", "procedure.layout", "is indented otherwise"),
        ("procedure p(x) -> x\n  repeat\n    x(i) = x(i)\n    until 2 steps", "procedure.layout", "is not aligned"),
        ("procedure p(x) -> x\n  x(i) = x(i) as", "procedure.syntax", "as says neither a format nor a dtype"),
        ("procedure p(x) -> x\n  x(i) = x(i) as of", "procedure.syntax", "as says neither a format nor a dtype"),
    ],
)
def test_what_breaks_a_rule_names_it(text: str, rule: str, message: str) -> None:
    with pytest.raises(ParseError, match=message) as caught:
        parse_procedure(text)
    assert caught.value.rule == rule


def test_names_of_conditions_are_names_of_tensors_too() -> None:
    found = parse_procedure("procedure p(x, until) -> until\n  until(i) = x(i)\n  stop(i) = until(i)")
    assert [step.target for step in found.body if isinstance(step, Step)] == ["until", "stop"]


def test_hints_at_a_stop_say_what_may_stand_there() -> None:
    with pytest.raises(ParseError) as caught:
        parse_procedure("procedure p(x) -> x\n  repeat\n    x(i)=x(i)\n    stop if x small\n  until 2 steps")
    hint = caught.value.hint or ""
    assert "NAME below NUMBER" in hint and "steps" not in hint and "unchanged" not in hint


def test_lines_end_at_line_ends_alone() -> None:
    found = parse_procedure("procedure p(x) -> x\r\n  x(i) = x(i)\f+ 1\r  x(i) = x(i)\u2028+ 1\n")
    assert [len(step.text.assignment.value.args) for step in found.body if isinstance(step, Step)] == [2, 2]
