"""Places: the positions that belong to a tile of positions, and what is stored at one."""

from __future__ import annotations

from ...reference.errors import InternalError
from ...reference.levels.level import CoordinatePositionIteration
from ...reference.loops.terms import Stored, Term
from ...reference.statement.relation import Pos
from ..ir import ir, logic
from ..ir.ir import INT, Expr, Int
from ..ir.writer import Writer
from ..storage.level_functions import Bound as Level
from ..storage.positions import At
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
    parents, bounds = segments(relation, frame, env.site), levels_of(relation, frame)
    stem = f"p{relation.access.tensor}"
    places = [out.hold(f"{stem}{relation.last}_at", ir.add(parents[-1][0], position))]
    for j in range(relation.last - 1, 0, -1):
        places.insert(0, parent(bounds[j], *parents[j], places[0], f"{stem}{j}_at", out))
    found: Expr = ir.TRUE
    path: tuple[Expr, ...] = ()
    above: Expr = ir.ZERO
    for level, place, variable in zip(bounds, places, relation.access.levels, strict=False):
        if isinstance(level.level, CoordinatePositionIteration):
            c, there = level.call("pos_access", (place, path), out)
            found = logic.both(found, there)
        else:
            first = level.call("coord_access", (above, (*path, ir.ZERO)), out)[0]
            c = ir.sub(place, first)
        path, above = (*path, out.hold(variable, c)), place
    return {Stored(v): c for v, c in zip(relation.access.levels, path, strict=False)}, found
