"""Conformance: a system against the suite, as a table of rules and outcomes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...reference.errors import DisagreementError, GnomonError
from ..backends import loaded
from ..backends.backend import Batched, promises_of
from ..backends.outcome import Kind, Outcome, judge
from ..backends.worker import Answer, Limits, Sandbox, answer
from ..problem import Problem
from .rule import Case
from .suite import RULES, identity, suite

BATCH = 40
STATUSES = ("passed", "failed", "refused", "excluded")


@dataclass(frozen=True)
class Verdict:
    """What came of a case: passed, failed, refused (a documented limitation) or excluded, and why."""

    case: Case
    status: str
    reason: str = ""


@dataclass(frozen=True)
class Report:
    """The verdicts on a system, whose name and version stand beside the suite's."""

    system: str
    suite: str
    verdicts: tuple[Verdict, ...]

    @property
    def failed(self) -> tuple[Verdict, ...]:
        """The cases that failed."""
        return tuple(v for v in self.verdicts if v.status == "failed")

    def rows(self) -> Iterator[tuple[str, str, str, dict[str, int]]]:
        """Every rule: its id, what it says, the outcome, and how many cases had each status.

        The outcome is `fails` if a case failed, `holds` if some passed, else `not shown`.
        """
        counts: dict[str, Counter[str]] = {}
        for v in self.verdicts:
            counts.setdefault(v.case.rule, Counter())[v.status] += 1
        for rule in RULES:
            found = counts.get(rule.id, Counter())
            outcome = "fails" if found["failed"] else "holds" if found["passed"] else "not shown"
            yield rule.id, rule.what, outcome, {status: found[status] for status in STATUSES}

    def markdown(self) -> str:
        """The table, then what failed and what was left out."""
        lines = [f"# {self.system}: {self.suite}", "", f"| rule | | outcome | {' | '.join(STATUSES)} |"]
        lines.append("|---|---|---|" + "---:|" * len(STATUSES))
        for rule, what, outcome, counts in self.rows():
            lines.append(f"| {rule} | {what} | {outcome} | {' | '.join(str(counts[s]) for s in STATUSES)} |")
        for title, status in (("Failed", "failed"), ("Excluded", "excluded")):
            said = [
                f"- `{v.case.id}` `{v.case.problem.source}`: {v.reason}" for v in self.verdicts if v.status == status
            ]
            lines += ["", f"## {title}", "", *said] if said else []
        return "\n".join(lines) + "\n"

    def as_json(self) -> dict[str, Any]:
        """The report as JSON holds it."""
        rules = [{"rule": r, "what": w, "outcome": o, **counts} for r, w, o, counts in self.rows()]
        cases = [{"case": v.case.id, "status": v.status, "reason": v.reason} for v in self.verdicts]
        return {"system": self.system, "suite": self.suite, "rules": rules, "cases": cases}


def conform(backend: Any, *, exclude: Mapping[str, str] | None = None) -> Report:
    """Run a backend through the conformance suite; to be called from another project's own tests.

    `backend` is an object, which runs in this process, or a name or `MODULE:OBJECT`, which runs in one of its own with
    limits. `exclude` maps ids of cases that are known to fail to the reason. Raises DisagreementError with the table if
    a case fails that is not excluded, or an excluded one passes; GnomonError for an id that no case has.

    >>> from gnomon.properties.backends.own import Reference
    >>> "fails" in conform(Reference()).markdown()
    False
    """
    report = examined(backend, exclude or {})
    stale = [v for v in report.verdicts if v.status == "excluded" and v.reason == PASSES]
    if report.failed or stale:
        what = f"{len(report.failed)} cases fail, {len(stale)} exclusions are not needed"
        raise DisagreementError(f"{report.system} does not conform to {report.suite}: {what}\n{report.markdown()}")
    return report


PASSES = "passes, so that it need not be excluded"


def examined(backend: Any, exclude: Mapping[str, str], tell: Callable[[int], None] = lambda done: None) -> Report:
    """The report on a backend, whatever it is; `tell` how many problems are done: cases may share them."""
    cases = suite()
    unknown = sorted(set(exclude) - {case.id for case in cases})
    if unknown:
        raise GnomonError(f"no case is called {', '.join(unknown)}", hint="ids are listed by gnomon conform --json")
    named = loaded(backend) if isinstance(backend, str) else backend
    problems = {id(case.problem): case.problem for case in cases}
    found: dict[int, Answer] = {}
    for key, given in zip(problems, answers(backend, list(problems.values())), strict=True):
        found[key] = given
        tell(len(found))
    promises = promises_of(named)
    verdicts = (verdict(c, found[id(c.problem)], promises, exclude.get(c.id)) for c in cases)
    return Report(f"{named.name} {named.version}", identity(), tuple(verdicts))


def answers(backend: Any, problems: Sequence[Problem]) -> Iterator[Answer]:
    """What a backend makes of problems: an object here, a name in a process of its own."""
    batches = [problems[n : n + BATCH] for n in range(0, len(problems), BATCH)]
    if isinstance(backend, str):
        with Sandbox(backend, Limits(seconds=30.0)) as made:
            for batch in batches:
                yield from made.answers(batch)
        return
    for problem in problems:
        if isinstance(backend, Batched):
            backend.prepare([problem])
        yield answer(backend, problem)


def verdict(case: Case, found: Answer, promises: Sequence[str], excluded: str | None) -> Verdict:
    """What an answer is for a case."""
    status, reason = refusal(found) if case.refused else comparison(case, found, promises)
    if excluded is None:
        return Verdict(case, status, reason)
    return Verdict(case, "excluded", PASSES if status == "passed" else f"{excluded} ({reason})")


def refusal(found: Answer) -> tuple[str, str]:
    """The verdict on what must be refused."""
    match found:
        case Outcome(kind=Kind.REFUSED | Kind.RAISED | Kind.MEANINGLESS):
            return "passed", ""
        case Outcome(kind=kind, detail=detail):
            return "failed", f"{kind}: {detail}"
        case _:
            return "failed", "a result was given for what has no meaning"


def comparison(case: Case, found: Answer, promises: Sequence[str]) -> tuple[str, str]:
    """The verdict on what has a meaning."""
    outcome = found if isinstance(found, Outcome) else judge(case.problem, found, promises)
    match outcome.kind:
        case Kind.AGREES:
            return "passed", ""
        case Kind.REFUSED:
            return "refused", outcome.cause
        case kind:
            return "failed", f"{kind}: {outcome.detail or outcome.cause}"
