"""Complex arithmetic as gcc compiles it for kernels: products by the plain formula, quotients by Smith's.

A real operand stays real (C11, G.5.1): it acts on both parts, and no infinity meets a zero that nobody wrote.
"""

from __future__ import annotations

from collections.abc import Callable

from .conversion import single_parts
from .floats import divide as over
from .frame import Code
from .types import Complex, Number

Factory = Callable[[Code, Code, Number], Code]
Scalar = float | complex


def rounded_operator(combine: Callable[[Scalar, Scalar], complex]) -> Factory:
    """The code of an operator in either precision."""

    def factory(a: Code, b: Code, type: Number) -> Code:
        assert isinstance(type, Complex)
        if type.bits == 64:
            return lambda f: combine(a(f), b(f))
        return lambda f: single_parts(combine(a(f), b(f)))

    return factory


def add(a: Scalar, b: Scalar) -> complex:
    """a + b"""
    if not isinstance(a, complex):
        return complex(a + b.real, b.imag)
    return complex(a.real + b.real, a.imag + b.imag) if isinstance(b, complex) else complex(a.real + b, a.imag)


def subtract(a: Scalar, b: Scalar) -> complex:
    """a - b"""
    if not isinstance(a, complex):
        return complex(a - b.real, -b.imag)
    return complex(a.real - b.real, a.imag - b.imag) if isinstance(b, complex) else complex(a.real - b, a.imag)


def multiply(a: Scalar, b: Scalar) -> complex:
    """a * b"""
    if not isinstance(a, complex):
        return complex(a * b.real, a * b.imag)
    if not isinstance(b, complex):
        return complex(a.real * b, a.imag * b)
    return complex(a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real)


def divide(a: Scalar, b: Scalar) -> complex:
    """a / b"""
    if not isinstance(b, complex):
        return complex(over(a.real, b), over(a.imag, b)) if isinstance(a, complex) else complex(over(a, b))
    x, y = a.real, a.imag
    if abs(b.real) < abs(b.imag):
        ratio = over(b.real, b.imag)
        below = b.real * ratio + b.imag
        return complex(over(x * ratio + y, below), over(y * ratio - x, below))
    ratio = over(b.imag, b.real)
    below = b.imag * ratio + b.real
    return complex(over(y * ratio + x, below), over(y - x * ratio, below))


COMPLEX: dict[str, Factory] = {
    "+": rounded_operator(add),
    "-": rounded_operator(subtract),
    "*": rounded_operator(multiply),
    "/": rounded_operator(divide),
}
