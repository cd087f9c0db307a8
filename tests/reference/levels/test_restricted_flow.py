"""Variables of level functions are assigned on every way on which they are read."""

from dataclasses import dataclass
from typing import ClassVar

import pytest
from gnomon.reference.errors import CompileError
from gnomon.reference.levels.level import Ints, Level, array
from gnomon.reference.levels.restricted import parse_level_function

# mypy: ignore-errors
# ruff: noqa: F821, F841, B007, RUF059  (functions are wrong on purpose)


@dataclass(frozen=True)
class Missing(Level):
    """Each function reads `q` where nothing may have been assigned to it."""

    name: ClassVar[str] = "missing"
    crd: Ints = array()

    def one_branch(self, p):
        if p > 0:
            q = 1
        return q

    def other_branch(self, p):
        if p > 0:
            pass
        else:
            q = 1
        return q

    def test(self, p):
        if q > 0:
            q = p
        return p

    def while_test(self, p):
        while q > 0:
            q = p
        return p

    def while_body(self, p):
        while p > 0:
            p = p - 1
            q = p
        return q

    def while_inside(self, p):
        while p > 0:
            p = p - q
            q = p
        return p

    def for_body(self, p):
        for n in range(p):
            q = n
        return q

    def counter(self, p):
        for q in range(p):
            pass
        return q

    def begin(self, p):
        for n in range(q, p):
            pass
        q = 1
        return p

    def end(self, p):
        for n in range(q):
            pass
        q = 1
        return p

    def for_inside(self, p):
        m = p
        for n in range(p):
            m = q
            q = n
        return m

    def own_value(self, p):
        q = q + 1
        return q

    def argument(self, p):
        q, n = self.pair(q)
        return n

    def pair(self, p):
        return p, p

    def index(self, p):
        self.crd[q] = p
        q = p

    def stored(self, p):
        self.crd[p] = q
        q = p


WRONG = [name for name in vars(Missing) if name[0] != "_" and name not in ("name", "crd", "pair")]


@pytest.mark.parametrize("function", WRONG)
def test_what_may_not_be_assigned_is_not_read(function: str) -> None:
    with pytest.raises(CompileError, match=r"(?s)q may be read before it is assigned.*assign to q on every way"):
        parse_level_function(Missing, function)


@dataclass(frozen=True)
class Assigned(Level):
    """Each function reads `q` where something has been assigned to it."""

    name: ClassVar[str] = "assigned"

    def both_branches(self, p):
        if p > 0:
            q = 1
        else:
            q, n = self.pair(p)
        return q

    def pair(self, p):
        return p, p

    def left_before(self, p):
        if p > 0:
            return p
        elif p < 0:
            q = 2
        else:
            while True:
                p = p + 1
        return q

    def all_left(self, p):
        if p > 0:
            return p
        else:
            return 0
        return p

    def inside(self, p):
        m = p
        for q in range(p):
            m = q
        while m > 0:
            q = m
            m = m - q
        return m


@pytest.mark.parametrize("function", ["both_branches", "left_before", "all_left", "inside"])
def test_what_is_assigned_is_read(function: str) -> None:
    assert parse_level_function(Assigned, function).body
