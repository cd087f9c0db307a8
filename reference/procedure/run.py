"""Procedures run: one step after another, by any engine, each on the tensors that its names stand for by then."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

import numpy as np
from msgspec import Struct, field

from ..algebra.dtypes import same_value
from ..algebra.scalars import abbreviate
from ..algebra.semirings import Semiring
from ..errors import DisagreementError, ExpressionError, GnomonError, MeaningError, argument_error
from ..execution.evaluate import execute
from ..files.operands import as_tensors, valid_tensor
from ..storage.components import distinct, same_components, same_elements
from ..storage.declaration import Declaration
from ..storage.format import Format
from ..storage.spec import Spec, spec
from ..storage.tensor import Tensor
from ..storage.vectorised import holds_duplicates
from .check import check_procedure
from .recurrence import Recurrence
from .syntax import Condition, Node, Number, Procedure, Repeat, Step, Stop
from .thresholds import threshold_hint

ROUNDS = 1_000_000
CONVERT = "auto"  # steps copy operands whose storage orders contradict each other
Stored = TypeVar("Stored", Tensor, Declaration)


class Engine(Protocol):
    """What runs steps."""

    def __call__(self, step: Step, operands: Mapping[str, Tensor], out: Spec | None, *, spent: bool) -> Tensor:
        """The result of a step on operands, stored as `out` says. `spent`: the previous contents of the target will not
        be read again, so that the result may take their memory."""


def by_reference(step: Step, operands: Mapping[str, Tensor], out: Spec | None, *, spent: bool = False) -> Tensor:
    """A step by reference execution, into memory of its own."""
    return execute(step.statement, operands, out=out, semiring=step.semiring, convert=CONVERT).result


def run_procedure(
    procedure: Procedure, operands: Mapping[str, Any], engine: Engine = by_reference, rounds: int = ROUNDS
) -> dict[str, Tensor]:
    """What a procedure gives for operands: its results by name.

    A loop that has not ended after so many `rounds` is given up with a MeaningError. Raises what the steps raise, with
    the step.
    """
    check_procedure(procedure)
    if isinstance(rounds, bool) or not isinstance(rounds, int | np.integer) or rounds < 0:
        raise argument_error(
            f"rounds={abbreviate(rounds)} is no number of rounds", "pass a whole number, or leave it out"
        )
    missing = [name for name in procedure.parameters if name not in operands]
    unknown = [name for name in operands if name not in procedure.parameters]
    if missing or unknown:
        wrong = f"{missing[0]} is not given" if missing else f"{unknown[0]} is not one of its parameters"
        raise ExpressionError(
            f"{procedure.name}: {wrong}",
            hint=f"it takes {', '.join(procedure.parameters) or 'none'}",
            rule="procedure.operands",
        )
    given = as_tensors(operands)
    for name, tensor in given.items():
        valid_tensor(name, tensor)
    runner = Runner(procedure, engine, rounds, given)
    runner.block(procedure.body)
    return {name: runner.values[name] for name in procedure.results}


class Runner(Struct):
    """A run: what the names stand for now, which of them steps have `made`, and which are `watched`: loops compare what
    they stand for with what they did a round before."""

    procedure: Procedure
    engine: Engine
    rounds: int
    values: dict[str, Tensor] = field(default_factory=dict)
    made: set[str] = field(default_factory=set)
    watched: list[str] = field(default_factory=list)
    specs: dict[int, tuple[Format | None, Spec | None]] = field(default_factory=dict)

    def block(self, body: tuple[Node, ...]) -> bool:
        """Run some nodes in order, to the end or to where the loop around them stops; whether that is so."""
        for node in body:
            match node:
                case Step():
                    self.step(node)
                case Repeat():
                    self.repeat(node)
                case Stop(condition=condition) if self.has_ended(condition, {}):
                    return True
                case Stop():
                    pass
        return False

    def step(self, step: Step) -> None:
        """Run a step and bind its target."""
        values, target = self.values, step.target
        operands = {own: in_ring(values[name], step.semiring) for own, name in step.operands if name in values}
        before = values.get(target)
        try:
            out = self.result_spec(step, None if before is None else before.format)
            values[target] = self.engine(step, operands, out, spent=self.is_spent(step))
        except DisagreementError:
            raise
        except GnomonError as error:
            raise at_step(error, step, self.procedure) from error
        self.made.add(target)

    def result_spec(self, step: Step, before: Format | None) -> Spec | None:
        """How the result of a step is stored, which is found out once for each step and format."""
        known = self.specs.get(id(step))
        if known is None or known[0] is not before:
            known = self.specs[id(step)] = before, result_spec(step, before)
        return known[1]

    def is_spent(self, step: Step) -> bool:
        """Whether nobody reads the previous contents of a target but to go on from them: a step of this run has made
        them, no loop compares them, and what the step computes does not read them."""
        target = step.target
        return target in self.made and target not in self.watched and not step.reads_target

    def repeat(self, repeat: Repeat) -> None:
        """Run a loop until one of its conditions holds; raise a MeaningError if none ever will, or has for long."""
        most, outer, recurrence = self.most(repeat.until), list(self.watched), Recurrence()
        self.watched += repeat.until.unchanged
        for done in range(1, self.rounds + 1):
            before = {name: self.values.get(name) for name in repeat.until.unchanged}
            if self.block(repeat.body) or done == most or self.has_ended(repeat.until, before):
                self.watched = outer
                return
            circle = 0 if most else recurrence.circle(done, self.values)
            if circle:
                why = f"never ends, all is after {done} rounds as it was after {done - circle}"
                raise self.endless(repeat, why, "say after how many steps it ends, or change what its end depends on")
        why = f"has not ended after {self.rounds} rounds"
        hint = "allow more rounds: rounds= in Python, --rounds on the command line"
        raise self.endless(repeat, why, hint if most else f"say after how many steps it ends, or {hint}")

    def endless(self, repeat: Repeat, why: str, hint: str) -> MeaningError:
        """An error at a loop that does not end."""
        return MeaningError(
            f"{self.procedure.name}: a loop {why}: until {repeat.until}",
            hint=hint,
            source=self.procedure.source or None,
            span=repeat.span,
            rule="procedure.circle",
        )

    def most(self, until: Condition) -> int | None:
        """After how many rounds a loop ends in any case."""
        return None if until.steps is None else self.number(until.steps, 1, "steps", until)

    def number(self, number: Number, least: int, what: str, condition: Condition) -> int:
        """What a number of a condition is now."""
        if not isinstance(number, str):
            return number
        value = self.values[number]
        if value.shape == () and value.dtype.kind in "iu" and value.vals[0] >= least:
            return int(value.vals[0])
        found = str(value.vals[0]) if value.shape == () else f"of shape {value.shape}"
        raise ExpressionError(
            f"{self.procedure.name}: {number} is no number of {what}: it is {found}",
            hint=self.threshold(number, condition) or f"pass a whole number from {least} on",
            source=self.procedure.source or None,
            span=condition.span,
            rule="procedure.number",
        )

    def threshold(self, number: str, condition: Condition) -> str | None:
        """What to write for a condition that compares values with a number; None if the number is none of them."""
        sides = (("above", condition.above), ("below", condition.below))
        said = [f"{name} {word} {number}" for word, pairs in sides for name, n in pairs if n == number]
        is_value = self.values[number].shape == () and self.values[number].dtype.kind == "f"
        return threshold_hint(said[0], self.procedure.source) if said and is_value else None

    def has_ended(self, until: Condition, before: Mapping[str, Tensor | None]) -> bool:
        """Whether one of the conditions holds; the numbers of all of them are looked at first."""
        values = self.values
        above = [(name, self.number(n, 0, "components", until)) for name, n in until.above]
        below = [(name, self.number(n, 1, "components", until)) for name, n in until.below]
        return (
            any(count(values[name]) == 0 for name in until.empty)
            or any(count(values[name]) > n for name, n in above)
            or any(count(values[name]) < n for name, n in below)
            or any(is_same(values[name], before[name]) for name in until.unchanged)
        )


def at_step(error: GnomonError, step: Step, procedure: Procedure) -> GnomonError:
    """An error that a step has raised, with the step, whose text has another name for what it was before."""
    renamed = re.compile(rf"\b{step.before}\b")
    message, hint = renamed.sub(step.target, f"{procedure.name}: {error.message}"), error.hint
    hint = None if hint is None else renamed.sub(step.target, hint)
    return type(error)(message, hint=hint, source=procedure.source or None, span=step.span, rule=error.rule)


def result_spec(step: Step, before: Format | None) -> Spec | None:
    """How the result of a step is stored: as asked, else in the format that its target has had before."""
    if step.format is not None or before is None or before.order != len(step.text.target.indices):
        return step.storage
    return spec(before, dtype=step.dtype)


def in_ring(tensor: Stored, ring: Semiring | None) -> Stored:
    """A tensor in a semiring: one that stores every component has no use for its fill, and takes what absent is."""
    if ring is None or not tensor.format.is_whole:
        return tensor
    identity = ring.add.left_identity
    assert identity is not None
    absent = identity(tensor.dtype)
    return tensor if same_value(tensor.fill, absent) else tensor.with_fill(absent)


def count(tensor: Tensor) -> int:
    """How many components a tensor holds: those stored or, of what is stored anyhow, those that are not the fill."""
    if not (tensor.format.dense_leaves or not tensor.shape):
        return tensor.nnz
    return int(np.count_nonzero(~same_elements(tensor.vals, np.array([tensor.fill], tensor.dtype))))


def is_same(tensor: Tensor, before: Tensor | None) -> bool:
    """Whether a tensor holds the same values at the same coordinates as before; NaN is the same as NaN."""
    if before is None or tensor.shape != before.shape:
        return False
    alike = tensor.format == before.format and not holds_duplicates(tensor.format)
    comes_sorted = alike and all(level.ordered for level in tensor.format.levels)
    return same_components(*(each.components() if comes_sorted else distinct(each) for each in (tensor, before)))
