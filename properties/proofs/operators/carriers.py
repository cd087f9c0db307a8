"""Carriers: the numbers that operators are applied to in proofs.

Integers, Booleans and reals are those of mathematics, bit vectors and floats those of machines. A carrier says what
the symbols of an operator's SMT spelling mean for its numbers; a symbol that it has no meaning for stays open.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from typing import Any

import numpy as np

from ....reference.syntax import Number
from ..solver import Term, z3
from .complexes import Complexes

NEAREST = z3.RNE()


@dataclass(frozen=True, slots=True)
class Booleans:
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


@dataclass(frozen=True, slots=True)
class Integers:
    """The integers: `within` is the range of the dtype, which results may leave, since overflow has no meaning."""

    name: str = "int64"

    @property
    def dtype(self) -> np.dtype:
        return np.dtype(self.name)

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


@dataclass(frozen=True, slots=True)
class Reals:
    """The real numbers. Division by zero is some number or other."""

    name: str = "float64"

    @property
    def dtype(self) -> np.dtype:
        return np.dtype(self.name)

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


@dataclass(frozen=True, slots=True)
class ExtendedReals:
    """The reals with infinities and NaN, which follow IEEE 754 as in `exact.py`: the zero is a positive one."""

    name: str = "float64"

    @property
    def dtype(self) -> np.dtype:
        return np.dtype(self.name)

    @property
    def sort(self) -> Term:
        return extended()

    def variable(self, name: str) -> Term:
        return z3.Const(name, extended())

    def constant(self, value: Number) -> Term:
        """The exact value. Raises ValueError for a complex number."""
        if isinstance(value, float | np.floating) and math.isnan(value):
            return extended().nan
        if isinstance(value, float | np.floating) and math.isinf(value):
            return extended().infinity if value > 0 else extended().minus_infinity
        return extended().finite(rational(value))

    def within(self, a: Term) -> Term:
        """Everything is a number of the carrier."""
        return z3.BoolVal(True)

    def is_finite(self, a: Term) -> Term:
        """Whether a term is a real number."""
        return extended().is_finite(a)

    def primitive(self, symbol: str, args: Sequence[Term]) -> Term | None:
        """What a symbol means; None if it means nothing here."""
        found = EXTENDED.get((symbol, len(args)))
        return None if found is None else found(*args)


@dataclass(frozen=True, slots=True)
class BitVectors:
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


@dataclass(frozen=True, slots=True)
class Floats:
    """Machine floats of IEEE 754, rounded to the nearest, ties to even."""

    name: str = "float64"

    @property
    def dtype(self) -> np.dtype:
        return np.dtype(self.name)

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


@cache
def extended() -> Any:
    """The sort of reals with infinities and NaN."""
    sort = z3.Datatype("Extended")
    sort.declare("finite", ("real", z3.RealSort()))
    sort.declare("infinity")
    sort.declare("minus_infinity")
    sort.declare("nan")
    return sort.create()


def cases(*found: tuple[Term, Term], otherwise: Term) -> Term:
    """The term of the first condition that holds."""
    for condition, value in reversed(found):
        otherwise = z3.If(condition, value, otherwise)
    return otherwise


def is_nan(*args: Term) -> Term:
    return z3.Or([extended().is_nan(a) for a in args])


def sign(a: Term) -> Term:
    """-1, 0 or 1 for what is not NaN."""
    e = extended()
    size = z3.If(e.is_infinity(a), z3.RealVal(1), z3.If(e.is_minus_infinity(a), z3.RealVal(-1), e.real(a)))
    return z3.If(size > 0, z3.RealVal(1), z3.If(size < 0, z3.RealVal(-1), z3.RealVal(0)))


def infinite(a: Term) -> Term:
    return z3.Or(extended().is_infinity(a), extended().is_minus_infinity(a))


def signed_infinity(s: Term) -> Term:
    """The infinity of a sign, NaN for 0."""
    e = extended()
    return cases((s > 0, e.infinity), (s < 0, e.minus_infinity), otherwise=e.nan)


def negated(a: Term) -> Term:
    e = extended()
    return cases(
        (e.is_nan(a), e.nan),
        (e.is_infinity(a), e.minus_infinity),
        (e.is_minus_infinity(a), e.infinity),
        otherwise=e.finite(-e.real(a)),
    )


def added(a: Term, b: Term) -> Term:
    e = extended()
    return cases(
        (z3.Or(is_nan(a, b), z3.And(infinite(a), infinite(b), a != b)), e.nan),
        (infinite(a), a),
        (infinite(b), b),
        otherwise=e.finite(e.real(a) + e.real(b)),
    )


def multiplied(a: Term, b: Term) -> Term:
    e = extended()
    return cases(
        (is_nan(a, b), e.nan),
        (z3.Or(infinite(a), infinite(b)), signed_infinity(sign(a) * sign(b))),
        otherwise=e.finite(e.real(a) * e.real(b)),
    )


def divided(a: Term, b: Term) -> Term:
    e = extended()
    return cases(
        (z3.Or(is_nan(a, b), z3.And(infinite(a), infinite(b))), e.nan),
        (infinite(b), e.finite(z3.RealVal(0))),
        (infinite(a), z3.If(sign(b) >= 0, a, negated(a))),
        (e.real(b) == 0, signed_infinity(sign(a))),
        otherwise=e.finite(e.real(a) / e.real(b)),
    )


def floored(a: Term) -> Term:
    e = extended()
    return z3.If(e.is_finite(a), e.finite(floor(e.real(a))), a)


def less(a: Term, b: Term) -> Term:
    e = extended()
    below = z3.And(e.is_finite(a), e.is_finite(b), e.real(a) < e.real(b))
    ends = z3.Or(z3.And(e.is_minus_infinity(a), a != b), z3.And(e.is_infinity(b), a != b))
    return z3.And(z3.Not(is_nan(a, b)), z3.Or(below, ends))


def equal(a: Term, b: Term) -> Term:
    return z3.And(z3.Not(is_nan(a, b)), a == b)


EXTENDED: dict[tuple[str, int], Callable[..., Term]] = {
    ("+", 2): added,
    ("-", 1): negated,
    ("-", 2): lambda a, b: added(a, negated(b)),
    ("*", 2): multiplied,
    ("/", 2): divided,
    ("to_int", 1): floored,
    ("abs", 1): lambda a: z3.If(less(a, ExtendedReals().constant(0)), negated(a), a),
    ("=", 2): equal,
    ("<", 2): less,
    (">", 2): lambda a, b: less(b, a),
    ("<=", 2): lambda a, b: z3.Or(less(a, b), equal(a, b)),
    (">=", 2): lambda a, b: z3.Or(less(b, a), equal(a, b)),
}
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
