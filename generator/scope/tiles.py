"""Tiles: the coordinates that a loop over a part of a split counts through."""

from __future__ import annotations

from ...reference.statement.relation import Split
from ..ir import ir, logic
from ..ir.ir import Expr, Int
from .env import Env
from .extents import dimension
from .frame import Frame


def counted_tile(env: Env, variable: str) -> Split | None:
    """The split whose tile a loop counts through that stands for one over the other part alone."""
    counters = [v for v, added in env.site.surroundings.expanded.items() if added == (variable,)]
    return tile(env, variable, counters[-1]) if counters else None


def tile(env: Env, variable: str, counter: str) -> Split | None:
    """The split whose one part, `counter`, counts through a variable where the other part is known."""
    space = env.site.space
    graph, around = space.provenance, space.around
    split = graph.derivation_of(counter)
    leading = [use for use in graph.uses(variable) if graph.leads_to(use, around)]
    if not isinstance(split, Split) or split.parent != variable or leading != [split] or graph.uses(counter):
        return None
    if space.provenance.format_relation_of(variable) is not None:
        return None
    return split if split.inner == counter and split.outer in around else None


def length(frame: Frame, env: Env, split: Split) -> Expr:
    """The number of coordinates in the tile that the loops around have reached, or in the stretch of it."""
    if split in env.tiling.whole:
        return Int(env.tiling.whole[split].size)
    begin = ir.mul(env.site.coordinates[split.outer], Int(split.factor))
    return ir.smaller(Int(split.factor), ir.sub(dimension(frame, split.parent), begin))


def fits(frame: Frame, env: Env, split: Split) -> Expr:
    """Whether that tile has its full size."""
    end = ir.mul(ir.add(env.site.coordinates[split.outer], ir.ONE), Int(split.factor))
    return logic.compare("<=", end, dimension(frame, split.parent))
