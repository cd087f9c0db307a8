"""Preparation: an expression and tensors, parsed, checked and lowered, ready for any engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..algebra.dtypes import COORDINATE, DTYPES, Number
from ..algebra.operator import Operator
from ..algebra.semirings import Semiring, semiring
from ..errors import ExpressionError, StorageError
from ..files.scipy_arrays import from_scipy, is_scipy
from ..notation.resolution import Resolved, outgrown, refuse_outgrown
from ..notation.text import Text, as_text
from ..statement.front_end import Stated, refuse_convert
from ..statement.statement import Program
from ..storage.declaration import Declaration
from ..storage.format import Format
from ..storage.named_formats import dense
from ..storage.packing import LARGEST, array_of, pack_array
from ..storage.room import refuse_large
from ..storage.spec import Spec
from ..storage.tensor import Tensor, scalar
from .schedule import Schedule, apply_schedule


@dataclass(frozen=True)
class Prepared:
    """An expression with its tensors, ready to run: `lowered`, and `program` as the schedule leaves that."""

    text: Text
    resolved: Resolved
    operands: Mapping[str, Tensor]
    lowered: Program
    schedule: Schedule
    program: Program
    index: np.dtype

    @property
    def source(self) -> str:
        """The expression as it was written."""
        return self.text.source


def prepare(
    source: str | Text,
    operands: Mapping[str, Any],
    *,
    out: str | Format | Spec | None = None,
    semiring_name: str | Semiring | None = None,
    convert: str | None = None,
    operators: Mapping[str, Operator] | None = None,
    schedule: str | Schedule | None = None,
    applied: Callable[[Program, Schedule], Program] = apply_schedule,
) -> Prepared:
    """Parse, check and lower an expression over its operands, and apply a schedule.

    `out` is the result's format or spec (dense if None); `convert="auto"` allows copies where storage orders
    contradict each other; `operators` are further functions by name; `schedule="auto"` takes the one that a kernel
    gets unasked. `applied` is what applies it. Raises a GnomonError that says what is wrong.
    """
    from .branched.unasked import choose_schedule

    refuse_convert(convert)
    found = instantiate(source, operands, out=out, semiring_name=semiring_name, convert=convert, operators=operators)
    refuse_large(found.stated.format, found.resolved.shape)
    lowered = found.stated.lower(found.resolved)
    commands = choose_schedule(schedule, lowered, found.operands)
    program, index = applied(lowered, commands), found.stated.result_spec.index
    return Prepared(found.stated.text, found.resolved, found.operands, lowered, commands, program, index)


@dataclass(frozen=True)
class Instance:
    """An expression with its tensors: what it means is settled, how it runs is not."""

    stated: Stated
    resolved: Resolved
    operands: Mapping[str, Tensor]


def instantiate(
    source: str | Text,
    operands: Mapping[str, Any],
    *,
    out: str | Format | Spec | None = None,
    semiring_name: str | Semiring | None = None,
    convert: str | None = None,
    operators: Mapping[str, Operator] | None = None,
) -> Instance:
    """Check an expression over its operands. Raises a GnomonError that says what is wrong."""
    ring = None if semiring_name is None else semiring(semiring_name)
    text = as_text(source, operators).in_ring(ring)
    tensors = operand_tensors(text, operands, ring)
    for name, tensor in tensors.items():
        check_tensor(name, tensor)
    declarations = {name: Declaration(t.format, t.dtype, t.fill) for name, t in tensors.items()}
    stated = Stated(text, declarations, out, ring, convert)
    resolved = stated.resolve({name: t.shape for name, t in tensors.items()})
    for name, absent in outgrown(resolved).items():
        refuse_outgrown(name, tensors[name].vals, absent)
    return Instance(stated, resolved, tensors)


def as_tensors(operands: Mapping[str, Any], ring: Semiring | None = None) -> dict[str, Tensor]:
    """Operands as tensors, by name; in a semiring arrays and numbers have its fill. Raises ExpressionError."""
    return {name: as_tensor(name, value, ring) for name, value in operands.items()}


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
    found = dict[str, np.ndarray]()
    for name, extent in text.coordinate_extents({name: np.shape(value) for name, value in operands.items()}).items():
        refuse_large(dense(1), (extent,))
        found[name] = np.arange(extent, dtype=COORDINATE)
        if name in operands and not np.array_equal(np.asarray(operands[name]), found[name]):
            raise ExpressionError(
                f"{name} is given, but it is an index variable: its value is its coordinate",
                hint=f"leave {name} out, or rename the variable",
                source=text.source,
            )
    return found


def as_tensor(name: str, value: Any, chosen: Semiring | None = None) -> Tensor:
    """An operand as a tensor: tensors as they are, SciPy in its own format, arrays dense, numbers as scalars."""
    if isinstance(value, Tensor):
        return value
    if is_scipy(value):
        return from_scipy(value)
    if isinstance(value, str) or not isinstance(value, np.ndarray | np.generic | bool | int | float | complex | list):
        raise ExpressionError(
            f"{name} is a {type(value).__name__}, not a tensor", hint="pass a tensor, an array or a number"
        )
    array = array_of(value, f"elements of {name}")
    if array.dtype not in DTYPES:
        raise ExpressionError(f"{name} has dtype {array.dtype}", hint=f"use {', '.join(d.name for d in DTYPES)}")
    if array.size > LARGEST:
        hint = "store it as a sparse tensor"
        raise StorageError(f"{name} of shape {array.shape} does not fit in memory as dense components", hint=hint)
    fill: Number = 0
    if chosen is not None:
        assert chosen.add.left_identity is not None
        fill = chosen.add.left_identity(array.dtype)
    if array.ndim == 0:
        return scalar(array, fill=fill)
    return pack_array(array, fill)


def check_tensor(name: str, tensor: Tensor) -> None:
    """Refuse a tensor whose arrays break an invariant."""
    if tensor.sound:
        return
    try:
        tensor.validate()
    except StorageError as error:
        raise StorageError(f"{name}: {error.message}", hint=error.hint) from None
