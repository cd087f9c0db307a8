"""Where an access stands at a level: one position, or, below a non-unique level, those of all duplicates.

Duplicates that lie side by side are a run of positions (Figure 1c, lines 5 to 7); others are a part of a scratch list,
or are located below each duplicate of the parent.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from ..ir import ir, logic
from ..ir.ir import Expr
from ..ir.writer import Writer
from .level_functions import Bound


class At(Struct, frozen=True):
    """One position."""

    p: Expr


class Run(Struct, frozen=True):
    """The positions `[begin, end)`."""

    begin: Expr
    end: Expr


class Listed(Struct, frozen=True):
    """The positions in the places `[begin, end)` of a scratch list."""

    items: Expr
    begin: Expr
    end: Expr


class Below(Struct, frozen=True):
    """The positions of one coordinate below each of several parents."""

    parents: Positions
    level: Bound
    path: tuple[Expr, ...]


Positions = At | Run | Listed | Below
Body = Callable[[Writer, Expr], None]


def each(positions: Positions, out: Writer, body: Body) -> None:
    """Write code that runs `body` at every position."""
    match positions:
        case At(p=p):
            body(out, p)
        case Run(begin=begin, end=end):
            inner = out.inner()
            q = inner.fresh("q")
            body(inner, ir.Name(q, True))
            out.add(ir.For(q, begin, end, inner.code))
        case Listed(items=items, begin=begin, end=end):
            inner = out.inner()
            s = inner.fresh("s")
            body(inner, item(items, ir.Name(s, True), "position"))
            out.add(ir.For(s, begin, end, inner.code))
        case Below(parents=parents, level=level, path=path):

            def child(inner: Writer, p: Expr) -> None:
                q, found = level.call("locate", (p, path), inner, ("q", "found"))
                deeper = inner.inner()
                body(deeper, q)
                inner.add(*logic.conditional(found, deeper.code))

            each(parents, out, child)


def item(items: Expr, place: Expr, field: str) -> Expr:
    """A coordinate or a position in a scratch list."""
    return ir.Spelled(f"{{0}}.item[{{1}}].{field}", (items, place))
