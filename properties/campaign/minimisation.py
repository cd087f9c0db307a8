"""Minimisation: the simplest program with the outcome of a unit, by Hypothesis's shrinker."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as reproducible
from hypothesis.database import InMemoryExampleDatabase
from hypothesis.errors import Flaky, FlakyFailure

from ..backends.outcome import Kind, Outcome
from ..features import Features
from ..problem import Problem
from ..strategies.programs import programs
from .examination import ONE_AT_A_TIME, Plan, Sighting, alone, outcomes
from .units import ATTEMPTS, bytes_of

TRIES = {Kind.HUNG: 25, Kind.CRASHED: 250, Kind.EXHAUSTED: 100}
MOST = 600


@dataclass(frozen=True)
class Minimal:
    """The simplest program that was found to show what a sighting shows; `steady` if it does so alone, every time."""

    sighting: Sighting
    problem: Problem
    outcome: Outcome
    steady: bool


class Shown(Exception):
    """The program shows it."""


def minimise(plan: Plan, sighting: Sighting) -> Minimal:
    """Shrink the program of a sighting as long as the outcome is of its kind and cause, each try in a fresh state."""
    with ONE_AT_A_TIME:
        return simplest(plan, sighting)


def simplest(plan: Plan, sighting: Sighting) -> Minimal:
    """The simplest program that shows what a sighting shows."""
    original = plan.unit(sighting.unit)
    first = alone(plan, original)
    if (first.kind, first.cause) != (sighting.kind, sighting.cause):
        return Minimal(sighting, original, first, steady=False)
    best = (original, first)
    left = TRIES.get(sighting.kind, MOST)

    def shows(problem: Problem) -> bool:
        nonlocal best, left
        left -= 1
        if left < 0:
            return False
        (outcome,) = outcomes(plan, [problem])
        if (outcome.kind, outcome.cause) != (sighting.kind, sighting.cause):
            return False
        best = (problem, outcome)
        return True

    shrink(plan.features, plan.seed, sighting.unit, shows)
    last = alone(plan, best[0])
    if (last.kind, last.cause) != (sighting.kind, sighting.cause):
        return Minimal(sighting, original, first, steady=True)
    return Minimal(sighting, *best, steady=True)


def shrink(features: Features, seed: int, number: int, shows: Callable[[Problem], bool]) -> None:
    """Run a predicate on simpler and simpler programs, from that of a unit."""
    database = InMemoryExampleDatabase()

    @settings(
        database=database, deadline=None, phases=[Phase.reuse, Phase.shrink], suppress_health_check=list(HealthCheck)
    )
    @reproducible(0)
    @given(programs(features))
    def tried(problem: Problem) -> None:
        if shows(problem):
            raise Shown

    for attempt in range(ATTEMPTS):
        try:
            tried.hypothesis.fuzz_one_input(bytes_of(seed, number, attempt))  # type: ignore[attr-defined]
        except (Shown, Flaky, FlakyFailure):
            break
    try:
        tried()
    except (Shown, Flaky, FlakyFailure):
        return
