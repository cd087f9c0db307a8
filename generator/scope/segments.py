"""Segments: the positions below where an access stands, of the levels whose positions a relation counts."""

from __future__ import annotations

from ...reference.errors import Unsupported
from ...reference.statement.relation import Pos
from ..ir import ir
from ..ir.ir import Expr
from ..storage.level_functions import Bound as Level
from ..storage.positions import At, Listed, Run, item
from .frame import Frame
from .searching import Limits, below
from .site import Site


def levels_of(relation: Pos, frame: Frame) -> tuple[Level, ...]:
    """The levels whose positions are counted."""
    return frame.tensors.stores[relation.access.tensor].bounds[relation.first : relation.last]


def segments(relation: Pos, frame: Frame, site: Site) -> list[Limits]:
    """The positions below where the access stands, before the first level and after each one.

    Raises Unsupported below duplicates that lie apart.
    """
    match site.at(relation.access, relation.first):
        case At(p=p):
            found = [(p, ir.add(p, ir.ONE))]
        case Run(begin=begin, end=end):
            found = [(begin, end)]
        case _:
            raise Unsupported(
                f"positions of {relation.access.tensor} below duplicates that lie apart are no range",
                hint=f"convert {relation.access.tensor} to a format with unique coordinates",
            )
    for level in levels_of(relation, frame):
        found.append(below(level, *found[-1]))
    return found


def place_position(relation: Pos, site: Site) -> Expr:
    """Where the access stands at the last of the levels: of duplicates, the first.

    Raises Unsupported for duplicates that lie apart.
    """
    match site.at(relation.access, relation.last):
        case At(p=p):
            return p
        case Run(begin=begin):
            return begin
        case Listed(items=items, begin=begin):
            return item(items, begin, "position")
        case _:
            raise Unsupported(
                f"the position {relation.position} of duplicates that lie apart cannot be told",
                hint=f"convert {relation.access.tensor} to a format with unique coordinates",
            )
