"""Initialisation: what levels and values hold before anything is stored."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from ...reference.levels.level import Insert, Level, Reset, Widen, makes_positions
from ..ir import ir
from ..ir.ir import Element, Expr, Int, Name, Spelled
from ..ir.writer import Writer
from ..storage.level_functions import Bound
from .variables import Variables


def initialise(held: Variables, out: Writer, *, covered: bool = False) -> None:
    """Prepare the first group: levels, and values where no insertion sets them, nor the first visit of each."""
    size: Expr = ir.ONE
    for bound in held.bounds:
        if makes_positions(bound.level):
            bound.call("append_init", (ir.ZERO, size), out)
            return
        size = bound.one("size", (size,), out)
        initialise_level(bound, ir.ZERO, size, out)
    if held.needs_fill and not covered:
        fill(held, ir.ZERO, size, out)


def initialise_level(bound: Bound, before: Expr, size: Expr, out: Writer) -> None:
    """Prepare the new positions `[before, size)` of a level."""
    if isinstance(bound.level, Insert):
        bound.call("insert_init", (before, size), out)
        return
    for name, blank in bound.level.blank().items():
        counter = out.inner().fresh("p")
        body = (ir.Assign(Element(bound.fields[name], Name(counter)), Int(blank)),)
        out.add(ir.For(counter, before, size, body))


def fill(held: Variables, begin: Expr, end: Expr, out: Writer) -> None:
    """Set the values of the positions `[begin, end)`, and mark them absent."""
    p = Name(out.inner().fresh("p"), True)
    code = unset(held, p)
    if code:
        out.add(ir.For(p.name, begin, end, code))


def unset(held: Variables, p: Expr) -> ir.Code:
    """Set the value of a position, and mark it absent."""
    value = () if held.form.bare else (ir.Assign(Element(held.vals, p), held.form.initial),)
    flag = () if held.present is None else (ir.Assign(Element(held.present, p), ir.FALSE),)
    return value + flag


def begin_values(held: Variables, out: Writer, *, structural: bool = False) -> None:
    """Set the values of the first group: to those of the tensor as whose contents a result begins, unless nobody asks
    for these, or as if nothing were stored."""
    size = held.positions(out)
    if held.begins is None or structural:
        fill(held, ir.ZERO, size, out)
        return
    p = Name(out.inner().fresh("p"), True)
    out.add(ir.For(p.name, ir.ZERO, size, (ir.Assign(Element(held.vals, p), Element(held.begins.vals, p)),)))


def reset(held: Variables, out: Writer) -> None:
    """Forget everything stored, before the tensor is filled again."""
    levels = held.form.levels
    if is_listed(levels):
        reset_listed(held, out)
        return
    if all(isinstance(level, Reset) for level in levels) and not held.needs_fill:
        parents: Expr = ir.ONE
        for bound in held.bounds:
            bound.call("insert_reset", (ir.ZERO, parents), out)
            parents = bound.one("size", (parents,), out)
        return
    for k in held.counts:
        forget_children(held, k, ir.ZERO, held.parents(k, out), out)
    initialise(held, out)


def is_listed(levels: Sequence[Level]) -> bool:
    """Whether the first level has a list of its coordinates, each with so many positions below."""
    below = (isinstance(level, Insert) and not isinstance(level, Reset | Widen) for level in levels[1:])
    return len(levels) > 1 and isinstance(levels[0], Reset) and all(below)


def reset_listed(held: Variables, out: Writer) -> None:
    """Forget what is stored below the coordinates of the first level, and those."""
    first, *below = held.bounds
    _, size = first.call("pos_bounds", (ir.ZERO,), out)
    for bound in below:
        size = bound.one("size", (size,), out)
        initialise_level(bound, ir.ZERO, size, out)
    if held.needs_fill:
        fill(held, ir.ZERO, size, out)
    first.call("insert_reset", (ir.ZERO, ir.ONE), out)


def forget_children(held: Variables, k: int, begin: Expr, end: Expr, out: Writer) -> None:
    """Say that the parents `[begin, end)` of level `k` have no children yet, if those are counted."""
    if k not in held.counts:
        return
    if end == ir.add(begin, ir.ONE):
        out.add(ir.Assign(Element(held.counts[k], begin), ir.ZERO))
        return
    p = Name(out.inner().fresh("p"), True)
    out.add(ir.For(p.name, begin, end, (ir.Assign(Element(held.counts[k], p), ir.ZERO),)))


def clears(s: ir.Stmt, arrays: Collection[Name]) -> bool:
    """Whether a statement only sets elements of some arrays to zero, which they are when allocated."""
    match s:
        case ir.For(body=body):
            return all(clears(each, arrays) for each in body)
        case ir.Assign(target=Element(array=array), value=value, operator="="):
            return array in arrays and value in (ir.ZERO, ir.FALSE, Spelled("0.0"), Spelled("0.0f"))
        case _:
            return False


def arrays_of(s: ir.Stmt) -> Iterator[Name]:
    """The arrays whose elements a statement assigns."""
    match s:
        case ir.For(body=body):
            for each in body:
                yield from arrays_of(each)
        case ir.Assign(target=Element(array=Name() as array)):
            yield array
        case _:
            return
