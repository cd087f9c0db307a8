"""What settings of a schedule have chosen for a request, kept in the cache: commands, or several schedules to choose
from by the sizes of operands. What a request follows unasked is one of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ...reference.errors import GnomonError
from ...reference.schedule.branched.choice import Choice, Finalist, Place, Size
from ...reference.schedule.branched.expectation import Share, Term
from ...reference.schedule.branched.work import Sought, Work
from ...reference.schedule.schedule import Schedule, as_schedule
from . import cache
from .garbage import without_collections

if TYPE_CHECKING:
    from ...reference.schedule.branched.unasked import Unasked
    from ...reference.statement.statement import Program
    from ...reference.statement.tags import Target


@without_collections()
def recall_unasked(identity: str, asked: Schedule, program: Callable[[], Program], target: Target = "c") -> Unasked:
    """What a schedule becomes for a request, or may become, by what identifies the request, which has that schedule,
    the statement that the request lowers to, and the target that runs the statement."""
    key = cache.digest("unasked", identity)
    found = read_note(cache.recall(key), asked)
    if found is None:
        from ...reference.schedule.branched.unasked import device_options, options

        found = (options if target == "c" else device_options)(program(), asked)
        cache.remember(key, as_note(found))
    return found


def as_note(found: Unasked) -> dict[str, Any]:
    """What is kept in the cache: of schedules, the commands that settings have chosen."""
    match found:
        case Schedule():
            return {"schedule": str(chosen_part(found))}
        case Choice():
            finalists = [
                [
                    str(chosen_part(each.schedule)),
                    each.structure,
                    [[count, note_of_counted(term)] for count, term in each.work.terms],
                ]
                for each in found.finalists
            ]
            return {"finalists": finalists, "places": {name: list(place) for name, place in found.places.items()}}


def chosen_part(schedule: Schedule) -> Schedule:
    """What settings have chosen of a schedule."""
    return Schedule(schedule.commands[: schedule.chosen], settings=schedule.settings)


def read_note(facts: Mapping[str, Any] | None, asked: Schedule) -> Unasked | None:
    """What a note of the cache says of a schedule; None if there is none or it is malformed."""
    try:
        match facts:
            case {"schedule": str(known)}:
                return asked.work_out(as_schedule(known))
            case {"finalists": [_, *_] as finalists, "places": dict(places)}:
                where = {str(name): read_place(*each) for name, each in places.items()}
                return Choice(tuple(read_finalist(each, asked) for each in finalists), where)
            case _:
                return None
    except (GnomonError, TypeError, ValueError):
        return None


def read_place(tensor: object, level: int, mode: int, size: object) -> Place:
    """A place out of a note."""
    return Place(str(tensor), int(level), int(mode), Size(str(size)))


def note_of_counted(term: Term | Sought) -> list[Any] | dict[str, Any]:
    """A term of some work as it is kept, or two, one of which is sought in."""
    if isinstance(term, Term):
        return note_of(term)
    return {"steps": note_of(term.steps), "leader": note_of(term.leader)}


def note_of(term: Term) -> list[Any]:
    """A term as it is kept."""
    shares, divided = (
        [[note_of(share.chance), list(share.summands)] for share in each] for each in (term.shares, term.divided)
    )
    return [list(term.factors), list(term.divisors), shares, divided]


def read_finalist(fact: list[Any], asked: Schedule) -> Finalist:
    """A finalist of a schedule out of a note. Raises an error if it is malformed."""
    schedule, structure, terms = fact
    work = Work(tuple((int(count), read_counted(term)) for count, term in terms))
    return Finalist(asked.work_out(as_schedule(schedule)), str(structure), work)


def read_counted(fact: Any) -> Term | Sought:
    """A term of some work, or two, one of which is sought in, out of a note. Raises an error if it is malformed."""
    match fact:
        case {"steps": steps, "leader": leader}:
            return Sought(read_term(steps), read_term(leader))
        case _:
            return read_term(fact)


def read_term(fact: list[Any]) -> Term:
    """A term out of a note. Raises an error if it is malformed."""
    factors, divisors, *several = fact
    shares, divided = (
        tuple(Share(read_term(chance), tuple(map(str, summands))) for chance, summands in each) for each in several
    )
    return Term(tuple(map(str, factors)), tuple(map(str, divisors)), shares, divided)
