"""Schedules of a nest for a GPU in which warps take iterations of the outermost loop, and their lanes read side by
side:

- Lanes share out the rows of a dense result, where operands with these rows are dense: of a product of a sparse matrix
  and a dense one each lane computes every 32nd component of a row.
- Lanes share out sums: those over what an operand stores among eight, since rows of sparse matrices are short; those
  over dense operands among all 32.
- Where a result is appended to whose rows are sums of rows, as those of a product of sparse matrices, blocks take
  iterations of the outermost loop, and warps, of eight lanes where these are sparse, the rows that are summed up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...levels.level import Insert
from ...notation.syntax import Access
from ...statement.statement import Assign, Program, reads
from ..command import Command
from ..nests import fresh_name
from ..path import Path
from ..section import Section
from .partition import is_dense
from .unasked import ends_in, last_variable

Commands = tuple[Command, ...]
THREADS, LANES, FEW, AT_A_TIME = 256, 32, 8, 4
"""The threads of a block, the lanes of a warp, those of a warp for short sums, and of how many iterations a loop over
what is stored has a body at a time, so that the device waits for what they read at once."""


def filled_by_lanes(program: Program, nest: Section) -> Iterator[Commands]:
    """The schedules of a nest that does not append, best first; none where lanes have nothing to share out.

    Before: `∀i ∀j ∀k C(i,k) += A(i,j) * B(j,k)`. After: `∀block [GPUBlock] ∀warp [GPUWarp] ∀part ∀lane [GPUThread] ∀j`.

    Before: `∀i ∀j y(i) += A(i,j) * x(j)`. After: `∀block [GPUBlock] ∀warp [GPUWarp] ∀lane [GPUThread] ∀part`.
    """
    leaf = nest.end
    if not isinstance(leaf, Assign) or leaf.target.tensor != program.result or leaf.mask is not None:
        return
    (first, *rest), row = nest.variables, last_variable(program, leaf)
    apart, reduced = ([v for v in rest if is_reduced(program, leaf, v) == summed] for summed in (False, True))
    with_row = [a for a in reads(leaf) if row in a.indices]
    if row in rest and with_row and all(ends_in(program, a, row) for a in with_row):
        block, warp, part, lane = names(program)
        split = Command("split", (row, part, lane, LANES), path=nest.path or None)
        order = (*(v for v in apart if v != row), part, lane, *reduced)
        plain = on_warps(nest, (split,), LANES, order, (block, warp, lane), "NoRaces")
        yield from several_at_a_time(nest, plain, reduced[-1:])
    if rest and reduced == rest[-1:] and first in leaf.target.indices:
        yield from sums(program, nest, leaf, apart)


def sums(program: Program, nest: Section, leaf: Assign, apart: list[str]) -> Iterator[Commands]:
    """The schedule in which lanes share out the innermost loop, a sum; loops apart from it stay around it."""
    inner, (block, warp, part, lane) = nest.variables[-1], names(program)
    stored = storing(program, leaf, inner)
    position, path = fresh_name(program, "p"), nest.path or None
    if len(stored) > 1:
        return
    lanes = FEW if stored else LANES
    splits = split_stored(path, inner, position, stored, (part, lane, lanes))
    yield on_warps(nest, splits, lanes, (*apart, lane, part), (block, warp, lane), "ParallelReduction")


def appended_by_lanes(program: Program, nest: Section) -> Iterator[Commands]:
    """The schedule of a nest that appends, in which lanes share out the innermost loop, a sum over dense operands; none
    where it is no such sum.

    Before: `∀i ∀k ∀j A(i,k) += B(i,k) * C(i,j) * D(k,j)`. After: `∀i [GPUBlock] ∀k ∀lane [GPUThread] ∀part`.
    """
    leaf, path = nest.end, nest.path or None
    if not isinstance(leaf, Assign) or leaf.mask is not None or len(nest.variables) == 1:
        return
    *around, inner = nest.variables
    read = any(inner in a.levels for a in reads(leaf))
    if not read or not is_reduced(program, leaf, inner) or storing(program, leaf, inner):
        return
    _, _, part, lane = names(program)
    plain = (
        Command("split", (inner, part, lane, LANES), path=path),
        Command("reorder", (*around, lane, part), path=path),
        Command("parallelize", (around[0], "GPUBlock", "NoRaces"), path=path),
        Command("parallelize", (lane, "GPUThread", "ParallelReduction"), path=path),
    )
    yield from several_at_a_time(nest, plain, around[1:][-1:])


def summed_by_warps(program: Program, nest: Section) -> Iterator[Commands]:
    """The schedules of a nest that appends rows which are sums of other rows, best first: warps share out the rows that
    are summed up, and their lanes each of these, eight of them where it is stored, since rows of sparse matrices are
    short.

    Before: `∀i ∀k ∀j C(i,j) += A(i,k) * B(k,j)`. After: `∀i [GPUBlock] ∀warp [GPUWarp] ∀part ∀lane [GPUThread] ∀piece`.
    """
    leaf, path = nest.end, nest.path or None
    if not isinstance(leaf, Assign) or leaf.target.tensor != program.result or len(nest.variables) < 3:
        return
    *around, inner = nest.variables
    summed = [v for v in around if is_reduced(program, leaf, v)]
    rows, lanes = around[: len(around) - len(summed)], storing(program, leaf, inner)
    ends = not isinstance(program.formats[program.result].levels[-1], Insert)
    if not rows or not summed or [*rows, *summed] != around or inner not in leaf.target.indices or not ends:
        return
    _, warp, part, lane = names(program)
    few = FEW if lanes else LANES
    first, piece = summed[0], fresh_name(program, "piece")
    at = [fresh_name(program, f"{v}_at") for v in (first, inner)]
    yield (
        Command("parallelize", (rows[0], "GPUBlock", "NoRaces"), path=path),
        *split_stored(path, first, at[0], storing(program, leaf, first), (part, warp, THREADS // few)),
        Command("reorder", (warp, part), path=path),
        *split_stored(path, inner, at[1], lanes, (piece, lane, few)),
        Command("reorder", (lane, piece), path=path),
        Command("parallelize", (warp, "GPUWarp", "IgnoreRaces"), path=path),
        Command("parallelize", (lane, "GPUThread", "Atomics"), path=path),
    )
    on_units = ((rows[0], "GPUBlock", "NoRaces"), (inner, "GPUThread", "Atomics"))
    yield tuple(Command("parallelize", each, path=path) for each in on_units)


def split_stored(
    path: Path | None, variable: str, position: str, stored: Sequence[Access], parts: tuple[str, str, int]
) -> Commands:
    """The commands that split a loop into parts, the inner one of so many iterations: the loop over the positions of
    the operand that stores the coordinates, if there is one. Not legal if several do."""
    counted = [Command("pos", (variable, position, a), path=path) for a in stored]
    return (*counted, Command("split", (position if stored else variable, *parts), path=path))


def several_at_a_time(nest: Section, commands: Commands, variables: Sequence[str]) -> Iterator[Commands]:
    """A schedule in which loops have a body for several iterations, and the schedule without that."""
    yield (*commands, *(Command("unroll", (v, AT_A_TIME), path=nest.path or None) for v in variables))
    if variables:
        yield commands


def on_warps(
    nest: Section, splits: Commands, lanes: int, order: tuple[str, ...], units: tuple[str, str, str], races: str
) -> Commands:
    """The schedule with further splits in which warps of so many lanes take iterations of the outermost loop, and run
    loops in an order, one of them on lanes."""
    first, path, (block, warp, lane) = nest.variables[0], nest.path or None, units
    strategies = ((block, "GPUBlock", "NoRaces"), (warp, "GPUWarp", "NoRaces"), (lane, "GPUThread", races))
    return (
        Command("split", (first, block, warp, THREADS // lanes), path=path),
        *splits,
        Command("reorder", (block, warp, *order), path=path),
        *(Command("parallelize", each, path=path) for each in strategies),
    )


def names(program: Program) -> tuple[str, ...]:
    """Names for the loops that splits make."""
    return tuple(fresh_name(program, stem) for stem in ("block", "warp", "part", "lane"))


def is_reduced(program: Program, leaf: Assign, variable: str) -> bool:
    """Whether a loop is a sum over all of a variable: not one within blocks, nor the second one over a diagonal, which
    has one iteration."""
    return variable not in leaf.target.indices and program.provenance.format_relation_of(variable) is None


def storing(program: Program, leaf: Assign, variable: str) -> list[Access]:
    """The operands of which a level along a variable stores coordinates."""
    found = []
    for access in reads(leaf):
        levels = program.formats[access.tensor].levels
        if any(v == variable and not is_dense(level) for v, level in zip(access.levels, levels, strict=True)):
            found.append(access)
    return found
