"""The prover: obligations in processes of their own, several at once, each with a time limit."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from typing import Any

from msgspec import Struct

from ...reference.algebra.scalars import abbreviate
from ...reference.errors import DisagreementError, GnomonError
from .obligation import Obligation
from .topic import Topic
from .verdict import Proved, Refuted, Unknown, Verdict, detail, print_verdict, status

LIMIT = 300


class Outcome(Struct, frozen=True):
    """What became of an obligation, and in how many seconds."""

    id: str
    statement: str
    verdict: Verdict
    seconds: float

    def as_json(self) -> dict[str, Any]:
        """The outcome for machines."""
        found = {"id": self.id, "statement": self.statement, "status": status(self.verdict)}
        return found | {"detail": detail(self.verdict), "seconds": round(self.seconds, 3)}


class Report(Struct, frozen=True):
    """The outcomes of several obligations, in their order."""

    outcomes: tuple[Outcome, ...]

    @property
    def refutations(self) -> tuple[Outcome, ...]:
        """What does not hold."""
        return tuple(o for o in self.outcomes if isinstance(o.verdict, Refuted))

    @property
    def is_proved(self) -> bool:
        """Whether everything is proved."""
        return all(isinstance(o.verdict, Proved) for o in self.outcomes)

    def counts(self) -> dict[str, int]:
        """How many have each status."""
        found: dict[str, int] = {}
        for o in self.outcomes:
            found[status(o.verdict)] = found.get(status(o.verdict), 0) + 1
        return found

    def __str__(self) -> str:
        said = ", ".join(f"{count} {word}" for word, count in self.counts().items())
        return f"{len(self.outcomes)} obligations: {said or 'none'}"


def choose_obligations(
    obligations: Sequence[Obligation], prefixes: Sequence[str], *, quick: bool = False
) -> list[Obligation]:
    """The obligations that ids or their beginnings name; all without any. Raises GnomonError for one that names none.

    >>> from gnomon.properties.proofs.verdict import Proved
    >>> both = [Obligation("a.x", "", Proved), Obligation("b.x", "", Proved)]
    >>> [o.id for o in choose_obligations(both, ["b"])]
    ['b.x']
    """
    for prefix in prefixes:
        if not isinstance(prefix, str) or not any(o.is_in(prefix) for o in obligations):
            families = ", ".join(dict.fromkeys(o.id.partition(".")[0] for o in obligations))
            raise GnomonError(f"no obligation is called {abbreviate(prefix)}", hint=f"their families are {families}")
    named = [o for o in obligations if not prefixes or any(map(o.is_in, prefixes))]
    return [o for o in named if not (quick and o.slow)]


def prove(obligations: Iterable[Obligation]) -> Report:
    """The report on obligations, attempted here one after the other.

    Raises DisagreementError with the counterexample if one is refuted. What is bounded or unknown is in the report.
    """
    report = Report(tuple(attempt_here(o) for o in obligations))
    if report.refutations:
        first = report.refutations[0]
        raise DisagreementError(f"{first.id} is refuted: {first.statement}\n{print_verdict(first.verdict)}")
    return report


def attempt_here(obligation: Obligation) -> Outcome:
    """One obligation, here and now; an attempt that fails proves nothing."""
    start = time.perf_counter()
    try:
        verdict = obligation.prove()
    except Exception as error:
        verdict = Unknown(f"the attempt failed: {type(error).__name__}: {error}")
    return Outcome(obligation.id, obligation.statement, verdict, time.perf_counter() - start)


@cache
def by_id(topic: Topic) -> dict[str, Obligation]:
    """The obligations of a topic."""
    return {o.id: o for o in topic.obligations()}


def attempt(topic: Topic, id: str, limit: int) -> Outcome:
    """One obligation in a process that ends after `limit` seconds."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(limit)
    try:
        return attempt_here(by_id(topic)[id])
    finally:
        signal.alarm(0)


def outcomes(
    topic: Topic, obligations: Sequence[Obligation], workers: int | None = None, limit: int = LIMIT
) -> Iterator[Outcome]:
    """The outcomes of some obligations of a topic as they come, on as many processes.

    Slow ones come first, so that no process waits for them at the end. `limit` is in seconds, for each. One during
    which the process ends, because it took too long or the solver crashed, is unknown.
    """
    left = {o.id: o for o in sorted(obligations, key=lambda o: not o.slow)}
    for many in (min(workers or os.cpu_count() or 1, max(len(left), 1)), 1):
        for outcome in attempt_in_pool(topic, list(left), many, limit):
            del left[outcome.id]
            yield outcome
    for o in list(left.values()):
        alone = list(attempt_in_pool(topic, [o.id], 1, limit))
        yield alone[0] if alone else Outcome(o.id, o.statement, Unknown(f"no answer in {limit} s"), limit)


def attempt_in_pool(topic: Topic, ids: Sequence[str], workers: int, limit: int) -> Iterator[Outcome]:
    """The outcomes until a process ends."""
    if not ids:
        return
    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
        futures: list[Future[Outcome]] = [pool.submit(attempt, topic, id, limit) for id in ids]
        try:
            for future in as_completed(futures):
                yield future.result()
        except BrokenProcessPool:
            return


def in_order(obligations: Sequence[Obligation], found: Iterable[Outcome]) -> Report:
    """The report on outcomes, in the order of the obligations."""
    order = {o.id: n for n, o in enumerate(obligations)}
    return Report(tuple(sorted(found, key=lambda outcome: order[outcome.id])))
