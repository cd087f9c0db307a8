"""CUDA's words in kernels: barriers, meetings of warps, atomic operations, who a thread is."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable
from typing import Any

from ...reference.errors import Unsupported
from .conversion import convert, single, single_parts
from .fault import Where
from .frame import STATE, Code, Frame, Value
from .grid import Kind, Thread
from .library import LIBRARY
from .memory import read, write
from .types import INT, UNSIGNED, VOID, Complex, Floating, Integer, Pointer, Type, promote
from .vocabulary import Vocabulary, Word

MEMORY = ("malloc", "calloc", "realloc", "free", "memcpy", "memset")
SMALLEST = 2.0**-126
"""The least positive number of 32 bits that is not subnormal."""
INDICES = ("threadIdx", "blockIdx", "blockDim", "gridDim")

PRIMITIVE = re.compile(
    r"gn_atomic_(load|store|exchange)_\w+|gn_atomic_(add|min|max)_u?int(?:32|64)|gn_atomic_(add)_(?:float|complex)\d+"
)
"""Functions of gnomon_device.h that are atomic by CUDA's words, on words that its cells are taken for."""


def barrier(args: list[Value], where: Where) -> Value:
    """`__syncthreads()`"""
    return Value(VOID, lambda f: f[STATE].barrier(where))


def meet_warp(args: list[Value], where: Where) -> Value:
    """`__syncwarp(mask)`"""
    mask = convert(args[0], UNSIGNED, where).run
    return Value(VOID, lambda f: f[STATE].meet("sync", mask(f), None, 0, where))


def shuffle(kind: Kind) -> Word:
    """`__shfl_…_sync(mask, value, lane or distance)`"""

    def word(args: list[Value], where: Where) -> Value:
        type = promote(args[1].type)
        mask, distance = (convert(args[n], to, where).run for n, to in ((0, UNSIGNED), (2, INT)))
        value = convert(args[1], type, where).run
        return Value(type, lambda f: f[STATE].meet(kind, mask(f), value(f), distance(f), where))

    return word


def vote(type: Type, judge: Callable[[int, int], int]) -> Word:
    """What the lanes of a mask say together, by the bits of those that say yes."""

    def word(args: list[Value], where: Where) -> Value:
        mask, value = convert(args[0], UNSIGNED, where).run, args[1].run

        def run(f: Frame) -> int:
            asked = mask(f)
            return judge(f[STATE].meet("ballot", asked, 1 if value(f) else 0, 0, where), asked)

        return Value(type, run)

    return word


def bits(count: Callable[[int], int]) -> Word:
    """A number that the bits of an integer give."""

    def word(args: list[Value], where: Where) -> Value:
        run = convert(args[0], UNSIGNED, where).run
        return Value(INT, lambda f: count(run(f)))

    return word


def fence(args: list[Value], where: Where) -> Value:
    """`__threadfence()`: what it orders alone, the machine does not take for ordered."""
    return Value(VOID, lambda f: None)


def alike(a: Any, b: Any) -> bool:
    """Whether two values have the same bits."""
    if isinstance(a, complex):
        return alike(a.real, b.real) and alike(a.imag, b.imag)
    return struct.pack("d", a) == struct.pack("d", b) if isinstance(a, float) else bool(a == b)


def target(value: Value, where: Where) -> Type:
    """What a pointer leads to."""
    if not isinstance(value.type, Pointer):
        raise Unsupported(f"an atomic operation on {value.type}, in {where}")
    return value.type.target


def atomic(p: Code, act: Callable[[Frame, Any], Any], where: Where, *, writes: bool = True) -> Code:
    """An act on a place that nobody comes between."""

    def run(f: Frame) -> Any:
        thread: Thread = f[STATE]
        place = p(f)
        before, thread.guard = thread.guard, "atomic"
        thread.note(place, where, writes=writes)
        found = act(f, place)
        thread.guard = before
        return found

    return run


def load(args: list[Value], where: Where) -> Value:
    """A value read whole."""
    return Value(target(args[0], where), atomic(args[0].run, lambda f, p: read(p, where), where, writes=False))


