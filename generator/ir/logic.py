"""Conditions, folded as they are built."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .ir import FALSE, TRUE, Binary, Choice, Code, Expr, If, Int, Spelled, Stmt, Unary

COMPARE = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def compare(operator: str, left: Expr, right: Expr) -> Expr:
    """left operator right, for the six comparisons"""
    if isinstance(left, Int) and isinstance(right, Int):
        return truth(COMPARE[operator](left.value, right.value))
    if left == right:
        return truth(COMPARE[operator](0, 0))
    return Binary(operator, left, right)


def truth(value: bool) -> Expr:
    """`true` or `false`"""
    return TRUE if value else FALSE


def both(*conditions: Expr) -> Expr:
    """Every condition holds.

    >>> from gnomon.generator.ir.ir import Name
    >>> p, q = Name("p"), Name("q")
    >>> both(compare("<=", p, q), TRUE, compare("<=", q, p)) == compare("==", p, q)
    True
    """
    kept = [c for c in dict.fromkeys(part for c in conditions for part in conjuncts(c)) if c != TRUE]
    if FALSE in kept:
        return FALSE
    match kept:
        case [Binary(operator="<=", left=a, right=b), Binary(operator="<=", left=c, right=d)] if (a, b) == (d, c):
            return compare("==", a, b)
        case _:
            return join("&&", kept) if kept else TRUE


def conjuncts(condition: Expr) -> Iterator[Expr]:
    """What has to hold for a condition to hold."""
    match condition:
        case Binary(operator="&&", left=left, right=right):
            yield from conjuncts(left)
            yield from conjuncts(right)
        case _:
            yield condition


def either(*conditions: Expr) -> Expr:
    """Some condition holds."""
    kept = [c for c in dict.fromkeys(conditions) if c != FALSE]
    if TRUE in kept:
        return TRUE
    return join("||", kept) if kept else FALSE


def join(operator: str, operands: list[Expr]) -> Expr:
    """The operands, left to right."""
    first, *rest = operands
    for each in rest:
        first = Binary(operator, first, each)
    return first


OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def negate(condition: Expr) -> Expr:
    """The condition does not hold. Only for conditions on integers: NaN compares otherwise."""
    match condition:
        case Spelled(template="true"):
            return FALSE
        case Spelled(template="false"):
            return TRUE
        case Unary(operator="!", operand=operand):
            return operand
        case Binary(operator=operator, left=left, right=right) if operator in OPPOSITE:
            return Binary(OPPOSITE[operator], left, right)
        case _:
            return Unary("!", condition)


def choice(condition: Expr, then: Expr, orelse: Expr) -> Expr:
    """then if condition else orelse"""
    return then if condition == TRUE else orelse if condition == FALSE else Choice(condition, then, orelse)


def conditional(condition: Expr, then: Iterable[Stmt], orelse: Iterable[Stmt] = ()) -> Code:
    """`if`, without a branch that is never taken."""
    yes, no = tuple(then), tuple(orelse)
    if condition == TRUE:
        return yes
    if condition == FALSE:
        return no
    if not yes and not no:
        return ()
    return (If(condition, yes, no),) if yes else (If(negate(condition), no),)
