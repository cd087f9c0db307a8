"""Term values: the terms of a loop plan as symbolic integers, by what is known of loops and storage."""

from __future__ import annotations

from typing import Any, Protocol

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
from ....reference.statement.derivation import Pos


class Meaning(Protocol):
    """What terms speak of, as symbolic integers."""

    def coordinate(self, variable: str) -> Any:
        """The value of a loop's variable."""

    def dimension(self, variable: str) -> Any:
        """The extent of a variable that no schedule derives."""

    def segment(self, relation: Pos) -> tuple[Any, Any]:
        """The positions below where an access stands."""

    def standing(self, relation: Pos) -> Any:
        """The position at which an access stands."""


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
            return meaning.standing(relation)
        case Binary(operator=operator, left=left, right=right):
            return combine(operator, term_value(left, meaning), term_value(right, meaning))
        case size:
            return size
