"""Conformance: a system against the suite, as a table of rules and outcomes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from ...reference.errors import DisagreementError, ExpressionError
from ..backends import load
from ..backends.backend import Batched, promises_of
from ..backends.outcome import Kind, Outcome, judge
from ..backends.result import Result
from ..backends.worker import Answer, Limits, Sandbox, answer
from ..programs.problem import Problem
from .rule import Case
from .suite import RULES, check_ids, identity, suite

BATCH = 40
STATUSES = ("passed", "failed", "refused", "excluded")


class Verdict(Struct, frozen=True):
    """What came of a case: passed, failed, refused or excluded, and why.

    `refused` is a documented limitation, or an answer that says nothing about the rule: nothing shown, nothing wrong.
    """

    case: Case
    status: str
    reason: str = ""


class Report(Struct, frozen=True):
    """The verdicts on a system, whose name and version stand beside the suite's.

    `place` is what the command line calls the system by, if it can.
    """

    system: str
    suite: str
    verdicts: tuple[Verdict, ...]
    place: str | None = None

    @property
    def failures(self) -> tuple[Verdict, ...]:
        """The cases that failed."""
        return tuple(v for v in self.verdicts if v.status == "failed")

    @property
    def fault(self) -> str | None:
        """Why the system does not conform: what fails, what is excluded without need, or that nothing passes."""
        stale = [v for v in self.verdicts if v.status == "excluded" and v.reason == PASSES]
        if self.failures or stale:
            needless = f" ({', '.join(v.case.id for v in stale)})" if stale else ""
            return f"{len(self.failures)} cases fail, {len(stale)} exclusions are not needed{needless}"
        return None if any(v.status == "passed" for v in self.verdicts) else "no case passes"

    def alone(self, case: Case) -> str:
        """How a case is run alone."""
        return (
            f"gn.conform(backend, cases=[{case.id!r}])"
            if self.place is None
            else (f"gnomon conform {self.place} --case {case.id}")
        )

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
        """The table, then what failed, each with the program and how to run it alone, and what was left out."""
        lines = [f"# {self.system}: {self.suite}", "", f"| rule | | outcome | {' | '.join(STATUSES)} |"]
        lines.append("|---|---|---|" + "---:|" * len(STATUSES))
        for rule, what, outcome, counts in self.rows():
            lines.append(f"| {rule} | {what} | {outcome} | {' | '.join(str(counts[s]) for s in STATUSES)} |")
        said = [self.failure(v) for v in self.failures]
        lines += ["", "## Failed", *said] if said else []
        said = [
            f"- `{v.case.id}` `{v.case.problem.source}`: {v.reason}" for v in self.verdicts if v.status == "excluded"
        ]
        lines += ["", "## Excluded", "", *said] if said else []
        return "\n".join(lines) + "\n"

    def failure(self, v: Verdict) -> str:
        """What failed in Markdown: the reason, the formats and data as a program, how to run it alone."""
        program = repr(v.case.problem).replace("\n", "\n    ")
        return f"\n- `{v.case.id}` {v.reason}\n\n    {program}\n\n  alone: `{self.alone(v.case)}`"

    def as_json(self) -> dict[str, Any]:
        """The report as JSON holds it."""
        rules = [{"rule": r, "what": w, "outcome": o, **counts} for r, w, o, counts in self.rows()]
        cases = [
            {"case": v.case.id, "status": v.status, "reason": v.reason, **self.reproducers(v)} for v in self.verdicts
        ]
        return {"system": self.system, "suite": self.suite, "rules": rules, "cases": cases}

    def reproducers(self, v: Verdict) -> dict[str, str]:
        """The program of a case that failed, and how it is run alone."""
        return {"program": repr(v.case.problem), "alone": self.alone(v.case)} if v.status == "failed" else {}


def conform(backend: Any, *, exclude: Mapping[str, str] | None = None, cases: Sequence[str] = ()) -> Report:
    """Run a backend through the conformance suite; to be called from another project's own tests.

    `backend` is an object or a class, which runs in this process, or a name or `MODULE:OBJECT`, which runs in one of
    its own with limits. `exclude` maps ids of cases that are known to fail to the reason; `cases` are the ids of those
    to run, all of them if it is empty. Raises DisagreementError with
    the table if a case fails that is not excluded, an excluded one passes, or none passes; BackendError for what is no
    backend, before any case is made; GnomonError for an id that no case has, or without a reason.

    >>> from gnomon.properties.backends.own import Reference
    >>> "fails" in conform(Reference(), cases=["denote.missing.operand/typed-1"]).markdown()
    False
    """
    report = examine(backend, {} if exclude is None else exclude, only=cases)
    if report.fault is not None:
        what = f"{report.system} does not conform to {report.suite}: {report.fault}"
        raise DisagreementError(f"{what}\n{report.markdown()}")
    return report


PASSES = "passes, so that it need not be excluded"


def examine(
    backend: Any,
    exclude: Mapping[str, str],
    tell: Callable[[int], None] = lambda done: None,
    only: Sequence[str] = (),
) -> Report:
    """The report on a backend, whatever it is, on all cases or on `only` some; `tell` how many problems are done: cases
    may share them. What must be refused is judged beside the other cases of its rule, which run too."""
    made = load(backend)
    check_reasons(exclude)
    check_only(only)
    check_ids((*exclude, *only))
    asked = tuple(case for case in suite() if not only or case.id in only)
    beside = {case.rule for case in asked if case.refused}
    cases = tuple(case for case in suite() if not only or case.id in only or case.rule in beside)
    problems = {id(case.problem): case.problem for case in cases}
    found: dict[int, Answer] = {}
    runs = backend if isinstance(backend, str) else made
    for key, given in zip(problems, answers(runs, list(problems.values())), strict=True):
        found[key] = given
        tell(len(found))
    promises = promises_of(made)
    meant = {c.id: comparison(c, found[id(c.problem)], promises) for c in cases if not c.refused}
    shown = {c.rule for c in cases if not c.refused and meant[c.id][0] == "passed"}
    judged = meant | {c.id: refusal(found[id(c.problem)], c.rule in shown) for c in cases if c.refused}
    verdicts = tuple(verdict(c, *judged[c.id], exclude.get(c.id)) for c in asked)
    return Report(f"{made.name} {made.version}", identity(), verdicts, backend if isinstance(backend, str) else None)


def check_only(ids: Sequence[str]) -> None:
    """Refuse what is no list of ids."""
    if isinstance(ids, str) or not isinstance(ids, Collection) or not all(isinstance(each, str) for each in ids):
        raise ExpressionError(
            f"cases is {ids!r}, not ids of cases",
            hint='write cases=["denote.missing.operand/drawn-2"]',
            rule="error.python",
        )


def check_reasons(exclude: Mapping[str, str]) -> None:
    """Refuse exclusions that are no ids with reasons."""
    if not isinstance(exclude, Mapping):
        raise ExpressionError(
            f"exclude is {exclude!r}, not ids of cases with reasons",
            hint='write exclude={"denote.missing.operand/drawn-2": "why"}',
            rule="error.python",
        )
    for case, reason in exclude.items():
        if not (isinstance(case, str) and isinstance(reason, str) and reason.strip()):
            raise ExpressionError(
                f"exclude has {case!r}: {reason!r}, not the id of a case and the reason for its exclusion",
                hint='write exclude={"denote.missing.operand/drawn-2": "why"}',
                rule="error.python",
            )


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


def verdict(case: Case, status: str, reason: str, excluded: str | None) -> Verdict:
    """The verdict on a case, which may be excluded."""
    if excluded is None:
        return Verdict(case, status, reason)
    return Verdict(case, "excluded", PASSES if status == "passed" else f"{excluded} ({reason})")


def refusal(found: Answer, shown: bool) -> tuple[str, str]:
    """The verdict on what must be refused: an exception is right if cases of the rule without a mistake are `shown`."""
    match found:
        case Outcome(kind=Kind.REFUSED, cause=cause):
            return "refused", cause
        case Outcome(kind=Kind.RAISED) if shown:
            return "passed", ""
        case Outcome(kind=Kind.RAISED, cause=cause):
            return "refused", f"no case of the rule passes, so that it may be for another reason: {cause}"
        case Outcome(kind=kind, detail=detail):
            return "failed", f"{kind}: {detail}"
        case _:
            return "failed", "a result was given for what has no meaning"


def comparison(case: Case, found: Answer, promises: Sequence[str]) -> tuple[str, str]:
    """The verdict on what has a meaning."""
    outcome = found if isinstance(found, Outcome) else judge(case.problem, found, promises)
    match outcome.kind:
        case Kind.AGREES if missing := [need for need in case.needs if not says(need, case, found, promises)]:
            return "refused", f"the result does not show its {' and '.join(missing)}"
        case Kind.AGREES:
            return "passed", ""
        case Kind.REFUSED:
            return "refused", outcome.cause
        case kind:
            return "failed", f"{kind}: {outcome.detail or outcome.cause}"


def says(need: str, case: Case, found: Answer, promises: Sequence[str]) -> bool:
    """Whether a result says something about structure or dtype: it is promised, and dense arrays have no structure."""
    dense = isinstance(found, Result) and not found.stored
    apart = need == "structure" and dense and not case.problem.out.is_whole
    return need in promises and not apart
