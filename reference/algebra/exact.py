"""Exact arithmetic: rationals, pairs of them for complex numbers, and symbols for infinities and NaN.

A real is a `Fraction`, or one of the floats `inf`, `-inf`, `nan` used as a symbol. Functions that leave the rationals
go through mpmath at sixty digits, far below any error bound.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeGuard

import numpy as np
from msgspec import Struct

Real = Fraction | float
DIGITS = 60
HUGE = 4096  # the binary exponent from which on every dtype overflows; larger numbers are held at it


class Pair(Struct, frozen=True):
    """A complex number."""

    re: Real
    im: Real


Exact = Fraction | float | Pair


def exact(value: Any) -> Exact:
    """The exact value of a Python or NumPy number; an exact one is itself.

    >>> exact(0.5), exact(True), exact(float("inf"))
    (Fraction(1, 2), Fraction(1, 1), inf)
    """
    number = value.item() if isinstance(value, np.generic) else value
    if isinstance(number, Pair):
        return number
    if isinstance(number, complex):
        return Pair(real(number.real), real(number.imag))
    return real(number)


def real(number: int | float | Fraction) -> Real:
    """The exact value of a real number."""
    if isinstance(number, float) and not math.isfinite(number):
        return number
    return Fraction(number)


def approximate(value: Exact) -> float | complex:
    """The nearest float, infinite where it overflows."""
    if isinstance(value, Pair):
        return complex(approximate_real(value.re), approximate_real(value.im))
    return approximate_real(value)


def approximate_real(value: Real) -> float:
    """The nearest float to a real."""
    if isinstance(value, float):
        return value
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def magnitude(value: Exact) -> float:
    """The absolute value as a float, of complex numbers rounded up; NaN counts as infinite."""
    if isinstance(value, Pair):
        size = math.hypot(approximate_real(value.re), approximate_real(value.im))
        return math.inf if math.isnan(size) else math.nextafter(size, math.inf) if size else 0.0
    size = abs(approximate_real(value))
    return math.inf if math.isnan(size) else size


def sign(value: Real) -> float:
    """-1, 0 or 1, as a float that can stand for a rational next to an infinity."""
    return float((value > 0) - (value < 0)) if value == value else math.nan


def is_finite(*values: Real) -> bool:
    """Whether all are rationals."""
    return all(isinstance(v, Fraction) for v in values)


def as_pair(value: Exact) -> Pair:
    """A real as a complex number."""
    return value if isinstance(value, Pair) else Pair(value, Fraction(0))


def parts_of(value: Exact) -> tuple[Fraction | float, ...]:
    """The real and the imaginary part; of a real itself."""
    return (value.re, value.im) if isinstance(value, Pair) else (value,)


def add(a: Exact, b: Exact) -> Exact:
    if isinstance(a, Pair) or isinstance(b, Pair):
        x, y = as_pair(a), as_pair(b)
        return Pair(add_real(x.re, y.re), add_real(x.im, y.im))
    return add_real(a, b)


def add_real(a: Real, b: Real) -> Real:
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a + b
    return (0.0 if isinstance(a, Fraction) else a) + (0.0 if isinstance(b, Fraction) else b)


def neg(a: Exact) -> Exact:
    return Pair(-a.re, -a.im) if isinstance(a, Pair) else -a


def sub(a: Exact, b: Exact) -> Exact:
    return add(a, neg(b))


def mul(a: Exact, b: Exact) -> Exact:
    """The product. Of complex numbers that are not finite it is NaN: compilers differ on its real and imaginary
    part."""
    if isinstance(a, Pair) or isinstance(b, Pair):
        x, y = as_pair(a), as_pair(b)
        if not is_finite(x.re, x.im, y.re, y.im):
            return Pair(math.nan, math.nan)
        return Pair(
            add_real(mul_real(x.re, y.re), -mul_real(x.im, y.im)),
            add_real(mul_real(x.re, y.im), mul_real(x.im, y.re)),
        )
    return mul_real(a, b)


def mul_real(a: Real, b: Real) -> Real:
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a * b
    return (sign(a) if isinstance(a, Fraction) else a) * (sign(b) if isinstance(b, Fraction) else b)


def div(a: Exact, b: Exact) -> Exact:
    if isinstance(a, Pair) or isinstance(b, Pair):
        return div_pair(as_pair(a), as_pair(b))
    return div_real(a, b)


def div_real(a: Real, b: Real) -> Real:
    """IEEE division of reals, with the zero of a rational taken as positive."""
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        if b != 0:
            return a / b
        return math.nan if a == 0 else math.copysign(math.inf, sign(a))
    if isinstance(a, Fraction):
        return math.nan if b != b else Fraction(0)
    if isinstance(b, Fraction):
        return a if b >= 0 else -a
    return math.nan


def div_pair(a: Pair, b: Pair) -> Exact:
    """A finite number over one with an infinite part and a finite one is zero; nothing else infinite has a quotient."""
    if is_finite(a.re, a.im) and sorted((is_infinite(b.re), is_infinite(b.im))) == [False, True]:
        return Pair(Fraction(0), Fraction(0)) if b.re == b.re and b.im == b.im else Pair(math.nan, math.nan)
    norm = add_real(mul_real(b.re, b.re), mul_real(b.im, b.im))
    top = mul(a, Pair(b.re, -b.im))
    assert isinstance(top, Pair)
    if norm == 0 or not is_finite(norm, a.re, a.im):
        return Pair(math.nan, math.nan)
    return Pair(div_real(top.re, norm), div_real(top.im, norm))


def floordiv(a: Exact, b: Exact) -> Exact:
    """Rounded down; by an infinity it is 0 or, where the signs differ, -1; of one there is none, except by zero."""
    if isinstance(a, Fraction) and is_infinite(b):
        return Fraction(-1 if a != 0 and (a < 0) != (b < 0) else 0)
    return floor(div(a, b)) if isinstance(a, Fraction) or b == 0 else math.nan


def mod(a: Exact, b: Exact) -> Exact:
    """What floordiv leaves, with the sign of the divisor."""
    if isinstance(a, Fraction) and is_infinite(b):
        return b if a != 0 and (a < 0) != (b < 0) else a
    if isinstance(a, Fraction) and isinstance(b, Fraction) and b != 0:
        return a - b * math.floor(a / b)
    return math.nan


def is_infinite(a: Exact) -> TypeGuard[float]:
    return isinstance(a, float) and math.isinf(a)


def floor(a: Exact) -> Exact:
    return Fraction(math.floor(a)) if isinstance(a, Fraction) else a


def ceil(a: Exact) -> Exact:
    return Fraction(math.ceil(a)) if isinstance(a, Fraction) else a


def minimum(a: Exact, b: Exact) -> Exact:
    return choose(a, b, smaller=True)


def maximum(a: Exact, b: Exact) -> Exact:
    return choose(a, b, smaller=False)


def choose(a: Exact, b: Exact, *, smaller: bool) -> Exact:
    """The smaller or larger of two reals; NaN if either is."""
    assert not isinstance(a, Pair) and not isinstance(b, Pair)
    if a != a or b != b:
        return math.nan
    return a if (a <= b) == smaller else b


def absolute(a: Exact) -> Exact:
    """The absolute value; infinite if a part is, even beside NaN."""
    if isinstance(a, Pair):
        if is_infinite(a.re) or is_infinite(a.im):
            return math.inf
        return root(add_real(mul_real(a.re, a.re), mul_real(a.im, a.im)))
    return a if a >= 0 else -a


def conj(a: Exact) -> Exact:
    return Pair(a.re, -a.im) if isinstance(a, Pair) else a


def real_part(a: Exact) -> Exact:
    return a.re if isinstance(a, Pair) else a


def imaginary_part(a: Exact) -> Exact:
    return a.im if isinstance(a, Pair) else Fraction(0)


def signum(a: Exact) -> Exact:
    assert not isinstance(a, Pair)
    return a if a != a else Fraction((a > 0) - (a < 0))


def truth(a: Exact) -> bool:
    """Whether a value is nonzero; NaN is."""
    return a != Pair(Fraction(0), Fraction(0)) and a != 0


def boolean(value: bool) -> Exact:
    return Fraction(int(value))


def equal(a: Exact, b: Exact) -> bool:
    """Equality as IEEE has it: NaN equals nothing; a real number equals the complex one on the real line."""
    x, y = as_pair(a), as_pair(b)
    return x.re == y.re and x.im == y.im


def power(a: Any, b: Any) -> Any:
    """Powers as in C: `0 ** 0 = 1`, zero to a negative power is infinite, and 1 and -1 stay 1 to an infinite one.

    Other numbers on the unit circle have no infinite power, and zero has no complex one unless its real part is
    positive: that is zero.
    """
    import mpmath

    if isinstance(b, mpmath.mpf) and mpmath.isinf(b) and not mpmath.isnan(a):
        size = abs(a)
        if size == 1 and isinstance(a, mpmath.mpc):
            return mpmath.nan
        return mpmath.mpf(1) if size == 1 else mpmath.inf if (size > 1) == (b > 0) else mpmath.mpf(0)
    if isinstance(a, mpmath.mpf) and isinstance(b, mpmath.mpf) and a == -mpmath.inf and (b > 0 or b < 0):
        return (-1 if mpmath.isint(b) and b % 2 else 1) * (mpmath.inf if b > 0 else mpmath.mpf(0))
    if a == 0 and b != 0 and not mpmath.isnan(b):
        return mpmath.mpf(0) if mpmath.re(b) > 0 else mpmath.inf if mpmath.im(b) == 0 else mpmath.nan
    return mpmath.power(a, b)


def root(a: Exact) -> Exact:
    result: Exact = through(library("sqrt"))(a)
    return result


def cube_root(a: Exact) -> Exact:
    """The real cube root, of the sign of its argument."""
    import mpmath

    result: Exact = through(lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)))(a)
    return result


def heaviside(a: Exact, middle: Exact) -> Exact:
    """0 below zero, 1 above it, and what is given at it; NaN of NaN."""
    if a != a or equal(a, Fraction(0)):
        return middle if a == a else a
    return Fraction(1) if a > 0 else Fraction(0)  # type: ignore[operator]


def library(name: str) -> Callable[..., Any]:
    """A function of mpmath, which is loaded when something is first computed with it."""

    def apply(*args: Any) -> Any:
        import mpmath

        return getattr(mpmath, name)(*args)

    return apply


def through(function: Callable[..., Any]) -> Callable[..., Exact]:
    """An mpmath function over exact values; NaN outside its real domain.

    Of a complex result that is not finite no part is a number: libraries do not agree on which is what.
    """

    def apply(*args: Exact) -> Exact:
        import mpmath

        is_complex = any(isinstance(a, Pair) for a in args)
        nothing = Pair(math.nan, math.nan) if is_complex else math.nan
        with mpmath.workdps(DIGITS):
            try:
                result = from_mpmath(function(*(to_mpmath(a) for a in args)), allow_complex=is_complex)
            except (ValueError, ZeroDivisionError, OverflowError, mpmath.libmp.NoConvergence):
                return nothing
        whole = as_pair(result)
        return nothing if is_complex and not is_finite(whole.re, whole.im) else result

    return apply


def to_mpmath(a: Exact) -> Any:
    import mpmath

    if isinstance(a, Pair):
        return mpmath.mpc(to_mpmath(a.re), to_mpmath(a.im))
    if isinstance(a, Fraction):
        return mpmath.mpf(a.numerator) / a.denominator
    return mpmath.mpf(a)


def from_mpmath(x: Any, *, allow_complex: bool) -> Exact:
    import mpmath

    if isinstance(x, mpmath.mpc):
        if not allow_complex:
            return math.nan
        parts = [from_mpmath(part, allow_complex=False) for part in (x.real, x.imag)]
        return Pair(*parts)  # type: ignore[arg-type]
    number = mpmath.mpf(x)
    if not mpmath.isfinite(number):
        return float(number)
    if mpmath.mag(number) > HUGE:
        return Fraction(2**HUGE if number > 0 else -(2**HUGE))
    if mpmath.mag(number) < -HUGE:
        return Fraction(0)
    sign_bit, mantissa, exponent, _ = number._mpf_
    value = Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
    return -value if sign_bit else value
