"""Products taken apart unasked: how, by the sizes of their operands.

Of the schedules whose temporaries have one variable at most, those are kept without which nothing near the least work
(`work.py`) would be left for some of a sample of sizes. Integers are left alone: a part of a product may not fit where
the whole does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from itertools import starmap
from typing import Any, NamedTuple

import numpy as np

from ...errors import ScheduleError
from ...statement.statement import Program
from ...storage.coordinate_map import Rank, Term
from ..autoschedule.partition import Partition
from ..autoschedule.unasked import default_schedule, take, threads, tile
from ..schedule import Schedule, as_schedule
from .choice import Choice, Finalist, Place, Size
from .constraints import extent_name, prefix_name, prefix_names
from .contraction import Contraction
from .cost import Sizes
from .finalists import in_tiles, on_lanes
from .graph import Branch, structure
from .locality import access_cost, disorder
from .realisation import realise
from .smaller import few_schedules
from .space import Found
from .transposition import Variant, transpositions
from .work import Work
from .works import Works

MOST, VARIABLES = 2_500, 1  # schedules that are looked at, and variables of a temporary
CONVERT, FEW = "convert ", 1_000  # how graphs behind conversions begin; schedules beside which these are tried
POINTS, NEAR, ALIKE = 400, 1.1, 64  # sizes in the sample, how near the least is near, and an extent like any other
LEAST, FAR, EMPTY = 4.0, 1e5, 0.1  # extents in the sample, and components of a fiber at least


class Candidate(NamedTuple):
    """A branched schedule of a contraction, some operand of which may be converted."""

    variant: Variant
    found: Found


def choose_products(program: Program, contraction: Contraction) -> Choice | None:
    """The choice among ways to take a program's product apart, which is a contraction; None if nothing is to be taken
    apart."""
    if program.dtypes[program.result].kind in "iu":
        return None
    try:
        variant = Variant(contraction, program)
        made = starmap(finalist, least_somewhere(variant.contraction, candidates(variant)))
        finalists = tuple(sorted(made, key=lambda each: each.structure.startswith(CONVERT)))
    except ScheduleError:
        return None
    places = places_of(program, variant.contraction)
    copied = any(place.tensor in program.workspace for place in places.values())
    are_known = set(places) >= names_in(finalists) and not copied
    return Choice(finalists, places) if are_known and any("|" in each.structure for each in finalists) else None


def candidates(variant: Variant) -> Iterator[Candidate]:
    """The schedules of a contraction; if they are few, those with an operand in another order too, which share what is
    left to look at."""
    own = few_schedules(variant.contraction, VARIABLES, MOST)
    yield from (Candidate(variant, found) for found in own)
    others = list(transpositions(variant)) if len(own) <= FEW else []
    for each in others:
        with suppress(ScheduleError):
            share = (MOST - len(own)) // len(others)
            yield from [Candidate(each, found) for found in few_schedules(each.contraction, VARIABLES, share)]


def finalist(candidate: Candidate, done: Work) -> Finalist:
    """A schedule in parallel, with its work."""
    return Finalist(commands_of(candidate), structure_of(candidate), done)


def structure_of(candidate: Candidate) -> str:
    """The graph of a schedule, behind what is converted for it."""
    return "".join(f"{CONVERT}{tensor}; " for tensor in candidate.variant.origins) + structure(candidate.found.graph)


def names_in(finalists: Iterable[Finalist]) -> set[str]:
    """The sizes that some work depends on."""
    return {name for each in finalists for name in each.work.names}


def places_of(program: Program, contraction: Contraction) -> dict[str, Place]:
    """Where the sizes of a contraction are found."""
    found = dict[str, Place]()
    for operand in (each for each in contraction.operands if each.levels):
        modes = [mode_of(term) for term in program.formats[operand.tensor].map.terms]
        found |= {extent_name(v): Place(operand.tensor, k, modes[k], Size.EXTENT) for k, v in enumerate(operand.levels)}
    stored = prefix_names(contraction)
    return found | {
        name: Place(contraction.operands[n].tensor, depth - 1, 0, Size.COORDINATES) for name, n, depth in stored
    }


def mode_of(term: Term) -> int:
    """The mode that a level's coordinate comes from; 0 for those of ranks, which no array has."""
    return 0 if isinstance(term, Rank) else term.mode


def commands_of(candidate: Candidate) -> Schedule:
    """The commands of a schedule: what branches, with its outermost loop on threads if the result is dense, rows in
    tiles, and innermost loops on lanes; those of the linear nest if nothing is converted, and nothing branches."""
    variant, found = candidate
    if not isinstance(found.graph, Branch) and not variant.commands:
        return default_schedule(variant.program)
    made = realise(variant.program, variant.contraction, found)
    parted = Partition((*variant.commands, *made.commands), made.program, ())
    parallel = on_lanes(in_tiles(take(parted, threads(made.program))))
    return Schedule(as_schedule(str(Schedule(parallel.commands))).commands)


def least_somewhere(contraction: Contraction, every: Iterable[Candidate]) -> Iterator[tuple[Candidate, Work]]:
    """Schedules of which one is near the least work for every one of a sample of sizes, with their work; those first
    that are for the most."""
    works, groups = cache(works_of), dict[Work, list[Candidate]]()
    for candidate in every:
        done = works(candidate.variant).of(candidate.found)
        groups.setdefault(done, []).append(candidate)
    sample, listed = sample_of(contraction), list(groups)
    once = cache(lambda term: np.broadcast_to(term.evaluate(sample), POINTS))
    values = np.array([sum(n * once(term) for n, term in each.terms) for each in listed]).reshape(-1, POINTS)
    near = values <= NEAR * values.min(axis=0, initial=np.inf)
    while near.any():
        best = int(near.sum(axis=1).argmax())
        yield best_arranged(groups[listed[best]]), listed[best]
        near &= ~near[best]


def works_of(variant: Variant) -> Works:
    """The work of the schedules of a variant."""
    return Works(variant.contraction, not variant.commands and bool(tile(variant.program)))


def best_arranged(alike: Iterable[Candidate]) -> Candidate:
    """The one of schedules with the same work that has the smallest temporaries, and walks best."""

    def costs(candidate: Candidate) -> tuple[int, float, int]:
        contraction, found = candidate.variant.contraction, candidate.found
        sizes = Sizes(dict.fromkeys(contraction.loops, ALIKE), {})
        return found.graph.memory_depth, access_cost(contraction, found, sizes), disorder(contraction, found)

    return min(alike, key=costs)


def sample_of(contraction: Contraction) -> dict[str, Any]:
    """Sizes of many kinds: extents, and how many components fibers have."""
    random = np.random.default_rng(0)

    def between(least: Any, most: Any) -> Any:
        return np.exp(random.uniform(np.log(least), np.log(most), POINTS))

    sample = {extent_name(v): between(LEAST, FAR) for v in contraction.loops}
    for name, number, depth in prefix_names(contraction):
        *above, last = map(extent_name, contraction.operands[number].levels[:depth])
        parent = sample.get(prefix_name(contraction, number, depth - 1), np.prod([sample[v] for v in above], axis=0))
        sample[name] = parent * between(EMPTY, sample[last])
    return sample
