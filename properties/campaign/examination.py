"""Examinations: what a backend makes of a run of units. This is what workers do, in whatever process."""

from __future__ import annotations

import atexit
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import islice
from threading import RLock
from typing import Any

from hypothesis.strategies import SearchStrategy
from msgspec import Struct
from msgspec.structs import replace

from ..backends import load
from ..backends.backend import expressions_of, features_of, promises_of
from ..backends.outcome import Kind, Outcome, gist, judge
from ..backends.worker import Limits, Sandbox
from ..programs.features import Features
from ..programs.problem import Problem
from .ingredients import ingredients
from .units import Subject, Unit, unit, units

SEVERAL = 3
PATIENCE = 6.0
"""How many times the limit a program has alone: what a backend compiles at a first call is slow, and does not hang."""
ONE_AT_A_TIME = RLock()
"""Threads of a process share its sandboxes and what draws programs."""


class Plan(Struct, frozen=True):
    """All that the findings of a campaign depend on: the backend, by name or `MODULE:OBJECT`, the seed, the limits, and
    what is drawn: instances of the `chosen` expressions, if there are any."""

    backend: str
    seed: int
    limits: Limits = Limits()
    subject: Subject = Subject.PROGRAM
    chosen: tuple[str, ...] = ()

    @property
    def features(self) -> Features:
        """What programs use."""
        return features_of(find_backend(self.backend))

    @property
    def expressions(self) -> tuple[str, ...]:
        """The expressions of which programs are instances, those of the backend unless others are chosen; any, if there
        are none, and in procedures."""
        if self.subject is Subject.PROCEDURE:
            return ()
        return self.chosen or expressions_of(find_backend(self.backend))

    @property
    def units(self) -> SearchStrategy[Unit]:
        """What units are drawn by."""
        return units(self.subject, self.features, self.expressions)

    def unit(self, number: int) -> Unit:
        """The unit of a number."""
        return unit(self.subject, self.features, self.seed, number, self.expressions)

    def ingredients(self, problem: Problem) -> frozenset[str]:
        """What a program is made of, as far as this campaign tells findings apart by it."""
        return ingredients(problem, named=bool(self.expressions))


class Sighting(Struct, frozen=True):
    """A unit with an outcome that is a finding, the step that has it, and what the program of that is made of."""

    unit: int
    step: int
    kind: Kind
    cause: str
    ingredients: frozenset[str]

    def is_shown(self, kind: Kind, cause: str) -> bool:
        """Whether an outcome is this one; where causes are put together, whatever names it has."""
        return kind is self.kind and self.cause in (cause, gist(cause))


def cluster(sightings: Sequence[Sighting]) -> list[Sighting]:
    """Sightings whose causes are put together where several differ in names only."""
    causes: dict[tuple[Kind, str], set[str]] = {}
    for seen in sightings:
        causes.setdefault((seen.kind, gist(seen.cause)), set()).add(seen.cause)
    several = {key for key, found in causes.items() if len(found) >= SEVERAL}
    return [
        replace(s, cause=gist(s.cause)) if s.kind is Kind.RAISED and (s.kind, gist(s.cause)) in several else s
        for s in sightings
    ]


class Examined(Struct, frozen=True):
    """What came of the units from `begin` up to `end`: outcomes, why some were refused, and what was found."""

    begin: int
    end: int
    outcomes: Counter[str]
    refusals: Counter[str]
    sightings: tuple[Sighting, ...]


@cache
def find_backend(spec: str) -> Any:
    """The backend itself, asked for its features and promises only; programs run in the process of `sandbox`."""
    return load(spec)


@cache
def sandbox(spec: str, limits: Limits) -> Sandbox:
    """The process for a backend that belongs to this one."""
    made = Sandbox(spec, limits)
    atexit.register(made.stop)
    return made


def outcomes(plan: Plan, problems: Sequence[Problem]) -> list[Outcome]:
    """The outcome of every problem."""
    promises = promises_of(find_backend(plan.backend))
    answers = list(sandbox(plan.backend, plan.limits).answers(problems))
    return [
        found if isinstance(found, Outcome) else judge(problem, found, promises)
        for problem, found in zip(problems, answers, strict=True)
    ]


def alone(plan: Plan, problem: Problem) -> Outcome:
    """The outcome of a problem in a fresh process, which goes on with those after it; what does not answer in time has
    more time in another."""
    sandbox(plan.backend, plan.limits).stop()
    (outcome,) = last_outcomes(plan, [problem])
    return outcome


def patiently(plan: Plan, problem: Problem) -> Outcome:
    """The outcome of a problem in a fresh process, in which it has more time."""
    patient = replace(plan, limits=replace(plan.limits, seconds=PATIENCE * plan.limits.seconds))
    sandbox(plan.backend, plan.limits).stop()
    own = sandbox(patient.backend, patient.limits)
    own.stop()
    (outcome,) = outcomes(patient, [problem])
    own.stop()
    return outcome


def last_outcomes(plan: Plan, problems: Sequence[Problem]) -> list[Outcome]:
    """The outcome of every problem; what does not answer in time is run alone before it is said to hang."""
    first = outcomes(plan, problems)
    return [patiently(plan, p) if o.kind is Kind.HUNG else o for p, o in zip(problems, first, strict=True)]


def decide(found: Sequence[Outcome]) -> tuple[int, Outcome]:
    """What a unit comes to, and by which step: the first finding, else the first step that does not agree, if any.

    A procedure of which the backend takes no step is refused.

    >>> decide([Outcome(Kind.AGREES), Outcome(Kind.REFUSED), Outcome(Kind.HUNG)])[0]
    2
    """
    none = (0, Outcome(Kind.REFUSED, "every step"))
    return min(enumerate(found), default=none, key=lambda each: (not each[1].is_finding, each[1].kind is Kind.AGREES))


def examine(plan: Plan, begin: int, end: int) -> Examined:
    """Draw the units from `begin` up to `end`, run them and compare the results."""
    with ONE_AT_A_TIME:
        drawn = {number: plan.unit(number).problems for number in range(begin, end)}
        problems = [problem for own in drawn.values() for problem in own]
        found = iter(last_outcomes(plan, problems))
    decided = {number: decide(list(islice(found, len(own)))) for number, own in drawn.items()}
    sightings = [
        Sighting(number, step, outcome.kind, outcome.cause, plan.ingredients(drawn[number][step]))
        for number, (step, outcome) in decided.items()
        if outcome.is_finding
    ]
    last = [outcome for _, outcome in decided.values()]
    refusals = Counter(outcome.cause for outcome in last if outcome.kind is Kind.REFUSED)
    return Examined(begin, end, Counter(outcome.kind.value for outcome in last), refusals, tuple(sightings))
