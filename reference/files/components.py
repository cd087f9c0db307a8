"""Components read from somewhere: coordinates, values and a shape."""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct

from ..algebra.scalars import checked_dtype, overflow_places
from ..errors import DtypeError


class Components(Struct, frozen=True, eq=False):
    """Coordinates of shape (order, n), counted from 0, one value each, and the shape they lie in."""

    coords: np.ndarray
    values: np.ndarray
    shape: tuple[int, ...]

    def astype(self, dtype: Any) -> Components:
        """The same components in another dtype. Raises DtypeError for values that it cannot hold.

        Floats may round but stay finite; everything else must keep its value.

        >>> Components(np.array([[0, 1]]), np.array([1, 0]), (2,)).astype("bool").values
        array([ True, False])
        >>> Components(np.array([[0]]), np.array([300]), (1,)).astype("int8")
        Traceback (most recent call last):
        gnomon.reference.errors.DtypeError: value 300 at (0,) does not fit in int8
          hint: choose a wider dtype
          rule: file.components
        """
        wanted = checked_dtype(dtype)
        real = self.values if self.values.dtype.kind != "c" or wanted.kind == "c" else self.values.real
        with np.errstate(all="ignore"):
            cast = real.astype(wanted)
            lost = np.flatnonzero(self.values.imag) if real is not self.values else np.zeros(0, np.int64)
            if not lost.size:
                lost = overflow_places(real, cast) if wanted.kind in "fc" else np.flatnonzero(cast != real)
        if lost.size:
            n = int(lost[0])
            where = tuple(int(c) for c in self.coords[:, n])
            value = self.values[n].item()
            raise DtypeError(
                f"value {value} at {where} does not fit in {wanted}",
                hint="choose a wider dtype",
                rule="file.components",
            )
        return Components(self.coords, cast, self.shape)
