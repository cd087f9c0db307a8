"""Places: the positions that belong to a tile of positions, and what is stored at one."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ...reference.errors import InternalError
from ...reference.levels.level import CoordinatePositionIteration
from ...reference.loops.terms import Stored, Term
from ...reference.statement.relation import Pos
from ..ir import ir, logic
from ..ir.ir import INT, Expr, Int
from ..ir.writer import Writer
from ..storage.level_functions import Bound as Level
from ..storage.positions import At, Positions
from .env import Env
from .frame import Frame
from .searching import Limits, below, quotient, search
from .segments import levels_of, segments


def count_positions(relation: Pos, window: Limits, frame: Frame, env: Env, out: Writer) -> tuple[Limits, ...]:
    """The positions of each level below which a window of positions lies.

    From the last level upward: the parent of a position is searched for, the last one is where the first leads.
    """
    parents = segments(relation, frame, env.site)
    begin, end = (ir.add(parents[-1][0], limit) for limit in window)
    stem = f"p{relation.access.tensor}"
    bounds = levels_of(relation, frame)
    begin = out.hold(f"{stem}{relation.last}_first", begin)
    end = out.hold(f"{stem}{relation.last}_last", end)
    found = [(begin, end)]
    for j in range(relation.last - 1, relation.first, -1):
        level, (first, last) = bounds[j - relation.first], parents[j - relation.first]
        begin = parent(level, first, last, begin, f"{stem}{j}_first", out)
        end = beyond(level, begin, last, end, f"{stem}{j}_last", out)
        found.insert(0, (begin, end))
    return tuple(found)


def lies_inside(relation: Pos, depth: int, places: Limits, frame: Frame, env: Env) -> Expr:
    """Whether every position below where an access stands, at a level above the last, is one of some places."""
    match env.site.at(relation.access, depth):
        case At(p=p):
            begin, end = p, ir.add(p, ir.ONE)
        case other:
            raise InternalError(f"{other} is not one position")
    for level in levels_of(relation, frame)[depth - relation.first :]:
        begin, end = below(level, begin, end)
    return logic.both(logic.compare("<=", places[0], begin), logic.compare("<=", end, places[1]))


def parent(level: Level, first: Expr, last: Expr, q: Expr, stem: str, out: Writer) -> Expr:
    """The parent of a position, among the parents `[first, last)`."""
    direct = quotient(level, q)
    if direct is not None:
        return out.hold(stem, direct)

    def before(inner: Writer, p: Expr) -> Expr:
        return logic.compare("<=", below(level, p, ir.add(p, ir.ONE), inner)[1], q)

    return search(first, last, before, stem, out)


def beyond(level: Level, first: Expr, last: Expr, end: Expr, stem: str, out: Writer) -> Expr:
    """The first parent, from one on, whose children lie at `end` or beyond: found step by step."""
    direct = quotient(level, ir.add(end, Int(-1)))
    if direct is not None:
        return out.hold(stem, ir.add(direct, ir.ONE))
    place = out.declare(INT, stem, first, natural=True)
    begins = logic.compare("<", below(level, place, ir.add(place, ir.ONE))[0], end)
    out.add(ir.While(logic.both(logic.compare("<", place, last), begins), (ir.Assign(place, ir.ONE, "+="),)))
    return place


def search_coordinates(
    relation: Pos, position: Expr, frame: Frame, env: Env, out: Writer
) -> tuple[dict[Term, Expr], Expr]:
    """The coordinates that are stored at a position of a whole operand; and whether any are."""
    parents = segments(relation, frame, env.site)
    place = out.hold(f"p{relation.access.tensor}{relation.last}_at", ir.add(parents[-1][0], position))
    found = search_path(relation, place, parents, frame, env, out)
    return {Stored(v): c for v, c in zip(relation.access.levels, found.coordinates, strict=False)}, found.there


class Path(Struct, frozen=True):
    """The positions and the level coordinates on the way to a position, of the levels that a relation counts; and
    whether anything is stored there."""

    places: tuple[Expr, ...]
    coordinates: tuple[Expr, ...]
    there: Expr


def search_path(relation: Pos, place: Expr, parents: Sequence[Limits], frame: Frame, env: Env, out: Writer) -> Path:
    """The way to a position at the last level that a relation counts, whose parents lie within limits. In a workspace
    with flags, nothing is there if the position's is not set."""
    bounds, tensor = levels_of(relation, frame), relation.access.tensor
    places = [place]
    for j in range(relation.last - 1, relation.first, -1):
        at = parents[j - relation.first]
        places.insert(0, parent(bounds[j - relation.first], *at, places[0], f"p{tensor}{j}_at", out))
    there: Expr = ir.TRUE
    above, path = env.site.at(relation.access, relation.first), env.site.path(relation.access, relation.first)
    first = len(path)
    for level, at_level, variable in zip(bounds, places, relation.access.levels[relation.first :], strict=False):
        if isinstance(level.level, CoordinatePositionIteration):
            there = logic.both(there, *keep_below(level, above, at_level, out))
            c, found = level.call("pos_access", (at_level, path), out)
            there = logic.both(there, found)
        else:
            assert isinstance(above, At)
            begin = level.call("coord_access", (above.p, (*path, ir.ZERO)), out)[0]
            c = out.hold(variable, ir.sub(at_level, begin))
            _, found = level.call("coord_access", (above.p, (*path, c)), out)
            there = logic.both(there, *keep_to(c, *level.call("coord_bounds", (path,), out)), found)
        path, above = (*path, out.hold(variable, c)), At(at_level)
    flags = frame.tensors.stores[tensor].present
    if flags is not None and relation.last == len(relation.access.levels):
        there = logic.both(there, ir.Element(flags, place))
    return Path(tuple(places), path[first:], there)


def keep_below(level: Level, above: Positions, p: Expr, out: Writer) -> tuple[Expr, ...]:
    """The conditions under which a position is one of a parent's: none where the next parent's follow at once."""
    if not isinstance(above, At):
        return ()
    end = level.call("pos_bounds", (above.p,), out)[1]
    following = level.call("pos_bounds", (ir.add(above.p, ir.ONE),), Writer())[0]
    return () if end == following else (logic.compare("<", p, end),)


def keep_to(c: Expr, begin: Expr, end: Expr) -> tuple[Expr, ...]:
    """The conditions under which a coordinate lies within bounds: none where every child of a parent lies there."""
    if begin == ir.ZERO and isinstance(end, ir.Name | ir.Int):
        return ()
    return logic.compare("<=", begin, c), logic.compare("<", c, end)


def narrow_parents(
    relation: Pos, places: Limits, parents: Sequence[Limits], frame: Frame, out: Writer
) -> tuple[Limits, ...]:
    """The parents of some places, at each level: from the parent of the first place to the parent of the last one."""
    bounds, found = levels_of(relation, frame), [places]
    for j in range(relation.last - 1, relation.first, -1):
        level, (first, last) = bounds[j - relation.first], parents[j - relation.first]
        stem = f"p{relation.access.tensor}{j}"
        lowest = parent(level, first, last, found[0][0], f"{stem}_first", out)
        highest = parent(level, lowest, last, ir.sub(found[0][1], ir.ONE), f"{stem}_last", out)
        found.insert(0, (lowest, ir.add(highest, ir.ONE)))
    return (parents[0], *found)
