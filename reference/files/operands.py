"""Operands: tensors, arrays, SciPy matrices and numbers that are given for the names of a text, as tensors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..algebra.dtypes import COORDINATE, DTYPES, Number
from ..algebra.semirings import Semiring
from ..errors import ExpressionError, StorageError
from ..notation.text import Text
from ..storage.packing import LARGEST, array_of, pack_array
from ..storage.room import LARGEST as MOST
from ..storage.tensor import Tensor, scalar
from .foreign import dtype_hint, operand_hint
from .scipy_arrays import from_scipy, is_scipy


def as_tensors(
    operands: Mapping[str, Any], ring: Semiring | None = None, pack: Callable[[np.ndarray, Number], Tensor] = pack_array
) -> dict[str, Tensor]:
    """Operands as tensors, by name; in a semiring arrays and numbers have its fill. Raises ExpressionError."""
    return {name: as_tensor(name, value, ring, pack) for name, value in operands.items()}


def operand_tensors(text: Text, operands: Mapping[str, Any], ring: Semiring | None = None) -> dict[str, Tensor]:
    """The operands of a text as tensors, by name, with the vectors of coordinates that it reads.

    Raises ExpressionError, also where such a vector is given and is another.
    """
    tensors = as_tensors(operands, ring)
    return tensors | as_tensors(read_coordinates(text, tensors), ring)


def read_coordinates(text: Text, operands: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """The vectors of coordinates that a text reads, by the names of their variables, as long as operands say.

    Raises ExpressionError where one of another content is among the operands, StorageError where one has no place.
    """
    extents = coordinate_extents(text, operands)
    for name, extent in extents.items():
        if extent > MOST:
            raise StorageError(
                f"{name} has {extent} coordinates, more than {MOST}, of which the reference makes a vector",
                hint="evaluate it by a kernel, engine='c', which needs none",
                rule="notation.coordinates.extent",
            )
    return {name: np.arange(extent, dtype=COORDINATE) for name, extent in extents.items()}


def coordinate_extents(text: Text, operands: Mapping[str, Any]) -> dict[str, int]:
    """The extents of the index variables whose coordinates a text reads, by name, as operands say.

    Raises ExpressionError where a vector of another content is among the operands.
    """
    extents = text.coordinate_extents({name: np.shape(value) for name, value in operands.items()})
    for name, extent in extents.items():
        given = operands.get(name)
        is_given = given is not None and np.shape(given) == (extent,)
        if name in operands and not (is_given and np.array_equal(np.asarray(given), np.arange(extent))):
            raise ExpressionError(
                f"{name} is given, but it is an index variable: its value is its coordinate",
                hint=f"leave {name} out, or rename the variable",
                source=text.source,
                rule="notation.coordinates",
            )
    return extents


def as_tensor(
    name: str,
    value: Any,
    chosen: Semiring | None = None,
    pack: Callable[[np.ndarray, Number], Tensor] = pack_array,
) -> Tensor:
    """An operand as a tensor: tensors as they are, SciPy in its own format, arrays dense, as they are packed, numbers
    as scalars."""
    if isinstance(value, Tensor):
        return value
    if is_scipy(value):
        return from_scipy(value)
    if isinstance(value, str) or not isinstance(value, np.ndarray | np.generic | bool | int | float | complex | list):
        raise ExpressionError(
            f"{name} is a {type(value).__name__}, not a tensor", hint=operand_hint(name, value), rule="error.python"
        )
    array = array_of(value, f"elements of {name}")
    if array.dtype not in DTYPES:
        raise ExpressionError(
            f"{name} has dtype {array.dtype}", hint=dtype_hint(name, value, array), rule="type.dtypes"
        )
    if array.size > LARGEST:
        hint = "store it as a sparse tensor"
        raise StorageError(
            f"{name} of shape {array.shape} does not fit in memory as dense components",
            hint=hint,
            rule="format.packing.room",
        )
    fill: Number = 0
    if chosen is not None:
        assert chosen.add.left_identity is not None
        fill = chosen.add.left_identity(array.dtype)
    if array.ndim == 0:
        return scalar(array, fill=fill)
    return pack(array, fill)


def valid_tensor(name: str, tensor: Tensor) -> Tensor:
    """A tensor that is known to be valid. Raises StorageError, with its name, if its arrays break an invariant."""
    try:
        return tensor.as_valid()
    except StorageError as error:
        raise StorageError(f"{name}: {error.message}", hint=error.hint, rule=error.rule) from None
