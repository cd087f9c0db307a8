"""Differences: what is said of a point where a result is wrong."""

import gnomon as gn
import pytest
from gnomon.properties.differential.difference import find_difference, structure_difference
from gnomon.properties.programs.problem import Problem
from gnomon.reference.denotation.meaning import Point
from gnomon.reference.storage.named_formats import format_of

THIRD = gn.tensor([[0, 2]], [1.0, 0.1], (3,), "SparseVector")


def point(i: int, source: str = "y(i) = x(i) / 3") -> Point:
    return Problem(source, {"x": THIRD}, format_of("SparseVector")).denotation.point((i,))


def test_a_value_within_the_bound_is_no_difference() -> None:
    assert find_difference(point(0), (0,), 1 / 3) is None


def test_a_value_that_is_off_says_what_is_meant_and_how_far_it_may_be() -> None:
    found = find_difference(point(0), (0,), 0.5)
    assert found is not None
    assert str(found) == f"at (0,) the result is 0.5, but the expression means {1 / 3!r} within {found.bound:.3g}"
    assert (found.at, found.found, float(found.meant), found.structural) == ((0,), 0.5, 1 / 3, False)  # type: ignore[arg-type]


def test_a_value_that_floats_do_not_tell_from_the_exact_one_says_how_far_it_is_off() -> None:
    found = find_difference(point(2, "y(i) = x(i)"), (2,), 0.1)
    assert found is None
    whole = Problem("s = k + 1", {"k": gn.tensor([], [2**53], (), "")}, format_of("", 0)).denotation.point(())
    assert str(find_difference(whole, (), float(2**53 + 1))).endswith("within 0 (off by -1)")


@pytest.mark.parametrize(
    ("i", "stored", "free", "expected"),
    [
        (0, True, False, None),
        (0, False, False, "(0,) belongs to the structure but is not stored"),
        (1, True, False, "(1,) is stored but does not belong to the structure"),
        (1, True, True, None),
        (1, False, False, None),
    ],
)
def test_structures(i: int, stored: bool, free: bool, expected: str | None) -> None:
    found = structure_difference(point(i), (i,), 0.0, stored, free)
    assert expected == (None if found is None else str(found))
    assert found is None or found.structural
