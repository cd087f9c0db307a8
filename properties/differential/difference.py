"""Differences: where a result is not what an expression means, point by point."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from ...reference.algebra.exact import Exact, approximate, exact, sub
from ...reference.denotation.meaning import Coordinates, Point


class Difference(Struct, frozen=True):
    """A coordinate at which a result is wrong, in words, with the value found, the exact one, and the error bound.

    `structural` if the value is right, and what is wrong is whether it is stored.
    """

    at: Coordinates
    what: str
    found: Any
    meant: Exact
    bound: float
    structural: bool = False

    def __str__(self) -> str:
        return self.what


def find_difference(point: Point, i: Coordinates, found: Any) -> Difference | None:
    """The difference of a value, if the expression cannot have it at a coordinate."""
    if point.accepts(found):
        return None
    meant = " or ".join(dict.fromkeys(repr(approximate(v)) for m in point.readings for v in m.values()))
    off = distance(found, point.meaning.value)
    what = f"at {i} the result is {found!r}, but the expression means {meant} within {point.meaning.bound:.3g}{off}"
    return Difference(i, what, found, point.meaning.value, point.meaning.bound)


def distance(found: Any, meant: Exact) -> str:
    """How far a value is off, where floats do not show it."""
    if approximate(meant) != found:
        return ""
    return f" (off by {approximate(sub(exact(found), meant)):.3g})"


def structure_difference(point: Point, i: Coordinates, found: Any, stored: bool, free: bool) -> Difference | None:
    """The difference of a structure: a value that is `stored`, unless a format is `free` to, or one that is not."""
    present = point.presence()
    if present == {True} and not stored:
        what = f"{i} belongs to the structure but is not stored"
    elif present == {False} and stored and not free:
        what = f"{i} is stored but does not belong to the structure"
    else:
        return None
    return Difference(i, what, found, point.meaning.value, point.meaning.bound, structural=True)
