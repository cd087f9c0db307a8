"""Problems: an expression with tensors, as engines and other systems get it."""

from __future__ import annotations

import cmath
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ...reference.algebra.dtypes import Number
from ...reference.algebra.semirings import Semiring
from ...reference.algebra.semirings import semiring as semiring_of
from ...reference.denotation.denote import Denotation, Table
from ...reference.denotation.support import IndexedDenotation
from ...reference.errors import GnomonError
from ...reference.execution.evaluate import Execution, execute_prepared
from ...reference.files.operands import as_tensors, read_coordinates
from ...reference.notation.reductions import explicit
from ...reference.notation.reinterpretation import distributes
from ...reference.notation.resolution import Resolved
from ...reference.notation.syntax import Assignment, accesses
from ...reference.notation.text import Text, as_text
from ...reference.schedule.preparation import Instance, Prepared, instantiate, schedule_instance
from ...reference.schedule.schedule import Schedule, as_schedule
from ...reference.statement.tags import Target
from ...reference.storage.format import Format
from ...reference.storage.named_formats import format_of
from ...reference.storage.tensor import Tensor


@dataclass(frozen=True, repr=False)
class Problem:
    """An expression, its operands, the format of its result, a semiring or None, a schedule, and what its loops run on.

    Format and schedule may be given as text, operands as arrays, SciPy matrices or numbers. Storage orders that
    contradict each other are converted (`convert="auto"`). Its repr is a script that checks it.
    """

    text: Text
    operands: Mapping[str, Tensor]
    out: Format
    semiring: str | None = None
    schedule: Schedule = Schedule()
    target: Target = "c"

    def __init__(
        self,
        text: str | Text,
        operands: Mapping[str, Any],
        out: str | Format,
        semiring: str | None = None,
        schedule: str | Schedule = "",
        target: Target = "c",
    ) -> None:
        ring = None if semiring is None else semiring_of(semiring)
        written = as_text(text).in_ring(ring)
        held = as_tensors(operands, ring)
        with suppress(GnomonError):  # a text that is wrong is refused once the problem is prepared
            held |= as_tensors(read_coordinates(written, held), ring)
        stored = format_of(out, len(written.target.indices)) if isinstance(out, str) else out
        object.__setattr__(self, "text", written)
        object.__setattr__(self, "operands", held)
        object.__setattr__(self, "out", stored)
        object.__setattr__(self, "semiring", semiring)
        object.__setattr__(self, "schedule", as_schedule(schedule))
        object.__setattr__(self, "target", target)

    def with_schedule(self, schedule: str | Schedule) -> Problem:
        """The problem under another schedule."""
        return replace(self, schedule=as_schedule(schedule))

    @property
    def source(self) -> str:
        """The expression as it is written."""
        return self.text.source

    def __repr__(self) -> str:
        return script(self.text, self.operands, self.out, self.semiring, str(self.schedule))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(repr(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return Problem, (self.source, dict(self.operands), self.out, self.semiring, str(self.schedule), self.target)

    @cached_property
    def instance(self) -> Instance:
        """The problem parsed and checked. Raises GnomonError."""
        ring, target = self.semiring, self.target
        return instantiate(self.text, self.operands, out=self.out, semiring=ring, convert="auto", target=target)

    @cached_property
    def ready(self) -> Prepared:
        """The problem lowered and scheduled, too. Raises GnomonError."""
        return schedule_instance(self.instance, self.schedule)

    @cached_property
    def terms(self) -> Assignment:
        """The assignment with explicit sums; `+` and `*` as they are written, whatever the semiring."""
        plain = self.semiring is None or distributes(semiring_of(self.semiring))
        return explicit(self.text.written, self.source, distributive=plain)

    @cached_property
    def execution(self) -> Execution:
        """What the reference makes of the problem. Raises MeaningError where it has no meaning on these data."""
        return execute_prepared(self.ready)

    @cached_property
    def denotation(self) -> Denotation:
        """What the problem means."""
        return denote(self.instance.resolved, self.operands)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the result."""
        return self.instance.resolved.shape

    @property
    def dtype(self) -> np.dtype:
        """The dtype of the result."""
        return self.instance.resolved.dtype

    @property
    def fill(self) -> Number:
        """The value of the result's components that are not stored."""
        return self.instance.resolved.fill

    @property
    def extents(self) -> dict[str, int]:
        """The extent of every index variable, those of reductions included."""
        read = accesses(self.terms.value)
        return {v: n for a in read for v, n in zip(a.indices, self.operands[a.tensor].shape, strict=True)}


def denote(resolved: Resolved, operands: Mapping[str, Tensor]) -> Denotation:
    """What a resolved assignment means on tensors."""
    return IndexedDenotation(resolved, {name: table(t) for name, t in operands.items()})


def table(tensor: Tensor) -> Table:
    """The components of a tensor by coordinates, duplicates apart."""
    found: dict[tuple[int, ...], list[object]] = {}
    for i, value in tensor.entries():
        found.setdefault(i, []).append(value)
    return found


def print_format(format: Format) -> str:
    """A format as a text that means it to everyone: its name, unless that is the user's own, else levels and map.

    >>> print_format(Format("ds", name="CSR")), print_format(Format("ds", name="mine"))
    ('CSR', 'dense,compressed')
    """
    plain = str(Format(format.levels, map=format.map))
    if format.name is None:
        return plain
    try:
        return format.name if format_of(format.name, format.order) == format else plain
    except GnomonError:
        return plain


def index_of(tensor: Tensor) -> str:
    """The dtype of a tensor's index arrays, of which those that need it have 64 bits in any case."""
    arrays = [a for store in (*tensor.levels, tensor.shared) for a in store.values() if isinstance(a, np.ndarray)]
    return "int64" if arrays and all(a.dtype == np.int64 for a in arrays) else "int32"


def print_text(text: Text) -> str:
    """Python for a text, with the operators of a user that it knows.

    >>> print_text(Text("y(i) = x(i)"))
    "'y(i) = x(i)'"
    """
    own = ", ".join(operator.source for operator in (text.operators or {}).values())
    return f"gn.text({text.source!r}, operators=[{own}])" if own else repr(text.source)


def script(
    text: Text, operands: Mapping[str, Tensor], out: Format, semiring: str | Semiring | None, schedule: str = ""
) -> str:
    """A stand-alone script that checks a problem."""
    lines = ["import gnomon as gn", "from numpy import inf, nan", *script_of_operands(operands)]
    given = "".join(f", {name}={name}" for name in operands)
    extra = "" if semiring is None else f", semiring={semiring_of(semiring).source}"
    extra += f", schedule={schedule!r}" if schedule else ""
    lines.append(f"print(gn.check({print_text(text)}{given}, out={print_format(out)!r}{extra}, convert='auto'))")
    return "\n".join(lines)


def script_of_operands(operands: Mapping[str, Tensor]) -> Iterator[str]:
    """Python that makes each operand, under its name."""
    for name, t in operands.items():
        coords, values = t.components()
        index = "" if index_of(t) == "int32" else f", index={index_of(t)!r}"
        yield (
            f"{name} = gn.tensor({coords.tolist()}, {spell(values.tolist())}, {t.shape}, {print_format(t.format)!r}, "
            f"dtype={t.dtype.name!r}, fill={spell(np.asarray(t.fill).item())}{index})"
        )


def spell(value: Any) -> str:
    """Python for a number, or for lists of them, where `inf` and `nan` are NumPy's.

    >>> spell([1, complex(2, float("inf"))])
    '[1, complex(2.0, inf)]'
    """
    match value:
        case list():
            return f"[{', '.join(map(spell, value))}]"
        case complex() if not cmath.isfinite(value):
            return f"complex({value.real!r}, {value.imag!r})"
        case _:
            return repr(value)
