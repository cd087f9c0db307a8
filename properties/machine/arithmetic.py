"""Arithmetic: the operators of C on numbers of one type, as Python closures that see every overflow (C11, 6.5)."""

from __future__ import annotations

import operator
from collections.abc import Callable

from ...reference.errors import Unsupported
from .complex_numbers import COMPLEX
from .conversion import single
from .fault import BadShift, DivisionByZero, Overflow, Where
from .floats import divide
from .frame import Code, Frame
from .types import Floating, Integer, Number

Factory = Callable[[Code, Code], Code]

COMPARISONS: dict[str, Factory] = {
    "<": lambda a, b: lambda f: a(f) < b(f),
    "<=": lambda a, b: lambda f: a(f) <= b(f),
    ">": lambda a, b: lambda f: a(f) > b(f),
    ">=": lambda a, b: lambda f: a(f) >= b(f),
    "==": lambda a, b: lambda f: a(f) == b(f),
    "!=": lambda a, b: lambda f: a(f) != b(f),
}
BITWISE: dict[str, Factory] = {
    "&": lambda a, b: lambda f: a(f) & b(f),
    "|": lambda a, b: lambda f: a(f) | b(f),
    "^": lambda a, b: lambda f: a(f) ^ b(f),
}
DOUBLES: dict[str, Factory] = {
    "+": lambda a, b: lambda f: a(f) + b(f),
    "-": lambda a, b: lambda f: a(f) - b(f),
    "*": lambda a, b: lambda f: a(f) * b(f),
    "/": lambda a, b: lambda f: divide(a(f), b(f)),
}
SINGLES: dict[str, Factory] = {
    "+": lambda a, b: lambda f: single(a(f) + b(f)),
    "-": lambda a, b: lambda f: single(a(f) - b(f)),
    "*": lambda a, b: lambda f: single(a(f) * b(f)),
    "/": lambda a, b: lambda f: single(divide(a(f), b(f))),
}
RINGS: dict[str, Callable[[int, int], int]] = {"+": operator.add, "-": operator.sub, "*": operator.mul}


def combine(sign: str, type: Number, a: Code, b: Code, where: Where) -> Code:
    """Two operands of one type combined by an operator that gives this type."""
    match type:
        case Integer():
            return combine_integers(sign, type, a, b, where)
        case Floating(bits=bits):
            table = DOUBLES if bits == 64 else SINGLES
            if sign in table:
                return table[sign](a, b)
        case _ if sign in COMPLEX:
            return COMPLEX[sign](a, b, type)
        case _:
            pass
    raise Unsupported(f"{sign} on {type}, in {where}")


def combine_integers(sign: str, type: Integer, a: Code, b: Code, where: Where) -> Code:
    """Integers combined."""
    if sign in BITWISE:
        return BITWISE[sign](a, b)
    if sign in RINGS:
        return combine_signed(sign, type, a, b, where) if type.signed else combine_unsigned(sign, type, a, b)
    if sign in ("/", "%"):
        return quotient(sign, type, a, b, where)
    raise Unsupported(f"{sign} on {type}, in {where}")


def combine_unsigned(sign: str, type: Integer, a: Code, b: Code) -> Code:
    """Unsigned integers combined, modulo the number of their values."""
    combine, mask = RINGS[sign], type.high
    return lambda f: combine(a(f), b(f)) & mask


def combine_signed(sign: str, type: Integer, a: Code, b: Code, where: Where) -> Code:
    """Signed integers combined: the sum, difference or product must fit."""
    low, high = type.low, type.high

    def overflow(x: int, y: int) -> Overflow:
        return Overflow(f"{x} {sign} {y} does not fit in {type}", where)

    def plus(f: Frame) -> int:
        x: int = a(f)
        y: int = b(f)
        if low <= (z := x + y) <= high:
            return z
        raise overflow(x, y)

    def minus(f: Frame) -> int:
        x: int = a(f)
        y: int = b(f)
        if low <= (z := x - y) <= high:
            return z
        raise overflow(x, y)

    def times(f: Frame) -> int:
        x: int = a(f)
        y: int = b(f)
        if low <= (z := x * y) <= high:
            return z
        raise overflow(x, y)

    return {"+": plus, "-": minus, "*": times}[sign]


def quotient(sign: str, type: Integer, a: Code, b: Code, where: Where) -> Code:
    """Integers divided, rounded to zero, or what remains."""
    high = type.high

    def divide(f: Frame) -> int:
        x: int = a(f)
        y: int = b(f)
        if y == 0:
            raise DivisionByZero(f"{x} {sign} 0", where)
        q = abs(x) // abs(y)
        q = q if (x < 0) == (y < 0) else -q
        if q > high:
            raise Overflow(f"{x} {sign} {y} does not fit in {type}", where)
        return q if sign == "/" else x - q * y

    return divide


def shift(sign: str, type: Integer, a: Code, b: Code, where: Where) -> Code:
    """An integer shifted (C11, 6.5.7); a negative one to the right keeps its sign, as compilers do."""
    bits, high, signed = type.bits, type.high, type.signed

    def shift(f: Frame) -> int:
        x: int = a(f)
        n: int = b(f)
        if not 0 <= n < bits:
            raise BadShift(f"{x} {sign} {n} in {bits} bits", where)
        if sign == ">>":
            return x >> n
        if not signed:
            return (x << n) & high
        if x < 0 or x << n > high:
            raise BadShift(f"{x} << {n} does not fit in {type}", where)
        return x << n

    return shift


def negate(type: Number, a: Code, where: Where) -> Code:
    """The negative of a number."""
    match type:
        case Integer(signed=False, high=high):
            return lambda f: -a(f) & high
        case Integer(low=low):

            def minus(f: Frame) -> int:
                x: int = a(f)
                if x == low:
                    raise Overflow(f"-({x}) does not fit in {type}", where)
                return -x

            return minus
        case Floating():
            return lambda f: -a(f)
        case _:
            return lambda f: (lambda z: complex(-z.real, -z.imag))(a(f))


def invert(type: Integer, a: Code) -> Code:
    """All bits of an integer turned."""
    if type.signed:
        return lambda f: -a(f) - 1
    high = type.high
    return lambda f: a(f) ^ high
