"""Reorder: directly nested loops in another order (Senanayake 2020, section 4; Kjolstad 2019)."""

from __future__ import annotations

from msgspec.structs import replace

from ..errors import ScheduleError
from ..notation.printer import pretty
from ..notation.syntax import Access
from ..statement.statement import Assign, Forall, Program, Sequence, Statement, Where, assignments
from ..statement.tags import Tag
from .inline import inline_workspace
from .nests import free, loops, replace_loops
from .path import Path


def reorder(program: Program, path: Path, *variables: str) -> Program:
    """The loops over these variables in this order, in the places that they have.

    Before: `∀i ∀j s`. After `reorder(j, i)`: `∀j ∀i s`. Preconditions: no reduction ends between the loops, which is
    so where all that is computed with it distributes over it (lowering has then moved the reduction outward:
    `elaboration.py`); every tensor is still reached in its storage order (`legality.py`). Reductions are associative
    and commutative by declaration, so their order is free. Stricter than need be: a sign is not moved into a reduction.
    """
    if len(set(variables)) != len(variables) or len(variables) < 2:
        raise ScheduleError(
            f"reorder needs two or more different variables, but has {', '.join(variables) or 'none'}",
            hint="write the variables in their new order: reorder(j,i)",
        )
    for variable in variables:
        free(program, path, variable)
    outermost = outermost_of(program, path, variables)
    if not outermost:
        raise ScheduleError(
            f"reorder needs loops inside one another, but those over {', '.join(variables)} are not",
            hint="see the loops with gnomon show, and name those of one nest",
        )

    def change(s: Forall) -> Statement:
        return reorder_nest(s, variables) if holds(s, variables) else s

    statement = program.statement
    for variable in outermost:
        statement = replace_loops(statement, variable, change, path)
    return replace(program, statement=statement)


def outermost_of(program: Program, path: Path, variables: tuple[str, ...]) -> tuple[str, ...]:
    """Those of some variables that have loops around loops over all the others, in one nest or another."""
    return tuple(v for v in variables if any(holds(loop, variables) for loop, _ in loops(program.statement, v, path)))


def check_distributes(program: Program, path: Path, *variables: str) -> None:
    """Refuse loops between which a reduction ends."""
    for outermost in outermost_of(program, path, variables):
        for loop, _ in loops(program.statement, outermost, path):
            if holds(loop, variables):
                check_uninterrupted(loop, variables)


def check_uninterrupted(loop: Forall, variables: tuple[str, ...]) -> None:
    """Refuse a workspace between the loops of a nest."""
    left, inner = set(variables), loop.body
    left.discard(loop.index)
    while left and isinstance(inner, Forall):
        left.discard(inner.index)
        inner = inner.body
    if left and isinstance(inner, Where):
        raise workspace_error(inner, variables)


def holds(loop: Forall, variables: tuple[str, ...]) -> bool:
    """Whether the loops from here inward run over all of some variables."""
    return all(v == loop.index or any(True for _ in loops(loop.body, v)) for v in variables)


def reorder_nest(s: Forall, variables: tuple[str, ...]) -> Statement:
    """A nest with its loops over some variables in another order; what fills a workspace between them moves outward."""
    left = set(variables)
    chain: list[tuple[str, tuple[Tag, ...]]] = []
    inner: Statement = s
    while left:
        match inner:
            case Forall(index=index, body=below, tags=tags):
                chain.append((index, tags))
                left.discard(index)
                inner = below
            case Where():
                inner = inline_workspace(inner)
            case Assign() | Sequence():
                raise ScheduleError(
                    f"reorder needs the loops over {', '.join(variables)} directly inside one another",
                    hint="name loops of one nest",
                )
    order = iter(variables)
    tags_of = dict(chain)
    names = [next(order) if index in variables else index for index, _ in chain]
    for name in reversed(names):
        inner = Forall(name, inner, tags_of[name])
    return inner


def workspace_error(s: Where, variables: tuple[str, ...]) -> ScheduleError:
    """The error for a workspace between loops: what reads it does not distribute over the reduction that fills it."""
    producer, consumer = list(assignments(s.producer))[-1], list(assignments(s.consumer))[-1]
    inside = [v for v in variables if any(True for _ in loops(s.producer, v))]
    if producer.operator is None or not inside or isinstance(consumer.value, Access):
        return ScheduleError(
            f"reorder cannot move {', '.join(inside or variables)} past the workspace {s.workspace}",
            hint="name loops inside its producer or its consumer only, or store the result in a format that needs none",
            rule="schedule.reorder.reductions",
        )
    fold = producer.operator.reduction or producer.operator.name
    return ScheduleError(
        f"reorder cannot move {', '.join(inside)} outward: {pretty(consumer.value)} does not distribute over the "
        f"{fold} that fills {s.workspace}, so it would change what is reduced",
        hint=f"leave {', '.join(inside)} inside",
        rule="schedule.reorder.reductions",
    )
