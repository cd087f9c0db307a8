"""The exception family: every way in which gnomon refuses, each with a place and a way out.

Five outcomes are never mixed: the input is wrong (`GnomonError`, by subject), a valid program has no meaning here
(`MeaningError`), we have not built it (`Unsupported`), the host does not let it run (`HostError`), and our own bug
(`InternalError`, not a `GnomonError`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from .span import Span

WIDEST, AROUND = 160, 40
"""How long lines are shown whole, and how much of longer ones is shown before the carets."""


class GnomonError(Exception):
    """What was wrong, where, and what to write instead.

    `message` is one sentence naming the offending value; `hint` says what to write instead; `source` and `span`
    place a caret under the text of an expression, a format or a schedule. `rule` names the rule of the specification by
    which it is wrong, where one does.

    >>> from gnomon.reference.span import Span
    >>> print(GnomonError("unknown tensor B", hint="pass B=...", source="y(i) = B(i)", span=Span(7, 11)))
    unknown tensor B
      y(i) = B(i)
             ^^^^
      hint: pass B=...
    """

    def __init__(
        self,
        message: str,
        *,
        hint: str | None = None,
        source: str | None = None,
        span: Span | None = None,
        rule: str | None = None,
    ) -> None:
        self.message = message
        self.hint = hint
        self.source = source
        self.span = span
        self.rule = rule
        super().__init__(message)

    def at(self, source: str | None = None, span: Span | None = None) -> Self:
        """The same error with a place, as far as it has none."""
        return type(self)(
            self.message, hint=self.hint, source=self.source or source, span=self.span or span, rule=self.rule
        )

    def __str__(self) -> str:
        lines = [self.message]
        if self.source is not None and self.span is not None:
            lines += caret_lines(self.source, self.span)
        if self.hint is not None:
            lines.append(f"  hint: {self.hint}")
        if self.rule is not None:
            lines.append(f"  rule: {self.rule}")
        return "\n".join(lines)


def caret_lines(source: str, span: Span) -> list[str]:
    """The source line that holds `span`, and carets under the part of the span on that line."""
    begin = source.rfind("\n", 0, span.start) + 1
    end = source.find("\n", begin)
    line = source[begin:] if end < 0 else source[begin:end]
    width = max(1, min(span.stop, begin + len(line)) - span.start)
    start = span.start - begin
    if len(line) > WIDEST:
        line, start, width = part_around(line, start, width)
    return [f"  {line}", "  " + " " * start + "^" * width]


def part_around(line: str, start: int, width: int) -> tuple[str, int, int]:
    """The part of a long line to show around a span of `width` characters from `start` on; where the span starts in
    that part, and how much of the span the part holds.

    >>> part_around("y(i) = " + "x(i) + " * 40 + "z(j)", 287, 4)
    ('... i) + x(i) + x(i) + x(i) + x(i) + x(i) + z(j)', 44, 4)
    """
    first = max(0, start - AROUND)
    last = min(len(line), max(first + WIDEST, start))
    before, after = "... " * (first > 0), " ..." * (last < len(line))
    return f"{before}{line[first:last]}{after}", start - first + len(before), min(width, max(1, last - start))


class ParseError(GnomonError):
    """Text that is not an expression, an operator, a schedule, an index tree or a procedure."""


class ExpressionError(GnomonError):
    """A well-formed text that does not denote: unknown tensors, wrong orders, extents that differ, unsafe sums."""


class ScalarError(ExpressionError, TypeError, ValueError):
    """A tensor of an order other than 0 where Python asks for one number or one truth value."""


class DtypeError(GnomonError):
    """A dtype that an operator refuses or that cannot hold the result."""


class SemiringError(GnomonError):
    """An unknown semiring, or a use that the semiring does not declare."""


class FormatError(GnomonError):
    """Text that is no format or map, an illegal composition of levels, or a format that does not fit its tensor."""


class StorageError(GnomonError):
    """Arrays that break an invariant of their format, or data that do not fit a shape or a format."""


class FileError(GnomonError):
    """A file that is not what its suffix says; `line` is where reading stopped, 0 if that is no line."""

    def __init__(self, message: str, *, hint: str | None = None, line: int = 0, rule: str | None = None) -> None:
        super().__init__(message, hint=hint, rule=rule)
        self.line = line


def argument_error(message: str, hint: str | None = None) -> ExpressionError:
    """The error for an argument from Python that is not what a function takes."""
    return ExpressionError(message, hint=hint, rule="error.python")


class ScheduleError(GnomonError):
    """A statement with no loop order, or a command whose precondition fails."""


class ScheduleWarning(UserWarning):
    """A legal schedule that goes over far more than there is: `schedule/visits.py` says what it estimates."""


class CompileError(GnomonError):
    """A kernel that cannot be generated or built."""


class HostError(GnomonError):
    """Something that every program needs and the host does not give: a compiler, room on a disk.

    It says nothing of the program, so that it is no disagreement and no finding.
    """


class NoCompilerError(HostError):
    """There is no C compiler, or the one that is asked for cannot be run."""


class MeaningError(GnomonError):
    """A valid program that has no meaning on these data: integer overflow, division by zero in exact arithmetic."""


def in_statement(error: MeaningError, statement: str) -> MeaningError:
    """The error with the statement that has no meaning, unless it has a place.

    >>> print(in_statement(MeaningError("integer overflow"), "a = x(i)"))
    integer overflow
      a = x(i)
      ^^^^^^^^
    """
    return error.at(statement, Span(0, len(statement)))


class Unsupported(GnomonError):
    """A valid program that this version does not evaluate; never to be taken for a disagreement."""


class DisagreementError(GnomonError, AssertionError):
    """Two rungs of the ladder give different results; `differences` are the first of those found, point by point."""

    def __init__(self, message: str, *, hint: str | None = None, differences: Sequence[object] = ()) -> None:
        super().__init__(message, hint=hint)
        self.differences = tuple(differences)


class InternalError(Exception):
    """A defect of gnomon itself: cannot happen on valid input."""
