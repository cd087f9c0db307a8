"""What must hold of a procedure before anything runs: names have values when they are read, and loops can end."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..errors import ExpressionError
from ..nearest import nearest
from ..span import Span
from .syntax import Node, Procedure, Repeat, Step, Until, steps


def check_procedure(procedure: Procedure) -> None:
    """Refuse a procedure that reads what has no value, gives what it does not assign, or has a loop that cannot end."""
    checker = ProcedureChecker(procedure)
    known = checker.block(procedure.body, frozenset(procedure.parameters))
    for name in procedure.results:
        if name not in known:
            raise checker.error(f"{procedure.name} gives {name}, but never assigns it", None, known, name)
    read = {name for step in steps(procedure.body) for _, name in step.operands}
    read |= {name for repeat in repeats(procedure.body) for name in conditions(repeat.until)}
    for name in procedure.parameters:
        if name not in read and name not in procedure.results:
            raise checker.error(f"{procedure.name} is given {name}, but never reads it", None)


def repeats(body: Iterable[Node]) -> Iterable[Repeat]:
    """The loops, inner ones too."""
    for node in body:
        if isinstance(node, Repeat):
            yield node
            yield from repeats(node.body)


def conditions(until: Until) -> tuple[str, ...]:
    """The names on which the end of a loop depends."""
    named = (until.steps,) if isinstance(until.steps, str) else ()
    return (*until.unchanged, *until.empty, *named)


@dataclass(frozen=True, slots=True)
class ProcedureChecker:
    """Goes through the steps with the names that have a value."""

    procedure: Procedure

    def error(
        self, message: str, span: Span | None, known: Iterable[str] = (), name: str | None = None
    ) -> ExpressionError:
        """An error, with the names that there are where one of them is missing."""
        near = nearest(name, sorted(known)) if name is not None else ()
        hint = f"did you mean {near[0]}?" if near else None
        if name is not None and hint is None:
            hint = f"names with a value here: {', '.join(sorted(known)) or 'none'}"
        return ExpressionError(message, hint=hint, source=self.procedure.source or None, span=span)

    def block(self, body: tuple[Node, ...], known: frozenset[str]) -> frozenset[str]:
        """The names that have a value after some nodes."""
        for node in body:
            match node:
                case Step():
                    known = self.step(node, known)
                case Repeat():
                    known = self.repeat(node, known)
        return known

    def step(self, step: Step, known: frozenset[str]) -> frozenset[str]:
        """The names that have a value after a step."""
        a = step.text.assignment
        for _, name in step.operands:
            begins = name == step.target and a.operator is not None and name not in {r.tensor for r in step.text.inputs}
            if name not in known and not begins:
                raise self.error(f"{name} has no value before this step", step.span, known, name)
        return known | {step.target}

    def repeat(self, repeat: Repeat, known: frozenset[str]) -> frozenset[str]:
        """The names that have a value after a loop, which must be able to end."""
        inside = self.block(repeat.body, known)
        until = repeat.until
        for name in conditions(until):
            if name not in inside:
                raise self.error(
                    f"{name}, on which the end of this loop depends, has no value", repeat.span, inside, name
                )
        changed = {step.target for step in steps(repeat.body)}
        if until.steps is None and changed.isdisjoint((*until.unchanged, *until.empty)):
            raise self.error(
                f"this loop does not end, since nothing in it assigns {' or '.join((*until.unchanged, *until.empty))}",
                repeat.span,
            )
        return inside
