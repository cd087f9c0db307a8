"""What must hold of a procedure before anything runs: names have values when they are read, and loops can end."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from ..errors import ExpressionError
from ..nearest import nearest
from ..span import Span
from .syntax import Condition, Node, Procedure, Repeat, Step, Stop, steps


def check_procedure(procedure: Procedure) -> None:
    """Refuse a procedure that reads what has no value, gives what it does not assign, or has a loop that cannot end."""
    if procedure.sound:
        return
    checker = ProcedureChecker(procedure)
    known = checker.block(procedure.body, frozenset(procedure.parameters))
    for name in procedure.results:
        if name not in known:
            said = f"{procedure.name} gives {name}, but never assigns it"
            raise checker.error("procedure.parameters", said, None, known, name)
    read = {name for step in steps(procedure.body) for _, name in step.operands}
    read |= {name for each in conditions(procedure.body) for name in (*each.tensors, *each.numbers)}
    for name in procedure.parameters:
        if name not in read and name not in procedure.results:
            said = f"{procedure.name} is given {name}, but never reads it"
            raise checker.error("procedure.parameters", said, None)
    procedure.mark_sound()


def conditions(body: Iterable[Node]) -> Iterable[Condition]:
    """The conditions on which loops end, those of inner ones too."""
    for node in body:
        match node:
            case Step():
                pass
            case Repeat(body=inner, until=until):
                yield until
                yield from conditions(inner)
            case Stop(condition=condition):
                yield condition


class ProcedureChecker(Struct, frozen=True):
    """Goes through the steps with the names that have a value."""

    procedure: Procedure

    def error(
        self, rule: str, message: str, span: Span | None, known: Iterable[str] = (), name: str | None = None
    ) -> ExpressionError:
        """An error by a rule, with the names that there are where one of them is missing."""
        near = nearest(name, sorted(known)) if name is not None else ()
        hint = f"did you mean {near[0]}?" if near else None
        if name is not None and hint is None:
            hint = f"names with a value here: {', '.join(sorted(known)) or 'none'}"
        return ExpressionError(message, hint=hint, source=self.procedure.source or None, span=span, rule=rule)

    def block(self, body: tuple[Node, ...], known: frozenset[str]) -> frozenset[str]:
        """The names that have a value after some nodes."""
        for node in body:
            match node:
                case Step():
                    known = self.step(node, known)
                case Repeat():
                    known = self.repeat(node, known)
                case Stop():
                    self.condition(node.condition, known, known)
        return known

    def step(self, step: Step, known: frozenset[str]) -> frozenset[str]:
        """The names that have a value after a step."""
        a = step.text.assignment
        for _, name in step.operands:
            begins = name == step.target and a.operator is not None and name not in {r.tensor for r in step.text.inputs}
            if name not in known and not begins:
                raise self.error("procedure.names", f"{name} has no value before this step", step.span, known, name)
        return known | {step.target}

    def repeat(self, repeat: Repeat, known: frozenset[str]) -> frozenset[str]:
        """The names that have a value after a loop, which must be able to end, wherever it stops."""
        inside, stopped = known, list[frozenset[str]]()
        for node in repeat.body:
            inside = self.block((node,), inside)
            stopped += [inside] if isinstance(node, Stop) else []
        self.condition(repeat.until, inside, known)
        own = [repeat.until, *(node.condition for node in repeat.body if isinstance(node, Stop))]
        changed = {step.target for step in steps(repeat.body)}
        watched = dict.fromkeys(name for each in own for name in each.tensors)
        if all(each.steps is None for each in own) and changed.isdisjoint(watched):
            raise self.error(
                "procedure.ends",
                f"this loop does not end, since nothing in it assigns {' or '.join(watched)}",
                repeat.span,
            )
        return inside.intersection(*stopped)

    def condition(self, condition: Condition, known: frozenset[str], before: frozenset[str]) -> None:
        """Refuse a condition about what has no value; a number of steps needs one before the loop."""
        steps = [condition.steps] if isinstance(condition.steps, str) else []
        asked = [(name, known) for name in (*condition.tensors, *condition.numbers)]
        for name, there in (*((name, before) for name in steps), *asked):
            if name not in there:
                said = f"{name}, on which the end of this loop depends, has no value"
                raise self.error("procedure.names", said, condition.span, there, name)
