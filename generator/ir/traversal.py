"""Traversal: what expressions are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from .ir import Binary, Call, Cast, Choice, Element, Expr, Int, Name, Shuffle, Spelled, Unary


def parts(e: Expr) -> tuple[Expr, ...]:
    """The operands of an expression."""
    match e:
        case Name() | Int():
            return ()
        case Spelled(template=template, args=args):
            return tuple(a for n, a in enumerate(args) if f"{{{n}}}" in template)
        case Call(args=args):
            return args
        case Element(array=array, index=index):
            return (array, index)
        case Shuffle(value=value, lane=lane):
            return (value, lane)
        case Binary(left=left, right=right):
            return (left, right)
        case Unary(operand=operand) | Cast(operand=operand):
            return (operand,)
        case Choice(condition=condition, then=then, orelse=orelse):
            return (condition, then, orelse)


def change_parts(e: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """An expression with each of its operands changed."""
    match e:
        case Name() | Int():
            return e
        case Spelled(args=args) | Call(args=args):
            return replace(e, args=tuple(map(change, args)))
        case Element(array=array, index=index):
            return Element(change(array), change(index))
        case Shuffle(way=way, value=value, lane=lane):
            return Shuffle(way, change(value), change(lane))
        case Binary(left=left, right=right):
            return replace(e, left=change(left), right=change(right))
        case Unary(operand=operand) | Cast(operand=operand):
            return replace(e, operand=change(operand))
        case Choice(condition=condition, then=then, orelse=orelse):
            return Choice(change(condition), change(then), change(orelse))


def subterms(e: Expr) -> Iterator[Expr]:
    """An expression and all that it is made of."""
    yield e
    for part in parts(e):
        yield from subterms(part)


def names(e: Expr) -> Iterator[str]:
    """The variables that an expression reads."""
    return (each.name for each in subterms(e) if isinstance(each, Name))
