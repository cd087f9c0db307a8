"""Procedures as terms: straight-line assignments and one form of loop. A number is written out, or the name of one.

A step binds its target anew: a name stands for the last tensor that was assigned to it. So the target may occur on the
right, where it is the tensor before the step.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from ..algebra.semirings import Semiring
from ..notation.elaboration import fresh_name
from ..notation.printer import pretty
from ..notation.syntax import Access, accesses
from ..notation.text import Text
from ..noted import Noted
from ..span import Span
from ..statement.statement import rename_accesses
from ..storage.spec import Spec, spec

Number = int | str


class Step(Struct, frozen=True, dict=True):
    """An assignment, in a semiring or none. The result has the format asked for, else that of the tensor which its
    target has been, else it is dense; it has the dtype asked for, else that of the expression."""

    text: Text
    semiring: Semiring | None = None
    format: str | None = None
    dtype: str | None = None
    span: Span | None = None

    def __str__(self) -> str:
        ring = "" if self.semiring is None else f"  in {self.semiring}"
        stored = [self.format or "", "" if self.dtype is None else f"of {self.dtype}"]
        return f"{self.text}{ring}" + ("  as " + " ".join(filter(None, stored)) if any(stored) else "")

    @cached_property
    def target(self) -> str:
        """The name that is bound."""
        return self.text.target.tensor

    @cached_property
    def storage(self) -> Spec | None:
        """How the result is to be stored where its target has been nothing before; None if nothing is asked for. Raises
        what `spec` raises."""
        if self.format is None and self.dtype is None:
            return None
        return spec("d" * len(self.text.target.indices) if self.format is None else self.format, dtype=self.dtype)

    @cached_property
    def operands(self) -> tuple[tuple[str, str], ...]:
        """The names that the statement reads, each with the name of the tensor that it stands for."""
        a = self.text.assignment
        own = dict.fromkeys(access.tensor for access in self.text.inputs)
        read = (name for name in own if name != self.target or self.reads_target)
        found = [(self.before if name == self.target else name, name) for name in read]
        return (*found, (self.target, self.target)) if a.keeps or a.asks_contents else tuple(found)

    @cached_property
    def reads_target(self) -> bool:
        """Whether the right side reads the target, which is what it was before the step."""
        return any(map(self.is_target, accesses(self.text.assignment.value)))

    def is_target(self, access: Access) -> bool:
        """Whether an access reads the target: `i(i)` is the coordinate of an index variable, however it is written."""
        return access.tensor == self.target and access.indices != (self.target,)

    @cached_property
    def before(self) -> str:
        """The name under which the right side of the statement reads its own target."""
        taken = {access.tensor for access in self.text.reads} | {v for a in self.text.reads for v in a.indices}
        return fresh_name(f"{self.target}_before", taken)

    @cached_property
    def statement(self) -> Text:
        """The assignment as it runs: what its right side reads of its own target has another name."""
        a = self.text.assignment
        if not self.reads_target:
            return self.text.in_ring(self.semiring)
        names = {access: self.rename(access) for access in accesses(a.value)}
        renamed = Text(pretty(replace(a, value=rename_accesses(a.value, names))), self.text.operators)
        return renamed.in_ring(self.semiring)

    def rename(self, access: Access) -> Access:
        """An access of the target before the step."""
        return replace(access, tensor=self.before) if self.is_target(access) else access


class Condition(Noted, frozen=True, dict=True):
    """When a loop ends, as a line says: once all of a tensor is what it was a round ago, once nothing is left of one,
    once one holds more or fewer components than a number says, or after so many rounds; whichever comes first."""

    notes = frozenset({"span"})

    unchanged: tuple[str, ...] = ()
    empty: tuple[str, ...] = ()
    above: tuple[tuple[str, Number], ...] = ()
    below: tuple[tuple[str, Number], ...] = ()
    steps: Number | None = None
    span: Span | None = None

    @cached_property
    def tensors(self) -> tuple[str, ...]:
        """The tensors whose contents may end the loop."""
        return (*self.unchanged, *self.empty, *(name for name, _ in (*self.above, *self.below)))

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """The names of numbers that may end the loop."""
        said = (self.steps, *(number for _, number in (*self.above, *self.below)))
        return tuple(number for number in said if isinstance(number, str))

    def __str__(self) -> str:
        said = [*(f"{name} unchanged" for name in self.unchanged), *(f"{name} empty" for name in self.empty)]
        said += [f"{name} above {number}" for name, number in self.above]
        said += [f"{name} below {number}" for name, number in self.below]
        return " or ".join([*said, *([] if self.steps is None else [f"{self.steps} steps"])])


class Repeat(Struct, frozen=True):
    """The body again and again, at least once, until a condition holds at its end."""

    body: tuple[Node, ...]
    until: Condition
    span: Span | None = None


class Stop(Struct, frozen=True):
    """The end of the loop around, if a condition holds here."""

    condition: Condition
    span: Span | None = None


Node = Step | Repeat | Stop


@dataclass(frozen=True)
class Procedure:
    """A name, the tensors that it is given, its steps, and the tensors that it gives. It is `sound` once it has been
    checked (`check.py`)."""

    name: str
    parameters: tuple[str, ...]
    results: tuple[str, ...]
    body: tuple[Node, ...]
    source: str = ""
    sound: bool = field(default=False, init=False, repr=False, compare=False)

    def mark_sound(self) -> None:
        """Mark this procedure as checked."""
        object.__setattr__(self, "sound", True)

    def __str__(self) -> str:
        return self.source or self.name


def steps(body: tuple[Node, ...]) -> Iterator[Step]:
    """The assignments, in the order of the text."""
    for node in body:
        match node:
            case Step():
                yield node
            case Repeat(body=inner):
                yield from steps(inner)
            case Stop():
                pass
