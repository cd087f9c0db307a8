"""The lesser and the greater of two numbers of index arithmetic, folded as they are built."""

from __future__ import annotations

from .ir import ZERO, Call, Expr, Int, is_natural


def smaller(left: Expr, right: Expr) -> Expr:
    """min(left, right)"""
    match left, right:
        case Int(value=a), Int(value=b):
            return Int(min(a, b))
        case _ if left == right:
            return left
        case _, Call(function="gn_min_int64", args=args) if left in args:
            return right
        case _:
            return Call("gn_min_int64", (left, right))


def larger(left: Expr, right: Expr) -> Expr:
    """max(left, right)"""
    match left, right:
        case Int(value=a), Int(value=b):
            return Int(max(a, b))
        case _ if left == right or (right == ZERO and is_natural(left)):
            return left
        case _ if left == ZERO and is_natural(right):
            return right
        case _:
            return Call("gn_max_int64", (left, right))


def is_at_most(number: Expr, most: int) -> bool:
    """Whether a number is seen not to be larger than a constant.

    >>> is_at_most(smaller(Int(3), Call("gn_floordiv_int64", (Int(7), Int(2)))), 3), is_at_most(Int(4), 3)
    (True, False)
    """
    match number:
        case Int(value=value):
            return value <= most
        case Call(function="gn_min_int64", args=args):
            return any(is_at_most(each, most) for each in args)
        case _:
            return False
