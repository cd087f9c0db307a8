"""Turns: loops that do the same are one function, whatever their variables are called."""

from __future__ import annotations

from gnomon.properties.proofs.c.c_turns import Turn, Turns, leaves, natural
from gnomon.properties.proofs.solver import Term, decide, z3
from gnomon.properties.proofs.verdict import Proved

p, q, n, begin = z3.Int("p"), z3.Int("q"), z3.Int("n"), z3.Int("begin")


def test_a_number_that_is_not_negative_is_left_as_it_is() -> None:
    x = z3.Int("x")
    assert isinstance(decide(natural(x) >= 0), Proved) and natural(natural(x)).eq(natural(x))


def test_the_unknowns_of_a_term_come_once() -> None:
    assert [str(leaf) for leaf in leaves(p + (q - p) + 3)] == ["p", "q"]


def turn(place: Term, step: int) -> Turn:
    """Of a loop that doubles what it counts, while a place is below a bound."""
    return Turn(place < n, {"x": begin, "at": z3.IntVal(0)}, {"x": q, "at": place}, {"x": 2 * q, "at": place + step})


def test_a_loop_is_named_by_what_its_turns_do() -> None:
    turns: Turns = {}
    one, other = z3.Int("one"), z3.Int("other")
    assert turn(one, 1).end("x", turns).eq(turn(other, 1).end("x", turns))
    assert not turn(one, 1).end("x", turns).eq(turn(one, 2).end("x", turns))
    assert isinstance(decide(turn(one, 1).end("at", turns) == n, given=[n >= 0]), Proved)
