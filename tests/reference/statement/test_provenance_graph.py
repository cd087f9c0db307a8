"""Loops stand for those over what they complete."""

from __future__ import annotations

import pytest
from gnomon.reference.notation.syntax import Access
from gnomon.reference.statement.derivation import Bound, Collapse, Coord, Derivation, Divide, Pos
from gnomon.reference.statement.provenance import Split
from gnomon.reference.statement.provenance_graph import ProvenanceGraph

POS = Pos("i", "p", Access("A", ("i",), ("i",)), 0, 1)


def test_loops_stand_for_those_over_what_they_complete() -> None:
    graph = ProvenanceGraph((Collapse("i", "j", "f"), POS, Split("f", "a", "b", 4)))
    assert graph.expansion("a", ()) == () and graph.expansion("b", ("a",)) == ("i", "j")
    assert graph.expansion("i", ()) == ()
    mixed = ProvenanceGraph((Split("j", "u", "v", 4), Collapse("i", "u", "f")))
    assert mixed.expansion("f", ()) == ("i", "u") and mixed.expansion("v", ("i", "u", "f")) == ("j",)
    assert mixed.leaves("i", ("f", "v")) == ("f",) and mixed.leaves("j", ("f", "v")) == ("f", "v")
    assert mixed.leaves("i", ("i", "j")) == ("i",)
    assert mixed.originals("f") == ("i", "j")


SPLIT, FUSED = Split("i", "a", "b", 4), Collapse("i", "j", "f")
COLLAPSED = Pos("f", "p", Access("A", ("i", "j"), ("i", "j")), 0, 2)


@pytest.mark.parametrize(
    ("relations", "variable", "is_part"),
    [
        ((SPLIT,), "i", False),
        ((SPLIT,), "a", True),
        ((Divide("i", "a", "b", 4),), "b", True),
        ((SPLIT, Bound("b", "c", 4, "max_exact")), "c", True),
        ((SPLIT, Collapse("b", "j", "f")), "f", True),
        ((FUSED,), "f", False),
        ((POS, Coord("p", "c", POS)), "c", False),
    ],
)
def test_parts_of_splits_stay_parts(relations: tuple[Derivation, ...], variable: str, is_part: bool) -> None:
    assert ProvenanceGraph(relations).parts(variable) is is_part


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
    graph = ProvenanceGraph(relations)
    assert graph.space_of(variable) == counted
    assert graph.is_position(variable) is (counted is not None)


def test_a_variable_is_known_once_all_that_gives_it_is() -> None:
    graph = ProvenanceGraph((FUSED, Split("f", "a", "b", 4)))
    assert graph.is_derivable("f", ("i", "j")) and graph.is_derivable("b", ("i", "j"))
    assert not graph.is_derivable("f", ("i",)) and not graph.is_derivable("i", ("f",))
    assert graph.is_recoverable("i", ("a", "b")) and graph.is_recoverable("j", ("f",))
    assert not graph.is_recoverable("f", ("a",)) and not graph.is_recoverable("i", ("j",))


def test_loops_that_complete_nothing_count_integers() -> None:
    graph = ProvenanceGraph((SPLIT, Split("a", "c", "d", 2)))
    assert graph.expansion("c", ()) == graph.expansion("d", ("c",)) == ()
    assert graph.expansion("b", ("c", "d")) == ("i",)
    both = ProvenanceGraph((SPLIT, Split("j", "u", "v", 4), Collapse("b", "v", "f")))
    assert both.expansion("f", ("a", "u")) == ("i", "j")
    again = ProvenanceGraph((SPLIT, Collapse("i", "a", "f")))
    assert again.expansion("f", ()) == ("i", "a")
    assert ProvenanceGraph((SPLIT, Collapse("b", "a", "f"))).expansion("f", ()) == ("b", "i")


def test_what_a_variable_has_become_follows_coordinates_and_loops_as_they_run() -> None:
    tiled = Split("p", "a", "b", 4)
    graph = ProvenanceGraph((POS, tiled, Coord("b", "c", POS)))
    assert graph.leaves("i", ("a", "c")) == ("a", "c")
    whole = ProvenanceGraph((POS, Coord("p", "c", POS), Split("c", "u", "v", 2)))
    assert whole.leaves("i", ("u", "v")) == ("u", "v")
    assert ProvenanceGraph((SPLIT,)).leaves("i", ("i", "a", "b")) == ("i",)
    assert ProvenanceGraph((SPLIT,)).leaves("i", ("j",)) == ("i",)


def test_a_bound_is_checked_by_the_outermost_loop_that_counts_through_it() -> None:
    bound = Bound("i", "n", 12, "divisible")
    graph = ProvenanceGraph((bound, Split("n", "a", "b", 4), Split("b", "c", "d", 2)))
    assert graph.bounds_on("a", ()) == (bound,)
    assert graph.bounds_on("b", ("a",)) == graph.bounds_on("d", ("a", "c")) == ()
    assert graph.bounds_on("j", ()) == ()


def test_positions_are_read_from_accesses_that_a_statement_still_has() -> None:
    other = Access("A", ("i", "j"), ("i",))
    graph = ProvenanceGraph((POS, Coord("p", "c", POS), SPLIT)).reading((other,))
    counted, coordinate, split = graph.relations
    assert isinstance(counted, Pos) and counted.access == other
    assert isinstance(coordinate, Coord) and coordinate.of == counted
    assert split == SPLIT
