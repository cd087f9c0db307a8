"""The pretty-printer: index notation back as text, with no more parentheses than the parser needs."""

from __future__ import annotations

import math

import numpy as np

from ..algebra.dtypes import Number
from ..algebra.operator import Operator
from .syntax import Access, Apply, Assignment, Expr, Fill, Literal, Mask, Reduce

ATOM = 4


def pretty(term: Assignment | Mask | Expr) -> str:
    """The text of a term; parsing it gives the term back.

    >>> from gnomon.reference.notation.parser import parse
    >>> pretty(parse("C(i,j)<!M(i,j)> = (A(i,j)+B(i,j)) * 2"))
    'C(i,j)<!M(i,j)> = (A(i,j) + B(i,j)) * 2'
    """
    match term:
        case Assignment(target=target, value=value, operator=operator, mask=mask):
            return f"{pretty(target)}{'' if mask is None else pretty(mask)} {assigns(operator)} {pretty(value)}"
        case Mask(access=access, complement=complement, structural=structural):
            return f"<{'!' if complement else ''}{'$' if structural else ''}{pretty(access)}>"
        case _:
            return expression(term)


def assigns(operator: Operator | None) -> str:
    """`=`, `+=`, `min=`."""
    return "=" if operator is None else f"{operator.symbol or operator.reduction}="


def expression(e: Expr) -> str:
    """The text of an expression."""
    match e:
        case Access(tensor=tensor, indices=indices):
            return f"{tensor}({','.join(indices)})" if indices else tensor
        case Literal(value=value) | Fill(value=value):
            return number(value)
        case Reduce(operator=operator, index=index, body=body):
            return f"{operator.reduction}({index}, {expression(body)})"
        case Apply(operator=operator, args=(left, right)) if operator.symbol is not None:
            own = operator.precedence
            return f"{parenthesize(left, own)} {operator.symbol} {parenthesize(right, own + 1)}"
        case Apply(operator=operator, args=(argument,)) if operator.symbol is not None:
            if isinstance(argument, Literal) and takes_sign(argument.value):
                return f"{operator.symbol}({expression(argument)})"
            return f"{operator.symbol}{parenthesize(argument, operator.precedence)}"
        case Apply(operator=operator, args=args):
            return f"{operator.name}({', '.join(expression(a) for a in args)})"


def parenthesize(e: Expr, precedence: int) -> str:
    """The text of an operand, in parentheses if it binds less tightly."""
    text = expression(e)
    return f"({text})" if precedence_of(e) < precedence else text


def precedence_of(e: Expr) -> int:
    """How tightly the outermost operator of an expression binds."""
    match e:
        case Apply(operator=operator) if operator.symbol is not None:
            return operator.precedence
        case _:
            return ATOM


def takes_sign(value: Number) -> bool:
    """Whether a minus before the literal would be read as part of it."""
    return not isinstance(value, bool) and value == value


def number(value: Number) -> str:
    """A literal as the parser reads it."""
    match value:
        case bool():
            return "true" if value else "false"
        case float() if math.isinf(value) or math.isnan(value):
            return repr(float(value))
        case complex() | np.complexfloating():
            real, imaginary = float(value.real), float(value.imag)
            return f"{imaginary!r}j" if real == 0 else f"({real!r} + {imaginary!r}j)"
        case float():
            return repr(float(value))
        case _:
            return str(value)
