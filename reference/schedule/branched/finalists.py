"""Finalists: what the search for branched schedules leaves, in parallel, to be measured (SparseAuto, section 5.3).

One schedule of each cost, as it is; with its outermost loop on threads; and with the innermost loops of its sections on
lanes, too, where every iteration writes components of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...errors import ScheduleError
from ...statement.statement import Assign, Program
from ..autoschedule.arrangement import LANES, THREADS, extend, on_unit
from ..autoschedule.partition import Partition
from ..autoschedule.template import Template
from ..commands import Command
from ..section import sections
from .contraction import contraction_of
from .cost import print_memory, print_time
from .graph import Branch, structure
from .realisation import realise
from .search import compare, search
from .space import Order, operand_orders


def operand_orders_of(program: Program) -> list[Order]:
    """The orders of the operands of a product that can be taken apart; none of anything else."""
    try:
        contraction = contraction_of(program)
        return list(operand_orders(contraction)) if len(contraction.operands) > 2 else []
    except ScheduleError:
        return []


def finalists(program: Program, orders: Iterable[Order]) -> Iterator[Template]:
    """The branched schedules that are worth measuring, by orders of the operands; none of what is no product, or has
    too many."""
    try:
        contraction = contraction_of(program)
        groups = compare(search(contraction, orders=orders)).left.groups
    except ScheduleError:
        return
    for group in groups:
        found = group.schedules[0]
        if isinstance(found.graph, Branch):
            made = realise(program, contraction, found)
            costs = f"time {print_time(contraction, group.cost)}, memory {print_memory(group.cost, contraction.loops)}"
            yield from in_parallel(Partition(made.commands, made.program, ()), f"{structure(found.graph)}: {costs}")


def in_parallel(found: Partition, reason: str) -> Iterator[Template]:
    """The templates of a schedule: as it is, on threads, on threads and lanes; each distinct one once."""
    shared = on_unit(found, found.loops[0], THREADS) if found.loops else None
    several = (found, shared or found, on_lanes(shared or found))
    yield from (Template(each, reason=reason) for each in dict.fromkeys(each.commands for each in several))


def on_lanes(found: Partition) -> Partition:
    """The schedule with the innermost loop of each section that ends in an assignment on lanes, where that is legal."""
    for section in list(sections(found.program.statement)):
        if section.loops and isinstance(section.end, Assign):
            command = Command("parallelize", (section.loops[-1].index, LANES, "NoRaces"), path=section.path)
            found = extend(found, command) or found
    return found
