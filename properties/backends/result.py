"""Results: what backends give, as components that can be compared."""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct

from ...reference.algebra.dtypes import Number
from ...reference.algebra.scalars import is_masked
from ...reference.files.scipy_arrays import is_scipy
from ...reference.storage.tensor import Tensor

Coordinates = tuple[int, ...]


class Result(Struct, frozen=True):
    """Components by coordinates, one row of `coords` each, and the value of all others.

    `stored` if what is a component says something: a dense array has them all. `digits`: to how many decimal digits the
    backend writes values, if it does not give them whole.
    """

    shape: tuple[int, ...]
    dtype: np.dtype
    coords: np.ndarray
    values: np.ndarray
    fill: Number = 0
    stored: bool = True
    digits: int | None = None

    def components(self) -> dict[Coordinates, list[Any]]:
        """Values by coordinates."""
        found: dict[Coordinates, list[Any]] = {}
        for i, value in zip(self.coords.tolist(), self.values.tolist(), strict=True):
            found.setdefault(tuple(i), []).append(value)
        return found


def result_of(value: Any) -> Result:
    """What a backend gave, as components. Raises TypeError for what is no tensor."""
    if isinstance(value, Result):
        return check_result(value)
    if isinstance(value, Tensor):
        coords, values = value.components()
        return Result(value.shape, value.dtype, coords.T, values, value.fill, not value.format.is_whole)
    if is_scipy(value):
        return check_result(of_scipy(value))
    if isinstance(value, np.ndarray | np.generic | bool | int | float | complex) and not is_masked(value):
        array = np.asarray(value)
        places = np.argwhere(np.ones(array.shape, bool))
        return check_result(Result(array.shape, array.dtype, places, array.reshape(-1), stored=False))
    raise TypeError(f"the backend gave a {type(value).__name__}, not a tensor, an array or a number")


def check_result(result: Result) -> Result:
    """A result that holds what it says. Raises TypeError."""
    coords, values = np.asarray(result.coords), np.asarray(result.values)
    if coords.shape != (len(values), len(result.shape)) or coords.dtype.kind not in "iu" or values.ndim != 1:
        expected = f"integer coordinates of shape {(values.size, len(result.shape))}, a row for each of the values"
        found = f"coordinates of dtype {coords.dtype} and shape {coords.shape} for values of shape {values.shape}"
        raise TypeError(f"expected {expected}, but found {found} in a result of shape {result.shape}")
    if {np.dtype(result.dtype).kind, values.dtype.kind, np.asarray(result.fill).dtype.kind} - set("biufc"):
        raise TypeError(f"values of dtype {values.dtype} and fill {result.fill!r} are not numbers")
    return result


def of_scipy(matrix: Any) -> Result:
    """A SciPy sparse array as it stores it, duplicates apart."""
    held = matrix.tocoo()
    indices = held.coords if hasattr(held, "coords") else (held.row, held.col)
    coords = np.array(indices, np.int64).reshape(len(matrix.shape), len(held.data)).T
    return Result(tuple(matrix.shape), held.dtype, coords, held.data)
