"""Operands of a kernel: what each must be, and the structs of those that have been checked."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Generic, TypeVar
from weakref import ref

import msgspec
import numpy as np

from ...reference.algebra.dtypes import DTYPES, Number, same_value
from ...reference.algebra.scalars import abbreviate
from ...reference.errors import DtypeError, ExpressionError, FormatError
from ...reference.files.foreign import dtype_hint
from ...reference.files.operands import as_tensor
from ...reference.notation.resolution import refuse_outgrown
from ...reference.storage.format import Format
from ...reference.storage.hierarchy import is_lasting
from ...reference.storage.packing import array_of, fit_values
from ...reference.storage.tensor import Tensor
from ..storage.layout import Layout
from .coordinates import Coordinates
from .structs import Struct, plainly

T = TypeVar("T")


class Slot(msgspec.Struct, frozen=True, dict=True):
    """What one operand of a kernel must be. `ring`: the semiring inside which it is read, if it is inside one; `plain`:
    whether arrays fit; `absent`: a number that it must not hold."""

    name: str
    layout: Layout
    ring: str | None
    plain: bool
    absent: Number | None

    @property
    def fills(self) -> bool:
        """Whether the fill matters: inside a semiring sparse formats leave out what is absent, whatever that is."""
        return self.ring is None or self.layout.format.dense_leaves

    @cached_property
    def modes(self) -> list[int]:
        """The mode of each level of a plain operand."""
        return self.layout.format.stored_modes

    def array(self, value: np.ndarray) -> Struct:
        """A dense array as a struct, without a copy if it lies in memory as the format says."""
        value = array_of(value, f"values of {self.name}")
        if value.dtype != self.layout.dtype:
            raise FormatError(
                f"{self.name} has dtype {value.dtype}, but the kernel was compiled for {self.layout.dtype.name}",
                hint=other_dtype(self.name, value, self.layout.dtype),
                rule="code.checked",
            )
        self.check_order(value.ndim)
        refuse_outgrown(self.name, value, self.absent)
        stored = value if value.ndim == 1 else plainly(value.transpose(self.modes))
        struct = Struct.bare(value.shape, stored.shape)
        struct.lend(stored.reshape(-1))
        return struct

    def is_steady(self, value: Any) -> bool:
        """Whether an operand that fits the kernel goes on to fit where C reads it, whatever values are written."""
        if isinstance(value, Tensor):
            return is_lasting(value)
        if type(value) is not np.ndarray or not self.plain or self.absent is not None or value.dtype.kind == "b":
            return False
        stored = value.transpose(self.modes)
        return plainly(stored) is stored

    def coordinates(self, value: Coordinates) -> Struct:
        """Coordinates as a struct. Raises an error if one of them is the number that must not be held."""
        if self.absent is not None and value.holds(self.absent):
            refuse_outgrown(self.name, np.array([self.absent], self.layout.dtype), self.absent)
        return value.struct

    def convert(self, value: Any) -> Tensor:
        """An operand as a tensor. Python numbers and lists take the dtype that the kernel was compiled for; they, and
        arrays, have the fill that it was compiled for, where all of them is stored."""
        if isinstance(value, bool | int | float | complex | list) and not isinstance(value, np.generic):
            value = self.fit(value)
        tensor = as_tensor(self.name, value)
        if isinstance(value, np.ndarray | np.generic) and self.plain and not same_value(tensor.fill, self.layout.fill):
            return dataclasses.replace(tensor, fill=self.layout.fill).mark_trusted()
        return tensor

    def fit(self, value: Any) -> np.ndarray:
        """A Python number, or a list, in the dtype that the kernel was compiled for. Raises FormatError if it does not
        fit."""
        array = array_of(value, f"elements of {self.name}")
        try:
            return fit_values(array.reshape(-1), self.layout.dtype).reshape(array.shape)
        except DtypeError as error:
            raise FormatError(
                f"{self.name} is {abbreviate(value)}: {error.message}", hint=error.hint, rule="code.checked"
            ) from None

    def check_order(self, order: int) -> None:
        """Refuse an operand of another order than was compiled."""
        if order != self.layout.format.order:
            said = f"{self.name} has {order} dimensions, not {self.layout.format.order}"
            raise ExpressionError(said, rule="code.checked")

    def check(self, tensor: Tensor, given: Any) -> None:
        """Refuse a tensor, made of what is given, that is not what was compiled."""
        self.check_order(tensor.order)
        refuse_outgrown(self.name, tensor.vals, self.absent)
        found, wanted = Layout.of(tensor), self.layout
        if found.format != wanted.format:
            raise FormatError(
                f"{self.name} is stored as {found.format}, but the kernel was compiled for {wanted.format}",
                hint=f"convert it: {conversion(self.name, given, wanted.format)}",
                rule="code.checked",
            )
        if found.dtype != wanted.dtype:
            raise FormatError(
                f"{self.name} has dtype {found.dtype.name}, but the kernel was compiled for {wanted.dtype.name}",
                hint=f'compile with gn.spec(..., dtype="{found.dtype.name}")',
                rule="code.checked",
            )
        if self.fills and not same_value(found.fill, wanted.fill):
            raise FormatError(
                f"{self.name} has fill {found.fill}, but the kernel was compiled for {wanted.fill}",
                hint=f"compile with gn.spec(..., fill={found.fill})"
                if self.ring is None
                else f"absent is {wanted.fill} in {self.ring}: pack it with fill={wanted.fill}, or in a format that "
                "stores only what is present",
                rule="code.checked",
            )
        if found.index != wanted.index:
            widths = sorted({index for _, _, index in found.index})
            alike = f'compile with gn.spec(..., index="{widths[0]}")'
            raise FormatError(
                f"{self.name} has {' and '.join(widths)} index arrays, unlike what the kernel was compiled for",
                hint=alike if len(widths) == 1 else f"compile for the tensor itself: {self.name}={self.name}",
                rule="code.checked",
            )


def other_dtype(name: str, given: np.ndarray, wanted: np.dtype) -> str:
    """What to write for an array of another dtype than was compiled, which no kernel may have.

    >>> other_dtype("x", np.zeros(1, "float16"), np.dtype("float64"))
    'pass x.astype("float64")'
    >>> other_dtype("x", np.zeros(1, "float32"), np.dtype("float64"))
    'convert it, or compile with gn.spec(..., dtype="float32")'
    """
    if given.dtype in DTYPES:
        return f'convert it, or compile with gn.spec(..., dtype="{given.dtype}")'
    if np.can_cast(given.dtype, wanted):
        return f'pass {name}.astype("{wanted}")'
    return dtype_hint(name, given, given)


def conversion(name: str, given: Any, format: Format) -> str:
    """The Python expression that stores an operand in a format.

    >>> conversion("x", [1.0, 0.0], Format("s"))
    "gn.from_numpy(np.array(x), 'compressed')"
    """
    match given:
        case Tensor():
            return f"{name}.convert({str(format)!r})"
        case np.ndarray():
            return f"gn.from_numpy({name}, {str(format)!r})"
        case list():
            return f"gn.from_numpy(np.array({name}), {str(format)!r})"
        case _:
            return f"gn.from_scipy({name}).convert({str(format)!r})"


class Kept(Generic[T]):
    """What is known of tensors, by identity, for as long as the tensors live."""

    def __init__(self) -> None:
        self.found: dict[int, tuple[ref[Tensor], T]] = {}

    def of(self, tensor: object) -> T | None:
        """What is known of a tensor."""
        found = self.found.get(id(tensor))
        return None if found is None or found[0]() is not tensor else found[1]

    def keep(self, tensor: Tensor, known: T) -> None:
        """Keep what is known of a tensor."""
        number = id(tensor)
        self.found[number] = ref(tensor, lambda _: self.found.pop(number, None)), known


def operands_error(statement: str, names: Sequence[str], given: Mapping[str, Any]) -> ExpressionError:
    """The error for operands of a statement that are missing or unknown."""
    for name in names:
        if name not in given:
            return ExpressionError(f"operand {name} is missing", hint=f"pass {name}=...", rule="code.checked")
    extra = next(name for name in given if name not in names)
    return ExpressionError(f"{extra} is no operand of {statement}", rule="code.checked")


def refuse_places(given: Sequence[object], statement: str, names: Sequence[str]) -> None:
    """Refuse operands that are given by place: their order is nowhere said."""
    if given:
        raise ExpressionError(
            f"operands of {statement} are given by name, but {len(given)} came without",
            hint=f"call the kernel with {', '.join(f'{name}={name}' for name in names)}",
            rule="error.python",
        )
