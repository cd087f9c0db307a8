"""What is of one kind, a number, a truth value or a path, is taken for nothing else."""

from dataclasses import dataclass
from typing import ClassVar

import pytest
from gnomon.reference.errors import CompileError
from gnomon.reference.levels.level import Coordinates, Ints, Level, array, extent, parameter
from gnomon.reference.levels.restricted import parse_level_function

# mypy: ignore-errors
# ruff: noqa: F841, B007  (functions are wrong on purpose)


@dataclass(frozen=True)
class Mixed(Level):
    """Functions that others call, and functions that take one kind for another."""

    name: ClassVar[str] = "mixed"
    wraps: bool = True
    step: int = 2
    crd: Ints = array()
    N: int = extent()
    W: int = parameter()

    def last(self, i):
        return i[-1]

    def passed(self, i):
        return self.last(i)

    def doubled(self, n):
        return 2 * n

    def handed(self, n):
        return self.doubled(n)

    def chosen(self, flag, p):
        return p if flag else 0

    def is_far(self, p):
        return p > 3

    def both(self, p):
        return p, self.is_far(p)

    def same(self, n):
        return n

    def given_back(self, flag: bool):
        return flag

    def unread_path(self, i: Coordinates):
        return 7

    def unread(self, any):
        return 7

    def path_for_number(self, i, p):
        return i[0] + self.handed(i)

    def coordinates_for_number(self, p):
        return self.doubled((p, p))

    def number_for_path(self, p):
        return self.passed(p + 1)

    def path_added(self, i, p):
        return i[0] + i

    def path_compared(self, i, p):
        return i[0] == i

    def path_tested(self, i, p):
        return i[0] > 0 and i

    def path_in_path(self, i, p):
        return i[0] + self.last((p, i))

    def path_returned(self, i, p):
        return self.last(i), i

    def path_of_call(self, i, p):
        return self.last(self.path_alone(i))

    def path_alone(self, i: Coordinates):
        return i

    def path_assigned(self, i, p):
        j = i
        return i[0]

    def path_overwritten(self, i, p):
        n = i[0]
        i = n
        return n

    def path_counted(self, i, p):
        n = i[0]
        for i in range(7):
            n = n + 1
        return n

    def number_as_path(self, p):
        q = p
        return q[0]

    def truth_added(self, p):
        return p + (p > 1)

    def truth_negated(self, p):
        return -(p > 1)

    def truth_as_index(self, p):
        return self.crd[p > 1]

    def truth_stored(self, p):
        self.crd[p] = p > 1

    def truth_at(self, p):
        self.crd[p > 1] = p

    def truth_compared(self, p):
        return (p > 1) == (p > 2)

    def truth_in_extreme(self, p):
        return max(p, True)

    def truth_as_bound(self, p):
        for q in range(p > 1):
            pass
        return p

    def truth_as_begin(self, p):
        for q in range(p > 1, 4):
            pass
        return p

    def truth_for_number(self, p):
        return self.doubled(p > 1)

    def truth_in_path(self, p):
        return self.last((p, p > 1))

    def truth_property(self, p):
        return p + self.wraps

    def truth_beside_number(self, p):
        return p if p > 1 else False

    def truth_then_number(self, p):
        q = p > 1
        if p > 2:
            q = p
        return q

    def truth_unpacked(self, p):
        q = p
        p, q = self.both(p)
        return q

    def truth_returned_first(self, p):
        if p > 3:
            return p > 5
        return p

    def truth_of_call(self, p):
        if p > 3:
            return self.is_far(p)
        return p

    def number_tested(self, p):
        q = p + 1
        if q:
            return 1
        return 0

    def number_while(self, p):
        while p - 1:
            pass
        return p

    def number_negated(self, p):
        return p < 1, not p

    def number_beside_truth(self, p):
        return p > 0 and p

    def number_chooses(self, p):
        return p + (1 if p else 2)

    def number_for_truth(self, p):
        return self.chosen(p + 1, p)

    def number_given_back(self, p):
        return self.given_back(p + 1)

    def number_for_unread_path(self, p):
        return self.unread_path(p + 1)

    def number_property(self, p):
        return self.step or p > 1

    def all_fit(self, i, p):
        far = self.is_far(i[0]) and self.wraps
        n = self.chosen(far or not self.wraps, self.step) + self.passed(i) + self.unread(i) + self.unread(far)
        n, far = self.both(self.same(n))
        for q in range(self.N):
            n = max(n, self.crd[q] if far else self.W)
        return n, far, self.chosen(self.given_back(True), n) > self.unread_path(i)

    def coord_bounds(self, i):
        return 0, i + 1

    def pos_bounds(self, p):
        return p, p > 1

    def locate(self, p, i):
        return p, i[-1]

    def is_crowded(self, count):
        return count


@pytest.mark.parametrize(
    ("function", "wanted", "found"),
    [
        ("path_for_number", "number", "path"),
        ("coordinates_for_number", "number", "path"),
        ("number_for_path", "path", "number"),
        ("path_added", "number", "path"),
        ("path_compared", "number", "path"),
        ("path_tested", "truth value", "path"),
        ("path_in_path", "number", "path"),
        ("number_as_path", "path", "number"),
        ("truth_added", "number", "truth value"),
        ("truth_negated", "number", "truth value"),
        ("truth_as_index", "number", "truth value"),
        ("truth_stored", "number", "truth value"),
        ("truth_at", "number", "truth value"),
        ("truth_compared", "number", "truth value"),
        ("truth_in_extreme", "number", "truth value"),
        ("truth_as_bound", "number", "truth value"),
        ("truth_as_begin", "number", "truth value"),
        ("truth_for_number", "number", "truth value"),
        ("truth_in_path", "number", "truth value"),
        ("truth_property", "number", "truth value"),
        ("truth_beside_number", "number", "truth value"),
        ("truth_then_number", "truth value", "number"),
        ("truth_unpacked", "number", "truth value"),
        ("truth_returned_first", "truth value", "number"),
        ("truth_of_call", "truth value", "number"),
        ("number_tested", "truth value", "number"),
        ("number_while", "truth value", "number"),
        ("number_negated", "truth value", "number"),
        ("number_beside_truth", "truth value", "number"),
        ("number_chooses", "truth value", "number"),
        ("number_for_truth", "truth value", "number"),
        ("number_given_back", "truth value", "number"),
        ("number_for_unread_path", "path", "number"),
        ("number_property", "truth value", "number"),
        ("coord_bounds", "number", "path"),
        ("pos_bounds", "number", "truth value"),
        ("locate", "truth value", "number"),
        ("is_crowded", "truth value", "number"),
    ],
)
def test_one_kind_is_not_taken_for_another(function: str, wanted: str, found: str) -> None:
    with pytest.raises(CompileError, match=f"a {wanted} is wanted, not a {found}"):
        parse_level_function(Mixed, function)


@pytest.mark.parametrize("function", ["path_returned", "path_of_call"])
def test_paths_are_not_returned(function: str) -> None:
    with pytest.raises(CompileError, match="a path is not returned"):
        parse_level_function(Mixed, function)


@pytest.mark.parametrize("function", ["path_assigned", "path_overwritten", "path_counted"])
def test_paths_are_not_assigned(function: str) -> None:
    with pytest.raises(CompileError, match="a path is not assigned"):
        parse_level_function(Mixed, function)


@pytest.mark.parametrize("function", ["all_fit", "same", "unread", "chosen", "both"])
def test_functions_whose_kinds_fit_are_parsed(function: str) -> None:
    assert parse_level_function(Mixed, function).body
