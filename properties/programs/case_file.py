"""Problems as plain JSON, for finding files and for compilers that are not in Python (docs/conformance.md).

A tensor is given twice: by its components, and by the arrays of its levels.
"""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np
from msgspec import Struct

from ...reference.algebra.dtypes import DTYPES
from ...reference.algebra.exact import approximate
from ...reference.algebra.scalars import fill_fits
from ...reference.algebra.semirings import semiring
from ...reference.errors import GnomonError
from ...reference.notation.text import as_text
from ...reference.schedule.schedule import as_schedule
from ...reference.storage.format import Format
from ...reference.storage.named_formats import format_of
from ...reference.storage.packing import pack
from ...reference.storage.tensor import Tensor
from .problem import Problem, index_of, print_format

LARGEST = 2**62
T = TypeVar("T")


def problem_as_json(problem: Problem) -> dict[str, Any]:
    """A problem as JSON holds it.

    >>> from gnomon.reference.storage.packing import tensor
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
            "format": print_format(problem.out),
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
        "format": print_format(tensor.format),
        "index": index_of(tensor),
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


def meaning_as_json(problem: Problem) -> list[dict[str, Any]]:
    """Every component that belongs to the structure: where it is, the values that it may have, and the error that
    floating point may make. Everywhere else is the fill.

    Where rounding decides whether a mask lets a component through, or whether what is missing is the fill, it is
    `optional`; where on a mask, its values are those of both.
    """
    found = []
    for i in problem.denotation.points():
        point = problem.denotation.point(i)
        if True in point.presence():
            values = [number_as_json(approximate(v)) for m in point.readings for v in m.values()]
            bound = number_as_json(max(float(m.bound) for m in point.readings))
            optional = {"optional": True} if False in point.presence() else {}
            found.append({"at": list(i), "values": values, "bound": bound, **optional})
    return found


def problem_of_json(given: Any) -> Problem:
    """The problem that JSON holds, its tensors by their components.

    Raises CaseError for what is no problem; whether one has a meaning shows when it is used.
    """
    case = Part(given, "")
    source, schedule = case["expression"].text(), case["schedule"]
    text = as_text(source)
    order = len(case["expression"].read(lambda: text.target).indices)
    ring = case["semiring"]
    if ring.given is not None:
        ring.read(lambda: semiring(ring.text()))
    operands = {name: tensor_of(part) for name, part in case["operands"].parts()}
    out = format_in(case["result"]["format"], order)
    commands = schedule.read(lambda: as_schedule(schedule.text()))
    return Problem(text, operands, out, ring.given, commands)


def tensor_of_json(given: Any) -> Tensor:
    """The tensor that JSON holds, by its components. Raises CaseError."""
    return tensor_of(Part(given, ""))


class CaseError(GnomonError):
    """JSON that holds no problem; `place` is where in it, such as `operands.A.shape`."""

    def __init__(self, message: str, place: str, hint: str | None = None) -> None:
        super().__init__(f"{message} in {place or 'the whole'}", hint=hint)
        self.place = place


class Part(Struct, frozen=True):
    """A part of JSON, and where it stands."""

    given: Any
    place: str

    def wrong(self, expected: str) -> CaseError:
        """That something else was expected."""
        return CaseError(f"expected {expected}, but found {reprlib.repr(self.given)}", self.place)

    def __getitem__(self, key: str) -> Part:
        """The value of a key."""
        if not isinstance(self.given, dict):
            raise self.wrong("an object")
        if key not in self.given:
            raise CaseError(f"expected a key {key!r}, but found none", self.place)
        return self.part(key)

    def part(self, key: str) -> Part:
        """The value of a key that is there."""
        return Part(self.given[key], f"{self.place}.{key}".removeprefix("."))

    def parts(self) -> Iterator[tuple[str, Part]]:
        """Keys and values."""
        if not isinstance(self.given, dict):
            raise self.wrong("an object")
        yield from ((key, self.part(key)) for key in self.given)

    def elements(self) -> list[Part]:
        """The elements of a list."""
        if not isinstance(self.given, list):
            raise self.wrong("a list")
        return [Part(each, f"{self.place}[{n}]") for n, each in enumerate(self.given)]

    def text(self) -> str:
        """The text that this is."""
        if not isinstance(self.given, str):
            raise self.wrong("a text")
        return self.given

    def below(self, limit: int, what: str) -> int:
        """The integer that this is, from 0 up to `limit`."""
        if isinstance(self.given, bool) or not isinstance(self.given, int) or not 0 <= self.given < limit:
            raise self.wrong(what)
        return self.given

    def number(self, dtype: np.dtype) -> bool | int | float | complex:
        """The number that this is, which a dtype can hold."""
        found = self.read(lambda: number_of_json(self.given))
        if not self.read(lambda: fill_fits(found, dtype)):
            raise self.wrong(f"a number of dtype {dtype.name}")
        return found

    def read(self, make: Callable[[], T]) -> T:
        """What is made of this. Raises CaseError for what nothing can be made of."""
        try:
            return make()
        except CaseError:
            raise
        except GnomonError as error:
            raise CaseError(error.message, self.place, error.hint) from None
        except (ArithmeticError, LookupError, MemoryError, RecursionError, TypeError, ValueError) as error:
            raise CaseError(f"found {reprlib.repr(self.given)}: {error}", self.place) from None


def tensor_of(case: Part) -> Tensor:
    """The tensor that a part of JSON holds."""
    shape = [part.below(LARGEST, "an extent") for part in case["shape"].elements()]
    format = format_in(case["format"], len(shape))
    dtype = np.dtype(one_of(case["dtype"], [dtype.name for dtype in DTYPES]))
    fill = case["fill"].number(dtype)
    rows = [coordinates(part, shape) for part in case["coordinates"].elements()]
    values = [part.number(dtype) for part in case["values"].elements()]
    if len(rows) != len(values):
        raise case["values"].wrong(f"as many values as coordinates, {len(rows)}")
    index = one_of(case["index"], ["int32", "int64"]) if "index" in case.given else "int32"
    coords = np.array(rows, np.int64).reshape(len(rows), len(shape)).T
    with np.errstate(all="ignore"):
        held = np.array(values, dtype)
    return case.read(lambda: pack(coords, held, shape, format, fill=fill, index=index))


def coordinates(row: Part, shape: Sequence[int]) -> list[int]:
    """Coordinates inside a shape."""
    found = row.elements()
    if len(found) != len(shape):
        raise row.wrong(f"{len(shape)} coordinates")
    return [part.below(n, f"a coordinate below {n}") for part, n in zip(found, shape, strict=True)]


def format_in(part: Part, order: int) -> Format:
    """The format that a part of JSON names, for tensors of an order."""
    text = part.text()
    return part.read(lambda: format_of(text, order))


def one_of(part: Part, known: Sequence[str]) -> str:
    """The text in a part of JSON. Raises CaseError if it is not one of the `known`."""
    if part.given not in known:
        raise part.wrong(f"one of {', '.join(known)}")
    return part.text()


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
    """The number that JSON holds. Raises ValueError for what is none, OverflowError for parts too large."""
    match given:
        case [re, im]:
            return complex(real_of_json(re), real_of_json(im))
        case _:
            return real_of_json(given)


def real_of_json(given: Any) -> bool | int | float:
    """The real number that JSON holds. Raises ValueError for what is none."""
    match given:
        case "inf" | "-inf" | "nan":
            return float(given)
        case bool() | int() | float():
            return given
        case _:
            raise ValueError("it is not a number")
