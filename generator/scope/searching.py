"""Searching: positions of parents and children, by bisection or by arithmetic."""

from __future__ import annotations

from collections.abc import Callable

from ...reference.levels.level import CoordinatePositionIteration
from ..ir import extremes, ir, logic
from ..ir.ir import INT, Expr, Int, Name
from ..ir.writer import Writer
from ..storage.level_functions import Bound

Limits = tuple[Expr, Expr]


def search(first: Expr, last: Expr, before: Callable[[Writer, Expr], Expr], stem: str, out: Writer) -> Name:
    """The first place in `[first, last)` that does not come before something, or `last`: by bisection."""
    place = out.declare(INT, stem, first, natural=True)
    end = out.declare(INT, f"{stem}_end", last, natural=True)
    inner = out.inner()
    middle = inner.declare(f"const {INT}", "middle", ir.floordiv(ir.add(place, end), Int(2)), natural=True)
    left = before(inner, middle)
    inner.add(ir.If(left, (ir.Assign(place, ir.add(middle, ir.ONE)),), (ir.Assign(end, middle),)))
    out.add(ir.While(logic.compare("<", place, end), inner.code))
    return place


def quotient(level: Bound, q: Expr) -> Expr | None:
    """The parent of a position by arithmetic, where every parent has equally many children."""
    probe, p = Writer(), Name("p", True)
    begin, end = below(level, p, ir.add(p, ir.ONE), probe)
    if probe.body:
        return None
    if begin == p and end == ir.add(p, ir.ONE):
        return q
    if isinstance(begin, ir.Binary) and begin.operator == "*" and begin.left == p and begin.right != p:
        return ir.floordiv(q, extremes.larger(ir.ONE, begin.right))
    return None


def below(level: Bound, begin: Expr, end: Expr, out: Writer | None = None) -> Limits:
    """The positions of the children of the parents `[begin, end)`."""
    out = Writer() if out is None else out
    if isinstance(level.level, CoordinatePositionIteration):
        return (
            level.call("pos_bounds", (begin,), out)[0],
            level.call("pos_bounds", (ir.sub(end, ir.ONE),), out)[1],
        )
    return level.one("size", (begin,), out), level.one("size", (end,), out)


def iterations(begin: Expr, end: Expr, step: Expr) -> Expr:
    """How many iterations a loop from one place to another has, by a step.

    >>> iterations(ir.ZERO, Name("n"), ir.ONE), iterations(Int(1), Int(10), Int(4))
    (Name(name='n'), Int(value=3))
    """
    between = ir.sub(end, begin) if begin == ir.ZERO else extremes.larger(ir.sub(end, begin), ir.ZERO)
    return ir.floordiv(ir.add(between, ir.sub(step, ir.ONE)), step)


def is_one(begin: Expr, end: Expr) -> bool:
    """Whether `[begin, end)` is seen to hold one place."""
    return ir.sub(end, begin) == ir.ONE or end == ir.add(begin, ir.ONE)
