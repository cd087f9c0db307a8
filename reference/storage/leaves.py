"""Leaves: the values of a tensor under construction, one for every position of its last level."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct, field

from ..algebra.dtypes import Number
from .enumeration import Coordinates

Combine = Callable[[Any, Any], Any]


class Leaves(Struct):
    """Values by position, which of them are `present`, and where missing contributions have been `folded` in.

    A position may have stood for another component before, so that what is folded is known by coordinates too.
    """

    fill: Number
    values: list[Any] = field(default_factory=list)
    present: list[bool] = field(default_factory=list)
    folded: set[tuple[int, Coordinates]] = field(default_factory=set)

    def grow(self, size: int) -> None:
        """Fill up to that many positions."""
        self.values.extend([self.fill] * (size - len(self.values)))
        self.present.extend([False] * (size - len(self.present)))

    def clear(self) -> None:
        """Forget what is present; positions keep their values until something is stored there."""
        self.present = [False] * len(self.present)
        self.folded = set()

    def is_touched(self, p: int, c: Coordinates) -> bool:
        """Whether something has been stored for a component at a position, missing contributions included."""
        return self.present[p] or (p, c) in self.folded

    def store(self, p: int, c: Coordinates, value: Any, combine: Combine | None) -> None:
        """Store a contribution: the first as it is, a later one combined with the value stored there."""
        if combine is not None and self.is_touched(p, c):
            value = combine(self.values[p], value)
        self.values[p], self.present[p] = value, True

    def store_missing(self, p: int, c: Coordinates, value: Any, combine: Combine) -> None:
        """Fold a missing contribution that is not the identity: it counts, but makes nothing present."""
        self.values[p] = combine(self.values[p], value) if self.is_touched(p, c) else value
        self.folded.add((p, c))

    def adopt(self, other: Leaves, from_: int, p: int, c: Coordinates) -> None:
        """Take over what other leaves hold of a component, which stood at another position there."""
        self.values[p], self.present[p] = other.values[from_], other.present[from_]
        if (from_, c) in other.folded:
            self.folded.add((p, c))
