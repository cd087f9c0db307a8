"""Checking one problem: denotation against reference execution, value by value and structure."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..reference.denote import Denotation, Table
from ..reference.errors import DisagreementError
from ..reference.evaluate import Execution, execute
from ..reference.exact import approximate
from ..reference.format import Format
from ..reference.levels.level import Level
from ..reference.scalars import caster
from ..reference.tensor import Tensor

POINTS = 10**6
SAMPLE = 2000
WORK = 2 * 10**5
Coordinates = tuple[int, ...]


@dataclass(frozen=True)
class Report:
    """What a check compared: coordinates of the result, of how many, and the seed of the sample if not all."""

    execution: Execution
    checked: int
    points: int
    seed: int | None

    def __str__(self) -> str:
        how = "every point" if self.seed is None else f"a sample with seed {self.seed}"
        return f"{self.checked} of {self.points} points agree ({how})"


def check(source: str, operands: Mapping[str, Any], *, seed: int = 0, **settings: Any) -> Report:
    """Evaluate an expression and compare the result with its denotation.

    Up to a million points (and while the sums stay small) all are compared, beyond that a seeded sample, which the
    report says. Raises DisagreementError with the first difference and a script that reproduces it.
    """
    execution = execute(source, operands, **settings)
    denotation = Denotation(execution.problem, {name: table(t) for name, t in execution.operands.items()})
    got = components(execution.result)
    shape = execution.problem.shape
    points = int(np.prod([int(n) for n in shape], dtype=object)) if shape else 1
    whole = points * work(execution) <= min(POINTS, WORK * 5)
    chosen = list(denotation.points()) if whole else list(sampled(shape, sorted(got), seed))
    for i in chosen:
        compare(denotation, execution, got, i)
    return Report(execution, len(chosen), points, None if whole else seed)


def work(execution: Execution) -> int:
    """The number of terms that the sums at one point run over."""
    targets = set(execution.problem.assignment.target.indices)
    extents = dict(execution.program.extents)
    summed = {v for v in extents if v not in targets and execution.program.provenance.derived_from(v) is None}
    total = 1
    for v in summed:
        total *= max(extents[v], 1)
    return total


def table(tensor: Tensor) -> Table:
    """The components of a tensor by coordinates, duplicates apart."""
    found: dict[Coordinates, list[Any]] = {}
    for i, value in tensor.entries():
        found.setdefault(i, []).append(value)
    return found


def components(result: Tensor) -> dict[Coordinates, Any]:
    """The stored components of a result."""
    return dict(result.entries())


def sampled(shape: tuple[int, ...], stored: list[Coordinates], seed: int) -> Iterator[Coordinates]:
    """Some coordinates anywhere and some that are stored."""
    chance = random.Random(seed)
    few = min(SAMPLE, 50)
    yield from chance.sample(stored, min(few, len(stored)))
    if all(shape):
        yield from (tuple(chance.randrange(n) for n in shape) for _ in range(few))


def compare(denotation: Denotation, execution: Execution, got: Mapping[Coordinates, Any], i: Coordinates) -> None:
    """Raise DisagreementError if the value or the structure differs at a coordinate."""
    problem = execution.problem
    value = got.get(i, caster(problem.dtype)(problem.fill))
    meaning = denotation.at(i)
    if not denotation.accepts(i, value):
        expected = approximate(meaning.value)
        raise DisagreementError(
            f"at {i} the result is {value!r}, but the expression means {expected!r} within {meaning.bound:.3g}",
            hint=reproducer(execution),
        )
    present, levels = denotation.is_present(i), execution.result.format.levels
    if present and i not in got:
        raise DisagreementError(f"{i} belongs to the structure but is not stored", hint=reproducer(execution))
    if not present and i in got and not completes(levels):
        raise DisagreementError(f"{i} is stored but does not belong to the structure", hint=reproducer(execution))


def completes(levels: tuple[Level, ...]) -> bool:
    """Whether some level stores coordinates beside those of the structure."""
    return any(level.full for level in levels[-1:]) or not levels


def reproducer(execution: Execution) -> str:
    """A script that evaluates the same problem."""
    problem = execution.problem
    return "run:\n" + script(execution.source, execution.operands, execution.result.format, problem.semiring)


def script(source: str, operands: Mapping[str, Tensor], out: Format, semiring: str | None) -> str:
    """A stand-alone script that checks a problem."""
    lines = ["import gnomon as gn", "from numpy import inf, nan"]
    for name, t in operands.items():
        coords, values = t.components()
        lines.append(
            f"{name} = gn.tensor({coords.tolist()}, {values.tolist()}, {t.shape}, {str(t.format)!r}, "
            f"dtype={t.dtype.name!r}, fill={t.fill!r})"
        )
    given = "".join(f", {name}={name}" for name in operands)
    extra = "" if semiring is None else f", semiring={semiring!r}"
    lines.append(f"print(gn.check({source!r}{given}, out={str(out)!r}{extra}, convert='auto'))")
    return "\n".join(lines)
