"""How operators merge, as the specification shows it."""

from __future__ import annotations

from gnomon.properties.specification.merges import COLUMNS, merge_rows
from gnomon.reference.algebra.operators import OPERATORS


def test_every_operator_of_two_operands_has_a_row() -> None:
    rows = list(merge_rows())
    assert [row[0] for row in rows] == [f"`{o.name}`" for o in OPERATORS.values() if o.arity == 2]
    assert all(len(row) == len(COLUMNS) for row in rows)


def test_unions_intersections_and_what_is_computed_with_fills() -> None:
    rows = {row[0].strip("`"): row[1:] for row in merge_rows()}
    assert rows["add"] == ("`0`", "`a + b`", "`a`", "`b`", "a or b")
    assert rows["sub"] == ("`0`", "`a - b`", "`a`", "`-b`", "a or b")
    assert rows["mul"] == ("`0`", "`a * b`", "", "", "a and b")
    assert rows["max"] == ("`0`", "`max(a, b)`", "`max(a, 0)`", "`max(0, b)`", "a or b")
    assert rows["pow"][0] == "`1`"
