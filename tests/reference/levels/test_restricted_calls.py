"""Level functions call one another as they can be called, and give the results that they have."""

from dataclasses import dataclass
from typing import ClassVar

import pytest
from gnomon.reference.errors import CompileError
from gnomon.reference.levels.level import Level, parameter
from gnomon.reference.levels.restricted import parse_level_function

# mypy: ignore-errors
# ruff: noqa: F821, F841  (functions are wrong on purpose)


@dataclass(frozen=True)
class Calling(Level):
    """Functions that others call, and calls that do not fit them."""

    name: ClassVar[str] = "calling"
    W: int = parameter()

    def pair(self, p):
        return p, p + 1

    def passed_on(self, p):
        return self.pair(p)

    def last(self, i):
        return i[-1]

    def second(self, i):
        return self.last(i) + i[1]

    def doubled(self, n):
        return 2 * n

    def handed(self, n):
        return self.doubled(n)

    def nothing(self, p):
        pass

    def unused(self, i):
        return 7

    def named(self, p):
        return {"W": p}

    def round_about(self, p):
        return self.back(p)

    def back(self, p):
        return self.round_about(p - 1) if p > 0 else p

    def itself(self, p):
        return self.itself(p) if p > 0 else p

    def calls_the_circle(self, p):
        return self.back(p)

    def tuple_in_sum(self, p):
        return self.passed_on(p) + 1

    def nothing_in_sum(self, p):
        return self.nothing(p) + 1

    def too_many_variables(self, p):
        a, b, c = self.pair(p)
        return a + b + c

    def too_few_arguments(self, p):
        return self.doubled()

    def too_many_arguments(self, p):
        return self.doubled(p, p)

    def short_path(self, p):
        return self.second((p,))

    def wrong_within(self, p, i):
        return self.second(i) + self.too_many_arguments(p)

    def other_results(self, p):
        if p > 0:
            return p
        return p, 1

    def other_names(self, p):
        if p > 0:
            return {"W": p}
        return p

    def no_end(self, p):
        while p > 0:
            return p

    def one_end(self, p):
        if p > 0:
            return p

    def fits(self, p, i):
        a, b = self.passed_on(p)
        if a > b:
            return self.second((a, b)), self.handed(i[0])
        elif b > 0:
            while True:
                a = self.unused(i) + self.unused(b) + self.last(i)
        else:
            return self.passed_on(a)


@pytest.mark.parametrize(
    ("function", "why", "hint"),
    [
        ("itself", "itself calls itself", "write a loop"),
        ("round_about", "round_about calls itself", "write a loop"),
        ("calls_the_circle", "back calls itself", "write a loop"),
        ("tuple_in_sum", "passed_on has several results, which are assigned", "call what has one result"),
        ("nothing_in_sum", "nothing has no result", "call what has one result"),
        ("too_many_variables", "pair has 2 results, not 3", "assign to 2 variables"),
        ("too_few_arguments", "doubled takes 1 argument, not 0", r"write doubled\(n\)"),
        ("too_many_arguments", "doubled takes 1 argument, not 2", r"write doubled\(n\)"),
        ("wrong_within", "too_many_arguments: doubled takes 1 argument, not 2", r"write doubled\(n\)"),
        ("short_path", "second takes 2 coordinates for i, not 1", "pass a path on"),
        ("other_results", "other_results has other results here", "return 1 result everywhere"),
        ("other_names", "other_names has other results here", "return 1 result everywhere"),
        ("no_end", "no_end may end without a result", "return 1 result here, too"),
        ("one_end", "one_end may end without a result", "return 1 result here, too"),
    ],
)
def test_functions_that_do_not_fit_are_refused(function: str, why: str, hint: str) -> None:
    with pytest.raises(CompileError, match=f"(?s){why}.*hint: .*{hint}"):
        parse_level_function(Calling, function)


@pytest.mark.parametrize("function", ["fits", "passed_on", "handed", "second", "named", "nothing"])
def test_functions_that_fit_are_parsed(function: str) -> None:
    assert parse_level_function(Calling, function).body


@dataclass(frozen=True)
class Amiss(Level):
    """Level functions that are not what their capabilities have."""

    name: ClassVar[str] = "amiss"

    def pos_bounds(self, p):
        return p

    def coord_bounds(self, i, more):
        return 0, more

    def locate(self, i):
        return i, True

    def pos_access(self, p, i):
        return p, True, i[0]

    def insert_coord(self, p, i):
        return p

    def insert_init(self, begin, end):
        pass

    def size(self, parents):
        pass

    def coord_access(self, p, own):
        return self.helper(p), self.ends(p)

    def helper(self, p):
        return self.unassigned(p)

    def unassigned(self, p):
        return q
        q = p

    def ends(self, p):
        return p > 0


@pytest.mark.parametrize(
    ("function", "why", "hint"),
    [
        ("pos_bounds", "pos_bounds has 2 results, not 1", "return 2 results"),
        ("coord_bounds", "coord_bounds takes 1 argument, not 2", r"write coord_bounds\(self, i\)"),
        ("locate", "locate takes 2 arguments, not 1", r"write locate\(self, p, i\)"),
        ("pos_access", "pos_access has 2 results, not 3", "return 2 results"),
        ("insert_coord", "insert_coord has 0 results, not 1", "return 0 results"),
        ("size", "size may end without a result", "return 1 result here, too"),
        ("coord_access", "unassigned: q may be read before", "assign to q"),
    ],
)
def test_level_functions_are_what_their_capability_has(function: str, why: str, hint: str) -> None:
    with pytest.raises(CompileError, match=f"(?s){why}.*hint: .*{hint}"):
        parse_level_function(Amiss, function)
