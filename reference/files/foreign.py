"""Foreign values: values of other libraries that are no operands, and the calls that make operands of them.

Nothing is converted here, and no library is imported: who passes a value knows what it may cost to convert.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from numbers import Number
from typing import Any

import numpy as np

from ..algebra.dtypes import DTYPES

NEAREST = {"float16": "float32", "clongdouble": "complex128", "longdouble": "float64"}
"""The dtype to convert to for each dtype of NumPy that gnomon lacks; the longest ones round."""


def operand_hint(name: str, value: Any) -> str:
    """What to pass instead of a value that is no operand.

    >>> operand_hint("x", (1, 2)), operand_hint("x", {(0,): 1.0})
    ('pass np.asarray(x)', 'pass gn.from_dict(x, shape)')
    """
    package = type(value).__module__.partition(".")[0]
    match package:
        case "sparse" if hasattr(value, "coords") or hasattr(value, "to_coo") or hasattr(value, "asformat"):
            return f"pass {from_pydata(name, value)}"
        case "graphblas" if hasattr(value, "to_coo") and hasattr(value, "shape"):
            return f"pass {from_graphblas(name, value)}"
    if isinstance(value, Mapping):
        return f"pass gn.from_dict({name}, shape)"
    if isinstance(value, Number):
        return f"pass float({name}), which may round"
    if isinstance(value, Iterator):
        return f"pass list({name})"
    if isinstance(value, tuple | range) or hasattr(value, "__array__") or is_buffer(value):
        return f"pass np.asarray({name})"
    if hasattr(value, "__dlpack__"):
        return f"pass np.from_dlpack({name})"
    return "pass a tensor, an array or a number"


def from_pydata(name: str, value: Any) -> str:
    """How an array of pydata/sparse is passed: SciPy has matrices alone."""
    coo = name if hasattr(value, "coords") else f'{name}.asformat("coo")'
    if value.ndim == 2:
        return f"{name if hasattr(value, 'to_scipy_sparse') else coo}.to_scipy_sparse()"
    return f'gn.tensor({coo}.coords, {coo}.data, {name}.shape, "COO")'


def from_graphblas(name: str, value: Any) -> str:
    """How a matrix or a vector of python-graphblas is passed: as a vector SciPy would have a matrix."""
    if len(value.shape) == 2:
        return f"graphblas.io.to_scipy_sparse({name})"
    return f'gn.tensor([{name}.to_coo()[0]], {name}.to_coo()[1], {name}.shape, "SparseVector")'


def is_buffer(value: Any) -> bool:
    """Whether a value shows numbers in memory; text and bytes are none."""
    if isinstance(value, bytes):
        return False
    try:
        memoryview(value)
    except (TypeError, ValueError, BufferError):
        return False
    return True


def dtype_hint(name: str, value: Any, array: np.ndarray) -> str:
    """The hint for a value whose elements have a dtype that gnomon lacks.

    >>> x = np.array([1.0], ">f8")
    >>> dtype_hint("x", x, x)
    'pass x.astype(x.dtype.newbyteorder("="))'
    """
    is_array = isinstance(value, np.ndarray | np.generic)
    if array.dtype.newbyteorder("=") in DTYPES:
        return f'pass {name}.astype({name}.dtype.newbyteorder("="))' if is_array else as_array(name, array.dtype.name)
    nearest = next((own for theirs, own in NEAREST.items() if array.dtype == getattr(np, theirs, None)), None)
    if array.dtype == object and array.size and all(isinstance(each, Number) for each in array.flat):
        nearest = "complex128" if any(isinstance(each, complex) for each in array.flat) else "float64"
    if nearest is None:
        return f"use {', '.join(d.name for d in DTYPES)}"
    return f'pass {name}.astype("{nearest}")' if is_array else as_array(name, nearest)


def as_array(name: str, dtype: str) -> str:
    """How a list is passed as an array of a dtype."""
    return f'pass np.asarray({name}, "{dtype}")'
