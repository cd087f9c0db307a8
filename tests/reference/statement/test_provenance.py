"""Formats' and schedules' relations are one graph."""

from __future__ import annotations

import pytest
from gnomon.reference.notation.syntax import Access
from gnomon.reference.statement.provenance import Provenance
from gnomon.reference.statement.relation import (
    Bound,
    Collapse,
    Coord,
    Derivation,
    Divide,
    Pos,
    Rank,
    Same,
    Split,
    derived_variables,
)

POS = Pos("i", "p", Access("A", ("i",), ("i",)), 0, 1)


SPLIT, FUSED = Split("i", "a", "b", 4), Collapse("i", "j", "f")
COLLAPSED = Pos("f", "p", Access("A", ("i", "j"), ("i", "j")), 0, 2)


@pytest.mark.parametrize(
    ("relations", "variable", "counted"),
    [
        ((), "i", None),
        ((SPLIT,), "b", None),
        ((POS,), "p", POS),
        ((POS,), "i", None),
        ((POS, Split("p", "a", "b", 4)), "b", POS),
        ((POS, Divide("p", "a", "b", 4), Bound("a", "c", 4, "max_exact")), "c", POS),
        ((POS, Coord("p", "c", POS)), "c", None),
        ((FUSED, COLLAPSED, Split("p", "a", "b", 4)), "a", COLLAPSED),
    ],
)
def test_parts_of_positions_are_positions(
    relations: tuple[Derivation, ...], variable: str, counted: Pos | None
) -> None:
    graph = Provenance(of_schedule=relations)
    assert graph.space_of(variable) == counted
    assert graph.is_position(variable) is (counted is not None)


def test_a_variable_is_known_once_all_that_gives_it_is() -> None:
    graph = Provenance(of_schedule=(FUSED, Split("f", "a", "b", 4)))
    assert graph.is_derivable("f", ("i", "j")) and graph.is_derivable("b", ("i", "j"))
    assert not graph.is_derivable("f", ("i",)) and not graph.is_derivable("i", ("f",))
    assert graph.is_recoverable("i", ("a", "b")) and graph.is_recoverable("j", ("f",))
    assert not graph.is_recoverable("f", ("a",)) and not graph.is_recoverable("i", ("j",))


def test_collapsed_variables_are_told_by_one_loop() -> None:
    graph = Provenance((Split("i", "io", "ii", 4),), (FUSED, Collapse("f", "k", "g"), Split("m", "a", "b", 2)))
    graph = graph.extend(Collapse("n", "a", "h"))
    assert [graph.is_collapsed(v) for v in "fgijhkab"] == [True, True, *[False] * 6]
    assert graph.loops("j", ("g",)) == graph.loops("k", ("g", "f")) == ("g",)
    assert graph.loops("i", ("f",)) == ("f",) and graph.loops("i", ("f", "i")) == ("i",)
    assert graph.loops("i", ("f", "ii", "io")) == ("io", "ii")
    assert graph.loops("k", ("f",)) is None and graph.loops("n", ("h",)) is None


def test_positions_are_read_from_accesses_that_a_statement_still_has() -> None:
    other = Access("A", ("i", "j"), ("i",))
    graph = Provenance(of_schedule=(POS, Coord("p", "c", POS), SPLIT)).follow((other,))
    counted, coordinate, split = graph.of_schedule
    assert isinstance(counted, Pos) and counted.access == other
    assert isinstance(coordinate, Coord) and coordinate.of == counted
    assert split == SPLIT


def test_formats_and_schedules_share_one_graph() -> None:
    """What formats derive is what unscheduled loops run over; source variables are recovered through both."""
    rows = Split("i", "io", "ii", 4)
    graph = Provenance((rows, Same("d", "i"), Rank("r", "B", 0))).extend(Split("io", "a", "b", 2))
    assert [derived_variables(r) for r in graph.relations] == [("io", "ii"), ("d",), ("r",), ("a", "b")]
    assert graph.parts("i") == ("io", "ii", "d") and graph.splits("io") == ()
    assert [graph.is_original(v) for v in ("i", "io", "d", "r", "a")] == [True, True, True, True, False]
    assert graph.format_relation_of("io") == rows and graph.format_relation_of("a") is None
    assert graph.loops("i", ("io",)) is None and graph.loops("i", ("io", "ii")) == ("io", "ii")
    assert graph.recovery("i", ("a", "b")) is None and graph.recovery("i", ("a", "b", "ii")) == rows
    assert graph.lineage("b") == ("b", "io") and graph.offspring("i") == ()
