"""Minimisation: the simplest program with the outcome of a unit, by Hypothesis's shrinker."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as reproducible
from hypothesis.database import InMemoryExampleDatabase
from hypothesis.errors import Flaky, FlakyFailure
from hypothesis.strategies import SearchStrategy
from msgspec import Struct

from ..backends.outcome import Kind, Outcome
from ..programs.problem import Problem
from .examination import ONE_AT_A_TIME, Plan, Sighting, alone, outcomes
from .ingredients import ingredients
from .plainer_storage import plainer
from .units import ATTEMPTS, Unit, bytes_of

TRIES = {Kind.HUNG: 25, Kind.CRASHED: 250, Kind.EXHAUSTED: 100}
MOST = 300
RESTORED = 6
"""The part of the tries that is left for plainer formats at least."""
PLAINEST = frozenset({"order 0"})


class Minimal(Struct, frozen=True):
    """The simplest program that was found to show what a sighting shows; `steady` if it does so alone, every time."""

    sighting: Sighting
    problem: Problem
    outcome: Outcome
    steady: bool


class Shown(Exception):
    """The program shows it."""


class Enough(BaseException):
    """No more programs are tried. No exception of a program, so that shrinking does not go on with it."""


def minimise(plan: Plan, sighting: Sighting, known: Sequence[frozenset[str]] = ()) -> Minimal:
    """Shrink the program of a sighting as long as the outcome is of its kind and cause.

    A simpler program is made of nothing that the first was not, scalars apart, and lacks some ingredient of everything
    that is `known`: shrinking does not slide from one defect into another. Formats become plainer in the end.
    """
    with ONE_AT_A_TIME:
        return simplest(plan, sighting, known)


def simplest(plan: Plan, sighting: Sighting, known: Sequence[frozenset[str]]) -> Minimal:
    """The simplest program that shows what a sighting shows."""
    original = plan.unit(sighting.unit).problems[sighting.step]
    first = alone(plan, original)
    if not sighting.is_shown(first.kind, first.cause):
        return Minimal(sighting, original, first, steady=False)
    best = (original, first)
    tries = TRIES.get(sighting.kind, MOST)
    left = tries

    def new(made: frozenset[str]) -> bool:
        return not any(other <= made for other in known)

    def shows_simpler(problem: Problem) -> bool:
        made = ingredients(problem)
        return shows(problem, made - PLAINEST <= sighting.ingredients and new(made))

    def shows(problem: Problem, allowed: bool) -> bool:
        nonlocal best, left
        left -= 1
        if left < 0:
            raise Enough
        if not allowed:
            return False
        (outcome,) = outcomes(plan, [problem])
        if not sighting.is_shown(outcome.kind, outcome.cause):
            return False
        best = (problem, outcome)
        return True

    shrink(plan.units, plan.seed, sighting.unit, shows_simpler)
    left = max(left, tries // RESTORED)
    with suppress(Enough):
        while any(shows(each, new(ingredients(each))) for each in plainer(best[0], plan.features)):
            pass
    last = alone(plan, best[0])
    if not sighting.is_shown(last.kind, last.cause):
        return Minimal(sighting, original, first, steady=True)
    return Minimal(sighting, best[0], last, steady=True)


def shrink(units: SearchStrategy[Unit], seed: int, number: int, shows: Callable[[Problem], bool]) -> None:
    """Run a predicate on the programs of simpler and simpler units, from that of a number, until it raises Enough."""
    database = InMemoryExampleDatabase()

    @settings(
        database=database, deadline=None, phases=[Phase.reuse, Phase.shrink], suppress_health_check=list(HealthCheck)
    )
    @reproducible(0)
    @given(units)
    def try_unit(unit: Unit) -> None:
        if any(map(shows, unit.problems)):
            raise Shown

    for attempt in range(ATTEMPTS):
        try:
            try_unit.hypothesis.fuzz_one_input(bytes_of(seed, number, attempt))  # type: ignore[attr-defined]
        except (Shown, Flaky, FlakyFailure):
            break
    try:
        try_unit()
    except (Shown, Flaky, FlakyFailure, Enough):
        return
