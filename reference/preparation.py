"""Preparation: an expression and tensors, parsed, checked and lowered, ready for any engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .assembly import Assembler
from .autoschedule.unasked import settled
from .errors import ExpressionError, StorageError
from .files.scipy_arrays import from_scipy, is_scipy
from .format import Format
from .levels.level import Append, Insert
from .lowering import lower
from .named_formats import dense
from .operator import Operator
from .operators import OPERATORS
from .packing import LARGEST as LARGEST_OPERAND
from .packing import array_of, pack
from .parser import parse
from .problem import Operand, Problem, resolve
from .schedule.schedule import Schedule, scheduled
from .semirings import Semiring, semiring
from .spec import Spec, spec
from .statement import Program
from .syntax import Number
from .tensor import Tensor, scalar
from .types import DTYPES

LARGEST = 10**8


@dataclass(frozen=True)
class Prepared:
    """A problem on tensors, ready to run: `lowered`, and `program` as the schedule leaves that."""

    source: str
    problem: Problem
    operands: Mapping[str, Tensor]
    lowered: Program
    schedule: Schedule
    program: Program
    index: np.dtype


def prepare(
    source: str,
    operands: Mapping[str, Any],
    *,
    out: str | Format | Spec | None = None,
    semiring_name: str | Semiring | None = None,
    convert: str | None = None,
    operators: Mapping[str, Operator] | None = None,
    schedule: str | Schedule | None = None,
    applied: Callable[[Program, Schedule], Program] = scheduled,
) -> Prepared:
    """Parse, check and lower an expression over its operands, and apply a schedule.

    `out` is the result's format or spec (dense if None); `convert="auto"` allows copies where storage orders
    contradict each other; `operators` are further functions by name; `schedule="auto"` takes the one that a kernel
    gets unasked. `applied` is what applies it. Raises a GnomonError that says what is wrong.
    """
    if not (convert is None or (isinstance(convert, str) and convert == "auto")):
        raise ExpressionError(f"convert={convert!r} is not known", hint='write convert="auto" or leave it out')
    assignment = parse(source, OPERATORS if operators is None else {**OPERATORS, **operators})
    chosen = None if semiring_name is None else semiring(semiring_name)
    tensors = {name: as_tensor(name, value, chosen) for name, value in operands.items()}
    for name, tensor in tensors.items():
        checked(name, tensor)
    known = {n: Operand(t.shape, t.dtype, t.fill, t.format.dense_leaves) for n, t in tensors.items()}
    order = len(assignment.target.indices)
    asked = spec(dense(order) if out is None else out)
    format = asked.format_for(order)
    problem = resolve(assignment, known, source=source, semiring=chosen, dtype=asked.dtype, fill=asked.fill)
    refuse_large(format, problem.shape)
    formats = {name: tensor.format for name, tensor in tensors.items()}
    lowered = lower(problem, formats, format, convert=convert == "auto")
    commands = settled(schedule, lowered)
    return Prepared(source, problem, tensors, lowered, commands, applied(lowered, commands), asked.index)


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
    format = dense(array.ndim)
    if array.size > LARGEST_OPERAND:
        hint = "store it as a sparse tensor"
        raise StorageError(f"{name} of shape {array.shape} does not fit in memory as dense components", hint=hint)
    fill: Number = 0
    if chosen is not None:
        assert chosen.add.left_identity is not None
        fill = chosen.add.left_identity(array.dtype)
    if array.ndim == 0:
        return scalar(array, fill=fill)
    coords = np.indices(array.shape).reshape(array.ndim, -1)
    return pack(coords, array.reshape(-1), array.shape, format, fill=fill)


def checked(name: str, tensor: Tensor) -> None:
    """Refuse a tensor whose arrays break an invariant."""
    if tensor.sound:
        return
    try:
        tensor.validate()
    except StorageError as error:
        raise StorageError(f"{name}: {error.message}", hint=error.hint) from None


def refuse_large(format: Format, shape: tuple[int, ...]) -> None:
    """Refuse a result whose storage would not fit in memory, as far as that is known before it is computed."""
    count = positions(format, shape)
    if count > LARGEST:
        raise StorageError(
            f"a result of shape {shape} in {format} needs {count} positions",
            hint="ask for a sparse result, for example out='COO'",
        )


def positions(format: Format, shape: Sequence[int]) -> int:
    """The most positions that some level of a result has at least: of levels whose parents determine their size.

    Below a level that grows, those of one parent. Levels that cannot be assembled end the count.

    >>> positions(Format(["dense", "compressed", "bitmap"]), (5, 9, 7))
    7
    """
    extents = [n or 0 for n in format.map.level_extents(shape)]
    most = count = 1
    for k, level in enumerate(format.levels):
        if isinstance(level, Append):
            count = count if level.branchless or level.padded else 1
        elif isinstance(level, Insert):
            bound = level.bind({**Assembler.defaults(level), "N": extents[k], "M": 0})
            count = bound.size(count)
            most = max(most, count)
        else:
            break
    return most
