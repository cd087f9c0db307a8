"""Linearity: whether parts of an expression may be reduced one by one, rather than the expression as a whole."""

from __future__ import annotations

from collections.abc import Callable

from ..algebra.operator import Operator
from ..algebra.operators import DUPLICATES
from ..notation.syntax import Access, Apply, Expr, Fill, Literal, Reduce
from .statement import Assign


def is_linear(leaf: Assign, access: Access) -> bool:
    """Whether contributions of duplicates may be reduced one by one instead of after adding them up."""
    return leaf.operator is DUPLICATES and distributes(leaf.value, lambda e: e == access, DUPLICATES)


def distributes(e: Expr, is_part: Callable[[Expr], bool], operator: Operator) -> bool:
    """Whether reducing a part of an expression, which occurs once, gives the same as reducing the expression."""
    if is_part(e):
        return True
    match e:
        case Access() | Literal() | Fill() | Reduce():
            return False
        case Apply(operator=outer, args=args):
            holding = [a for a in args if occurs(a, is_part)]
            return (
                len(holding) == 1
                and operator.name in outer.distributes_over
                and distributes(holding[0], is_part, operator)
            )


def occurs(e: Expr, is_part: Callable[[Expr], bool]) -> bool:
    """Whether a part stands anywhere in an expression."""
    return is_part(e) or (isinstance(e, Apply) and any(occurs(a, is_part) for a in e.args))
