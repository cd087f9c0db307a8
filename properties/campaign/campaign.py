"""Campaigns: many units against one backend, over any executor, with the same findings whatever that is.

A campaign is a file that grows: chunks of units that are done, and findings. It goes on where it stopped, and what a
worker had begun when it was killed is begun again.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from itertools import chain, islice, takewhile
from pathlib import Path
from typing import Any, TypeVar

import hypothesis
from msgspec import Struct, field
from msgspec.structs import replace

from ...generator.runtime.cache import digest
from ...reference.errors import GnomonError
from ...reference.files.text import write_text
from ..backends.outcome import Kind
from ..backends.worker import Limits
from .examination import Examined, Plan, Sighting, cluster, examine
from .executors import Start
from .findings import (
    Finding,
    Rejected,
    attribute_units,
    explains,
    finding_of,
    finding_of_json,
    known_ingredients,
    unexplained_sightings,
)
from .minimisation import minimise
from .units import Subject

CHUNK = 40
ROUNDS = 40
AT_ONCE = 2
LOSSES = 5
KIND = "campaign 4"
WRONG = (OSError, GnomonError, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
T = TypeVar("T")


class Campaign(Struct):
    """What is known so far: the examined chunks by their first units, and the findings."""

    plan: Plan
    done: dict[int, Examined] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)

    def sightings(self, examples: float = float("inf")) -> list[Sighting]:
        """What was seen in the first units, in their order; causes that differ in names only are put together."""
        found = (s for begin in sorted(self.done) for s in self.done[begin].sightings)
        return cluster([s for s in found if s.unit < examples])

    def outcomes(self) -> Counter[str]:
        """How many units had each outcome."""
        return sum((each.outcomes for each in self.done.values()), Counter())

    def refusals(self) -> Counter[str]:
        """How many units were refused, by reason."""
        return sum((each.refusals for each in self.done.values()), Counter())

    def unexplained_sightings(self) -> list[Sighting]:
        """The sightings that no finding explains."""
        return [s for s in self.sightings() if not any(explains(finding, s) for finding in self.known())]

    def known(self) -> list[Finding]:
        """The findings, and those that are put down to others."""
        return [*self.findings, *(each.finding for each in self.rejected)]

    def remaining_chunks(self, examples: int) -> list[tuple[int, int]]:
        """The chunks of the first units that are not done."""
        chunks = [(begin, min(begin + CHUNK, examples)) for begin in range(0, examples, CHUNK)]
        return [(begin, end) for begin, end in chunks if begin not in self.done or self.done[begin].end < end]


def run(
    campaign: Campaign,
    examples: int,
    start: Start,
    workers: int,
    tell: Callable[[Campaign], None] = lambda campaign: None,
    until: Callable[[], bool] = lambda: False,
) -> None:
    """Examine the first units, then minimise what was found; `tell` after every step.

    `start` makes an executor. No more chunks are begun `until` says that it is enough.
    """
    left = campaign.remaining_chunks(examples)
    tasks = ((campaign.plan, begin, end) for begin, end in takewhile(lambda chunk: not until(), left))
    for examined in distribute(examine, tasks, start, workers):
        campaign.done[examined.begin] = examined
        tell(campaign)
    for _ in range(ROUNDS):
        known = campaign.known()
        open_ = unexplained_sightings(campaign.sightings(examples), known)
        if not open_:
            break
        before = campaign.findings
        tasks_ = [(campaign.plan, s, known_ingredients(s, known)) for s in open_]
        for minimal in distribute(minimise, tasks_, start, workers):
            campaign.findings = [*campaign.findings, finding_of(minimal, bool(campaign.plan.expressions))]
            tell(campaign)
        campaign.findings = before + sorted(campaign.findings[len(before) :], key=first_sighting)
    campaign.findings, campaign.rejected = attribute_units(campaign.sightings(examples), campaign.known())
    tell(campaign)


def first_sighting(finding: Finding) -> tuple[int, str, str]:
    """Where a finding was first seen, and as what."""
    return finding.units[0], finding.kind.value, finding.cause


def distribute(work: Callable[..., T], tasks: Iterable[tuple[Any, ...]], start: Start, workers: int) -> Iterator[T]:
    """The results of tasks, as they come; a task whose worker is killed is done again by another.

    Raises GnomonError if workers end again and again before they have done anything.
    """
    waiting = iter(tasks)
    pending: dict[Future[T], tuple[Any, ...]] = {}
    losses = 0
    while True:
        with start() as executor:
            try:
                while True:
                    for task in islice(waiting, max((AT_ONCE * workers if workers > 1 else 1) - len(pending), 0)):
                        pending[executor.submit(work, *task)] = task
                    if not pending:
                        return
                    done, _ = wait(pending, return_when=FIRST_COMPLETED)
                    for future in done:
                        result = future.result()
                        del pending[future]
                        losses = 0
                        yield result
            except Exception as error:
                if not is_loss(error):
                    raise
                losses += 1
                if losses > LOSSES:
                    raise GnomonError(f"workers end before they have done anything: {error}") from None
                waiting = chain(list(pending.values()), waiting)
                pending = {}


def is_loss(error: Exception) -> bool:
    """Whether an error says that a worker ended, and not that its work failed."""
    return isinstance(error, BrokenExecutor | CancelledError) or type(error).__name__ == "KilledWorker"


def save(campaign: Campaign, path: Path, version: str) -> None:
    """Write a campaign, whole or not at all. Raises FileError if it cannot be written."""
    plan = campaign.plan
    text = {
        "gnomon": KIND,
        "backend": plan.backend,
        "version": version,
        "subject": plan.subject.value,
        "expressions": list(plan.chosen),
        "strategies": fingerprint(plan),
        "seed": plan.seed,
        "limits": {"seconds": plan.limits.seconds, "memory": plan.limits.memory},
        "units": sum(each.end - each.begin for each in campaign.done.values()),
        "outcomes": dict(campaign.outcomes()),
        "refusals": dict(campaign.refusals().most_common()),
        "findings": [finding.as_json() for finding in campaign.findings],
        "rejected": [each.as_json() for each in campaign.rejected],
        "unexplained": [sighting_as_json(s) for s in campaign.unexplained_sightings()],
        "done": [chunk_as_json(campaign.done[begin]) for begin in sorted(campaign.done)],
    }
    partial = path.with_name(f"{path.name}.partial")
    try:
        write_text(partial, json.dumps(text, indent=1))
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def fingerprint(plan: Plan) -> str:
    """What units depend on besides the seed: features, strategies, and the Hypothesis that draws them."""
    folder = Path(__file__).parents[1]
    files = [
        *sorted((folder / "strategies").glob("*.py")),
        folder / "programs" / "features.py",
        folder / "programs" / "unrolling.py",
        Path(__file__).with_name("units.py"),
    ]
    drawn = (repr(plan.features), repr(plan.expressions))
    return digest(hypothesis.__version__, *drawn, *(path.read_text() for path in files))


def sighting_as_json(seen: Sighting) -> list[Any]:
    """A sighting as JSON holds it."""
    return [seen.unit, seen.step, seen.kind.value, seen.cause, sorted(seen.ingredients)]


def chunk_as_json(examined: Examined) -> dict[str, Any]:
    """A chunk as JSON holds it."""
    seen = [sighting_as_json(s) for s in examined.sightings]
    counts = {"outcomes": dict(examined.outcomes), "refusals": dict(examined.refusals)}
    return {"begin": examined.begin, "end": examined.end, **counts, "sightings": seen}


def resume(plan: Plan, path: Path, version: str) -> Campaign:
    """The campaign in a file, or a new one; about the expressions in the file if none are chosen. Raises GnomonError if
    the file holds another."""
    if not path.exists():
        return Campaign(plan)
    if not path.is_file():
        raise GnomonError(f"{path} is no campaign: it is not a regular file", hint="give a new file")
    try:
        given = json.loads(path.read_text())
        if given["gnomon"] != KIND:
            raise ValueError(f"it is a {given['gnomon']!r}, not a {KIND!r}")
        seconds, memory = given["limits"]["seconds"], given["limits"]["memory"]
        limits = Limits(of(seconds, int, float), of(memory, int))
        chosen = tuple(of(each, str) for each in of(given["expressions"], list))
        held = Plan(of(given["backend"], str), of(given["seed"], int), limits, Subject(given["subject"]), chosen)
        against, drawn = of(given["version"], str), of(given["strategies"], str)
        done = {chunk.begin: chunk for chunk in map(chunk_of_json, given["done"])}
        findings = [finding_of_json(each) for each in given["findings"]]
        rejected = [Rejected(finding_of_json(each), natural(each["explained by"])) for each in given["rejected"]]
        for finding in (*findings, *(each.finding for each in rejected)):
            finding.as_json()
    except WRONG as error:
        raise GnomonError(
            f"{path} is no campaign: {error}", hint="give a new file, or one that an earlier run wrote"
        ) from None
    if not plan.chosen:
        plan = replace(plan, chosen=held.chosen)
    if (held, against) != (plan, version):
        about = f" of {', '.join(map(repr, held.chosen))}" if held.chosen else ""
        raise GnomonError(
            f"{path} holds a campaign of {held.subject}s{about} against {held.backend} {against} with seed "
            f"{held.seed}, {held.limits.seconds:g} s and {held.limits.memory >> 30} GiB",
            hint="give a new file, or the same subject, expressions, backend, seed and limits",
        )
    if drawn != fingerprint(plan):
        raise GnomonError(f"{path} holds units that other strategies drew", hint="give a new file")
    return Campaign(plan, done, findings, rejected)


def chunk_of_json(given: dict[str, Any]) -> Examined:
    """The chunk that JSON holds. Raises ValueError, TypeError, KeyError or AttributeError for what is none."""
    begin, end = natural(given["begin"]), natural(given["end"])
    outcomes = Counter({Kind(kind).value: natural(count) for kind, count in given["outcomes"].items()})
    refusals = Counter({reason: natural(count) for reason, count in given["refusals"].items()})
    sightings = tuple(
        Sighting(natural(unit), natural(step), Kind(kind), of(cause, str), frozenset(of(each, str) for each in made))
        for unit, step, kind, cause, made in given["sightings"]
    )
    if begin % CHUNK or not begin < end <= begin + CHUNK or outcomes.total() != end - begin:
        raise ValueError(f"{outcomes.total()} outcomes are no chunk from {begin} to {end}")
    if not all(begin <= seen.unit < end for seen in sightings):
        raise ValueError(f"the chunk from {begin} to {end} tells of other units")
    return Examined(begin, end, outcomes, refusals, sightings)


def natural(given: Any) -> int:
    """A count or the number of a unit. Raises TypeError or ValueError."""
    if of(given, int) < 0:
        raise ValueError(f"{given} is negative")
    return int(given)


def of(given: Any, *kinds: type[T]) -> T:
    """A value of one of some types; truth values are no numbers. Raises TypeError."""
    if isinstance(given, bool) or not isinstance(given, kinds):
        raise TypeError(f"{given!r} is not {' or '.join(kind.__name__ for kind in kinds)}")
    return given
