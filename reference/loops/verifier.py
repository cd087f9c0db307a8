"""Verification: what holds of every loop plan.

Terms speak of loops around, of levels that are known, and of what has been found in storage. Every access that becomes
known in a loop is either co-iterated or located, from the level on that the loops around leave open, and every access
that is read has been placed. Guards stand where loops have completed a variable.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import InternalError, Unsupported
from ..notation.printer import pretty
from ..statement.statement import reads
from .iteration_space import IterationSpace
from .plan import AssignPlan, LoopPlan, Node, ParallelPlan, Placement, SequencePlan, Surroundings, WherePlan
from .terms import Binary, Coordinate, Extent, SegmentBegin, SegmentEnd, Standing, Stored, Term


def violations(node: Node) -> Iterator[str]:
    """What is wrong with a plan, in words; nothing if it keeps the rules."""
    match node:
        case LoopPlan():
            yield from of_loop(node)
            for case in cases(node):
                yield from violations(case)
        case ParallelPlan(loop=loop):
            yield from violations(loop)
        case WherePlan(producer=producer, consumer=consumer, without=without):
            yield from violations(producer)
            yield from violations(consumer)
            if without is not None:
                yield from violations(without)
        case AssignPlan():
            yield from of_assignment(node)
        case SequencePlan(parts=parts):
            for part in parts:
                yield from violations(part)


def verify_plan(node: Node) -> Node:
    """The plan. Raises InternalError if it breaks a rule."""
    found = list(violations(node))
    if found:
        raise InternalError("; ".join(found))
    return node


def cases(loop: LoopPlan) -> Iterator[Node]:
    """What a loop does: its one body, or a case for every lattice point, if those can be listed."""
    if loop.strategy.flagged:
        yield loop.body
        return
    try:
        points = loop.strategy.lattice.points()
    except Unsupported:
        return
    found = (loop.case(point.merged) for point in points)
    yield from (case for case in found if case is not None)


def of_loop(loop: LoopPlan) -> Iterator[str]:
    """What is wrong with one loop."""
    index, outside = loop.index, loop.surroundings
    placements = (*loop.coiterated, *loop.located)
    if [p.active for p in placements if p.active not in loop.strategy.active]:
        yield f"{index}: an access is placed that does not become known here"
    if len(placements) != len(loop.strategy.active):
        yield f"{index}: {len(placements)} of {len(loop.strategy.active)} accesses are placed"
    if loop.completed and not loop.space.completes(index):
        yield f"{index}: guards stand where nothing is completed"
    if loop.searched is not None and loop.space.completes(index):
        yield f"{index}: its position is searched for, though it follows"
    for term in (loop.range.begin, loop.range.end, loop.range.step):
        yield from of_term(term, outside)
    for guard in loop.guards:
        yield from of_term(guard.left, outside)
        yield from of_term(guard.right, outside)
    for placement in placements:
        yield from of_placement(placement, loop)


def of_placement(placement: Placement, loop: LoopPlan) -> Iterator[str]:
    """What is wrong with how a loop places an access."""
    active = placement.active
    if active.first != loop.surroundings.known_depth(active.access):
        yield f"{loop.index}: {pretty(active.access)} is placed from level {active.first + 1} on"
    if active.last != loop.inside.known_depth(active.access):
        yield f"{loop.index}: {pretty(active.access)} is placed down to level {active.last}"
    yield from of_term(placement.shift, loop.surroundings)
    for kept in placement.kept:
        yield from of_term(kept.window.begin, loop.surroundings)
        yield from of_term(kept.window.end, loop.surroundings)
    for term in placement.later:
        yield from of_term(term, loop.inside)


def of_assignment(plan: AssignPlan) -> Iterator[str]:
    """What is wrong with an assignment."""
    for access in reads(plan.statement):
        if plan.surroundings.known_depth(access) < len(access.levels):
            yield f"{pretty(access)} is read before it is placed"
    for term in (*plan.at, *(term for _, term in plan.sources)):
        yield from of_term(term, plan.surroundings)


def of_term(term: Term, surroundings: Surroundings) -> Iterator[str]:
    """What a term speaks of that is not known at its place."""
    space: IterationSpace = surroundings.space
    match term:
        case Coordinate(variable=variable):
            if variable not in space.around:
                yield f"no loop around gives {variable}"
        case Extent(variable=variable):
            if not space.provenance.is_original(variable):
                yield f"{variable} is derived, and has no extent of its own"
        case Stored(variable=variable):
            if variable not in space.stored:
                yield f"{variable} has not been found in storage"
        case SegmentBegin(relation=relation) | SegmentEnd(relation=relation):
            if surroundings.known_depth(relation.access) < relation.first:
                yield f"where {pretty(relation.access)} stands above {relation.position} is not known"
        case Standing(relation=relation):
            if surroundings.known_depth(relation.access) < relation.last:
                yield f"where {pretty(relation.access)} stands at {relation.position} is not known"
        case Binary(left=left, right=right):
            yield from of_term(left, surroundings)
            yield from of_term(right, surroundings)
        case int():
            return
