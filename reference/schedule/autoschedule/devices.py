"""Templates for GPUs: what blocks, warps and threads run of a partition (Senanayake 2020, section 6.2).

The outermost loop runs on blocks. The rules of the paper, beside those that CPUs have too (a split has to change
something; sparse operands are gone through in storage order, dense ones where that contradicts nothing):

1. All threads have the same work: inside of blocks no loop goes over what is stored.
2. Warps and threads run loops with a constant number of iterations, parts of splits.
3. Threads read memory together: neighbours side by side, or each a piece of constant size, so that inside of threads
   all loops are parts of splits.

Beyond section 6.1 the part of a split that threads run may be split again, as in the paper's own schedules: into
threads and the components of each, in either order, into warps and their threads, or into all three (Figure 2e). Or
warps run a part of another split.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from ...statement.statement import Program, assignments
from ..command import Command
from ..commands import run
from ..nests import fresh_name
from .arrangement import dense_order, extend, idle, in_order, loops_of, orders, purposes, sparse_order
from .partition import Partition, is_compressed, partitions
from .ranking import MOST
from .template import Purpose, Template

BLOCK, WARP, THREAD = "GPUBlock", "GPUWarp", "GPUThread"


class Division(Struct, frozen=True):
    """A partition of which parts of splits have been given to warps and threads, with what these splits are for."""

    partition: Partition
    units: Mapping[str, str]
    purposes: Mapping[str, Purpose]

    def give(self, part: str, unit: str) -> Division:
        """The division with a part on a unit."""
        return replace(self, units={**self.units, part: unit})

    def mean(self, part: str, purpose: Purpose) -> Division:
        """The division in which the split that a part is the inner one of is for a purpose."""
        return replace(self, purposes={**self.purposes, part: purpose})

    def divide(self, part: str, outer: str, inner: str) -> tuple[Division, str, str]:
        """The division with a part in two again, and the names of these, which have some stems."""
        program = self.partition.program
        first, second = fresh_name(program, outer), fresh_name(program, inner)
        command = Command("split", (part, first, second, 2))
        splits = tuple((a, first if b == part else b) for a, b in self.partition.splits)
        commands = (*self.partition.commands, command)
        partition = Partition(commands, run(command, program), (*splits, (first, second)))
        return replace(self, partition=partition), first, second


def device_templates(program: Program) -> list[Template]:
    """The templates for a GPU, each distinct one once, of many the first ones; none where nothing is balanced. Those
    with the fewest loops that race come first, then those whose threads stand innermost, then those with fewer
    commands."""
    distinct: dict[str, Template] = {}
    every = (t for p in partitions(program) for division in divisions(p) for t in placements(division))
    for template in every:
        distinct.setdefault(str(template), template)
        if len(distinct) == MOST:
            break
    return sorted(distinct.values(), key=merit)


def merit(template: Template) -> tuple[int, bool, int]:
    """What a template is sorted by, less being better."""
    racing = sum(command.name == "parallelize" and command.args[2] != "NoRaces" for command in template.commands)
    return racing, Purpose.COMPONENTS_OF_A_THREAD in template.purposes.values(), len(template.commands)


def divisions(partition: Partition) -> Iterator[Division]:
    """The ways to give parts of splits to threads, and to warps around them."""
    whole, parts = Division(partition, {}, purposes(partition, None)), [inner for _, inner in partition.splits]
    for part in parts:
        yield whole.give(part, THREAD).mean(part, Purpose.THREADS_OF_A_BLOCK)
        yield from in_pieces(whole.mean(part, Purpose.SHARE_OF_A_BLOCK), part, Purpose.THREADS_OF_A_BLOCK)
        yield from on_warps_and_threads(whole, part)
        for other in parts:
            if other != part:
                warps = whole.give(other, WARP).mean(other, Purpose.WARPS_OF_A_BLOCK)
                yield warps.give(part, THREAD).mean(part, Purpose.LANES_OF_A_WARP)
                yield from in_pieces(warps.mean(part, Purpose.SHARE_OF_A_WARP), part, Purpose.LANES_OF_A_WARP)


def in_pieces(found: Division, part: str, threads: Purpose) -> Iterator[Division]:
    """Each thread runs several iterations of a part: a piece of it, or one of each piece."""
    divided, thread, each = found.divide(part, "thread", "each")
    yield divided.give(thread, THREAD).mean(each, Purpose.COMPONENTS_OF_A_THREAD)
    divided, each, thread = found.divide(part, "each", "thread")
    yield divided.give(thread, THREAD).mean(thread, threads)


def on_warps_and_threads(found: Division, part: str) -> Iterator[Division]:
    """Warps share out a part, and the threads of each its share, alone or in pieces."""
    divided, warp, share = found.divide(part, "warp", "share")
    divided = divided.give(warp, WARP)
    alone = divided.mean(part, Purpose.THREADS_OF_A_BLOCK).mean(share, Purpose.LANES_OF_A_WARP)
    yield alone.give(share, THREAD)
    several = divided.mean(part, Purpose.SHARE_OF_A_BLOCK).mean(share, Purpose.SHARE_OF_A_WARP)
    yield from in_pieces(several, share, Purpose.LANES_OF_A_WARP)


def placements(division: Division) -> Iterator[Template]:
    """The templates of a division: its loops in every order that the rules leave."""
    partition, units = division.partition, division.units
    for order in orders(partition.loops, dense_order(partition, sparse_order(partition))):
        tagged = {order[0]: BLOCK, **{v: units[v] for v in order if v in units}}
        if len(tagged) == len(units) + 1 and follows_rules(division, order) and not idle(partition, order, (*tagged,)):
            found = on_units(in_order(partition, order), tagged)
            if found is not None:
                yield Template(found.commands, division.purposes)


def follows_rules(division: Division, order: tuple[str, ...]) -> bool:
    """Whether all threads have the same work, and read memory together, with warps around threads."""
    program, parts = division.partition.program, {part for _, part in division.partition.splits}
    graph = program.provenance
    balanced = all(v in parts or not (graph.is_position(v) or is_compressed(program, v)) for v in order[1:])
    thread = next(n for n, v in enumerate(order) if division.units.get(v) == THREAD)
    nested = all(division.units.get(v) != WARP for v in order[thread:])
    return balanced and nested and parts.issuperset(order[thread + 1 :])


def on_units(found: Partition | None, units: Mapping[str, str]) -> Partition | None:
    """The partition with loops on units, each by the first race strategy that settles it; None if none does."""
    for variable, unit in units.items():
        if found is None:
            return None
        tags = (Command("parallelize", (variable, unit, strategy)) for strategy in strategies(found, variable))
        found = next((after for after in (extend(found, tag) for tag in tags) if after is not None), None)
    return found


def strategies(partition: Partition, variable: str) -> tuple[str, ...]:
    """The race strategies to try, best first: what iterations have is folded where all have a part of one component."""
    written = {v for leaf in assignments(partition.program.statement) for v in leaf.target.indices}
    apart = {loop for v in written for loop in loops_of(partition, v)}
    inside = partition.loops[partition.loops.index(variable) + 1 :]
    return ("NoRaces", "Atomics") if apart & set(inside) else ("NoRaces", "ParallelReduction", "Atomics")
