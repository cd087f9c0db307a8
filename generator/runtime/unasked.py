"""What a request follows unasked, kept in the cache: a schedule, or several to choose from by the sizes of operands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...reference.errors import GnomonError
from ...reference.schedule.autoschedule.unasked import AUTO, default_schedule
from ...reference.schedule.branched.choice import Choice, Finalist, Place
from ...reference.schedule.branched.expectation import Share, Term
from ...reference.schedule.branched.unasked import choice_for
from ...reference.schedule.branched.work import Work
from ...reference.schedule.schedule import Schedule, as_schedule
from ...reference.statement.statement import Program
from . import cache

Unasked = Choice | Schedule


def recall_unasked(identity: str, program: Callable[[], Program]) -> Unasked:
    """What a request follows unasked, by what identifies it, and the statement that it lowers to."""
    key = cache.digest(AUTO, identity)
    found = read_note(cache.recall(key))
    if found is None:
        lowered = program()
        found = choice_for(lowered) or default_schedule(lowered)
        cache.remember(key, as_note(found))
    return found


def as_note(found: Unasked) -> dict[str, Any]:
    """What is kept in the cache."""
    match found:
        case Schedule():
            return {"schedule": str(found)}
        case Choice():
            finalists = [
                [str(each.schedule), each.structure, [[count, note_of(term)] for count, term in each.work.terms]]
                for each in found.finalists
            ]
            return {"finalists": finalists, "places": {name: list(place) for name, place in found.places.items()}}


def read_note(facts: Mapping[str, Any] | None) -> Unasked | None:
    """What a note of the cache says; None if there is none or it is malformed."""
    try:
        match facts:
            case {"schedule": str(known)}:
                return Schedule(as_schedule(known).commands)
            case {"finalists": [_, *_] as finalists, "places": dict(places)}:
                where = {str(name): read_place(*each) for name, each in places.items()}
                return Choice(tuple(map(read_finalist, finalists)), where)
            case _:
                return None
    except (GnomonError, TypeError, ValueError):
        return None


def read_place(tensor: object, level: int, mode: int, stored: object) -> Place:
    """A place out of a note."""
    return Place(str(tensor), int(level), int(mode), bool(stored))


def note_of(term: Term) -> list[Any]:
    """A term as it is kept."""
    shares, divided = (
        [[note_of(share.chance), list(share.summands)] for share in each] for each in (term.shares, term.divided)
    )
    return [list(term.factors), list(term.divisors), shares, divided]


def read_finalist(fact: list[Any]) -> Finalist:
    """A finalist out of a note. Raises an error if it is malformed."""
    schedule, structure, terms = fact
    work = Work(tuple((int(count), read_term(term)) for count, term in terms))
    return Finalist(Schedule(as_schedule(schedule).commands), str(structure), work)


def read_term(fact: list[Any]) -> Term:
    """A term out of a note. Raises an error if it is malformed."""
    factors, divisors, *several = fact
    shares, divided = (
        tuple(Share(read_term(chance), tuple(map(str, summands))) for chance, summands in each) for each in several
    )
    return Term(tuple(map(str, factors)), tuple(map(str, divisors)), shares, divided)