def store(args: list[Value], where: Where) -> Value:
    """A value written whole."""
    value = convert(args[1], target(args[0], where), where).run

    def run(f: Frame) -> None:
        wanted = value(f)
        atomic(args[0].run, lambda _, p: write(p, wanted, where), where)(f)

    return Value(VOID, run)


def exchange(args: list[Value], where: Where) -> Value:
    """Compare and swap: what was seen, which is in memory of the thread, is what is there, or becomes it."""
    seen, wanted = args[1].run, convert(args[2], target(args[0], where), where).run

    def run(f: Frame) -> int:
        expected, new = seen(f), wanted(f)

        def act(_: Frame, p: Any) -> int:
            found = read(p, where)
            if alike(found, read(expected, where)):
                write(p, new, where)
                return 1
            write(expected, found, where)
            return 0

        return int(atomic(args[0].run, act, where)(f))

    return Value(INT, run)


def update(combine: Callable[[Any, Any], Any], seen: Callable[[Type], Callable[[Any], Any]]) -> Word:
    """What is there combined with a value, each as it is seen: integers wrap; what was there is given."""

    def word(args: list[Value], where: Where) -> Value:
        type = target(args[0], where)
        value, fit, see = convert(args[1], type, where).run, fitting(type), seen(type)

        def run(f: Frame) -> Any:
            given = value(f)

            def act(_: Frame, p: Any) -> Any:
                found = read(p, where)
                write(p, see(fit(combine(see(found), see(given)))), where)
                return found

            return atomic(args[0].run, act, where)(f)

        return Value(type, run)

    return word


def as_it_is(type: Type) -> Callable[[Any], Any]:
    """How functions see numbers."""
    return lambda n: n


def by_instruction(type: Type) -> Callable[[Any], Any]:
    """How the device's instruction for additions sees numbers: of 32 bits, subnormal ones as zeros (PTX, `atom`)."""
    match type:
        case Floating(bits=32):
            return lambda x: math.copysign(0.0, x) if abs(x) < SMALLEST else x
        case _:
            return as_it_is(type)


def fitting(type: Type) -> Callable[[Any], Any]:
    """What is left of a number in a type."""
    match type:
        case Integer(low=low, high=high):
            return lambda n: (n - low) % (high - low + 1) + low
        case Floating(bits=32):
            return single
        case Complex(bits=32):
            return single_parts
        case _:
            return lambda x: x


SHUFFLES: dict[str, Kind] = {
    "__shfl_sync": "from",
    "__shfl_down_sync": "down",
    "__shfl_up_sync": "up",
    "__shfl_xor_sync": "xor",
}
UPDATES: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda a, b: a + b,
    "min": min,
    "max": max,
    "exch": lambda a, b: b,
}
WORDS: dict[str, Word] = {
    "__syncthreads": barrier,
    "__syncwarp": meet_warp,
    "__threadfence": fence,
    "__ballot_sync": vote(UNSIGNED, lambda votes, mask: votes),
    "__any_sync": vote(INT, lambda votes, mask: int(votes != 0)),
    "__all_sync": vote(INT, lambda votes, mask: int(votes == mask)),
    "__popc": bits(lambda n: n.bit_count()),
    "__ffs": bits(lambda n: (n & -n).bit_length()),
    "__clz": bits(lambda n: 32 - n.bit_length()),
    **{name: shuffle(kind) for name, kind in SHUFFLES.items()},
    **{f"atomic{name.capitalize()}": update(combine, as_it_is) for name, combine in UPDATES.items()},
    "atomicAdd": update(UPDATES["add"], by_instruction),
}
PRIMITIVES: dict[str, Word] = {
    "load": load,
    "store": store,
    "exchange": exchange,
    **{name: update(combine, as_it_is) for name, combine in UPDATES.items()},
}


def word(name: str) -> Word | None:
    """What a name stands for in kernels, beside the functions of their texts."""
    found = PRIMITIVE.fullmatch(name)
    return WORDS.get(name) if found is None else PRIMITIVES[found[1] or found[2] or found[3]]


DEVICE = Vocabulary({name: each for name, each in LIBRARY.items() if name not in MEMORY}, word, INDICES)
