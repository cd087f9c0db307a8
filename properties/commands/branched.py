"""What `gnomon schedule --branched` lists: branched schedules of one product, and what they cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

import click

from ...reference.schedule.branched.constraints import Constraint, parse_constraints
from ...reference.schedule.branched.contraction import Contraction, contraction_of
from ...reference.schedule.branched.cost import Cost, Sizes, cost_of, memory, print_memory, print_time, time
from ...reference.schedule.branched.dominance import Rule, known_sizes, remove_dominated, symbolic
from ...reference.schedule.branched.graph import structure
from ...reference.schedule.branched.poset import shallowest
from ...reference.schedule.branched.realisation import realise
from ...reference.schedule.branched.space import Found, branched_schedules, operand_orders
from ...reference.schedule.schedule import Schedule
from ...reference.statement.statement import Program
from ...reference.storage.enumeration import node_counts
from ...reference.storage.tensor import Tensor
from ..command_line.output import echo_json, progress


@dataclass(frozen=True, slots=True)
class Listed:
    """A branched schedule, what it costs, and how often its assignments run on the data if there are any."""

    found: Found
    cost: Cost
    runs: float
    components: float


def list_branched(
    expression: str, program: Program, operands: Mapping[str, Any], constraints: str, top: int, as_json: bool
) -> None:
    """Write the branched schedules of a program at minimal depths, those that others dominate under constraints left
    out. Raises ScheduleError if it computes no product, ParseError for what states no constraints."""
    contraction = contraction_of(program)
    known = parse_constraints(constraints, contraction) if constraints else ()
    with progress(list(operand_orders(contraction)), "arranging") as orders:
        every = list(branched_schedules(contraction, orders=orders))
    shallow = [with_cost(each, contraction, operands) for each in shallowest(every)]
    left = without_dominated(shallow, contraction, known)
    left.sort(key=lambda each: (each.runs, each.components))
    rows = [as_row(each, program, contraction) for each in left[:top]]
    counts = {"structures": len(every), "shallowest": len(shallow), "left": len(left)}
    if as_json:
        echo_json({"expression": expression, **counts, "schedules": rows})
        return
    click.echo(
        f"{len(every)} structures, {in_costs(shallow)} at minimal depths, {in_costs(left)} that no other one dominates"
    )
    for row in rows:
        runs = "" if row["runs"] is None else f"; {row['runs']:,.0f} runs, {row['components']:,.0f} components"
        click.echo(f"{row['structure']}: time {row['time']}, memory {row['memory']}{runs}\n    {row['schedule']}")


def in_costs(schedules: list[Listed]) -> str:
    """How many schedules there are, of how many costs."""
    costs = len({each.cost for each in schedules})
    return f"{len(schedules)} ({costs} cost{'s' if costs != 1 else ''})"


def without_dominated(
    schedules: list[Listed], contraction: Contraction, constraints: tuple[Constraint, ...]
) -> list[Listed]:
    """The schedules whose costs no other one dominates at all sizes that satisfy constraints."""
    costs = list(dict.fromkeys(each.cost for each in schedules))
    terms = [symbolic(contraction, cost, Rule.STORED) for cost in costs]
    left = {costs[n] for n in remove_dominated(terms, known_sizes(contraction, constraints)).left}
    return [each for each in schedules if each.cost in left]


def with_cost(found: Found, contraction: Contraction, operands: Mapping[str, Any]) -> Listed:
    """A schedule with its cost, in numbers if there are data."""
    cost = cost_of(found)
    sizes = sizes_of(contraction, operands)
    if sizes is None:
        return Listed(found, cost, inf, inf)
    return Listed(found, cost, time(contraction, cost, sizes), memory(cost, sizes))


def sizes_of(contraction: Contraction, operands: Mapping[str, Any]) -> Sizes | None:
    """The extents of loops and what operands store; None without data."""
    extents, prefixes = dict[str, float](), dict[int, tuple[int, ...]]()
    for number, operand in enumerate(contraction.operands):
        tensor = operands.get(operand.tensor)
        if not isinstance(tensor, Tensor):
            return None
        levels = [tensor.storage(k) for k in range(len(tensor.format.levels))]
        counts = tensor.format.map.level_extents(tensor.shape)
        extents |= {v: n or 0 for v, n in zip(operand.levels, counts, strict=True)}
        prefixes[number] = node_counts(tensor.format, levels)
    return Sizes(extents, prefixes) if set(extents) >= set(contraction.loops) else None


def as_row(listed: Listed, program: Program, contraction: Contraction) -> dict[str, Any]:
    """A schedule as JSON holds it."""
    found, cost = listed.found, listed.cost
    counted = listed.runs < inf
    return {
        "structure": structure(found.graph),
        "time": print_time(contraction, cost),
        "memory": print_memory(cost, contraction.loops),
        "schedule": str(Schedule(realise(program, contraction, found).commands)),
        "runs": listed.runs if counted else None,
        "components": listed.components if counted else None,
    }
