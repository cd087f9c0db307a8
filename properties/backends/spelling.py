"""Arrays and numbers as Python text, for scripts that run with a backend alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..programs.problem import spell

HEADER = "import numpy as np\nfrom numpy import inf, nan\n"


def spelled_array(array: np.ndarray) -> str:
    """An array as a call of `np.array`, in a script that begins with `HEADER`.

    >>> spelled_array(np.array([1.0, np.inf]))
    "np.array([1.0, inf], dtype='float64')"
    """
    shape = "" if array.ndim == 1 and array.size else f".reshape({array.shape})" if 0 in array.shape else ""
    return f"np.array({spell(array.tolist())}, dtype={array.dtype.name!r}){shape}"


def spelled_number(value: Any) -> str:
    """A number, with infinities and NaN by their names in `HEADER`."""
    return spell(value.item() if isinstance(value, np.generic) else value)
