"""Verdicts: what a proof attempt found out. Only `Proved` counts as proved."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

Values = tuple[tuple[str, str], ...]
"""Names with values, as they are printed: of a counterexample or of a witness."""


class Proved(Struct, frozen=True):
    """The statement holds; a statement that something exists has a `witness`."""

    witness: Values = ()


class Refuted(Struct, frozen=True):
    """The statement does not hold: there is a counterexample."""

    counterexample: Values


class Bounded(Struct, frozen=True):
    """The statement holds as far as it was looked at: `bound` says how far."""

    bound: str


class Unknown(Struct, frozen=True):
    """Nothing was found out, and why."""

    reason: str


Verdict = Proved | Refuted | Bounded | Unknown
STATUSES = ("proved", "refuted", "bounded", "unknown")


def status(verdict: Verdict) -> str:
    """A verdict in a word.

    >>> status(Bounded("loops up to 4 iterations"))
    'bounded'
    """
    match verdict:
        case Proved():
            return "proved"
        case Refuted():
            return "refuted"
        case Bounded():
            return "bounded"
        case Unknown():
            return "unknown"


def detail(verdict: Verdict) -> str:
    """What a verdict says beyond its status: the counterexample, the bound, the reason, or the witness.

    >>> detail(Refuted((("a", "1"), ("b", "-1"))))
    'a = 1, b = -1'
    """
    match verdict:
        case Proved(witness=values) | Refuted(counterexample=values):
            return ", ".join(f"{name} = {value}" for name, value in values)
        case Bounded(bound=text) | Unknown(reason=text):
            return text


def print_verdict(verdict: Verdict) -> str:
    """The same in lines, one for each value of a counterexample, as a reader meets it.

    >>> print(print_verdict(Refuted((("input", "x = [1]"), ("goes wrong", "y is 2")))))
    input: x = [1]
    goes wrong: y is 2
    """
    if isinstance(verdict, Refuted):
        return "\n".join(f"{name}: {value}" for name, value in verdict.counterexample)
    return detail(verdict)


def together(verdicts: Iterable[Verdict]) -> Verdict:
    """The verdict on a statement that says all of several things: a refutation first, then what is not known.

    Of several witnesses, the first. That nothing was asked is not known to hold: a set that was meant to have members
    may have lost them.

    >>> together([Proved(), Bounded("up to 4"), Unknown("time"), Proved()])
    Unknown(reason='time')
    >>> together([])
    Unknown(reason='nothing was asked')
    """
    found = up_to(verdicts, Refuted)
    return of_each(found) if found else Unknown("nothing was asked")


def of_each(verdicts: Iterable[Verdict]) -> Verdict:
    """The same for a statement about each of several things of which there may be none: then it holds.

    >>> of_each([])
    Proved(witness=())
    """
    found = up_to(verdicts, Refuted)
    for kind in (Refuted, Unknown, Bounded):
        for verdict in found:
            if isinstance(verdict, kind):
                return verdict
    return next((v for v in found if isinstance(v, Proved) and v.witness), Proved())


def up_to(verdicts: Iterable[Verdict], kind: type[Verdict]) -> list[Verdict]:
    """Verdicts up to the first of a kind, if there is one: nothing else is asked after a verdict that decides."""
    found: list[Verdict] = []
    for verdict in verdicts:
        found.append(verdict)
        if isinstance(verdict, kind):
            break
    return found
