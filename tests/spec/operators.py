"""Exact numbers, and what operators declare and compute (docs/spec/operators)."""

import cmath
import math
from fractions import Fraction
from typing import Any, NamedTuple

INF, NAN, ZERO, ONE = math.inf, math.nan, Fraction(0), Fraction(1)
UNARY = {"neg", "not", "truth", "abs", "real", "imag", "conj", "square", "cube", "cbrt", "floor", "ceil", "sign"}
FUNCTIONS = {"sqrt", "exp", "log", "sin", "cos", "tan", "tanh", "cbrt"}
UNARY |= FUNCTIONS
COMPARE = {"eq", "ne", "lt", "le", "gt", "ge"}
BINARY = {"add", "sub", "mul", "div", "floordiv", "mod", "min", "max", "or", "and", "xor", "first", "second", "pair"}
BINARY |= {"any", "pow", "heaviside"} | COMPARE
FOLDS = {"sum": "add", "prod": "mul", **{n: n for n in ("min", "max", "or", "and", "xor", "any")}}
DISTRIBUTES = {"add": {"max", "min"}, "mul": {"add"}, "min": {"max", "min"}, "max": {"max", "min"}}
DISTRIBUTES |= {"or": {"and", "or"}, "and": {"and", "or"}}
BITS = {f"{s}int{b}": (s, b) for s in ("", "u") for b in (8, 16, 32, 64)}


class RefusedError(Exception):
    """The text says that this has no meaning."""


class Beyond(Exception):
    """This evaluator does not know it."""


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
    """Exact equality, NaN equal to NaN, a real number equal to the complex one."""
    if isinstance(a, Pair) or isinstance(b, Pair):
        return all(map(same, pair(a), pair(b)))
    return bool(a == b or (a != a and b != b))


def exact(v: Any) -> Any:
    """A number as an exact one."""
    if isinstance(v, complex):
        return Pair(exact(v.real), exact(v.imag))
    return Fraction(v) if not isinstance(v, float) or math.isfinite(v) else v


def is_true(v: Any) -> bool:
    return any(p != 0 for p in pair(v))


def into(d: str, v: Any) -> Any:
    """in(d, v) (denote.conversion)."""
    return Fraction(is_true(v)) if d == "bool" else pair(v) if "complex" in d else v


def least(d: str, sign: int) -> Any:
    """The least or greatest number of a dtype."""
    if d not in BITS:
        return sign * INF if d != "bool" else Fraction(sign > 0)
    s, bits = BITS[d]
    return Fraction((2 ** (bits - (not s)) - 1) if sign > 0 else (0 if s else -(2 ** (bits - 1))))


def fits(d: str, v: Any) -> Any:
    """type.overflow."""
    if d in BITS and not least(d, -1) <= v <= least(d, 1):
        raise RefusedError(f"integer overflow: {v} in {d}")
    return v


def identity(op: str, d: str) -> Any:
    """The identity of what folds."""
    found = {"min": least(d, 1), "max": least(d, -1), "mul": ONE, "and": ONE}.get(op, ZERO)
    return into(d, found)


def identities(op: str, d: str) -> tuple[Any, Any]:
    """The left and the right identity of an operator, or None."""
    if op in FOLDS.values() or op == "sub":
        return (identity(op, d),) * 2
    return None, ONE if op in ("div", "pow") else None


def annihilators(op: str) -> Any:
    """The annihilator of an operator, on both of its sides, or None."""
    return ZERO if op in ("mul", "div", "floordiv", "mod", "and") else None


def unit(op: str, side: int, d: str, v: Any) -> Any:
    """What is left of the other operand beside an identity (operator.units)."""
    return -v if op == "sub" and side == 0 else into(d, Fraction(is_true(v))) if op in ("or", "and", "xor") else v


def sign(v: Any) -> float:
    """A rational number as its sign, a symbol as it is."""
    return float((v > 0) - (v < 0)) if isinstance(v, Fraction) else v


