"""Positional multiplies of semirings: a product is the place of one of its operands (GraphBLAS C API 2.1, section 3.5;
SuiteSparse:GraphBLAS, positional operators).

`firsti` and `firstj` are row and column of the left operand, `secondi` and `secondj` those of the right one; a `1` at
the end counts from one. What a product reads as a place depends on the term around it, so that these operators stand in
no term: `notation/places.py` gives a product its meaning.
"""

from __future__ import annotations

from itertools import product

from msgspec import Struct
from msgspec.structs import replace

from .operators import PAIR


class Place(Struct, frozen=True):
    """The place that a product is: of its left (0) or right (1) operand, row (0) or column (1), counted from `origin`.

    >>> [str(place) for place in PLACES.values()][:3]
    ['firsti', 'firsti1', 'firstj']
    """

    side: int
    mode: int
    origin: int

    def __str__(self) -> str:
        return ("first", "second")[self.side] + "ij"[self.mode] + ("1" if self.origin else "")


PLACES = {str(place): place for place in (Place(*three) for three in product((0, 1), (0, 1), (0, 1)))}
POSITIONAL = {name: replace(PAIR, name=name, commutative=False) for name in PLACES}
"""The operators by name. None of them distributes over anything."""
