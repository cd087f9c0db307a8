"""Exact numbers, operators and what they declare, and dtypes (docs/spec/operators, docs/spec/types).

A number is a Fraction, an infinity or NaN as a float, or a Pair of those.
"""

import cmath
import math
import operator
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

INF, NAN, ZERO, ONE = math.inf, math.nan, Fraction(0), Fraction(1)
COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
FUNCTIONS = ("sqrt", "exp", "log", "sin", "cos", "tan", "tanh", "cbrt", "pow")
FOLDS = {"sum": "add", "prod": "mul", **{n: n for n in ("min", "max", "or", "and", "xor", "any")}}
DISTRIBUTES = dict.fromkeys(("add", "min", "max"), ("max", "min")) | {"mul": ("add",)}
DISTRIBUTES |= dict.fromkeys(("or", "and"), ("and", "or"))
FLOATING = {*FUNCTIONS, "div", "floor", "ceil", "heaviside"}
ORDERED = {"min", "max", "floordiv", "mod", "sign", "floor", "ceil", "cbrt", "heaviside", *COMPARISONS[2:]}
BITS = {f"{u}int{bits}": (not u, bits) for u in ("", "u") for bits in (8, 16, 32, 64)}  # of a signed one, and how many
RANGES = {"bool": (ZERO, ONE)}
RANGES |= {d: (Fraction(-(2 ** (b - 1)) if s else 0), Fraction(2 ** (b - s) - 1)) for d, (s, b) in BITS.items()}
KINDS = {"bool": 0, **dict.fromkeys(BITS, 1), "float32": 2, "float64": 2, "complex64": 3, "complex128": 3}
SMALL = {"float32", "complex64", "int8", "int16", "uint8", "uint16"}
ANNIHILATED = ("mul", "div", "floordiv", "mod", "and")  # by 0, on both sides


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


NOTHING = Pair(NAN, NAN)


def is_rational(*numbers: Any) -> bool:
    return all(isinstance(v, Fraction) for v in numbers)


def pair(v: Any) -> Pair:
    return v if isinstance(v, Pair) else Pair(v, ZERO)


def same(a: Any, b: Any) -> bool:
    """Equality to which one NaN is like another."""
    return all(p == q or (p != p and q != q) for p, q in zip(pair(a), pair(b), strict=True))


def is_true(v: Any) -> bool:
    return any(pair(v))


def exact(v: Any) -> Any:
    """A number of Python as an exact one."""
    if isinstance(v, complex):
        return Pair(exact(v.real), exact(v.imag))
    return v if isinstance(v, float) and not math.isfinite(v) else Fraction(v)


def nearest(v: Any) -> Any:
    """The number of Python that is nearest to an exact one."""
    if isinstance(v, Pair):
        return complex(nearest(v.re), nearest(v.im))
    try:
        return float(v)
    except OverflowError:
        return INF if v > 0 else -INF


def sign(v: Any) -> Any:
    """A rational number as its sign, a symbol as it is."""
    return (v > 0) - (v < 0) if is_rational(v) else v


def plus(a: Any, b: Any) -> Any:
    if isinstance(a, Pair):
        return Pair(plus(a.re, b.re), plus(a.im, b.im))
    return a + b if is_rational(a, b) else sign(a) + sign(b)


def times(a: Any, b: Any) -> Any:
    if not isinstance(a, Pair):
        return a * b if is_rational(a, b) else sign(a) * sign(b)
    if not is_rational(*a, *b):
        return NOTHING
    return Pair(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)


def over(a: Any, b: Any) -> Any:
    """Quotients (operator.arithmetic, denote.exact, operator.complex.product)."""
    if isinstance(a, Pair):
        if is_rational(*a, *b) and is_true(b):
            size = b.re**2 + b.im**2
            return Pair(*(part / size for part in times(a, Pair(b.re, -b.im))))
        mixed = sorted(map(is_rational, b)) == [False, True] and any(abs(part) == INF for part in b)
        return Pair(ZERO, ZERO) if is_rational(*a) and mixed else NOTHING
    if is_rational(a, b) and b:
        return a / b
    if is_rational(b):
        return NAN if a == 0 or a != a else INF * sign(a) * (1 if b >= 0 else -1)
    return ZERO if is_rational(a) and b == b else NAN


