"""Ownership: what each of those that run a parallel loop has of its own, and what they update together.

An iteration of `∀i ∀j y(i) += A(i,j) * x(j)` over `j` contributes to a component that others contribute to, too. Where
the component is kept in an accumulator around the loop, each that runs iterations gets one of its own; else the race
strategy says whether it gets values of its own for the whole result, or updates it atomically. Workspaces that an
iteration fills are its own. How all that is written depends on who runs the loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from ...reference.loops.plan import LoopPlan
from ...reference.schedule.races import shared_assignments
from ...reference.statement.statement import Assign, Forall, Statement, Where
from ..scope.env import Env
from ..scope.team import Team

PRIVATE = ("Temporary", "ParallelReduction")


class Ownership(Struct, frozen=True):
    """Who owns what a loop writes, with an assignment to each tensor that outlives its iterations.

    `cells` are the accumulators around the loop, and `temporaries` the results, of which each that runs iterations has
    its own until these are combined; `atomic` are the results that all update together; `workspaces` those that each
    has its own of.
    """

    targets: Mapping[str, Assign]
    cells: tuple[str, ...]
    temporaries: tuple[str, ...]
    atomic: frozenset[str]
    workspaces: tuple[str, ...]


def ownership(loop: LoopPlan, team: Team, env: Env) -> Ownership:
    """Who owns what a loop writes that a team shares out."""
    targets = {leaf.target.tensor: leaf for leaf in shared_assignments(loop.statement)}
    cells = tuple(name for name in targets if name in env.target.cells)
    racing = [name for name in targets if name in team.racing and name not in cells]
    return Ownership(
        targets,
        cells,
        tuple(racing if team.tag.races in PRIVATE else ()),
        frozenset(racing if team.tag.races == "Atomics" else ()),
        tuple(own_workspaces((loop.begins or loop.statement).body)),
    )


def workspaces_inside(s: Statement, *, inside: bool) -> Iterator[str]:
    """The workspaces of a statement inside loops that threads of any kind share out, or all of them."""
    match s:
        case Forall(body=body):
            yield from workspaces_inside(body, inside=inside or s.is_shared_out)
        case Where(consumer=consumer, producer=producer, workspace=workspace):
            if inside:
                yield workspace
            yield from workspaces_inside(producer, inside=inside)
            yield from workspaces_inside(consumer, inside=inside)
        case Assign():
            return
        case _:
            for each in s.statements:
                yield from workspaces_inside(each, inside=inside)


def own_workspaces(s: Statement) -> Iterator[str]:
    """The workspaces of a statement outside of loops that threads of any kind share out."""
    within = set(workspaces_inside(s, inside=False))
    yield from (name for name in workspaces_inside(s, inside=True) if name not in within)
