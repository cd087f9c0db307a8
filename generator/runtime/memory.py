"""Memory that a user gives for the values of a result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ...reference.algebra.scalars import is_masked
from ...reference.errors import StorageError
from ...reference.storage.tensor import Tensor
from ..storage.layout import Layout

ATTEMPTS = 10_000
"""How many steps are taken to find out whether two arrays have an element in common."""


def memory_in(out: object, result: Layout, shape: tuple[int, ...], operands: Mapping[str, Any]) -> np.ndarray:
    """The memory of an array for the values of a result of some shape, in storage order. Raises StorageError if the
    array does not fit, or an operand is in it."""
    if not result.format.is_array:
        raise StorageError(
            f"a result in {result.format} cannot be written into an array", hint="leave out= out", rule="code.checked"
        )
    view = in_storage_order(out, result, shape)
    if view is None:
        raise StorageError(
            f"out must be a writeable, aligned {result.dtype.name} array of shape {shape} "
            "in the result's storage order",
            hint="leave out= out, or pass np.empty(shape, dtype)",
            rule="code.checked",
        )
    for name, value in operands.items():
        if any(overlap(view, held) for held in arrays_of(value)):
            raise StorageError(
                f"out overlaps the operand {name}", hint="give the result memory of its own", rule="code.checked"
            )
    return view.reshape(-1)


def in_storage_order(out: object, result: Layout, shape: tuple[int, ...]) -> np.ndarray | None:
    """An array with its modes in storage order, None if it does not fit."""
    if not isinstance(out, np.ndarray) or is_masked(out) or out.shape != shape or out.dtype != result.dtype:
        return None
    view = np.asarray(out).transpose(result.format.stored_modes)
    return view if view.flags.c_contiguous and view.flags.behaved else None


def arrays_of(operand: object) -> Iterator[np.ndarray]:
    """The arrays of an operand that a kernel may read where they are."""
    if isinstance(operand, Tensor):
        yield operand.vals
        yield from (a for held in (*operand.levels, operand.shared) for a in held.values() if isinstance(a, np.ndarray))
    elif isinstance(operand, np.ndarray):
        yield operand


def overlap(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two arrays have an element in common, or so much as could not be ruled out.

    >>> columns = np.ones((3, 8))
    >>> overlap(columns[:, 0], columns[1, 1:4]), overlap(columns[:, 0], columns[1, :4])
    (False, True)
    """
    try:
        return np.may_share_memory(a, b) and np.shares_memory(a, b, ATTEMPTS)  # type: ignore[arg-type]
    except np.exceptions.TooHardError:
        return True