def divided(quotient: bool, a: Any, b: Any) -> Any:
    """operator.division, for `floordiv` or for `mod`."""
    if b == 0 or b != b or not is_rational(a):
        return over(a, b) if b == 0 and quotient else NAN
    if is_rational(b):
        return Fraction(a // b) if quotient else a % b
    apart = a != 0 and (a < 0) != (b < 0)
    return Fraction(-apart) if quotient else b if apart else a


def through(op: str, *args: Any) -> Any:
    """operator.functions: by floats, which are within any bound of the number that is meant."""
    x, *others = map(nearest, args)
    if isinstance(x, complex):
        if not all(is_rational(*a) for a in args):
            return NOTHING
        if op == "pow" and x == 0:
            return Pair(Fraction(others[0] == 0), ZERO) if others[0] == 0 or others[0].real > 0 else NOTHING
        try:
            return exact(x ** others[0] if others else getattr(cmath, op)(x))
        except (ArithmeticError, ValueError):
            return NOTHING
    try:
        return -INF if op == "log" and x == 0 else exact(getattr(math, op)(x, *others))
    except OverflowError:
        return -INF if op == "pow" and x < 0 and others[0] % 2 == 1 else INF
    except ValueError:
        return INF if op == "pow" and x == 0 else NAN


UNARY: dict[str, Callable[[Any], Any]] = {
    "neg": operator.neg,
    "not": lambda a: Fraction(not is_true(a)),
    "truth": lambda a: Fraction(is_true(a)),
    "abs": lambda a: exact(math.hypot(*map(nearest, a))) if isinstance(a, Pair) else abs(a),
    "real": lambda a: pair(a).re,
    "imag": lambda a: pair(a).im,
    "conj": lambda a: Pair(a.re, -a.im) if isinstance(a, Pair) else a,
    "square": lambda a: times(a, a),
    "cube": lambda a: times(a, times(a, a)),
    "floor": lambda a: Fraction(math.floor(a)) if is_rational(a) else a,
    "ceil": lambda a: Fraction(math.ceil(a)) if is_rational(a) else a,
    "sign": lambda a: a if a != a else Fraction((a > 0) - (a < 0)),
} | {op: partial(through, op) for op in FUNCTIONS[:-1]}
BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "add": plus,
    "sub": lambda a, b: plus(a, -b),
    "mul": times,
    "div": over,
    "floordiv": partial(divided, True),
    "mod": partial(divided, False),
    "min": lambda a, b: NAN if a != a or b != b else min(a, b),
    "max": lambda a, b: NAN if a != a or b != b else max(a, b),
    "or": lambda a, b: Fraction(is_true(a) or is_true(b)),
    "and": lambda a, b: Fraction(is_true(a) and is_true(b)),
    "xor": lambda a, b: Fraction(is_true(a) != is_true(b)),
    "first": lambda a, _: a,
    "second": lambda _, b: b,
    "pair": lambda _a, _b: ONE,
    "any": lambda a, _: a,
    "pow": partial(through, "pow"),
    "heaviside": lambda a, m: a if a != a else m if a == 0 else Fraction(a > 0),
    "eq": lambda a, b: Fraction(all(map(operator.eq, pair(a), pair(b)))),
    "ne": lambda a, b: Fraction(any(map(operator.ne, pair(a), pair(b)))),
} | {op: (lambda a, b, op=op: Fraction(getattr(operator, op)(a, b))) for op in COMPARISONS[2:]}


def promote(a: str, b: str) -> str:
    """type.promotion."""
    if a == b or "bool" in (a, b):
        return a if b == "bool" else b
    if max(KINDS[a], KINDS[b]) > 1:
        small = a in SMALL and b in SMALL
        return ("complex64" if small else "complex128") if "complex" in a + b else "float32" if small else "float64"
    (signed, n), (other, m) = BITS[a], BITS[b]
    if signed == other:
        return a if n > m else b
    whole, natural = (n, m) if signed else (m, n)
    bits = whole if whole > natural else 2 * natural
    return f"int{bits}" if bits <= 64 else "float64"


def weak(d: str, literal: str) -> str:
    """The dtype of what is weak beside a dtype (type.literals)."""
    alone = ("bool", "int64", "float64", "complex64" if d == "float32" else "complex128")
    return d if KINDS[literal] <= KINDS[d] else alone[KINDS[literal]]


def computes(op: str, d: str) -> str:
    """The dtype that an operator computes in (type.operators)."""
    require(d != "bool" or op not in ("sub", "neg", "square", "cube"), f"{op} of {d}")
    require(KINDS[d] < 3 or op not in ORDERED, f"{op} of {d}")
    return "float64" if op in FLOATING and KINDS[d] < 2 else d


def gives(op: str, d: str) -> str:
    """The dtype that an operator gives which computes in another (type.operators)."""
    if op in COMPARISONS or op == "not":
        return "bool"
    return d.replace("complex64", "float32").replace("complex128", "float64") if op in ("abs", "real", "imag") else d


def widened(op: str, d: str) -> str:
    """type.widening."""
    return d if op not in ("add", "mul") or KINDS[d] > 1 else "uint64" if d.startswith("u") else "int64"


def into(d: str, v: Any) -> Any:
    """A number in the form of a dtype (denote.conversion)."""
    return Fraction(is_true(v)) if d == "bool" else pair(v) if KINDS[d] == 3 else v


def fits(d: str, v: Any) -> Any:
    """type.overflow."""
    require(d not in BITS or RANGES[d][0] <= v <= RANGES[d][1], f"integer overflow: {v} in {d}")
    return v


def identity(op: str, d: str) -> Any:
    """The identity of what folds."""
    least, greatest = RANGES.get(d, (-INF, INF))
    return into(d, {"min": greatest, "max": least, "mul": ONE, "and": ONE}.get(op, ZERO))


def identities(op: str, d: str) -> tuple[Any, Any]:
    """The left and the right identity of an operator, or None."""
    if op in (*FOLDS.values(), "sub"):
        return identity(op, d), identity(op, d)
    return None, ONE if op in ("div", "pow") else None


def unit(op: str, side: int, d: str, v: Any) -> Any:
    """What is left of the other operand beside an identity (operator.units)."""
    return -v if op == "sub" and side == 0 else into(d, Fraction(is_true(v))) if op in ("or", "and", "xor") else v


def calculate(op: str, d: str, *args: Any) -> Any:
    """An operator on numbers in the form of the dtype that it computes in."""
    require(op not in ("floordiv", "mod") or KINDS[d] > 1 or args[1] != 0, "integer division by zero")
    return into(gives(op, d), (UNARY | BINARY)[op](*args))
