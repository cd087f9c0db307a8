"""The C library, as far as kernels call it: memory, and functions of numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from msgspec import Struct

from ...reference.algebra.functions import REAL_FUNCTIONS
from .fault import BadFree, OutOfBounds, Where
from .memory import Address, element_type, repeat_byte, span
from .state import State
from .types import ADDRESS, DOUBLE, FLOAT, INT, SIZE, VOID, Complex, Floating, Type, cells


class Routine(Struct, frozen=True):
    """A function of the library: its types, and what it does with the run's state, the line, the arguments."""

    result: Type
    parameters: tuple[Type, ...]
    do: Callable[..., Any]


def malloc(state: State, where: Where, bytes: int) -> Address | None:
    """Memory in which nothing is stored."""
    return state.allocate(bytes, where)


def calloc(state: State, where: Where, count: int, bytes: int) -> Address | None:
    """Memory of zeros."""
    return state.allocate(count * bytes, where, zeroed=True)


def realloc(state: State, where: Where, p: Address | None, bytes: int) -> Address | None:
    """Memory made longer or shorter."""
    return state.enlarge(p, bytes, where)


def free(state: State, where: Where, p: Address | None) -> None:
    """Memory given back."""
    if p is not None and p[0].space != "host":
        raise BadFree(f"{p[0]} is not memory of the host", where)
    state.release(p, where)


def memcpy(state: State, where: Where, to: Address | None, of: Address | None, bytes: int) -> Address | None:
    """Bytes copied between places that do not overlap."""
    source = span(of, bytes, "a copy from memory", where, writes=False)
    if not source or of is None or to is None:
        return to
    if to[0].type is None:
        to[0].settle(element_type(of[0]))
    target = span(to, bytes, "a copy to memory", where, writes=True)
    if to[0] is of[0] and max(source.start, target.start) < min(source.stop, target.stop):
        raise OutOfBounds(f"a copy inside {of[0]} between places that overlap", where)
    for k in source:
        state.note((of[0], k), where, writes=False)
    for k in target:
        state.note((to[0], k), where, writes=True)
    to[0].data[target.start : target.stop] = of[0].data[source.start : source.stop]
    return to


def memset(state: State, where: Where, to: Address | None, byte: int, bytes: int) -> Address | None:
    """Bytes set alike."""
    for k in span(to, bytes, "a write of bytes", where, writes=True):
        assert to is not None
        kinds = cells(element_type(to[0]))
        state.note((to[0], k), where, writes=True)
        to[0].data[k] = repeat_byte(byte, kinds[k % len(kinds)], where)
    return to


def numeric(function: Callable[..., Any], type: Type) -> Callable[..., Any]:
    """A function of numbers by NumPy's, which is total, as C's is."""
    kind = {FLOAT: np.float32, DOUBLE: np.float64, Complex(32): np.complex64, Complex(64): np.complex128}[type]

    def do(state: State, where: Where, *args: Any) -> Any:
        with np.errstate(all="ignore"):
            return function(*[kind(a) for a in args]).item()

    return do


def plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of numbers that neither has side effects nor fails."""
    return lambda state, where, *args: function(*args)


def routines() -> dict[str, Routine]:
    """The routines by name."""
    found = {
        "malloc": Routine(ADDRESS, (SIZE,), malloc),
        "calloc": Routine(ADDRESS, (SIZE, SIZE), calloc),
        "realloc": Routine(ADDRESS, (ADDRESS, SIZE), realloc),
        "free": Routine(VOID, (ADDRESS,), free),
        "memcpy": Routine(ADDRESS, (ADDRESS, ADDRESS, SIZE), memcpy),
        "memset": Routine(ADDRESS, (ADDRESS, INT, SIZE), memset),
        "isnan": Routine(INT, (DOUBLE,), plain(lambda x: 1 if x != x else 0)),
        "__builtin_ctzll": Routine(INT, (SIZE,), plain(lambda n: (n & -n).bit_length() - 1)),
        "__builtin_nanf": Routine(FLOAT, (), plain(lambda: math.nan)),
    }
    for suffix, type in (("f", FLOAT), ("", DOUBLE)):
        assert isinstance(type, Floating)
        whole = Complex(type.bits)
        for name, function in REAL.items():
            found[name + suffix] = Routine(type, (type,), numeric(function, type))
        for name, function in PAIRS.items():
            found[name + suffix] = Routine(type, (type, type), numeric(function, type))
        for name, function in COMPLEX.items():
            found[name + suffix] = Routine(whole, (whole,), numeric(function, whole))
        found["cpow" + suffix] = Routine(whole, (whole, whole), numeric(np.power, whole))
        found["cabs" + suffix] = Routine(type, (whole,), numeric(np.abs, whole))
        found["creal" + suffix] = Routine(type, (whole,), plain(lambda z: z.real))
        found["cimag" + suffix] = Routine(type, (whole,), plain(lambda z: z.imag))
        found["CMPLX" + suffix.upper()] = Routine(whole, (type, type), plain(complex))
    return found


REAL: dict[str, Callable[..., Any]] = {
    "sqrt": np.sqrt,
    "exp": np.exp,
    "log": np.log,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "tanh": np.tanh,
    **REAL_FUNCTIONS,
    "cbrt": np.cbrt,
    "fabs": np.fabs,
    "floor": np.floor,
    "ceil": np.ceil,
}
PAIRS: dict[str, Callable[..., Any]] = {
    "pow": np.power,
    "fmod": np.fmod,
    "copysign": np.copysign,
}
COMPLEX: dict[str, Callable[..., Any]] = {
    f"c{name}": REAL[name] for name in ("sqrt", "exp", "log", "sin", "cos", "tan", "tanh")
} | {"conj": np.conj}
LIBRARY = routines()
