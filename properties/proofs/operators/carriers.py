"""Carriers: the numbers that operators are applied to in proofs.

Integers, Booleans and reals are those of mathematics, bit vectors and floats those of machines. A carrier says what
the symbols of an operator's SMT spelling mean for its numbers; a symbol that it has no meaning for stays open.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from msgspec import Struct

from ....reference.algebra.dtypes import Number
from ..solver import Term, z3
from .carrier_terms import Named, floor, integral, ordinary, power, quotient, rational
from .complexes import Complexes
from .extended_reals import ExtendedReals

NEAREST = z3.RNE()


class Booleans(Struct, frozen=True):
    """0 and 1 among the integers: addition is or, multiplication is and, as NumPy has it."""

    @property
    def dtype(self) -> np.dtype:
        return np.dtype("bool")

    @property
    def sort(self) -> Term:
        return z3.IntSort()

    def variable(self, name: str) -> Term:
        return z3.Int(name)

    def constant(self, value: Number) -> Term:
        return z3.IntVal(int(bool(value)))

    def within(self, a: Term) -> Term:
        """Whether a term is a number of the carrier."""
        return z3.And(a >= 0, a <= 1)

    def primitive(self, symbol: str, args: Sequence[Term]) -> Term | None:
        """What a symbol means; None if it means nothing here."""
        match symbol, args:
            case "+", (a, b):
                return z3.If(z3.Or(a != 0, b != 0), z3.IntVal(1), z3.IntVal(0))
            case "*", (a, b):
                return z3.If(z3.And(a != 0, b != 0), z3.IntVal(1), z3.IntVal(0))
            case _:
                return Integers().primitive(symbol, args)


class Integers(Named, frozen=True):
    """The integers: `within` is the range of the dtype, which results may leave, since overflow has no meaning."""

    name: str = "int64"

    @property
    def sort(self) -> Term:
        return z3.IntSort()

    def variable(self, name: str) -> Term:
        return z3.Int(name)

    def constant(self, value: Number) -> Term:
        return z3.IntVal(integral(value))

    def within(self, a: Term) -> Term:
        """Whether a term is in the range of the dtype."""
        info = np.iinfo(self.dtype)
        return z3.And(a >= int(info.min), a <= int(info.max))

    def primitive(self, symbol: str, args: Sequence[Term]) -> Term | None:
        """What a symbol means; None if it means nothing here. The remainder of a division is not negative."""
        match symbol, args:
            case ("to_int", (a,)):
                return a
            case "/" | "^", _:
                return None
            case "div", (a, b):
                return a / b
            case "mod", (a, b):
                return a % b
            case _:
                return ordinary(symbol, args)


class Reals(Named, frozen=True):
    """The real numbers. Division by zero is some number or other."""

    @property
    def sort(self) -> Term:
        return z3.RealSort()

    def variable(self, name: str) -> Term:
        return z3.Real(name)

    def constant(self, value: Number) -> Term:
        """The exact value. Raises ValueError for an infinity, NaN or a complex number."""
        return rational(value)

    def within(self, a: Term) -> Term:
        """Every real is a number of the carrier."""
        return z3.BoolVal(True)

    def primitive(self, symbol: str, args: Sequence[Term]) -> Term | None:
        """What a symbol means; None if it means nothing here."""
        match symbol, args:
            case "/", (a, b):
                return a / b
            case "to_int", (a,):
                return floor(a)
            case "div", (a, b):
                return quotient(a, b)
            case "mod", (a, b):
                return a - b * quotient(a, b)
            case "^", (a, b) if z3.is_rational_value(b) and b.denominator_as_long() == 1:
                return power(a, b.numerator_as_long())
            case _:
                return ordinary(symbol, args)


class BitVectors(Struct, frozen=True):
    """Machine integers, which wrap around."""

    width: int
    signed: bool = True

    @property
    def dtype(self) -> np.dtype:
        return np.dtype(f"{'int' if self.signed else 'uint'}{self.width}")

    @property
    def sort(self) -> Term:
        return z3.BitVecSort(self.width)

    def variable(self, name: str) -> Term:
        return z3.BitVec(name, self.width)

    def constant(self, value: Number) -> Term:
        return z3.BitVecVal(integral(value), self.width)

    def within(self, a: Term) -> Term:
        """Every bit vector is a number of the carrier."""
        return z3.BoolVal(True)

    def primitive(self, symbol: str, args: Sequence[Term]) -> Term | None:
        """What a symbol means; None if it means nothing here. The divisor is not zero."""
        match symbol, args:
            case "to_int", (a,):
                return a
            case "abs", (a,):
                return z3.If(a < 0, -a, a) if self.signed else a
            case "<", (a, b):
                return a < b if self.signed else z3.ULT(a, b)
            case "<=", (a, b):
                return a <= b if self.signed else z3.ULE(a, b)
            case ">", (a, b):
                return a > b if self.signed else z3.UGT(a, b)
            case ">=", (a, b):
                return a >= b if self.signed else z3.UGE(a, b)
            case "div", (a, b):
                return self.quotient(a, b)
            case "mod", (a, b):
                return a - b * self.quotient(a, b)
            case "/" | "^", _:
                return None
            case _:
                return ordinary(symbol, args)

    def quotient(self, a: Term, b: Term) -> Term:
        """The quotient of which the remainder is not negative."""
        if not self.signed:
            return z3.UDiv(a, b)
        q, r = a / b, z3.SRem(a, b)
        return z3.If(r >= 0, q, z3.If(b > 0, q - 1, q + 1))


class Floats(Named, frozen=True):
    """Machine floats of IEEE 754, rounded to the nearest, ties to even."""

    @property
    def sort(self) -> Term:
        return {"float16": z3.Float16, "float32": z3.Float32, "float64": z3.Float64}[self.name]()

    def variable(self, name: str) -> Term:
        return z3.FP(name, self.sort)

    def constant(self, value: Number) -> Term:
        assert not isinstance(value, complex)
        return z3.FPVal(float(value), self.sort)

    def within(self, a: Term) -> Term:
        """Every float is a number of the carrier."""
        return z3.BoolVal(True)

    def primitive(self, symbol: str, args: Sequence[Term]) -> Term | None:
        """What a symbol means; None if it means nothing here."""
        found = FLOATS.get((symbol, len(args)))
        return None if found is None else found(*args)


Carrier = Booleans | Integers | Reals | ExtendedReals | Complexes | BitVectors | Floats


FLOATS: dict[tuple[str, int], Callable[..., Term]] = {
    ("+", 2): lambda a, b: z3.fpAdd(NEAREST, a, b),
    ("-", 1): z3.fpNeg,
    ("-", 2): lambda a, b: z3.fpSub(NEAREST, a, b),
    ("*", 2): lambda a, b: z3.fpMul(NEAREST, a, b),
    ("/", 2): lambda a, b: z3.fpDiv(NEAREST, a, b),
    ("sqrt", 1): lambda a: z3.fpSqrt(NEAREST, a),
    ("to_int", 1): lambda a: z3.fpRoundToIntegral(z3.RTN(), a),
    ("abs", 1): z3.fpAbs,
    ("=", 2): z3.fpEQ,
    ("<", 2): z3.fpLT,
    (">", 2): z3.fpGT,
    ("<=", 2): z3.fpLEQ,
    (">=", 2): z3.fpGEQ,
}
