"""Terms with notes: equality, hash and repr do not see them."""

from __future__ import annotations

from gnomon.reference.noted import Noted


class Named(Noted, frozen=True):
    name: object
    line: int = 0
    notes = frozenset({"line"})


class Sized(Noted, frozen=True):
    name: object
    size: int
    line: int = 0
    notes = frozenset({"line"})


def test_what_differs_in_notes_is_equal() -> None:
    for first, second in ((Named("x", 1), Named("x", 2)), (Sized("x", 3, 1), Sized("x", 3, 2))):
        assert first == second
        assert (first != second) is False
        assert {first: 7}[second] == 7


def test_what_differs_elsewhere_is_not() -> None:
    for first, second in (
        (Named("x", 1), Named("y", 1)),
        (Sized("x", 3), Sized("x", 4)),
        (Sized("x", 3), Sized("y", 3)),
    ):
        assert first != second
        assert (first == second) is False
        assert hash(first) != hash(second)


def test_terms_of_another_kind_are_others() -> None:
    class Other(Named, frozen=True):
        pass

    assert Named("x") != Other("x")
    assert Named("x") != "x"


def test_a_value_that_is_not_equal_to_itself_is_itself() -> None:
    nan = float("nan")
    assert Named(nan, 1) == Named(nan, 2)
    assert Sized(nan, 1, 1) == Sized(nan, 1, 2)


def test_notes_are_not_shown() -> None:
    assert repr(Sized("x", 3, line=2)) == "Sized(name='x', size=3)"
