"""Stored coordinates: what storage holds, as a function of positions of which only what a level declares is known."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from ....reference.statement.relation import Pos
from ..solver import Term, z3
from .symbolic import Execution, Integer, Whole, term_of

WHOLE = z3.IntSort()
CRD = z3.Function("crd", WHOLE, WHOLE)
"""The coordinate at a position."""
PLACE = z3.Function("place", WHOLE, WHOLE)
"""The first position of a coordinate."""
LABELED = z3.Function("labeled", WHOLE, z3.BoolSort())
"""Whether a position holds something."""
COUNT, EXTENT = z3.Ints("n N")
"""The numbers of positions and of coordinates."""


class Storage(StrEnum):
    """What a level declares of the coordinates below one parent."""

    ORDERED = "ordered"
    NONUNIQUE = "nonunique"
    UNORDERED = "unordered"
    PADDED = "padded"

    @property
    def words(self) -> str:
        """What is declared, in words."""
        match self:
            case Storage.ORDERED:
                return "ordered unique coordinates"
            case Storage.NONUNIQUE:
                return "ordered coordinates with duplicates"
            case Storage.UNORDERED:
                return "unordered unique coordinates"
            case Storage.PADDED:
                return "ordered unique coordinates with gaps between them"


class Stored(Struct, frozen=True):
    """A space of symbolic extents, over stored coordinates."""

    extents: Mapping[str, Whole]
    run: Execution

    def extent(self, variable: str) -> Whole:
        """The number of values of a variable."""
        return self.extents[variable]

    def coordinate(self, relation: Pos, position: Whole) -> Integer:
        """The coordinate that is stored at a position."""
        return Integer(CRD(term_of(position)), self.run)

    def position(self, relation: Pos, coordinate: Whole) -> Integer:
        """Where a coordinate is stored: of equal ones, the first."""
        return Integer(PLACE(term_of(coordinate)), self.run)


def holds(p: Term) -> Term:
    """Whether a position is one that holds something."""
    return z3.And(p >= 0, p < COUNT, LABELED(p))


def is_stored(c: Term) -> Term:
    """Whether a coordinate is held somewhere."""
    return z3.And(holds(PLACE(c)), CRD(PLACE(c)) == c)


def precedes(storage: Storage, p: Term, q: Term) -> Term:
    """What is known of the coordinates at two positions, the first before the second."""
    match storage:
        case Storage.ORDERED | Storage.PADDED:
            return CRD(p) < CRD(q)
        case Storage.NONUNIQUE:
            return CRD(p) <= CRD(q)
        case Storage.UNORDERED:
            return CRD(p) != CRD(q)


def facts(storage: Storage) -> tuple[Term, ...]:
    """What is known of stored coordinates: their range, their order, and where each is."""
    p, q = z3.Ints("p q")
    both = z3.And(holds(p), holds(q))
    found = [
        COUNT >= 0,
        z3.ForAll([p], z3.Implies(holds(p), z3.And(CRD(p) >= 0, CRD(p) < EXTENT)), patterns=[CRD(p)]),
        z3.ForAll([p, q], z3.Implies(z3.And(both, p < q), precedes(storage, p, q)), patterns=[two(CRD(p), CRD(q))]),
        z3.ForAll([p], z3.Implies(holds(p), z3.And(is_stored(CRD(p)), PLACE(CRD(p)) <= p)), patterns=[CRD(p)]),
    ]
    if storage is not Storage.PADDED:
        found.append(z3.ForAll([p], LABELED(p), patterns=[LABELED(p)]))
    return tuple(found)


def two(first: Term, second: Term) -> Term:
    """A pattern of two terms."""
    return z3.MultiPattern(first, second)
