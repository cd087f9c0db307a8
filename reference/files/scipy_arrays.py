"""SciPy sparse matrices and arrays, kept in their own format."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import FormatError
from ..packing import pack
from ..tensor import Tensor

FORMATS = {"csr": "CSR", "csc": "CSC", "coo": "COO", "dia": "DIA", "lil": "CSR", "dok": "COO"}


def is_scipy(value: Any) -> bool:
    """Whether a value is a SciPy sparse matrix or array, without importing SciPy."""
    return hasattr(value, "tocoo") and hasattr(value, "format") and type(value).__module__.startswith("scipy.sparse")


def from_scipy(value: Any) -> Tensor:
    """The tensor in the format that SciPy holds it in. Duplicates add up. Raises FormatError for unknown formats."""
    coo = value.tocoo()
    coords = np.stack(coo.coords) if hasattr(coo, "coords") else np.stack([coo.row, coo.col])
    if value.format == "bsr":
        b, c = value.blocksize
        format = f"BCSR({b},{c})"
    elif value.format in FORMATS and (len(value.shape) == 2 or value.format == "coo"):
        format = FORMATS[value.format]
    else:
        raise FormatError(
            f"SciPy format {value.format!r} of order {len(value.shape)} is not known", hint="use .tocsr()"
        )
    return pack(coords, coo.data, value.shape, format)
