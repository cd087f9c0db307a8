"""GraphBLAS's objects in a script: matrices, vectors and scalars, in a dtype, with modes in some order."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from .ssa import Lines


class Value(Struct, frozen=True):
    """A matrix, vector or scalar in a script: its text, the variables of its modes, and its dtype.

    `made` by `.dup` of an object, or `.new` of an expression or transpose; `expression` if it cannot be an argument.
    `absent` if it is a scalar that may be empty; `number` if it is one of the program's.
    """

    text: str
    variables: tuple[str, ...]
    dtype: np.dtype
    made: str = "dup"
    expression: bool = False
    absent: bool = False
    number: bool = False


class Objects(Struct, frozen=True):
    """Writes the lines that make objects of values."""

    lines: Lines

    def cast(self, value: Value, dtype: np.dtype) -> Value:
        """A value in another dtype."""
        if value.dtype == dtype or value.number:
            return value
        text = self.lines.let(f'{value.text}.{value.made}(dtype="{type_name(dtype)}")')
        return Value(text, value.variables, dtype, absent=value.absent)

    def make(self, value: Value, transposes: bool = True) -> Value:
        """A value that is computed: an object, or the transpose of one where that will do."""
        if not value.expression and (transposes or value.made == "dup"):
            return value
        return Value(self.lines.let(f"{value.text}.new()"), value.variables, value.dtype, absent=value.absent)

    def transpose(self, value: Value, variables: tuple[str, ...]) -> Value:
        """A value with its modes in some order."""
        if value.variables == variables:
            return value
        held = self.make(value, transposes=False)
        return replace(held, text=f"{held.text}.T", variables=variables, made="new")


def apply_to_entries(held: Value, arguments: str, dtype: np.dtype) -> Value:
    """An operator on each entry."""
    return Value(f"{held.text}.apply({arguments})", held.variables, dtype, "new", True, held.absent)


def typed_name(name: str, dtype: np.dtype) -> str:
    """A name with the dtype that it computes in."""
    return f'{name}["{type_name(dtype)}"]'


def type_name(dtype: np.dtype) -> str:
    """The library's name of a dtype."""
    bits = 8 * dtype.itemsize
    return {"b": "BOOL", "i": f"INT{bits}", "u": f"UINT{bits}", "f": f"FP{bits}", "c": f"FC{bits // 2}"}[dtype.kind]
