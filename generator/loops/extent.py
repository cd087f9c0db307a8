"""Extents: the values that a loop ranges over."""

from __future__ import annotations

from ...reference.statement.provenance import Same, Split
from ..ir import ir
from ..ir.ir import Expr
from ..scope.env import Env
from ..scope.frame import Frame
from ..scope.searching import Range
from ..scope.spaces import Spaces


def extent(frame: Frame, index: str, env: Env) -> Range:
    """The values that a loop variable ranges over, in the window that a schedule leaves."""
    if index in env.tiling.given:
        return env.tiling.given[index], ir.add(env.tiling.given[index], ir.ONE)
    spaces = Spaces(frame, env)
    made = frame.facts.derivations.relation_of(index) is not None
    begin, end = (ir.ZERO, spaces.extent(index)) if made else dimension(frame, index, env)
    if not spaces.is_narrowed(index):
        return begin, end
    window = spaces.window(index)
    return ir.larger(begin, window.begin), ir.smaller(end, window.end)


def dimension(frame: Frame, index: str, env: Env) -> Range:
    """The coordinates of an original variable."""
    match frame.facts.provenance.derived_from(index):
        case Same(original=original):
            c = frame.recover(original, env.site)
            return c, ir.add(c, ir.ONE)
        case Split(parent=parent, outer=outer, inner=inner, factor=factor) if inner == index:
            if env.tiling.fits:
                return ir.ZERO, ir.Int(factor)
            rest = ir.sub(frame.dimension(parent), ir.mul(env.site.coordinates[outer], ir.Int(factor)))
            return ir.ZERO, ir.smaller(ir.Int(factor), rest)
        case _:
            return ir.ZERO, frame.dimension(index)


def is_one(begin: Expr, end: Expr) -> bool:
    """Whether `[begin, end)` is seen to hold one place."""
    return ir.sub(end, begin) == ir.ONE or end == ir.add(begin, ir.ONE)
