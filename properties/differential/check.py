"""Checking one problem: denotation against reference execution and generated C, value by value and structure."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from msgspec import Struct

from ...generator.runtime.kernel import kernel_for
from ...reference.algebra.dtypes import same_value
from ...reference.algebra.scalars import caster
from ...reference.denotation.denote import Denotation
from ...reference.denotation.freedom import reductions
from ...reference.denotation.meaning import Point
from ...reference.errors import (
    DisagreementError,
    ExpressionError,
    GnomonError,
    HostError,
    StorageError,
    Unsupported,
)
from ...reference.execution.evaluate import Execution, execute_prepared
from ...reference.notation.text import Text
from ...reference.schedule.branched.unasked import choose_schedule
from ...reference.schedule.preparation import Prepared, prepare
from ...reference.schedule.schedule import Schedule
from ...reference.schedule.settings import AUTO
from ...reference.statement.converting import convert_operands
from ...reference.storage.format import Format
from ...reference.storage.packing import pack
from ...reference.storage.tensor import Tensor
from ..programs.problem import denote, script
from .difference import find_difference, structure_difference

TERMS = 10**6
SAMPLE = 50
FEW = 20
Coordinates = tuple[int, ...]
NAMES = {"reference": "reference", "c": "C", "auto": "C by its own schedule"}
EVERY = tuple(NAMES)


class Report(Struct, frozen=True):
    """What a check compared: coordinates of the result, of how many, and the seed of the sample if not all.

    `engines` are those whose results agree with the denotation, none if a result was given; `ran` is what the reference
    has run, if it has; `refused` says why C was left out, if it was.
    """

    checked: int
    points: int
    seed: int | None
    engines: tuple[str, ...] = ()
    ran: Execution | None = None
    refused: str | None = None

    @property
    def execution(self) -> Execution:
        """What the reference has run. Raises ExpressionError if a result was given: then nothing was run."""
        if self.ran is None:
            raise ExpressionError(
                "nothing was run, since a result was given", hint="check without result", rule="error.python"
            )
        return self.ran

    def __str__(self) -> str:
        how = "every point" if self.seed is None else f"a sample with seed {self.seed}"
        *first, last = [NAMES[engine] for engine in self.engines] or ["the given result"]
        by = f"{', '.join(first)} and {last}" if first else last
        without = "" if self.refused is None else f"; without C: {self.refused}"
        return f"{self.checked} of {self.points} points agree ({how}; {by}{without})"


def check(
    source: str | Text,
    operands: Mapping[str, Any],
    *,
    seed: int = 0,
    engines: tuple[str, ...] = ("reference", "c"),
    **settings: Any,
) -> Report:
    """Evaluate an expression and compare the results with its denotation.

    While points times the terms of their sums stay below a million, or points are at most 50, all are compared, beyond
    that a seeded sample, which the report says. `engines`: "auto" is C by the schedule that it follows unasked, where
    none is given and it follows one. Raises DisagreementError with the first difference, or what an engine broke down
    with, and a script that reproduces it. Where the host lets no C run, as without a compiler, the reference alone is
    compared, which the report says.
    """
    ready = prepare(source, operands, **settings)
    with unbroken("reference", ready):
        execution = execute_prepared(ready)
    results, refused = {"reference": execution.result}, None
    if "c" in engines:
        try:
            with unbroken("c", ready):
                results["c"] = by_kernel(execution, settings)
            if "auto" in engines and not ready.schedule and schedule_unasked(ready).commands:
                with unbroken("auto", ready):
                    results["auto"] = by_kernel(execution, {**settings, "schedule": AUTO})
        except (Unsupported, HostError) as error:
            refused = error.message
    sample = compare_results(denote(execution.resolved, execution.operands), execution, results, seed)
    return Report(len(sample.coordinates), sample.points, sample.seed, tuple(results), execution, refused)


def compare_results(
    denotation: Denotation, execution: Execution, results: Mapping[str, Tensor], seed: int = 0
) -> Sample:
    """Compare the results of engines with what is meant; the points that were looked at. Raises DisagreementError."""
    tables = {engine: components(result, execution, engine) for engine, result in results.items()}
    stored = sorted({i for got in tables.values() for i in got})
    sample = Sample.of(denotation, stored, seed)
    for i in sample.coordinates:
        point = denotation.point(i)
        for engine, got in tables.items():
            compare(point, execution, results[engine].format, got, i, engine)
    if sample.seed is None:
        for engine, got in tables.items():
            compare_storage(denotation, execution, results[engine].format, got, engine)
    return sample


def schedule_unasked(ready: Prepared) -> Schedule:
    """The schedule that C follows on the operands unasked."""
    return choose_schedule(AUTO, ready.lowered, convert_operands(ready.lowered, ready.operands))


def by_kernel(execution: Execution, settings: Mapping[str, Any]) -> Tensor:
    """The result by generated C of what the reference has run.

    Raises Unsupported where C is not generated, HostError where the host lets none run, DisagreementError if C refuses
    what the reference ran in any other way, or does not compile.
    """
    try:
        return kernel_for(execution.text, execution.operands, **settings).run(execution.operands)
    except (Unsupported, HostError):
        raise
    except GnomonError as error:
        raise DisagreementError(
            f"C refuses what the reference runs: {error.message}", hint=reproducer(execution)
        ) from None


@contextmanager
def unbroken(engine: str, ready: Prepared) -> Iterator[None]:
    """Raise DisagreementError where an engine breaks down: with what says nothing of the input or of the machine."""
    try:
        yield
    except (GnomonError, MemoryError, OSError):
        raise
    except Exception as error:
        raise DisagreementError(
            f"{NAMES[engine]} breaks down: {type(error).__name__}: {error}", hint=reproducer(ready)
        ) from error


def agree(execution: Execution, other: Tensor, seed: int = 0) -> int:
    """Compare another engine's result with that of an execution; the number of stored components compared.

    Where values differ, both must lie within the error bound of the denotation; of many such places a seeded sample is
    looked at. Raises DisagreementError.
    """
    ours, theirs = components(execution.result, execution), components(other, execution, "c")
    lone = ours.keys() ^ theirs.keys()
    differing = [i for i, value in ours.items() if i in theirs and not same_value(value, theirs[i])]
    if not (lone or differing):
        return len(ours)
    denotation = denote(execution.resolved, execution.operands)
    for i in sorted(lone):
        if len(denotation.point(i).presence()) == 1:
            which = "reference" if i in ours else "C"
            raise DisagreementError(f"{i} is stored by {which} alone", hint=reproducer(execution))
    for i in random.Random(seed).sample(differing, min(len(differing), FEW)):
        for engine, got in (("reference", ours), ("c", theirs)):
            compare(denotation.point(i), execution, execution.result.format, got, i, engine)
    return len(ours)


class Sample(Struct, frozen=True):
    """Coordinates of a result to look at, of how many points, and the seed if they are not all of them."""

    coordinates: list[Coordinates]
    points: int
    seed: int | None

    @classmethod
    def of(cls, denotation: Denotation, stored: Sequence[Coordinates], seed: int) -> Sample:
        """All points while those times the terms of their sums stay below a million, or if they are few; else a seeded
        sample."""
        shape = denotation.resolved.shape
        points = math.prod(shape)
        if points * work(denotation) <= TERMS or points <= SAMPLE:
            return cls(list(denotation.points()), points, None)
        return cls(list(dict.fromkeys(sample_coordinates(shape, stored, seed))), points, seed)


def work(denotation: Denotation) -> int:
    """The number of terms that the sums at one point run over, vanishing ones included."""
    sums = reductions(denotation.resolved.assignment.value)
    return math.prod(max(denotation.extent(e), 1) for e in sums)


def components(result: Tensor, execution: Execution, engine: str = "reference") -> dict[Coordinates, Any]:
    """The stored components of a result of an execution's problem.

    Raises DisagreementError if its arrays break an invariant of the format, or if one coordinate is stored twice.
    """
    try:
        result.validate()
    except StorageError as error:
        raise DisagreementError(f"{NAMES[engine]}: {error.message}", hint=reproducer(execution)) from None
    found: dict[Coordinates, Any] = {}
    for i, value in result.entries():
        if i in found:
            raise DisagreementError(f"{NAMES[engine]}: {i} is stored more than once", hint=reproducer(execution))
        found[i] = value
    return found


def sample_coordinates(shape: tuple[int, ...], stored: Sequence[Coordinates], seed: int) -> Iterator[Coordinates]:
    """Some coordinates anywhere and some that are stored."""
    chance = random.Random(seed)
    yield from chance.sample(stored, min(SAMPLE, len(stored)))
    if all(shape):
        yield from (tuple(chance.randrange(n) for n in shape) for _ in range(SAMPLE))


def compare(
    point: Point,
    execution: Execution,
    format: Format,
    got: Mapping[Coordinates, Any],
    i: Coordinates,
    engine: str = "reference",
) -> None:
    """Raise DisagreementError if the value or the structure that an engine gave differs at a coordinate."""
    found = got.get(i, caster(execution.resolved.dtype)(execution.resolved.fill))
    difference = find_difference(point, i, found) or structure_difference(
        point, i, found, i in got, format.dense_leaves
    )
    if difference is not None:
        message = f"{NAMES[engine]}: {difference}"
        raise DisagreementError(message, hint=reproducer(execution), differences=[difference])


def compare_storage(
    denotation: Denotation,
    execution: Execution,
    format: Format,
    got: Mapping[Coordinates, Any],
    engine: str = "reference",
) -> None:
    """Raise DisagreementError if a format that completes the structure holds other cells than its storage has."""
    if not format.dense_leaves or format.is_whole:
        return
    presence = {i: denotation.point(i).presence() for i in denotation.points()}
    least, most = (stored_cells({i for i, p in presence.items() if has(p)}, execution, format) for has in (all, any))
    wrong = min((got.keys() - most) | (least - got.keys()), default=None)
    if wrong is not None:
        how = "is stored but completes no fiber" if wrong in got else "completes the structure but is not stored"
        raise DisagreementError(f"{NAMES[engine]}: {wrong} {how} of {format}", hint=reproducer(execution))


def stored_cells(structure: set[Coordinates], execution: Execution, format: Format) -> set[Coordinates]:
    """The cells that a format stores for a structure."""
    shape = execution.resolved.shape
    coords = np.array(sorted(structure), np.int64).reshape(len(structure), len(shape)).T
    return {i for i, _ in pack(coords, np.ones(len(structure)), shape, format).entries()}


def reproducer(ready: Prepared | Execution) -> str:
    """A script that evaluates the same problem."""
    out = ready.program.formats[ready.program.result]
    return "run:\n" + script(ready.text, ready.operands, out, ready.resolved.semiring, str(ready.schedule))
