"""Meanings: what an expression is at a coordinate, and what a computed result may be there."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

import numpy as np
from msgspec import Struct

from ..algebra.agreement import agrees
from ..algebra.exact import Exact, as_pair, magnitude, parts_of, truth

Coordinates = tuple[int, ...]


class State(Enum):
    """Whether a sub-expression holds something at a coordinate."""

    MISSING = "missing"
    CONSTANT = "constant"
    PRESENT = "present"


class Meaning(Struct, frozen=True):
    """A sub-expression at a coordinate: its state, its exact value, the bound on a computed one, and its choices.

    `choices` are the values among which `any` may choose; empty where there is only one. `undecided`: in exact
    arithmetic it has this state, but rounding decides whether a missing operand is one that annihilates.
    """

    state: State
    value: Exact
    bound: float = 0.0
    choices: tuple[Exact, ...] = ()
    undecided: bool = False

    def values(self) -> tuple[Exact, ...]:
        """The values that it may have."""
        return self.choices or (self.value,)


class Point(Struct, frozen=True):
    """What a result may be at a coordinate: its meaning, and the other one too where rounding decides on the mask.

    `fill` and `dtype` are those of the result.
    """

    readings: tuple[Meaning, ...]
    fill: Exact
    dtype: np.dtype

    @property
    def meaning(self) -> Meaning:
        """What the result is in exact arithmetic."""
        return self.readings[0]

    def accepts(self, computed: object) -> bool:
        """Whether a computed value is one that the expression may have here."""
        return any(agrees(computed, value, m.bound, self.dtype) for m in self.readings for value in m.values())

    def presence(self) -> frozenset[bool]:
        """Whether the coordinate belongs to the structure of the result; both where rounding decides."""
        readings = (frozenset({True, False} if self.is_rounded(m) else {self.belongs(m)}) for m in self.readings)
        return frozenset().union(*readings)

    def belongs(self, meaning: Meaning) -> bool:
        """Whether a coordinate of that meaning belongs to the structure."""
        return meaning.state is State.PRESENT or not same(meaning.value, self.fill)

    def is_rounded(self, meaning: Meaning) -> bool:
        """Whether what is missing may be the fill once it is computed, or may be something else: rounding decides."""
        if meaning.undecided:
            return True
        if meaning.state is State.PRESENT or not agrees(self.fill, meaning.value, meaning.bound, self.dtype):
            return False
        return meaning.bound > 0 or self.belongs(meaning)


def same(a: Exact, b: Exact) -> bool:
    """Equality of exact values, with NaN equal to itself and reals equal to complex numbers on the real line."""
    x, y = as_pair(a), as_pair(b)
    return all(p == q or (p != p and q != q) for p, q in ((x.re, y.re), (x.im, y.im)))


def distinct(values: Sequence[Exact]) -> tuple[Exact, ...]:
    """The values without repetitions, in their order."""
    found: list[Exact] = []
    for value in values:
        if not any(same(value, other) for other in found):
            found.append(value)
    return tuple(found)


def is_decided(m: Meaning) -> bool:
    """Whether a mask certainly holds something, or certainly not: neither rounding nor a choice decides."""
    alike = len({truth(value) for value in m.values()}) == 1
    return not m.undecided and alike and apart_from_zero(m)


def apart_from_zero(m: Meaning) -> bool:
    """Whether a computed value is certainly zero, or certainly not."""
    return m.bound == 0 or any(magnitude(part) > m.bound for part in parts_of(m.value))


def is_missing(m: Meaning) -> bool:
    """Whether something is missing, however it is rounded."""
    return m.state is State.MISSING and not m.undecided
