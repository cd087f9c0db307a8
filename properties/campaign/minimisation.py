"""Minimisation: the simplest program with the outcome of a unit.

Hypothesis's shrinker makes the expression simpler, unless the campaign is about some expressions; then operands become
plainer, one step after another. Whatever is left after a while is what is reported.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from unittest import SkipTest

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as reproducible
from hypothesis.database import InMemoryExampleDatabase
from hypothesis.errors import Flaky, FlakyFailure
from hypothesis.strategies import SearchStrategy
from msgspec import Struct

from ..backends.outcome import Kind, Outcome
from ..programs.problem import Problem
from .examination import ONE_AT_A_TIME, Plan, Sighting, alone, outcomes
from .ingredients import essential, of_storage
from .plainer_contents import STEPS, Step, valid_steps
from .plainer_storage import plainer
from .units import ATTEMPTS, Unit, bytes_of

TRIES = {Kind.HUNG: 25, Kind.CRASHED: 250, Kind.EXHAUSTED: 100}
MOST = 300
IDLE = 100
"""After so many tries in vain, the shrinker is done."""
RESTORED = 3
"""The part of tries and time that is left for plainer operands at least."""
SECONDS = 15.0
"""How long the shrinker may take for a finding."""
PLAINEST = frozenset({"order 0"})


class Minimal(Struct, frozen=True):
    """The simplest program that was found to show what a sighting shows; `steady` if it does so alone, every time.

    `plainest`: what it is made of in the plainest formats in which it shows that, those of what is known among them.
    """

    sighting: Sighting
    problem: Problem
    outcome: Outcome
    steady: bool
    plainest: frozenset[str] = frozenset()


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
    (first,) = outcomes(plan, [original])
    search = Search(plan, sighting, known, (original, first))
    if sighting.is_shown(first.kind, first.cause):
        if not plan.expressions:
            shrink(plan.units, plan.seed, sighting.unit, search.shows_simpler)
        search.make_plainer()
    problem, _ = search.best
    last = alone(plan, problem)
    if sighting.is_shown(last.kind, last.cause):
        return Minimal(sighting, problem, last, True, search.plainest_storage() if known else frozenset())
    again = alone(plan, original)
    return Minimal(sighting, original, again, steady=sighting.is_shown(again.kind, again.cause))


class Search:
    """A search for simpler programs: the best so far, and the tries and the time that are left."""

    def __init__(
        self, plan: Plan, sighting: Sighting, known: Sequence[frozenset[str]], best: tuple[Problem, Outcome]
    ) -> None:
        self.plan, self.sighting, self.known, self.best = plan, sighting, known, best
        self.tries = self.left = TRIES.get(sighting.kind, MOST)
        self.idle = 0
        self.end = time.monotonic() + SECONDS

    def shows_simpler(self, problem: Problem) -> bool:
        """Whether a program made of nothing else shows it. Raises Enough, too, after many that do not."""
        self.idle += 1
        if self.idle > IDLE:
            raise Enough
        made = self.plan.ingredients(problem)
        return self.shows(problem, made - PLAINEST <= self.sighting.ingredients and self.is_new(made))

    def shows(self, problem: Problem, allowed: bool) -> bool:
        """Whether a program shows it, which is the best then. Raises Enough if no tries or no time are left."""
        self.left -= 1
        if self.left < 0 or time.monotonic() > self.end:
            raise Enough
        if not allowed:
            return False
        (outcome,) = outcomes(self.plan, [problem])
        if not self.sighting.is_shown(outcome.kind, outcome.cause):
            return False
        self.best, self.idle = (problem, outcome), 0
        return True

    def is_new(self, made: frozenset[str]) -> bool:
        """Whether something is not put down to what is known."""
        return not any(other <= made for other in self.known)

    def make_plainer(self) -> None:
        """Make operands and result plainer as long as anything does; tries and time that the shrinker took are restored
        in part. What the shrinker has left has few components: its formats come first."""
        self.left = max(self.left, self.tries // RESTORED)
        self.end = max(self.end, time.monotonic() + SECONDS / RESTORED)
        features = self.plan.features
        contents: list[Step] = [partial(valid_steps, step, features=features) for step in STEPS]
        storage: list[Step] = [partial(plainer, features=features)]
        steps = contents + storage if self.plan.expressions else storage + contents
        with suppress(Enough):
            before = None
            while self.best is not before:
                before = self.best
                for step in steps:
                    self.repeat(step)

    def repeat(self, step: Step) -> None:
        """Take a step as often as what it leads to shows it."""
        while any(self.shows(each, self.is_allowed(each)) for each in step(self.best[0])):
            pass

    def plainest_storage(self) -> frozenset[str]:
        """What the best program is made of in the plainest formats that show it, whatever is known."""

        def contents(problem: Problem) -> set[str]:
            return {each for each in self.plan.ingredients(problem) if not of_storage(each)}

        own, self.left = contents(self.best[0]), self.tries
        with suppress(Enough):
            while any(self.shows(e, contents(e) == own) for e in plainer(self.best[0], self.plan.features)):
                pass
        return self.plan.ingredients(self.best[0])

    def is_allowed(self, problem: Problem) -> bool:
        """Whether a program is made of nothing else but formats as a whole, and nothing that is known explains it."""
        made = self.plan.ingredients(problem)
        return essential(made) - PLAINEST <= self.sighting.ingredients and self.is_new(made)


def shrink(units: SearchStrategy[Unit], seed: int, number: int, shows: Callable[[Problem], bool]) -> None:
    """Run a predicate on the programs of simpler and simpler units, from that of a number, until it raises Enough; on
    none, where the unit of that number does not show again what it has shown."""
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
    except (Shown, Flaky, FlakyFailure, Enough, SkipTest):
        return
