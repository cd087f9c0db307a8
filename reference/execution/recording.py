"""Recording: where an assignment stands and what it multiplies, if the trace asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from ..levels.iterators import Positions
from ..loops.plan import AssignPlan
from ..notation.syntax import Access, Fill, accesses, nodes
from ..statement.statement import Assign, Program
from ..storage.tensor import Tensor
from .numbers import number
from .state import State
from .trace import Trace


def record_visit(plan: AssignPlan, state: State) -> None:
    """Count a visit: the original coordinates and positions of operands at which an assignment is made.

    Those of masks, which may be copied, play no part: `record_contribution` tells what they hold. Duplicates that are
    visited together count as if they came one by one. Positions of a workspace tell nothing where they follow the order
    in which it was filled: parallel iterations come in any order.
    """
    visits, path, s = state.trace.visits, state.trace.path, plan.statement
    if visits is None:
        return
    if path is not None:
        path.append({v: state.coordinates[v] for v in plan.space.around})
    coordinates = tuple((v, number(term, state)) for v, term in plan.sources if not follows_insertion(v, state))
    own = dict.fromkeys(accesses(s.value))
    stored = (positions_of(a, state) for a in own if a.tensor not in state.workspaces)
    for places in product(*stored):
        visits[s.target.tensor, coordinates, places] += 1


def follows_insertion(variable: str, state: State) -> bool:
    """Whether a variable counts positions of a workspace whose coordinates stand in the order of their insertion."""
    space = state.provenance.space_of(variable)
    if space is None or space.access.tensor not in state.workspaces:
        return False
    return not all(level.ordered for level in state.formats[space.access.tensor].levels[: space.last])


def record_conversions(
    program: Program, operands: Mapping[str, Tensor], arguments: Mapping[str, Tensor], trace: Trace
) -> None:
    """Give each position of an argument that is converted the weight of the positions of its operand, if positions have
    weights."""
    if trace.contributions is None:
        return
    for each in program.converted:
        origins = positions_by_coordinates(operands[program.given(each.source)])
        made = positions_by_coordinates(arguments[program.given(each.name)])
        trace.contributions.derive(each.name, each.source, {p: origins[i] for i, (p,) in made.items()})


def positions_by_coordinates(tensor: Tensor) -> dict[tuple[int, ...], list[int]]:
    """The positions at which a tensor stores components, by coordinates."""
    found: dict[tuple[int, ...], list[int]] = {}
    for path, p in tensor.leaves():
        found.setdefault(tuple(map(int, tensor.format.map.invert(path))), []).append(p)
    return found


def record_contribution(plan: AssignPlan, at: tuple[int, ...], state: State) -> None:
    """Contribute the product of the weights of what an assignment reads to a component of its target.

    Without an operator it is the only one, however often it is stored: duplicates lead to a workspace again and again.

    Where a fill is computed with, nothing is told of the component any more: through a workspace, which is missing
    there too, several such contributions may have become one.
    """
    contributions, s = state.trace.contributions, plan.statement
    if contributions is None:
        return
    target = s.target.tensor
    if any(isinstance(e, Fill) for e in nodes(s.value)):
        contributions.blur(target, at)
    weight = 1
    for access in occurrences(s):
        if access.tensor in state.workspaces:
            where = tuple(number(plan.space.recover(v), state) for v in access.indices)
            weight *= contributions.component(access.tensor, where)
            if contributions.is_blurred(access.tensor, where):
                contributions.blur(target, at)
        else:
            weight *= sum(contributions.position(access.tensor, p) for p in positions_of(access, state))
    if s.operator is None:
        contributions.store(target, at, weight)
    else:
        contributions.add(target, at, weight)


def occurrences(s: Assign) -> list[Access]:
    """The accesses of an assignment's value, as often as they occur, and that of its mask."""
    return [*accesses(s.value), *(() if s.mask is None else accesses(s.mask.value))]


def positions_of(access: Access, state: State) -> tuple[int, ...]:
    """The positions at which an access stands."""
    p: Positions = state.standing(access).positions[-1]
    return p if isinstance(p, tuple) else (p,)
