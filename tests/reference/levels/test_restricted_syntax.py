"""The nodes of restricted Python: what is inside what, and what statements assign to."""

from __future__ import annotations

from gnomon.reference.levels.accumulator import Accumulator
from gnomon.reference.levels.hashed import Hashed
from gnomon.reference.levels.restricted import parse_level_function
from gnomon.reference.levels.restricted_syntax import (
    Assign,
    Constant,
    Element,
    For,
    If,
    Location,
    Return,
    Variable,
    While,
    all_statements,
    assigned_variables,
    expressions,
    written_arrays,
)


def test_statements_are_walked_in_the_order_of_the_text() -> None:
    body = parse_level_function(Hashed, "locate").body
    assert [type(s) for s in all_statements(body)] == [Assign, Assign, If, Assign, Assign, While, Assign, Return]
    assert assigned_variables(body) == ("begin", "q", "end", "q", "q")
    lines = [s.place.line for s in all_statements(body)]
    assert lines == sorted(lines)


def test_expressions_are_found_wherever_they_stand() -> None:
    body = parse_level_function(Accumulator, "insert_reset").body
    assert [s.variable for s in all_statements(body) if isinstance(s, For)] == ["p", "q"]
    assert written_arrays(body) == {"slot", "count"}
    assert {e.array for e in expressions(body) if isinstance(e, Element)} == {"count", "crd"}


def test_nodes_are_the_same_wherever_they_stand() -> None:
    assert Variable("p", place=Location(3, 4, 5)) == Variable("p")
    assert hash(Constant(2, place=Location(2))) == hash(Constant(2))
