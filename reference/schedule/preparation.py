"""Preparation: an expression and tensors, parsed, checked and lowered, ready for any engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
from msgspec import Struct

from ..algebra.semirings import Semiring, semiring_or_none
from ..files.operands import operand_tensors, valid_tensor
from ..notation.resolution import Resolved, outgrown, refuse_outgrown
from ..notation.text import Text, as_text
from ..statement.converting import convert_operands
from ..statement.filling import refuse_filled
from ..statement.front_end import Stated, refuse_convert
from ..statement.statement import Program
from ..statement.tags import Target
from ..storage.declaration import Declaration
from ..storage.format import Format
from ..storage.room import LARGEST, refuse_large
from ..storage.spec import Spec
from ..storage.tensor import Tensor
from .application import apply_schedule
from .schedule import Schedule, as_schedule


class Prepared(Struct, frozen=True, dict=True):
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

    @cached_property
    def arguments(self) -> Mapping[str, Tensor]:
        """The operands as the statement reads them."""
        return convert_operands(self.program, self.operands)


def prepare(
    source: str | Text,
    operands: Mapping[str, Any],
    *,
    out: str | Format | Spec | None = None,
    semiring: str | Semiring | None = None,
    convert: str | None = None,
    schedule: str | Schedule | None = None,
    applied: Callable[[Program, Schedule], Program] = apply_schedule,
) -> Prepared:
    """Parse, check and lower an expression over its operands, and apply a schedule.

    `out` is the result's format or spec (dense if None); `convert="auto"` has operands converted where storage orders
    contradict each other; `schedule="auto"` takes the one that a kernel gets unasked. `applied` is what applies it.
    Raises a GnomonError that says what is wrong.
    """
    refuse_convert(convert)
    asked = as_schedule(schedule)
    found = instantiate(source, operands, out=out, semiring=semiring, convert=convert)
    return schedule_instance(found, asked, applied)


def schedule_instance(
    found: Instance,
    schedule: str | Schedule | None = None,
    applied: Callable[[Program, Schedule], Program] = apply_schedule,
) -> Prepared:
    """Lower an expression with its tensors, and apply a schedule. Raises a GnomonError that says what is wrong."""
    from .branched.unasked import choose_schedule

    refuse_large(found.stated.format, found.resolved.shape)
    lowered = found.stated.lower(found.resolved)
    converted = convert_operands(lowered, found.operands)
    refuse_filled(lowered, converted, LARGEST)
    commands = choose_schedule(schedule, lowered, converted)
    program, index = applied(lowered, commands), found.stated.result_spec.index
    return Prepared(found.stated.text, found.resolved, found.operands, lowered, commands, program, index)


class Instance(Struct, frozen=True):
    """An expression with its tensors: what it means is settled, how it runs is not."""

    stated: Stated
    resolved: Resolved
    operands: Mapping[str, Tensor]


def instantiate(
    source: str | Text,
    operands: Mapping[str, Any],
    *,
    out: str | Format | Spec | None = None,
    semiring: str | Semiring | None = None,
    convert: str | None = None,
    target: Target = "c",
) -> Instance:
    """Check an expression over its operands, for loops on a target. Raises a GnomonError that says what is wrong."""
    ring = semiring_or_none(semiring)
    text = as_text(source).in_ring(ring)
    given = operand_tensors(text, operands, ring)
    tensors = {name: valid_tensor(name, tensor) for name, tensor in given.items()}
    declarations = {name: Declaration(t.format, t.dtype, t.fill) for name, t in tensors.items()}
    stated = Stated(text, declarations, out, ring, convert, target)
    resolved = stated.resolve({name: t.shape for name, t in tensors.items()})
    for name, absent in outgrown(resolved).items():
        refuse_outgrown(name, tensors[name].vals, absent)
    return Instance(stated, resolved, tensors)
