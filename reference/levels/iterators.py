"""Iterators over one level, and their conversions (Chou 2018, sections 3.2 and 4.3).

An iterator yields pairs of a coordinate and what is stored there: a position, or, below a non-unique level, the tuple
of all positions that hold duplicates of the coordinate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from operator import itemgetter

from .level import CoordinatePositionIteration, Coordinates, CoordinateValueIteration, Level, Locate

Positions = int | tuple[int, ...]
Pairs = Iterator[tuple[int, Positions]]
Walk = Callable[[Level, int, Coordinates], Iterator[tuple[int, int]]]
Iterate = Callable[[Level, Positions, Coordinates], Pairs]


def by_position(level: CoordinatePositionIteration, p: int, i: Coordinates) -> Iterator[tuple[int, int]]:
    """Coordinate position iteration (Figure 5d)."""
    begin, end = level.pos_bounds(p)
    return positions(level, begin, end, i)


def positions(level: CoordinatePositionIteration, begin: int, end: int, i: Coordinates) -> Iterator[tuple[int, int]]:
    """The labeled positions in a range, with their coordinates."""
    access = level.pos_access
    for q in range(begin, end):
        c, found = access(q, i)
        if found:
            yield c, q


def by_coordinate(level: CoordinateValueIteration, p: int, i: Coordinates) -> Iterator[tuple[int, int]]:
    """Coordinate value iteration (Figure 5c)."""
    begin, end = level.coord_bounds(i)
    for c in range(begin, end):
        q, found = level.coord_access(p, (*i, c))
        if found:
            yield c, q


def walker(level: Level) -> Walk:
    """How the children of one position are iterated: by whichever capability the level has."""
    if isinstance(level, CoordinatePositionIteration):
        return by_position  # type: ignore[return-value]
    assert isinstance(level, CoordinateValueIteration)
    return by_coordinate  # type: ignore[return-value]


def children(level: Level, p: int, i: Coordinates) -> Iterator[tuple[int, int]]:
    """The labeled children of one position, in storage order."""
    return walker(level)(level, p, i)


def chain(level: CoordinatePositionIteration, parents: tuple[int, ...], i: Coordinates) -> Iterator[tuple[int, int]]:
    """The children of consecutive duplicates, iterated as one range of positions (Figure 7b)."""
    begin, _ = level.pos_bounds(parents[0])
    _, end = level.pos_bounds(parents[-1])
    return positions(level, begin, end, i)


def siblings(level: Level, parents: tuple[int, ...], i: Coordinates, chains: bool) -> Iterator[tuple[int, int]]:
    """The children of all duplicates of a coordinate: chained if they can be, else in order by a scratch copy."""
    if chains and parents[-1] - parents[0] + 1 == len(parents):
        return chain(level, parents, i)  # type: ignore[arg-type]
    return reorder(pair for p in parents for pair in children(level, p, i))


def reorder(pairs: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """An ordered scratch copy; duplicates keep their order."""
    return iter(sorted(pairs, key=itemgetter(0)))


def deduplicate(pairs: Iterable[tuple[int, int]]) -> Pairs:
    """Each coordinate of an ordered iterator once, with all its positions (Figure 1c, lines 5 to 7)."""
    for c, group in groupby(pairs, key=itemgetter(0)):
        yield c, tuple(q for _, q in group)


def window(pairs: Pairs, begin: int, end: int, shift: int, ordered: bool) -> Pairs:
    """The pairs with coordinates in `[begin, end)`, counted from `shift`."""
    for c, q in pairs:
        if c >= end and ordered:
            return
        if begin <= c < end:
            yield c - shift, q


def iterator(level: Level, parent: Level | None, *, many: bool, ordered: bool, unique: bool) -> Iterate:
    """The iterator over a level, converted as its use requires.

    `many`: parents come as tuples of duplicates. `ordered`: coordinates must increase. `unique`: duplicates must be
    gathered.
    """
    chains = (
        many
        and parent is not None
        and bool(parent.ordered and parent.compact and level.ordered and level.compact)
        and isinstance(level, CoordinatePositionIteration)
    )
    walk = walker(level)
    gathers = unique and (many or not level.unique)
    sorts = not level.ordered and (ordered or gathers)

    def one(level: Level, p: Positions, i: Coordinates) -> Pairs:
        pairs: Iterator[tuple[int, int]] = siblings(level, p, i, chains) if isinstance(p, tuple) else walk(level, p, i)
        if sorts:
            pairs = reorder(pairs)
        return deduplicate(pairs) if gathers else pairs

    return one


def locate_children(level: Locate, p: Positions, i: Coordinates) -> Positions | None:
    """Where a coordinate is stored below a position, or below each of several duplicates."""
    if isinstance(p, tuple):
        answers = [level.locate(each, i) for each in p]
        return tuple(q for q, found in answers if found) or None
    q, found = level.locate(p, i)
    return q if found else None
