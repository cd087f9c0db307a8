"""Exact numbers, operators and what they declare, and dtypes (docs/spec/operators, docs/spec/types).

A number is a Fraction, an infinity or NaN as a float, or a Pair of those.
"""

import math
import operator
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

import numpy as np

INF, NAN, ZERO, ONE, LARGEST = math.inf, math.nan, Fraction(0), Fraction(1), sys.float_info.max
COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
TRUTHS = (*COMPARISONS, "not")
REAL = ("cbrt", "log10", "sinh", "cosh", "asin", "acos", "atan", "asinh", "acosh", "atanh")
FUNCTIONS = ("sqrt", "exp", "log", "sin", "cos", "tan", "tanh", "pow", *REAL)
FOLDS = {"sum": "add", "prod": "mul", **{n: n for n in ("min", "max", "or", "and", "xor", "any")}}
DISTRIBUTES = {"mul": ("add",), "or": ("and", "or"), "and": ("and", "or")}
DISTRIBUTES |= dict.fromkeys(("add", "min", "max"), ("max", "min"))
FLOATING = {*FUNCTIONS, "div", "floor", "ceil", "heaviside"}
ORDERED = {"min", "max", "floordiv", "mod", "sign", "floor", "ceil", "heaviside", *REAL, *COMPARISONS[2:]}
ANNIHILATED = ("mul", "div", "floordiv", "mod", "and")  # by 0, on both sides
KINDS = {"bool": 0, **{f"{u}int{n}": 1 for n in (8, 16, 32, 64) for u in ("", "u")}, "float32": 2, "float64": 2}
KINDS |= {"complex64": 3, "complex128": 3}
RANGES = {"bool": (0, 1), **{d: (int(np.iinfo(d).min), int(np.iinfo(d).max)) for d in KINDS if KINDS[d] == 1}}
RANGES |= dict.fromkeys(("float32", "complex64"), (-(2**16), 2**16))  # the integers that promote to it
RANGES |= dict.fromkeys(("float64", "complex128"), (-(2**64), 2**64))


class RefusedError(Exception):
    """The text says that this has no meaning."""


def require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise RefusedError(otherwise)


class Pair(NamedTuple):
    """An exact complex number."""

    re: Any
    im: Any

    def __neg__(self) -> "Pair":
        return Pair(-self.re, -self.im)

    def __bool__(self) -> bool:
        return any((self.re, self.im))


NOTHING = Pair(NAN, NAN)


def is_rational(*numbers: Any) -> bool:
    return all(isinstance(v, Fraction) for v in numbers)


def pair(v: Any) -> Pair:
    return v if isinstance(v, Pair) else Pair(v, ZERO)


def same(a: Any, b: Any) -> bool:
    """Equality to which one NaN is like another."""
    return all(p == q or (p != p and q != q) for p, q in zip(pair(a), pair(b), strict=True))


def exact(v: Any) -> Any:
    """A number of Python as an exact one."""
    if isinstance(v, complex):
        return Pair(exact(v.real), exact(v.imag))
    return v if isinstance(v, float) and not math.isfinite(v) else Fraction(v)


def nearest(v: Any) -> Any:
    """The number of Python that is nearest to an exact one."""
    if isinstance(v, Pair):
        return complex(nearest(v.re), nearest(v.im))
    return INF * sign(v) if is_rational(v) and abs(v) > LARGEST else float(v)


def sign(v: Any) -> Any:
    """A rational number as its sign, a symbol as it is."""
    return (v > 0) - (v < 0) if is_rational(v) else v


