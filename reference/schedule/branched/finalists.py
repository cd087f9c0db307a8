"""Finalists: what the search for branched schedules leaves, in parallel, to be measured (SparseAuto, section 5.3).

One schedule of each cost, as it is; with its outermost loop on threads; with the innermost loops of its sections on
lanes, too, where every iteration writes components of its own; and with tiles of rows in registers, where sections fill
rows again and again: `∀j ∀k T(k) += B(i,j) * C(j,k)` becomes `∀k0 ∀j ∀k1`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...errors import ScheduleError
from ...statement.statement import Assign, Program, reads
from ..autoschedule.arrangement import LANES, THREADS, extend, on_unit
from ..autoschedule.partition import Partition
from ..autoschedule.template import Purpose, Template
from ..autoschedule.unasked import Steps, ends_in, last_variable, take, tile_row
from ..command import Command
from ..section import Section, sections
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
    """The templates of a schedule: as it is, on threads, on threads and lanes, in tiles; each distinct one once."""
    shared = on_unit(found, found.loops[0], THREADS) if found.loops else None
    several = (found, shared or found, on_lanes(shared or found), on_lanes(in_tiles(shared or found)))
    for each in dict.fromkeys(each.commands for each in several):
        inner = [str(command.args[2]) for command in each if command.name == "split"]
        yield Template(each, dict.fromkeys(inner, Purpose.TILE), reason)


def in_tiles(found: Partition) -> Partition:
    """The schedule with a tile of a row in registers in each section that fills a row again and again, where that is
    legal."""
    for section in list(sections(found.program.statement)):
        if isinstance(section.end, Assign):
            found = take(found, tile_section(found.program, section, section.end))
    return found


def tile_section(program: Program, section: Section, leaf: Assign) -> Steps:
    """The commands that keep a tile of a row in registers while a section fills the row again and again; none where it
    does not, or the row is not dense, or made from what is not: that would be searched for each tile."""
    row = last_variable(program, leaf)
    if row is None or section.variables[-1:] != (row,):
        return ()
    if not all(ends_in(program, access, row) for access in reads(leaf) if row in access.indices):
        return ()
    return tile_row(program, section.variables, row, leaf.target.indices, section.path)


def on_lanes(found: Partition) -> Partition:
    """The schedule with the innermost loop of each section that ends in an assignment on lanes, where that is legal."""
    for section in list(sections(found.program.statement)):
        if section.loops and isinstance(section.end, Assign):
            command = Command("parallelize", (section.loops[-1].index, LANES, "NoRaces"), path=section.path)
            found = extend(found, command) or found
    return found