def nearest(v: Any) -> float:
    """The float64 that is nearest to an exact real number."""
    try:
        return float(v)
    except OverflowError:
        return INF if v > 0 else -INF


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
        if is_rational(*a) and is_rational(*b) and is_true(b):
            top, size = times(a, Pair(b.re, -b.im)), b.re**2 + b.im**2
            return Pair(top.re / size, top.im / size)
        mixed = any(is_rational(p) and abs(q) == INF for p, q in (b, b[::-1]))
        return Pair(ZERO, ZERO) if is_rational(*a) and mixed else NOTHING
    if is_rational(a, b) and b:
        return a / b
    if is_rational(b):
        return NAN if a == 0 or a != a else math.copysign(INF, a) * (1 if b >= 0 else -1)
    return ZERO if is_rational(a) and b == b else NAN


def divided(op: str, d: str, a: Any, b: Any) -> Any:
    """operator.division."""
    if b == 0:
        if d in BITS or d == "bool":
            raise RefusedError("integer division by zero")
        return over(a, b) if op == "floordiv" else NAN
    if is_rational(a, b):
        return Fraction(a // b) if op == "floordiv" else a % b
    if not is_rational(a) or b != b:
        return NAN
    apart = a != 0 and (a < 0) != (b < 0)
    return Fraction(-apart) if op == "floordiv" else b if apart else a


def through(op: str, *args: Any) -> Any:
    """operator.functions: by floats, which are within any bound of the number that is meant."""
    if isinstance(args[0], Pair):
        if not all(is_rational(*a) for a in args):
            return NOTHING
        z, *others = (complex(nearest(a.re), nearest(a.im)) for a in args)
        if op == "pow" and z == 0:
            return exact(1j * 0 + (others[0] == 0)) if others[0] == 0 or others[0].real > 0 else NOTHING
        try:
            return exact(z ** others[0] if others else getattr(cmath, op)(z))
        except (ArithmeticError, ValueError):
            return NOTHING
    x, *others = map(nearest, args)
    if op == "log" and x == 0:
        return -INF
    try:
        return exact(math.pow(x, others[0]) if others else getattr(math, op)(x))
    except OverflowError:
        return -INF if op == "pow" and x < 0 and others[0] % 2 == 1 else INF
    except ValueError:
        return INF if op == "pow" and x == 0 else NAN


def calculate(op: str, d: str, *args: Any) -> Any:
    """An operator on exact numbers in the form of the dtype that it computes in."""
    a, b = (*args, ZERO)[:2]
    match op:
        case "add" | "or" if d == "bool" or op == "or":
            return into(d, Fraction(is_true(a) or is_true(b)))
        case "mul" | "and" if d == "bool" or op == "and":
            return into(d, Fraction(is_true(a) and is_true(b)))
        case "xor" | "ne" if op == "xor" or isinstance(a, Pair):
            return into(d, Fraction(is_true(a) != is_true(b))) if op == "xor" else Fraction(tuple(a) != tuple(b))
        case "not" | "truth":
            return Fraction(not is_true(a)) if op == "not" else into(d, Fraction(is_true(a)))
        case "add" | "sub":
            return plus(a, b if op == "add" else -b)
        case "mul" | "div":
            return (times if op == "mul" else over)(a, b)
        case "neg":
            return -a
        case "square" | "cube":
            return times(a, a if op == "square" else times(a, a))
        case "first" | "second" | "pair":
            return {"first": a, "second": b, "pair": into(d, ONE)}[op]
        case "real" | "imag":
            return getattr(pair(a), op[:2])
        case "conj":
            return Pair(a.re, -a.im) if isinstance(a, Pair) else a
        case "abs" if isinstance(a, Pair):
            return exact(math.hypot(nearest(a.re), nearest(a.im)))
        case "min" | "max":
            return NAN if a != a or b != b else {"min": min, "max": max}[op](a, b)
        case "eq" if isinstance(a, Pair):
            return Fraction(a.re == b.re and a.im == b.im)
        case "eq" | "ne" | "lt" | "le" | "gt" | "ge":
            return Fraction({"eq": a == b, "ne": a != b, "lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b}[op])
        case "abs":
            return abs(a)
        case "sign":
            return a if a != a else Fraction((a > 0) - (a < 0))
        case "floor" | "ceil":
            return exact(getattr(math, op)(a)) if is_rational(a) else a
        case "floordiv" | "mod":
            return divided(op, d, a, b)
        case "heaviside":
            return a if a != a else b if a == 0 else Fraction(a > 0)
    return through(op, *args)
