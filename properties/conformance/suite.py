"""The suite: cases for every rule, the same ones in every process, under a name and a version."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from ...generator.runtime.cache import digest
from ...reference.errors import GnomonError
from ...reference.nearest import nearest
from ..campaign.coverage import reached_cells
from ..campaign.units import nth_program
from ..programs.features import EVERYTHING
from ..programs.problem import Problem
from . import (
    agreement,
    branching,
    denotation,
    devices,
    errors,
    execution,
    formats,
    generating,
    graphs,
    levels,
    loops,
    masks,
    notation,
    operators,
    scheduling,
    statements,
    types,
)
from .rule import Case, Cell, Rule

NAME = "gnomon"
VERSION = "5"
SEED = 2018
POOL = 200
DRAWN = 2
RULES = (
    *notation.RULES,
    *types.RULES,
    *operators.RULES,
    *denotation.RULES,
    *agreement.RULES,
    *masks.RULES,
    *levels.RULES,
    *formats.RULES,
    *statements.RULES,
    *loops.RULES,
    *execution.RULES,
    *scheduling.RULES,
    *branching.RULES,
    *generating.RULES,
    *devices.RULES,
    *graphs.RULES,
    *errors.RULES,
)
Pool = list[tuple[Problem, frozenset[Cell]]]


@cache
def suite() -> tuple[Case, ...]:
    """Every case, by rule: those by hand, those that must be refused, and random programs that exercise the rule."""
    drawn = pool(POOL)
    return tuple(case for rule in RULES for case in cases(rule, drawn))


@cache
def pool(count: int) -> Pool:
    """So many random programs with what they reach, small ones first."""
    drawn = [nth_program(EVERYTHING, SEED, number) for number in range(count)]
    ordered = sorted(drawn, key=lambda p: (len(p.operands), len(p.source) + len(str(p.schedule))))
    return [(problem, frozenset(reached_cells(problem))) for problem in ordered]


def cases(rule: Rule, drawn: Pool) -> Iterator[Case]:
    """The cases of a rule: `fill.2/typed-1`, `fill.2/refused-1`, `fill.2/drawn-1` and so on."""
    for n, problem in enumerate(rule.meant, 1):
        yield Case(f"{rule.id}/typed-{n}", rule.id, problem, needs=rule.needs)
    for n, problem in enumerate(rule.refused, 1):
        yield Case(f"{rule.id}/refused-{n}", rule.id, problem, refused=True, needs=rule.needs)
    if rule.shows is None:
        return
    fitting = [problem for problem, found in drawn if rule.shows(problem, found)]
    step = max(len(fitting) // DRAWN, 1)
    for n, problem in enumerate(fitting[::step][:DRAWN], 1):
        yield Case(f"{rule.id}/drawn-{n}", rule.id, problem, needs=rule.needs)


def check_ids(ids: Iterable[str]) -> None:
    """Refuse ids that no case has. Those that no case can have are refused before random programs are drawn."""
    asked = set(ids)
    for known in (possible, actual):
        names = tuple(known()) if asked else ()
        wrong = sorted(asked.difference(names))
        if wrong:
            near = nearest(wrong[0], names)
            hint = f"did you mean {near[0]}?" if near else "ids are listed by gnomon conform BACKEND --json"
            raise GnomonError(f"no case is called {', '.join(wrong)}", hint=hint)


def possible() -> Iterator[str]:
    """The ids that cases may have: so many random programs need not fit a rule."""
    for rule in RULES:
        counts = {"typed": len(rule.meant), "refused": len(rule.refused), "drawn": DRAWN * (rule.shows is not None)}
        for kind, count in counts.items():
            yield from (f"{rule.id}/{kind}-{n}" for n in range(1, count + 1))


def actual() -> Iterator[str]:
    """The ids of the cases."""
    return (case.id for case in suite())


@cache
def identity() -> str:
    """The suite's name, version and a digest of its cases."""
    return f"{NAME}-{VERSION}-{digest(*(f'{c.id}{c.refused}{c.needs}{c.problem!r}' for c in suite()))[:12]}"
