"""The report: SparseAuto's Tables 3 to 5, each number beside ours."""

from __future__ import annotations

import resource
import time
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct
from rich.table import Table

from ...reference.drawing.loops import loop_nest
from ...reference.schedule.application import apply_schedule
from ...reference.schedule.branched.constraints import parse_constraints
from ...reference.schedule.branched.cost import print_memory, print_time
from ...reference.schedule.branched.dominance import Removal, Rule
from ...reference.schedule.branched.graph import structure
from ...reference.schedule.branched.realisation import realise
from ...reference.schedule.branched.search import Dominance, Group, Search, compare, search
from ...reference.schedule.branched.selection import best_order, fastest
from ...reference.schedule.branched.space import Found, Order
from ...reference.schedule.schedule import Schedule
from .kernels import Kernel
from .published import PUBLISHED


class Measured(Struct, frozen=True):
    """What the stages leave of a kernel's schedules: by the authors' rule, and by ours; and the one for its sizes, with
    the microseconds of the last two stages."""

    search: Search
    authors: Dominance
    ours: Dominance
    group: Group
    chosen: Found
    microseconds: tuple[float, float]


def measure(kernel: Kernel, components: float, orders: Iterable[Order] | None = None) -> Measured:
    """All stages of a kernel, for a cache that holds so many components."""
    contraction, sizes = kernel.contraction, kernel.sizes
    constraints = parse_constraints(kernel.constraints, contraction)
    found = search(contraction, orders=orders)
    authors = compare(found, constraints, Rule.DENSE, Removal.SOMEWHERE)
    ours = compare(found, constraints)
    started = time.perf_counter()
    group = fastest(contraction, ours.left.groups, sizes, components)
    between = time.perf_counter()
    chosen = best_order(contraction, group, sizes)
    times = (1e6 * (between - started), 1e6 * (time.perf_counter() - between))
    return Measured(found, authors, ours, group, chosen, times)


def counts(measured: Mapping[int, Measured], kernels: Mapping[int, Kernel]) -> Table:
    """Table 3: schedules, with groups of one cost in brackets."""
    table = Table("kernel", "stage 1", "ours", "stage 2", "ours", "stage 3", "ours, their rule", "ours", box=None)
    for row, own in measured.items():
        first, second, third = PUBLISHED[row].left
        small, shallow = own.search.small, own.search.shallow
        found = [first, small, second, shallow, third, own.authors.left, own.ours.left]
        table.add_row(kernels[row].name, *map(str, found))
    return table


def times(measured: Mapping[int, Measured], kernels: Mapping[int, Kernel]) -> Table:
    """Tables 4 and 5: seconds of the stages 1 to 3, with the generation, and microseconds of the others."""
    table = Table("kernel", *(word for n in "12345" for word in (f"stage {n}", "ours")), box=None)
    for row, own in measured.items():
        printed = PUBLISHED[row]
        seconds = (printed.generation + printed.seconds[0], *printed.seconds[1:])
        stages = (own.search.small.seconds, own.search.shallow.seconds, own.ours.left.seconds)
        cells = [f"{s:.3g} s" for pair in zip(seconds, stages, strict=True) for s in pair]
        cells += [f"{s:.0f} us" for pair in zip(printed.microseconds, own.microseconds, strict=True) for s in pair]
        table.add_row(kernels[row].name, *cells)
    return table


def winners(measured: Mapping[int, Measured], kernels: Mapping[int, Kernel]) -> Table:
    """Table 2's last column: the schedule for some sizes, what it costs, and the commands that make it."""
    table = Table("kernel", "loops", "time", "memory", "schedule", box=None)
    for row, own in measured.items():
        told = as_row(row, own, kernels[row])["chosen"]
        table.add_row(kernels[row].name, told["structure"], told["time"], told["memory"], told["schedule"])
    return table


def as_row(row: int, own: Measured, kernel: Kernel) -> dict[str, Any]:
    """What was found of a kernel, as JSON holds it."""
    contraction = own.search.contraction
    stages = {each.name: each for each in (own.search.small, own.search.shallow, own.ours.left)}
    return {
        "row": row,
        "kernel": kernel.name,
        "expression": kernel.expression,
        "stages": {name: [each.structures, len(each.groups), each.seconds] for name, each in stages.items()},
        "authors": [own.authors.left.structures, len(own.authors.left.groups)],
        "open": [own.authors.pruned.open, own.ours.pruned.open],
        "microseconds": own.microseconds,
        "chosen": {
            "structure": structure(own.chosen.graph),
            "time": print_time(contraction, own.group.cost),
            "memory": print_memory(own.group.cost, contraction.loops),
            "schedule": str(Schedule(realise(kernel.program, contraction, own.chosen).commands)),
        },
    }


def picture(own: Measured, kernel: Kernel) -> str:
    """The branched graph for some sizes as SVG, as `gnomon show` draws it."""
    made = realise(kernel.program, own.search.contraction, own.chosen)
    return loop_nest(apply_schedule(kernel.program, Schedule(made.commands)))


def peak() -> int:
    """The most memory that this process has had, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
