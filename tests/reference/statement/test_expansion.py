"""Expansion: what loops stand for, what variables have become, and what the loops that a loop stands for are like."""

from functools import reduce

from gnomon.reference.algebra.operators import ADD
from gnomon.reference.notation.syntax import Access, Apply, Expr, Literal
from gnomon.reference.statement.expansion import bounds_on, completed_loops, remaining_loops, steps
from gnomon.reference.statement.provenance import Provenance
from gnomon.reference.statement.relation import Bound, Collapse, Coord, Pos, Split
from gnomon.reference.statement.statement import Assign, Forall
from gnomon.reference.statement.tags import Unroll

POS = Pos("i", "p", Access("A", ("i",), ("i",)), 0, 1)
SPLIT = Split("i", "a", "b", 4)


def test_only_the_loop_itself_is_what_a_schedule_says_of_it() -> None:
    graph = Provenance(of_schedule=(Collapse("i", "j", "f"), Split("f", "u", "v", 4)))
    loop = Forall("v", Assign(Access("s", (), ()), Literal(1.0)), (Unroll(4),))
    found = [(step.index, step.tags) for step, _ in steps(loop, ("u",), graph)]
    assert found == [("i", ()), ("j", ()), ("v", (Unroll(4),))]


def test_loops_stand_for_those_over_what_they_complete() -> None:
    graph = Provenance(of_schedule=(Collapse("i", "j", "f"), POS, Split("f", "a", "b", 4)))
    assert completed_loops(graph, "a", ()) == () and completed_loops(graph, "b", ("a",)) == ("i", "j")
    assert completed_loops(graph, "i", ()) == ()
    mixed = Provenance(of_schedule=(Split("j", "u", "v", 4), Collapse("i", "u", "f")))
    assert completed_loops(mixed, "f", ()) == ("i", "u") and completed_loops(mixed, "v", ("i", "u", "f")) == ("j",)
    assert remaining_loops(mixed, "i", ("f", "v")) == ("f",) and remaining_loops(mixed, "j", ("f", "v")) == ("f", "v")
    assert remaining_loops(mixed, "i", ("i", "j")) == ("i",)
    assert mixed.originals("f") == ("i", "j")


def test_loops_that_complete_nothing_count_integers() -> None:
    graph = Provenance(of_schedule=(SPLIT, Split("a", "c", "d", 2)))
    assert completed_loops(graph, "c", ()) == completed_loops(graph, "d", ("c",)) == ()
    assert completed_loops(graph, "b", ("c", "d")) == ("i",)
    both = Provenance(of_schedule=(SPLIT, Split("j", "u", "v", 4), Collapse("b", "v", "f")))
    assert completed_loops(both, "f", ("a", "u")) == ("i", "j")
    again = Provenance(of_schedule=(SPLIT, Collapse("i", "a", "f")))
    assert completed_loops(again, "f", ()) == ("i", "a")
    assert completed_loops(Provenance(of_schedule=(SPLIT, Collapse("b", "a", "f"))), "f", ()) == ("b", "i")


def test_a_loop_over_collapsed_variables_stands_for_itself_where_they_store_what_is_read() -> None:
    graph = Provenance(of_schedule=(Collapse("i", "j", "f"), Collapse("f", "k", "g")))
    w, x, t = Access("w", ("g",), ("g",)), Access("x", ("j",), ("j",)), Access("T", ("i", "j", "k"), ("i", "j", "k"))

    def loops(*read: Access, over: str = "g", known: Provenance = graph) -> list[str]:
        value: Expr = reduce(lambda left, right: Apply(ADD, (left, right)), read)
        return [step.index for step, _ in steps(Forall(over, Assign(t, value)), (), known)]

    assert loops(w) == ["g"] and loops(w, w) == ["g"]
    assert loops(Access("y", ("m",), ("m",))) == ["i", "j", "k", "g"]
    assert loops(w, x) == loops(x, w) == ["i", "j", "k", "g"] and loops(x) == ["i", "j", "k", "g"]
    assert loops(Access("v", ("f",), ("f",)), over="f") == ["f"]
    assert loops(Access("v", ("f",), ("f",))) == ["i", "j", "k", "g"]
    tiled = Provenance(of_schedule=(SPLIT, Collapse("j", "a", "f")))
    assert loops(Access("v", ("f",), ("f",)), over="f", known=tiled) == ["j", "a", "f"]


def test_what_a_variable_has_become_follows_coordinates_and_loops_as_they_run() -> None:
    tiled = Split("p", "a", "b", 4)
    graph = Provenance(of_schedule=(POS, tiled, Coord("b", "c", POS)))
    assert remaining_loops(graph, "i", ("a", "c")) == ("a", "c")
    whole = Provenance(of_schedule=(POS, Coord("p", "c", POS), Split("c", "u", "v", 2)))
    assert remaining_loops(whole, "i", ("u", "v")) == ("u", "v")
    assert remaining_loops(Provenance(of_schedule=(SPLIT,)), "i", ("i", "a", "b")) == ("i",)
    assert remaining_loops(Provenance(of_schedule=(SPLIT,)), "i", ("j",)) == ("i",)


def test_a_bound_is_checked_by_the_outermost_loop_that_counts_through_it() -> None:
    bound = Bound("i", "n", 12, "divisible")
    graph = Provenance(of_schedule=(bound, Split("n", "a", "b", 4), Split("b", "c", "d", 2)))
    assert bounds_on(graph, "a", ()) == (bound,)
    assert bounds_on(graph, "b", ("a",)) == bounds_on(graph, "d", ("a", "c")) == ()
    assert bounds_on(graph, "j", ()) == ()
