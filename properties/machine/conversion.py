"""Conversions among types (C11, 6.3): those that lose a value that counts are faults."""

from __future__ import annotations

from ctypes import c_float
from typing import Any

from ...reference.errors import Unsupported
from .fault import BadConversion, MachineError, Narrowed, Where
from .frame import Code, Value
from .memory import retype_pointer
from .types import Boolean, Complex, Floating, Integer, Pointer, Type, Void

EXACT = 2**53


def single(x: float) -> float:
    """The nearest number in single precision."""
    return c_float(x).value


def single_parts(z: complex) -> complex:
    """Both parts in single precision."""
    return complex(single(z.real), single(z.imag))


def convert(value: Value, to: Type, where: Where) -> Value:
    """A value in another type."""
    if value.type == to:
        return value
    if isinstance(to, Pointer) and isinstance(value.type, Integer) and value.constant == 0:
        return constant(None, to)
    run = conversion(value.type, to, value.run, where)
    return Value(to, run) if value.constant is None else fold(to, run)


def fold(type: Type, run: Code) -> Value:
    """The value of code that reads nothing; if it is a fault, it is one only where it runs."""
    try:
        return constant(run([]), type)
    except MachineError:
        return Value(type, run)


def constant(value: Any, type: Type) -> Value:
    """A value that is known."""
    return Value(type, lambda f: value, None if isinstance(type, Pointer) else value)


def conversion(of: Type, to: Type, run: Code, where: Where) -> Code:
    """Code that gives a value in another type."""
    match of, to:
        case _, Void():
            return run
        case _, Boolean():
            return run if isinstance(of, Boolean) else lambda f: 1 if run(f) else 0
        case Pointer(), Pointer():
            return pointer(of, to, run, where)
        case ((Integer() | Boolean()), Integer()):
            return whole(of, to, run, where)
        case Floating(), Integer():
            return round_to_zero(to, run, where)
        case Complex(), (Integer() | Floating()):
            return conversion(Floating(of.bits), to, lambda f: run(f).real, where)
        case ((Integer() | Boolean() | Floating()), Floating()):
            return convert_to_floating(of, to, run)
        case ((Integer() | Boolean() | Floating()), Complex(bits=bits)):
            part = conversion(of, Floating(bits), run, where)
            return lambda f: complex(part(f), 0.0)
        case Complex(bits=bits), Complex():
            return run if bits <= to.bits else lambda f: single_parts(run(f))
        case _ if of == to:
            return run
        case _:
            raise Unsupported(f"a conversion of {of} to {to}, in {where}")


def whole(of: Type, to: Integer, run: Code, where: Where) -> Code:
    """An integer in another integer type: unsigned ones wrap, signed ones must hold it."""
    low, high = (of.low, of.high) if isinstance(of, Integer) else (0, 1)
    if to.low <= low and high <= to.high:
        return run
    low, high = to.low, to.high
    if not to.signed:
        return lambda f: run(f) & high

    def narrow(f: Any) -> int:
        n: int = run(f)
        if low <= n <= high:
            return n
        raise Narrowed(f"{n} does not fit in {to}", where)

    return narrow


def round_to_zero(to: Integer, run: Code, where: Where) -> Code:
    """A floating-point number rounded to zero."""
    low, high = to.low, to.high

    def towards_zero(f: Any) -> int:
        x = run(f)
        if x - x == 0.0:
            n = int(x)
            if low <= n <= high:
                return n
        raise BadConversion(f"{x} is no {to}", where)

    return towards_zero


def convert_to_floating(of: Type, to: Floating, run: Code) -> Code:
    """A real number in floating point: the nearest."""
    if isinstance(of, Floating):
        return run if of.bits <= to.bits else lambda f: single(run(f))
    return (lambda f: float(run(f))) if to.bits == 64 else lambda f: nearest_single(run(f))


def nearest_single(n: int) -> float:
    """The nearest number in single precision to an integer, rounded once.

    >>> nearest_single(2**54 + 2**30 + 1) == 2**54 + 2**31
    True
    """
    if -EXACT <= n <= EXACT:
        return single(float(n))
    size = abs(n)
    shift = size.bit_length() - 53
    kept = size >> shift | (size & ((1 << shift) - 1) != 0)
    return single(float(kept << shift) if n > 0 else -float(kept << shift))


def pointer(of: Pointer, to: Pointer, run: Code, where: Where) -> Code:
    """A pointer to something else: to and from `void *`."""
    target = to.target
    if isinstance(target, Void):
        return run
    if not isinstance(of.target, Void):
        raise Unsupported(f"a conversion of {of} to {to}, in {where}")
    return lambda f: retype_pointer(run(f), target, where)
