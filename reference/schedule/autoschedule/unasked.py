"""The schedule of a linear nest that a kernel follows if none is asked for: what can be told without data to
do no harm. Products of several tensors may be taken apart instead (`branched/products.py`).

Five steps, each left out where it does not fit or is not legal:

- A tile of a row of a dense result stays in registers: the last variable of the result is split, the tile stands
  innermost, on lanes, and inside its outer part stand the reductions that only the result's other variables surround:
  `∀i ∀k ∀j C(i,j) += A(i,k) * B(k,j)` becomes `∀i ∀j0 ∀k ∀j1`. Operands with that variable are dense and end in it;
  in none of the others are coordinates stored more than once, since their fibers are walked again for every tile. Slots
  and diagonals of an operand (`Rank`) are reductions, whether or not they stand outermost.
- Else, where slots or diagonals stand outermost, rows are taken by blocks, each with all of them, so that its part of a
  dense result stays in the cache, and threads own blocks: `∀r ∀i ∀j y(i) += A(i,j) * x(j)` of DIA becomes
  `∀i0 ∀r ∀i1 ∀j`, with r unrolled and i1 on lanes: code jams the loops over i1 of several diagonals. Of slots, several
  are taken at a time: of ELL it becomes `∀i0 ∀r0 ∀i1 ∀r1 ∀j`, with r1 unrolled.
- The outermost loop runs on threads where its iterations write components of their own of a dense result; or, in shares
  of several iterations, where they append rows of a sparse one for which more is read than written; of several
  positions, where an operand stores rows. Kernels wake threads only for inputs that are large enough.
- The innermost loop runs on lanes if it walks dense operands as they lie in memory, for coordinates that others store:
  `∀k D(i,j) += A(i,j) * B(i,k) * C(k,j)`. Loops around it wait for memory, and lanes have more under way at a time.

Whatever the number of threads, each component is computed from the same terms, in the order without a schedule but
where lanes reduce.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from ...levels.level import Append
from ...loops.fusing import strategies
from ...notation.syntax import Access
from ...statement.relation import Rank
from ...statement.statement import Assign, Forall, Program, Where, assignments, foralls, reads
from ...storage.coordinate_map import Mode
from ..command import Command
from ..nests import fresh_name
from ..path import Path
from ..schedule import Schedule
from .arrangement import LANES, THREADS, extend, is_whole
from .partition import Partition, is_dense, is_dense_tensor, outermost_loops
from .template import Purpose

Steps = tuple[Command, ...]
SLOTS, DIAGONALS = 8, 4
"""How many slots of a row, and how many diagonals, are taken at a time: in fewer rounds the result is read and written
less often."""


def default_schedule(program: Program) -> Schedule:
    """The schedule for a program if none is asked for: no commands where nothing is certain to do good."""
    found = Partition((), program, ())
    for step in (tile, slots, slices, threads, lanes):
        found = take(found, step(found.program))
    return Schedule(found.commands)


def take(found: Partition, steps: Steps) -> Partition:
    """The partition after further commands; unchanged if one of them is not legal."""
    after: Partition | None = found
    for command in steps:
        after = None if after is None else extend(after, command)
    return found if after is None else after


def tile(program: Program) -> Steps:
    """The commands that keep a tile of a row of a dense result in registers; none if there is no such row."""
    leaf = next(assignments(program.statement))
    row = last_variable(program, leaf)
    if row is None or not is_whole(program) or leaf.operator is None or leaf.mask is not None:
        return ()
    unique = all(level.unique for a in reads(program.statement) for level in program.formats[a.tensor].levels)
    with_row = [a for a in reads(program.statement) if row in a.indices]
    if not unique or not with_row or not all(ends_in(program, a, row) for a in with_row):
        return ()
    loops, kept = outermost_loops(program), own(program, leaf)
    split = tile_row(program, ranks_inside(program, loops, kept), row, kept)
    return (*split, *(Command("parallelize", (c.args[2], LANES, "NoRaces")) for c in split[:1]))


def ranks_inside(program: Program, loops: Sequence[str], own: Container[str]) -> Sequence[str]:
    """The loops in an order in which those over slots and diagonals of operands stand inside a result's `own` ones, if
    there are such loops."""
    found = ranks(program)
    return sorted(loops, key=lambda v: 0 if v in own else 1 if v in found else 2) if found & set(loops) else loops


def ranks(program: Program) -> set[str]:
    """The variables that number slots or diagonals of operands."""
    return {relation.rank for relation in program.provenance.of_formats if isinstance(relation, Rank)}


def slots(program: Program) -> Steps:
    """The commands that take rows of a dense result by blocks, each with several slots of an operand at a time; none
    where `slices` has none, or a row has more than one component. For diagonals they are not legal: which rows a
    diagonal has depends on the diagonal."""
    match slice_nest(program):
        case rank, row, *rest if not own(program, next(assignments(program.statement))) & set(rest):
            outer, inner = fresh_name(program, f"{row}0"), fresh_name(program, f"{row}1")
            first, last = fresh_name(program, f"{rank}0"), fresh_name(program, f"{rank}1")
            return (
                Command("split", (row, outer, inner, Purpose.ROWS_OF_A_SLICE.value[0])),
                Command("split", (rank, first, last, SLOTS)),
                Command("reorder", (outer, first, inner, last)),
                Command("unroll", (last, SLOTS)),
            )
        case _:
            return ()


def slices(program: Program) -> Steps:
    """The commands that take rows of a dense result by blocks, each with all slots or diagonals of an operand; none
    where no loop over such stands outermost, around one over rows."""
    match slice_nest(program):
        case rank, row, *rest:
            leaf = next(assignments(program.statement))
            outer, inner = fresh_name(program, f"{row}0"), fresh_name(program, f"{row}1")
            is_alone = not own(program, leaf) & set(rest)
            purpose = Purpose.ROWS_OF_A_SLICE if is_alone else Purpose.SHARE_OF_COORDINATES
            split = Command("split", (row, outer, inner, purpose.value[0]))
            on_lanes = Command("parallelize", (inner, LANES, "NoRaces"))
            side_by_side = is_alone and last_variable(program, leaf) == row
            together = (Command("unroll", (rank, DIAGONALS)), on_lanes) if side_by_side else ()
            return (split, Command("reorder", (outer, rank, inner)), *together)
        case _:
            return ()


def slice_nest(program: Program) -> Sequence[str]:
    """The loops of a nest, outermost first, where one over slots or diagonals stands around one over rows of a dense
    result; else none."""
    leaf, loops = next(assignments(program.statement)), outermost_loops(program)
    if not is_whole(program) or leaf.operator is None or leaf.mask is not None or len(loops) < 2:
        return ()
    is_full = is_dense_tensor(program, program.result)
    return loops if loops[0] in ranks(program) and loops[1] in leaf.target.indices and is_full else ()


def tile_row(program: Program, loops: Sequence[str], row: str, own: Container[str], path: Path | None = None) -> Steps:
    """The commands that put a tile of a row inside those loops that do not tell components of the result apart, which
    its `own` ones do; none where there are no such loops."""
    rest = [v for v in loops if v != row]
    count = max((n for n, v in enumerate(rest, 1) if v in own), default=0)
    kept, reductions = rest[:count], rest[count:]
    outer, inner = fresh_name(program, f"{row}0"), fresh_name(program, f"{row}1")
    split = Command("split", (row, outer, inner, Purpose.TILE.value[0]), path=path)
    return (split, Command("reorder", (*kept, outer, *reductions, inner), path=path)) if reductions else ()


def last_variable(program: Program, leaf: Assign) -> str | None:
    """The variable of a dense result whose neighbours lie side by side; None if it has none, or is not dense."""
    format = program.formats[leaf.target.tensor]
    match format.map.terms:
        case (*_, Mode(mode=mode)) if format.map.is_permutation and all(map(is_dense, format.levels)):
            return leaf.target.indices[mode]
        case _:
            return None


def own(program: Program, leaf: Assign) -> set[str]:
    """The variables, those of operands in blocks too, that say which component of a result is written."""
    splits = [s for v in leaf.target.indices for s in program.provenance.splits(v)]
    return {*leaf.target.indices, *(v for s in splits for v in (s.outer, s.inner))}


def ends_in(program: Program, access: Access, variable: str) -> bool:
    """Whether an operand is dense and its components lie side by side along a variable."""
    levels = program.formats[access.tensor].levels
    return access.levels[-1:] == (variable,) and access.levels.count(variable) == 1 and all(map(is_dense, levels))


def threads(program: Program) -> Steps:
    """The commands that run the outermost loop on threads, behind workspaces, if the loop writes a dense result or
    appends rows."""
    s = program.statement
    while isinstance(s, Where):
        s = s.consumer
    if not isinstance(s, Forall):
        return ()
    if is_dense_tensor(program, program.result):
        return (Command("parallelize", (s.index, THREADS, "NoRaces")),)
    stored = stored_rows(program, s.index)
    if not appends_rows(program) or len(stored) > 1 or not takes_more_than_it_gives(program):
        return ()
    shared, outer, inner = (fresh_name(program, f"{s.index}{end}") for end in ("p" if stored else "", "0", "1"))
    counted = tuple(Command("pos", (s.index, shared, access)) for access in stored)
    split = Command("split", (shared if stored else s.index, outer, inner, Purpose.SHARE_OF_COORDINATES.value[0]))
    return (*counted, split, Command("parallelize", (outer, THREADS, "NoRaces")))


def lanes(program: Program) -> Steps:
    """The command that runs the innermost loop on lanes; none where coordinates lead to none of the rows that it walks,
    or it does not walk rows."""
    leaf = next(assignments(program.statement))
    loops = list(foralls(program.statement))
    if not loops or not is_whole(program) or leaf.operator is None or leaf.mask is not None or loops[-1].tags:
        return ()
    *around, row = (loop.index for loop in loops)
    with_row = [a for a in reads(program.statement) if row in a.indices]
    jumps = any(stored_rows(program, v) for a in with_row for v in a.indices if v in around)
    if not jumps or not all(ends_in(program, a, row) for a in with_row):
        return ()
    if row not in leaf.target.indices:
        return (Command("parallelize", (row, LANES, "ParallelReduction")),)
    return (Command("parallelize", (row, LANES, "NoRaces")),) if last_variable(program, leaf) == row else ()


def appends_rows(program: Program) -> bool:
    """Whether all levels of a result are appended to, but for dense ones."""
    levels = program.formats[program.result].levels
    appended = [isinstance(level, Append) for level in levels]
    return any(appended) and all(each or is_dense(level) for each, level in zip(appended, levels, strict=True))


def takes_more_than_it_gives(program: Program) -> bool:
    """Whether components of a result are made of several, or few of many: reductions, and what several operands have in
    common. Else memory takes the time, and appending in parts writes everything twice."""
    if any(leaf.operator is not None for leaf in assignments(program.statement)):
        return True
    loops = tuple(foralls(program.statement))
    bound = (tuple(loop.index for loop in loops[:n]) for n in range(len(loops)))
    every = (s for loop, around in zip(loops, bound, strict=True) for s in strategies(program, loop, around))
    return any(s.merges and not s.forks for s in every)


def stored_rows(program: Program, row: str) -> list[Access]:
    """The operands that do not hold every coordinate of a variable."""
    formats, found = program.formats, list[Access]()
    for access in reads(program.statement):
        levels = zip(formats[access.tensor].levels, access.levels, strict=True)
        if not all(is_dense(level) for level, variable in levels if variable == row):
            found.append(access)
    return found
