"""Tables of the specification: every declaration has a row, and rows say what is declared."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from gnomon.properties.specification.table import Table
from gnomon.properties.specification.tables import TABLES, constants, result_of
from gnomon.reference.algebra.operators import ADD, DIV, MIN, OPERATORS
from gnomon.reference.levels import LEVELS
from gnomon.reference.schedule.command import FORMS
from gnomon.reference.storage.named_formats import DESCRIPTIONS

SPEC = Path(__file__).parents[3] / "docs" / "spec"


def column(table: Table, name: str) -> dict[str, str]:
    """A column by the first cell of its rows, without marks of code."""
    n = table.columns.index(name)
    return {row[0].strip("`"): row[n] for row in table.rows}


@pytest.mark.parametrize("name", TABLES)
def test_tables_are_not_empty_and_have_a_cell_for_every_column(name: str) -> None:
    table = TABLES[name]()
    assert table.rows and all(len(row) == len(table.columns) for row in table.rows)
    assert len(str(table).splitlines()) == len(table.rows) + 2


def test_every_declaration_has_a_row() -> None:
    assert list(column(TABLES["operators"](), "operator")) == list(OPERATORS)
    assert list(column(TABLES["levels"](), "level")) == [kind.name for kind in LEVELS]
    assert list(column(TABLES["formats"](), "format")) == list(DESCRIPTIONS)
    assert list(column(TABLES["commands"](), "command")) == list(FORMS)
    assert list(column(TABLES["arguments"](), "arguments")) == list(FORMS)


def test_rows_say_what_is_declared() -> None:
    operators, levels = TABLES["operators"](), TABLES["levels"]()
    assert column(operators, "annihilator")["mul"] == "`0`" and column(operators, "annihilator")["add"] == ""
    assert column(operators, "laws")["min"] == "commutative, associative, idempotent"
    assert column(levels, "offers")["hashed"] == "coordinate position iteration, locate, insert, widen"
    assert (column(levels, "full")["dense"], column(levels, "full")["compressed"]) == ("yes", "")
    assert column(TABLES["level-arrays"](), "arrays")["compressed"] == "`pos`, `crd`"
    arguments = column(TABLES["arguments"](), "arguments")
    assert arguments["reorder"] == "a loop, any number of times"
    assert arguments["loopfuse"].endswith("left or right, [a name], [a format]")
    assert "`FileError`" in dict.fromkeys(row[0] for row in TABLES["errors"]().rows)


def test_promotions_are_those_of_arrays_and_of_numbers_beside_them() -> None:
    assert column(TABLES["promotions"](), "uint64")["int8"] == "float64"
    weak = TABLES["weak-promotions"]()
    assert (column(weak, "integer")["int8"], column(weak, "float")["int8"]) == ("int8", "float64")
    assert column(weak, "complex")["float32"] == "complex64"


def test_spellings_say_where_they_are_known() -> None:
    where = column(TABLES["spellings"](), "where")
    assert (where["lor"], where["plus"]) == ("texts and semirings", "semirings")


def test_constants_are_told_for_each_side_where_they_differ() -> None:
    assert constants(ADD.left_identity, ADD.right_identity) == "`0`"
    assert constants(DIV.left_identity, DIV.right_identity) == "none left, `1` right"
    assert constants(MIN.left_identity, MIN.right_identity) == "`inf`" and constants(None, None) == ""


def test_what_an_operator_refuses_has_no_type() -> None:
    assert result_of(ADD, np.dtype("int8")) == "int8" and result_of(MIN, np.dtype("complex128")) == ""


def test_pages_ask_for_tables_and_levels_that_there_are() -> None:
    text = "\n".join(page.read_text() for page in SPEC.rglob("*.md"))
    assert set(re.findall(r"```\{declared\} (\S+)", text)) <= set(TABLES)
    assert set(re.findall(r"```\{level-functions\} (\S+)", text)) <= {kind.name for kind in LEVELS}
