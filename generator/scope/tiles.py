"""Tiles: the coordinates that a loop over a part of a split counts through, or a stretch of them."""

from __future__ import annotations

from ...reference.loops.tiles import room, tile_end, tile_length
from ...reference.statement.relation import Split
from ..ir import logic
from ..ir.ir import Expr, Int
from .env import Env
from .frame import Frame
from .terms import print_term


def length(frame: Frame, env: Env, split: Split) -> Expr:
    """The number of coordinates in the tile that the loops around have reached, or in the stretch of it."""
    if split in env.tiling.whole:
        return Int(env.tiling.whole[split].size)
    return print_term(tile_length(env.site.space, split), frame, env)


def fits(frame: Frame, env: Env, split: Split) -> Expr:
    """Whether that tile has its full size."""
    end, whole = tile_end(split), room(env.site.space, split.parent)
    return logic.compare("<=", print_term(end, frame, env), print_term(whole, frame, env))
