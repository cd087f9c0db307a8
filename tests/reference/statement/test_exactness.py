"""Windows that hold nothing but what belongs there, and derived variables that must be compared."""

import pytest
from gnomon.reference.notation.syntax import Access
from gnomon.reference.statement.exactness import is_exact, partitions, sources, variables_to_compare
from gnomon.reference.statement.provenance import Provenance
from gnomon.reference.statement.relation import Collapse, Divide, Pos, Split

ROWS, COLUMNS = Split("i", "i0", "i1", 2), Split("j", "j0", "j1", 3)
TILES = Provenance(of_schedule=(ROWS, COLUMNS, Collapse("i0", "j0", "f")))


@pytest.mark.parametrize(
    ("variable", "around", "exact"),
    [
        ("i", (), True),
        ("i", ("i0",), True),
        ("i", ("i1",), False),
        ("i", ("i1", "i0"), True),
        ("i", ("f",), True),
        ("j", ("f",), False),
        ("j", ("f", "i"), True),
        ("j", ("f", "i", "j1"), False),
    ],
)
def test_a_window_is_exact_where_the_loops_around_leave_one_range(
    variable: str, around: tuple[str, ...], exact: bool
) -> None:
    assert is_exact(TILES, variable, around) == exact


@pytest.mark.parametrize(
    ("bound", "added", "compared"),
    [
        (("f", "i"), ("i",), ()),
        (("f", "i", "i1", "j"), ("j",), ()),
        (("f", "j", "j1", "i"), ("i",), ("f",)),
        (("f", "i1", "i"), ("i",), ("i1",)),
        (("f", "i1", "j1", "i", "j"), ("i", "j"), ("f", "i1", "j1")),
        (("i1", "i"), ("i1", "i"), ("i1",)),
        (("i", "f", "j"), ("j",), ("f",)),
        (("i", "i0", "j", "f"), ("f",), ()),
    ],
)
def test_what_follows_from_an_inexact_window_is_compared_once(
    bound: tuple[str, ...], added: tuple[str, ...], compared: tuple[str, ...]
) -> None:
    assert variables_to_compare(TILES, bound, added) == compared


def test_positions_are_exact_where_loops_keep_to_them() -> None:
    counted = Pos("f", "p", Access("A", ("i", "j"), ("i", "j")), 0, 2)
    graph = Provenance(of_schedule=(Collapse("i", "j", "f"), counted, Split("p", "p0", "p1", 4)))
    assert variables_to_compare(graph, ("p0", "i", "j"), ("i", "j"), {counted}) == ()
    assert variables_to_compare(graph, ("p0", "i", "j"), ("i", "j")) == ("p0",)


def test_nothing_is_compared_with_what_is_gone_over_by_steps() -> None:
    assert variables_to_compare(TILES, ("i1", "i"), ("i",), stepped={"i"}) == ()
    assert variables_to_compare(TILES, ("i1", "i"), ("i",), stepped={"j"}) == ("i1",)
    counted = Pos("j", "p", Access("A", ("i", "j"), ("i", "j")), 1, 2)
    graph = Provenance(of_schedule=(counted, Split("p", "p0", "p1", 4)))
    assert variables_to_compare(graph, ("i", "p1", "j"), ("j",), {counted}, {"p"}) == ()
    assert variables_to_compare(graph, ("i", "p1", "j"), ("j",), {counted}) == ("p1",)
    assert variables_to_compare(graph, ("i", "p1", "j"), ("j",), (), {"p"}) == ("p1",)


def test_a_derived_variable_follows_from_the_nearest_known_ones() -> None:
    graph = Provenance(of_schedule=(Divide("j", "u0", "v0", 3), Collapse("v0", "k", "u2"), Split("u2", "u4", "v4", 3)))
    assert sources(graph, "u4", ("u4", "v0", "k")) == ("v0", "k")
    assert sources(graph, "u4", ("j", "k")) == ("j", "k")
    assert variables_to_compare(graph, ("u4", "v0", "k"), ("v0", "k")) == ()


def test_tiles_partition_and_collapsed_rows_do_not() -> None:
    assert partitions(TILES, "i", ("i0",))
    assert not partitions(TILES, "i", ("i1",))
    assert not partitions(TILES, "i", ("f",))
    assert partitions(TILES, "i", ("i1",), {"i"})
    assert not partitions(TILES, "i", ("f",), {"i"})
