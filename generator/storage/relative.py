"""Relative levels: appended levels whose arrays stay true where positions begin elsewhere.

A thread that appends to arrays of its own counts positions from 0; afterwards its part begins behind those of others.
What `compressed` stores, coordinates and how many children a parent has, is the same there. A level that kept the first
position of each parent would have to be told.
"""

from __future__ import annotations

from math import nan

from ..ir import ir, traversal
from ..ir.ir import Element, Expr, Name
from ..ir.writer import Writer
from .level_functions import Bound


def tells_differences(bound: Bound) -> bool:
    """Whether what an appended level stores stays true where positions begin elsewhere: of positions it keeps only how
    far they lie apart, and it reads back at most what it changes."""
    out, position, begin, end = Writer(), Name("q", True), Name("begin", True), Name("end", True)
    bound.call("append_coord", (position, Name("c", True)), out)
    bound.call("append_init", (begin, end), out)
    bound.call("append_edges", (Name("p", True), begin, end), out)
    return all(is_relative(s.target, s.value, (position, begin, end)) for s in stores(out.code))


def stores(code: ir.Code) -> list[ir.Assign]:
    """The assignments in some code."""
    return [s for s in traversal.statements(code) if isinstance(s, ir.Assign)]


def is_relative(target: Expr, value: Expr, positions: tuple[Name, ...]) -> bool:
    """Whether a value is a sum of which positions are as often subtracted as added."""
    read = [e for e in traversal.subterms(value) if isinstance(e, Element)]
    return all(e == target for e in read) and share(value, positions, target) == 0


def share(e: Expr, positions: tuple[Name, ...], target: Expr) -> float:
    """How often positions are added in a sum, less how often they are subtracted; not a number where they are more than
    added."""
    match e:
        case ir.Binary(operator="+" | "-" as sign, left=left, right=right):
            second = share(right, positions, target)
            return share(left, positions, target) + (second if sign == "+" else -second)
        case ir.Cast(operand=operand):
            return share(operand, positions, target)
        case _ if e == target:
            return 0
        case Name():
            return 1 if e in positions else 0
        case _:
            return nan if {p.name for p in positions} & set(traversal.names(e)) else 0
