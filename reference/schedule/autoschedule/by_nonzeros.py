"""Schedules of a nest for a GPU in which threads, or warps, take tiles of what an operand stores, however long its rows
are: for loops that go past duplicates, since nobody can tell how many rows there are."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, pairwise

from ...levels.level import Append, makes_positions
from ...notation.syntax import Access
from ...statement.statement import Assign, Program, reads
from ..command import Command
from ..nests import fresh_name
from ..section import Section
from .by_lanes import LANES, Commands, is_reduced, names, storing

TILE = 32
"""The positions that a block is given: those that a scan counts together."""


def appended_by_nonzeros(program: Program, nest: Section) -> Iterator[Commands]:
    """The schedules of a nest that appends something for each tuple of coordinates that an operand stores, to a result
    with one array of positions, best first; none for others. Lanes share out the innermost loop, a sum over dense
    operands.

    Before: `∀i ∀j ∀k C(i,j) += A(i,j) * B(i,k) * D(j,k)`. After: `∀block [GPUBlock] ∀nonzero ∀lane [GPUThread] ∀part`.
    """
    leaf, kinds, (block, _, part, lane) = nest.end, program.formats[program.result].levels, names(program)
    if nest.path or not isinstance(leaf, Assign) or leaf.target.tensor != program.result or leaf.mask is not None:
        return
    tiled = [access for access in reads(leaf) if leads(program, nest, leaf.target, access)]
    if not tiled or not isinstance(kinds[-1], Append) or sum(map(makes_positions, kinds)) != 1:
        return
    access, nonzero, position = tiled[0], fresh_name(program, "nonzero"), fresh_name(program, "position")
    every, inner = collapse(program, access.levels), nest.variables[len(access.levels) :]
    collapsed = every[-1].args[-1]
    tiles = (*every, Command("pos", (collapsed, position, access)), Command("split", (position, block, nonzero, TILE)))
    on_blocks = Command("parallelize", (block, "GPUBlock", "NoRaces"))
    if inner and is_reduced(program, leaf, inner[-1]) and not storing(program, leaf, inner[-1]):
        yield (
            *tiles,
            Command("split", (inner[-1], part, lane, LANES)),
            Command("reorder", (block, nonzero, *inner[:-1], lane, part)),
            on_blocks,
            Command("parallelize", (lane, "GPUThread", "ParallelReduction")),
        )
    yield (*tiles, on_blocks)


def leads(program: Program, nest: Section, target: Access, access: Access) -> bool:
    """Whether the outermost loops of a nest are those over the levels of an access, of which there are several, and
    over levels of the result in the same order. Tiles of what is in no order, or there twice, are not legal."""
    count = len(access.levels)
    return count > 1 and nest.variables[:count] == access.levels == target.levels[:count]


def collapse(program: Program, variables: tuple[str, ...]) -> Commands:
    """The commands that make one loop of several: `i`, `j` and `k` become `ij`, then `ijk`."""
    collapsed = [variables[0], *(fresh_name(program, stem) for stem in [*accumulate(variables)][1:])]
    pairs = zip(pairwise(collapsed), variables[1:], strict=True)
    return tuple(Command("collapse", (outer, inner, whole)) for (outer, whole), inner in pairs)
