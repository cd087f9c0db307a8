"""What a schedule's loops have to keep, as questions about two visits of one assignment.

No two iterations of a parallel loop write one component; a result that is appended to is visited in storage order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from ....reference.levels.level import Insert
from ....reference.schedule.races import one_by_one, shared_assignments
from ....reference.statement.statement import Assign, Forall, Program, Sequence, Statement, Where
from ....reference.statement.tags import Parallel
from ..solver import Found, Nothing, Term, Undecided, z3
from ..verdict import Proved, Refuted, Unknown, Verdict
from .schedule_visits import Answer, Loops, Place, Visit, equal, inside, places_of, precedes, two_visits


class ParallelLoop(Struct, frozen=True):
    """A parallel loop, what it is tagged with, and the loops around it."""

    loop: Forall
    tag: Parallel
    bound: Loops


def parallel_loops(program: Program, s: Statement, bound: Loops = ()) -> Iterator[ParallelLoop]:
    """The parallel loops of a statement."""
    match s:
        case Assign():
            return
        case Forall(body=body, tags=tags):
            yield from (ParallelLoop(s, tag, bound) for tag in tags if isinstance(tag, Parallel))
            yield from parallel_loops(program, body, inside(program, s, bound))
        case Where(consumer=consumer, producer=producer):
            yield from parallel_loops(program, producer, bound)
            yield from parallel_loops(program, consumer, bound)
        case Sequence(statements=statements):
            for each in statements:
                yield from parallel_loops(program, each, bound)


def outliving_assignments(program: Program, parallel: ParallelLoop) -> list[Place]:
    """The assignments of a parallel loop to what outlives its iterations."""
    kept = list(shared_assignments(parallel.loop.body))
    return [place for place in places_of(program, parallel.loop, parallel.bound) if place.leaf in kept]


def is_combined_inside(parallel: ParallelLoop, leaf: Assign) -> bool:
    """Whether loops inside a loop on a GPU combine what an assignment contributes atomically."""

    def is_combined(s: Statement, atomically: bool) -> bool:
        match s:
            case Assign():
                return atomically and s == leaf
            case Forall(body=body, tags=tags):
                here = any(isinstance(tag, Parallel) and tag.is_atomic for tag in tags)
                return is_combined(body, atomically or here)
            case Where(consumer=consumer, producer=producer):
                return is_combined(consumer, atomically) or is_combined(producer, atomically)
            case Sequence(statements=statements):
                return any(is_combined(each, atomically) for each in statements)

    on_gpu = parallel.tag.unit.startswith("GPU") and leaf.operator is not None
    return on_gpu and is_combined(parallel.loop.body, False)


def race(program: Program, parallel: ParallelLoop, place: Place) -> Answer:
    """Two iterations that write one component, if there are any; duplicates visited one by one are two iterations."""
    repeated = tuple(one_by_one(program, parallel.loop, parallel.bound))

    def meet(a: Visit, b: Visit) -> list[Term]:
        index, target = parallel.loop.index, place.leaf.target.indices
        around = equal(a.terms(parallel.bound), b.terms(parallel.bound))
        elsewhere = [a.stand(access, len(access.levels)) != b.stand(access, len(access.levels)) for access in repeated]
        two = z3.Or(a.term(index) != b.term(index), *elsewhere)
        return [around, two, equal(a.terms(target), b.terms(target))]

    return two_visits(program, place, meet)


def two_components(program: Program, parallel: ParallelLoop, place: Place) -> Answer:
    """Two iterations that write different components though every variable that the loop does not count is the same."""

    def part(a: Visit, b: Visit) -> list[Term]:
        own = program.provenance.originals(parallel.loop.index)
        target = place.leaf.target.indices
        others = [v for v in target if not set(program.provenance.originals(v)) & set(own)]
        same = equal(a.terms((*parallel.bound, *others)), b.terms((*parallel.bound, *others)))
        different = [x != y for x, y in zip(a.terms(target), b.terms(target), strict=True)]
        return [same, a.term(parallel.loop.index) != b.term(parallel.loop.index), z3.Or(*different)]

    return two_visits(program, place, part)


def appended_variables(program: Program, place: Place) -> tuple[str, ...]:
    """The variables of the levels of a result down to the last that is not inserted into."""
    target = place.leaf.target
    levels = program.formats[target.tensor].levels
    last = max((k for k, level in enumerate(levels) if not isinstance(level, Insert)), default=-1)
    return target.levels[: last + 1]


def disorder(program: Program, place: Place) -> Answer:
    """Two visits of which the later one has the smaller coordinates, in storage order of what is appended to."""
    order = appended_variables(program, place)

    def turn(a: Visit, b: Visit) -> list[Term]:
        return [precedes(a.terms(place.loops), b.terms(place.loops)), precedes(b.terms(order), a.terms(order))]

    return two_visits(program, place, turn)


def never(answers: Iterable[Answer]) -> Verdict:
    """The verdict on a statement that says that nothing of several kinds exists."""
    unknown: Verdict | None = None
    for answer in answers:
        match answer:
            case Found() as found:
                return Refuted(found.print_values())
            case Undecided(reason=reason):
                unknown = Unknown(reason)
            case Nothing():
                pass
    return unknown or Proved()
