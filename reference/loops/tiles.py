"""Tiles: the stretches of a variable that the loop over one part of its split counts through, one by one."""

from __future__ import annotations

from ..statement.relation import Bound, Split
from .iteration_space import IterationSpace
from .terms import Coordinate, Term, least


def find_tile(space: IterationSpace, variable: str, counter: str) -> Split | None:
    """The split whose one part, `counter`, counts through a variable where the other part is known."""
    graph = space.provenance
    split = graph.derivation_of(counter)
    leading = graph.uses_towards(variable, space.around)
    if not isinstance(split, Split) or split.parent != variable or leading != [split] or graph.uses(counter):
        return None
    if graph.format_relation_of(variable) is not None:
        return None
    return split if split.inner == counter and split.outer in space.around else None


def tile_end(split: Split) -> Term:
    """The coordinate after the last one of the tile that the loops around have reached, if it has its full size."""
    return (Coordinate(split.outer) + 1) * split.factor


def tile_length(space: IterationSpace, split: Split) -> Term:
    """The number of coordinates in that tile, which the end of the extent may cut off."""
    return least(split.factor, room(space, split.parent) - Coordinate(split.outer) * split.factor)


def room(space: IterationSpace, variable: str) -> Term:
    """The number of values of a variable at most, wherever its loop runs: the extent of what it indexes."""
    graph = space.provenance
    match graph.derivation_of(variable):
        case Split(parent=parent, inner=inner, factor=size) if inner == variable and graph.is_position(parent):
            return size
        case Bound(parent=parent):
            return room(space, parent)
        case _:
            return space.extent(variable)
