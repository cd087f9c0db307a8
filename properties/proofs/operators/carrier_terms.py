"""What several carriers have in common: a dtype that they are named after, and terms of their numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce

import numpy as np
from msgspec import Struct

from ....reference.algebra.dtypes import Number
from ..solver import Term, z3


class Named(Struct, frozen=True):
    """Numbers of a dtype that its name tells."""

    name: str = "float64"

    @property
    def dtype(self) -> np.dtype:
        return np.dtype(self.name)


def integral(value: Number) -> int:
    """An integer, however it is given."""
    if isinstance(value, complex) or value != value or value != int(value):
        raise ValueError(f"{value} is no integer")
    return int(value)


def rational(value: Number) -> Term:
    """The exact value of a finite real number."""
    if isinstance(value, complex) or not math.isfinite(value):
        raise ValueError(f"{value} is no real number")
    above, below = float(value).as_integer_ratio() if isinstance(value, float | np.floating) else (int(value), 1)
    return z3.Q(above, below)


def ordinary(symbol: str, args: Sequence[Term]) -> Term | None:
    """The symbols that z3's own arithmetic has for numbers of every kind."""
    match symbol, args:
        case "+", _:
            return reduce(lambda a, b: a + b, args)
        case "*", _:
            return reduce(lambda a, b: a * b, args)
        case "-", (a,):
            return -a
        case "-", (a, b):
            return a - b
        case "=", (a, b):
            return a == b
        case "<", (a, b):
            return a < b
        case "<=", (a, b):
            return a <= b
        case ">", (a, b):
            return a > b
        case ">=", (a, b):
            return a >= b
        case "abs", (a,):
            return z3.If(a >= 0, a, -a)
        case _:
            return None


def floor(a: Term) -> Term:
    """The largest integer that is not greater than a real, as a real."""
    return z3.ToReal(z3.ToInt(a))


def quotient(a: Term, b: Term) -> Term:
    """The whole quotient of which the remainder is not negative."""
    return z3.If(b > 0, floor(a / b), -floor(a / -b))


def power(a: Term, n: int) -> Term:
    """An integral power: of zero, 1 to the power of zero."""
    product = reduce(lambda x, y: x * y, [a] * abs(n), z3.RealVal(1))
    return product if n >= 0 else 1 / product


def cases(*found: tuple[Term, Term], otherwise: Term) -> Term:
    """The term of the first condition that holds."""
    for condition, value in reversed(found):
        otherwise = z3.If(condition, value, otherwise)
    return otherwise
