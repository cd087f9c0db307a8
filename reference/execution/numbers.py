"""Numbers: the values of a plan's terms while it runs, and the positions to which walks keep."""

from __future__ import annotations

from bisect import bisect_left

from ..levels.iterators import Positions, children
from ..levels.level import CoordinatePositionIteration, Level
from ..loops.iteration_space import Kept
from ..loops.terms import (
    Binary,
    Coordinate,
    Extent,
    Range,
    SegmentBegin,
    SegmentEnd,
    Standing,
    Stored,
    Term,
    combine,
)
from ..statement.relation import Pos
from .state import State, Table


def number(term: Term, state: State) -> int:
    """The value of a term where the loops stand."""
    match term:
        case int():
            return term
        case Coordinate(variable=variable) | Stored(variable=variable):
            return state.coordinates[variable]
        case Extent(variable=variable):
            return state.extents[variable]
        case SegmentBegin(relation=relation):
            return segment(relation, state)[0]
        case SegmentEnd(relation=relation):
            return segment(relation, state)[1]
        case Standing(relation=relation):
            p: Positions = state.standing(relation.access).positions[relation.last]
            return p[0] if isinstance(p, tuple) else p
        case Binary(operator=operator, left=left, right=right):
            value: int = combine(operator, number(left, state), number(right, state))
            return value


def limits(range_: Range, state: State) -> tuple[int, int]:
    """The two ends of a range."""
    return number(range_.begin, state), number(range_.end, state)


def levels_of(relation: Pos, state: State) -> tuple[Level, ...]:
    """The levels whose positions a relation counts."""
    return state.sources[relation.access.tensor].levels[relation.first : relation.last]


def segment(relation: Pos, state: State) -> tuple[int, int]:
    """The positions, at the last level that a relation counts, below where its access stands."""
    p: Positions = state.standing(relation.access).positions[relation.first]
    return below(levels_of(relation, state), *ends(p))


def ends(p: Positions) -> tuple[int, int]:
    """The range from a position, or from the first of several, to the position after the last."""
    return (p[0], p[-1] + 1) if isinstance(p, tuple) else (p, p + 1)


def below(levels: tuple[Level, ...], begin: int, end: int) -> tuple[int, int]:
    """The range of positions, at the last of some levels, that descend from a range of positions above them."""
    for level in levels:
        if end <= begin:
            return 0, 0
        if isinstance(level, CoordinatePositionIteration):
            begin, end = level.pos_bounds(begin)[0], level.pos_bounds(end - 1)[1]
        else:
            begin, end = level.size(begin), level.size(end)
    return begin, end


def is_kept(kept: Kept, level: int, p: Positions, state: State) -> bool:
    """Whether a walk over a level keeps to a position: whether it has a descendant in the window.

    Of duplicates the first stands for all at the last level that is counted.
    """
    relation = kept.relation
    first, last = (bound + segment(relation, state)[0] for bound in limits(kept.window, state))
    begin, end = ends(p)
    if level == relation.last - 1:
        return first <= begin < last
    deeper = state.sources[relation.access.tensor].levels[level + 1 : relation.last]
    begin, end = below(deeper, begin, end)
    return max(first, begin) < min(last, end)


def coordinates_at(relation: Pos, position: int, state: State) -> dict[str, int] | None:
    """The coordinates that an operand stores at a position of the segment; None where it stores nothing."""
    positions, held = table(relation, state)
    at = bisect_left(positions, position)
    if at == len(positions) or positions[at] != position:
        return None
    return dict(zip(relation.access.levels[relation.first : relation.last], held[at], strict=True))


def table(relation: Pos, state: State) -> Table:
    """The positions of a segment that hold something, in order, and their coordinates.

    They are kept for operands; a workspace holds something else every time that it is filled.
    """
    if relation.access.tensor in state.workspaces:
        return list_positions(relation, state)
    p = state.standing(relation.access).positions[relation.first]
    if (relation, p) not in state.tables:
        state.tables[relation, p] = list_positions(relation, state)
    return state.tables[relation, p]


def list_positions(relation: Pos, state: State) -> Table:
    """The positions below where an access stands, counted from the first, with the coordinates that they hold."""
    standing = state.standing(relation.access)
    p, path = standing.positions[relation.first], standing.paths[relation.first]
    begin, _ = segment(relation, state)
    rows = sorted(descend(levels_of(relation, state), p, path, ()))
    return [q - begin for q, _ in rows], [c for _, c in rows]


def descend(
    levels: tuple[Level, ...], p: Positions, path: tuple[int, ...], found: tuple[int, ...]
) -> list[tuple[int, tuple[int, ...]]]:
    """Every position of the last of some levels below a position or several, with the coordinates on the way."""
    parents = p if isinstance(p, tuple) else (p,)
    if not levels:
        return [(q, found) for q in parents]
    under = [(c, q) for parent in parents for c, q in children(levels[0], parent, path)]
    return [leaf for c, q in under for leaf in descend(levels[1:], q, (*path, c), (*found, c))]
