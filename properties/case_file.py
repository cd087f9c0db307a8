"""Problems as plain JSON, for finding files and for compilers that are not in Python (docs/conformance.md).

A tensor is given twice: by its components, and by the arrays of its levels.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..reference.named_formats import format_of
from ..reference.packing import pack
from ..reference.schedule.schedule import as_schedule
from ..reference.tensor import Tensor
from .problem import Problem


def problem_as_json(problem: Problem) -> dict[str, Any]:
    """A problem as JSON holds it.

    >>> from gnomon.reference.tensor import tensor
    >>> x = tensor([[1]], [2.0], (3,), "SparseVector")
    >>> problem_as_json(Problem("y(i) = x(i)", {"x": x}, format_of("Dense", 1)))["operands"]["x"]["coordinates"]
    [[1]]
    """
    return {
        "expression": problem.source,
        "semiring": problem.semiring,
        "schedule": str(problem.schedule),
        "operands": {name: tensor_as_json(tensor) for name, tensor in problem.operands.items()},
        "result": {
            "format": str(problem.out),
            "shape": list(problem.shape),
            "dtype": problem.dtype.name,
            "fill": number_as_json(problem.fill),
        },
    }


def tensor_as_json(tensor: Tensor) -> dict[str, Any]:
    """A tensor as JSON holds it: components in storage order, then storage itself."""
    coords, values = tensor.components()
    levels = [{n: v.tolist() if isinstance(v, np.ndarray) else int(v) for n, v in own.items()} for own in tensor.levels]
    return {
        "format": str(tensor.format),
        "shape": list(tensor.shape),
        "dtype": tensor.dtype.name,
        "fill": number_as_json(tensor.fill),
        "coordinates": coords.T.tolist(),
        "values": [number_as_json(v) for v in values],
        "storage": {
            "levels": [{"level": level.name, **own} for level, own in zip(tensor.format.levels, levels, strict=True)],
            "shared": {name: a.tolist() for name, a in tensor.shared.items()},
            "values": [number_as_json(v) for v in tensor.vals],
        },
    }


def problem_of_json(given: dict[str, Any]) -> Problem:
    """The problem that JSON holds. Raises GnomonError where its texts mean nothing."""
    operands = {name: tensor_of_json(each) for name, each in given["operands"].items()}
    out = format_of(given["result"]["format"], len(given["result"]["shape"]))
    return Problem(given["expression"], operands, out, given["semiring"], as_schedule(given["schedule"]))


def tensor_of_json(given: dict[str, Any]) -> Tensor:
    """The tensor that JSON holds, by its components."""
    shape, dtype = tuple(given["shape"]), np.dtype(given["dtype"])
    coords = np.array(given["coordinates"], np.int64).reshape(len(given["coordinates"]), len(shape)).T
    values = np.array([number_of_json(v) for v in given["values"]], dtype)
    return pack(coords, values, shape, format_of(given["format"], len(shape)), fill=number_of_json(given["fill"]))


def number_as_json(value: Any) -> Any:
    """A number; infinities and NaN as text, complex numbers as pairs."""
    number = value.item() if isinstance(value, np.generic) else value
    match number:
        case complex(real=re, imag=im):
            return [number_as_json(re), number_as_json(im)]
        case float() if not np.isfinite(number):
            return repr(number)
        case _:
            return number


def number_of_json(given: Any) -> bool | int | float | complex:
    """The number that JSON holds."""
    match given:
        case [re, im]:
            return complex(float(re), float(im))
        case str():
            return float(given)
        case bool() | int() | float():
            return given
        case _:
            raise ValueError(f"{given!r} is not a number")
