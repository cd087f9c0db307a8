"""What `gnomon schedule --branched` lists: branched schedules of one product, and what they cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click
from rich.table import Table

from ...generator.runtime.processor import last_level_cache
from ...reference.errors import GnomonError
from ...reference.schedule.branched.constraints import parse_constraints
from ...reference.schedule.branched.contraction import Contraction, contraction_of
from ...reference.schedule.branched.cost import Sizes, memory, print_memory, print_time, time
from ...reference.schedule.branched.dominance import Prover, is_nonnegative
from ...reference.schedule.branched.graph import structure
from ...reference.schedule.branched.realisation import realise
from ...reference.schedule.branched.search import Group, Stage, compare, search
from ...reference.schedule.branched.selection import concrete_cost, sizes_of, walking_cost
from ...reference.schedule.branched.space import Found, operand_orders
from ...reference.schedule.schedule import Schedule
from ...reference.statement.statement import Program
from ..command_line.output import echo_json, print_table, progress


def list_branched(
    expression: str,
    program: Program,
    operands: Mapping[str, Any],
    *,
    constraints: str,
    cache: int | None,
    top: int,
    report: bool,
    as_json: bool,
) -> None:
    """Write the branched schedules of a program at minimal depths, those that others dominate under constraints left
    out; with operands, in the order of their cost for these, with a cache of so many bytes. Raises ScheduleError if it
    computes no product, ParseError for what states no constraints."""
    contraction = contraction_of(program)
    known = parse_constraints(constraints, contraction) if constraints else ()
    with progress(list(operand_orders(contraction)), "arranging") as orders:
        found = search(contraction, orders=orders)
    left = compare(found, known, prove=prover()).left
    stages, sizes = (found.small, found.shallow, left), sizes_of(contraction, operands)
    components = (cache or last_level_cache()) / program.dtypes[program.result].itemsize
    schedules = in_order(contraction, left.groups, sizes, components)[:top]
    rows = [as_row(each, own, program, contraction, sizes) for each, own in schedules]
    if as_json:
        counts = [
            {"stage": each.name, "structures": each.structures, "costs": len(each.groups), "seconds": each.seconds}
            for each in stages
        ]
        echo_json({"expression": expression, "stages": counts, "schedules": rows})
        return
    if report:
        print_table(report_on(stages))
    click.echo(
        f"{found.small.structures} structures, {in_costs(found.shallow)} at minimal depths, {in_costs(left)} that no "
        "other one dominates"
    )
    for row in rows:
        runs = "" if sizes is None else f"; {row['runs']:,.0f} runs, {row['components']:,.0f} components"
        click.echo(f"{row['structure']}: time {row['time']}, memory {row['memory']}{runs}\n    {row['schedule']}")


def prover() -> Prover:
    """What proves dominances: signs, then the solver, if it is there."""
    try:
        from ..proofs.schedules.dominances import is_nonnegative_by_solver
    except GnomonError:
        return is_nonnegative
    return is_nonnegative_by_solver


def in_costs(stage: Stage) -> str:
    """How many schedules there are, of how many costs."""
    return f"{stage.structures} ({len(stage.groups)} cost{'s' if len(stage.groups) != 1 else ''})"


def report_on(stages: Sequence[Stage]) -> Table:
    """What each stage leaves, and how long it takes."""
    table = Table("stage", "schedules", "costs", "seconds", box=None)
    for number, each in enumerate(stages, 1):
        table.add_row(f"{number} {each.name}", str(each.structures), str(len(each.groups)), f"{each.seconds:.3g}")
    return table


def in_order(
    contraction: Contraction, groups: Sequence[Group], sizes: Sizes | None, components: float
) -> list[tuple[Found, Group]]:
    """The schedules of groups; with sizes, those that cost least first."""
    if sizes is None:
        return [(each, own) for own in groups for each in own.schedules]
    ordered = sorted(groups, key=lambda own: concrete_cost(contraction, own, sizes, components))
    return [
        (each, own)
        for own in ordered
        for each in sorted(own.schedules, key=lambda each: walking_cost(contraction, each, sizes))
    ]


def as_row(
    found: Found, group: Group, program: Program, contraction: Contraction, sizes: Sizes | None
) -> dict[str, Any]:
    """A schedule as JSON holds it."""
    return {
        "structure": structure(found.graph),
        "time": print_time(contraction, group.cost),
        "memory": print_memory(group.cost, contraction.loops),
        "schedule": str(Schedule(realise(program, contraction, found).commands)),
        "runs": None if sizes is None else time(contraction, group.cost, sizes),
        "components": None if sizes is None else memory(group.cost, sizes),
    }