def real(op: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
    """Arithmetic of real numbers, in which a rational number beside a symbol is its sign (denote.exact)."""
    return op(a, b) if is_rational(a, b) else exact(op(sign(a), sign(b)))


def plus(a: Any, b: Any) -> Any:
    return Pair(*map(plus, a, b)) if isinstance(a, Pair) else real(operator.add, a, b)


def times(a: Any, b: Any) -> Any:
    if not isinstance(a, Pair):
        return real(operator.mul, a, b)
    return Pair(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re) if is_rational(*a, *b) else NOTHING


def over(a: Any, b: Any) -> Any:
    """Quotients (operator.arithmetic, operator.complex.product)."""
    if not isinstance(a, Pair):
        return real(operator.truediv, a, b) if b != 0 else INF * sign(a)
    if is_rational(*a, *b) and b:
        return Pair(*(part / (b.re**2 + b.im**2) for part in times(a, Pair(b.re, -b.im))))
    vanishes = is_rational(*a) and any(map(is_rational, b)) and INF in map(abs, b)
    return Pair(ZERO, ZERO) if vanishes else NOTHING


def divided(quotient: bool, a: Any, b: Any) -> Any:
    """operator.division, for `floordiv` or for `mod`."""
    if b == 0 or b != b or not is_rational(a):
        return over(a, b) if b == 0 and quotient else NAN
    if is_rational(b):
        return Fraction(a // b) if quotient else a % b
    apart = sign(a) * b < 0
    return Fraction(-apart) if quotient else b if apart else a


def through(function: Callable[..., Any], *args: Any) -> Any:
    """operator.functions: by floats, which are within any bound of the number that is meant."""
    with np.errstate(all="ignore"):
        found = exact(function(*(np.array(nearest(v))[()] for v in args)).item())
    pairs = [z for z in args if isinstance(z, Pair)]
    known = all(is_rational(*z) for z in pairs) or (len(args) == 1 and any(map(is_rational, *pairs)))
    return found if not pairs or (known and is_rational(*found)) else NOTHING


UNARY: dict[str, Callable[[Any], Any]] = {
    "neg": operator.neg,
    "not": lambda a: Fraction(not a),
    "truth": lambda a: Fraction(bool(a)),
    "abs": lambda a: exact(math.hypot(*map(nearest, a))) if isinstance(a, Pair) else abs(a),
    "real": lambda a: pair(a).re,
    "imag": lambda a: pair(a).im,
    "conj": lambda a: Pair(a.re, -a.im) if isinstance(a, Pair) else a,
    "square": lambda a: times(a, a),
    "cube": lambda a: times(a, times(a, a)),
    "floor": lambda a: Fraction(math.floor(a)) if is_rational(a) else a,
    "ceil": lambda a: Fraction(math.ceil(a)) if is_rational(a) else a,
    "sign": lambda a: a if a != a else Fraction((a > 0) - (a < 0)),
} | {op: partial(through, getattr(np, op)) for op in FUNCTIONS if op != "pow"}
BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "add": plus,
    "sub": lambda a, b: plus(a, -b),
    "mul": times,
    "div": over,
    "floordiv": partial(divided, True),
    "mod": partial(divided, False),
    "min": lambda a, b: NAN if a != a or b != b else min(a, b),
    "max": lambda a, b: NAN if a != a or b != b else max(a, b),
    "or": lambda a, b: Fraction(bool(a or b)),
    "and": lambda a, b: Fraction(bool(a and b)),
    "xor": lambda a, b: Fraction(bool(a) != bool(b)),
    "first": lambda a, _: a,
    "second": lambda _, b: b,
    "pair": lambda _a, _b: ONE,
    "any": lambda a, _: a,
    "pow": partial(through, operator.pow),
    "heaviside": lambda a, m: a if a != a else m if a == 0 else Fraction(a > 0),
    "eq": lambda a, b: Fraction(all(map(operator.eq, pair(a), pair(b)))),
    "ne": lambda a, b: Fraction(any(map(operator.ne, pair(a), pair(b)))),
} | {op: (lambda a, b, op=op: Fraction(getattr(operator, op)(a, b))) for op in COMPARISONS[2:]}


def promote(*row: str) -> str:
    """The first dtype that holds what each of some holds (type.promotion)."""
    kind, least, greatest = max(map(KINDS.get, row)), min(RANGES[d][0] for d in row), max(RANGES[d][1] for d in row)
    return next(d for d in KINDS if KINDS[d] >= kind and RANGES[d][0] <= least and greatest <= RANGES[d][1])


def common(strong: list[str], weak: list[str]) -> str:
    """The dtype of arguments together, of which some are weak (type.literals)."""
    if not strong or not weak:
        return promote(*strong, *weak)
    d, literal = promote(*strong), promote(*weak)
    alone = ("bool", "int64", "float64", "complex64" if d == "float32" else "complex128")
    return d if KINDS[literal] <= KINDS[d] else alone[KINDS[literal]]


def typing(op: str, d: str) -> tuple[str, str, str]:
    """The dtypes that an operator computes in, gives, and folds in (type.operators, type.widening)."""
    require(d != "bool" or op not in ("sub", "neg", "square", "cube"), f"{op} of {d}")
    require(KINDS[d] < 3 or op not in ORDERED, f"{op} of {d}")
    d = "float64" if op in FLOATING and KINDS[d] < 2 else d
    parts = {"complex64": "float32", "complex128": "float64"} if op in ("abs", "real", "imag") else {}
    wide = "uint64" if d[0] == "u" else "int64"
    return d, "bool" if op in TRUTHS else parts.get(d, d), wide if op in ("add", "mul") and KINDS[d] < 2 else d


def into(d: str, v: Any) -> Any:
    """A number in the form of a dtype (denote.conversion)."""
    return Fraction(bool(v)) if d == "bool" else pair(v) if KINDS[d] == 3 else v


def rounded(d: str, v: Any) -> Any:
    """The number of a dtype that is nearest (notation.previous.fill)."""
    return into(d, v if KINDS[d] < 2 else exact(np.dtype(d).type(nearest(v)).item()))


def fits(d: str, v: Any) -> Any:
    """type.overflow."""
    require(KINDS[d] > 1 or RANGES[d][0] <= v <= RANGES[d][1], f"integer overflow in {d}")
    return v


def identity(op: str, d: str, side: int = 0) -> Any:
    """The identity of an operator on its left or right side, or None; 0 where there is no operator."""
    least, greatest = map(Fraction, RANGES[d]) if KINDS[d] < 2 else (-INF, INF)
    known = dict.fromkeys(("", "sub", *FOLDS.values()), ZERO) | {"min": greatest, "max": least, "mul": ONE, "and": ONE}
    known |= dict.fromkeys(("div", "pow"), ONE) if side else {}
    return into(d, known[op]) if op in known else None


def unit(op: str, side: int, d: str, v: Any) -> Any:
    """What is left of the other operand beside an identity (operator.units)."""
    return -v if op == "sub" and side == 0 else into(d, Fraction(bool(v))) if op in ("or", "and", "xor") else v


def calculate(op: str, d: str, *args: Any) -> Any:
    """An operator on numbers in the form of the dtype that it computes in."""
    require(op not in ("floordiv", "mod") or KINDS[d] > 1 or args[1] != 0, "integer division by zero")
    return into(typing(op, d)[1], (UNARY | BINARY)[op](*args))
