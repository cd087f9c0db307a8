"""Findings: sightings put together by cause, one minimal program for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ..backends.outcome import Kind, gist
from ..programs.case_file import meaning_as_json, problem_as_json, problem_of_json
from ..programs.problem import Problem
from .examination import Sighting
from .ingredients import essential, expression_among, ingredients, oddities
from .minimisation import PLAINEST, Minimal

TRIES = 3


class Finding(Struct, frozen=True):
    """A cause: the simplest program that shows it, what the backend made of that, the units where it was seen, and the
    step of the first of them.

    Not `steady` if the program of its first unit does not show it alone in a fresh process. `plainest`: what the
    program is made of in the plainest formats that show it, even if a finding is known that may be shown there. `named`
    if programs are instances of some expressions, by which findings are told apart then.
    """

    kind: Kind
    cause: str
    problem: Problem
    detail: str
    steady: bool
    units: tuple[int, ...]
    step: int
    plainest: frozenset[str] = frozenset()
    named: bool = False

    @property
    def ingredients(self) -> frozenset[str]:
        """What a program needs to show it."""
        return ingredients(self.problem, self.named)

    def as_json(self) -> dict[str, Any]:
        """The finding as JSON holds it."""
        return {
            "kind": self.kind.value,
            "cause": self.cause,
            "detail": self.detail,
            "steady": self.steady,
            "count": len(self.units),
            "units": list(self.units),
            "step": self.step,
            "ingredients": sorted(self.ingredients),
            "plainest": sorted(self.plainest),
            "named": self.named,
            "problem": problem_as_json(self.problem),
            "expected": meaning_as_json(self.problem),
        }


class Rejected(Struct, frozen=True):
    """A minimal program that is put down to another finding, whose program was first seen in `unit`."""

    finding: Finding
    unit: int

    def as_json(self) -> dict[str, Any]:
        """What was rejected, and why, as JSON holds it."""
        return {**self.finding.as_json(), "explained by": self.unit}


def finding_of_json(given: dict[str, Any]) -> Finding:
    """The finding that JSON holds. Raises CaseError for its problem, TypeError, ValueError or KeyError for the rest."""
    units, step = given["units"], given["step"]
    texts = (given["cause"], given["detail"])
    if not all(isinstance(text, str) for text in texts):
        raise TypeError(f"{texts} are not the texts of a finding")
    if not units or not all(type(number) is int and number >= 0 for number in (*units, step)):
        raise ValueError(f"{units} and {step} are not the units of a finding and a step of the first")
    plainest = given["plainest"]
    if not isinstance(plainest, list) or not all(isinstance(text, str) for text in plainest):
        raise TypeError(f"{plainest} is not what a program is made of")
    problem, steady, named = problem_of_json(given["problem"]), bool(given["steady"]), bool(given["named"])
    return Finding(
        Kind(given["kind"]), texts[0], problem, texts[1], steady, tuple(units), step, frozenset(plainest), named
    )


def finding_of(minimal: Minimal, named: bool = False) -> Finding:
    """The finding that a minimal program is, seen once."""
    seen, outcome = minimal.sighting, minimal.outcome
    detail = outcome.detail if minimal.steady else f"not alone in a fresh process, where it is: {outcome.kind}"
    steady, units = minimal.steady, (seen.unit,)
    return Finding(seen.kind, seen.cause, minimal.problem, detail, steady, units, seen.step, minimal.plainest, named)


def unexplained_sightings(sightings: Iterable[Sighting], findings: Sequence[Finding]) -> list[Sighting]:
    """Of every outcome that no finding explains, the sighting whose program is made of least; where expressions are
    named, of every expression.

    For an exception, a few are tried: shrinking does not always end at the simplest program.
    """
    tried = Counter((f.kind, f.cause) for f in findings)
    simplest: dict[tuple[Kind, str, str], Sighting] = {}
    for sighting in sorted(sightings, key=lambda s: (len(s.ingredients), s.unit)):
        outcome = (sighting.kind, sighting.cause)
        enough = says_why(sighting) and tried[outcome] >= TRIES
        if not enough and not any(is_simpler(finding, sighting) for finding in findings):
            simplest.setdefault((*outcome, expression_among(sighting.ingredients)), sighting)
    return list(simplest.values())


def known_ingredients(sighting: Sighting, findings: Sequence[Finding]) -> list[frozenset[str]]:
    """What the findings with the outcome of a sighting are made of."""
    return [f.ingredients for f in findings if sighting.is_shown(f.kind, f.cause)]


def attribute_units(sightings: Sequence[Sighting], findings: Sequence[Finding]) -> tuple[list[Finding], list[Rejected]]:
    """The findings that no simpler one explains, each with its units, in the order in which they were first seen.

    Beside them the findings that are put down to others. A unit counts for one finding.
    """
    simplest: list[Finding] = []
    causes: list[tuple[Finding, int]] = []
    for finding in sorted(findings, key=lambda f: (len(f.ingredients), f.units)):
        cause = next((n for n, other in enumerate(simplest) if has_cause(finding, other)), len(simplest))
        if cause == len(simplest):
            simplest.append(finding)
        causes.append((finding, cause))
    explained: list[list[Sighting]] = [[] for _ in simplest]
    for sighting in sightings:
        first = cause_of(sighting, causes)
        if first is not None:
            explained[first].append(sighting)
    kept = list(map(with_units, simplest, explained))
    rejected = [Rejected(f, kept[cause].units[0]) for f, cause in causes if f is not simplest[cause]]
    return sorted(kept, key=lambda f: f.units), rejected


def other_expressions(finding: Finding, rejected: Sequence[Rejected]) -> list[str]:
    """The expressions of programs that are put down to a finding about another."""
    found = dict.fromkeys(each.finding.problem.source for each in rejected if each.unit == finding.units[0])
    return [source for source in found if finding.named and source != finding.problem.source]


def cause_of(sighting: Sighting, causes: Sequence[tuple[Finding, int]]) -> int | None:
    """The cause, of those of some findings, that a sighting counts for: that of the finding minimised from it, or else
    of the first finding that explains it."""
    own = (cause for finding, cause in causes if finding.units == (sighting.unit,) and is_simpler(finding, sighting))
    others = (cause for finding, cause in causes if explains(finding, sighting))
    return next(chain(own, others), None)


def with_units(finding: Finding, sightings: Sequence[Sighting]) -> Finding:
    """A finding with the units of the sightings that it explains, if there are any."""
    if not sightings:
        return finding
    return replace(finding, units=tuple(seen.unit for seen in sightings), step=sightings[0].step)


def explains(finding: Finding, sighting: Sighting) -> bool:
    """Whether a sighting may be put down to a finding: the same outcome, and every ingredient is there.

    Exceptions that say something are told apart by that, whatever the program is made of.
    """
    return is_simpler(finding, sighting) or (says_why(finding) and sighting.is_shown(finding.kind, finding.cause))


def is_simpler(finding: Finding, sighting: Sighting) -> bool:
    """Whether a finding needs nothing that the program of a sighting has not got; what was minimised from that may have
    got plainer formats and scalars."""
    needed = finding.ingredients
    if sighting.unit in finding.units:
        needed = essential(needed) - PLAINEST
    return sighting.is_shown(finding.kind, finding.cause) and needed <= sighting.ingredients


def has_cause(finding: Finding, other: Finding) -> bool:
    """Whether a finding may be put down to another: it is made of more, or of the same in another format, or is shown
    in formats in which it is. Of two named expressions, if the other's operands are odd, and its own likewise."""
    if finding.kind is not other.kind or finding.cause not in (other.cause, gist(other.cause)):
        return False
    made, simpler = finding.ingredients, other.ingredients
    alike = simpler <= made or simpler <= finding.plainest or essential(simpler) == essential(made)
    odd = oddities(simpler)
    shared = expression_among(made) != expression_among(simpler) and odd and odd <= made
    return says_why(finding) or alike or bool(shared)


def says_why(seen: Finding | Sighting) -> bool:
    """Whether it is an exception with a message."""
    return seen.kind is Kind.RAISED and ": " in seen.cause
