"""Complex numbers as a carrier: pairs of reals."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from msgspec import Struct

from ....reference.algebra.dtypes import Number
from ..solver import Term, z3


class Complexes(Struct, frozen=True):
    """The complex numbers, without infinities. Division by zero is some number or other."""

    name: str = "complex128"

    @property
    def dtype(self) -> np.dtype:
        return np.dtype(self.name)

    @property
    def sort(self) -> Term:
        return pairs()

    def variable(self, name: str) -> Term:
        return z3.Const(name, pairs())

    def constant(self, value: Number) -> Term:
        """The exact value. Raises OverflowError or ValueError for what is not finite."""
        number = complex(value)
        return pairs().complex(z3.Q(*number.real.as_integer_ratio()), z3.Q(*number.imag.as_integer_ratio()))

    def within(self, a: Term) -> Term:
        """Every pair is a number of the carrier."""
        return z3.BoolVal(True)

    def primitive(self, symbol: str, args: Sequence[Term]) -> Term | None:
        """What a symbol means; None if it means nothing here: there is no order.

        >>> c = Complexes()
        >>> z3.simplify(c.primitive("*", (c.constant(1j), c.constant(1j))))
        complex(-1, 0)
        """
        make, parts = pairs().complex, [(pairs().re(x), pairs().im(x)) for x in args]
        match symbol, parts:
            case "+", ((a, b), (c, d)):
                return make(a + c, b + d)
            case "-", ((a, b),):
                return make(-a, -b)
            case "-", ((a, b), (c, d)):
                return make(a - c, b - d)
            case "*", ((a, b), (c, d)):
                return make(a * c - b * d, a * d + b * c)
            case "/", ((a, b), (c, d)):
                size = c * c + d * d
                return make((a * c + b * d) / size, (b * c - a * d) / size)
            case "=", ((a, b), (c, d)):
                return z3.And(a == c, b == d)
            case _:
                return None


@cache
def pairs() -> Any:
    """The sort of pairs of reals."""
    sort = z3.Datatype("Complex")
    sort.declare("complex", ("re", z3.RealSort()), ("im", z3.RealSort()))
    return sort.create()
