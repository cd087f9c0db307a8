"""Procedures as text, as JSON and as pictures."""

from __future__ import annotations

from gnomon.reference.drawing.procedures import (
    explain_procedure,
    procedure_as_json,
    procedure_picture,
    procedure_pictures,
)
from gnomon.reference.procedure.parser import parse_procedure
from gnomon.reference.procedure.statements import statements

WALK = parse_procedure("""
procedure walk(A, x, n) -> x, total
  repeat
    x(j) = x(i) * A(i,j) * j  in min_plus as SparseVector of float64
  until x empty or n steps
  total = x(i)
""")
FOUND = statements(WALK, {"A": "CSR"})
LATER = """        x_before SparseVector, A CSR -> x SparseVector
        ∀j
          x(j) = w(j)
        where w:
          ∀i
            ∀j
              w(j) min= x_before(i) + A(i,j) + float64(j)"""
TEXT = f"""\
procedure walk(A, x, n) -> x, total
  repeat
    x(j) = x(i) * A(i,j) * j  in min_plus  as SparseVector of float64
{LATER.replace("x_before SparseVector", "x_before dense")}
{LATER}
  until x empty or n steps
  total = x(i)
      x SparseVector -> total a number
      total = w + copies_add(inf, float64(4 - w1))
      where w1:
        ∀i
          w1<$x(i)> += 1
      where w:
        ∀i
          w<$x(i)> += x(i)"""


def test_every_step_is_told_with_what_it_runs() -> None:
    assert explain_procedure(WALK, FOUND) == TEXT


def test_where_a_loop_may_stop_is_told() -> None:
    stopping = parse_procedure("""
    procedure p(x) -> x
      repeat
        stop if x above 3 or x empty
        x(i) = 2 * x(i)
      until x below 2
    """)
    found = statements(stopping, {})
    lines = explain_procedure(stopping, found).splitlines()
    assert lines[1:3] == ["  repeat", "    stop if x empty or x above 3"] and lines[-1] == "  until x below 2"
    assert procedure_as_json(stopping, found)["body"][0]["repeat"][0] == {"stop": "x empty or x above 3"}
    assert [node.text for node in procedure_picture(stopping).nodes][2] == "stop if x empty or x above 3"


def test_what_is_told_can_be_told_as_json() -> None:
    told = procedure_as_json(WALK, FOUND)
    loop, last = told.pop("body")
    assert told == {"procedure": "walk", "parameters": ["A", "x", "n"], "results": ["x", "total"]}
    assert loop["until"] == "x empty or n steps"
    assert [run["stored"].partition(",")[0] for run in loop["repeat"][0]["runs"]] == [
        "x_before dense", "x_before SparseVector"
    ]  # fmt: skip
    (summed,) = last["runs"]
    assert summed["stored"] == "x SparseVector -> total a number"
    assert summed["statement"].endswith("    w<$x(i)> += x(i)")


def test_the_picture_shows_steps_and_where_loops_begin_and_end() -> None:
    drawn = procedure_picture(WALK)
    assert [(node.text.partition("(")[0], node.row, node.rounded) for node in drawn.nodes] == [
        ("procedure walk", 0, True),
        ("repeat", 1, True),
        ("x", 2, False),
        ("until x empty or n steps", 3, True),
        ("total = x", 4, False),
    ]
    assert drawn.lines == ((0, 1), (1, 2), (2, 3), (3, 4))


def test_pictures_of_the_loops_of_every_step_follow() -> None:
    (_, steps), (_, walked), (what, summed) = procedure_pictures(WALK, FOUND)
    assert "until x empty" in steps and "A(i,j) CSR" in walked and "x_before(i) SparseVector" in walked
    assert what == "loops of total = x(i)" and "∀i" in summed
