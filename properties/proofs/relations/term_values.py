"""Term values: the terms of a loop plan as symbolic integers, by what is known of loops and storage."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from msgspec import Struct

from ....reference.errors import InternalError
from ....reference.loops.iteration_space import IterationSpace
from ....reference.loops.terms import (
    Binary,
    Coordinate,
    Extent,
    SegmentBegin,
    SegmentEnd,
    Standing,
    Stored,
    Term,
    combine,
)
from ....reference.statement.provenance import Provenance
from ....reference.statement.relation import Derivation, Pos


class Meaning(Protocol):
    """What terms speak of, as symbolic integers."""

    def coordinate(self, variable: str) -> Any:
        """The value of a loop's variable."""

    def dimension(self, variable: str) -> Any:
        """The extent of a variable that no schedule derives."""

    def segment(self, relation: Pos) -> tuple[Any, Any]:
        """The positions below where an access stands."""

    def position(self, relation: Pos) -> Any:
        """The position at which an access stands."""


class Sizes(Struct, frozen=True):
    """What extents speak of: how many values original variables have, and how many positions segments."""

    count: Callable[[str], Any]

    def coordinate(self, variable: str) -> Any:
        """No extent depends on where a loop stands."""
        raise InternalError(f"an extent depends on the value of {variable}")

    def dimension(self, variable: str) -> Any:
        """The extent of a variable that no schedule derives."""
        return self.count(variable)

    def segment(self, relation: Pos) -> tuple[Any, Any]:
        """As many positions as there are, from 0."""
        return 0, self.count(relation.position)

    def position(self, relation: Pos) -> Any:
        """Nor on where an access stands."""
        raise InternalError(f"an extent depends on where {relation.access.tensor} stands")


def term_value(term: Term, meaning: Meaning) -> Any:
    """The value of a term. A size that is symbolic already stands for itself."""
    match term:
        case Coordinate(variable=variable) | Stored(variable=variable):
            return meaning.coordinate(variable)
        case Extent(variable=variable):
            return meaning.dimension(variable)
        case SegmentBegin(relation=relation):
            return meaning.segment(relation)[0]
        case SegmentEnd(relation=relation):
            return meaning.segment(relation)[1]
        case Standing(relation=relation):
            return meaning.position(relation)
        case Binary(operator=operator, left=left, right=right):
            return combine(operator, term_value(left, meaning), term_value(right, meaning))
        case size:
            return size


def extent_of(relation: Derivation, variable: str, count: Callable[[str], Any]) -> Any:
    """The extent of a variable that a relation derives, from those of its parents."""
    space = IterationSpace(Provenance(of_schedule=(relation,)))
    return term_value(space.extent(variable), Sizes(count))
