"""Topics: what obligations are about. A topic travels to the processes that prove; its obligations do not."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from ...reference.algebra.semirings import Semiring
from ...reference.errors import GnomonError, ScheduleError, Unsupported
from ...reference.levels.level import Level
from ...reference.notation.text import Text, as_text
from ..command_line.user_object import WHERE, user_object
from .obligation import Obligation


class Rules(Struct, frozen=True):
    """The rules of the specification."""

    def obligations(self) -> tuple[Obligation, ...]:
        """The catalogue."""
        from .catalogue import catalogue

        return catalogue()


class LevelFormat(Struct, frozen=True):
    """A level format of a user's, given as `MODULE:CLASS` or `MODULE:OBJECT`."""

    place: str

    def obligations(self) -> tuple[Obligation, ...]:
        """What every level format has to keep."""
        from .levels.level_formats import obligations_of

        return obligations_of(self.level())

    def level(self) -> Level:
        """The level format. Raises GnomonError if there is none at that place, or its module cannot be imported."""
        try:
            found = user_object(self.place)
            level = found() if isinstance(found, type) else found
        except Exception as error:
            raise GnomonError(
                f"no level format at {self.place}: {type(error).__name__}: {error}", hint=f"write MODULE:CLASS; {WHERE}"
            ) from error
        if not isinstance(level, Level):
            where = f"{Level.__module__}.{Level.__qualname__}"
            raise GnomonError(f"{self.place} is {level!r}, not a level format", hint=f"derive the class from {where}")
        return level


class ScheduledStatement(Struct, frozen=True):
    """A statement and a schedule, as `gnomon code` takes them."""

    expression: str | Text
    formats: tuple[tuple[str, str], ...]
    schedule: str | None
    semiring: str | Semiring | None
    convert: str | None

    def obligations(self) -> tuple[Obligation, ...]:
        """What its lattices, the commands of its schedule and its kernel have to keep.

        Of a schedule that is refused there is no kernel, and its loops are not looked at.
        """
        from .c import c_kernels
        from .lattices import lattices
        from .schedules.schedules import obligations_of

        text, formats = as_text(self.expression), dict(self.formats)
        operands, out = text.of_operands(formats), formats.get(text.target.tensor)
        others: dict[str, Any] = {"semiring": self.semiring, "convert": self.convert}
        commands = obligations_of(text, operands, self.schedule, out=out, **others)
        try:
            kernel = c_kernels.obligations_on(text, operands, self.schedule, out=out, **others)
            merged = lattices.obligations_on(text, formats, schedule=self.schedule, **others)
        except (ScheduleError, Unsupported):
            return (*lattices.obligations_on(text, formats, **others), *commands)
        return (*merged, *commands, *kernel)


class BranchedStatement(Struct, frozen=True):
    """A product whose branched schedules are searched, under constraints on its sizes."""

    expression: str | Text
    formats: tuple[tuple[str, str], ...]
    constraints: str
    semiring: str | Semiring | None
    convert: str | None

    def obligations(self) -> tuple[Obligation, ...]:
        """That what the search removes costs nowhere less than what is left."""
        from .schedules.dominances import obligations_of

        text, formats = as_text(self.expression), dict(self.formats)
        operands, out = text.of_operands(formats), formats.get(text.target.tensor)
        return obligations_of(text, operands, self.constraints, semiring=self.semiring, out=out, convert=self.convert)


Topic = Rules | LevelFormat | ScheduledStatement | BranchedStatement
