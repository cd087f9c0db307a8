"""The pretty-printer: index notation back as text, with no more parentheses than the parser needs."""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct

from ..algebra.dtypes import Number
from ..algebra.operator import Operator
from .parser import CONSTANTS
from .syntax import Access, Apply, Assignment, Expr, Fill, Literal, Mask, Reduce, is_coordinate, merges

ATOM = 4


def pretty(term: Assignment | Mask | Expr) -> str:
    """The text of a term; parsing it gives the term back.

    >>> from gnomon.reference.notation.parser import parse
    >>> pretty(parse("C(i,j)<!M(i,j)> = (A(i,j)+B(i,j)) * 2"))
    'C(i,j)<!M(i,j)> = (A(i,j) + B(i,j)) * 2'
    """
    match term:
        case Assignment(target=target, value=value, operator=operator):
            return f"{pretty(target)}{masks(term)} {assigns(operator)} {pretty(value)}"
        case Mask():
            return ExpressionPrinter().mask(term)
        case _:
            return ExpressionPrinter().expression(term)


def masks(a: Assignment) -> str:
    """The text of an assignment's mask, which says what becomes of the rest where the operator does not.

    >>> from gnomon.reference.notation.parser import parse
    >>> masks(parse("C(i,j)<M(i,j),merge> = A(i,j)")), masks(parse("C(i,j)<M(i,j),merge> += A(i,j)"))
    ('<M(i,j),merge>', '<M(i,j)>')
    """
    if a.mask is None:
        return ""
    said = "" if a.merge == merges(a.operator) else ",merge" if a.merge else ",replace"
    return ExpressionPrinter().mask(a.mask, said)


def assigns(operator: Operator | None) -> str:
    """`=`, `+=`, `min=`."""
    return "=" if operator is None else f"{operator.symbol or operator.reduction}="


class ExpressionPrinter(Struct, frozen=True):
    """Prints expressions."""

    def expression(self, e: Expr) -> str:
        """The text of an expression."""
        match e:
            case Access():
                return self.access(e)
            case Literal(value=value) | Fill(value=value):
                return self.number(value)
            case Reduce(operator=operator, index=index, body=body):
                return f"{operator.reduction}({index}, {self.expression(body)})"
            case Apply(operator=operator, args=args):
                sign, own = self.sign(operator)
                return self.call(operator, args) if sign is None else self.infix(sign, own, args)

    def number(self, value: Number) -> str:
        """The text of a number."""
        return number(value)

    def mask(self, mask: Mask, rest: str = "") -> str:
        """The text of a mask; `rest` says what becomes of what it excludes."""
        return f"<{'!' if mask.complement else ''}{'$' if mask.structural else ''}{self.expression(mask.value)}{rest}>"

    def access(self, access: Access) -> str:
        """The text of an access; the coordinate of an index variable is that variable."""
        return access.tensor if is_coordinate(access) else self.with_indices(access)

    def with_indices(self, access: Access) -> str:
        """The text of an access with its index variables; a scalar with the name of a number has parentheses."""
        is_bare = not access.indices and access.tensor not in CONSTANTS
        return access.tensor if is_bare else f"{access.tensor}({','.join(access.indices)})"

    def sign(self, operator: Operator) -> tuple[str | None, int]:
        """The sign of an operator, if it is written with one, and how tightly it binds."""
        return operator.symbol, operator.precedence

    def infix(self, sign: str, own: int, args: tuple[Expr, ...]) -> str:
        """The text of an operator that is written with a sign."""
        match args:
            case (Literal(value=value) as argument,) if takes_sign(value):
                return f"{sign}({self.expression(argument)})"
            case (argument,):
                return f"{sign}{self.parenthesize(argument, own)}"
            case _:
                left, right = args
                return f"{self.parenthesize(left, own)} {sign} {self.parenthesize(right, own + 1)}"

    def call(self, operator: Operator, args: tuple[Expr, ...]) -> str:
        """The text of an operator that is written as a function; a variable first would say what it reduces over."""
        first, *others = map(self.expression, args)
        if operator.reduction is not None and isinstance(args[0], Access) and is_coordinate(args[0]):
            first = f"({first})"
        return f"{operator.name}({', '.join([first, *others])})"

    def parenthesize(self, e: Expr, precedence: int) -> str:
        """The text of an operand, in parentheses if it binds less tightly."""
        text = self.expression(e)
        return f"({text})" if self.precedence_of(e) < precedence else text

    def precedence_of(self, e: Expr) -> int:
        """How tightly the outermost operator of an expression binds."""
        match e:
            case Apply(operator=operator):
                sign, own = self.sign(operator)
                return ATOM if sign is None else own
            case _:
                return ATOM


def takes_sign(value: Number) -> bool:
    """Whether a minus before the literal would be read as part of it: not before another minus, or a parenthesis."""
    return not isinstance(value, bool) and value == value and not number(value).startswith(("-", "("))


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
