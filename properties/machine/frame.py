"""Frames: what a call of a function works in, and code as a closure from a frame to a value.

A frame is a list: the run's state, what the function returns, and a slot for each variable.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from .types import Type

STATE, RESULT, FIRST = 0, 1, 2
Frame = list[Any]
Code = Callable[[Frame], Any]


class Value(Struct, frozen=True):
    """A compiled expression: its type, the code that gives its value, and the value if it is a constant."""

    type: Type
    run: Code
    constant: int | float | None = None


class Variable(Struct, frozen=True):
    """A variable: `resident` ones are blocks of memory, `certain` ones always hold a value where they are read, and
    `shared` ones belong to a block of threads, and do not end where they leave their scope."""

    name: str
    slot: int
    type: Type
    resident: bool
    certain: bool
    shared: bool = False
