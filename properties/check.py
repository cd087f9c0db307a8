"""Checking one problem: denotation against reference execution and generated C, value by value and structure."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..generator.kernel import kernel_for
from ..generator.request import chosen
from ..reference.denote import Denotation
from ..reference.errors import DisagreementError, GnomonError, StorageError, Unsupported
from ..reference.evaluate import Execution, executed
from ..reference.exact import approximate
from ..reference.format import Format
from ..reference.levels.level import Level
from ..reference.preparation import Prepared, prepare
from ..reference.scalars import caster
from ..reference.substitution import same_value
from ..reference.tensor import Tensor
from .problem import script, table

TERMS = 10**6
SAMPLE = 50
FEW = 20
Coordinates = tuple[int, ...]
NAMES = {"reference": "reference", "c": "C"}


@dataclass(frozen=True)
class Report:
    """What a check compared: coordinates of the result, of how many, and the seed of the sample if not all.

    `engines` are those whose results agree with the denotation; `refused` says why C was left out, if it was.
    """

    execution: Execution
    checked: int
    points: int
    seed: int | None
    engines: tuple[str, ...]
    refused: str | None = None

    def __str__(self) -> str:
        how = "every point" if self.seed is None else f"a sample with seed {self.seed}"
        by = " and ".join(NAMES[engine] for engine in self.engines)
        without = "" if self.refused is None else f"; C refused: {self.refused}"
        return f"{self.checked} of {self.points} points agree ({how}; {by}{without})"


def check(
    source: str,
    operands: Mapping[str, Any],
    *,
    seed: int = 0,
    engines: tuple[str, ...] = ("reference", "c"),
    **settings: Any,
) -> Report:
    """Evaluate an expression and compare the results with its denotation.

    While points times the terms of their sums stay below a million, all points are compared, beyond that a seeded
    sample, which the report says. Raises DisagreementError with the first difference, or what an engine broke down
    with, and a script that reproduces it.
    """
    ready = prepare(source, operands, **settings)
    with unbroken("reference", ready):
        execution = executed(ready)
    results, refused = {"reference": execution.result}, None
    if "c" in engines:
        try:
            with unbroken("c", ready):
                results["c"] = by_kernel(execution, settings)
        except Unsupported as error:
            refused = error.message
    denotation = Denotation(execution.problem, {name: table(t) for name, t in execution.operands.items()})
    tables = {engine: components(result, execution, engine) for engine, result in results.items()}
    shape = execution.problem.shape
    points = int(np.prod([int(n) for n in shape], dtype=object)) if shape else 1
    whole = points * work(execution) <= TERMS
    stored = sorted({i for got in tables.values() for i in got})
    places = list(denotation.points()) if whole else list(sampled(shape, stored, seed))
    for engine, got in tables.items():
        for i in places:
            compare(denotation, execution, results[engine].format, got, i, engine)
    return Report(execution, len(places), points, None if whole else seed, tuple(results), refused)


def by_kernel(execution: Execution, settings: Mapping[str, Any]) -> Tensor:
    """The result by generated C of what the reference has run. Raises Unsupported where C is not generated.

    Raises DisagreementError if C refuses what the reference ran in any other way, or does not compile; CompileError if
    there is no compiler.
    """
    chosen()
    try:
        return kernel_for(execution.source, execution.operands, **settings).run(execution.operands)
    except Unsupported:
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
    except (GnomonError, MemoryError):
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
    if ours.keys() != theirs.keys():
        i = min(ours.keys() ^ theirs.keys())
        which = "reference" if i in ours else "C"
        raise DisagreementError(f"{i} is stored by {which} alone", hint=reproducer(execution))
    differing = [i for i, value in ours.items() if not same_value(value, theirs[i])]
    if not differing:
        return len(ours)
    denotation = Denotation(execution.problem, {name: table(t) for name, t in execution.operands.items()})
    for i in random.Random(seed).sample(differing, min(len(differing), FEW)):
        for engine, got in (("reference", ours), ("c", theirs)):
            compare(denotation, execution, execution.result.format, got, i, engine)
    return len(ours)


def work(execution: Execution) -> int:
    """The number of terms that the sums at one point run over."""
    targets = set(execution.problem.assignment.target.indices)
    extents = dict(execution.program.extents)
    summed = {v for v in extents if v not in targets and execution.program.provenance.derived_from(v) is None}
    total = 1
    for v in summed:
        total *= max(extents[v], 1)
    return total


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


def sampled(shape: tuple[int, ...], stored: list[Coordinates], seed: int) -> Iterator[Coordinates]:
    """Some coordinates anywhere and some that are stored."""
    chance = random.Random(seed)
    yield from chance.sample(stored, min(SAMPLE, len(stored)))
    if all(shape):
        yield from (tuple(chance.randrange(n) for n in shape) for _ in range(SAMPLE))


def compare(
    denotation: Denotation,
    execution: Execution,
    format: Format,
    got: Mapping[Coordinates, Any],
    i: Coordinates,
    engine: str = "reference",
) -> None:
    """Raise DisagreementError if the value or the structure that an engine gave differs at a coordinate."""
    problem, by = execution.problem, NAMES[engine]
    value = got.get(i, caster(problem.dtype)(problem.fill))
    meaning = denotation.at(i)
    if not denotation.accepts(i, value):
        expected = approximate(meaning.value)
        raise DisagreementError(
            f"at {i} the result of {by} is {value!r}, but the expression means {expected!r} within {meaning.bound:.3g}",
            hint=reproducer(execution),
        )
    present = denotation.is_present(i)
    if present and i not in got:
        raise DisagreementError(f"{by}: {i} belongs to the structure but is not stored", hint=reproducer(execution))
    if not present and i in got and not completes(format.levels):
        raise DisagreementError(f"{by}: {i} is stored but does not belong to the structure", hint=reproducer(execution))


def completes(levels: tuple[Level, ...]) -> bool:
    """Whether some level stores coordinates beside those of the structure."""
    return any(level.full for level in levels[-1:]) or not levels


def reproducer(ready: Prepared | Execution) -> str:
    """A script that evaluates the same problem."""
    out = dict(ready.program.formats)[ready.program.result]
    return "run:\n" + script(ready.source, ready.operands, out, ready.problem.semiring, str(ready.schedule))
