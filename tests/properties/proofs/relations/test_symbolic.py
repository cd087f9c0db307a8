"""Symbolic execution takes the path that plain execution takes, and gives its result."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from depth import DEEP
from gnomon.properties.proofs.relations.symbolic import (
    Execution,
    Path,
    Raised,
    Truth,
    always,
    compare_products,
    compare_quotients,
    define_quotient,
    divide_in_steps,
    explore,
    negate_quotient,
    round_up,
    term_of,
)
from gnomon.properties.proofs.solver import decide, exhibit, z3
from gnomon.properties.proofs.verdict import Proved, Refuted
from gnomon.reference.errors import Unsupported
from hypothesis import given, settings
from hypothesis import strategies as st

NAMES = ("a", "b", "c")


def tiles(a: Any, b: Any, c: Any) -> Any:
    return -(-a // 4) * 4 + min(a % 4, b) if a > c else max(a, b, c) - 7 // 2


def divided(a: Any, b: Any, c: Any) -> Any:
    return a // b + a % b if b != c and not (a < 0 and c < 0) else c % -3


def backwards(a: Any, b: Any, c: Any) -> Any:
    return (5 - a) // (-2) + 9 % c + 9 // c - (b - 1) % 5


def counted(a: Any, b: Any, c: Any) -> Any:
    total = 0
    while a > 0 and total < 3:
        a, total = a - b, total + 1
    return total * c if a != b else sorted([c, b, a])[1]


FUNCTIONS = (tiles, divided, backwards, counted)


@cache
def paths(function: Callable[..., Any]) -> tuple[Path[Any], ...]:
    return explore(lambda run: function(*map(run.integer, NAMES)))


def plain(function: Callable[..., Any], values: list[int]) -> Any:
    try:
        return function(*values)
    except ZeroDivisionError as error:
        return error


@pytest.mark.parametrize("function", FUNCTIONS)
@settings(max_examples=40 if DEEP else 6)
@given(st.lists(st.integers(-12, 12), min_size=3, max_size=3))
def test_symbolic_and_plain_execution_agree(function: Callable[..., Any], values: list[int]) -> None:
    fixed = [z3.Int(name) == value for name, value in zip(NAMES, values, strict=True)]
    possible = [p for p in paths(function) if decide(z3.BoolVal(False), given=[*fixed, *p.condition]) != Proved()]
    assert len(possible) == 1
    expected, found = plain(function, values), possible[0].result
    if isinstance(found, Raised):
        assert isinstance(expected, ZeroDivisionError)
    else:
        assert decide(term_of(found) == expected, given=[*fixed, *possible[0].condition]) == Proved()


def test_what_is_said_of_quotients_follows_from_what_they_are() -> None:
    q, a, r, c, s, t, d, e = z3.Ints("q a r c s t d e")
    both = [d > 0, *define_quotient(q, a, d), *define_quotient(r, c, d)]
    assert decide(compare_quotients(q, a, r, c), given=both) == Proved()
    assert decide(negate_quotient(q, a, r, c, d), given=both) == Proved()
    assert decide(round_up(q, a, r, d), given=both) == Proved()
    assert decide(compare_products(q, a, d)) == Proved()
    steps = [d > 0, e > 0, t == r * s, *define_quotient(q, a, d), *define_quotient(r, a, e), *define_quotient(s, e, d)]
    assert decide(divide_in_steps(q, a, r, e, s, d), given=steps) == Proved()
    assert isinstance(exhibit([*both, q == 3, r == -2, d > 1], {}), Proved)
    sign = define_quotient(q, a, d)[2]
    assert decide(sign, given=[d > 0, *define_quotient(q, a, d)[:2]]) == Proved()


def test_every_path_is_taken_once() -> None:
    found = explore(lambda run: 1 if run.integer("a") > 0 and run.integer("b") > 0 else 0)
    assert sorted(p.result for p in found) == [0, 0, 1]
    overlap = [decide(z3.Not(z3.And(*p.condition, *q.condition))) for p in found for q in found if p is not q]
    assert set(overlap) == {Proved()}
    assert decide(z3.Or(*[z3.And(*p.condition) for p in found])) == Proved()


def test_paths_that_no_value_takes_are_left_out() -> None:
    assert len(explore(lambda run: bool(run.integer("a") > 3), [z3.Int("a") == 5])) == 1


def test_what_does_not_end_is_refused() -> None:
    def endless(run: Execution) -> int:
        a, count = run.integer("a"), 0
        while a > count:
            count += 1
        return count

    with pytest.raises(Unsupported):
        explore(endless)


def test_an_error_refutes() -> None:
    def divides(run: Execution) -> Truth:
        return run.integer("a") // (run.integer("b") - 2) * 0 == 0

    verdict = always(divides, show={"b": z3.Int("b")})
    assert verdict == Refuted((("b", "2"), ("error", "ZeroDivisionError()")))
