"""Directions of masks by sizes: a masked product goes along the rows of an operand and asks the mask, which *pushes*,
or visits what the mask holds and adds up there, which *pulls* (COMET, section III; Yang 2018 names them).

Before, with B dense, pushed: `∀i ∀k ∀j C(i,j)<M(i,j)> += A(i,k) * B(k,j)`, where each row of M is copied first. Pulled:
`∀i ∀j ∀k`, where the loop over j visits a row of M. Where storage allows both, a call takes the one of less work: of
dense operands that is to pull, whatever the mask holds.
"""

from __future__ import annotations

from ...loops.plan import AssignPlan, LoopPlan, Node, ParallelPlan, Planner, SequencePlan, WherePlan
from ...statement.staging import dissolve
from ...statement.statement import Assign, Program, assignments
from ..autoschedule.partition import Partition
from ..autoschedule.unasked import take
from ..command import Command
from ..schedule import Schedule
from ..section import peel_loops
from .choice import Choice, Finalist
from .expectation import Term
from .merging import Sizes
from .work import Work

FOUND = 2
"""The work of a step of a mask that pushes, which looks it up, where one that pulls walks it: 1."""


def choose_directions(program: Program) -> Choice | None:
    """The choice between a mask that pushes, as the loops are, and one that pulls; None if only one of them is
    possible. What a complement admits cannot be visited."""
    bare = dissolve(program)
    loops, leaf = peel_loops(bare.statement)
    if not program.copies or not isinstance(leaf, Assign) or bare.workspaces or bare.provenance.of_formats:
        return None
    if leaf.mask is None or leaf.mask.complement:
        return None
    order = [loop.index for loop in loops]
    pulling = sorted(order, key=lambda v: v not in leaf.target.indices)
    made = take(Partition((), program, ()), (Command("reorder", tuple(pulling)),))
    if not made.commands:
        return None
    sizes = Sizes(bare)
    pull = Finalist(Schedule(made.commands), "pull", Work(((1, steps(made.program, sizes)),)))
    push = Finalist(Schedule(), "push", Work(((FOUND, steps(program, sizes)),)))
    return Choice((pull, push), sizes.places)


def steps(program: Program, sizes: Sizes) -> Term:
    """How often the assignment under a mask is reached."""
    found, node = Term(), Planner(program).root()
    while not isinstance(node, AssignPlan):
        if isinstance(node, LoopPlan):
            found *= turns(program, node, sizes)
        node = towards_mask(node)
    return found


def turns(program: Program, loop: LoopPlan, sizes: Sizes) -> Term:
    """How often a loop runs each time that it is reached."""
    walked = [active for active in loop.strategy.coiterated if active.access.tensor not in program.workspace]
    return sizes.length(walked[0]) if walked else sizes.extent(loop.index)


def towards_mask(node: Node) -> Node:
    """The part of a plan in which the assignment under a mask stands."""
    match node:
        case AssignPlan():
            return node
        case LoopPlan(body=body):
            return body
        case ParallelPlan(loop=loop):
            return loop
        case WherePlan(producer=producer, consumer=consumer):
            return next(each for each in (producer, consumer) if is_masked(each))
        case SequencePlan(parts=parts):
            return next(each for each in parts if is_masked(each))


def is_masked(node: Node) -> bool:
    """Whether some assignment in a part of a plan stands under a mask."""
    return any(leaf.mask is not None for leaf in assignments(node.statement))
