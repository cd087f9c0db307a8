"""Units: what the n-th number of a campaign stands for, drawn from its seed and that number alone."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable
from enum import StrEnum
from functools import cache

from hypothesis import HealthCheck, given, settings
from hypothesis.errors import HypothesisDeprecationWarning
from hypothesis.strategies import SearchStrategy, none, one_of
from msgspec import Struct

from ...reference.algebra.operators import ADD, MUL
from ...reference.errors import GnomonError, InternalError
from ...reference.notation.reductions import explicit
from ...reference.notation.syntax import Reduce, applied_operators, nodes
from ...reference.notation.text import Text, as_text
from ..programs.features import Features
from ..programs.problem import Problem
from ..programs.unrolling import unroll
from ..strategies.instances import instances
from ..strategies.procedures import Drawn, procedures
from ..strategies.programs import programs, rings

BYTES = 8192
ATTEMPTS = 20
Draw = Callable[[bytes], object]


class Subject(StrEnum):
    """What units are: single assignments, or several in order and in loops."""

    PROGRAM = "program"
    PROCEDURE = "procedure"


class Unit(Struct, frozen=True):
    """What was drawn, as text, and the problems that it comes to: that of a program, or those of the steps that a
    procedure unrolls to, as far as they use nothing but some features."""

    text: str
    problems: tuple[Problem, ...]


def units(subject: Subject, features: Features, expressions: tuple[str, ...] = ()) -> SearchStrategy[Unit]:
    """The units of a subject whose problems use nothing but some features: if expressions are given, instances of
    these."""
    match subject:
        case Subject.PROGRAM:
            named = [instances_in_rings(expression, features) for expression in expressions]
            return (one_of(named) if named else programs(features)).map(
                lambda problem: Unit(problem.source, (problem,))
            )
        case Subject.PROCEDURE:
            return procedures().map(lambda drawn: unit_of_procedure(drawn, features))


def instances_in_rings(expression: str, features: Features) -> SearchStrategy[Problem]:
    """Instances of an expression, in the semirings that features have if all that it does is add and multiply."""
    rings_or_none = rings(features) if adds_and_multiplies(as_text(expression)) else none()
    return rings_or_none.flatmap(
        lambda ring: instances(expression, features, semiring=None if ring is None else ring.name)
    )


def adds_and_multiplies(text: Text) -> bool:
    """Whether an expression has a meaning in semirings: whether its operators are + and *, written or implied."""
    a = explicit(text.assignment, text.source)
    reductions = [e.operator for e in nodes(a.value) if isinstance(e, Reduce)]
    return {*applied_operators(a.value), *reductions, a.operator or ADD} <= {ADD, MUL}


def unit_of_procedure(drawn: Drawn, features: Features) -> Unit:
    """The unit that a procedure comes to."""
    line = unroll(drawn.procedure, drawn.operands)
    return Unit(str(drawn.procedure), tuple(problem for problem in line if features.lacks(problem) is None))


@cache
def drawer(subject: Subject, features: Features, expressions: tuple[str, ...]) -> tuple[Draw, list[Unit]]:
    """What draws a unit from bytes, and where it puts it."""
    found: list[Unit] = []

    @settings(database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(units(subject, features, expressions))
    def draw(drawn: Unit) -> None:
        found.append(drawn)

    return draw.hypothesis.fuzz_one_input, found  # type: ignore[attr-defined]


def bytes_of(seed: int, number: int, attempt: int) -> bytes:
    """The bytes that a unit is drawn from."""
    return hashlib.shake_256(f"{seed}:{number}:{attempt}".encode()).digest(BYTES)


def unit(subject: Subject, features: Features, seed: int, number: int, expressions: tuple[str, ...] = ()) -> Unit:
    """The unit of a number. The same in every process, whatever was drawn before.

    Hypothesis warns where a strategy uses `random`. Ours do not, but other threads may meanwhile, as those of
    dask.distributed do.

    >>> from gnomon.properties.programs.features import EVERYTHING
    >>> len({unit(Subject.PROCEDURE, EVERYTHING, 1, number).text for number in (7, 7, 8)})
    2
    """
    draw, found = drawer(subject, features, expressions)
    for attempt in range(ATTEMPTS):
        found.clear()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", HypothesisDeprecationWarning)
            draw(bytes_of(seed, number, attempt))
        if found:
            return found.pop()
    if expressions:
        raise not_drawn(expressions)
    raise InternalError(f"no {subject} is drawn for unit {number} of seed {seed}")


def check_expressions(features: Features, expressions: tuple[str, ...]) -> None:
    """Raise GnomonError for an expression that is none, or of which features allow no instance."""
    for expression in expressions:
        explicit(as_text(expression).assignment, expression)
        drawn = unit(Subject.PROGRAM, features, 0, 0, (expression,)).problems[0]
        lacking = features.lacks(drawn)
        if lacking is not None and features.lacks(unit(Subject.PROGRAM, features, 0, 1, (expression,)).problems[0]):
            raise GnomonError(
                f"{expression!r} is not for a backend whose features lack {lacking}",
                hint="leave the expression out, or widen the features of the backend",
            )


def not_drawn(expressions: tuple[str, ...]) -> GnomonError:
    """That expressions have no instances."""
    return GnomonError(
        f"no operands are drawn for {' or '.join(map(repr, expressions))} with the features of the backend",
        hint="an operator refuses every dtype of the features, or they have no format of an order that it reads",
    )


def nth_program(features: Features, seed: int, number: int) -> Problem:
    """The program of a number."""
    (problem,) = unit(Subject.PROGRAM, features, seed, number).problems
    return problem
