"""Guards are asked for where needed, and loops stand for those over what they complete."""

from __future__ import annotations

import pytest
from gnomon.reference.derivation import Bound, Collapse, Derivation, Divide, Pos
from gnomon.reference.provenance import Split
from gnomon.reference.provenance_graph import ProvenanceGraph
from gnomon.reference.syntax import Access

POS = Pos("i", "p", Access("A", ("i",), ("i",)), 0, 1)


@pytest.mark.parametrize(
    ("relations", "variable", "inside"),
    [
        ((), "i", True),
        ((Split("i", "a", "b", 4),), "i", False),
        ((Split("i", "a", "b", 4),), "a", True),
        ((Bound("i", "n", 12, "divisible"), Split("n", "a", "b", 4)), "i", True),
        ((Bound("i", "n", 10, "max_exact"), Split("n", "a", "b", 4)), "i", False),
        ((Bound("i", "n", 12, "max_constraint"), Split("n", "a", "b", 4)), "n", False),
        ((Collapse("i", "j", "f"), Split("f", "a", "b", 4)), "j", False),
        ((POS, Split("p", "a", "b", 4)), "i", True),
        ((POS, Split("p", "a", "b", 4)), "p", False),
        ((Divide("i", "a", "b", 4),), "i", False),
    ],
)
def test_guards_are_needed_where_tiles_may_reach_out(
    relations: tuple[Derivation, ...], variable: str, inside: bool
) -> None:
    assert ProvenanceGraph(relations).is_in_bounds(variable) is inside


def test_loops_stand_for_those_over_what_they_complete() -> None:
    graph = ProvenanceGraph((Collapse("i", "j", "f"), POS, Split("f", "a", "b", 4)))
    assert graph.expansion("a", ()) == () and graph.expansion("b", ("a",)) == ("i", "j")
    assert graph.expansion("i", ()) == ()
    mixed = ProvenanceGraph((Split("j", "u", "v", 4), Collapse("i", "u", "f")))
    assert mixed.expansion("f", ()) == ("i", "u") and mixed.expansion("v", ("i", "u", "f")) == ("j",)
    assert mixed.leaves("i", ("f", "v")) == ("f",) and mixed.leaves("j", ("f", "v")) == ("f", "v")
    assert mixed.leaves("i", ("i", "j")) == ("i",)
    assert mixed.originals("f") == ("i", "j")
