"""Accumulation: what a loop nest reduces into is kept in local variables, its cells, while the nest runs.

Before: `for (k …) y_vals[i] += …;`. After:

    double ty = y_vals[i];
    for (k …) ty += …;
    y_vals[i] = ty;

Inside a block of a format, or a tile, the components of the whole block are kept, an array for which compilers find
registers. A tile at the end of an extent, which has no constant size, is cut into stretches that have: half the tile,
a quarter and so on, each taken if it is in the number of places that are left, and the last three, two or one at once:

    if (j1_count % 16 >= 8) { const int64_t j1_first = j1_count / 16 * 16; double tC[8]; … }
    if (j1_count % 8 >= 4) { const int64_t j1_first = j1_count / 8 * 8; double tC[4]; … }
    if (j1_count % 4 == 3) { const int64_t j1_first = j1_count / 4 * 4; double tC[3]; … } …
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from math import prod

from msgspec.structs import replace

from ...reference.errors import Unsupported
from ...reference.loops.plan import AssignPlan, LoopPlan, Node
from ...reference.loops.tiles import find_tile
from ...reference.notation.syntax import Mask, mask_reads
from ...reference.schedule.flags import fillings
from ...reference.statement.relation import Same, Split
from ...reference.statement.statement import assignments, foralls, reads
from ..assembly.output import Output
from ..cuda.sizes import unit_of
from ..ir import ir, logic, traversal
from ..ir.ir import Expr, Name
from ..ir.writer import Writer
from ..scope.env import Env
from ..scope.frame import Frame
from ..scope.target import Cell
from ..scope.tiles import fits, length
from ..scope.tiling import Stretch
from ..values.combining import start
from .storing import Storing

LARGEST_BLOCK, FEW = 64, 4
Move = Callable[[Expr, Expr], ir.Stmt]
EmitLoop = Callable[[LoopPlan, Env, Writer], None]


class Accumulation:
    """The accumulation of what a loop contributes to one component, or to a block of them."""

    def __init__(self, storing: Storing, emit: EmitLoop, loop: LoopPlan, env: Env) -> None:
        self.storing, self.frame, self.emit, self.loop, self.env = storing, storing.frame, emit, loop, env
        self.leaves = list(assignments(loop.statement))
        self.main = self.leaves[-1]
        self.name, self.target = self.main.target.tensor, self.main.target

    def write(self, out: Writer) -> bool:
        """Write the loop with what accumulates around it. False, with nothing written, if nothing does."""
        if self.accumulates:
            self.accumulate_admitted(out)
        elif self.splits:
            self.in_blocks(out)
        else:
            return False
        return True

    @property
    def accumulates(self) -> bool:
        """Whether the component that the loop contributes to is kept in a cell until the loop is done."""
        if self.name in self.env.target.cells or self.main.operator is None or self.is_valueless:
            return False
        if any(self.env.site.space.loops(v) is None for v in self.target.indices):
            return False
        if any(a.operator is not self.main.operator for a in self.leaves if a.target.tensor == self.name):
            return False
        return not self.is_straight and not self.is_guarded

    @property
    def is_guarded(self) -> bool:
        """Whether the loop may have nothing to do with the component: others may store in it meanwhile."""
        guards = self.loop.guards_beside(self.env.tiling.narrowed, self.env.tiling.stepped)
        return self.loop.space.completes(self.loop.index) and bool(guards)

    @property
    def is_valueless(self) -> bool:
        """Whether the components keep nothing but values, for which nobody asks."""
        output = self.storing.outputs.find(self.name)
        return output is not None and output.held.is_plain and not self.frame.wants(self.name)

    @property
    def is_straight(self) -> bool:
        """Whether the loops of the nest each visit one coordinate: then there is nothing to accumulate."""
        node: Node = self.loop
        while isinstance(node, LoopPlan):
            strategy = node.strategy
            if len(strategy.coiterated) != 1 or strategy.whole_extent or strategy.depends:
                return False
            active = strategy.coiterated[0]
            above = self.frame.facts.formats[active.access.tensor].levels[: active.first]
            alone = active.access in self.loop.surroundings.fused or all(level.unique for level in above)
            if not alone or not (active.level.branchless or active.level.padded) or strategy.ordered:
                return False
            node = node.body
        return isinstance(node, AssignPlan)

    def accumulate_admitted(self, out: Writer) -> None:
        """Run the loop into a cell, unless a mask that is known before it keeps all of it out."""
        mask = self.mask_before
        if mask is None:
            self.accumulate(out)
            return
        inner = out.inner()
        admitted = self.storing.admits(self.main, self.env, out)
        Accumulation(self.storing, self.emit, self.loop, self.env.admit(mask)).accumulate(inner)
        out.add(*logic.conditional(admitted, inner.code))

    @property
    def mask_before(self) -> Mask | None:
        """The mask of all that the loop assigns beside workspaces inside, if no code around has asked the mask, and all
        levels that the mask reads have been located. The second level of a diagonal is located inside the loop only."""
        inside = {where.workspace for where, _ in fillings(self.loop.statement)}
        mask, *others = {a.mask for a in self.leaves if a.target.tensor not in inside}
        is_known = all(map(self.env.site.has_found, mask_reads(mask)))
        return mask if is_known and not others and mask not in self.env.target.admitting else None

    @property
    def settles(self) -> bool:
        """Whether the first contribution is the last: an operator that selects may select it.

        Loops of a schedule that run side by side, or repeat their bodies, go on: no iteration may end others.
        """
        if not all(a.target == self.target and a.operator is not None and a.operator.selects for a in self.leaves):
            return False
        return not any(loop.tags for loop in foralls(self.loop.begins or self.loop.statement))

    def accumulate(self, out: Writer) -> None:
        """Run the loop into a cell, then store what it holds."""
        storing, env, main = self.storing, self.env, self.main
        output, place = storing.outputs[self.name], None
        direct = output.held.is_plain and self.name not in env.teams.atomic
        if direct:
            self.refuse_idle_visits()
        covers = direct and storing.covers(output, self.target, env)
        if covers or (direct and env.teams.group is None):
            place = storing.place(output, self.target, env, out)
            before = output.form.initial if covers else place
            cell = storing.cell(main, before, out, flagged=False)
        else:
            cell = storing.cell(main, start(main, self.frame), out, flagged=not output.held.is_plain)
        begin = len(out.body)
        self.emit(self.loop, self.into(replace(cell, settles=self.settles)), out)
        out.body[begin:] = traversal.without_breaks(tuple(out.body[begin:]))
        if place is not None:
            out.add(*logic.conditional(env.teams.stores, (ir.Assign(place, cell.value),)))
            return
        storing.store_cell(main, cell, storing.coordinates(self.target, env), env, out)

    def refuse_idle_visits(self) -> None:
        """Refuse a loop whose component others of a team come to as well, with nothing to bring: in a tile of a
        diagonal, where the component alone does not say which tile brings what is there."""
        graph, shared = self.frame.facts.provenance, [team.variable for team in self.env.teams.shared]
        apart = {v for each in shared for v in graph.originals(each)}.difference(self.env.site.around)
        relations = [r for r in map(graph.format_relation_of, apart) if isinstance(r, Same)]
        copies = [r.copy for r in relations if r.original in self.target.indices]
        if copies:
            raise Unsupported(
                f"iterations of {' and '.join(shared)} come to components of {self.name} to which others bring what is "
                "on a diagonal",
                hint=f"parallelize a loop over a variable of {self.name} that is not collapsed with {copies[0]}",
            )

    def into(self, cell: Cell) -> Env:
        """The environment in which contributions go to a cell."""
        return self.env.into(self.name, cell)

    @cached_property
    def splits(self) -> tuple[Split, ...]:
        """The splits inside whose blocks the loop contributes to a whole block of a plain result; none if not."""
        env, output = self.env, self.storing.outputs.find(self.name)
        if output is None or not output.held.is_plain or self.main.operator is None or self.name in env.teams.atomic:
            return ()
        if self.is_valueless or any(unit_of(loop) for loop in foralls(self.loop.begins or self.loop.statement)):
            return ()
        if self.name in env.target.cells or any(a.target.tensor != self.name for a in self.leaves):
            return ()
        inner: list[Split] = []
        for v in self.target.indices:
            if env.site.space.loops(v) is None:
                inner += self.blocks(v)
                if not inner or inner[-1].parent != v or self.loop.index in (v, inner[-1].inner):
                    return ()
        return tuple(inner) if prod(r.factor for r in inner) <= LARGEST_BLOCK else ()

    def blocks(self, variable: str) -> list[Split]:
        """The splits into whose blocks, or tiles, the loops around have come."""
        if self.env.site.space.fits:
            return [r for r in self.frame.facts.provenance.splits(variable) if r.outer in self.env.site.around]
        tiles = [use for use in self.frame.facts.provenance.uses(variable) if isinstance(use, Split)]
        found = [use for use in tiles if find_tile(self.env.site.space, variable, use.inner) == use]
        return found if all(self.frame.facts.is_dense(a, variable) for a in reads(self.loop.statement)) else []

    def in_blocks(self, out: Writer) -> None:
        """Run the loop into cells for a whole block, then store what they hold."""
        env = self.env
        open_ = [
            r
            for r in self.splits
            if r not in env.tiling.whole and r not in env.tiling.partial and not env.site.space.fits
        ]
        if not open_:
            self.block(out)
        elif len(open_) == 1:
            self.in_stretches(open_[0], out)
        else:
            write_tile(self.frame, open_[0], env, out, self.again)

    def in_stretches(self, split: Split, out: Writer) -> None:
        """A tile that has its full size at once, and one that has not in stretches of constant size."""
        full, rest = out.inner(), out.inner()
        self.again(self.enter_stretch(split, ir.ZERO, split.factor), full)
        count = rest.hold(f"{split.inner}_count", length(self.frame, self.env, split))
        pieces = [(size, self.stretch(split, count, size, rest)) for size in stretches(split.factor)]
        left: ir.Code = ()
        for size, piece in reversed(pieces):
            more = logic.compare(">", ir.mod(count, ir.Int(size)), ir.ZERO)
            left = (*piece, *(logic.conditional(more, left) if size >= FEW else left))
        rest.add(*left)
        out.add(*logic.conditional(fits(self.frame, self.env, split), full.code, rest.code))

    def stretch(self, split: Split, count: Expr, size: int, out: Writer) -> ir.Code:
        """The code for the stretch of one size in a tile of `count` iterations, run if the tile has that stretch."""
        piece, among = out.inner(), ir.Int(2 * size if size >= FEW else FEW)
        first = piece.hold(f"{split.inner}_first", ir.mul(ir.floordiv(count, among), among))
        self.again(self.enter_stretch(split, first, size), piece)
        there = logic.compare(">=" if size >= FEW else "==", ir.mod(count, among), ir.Int(size))
        return logic.conditional(there, piece.code)

    def enter_stretch(self, split: Split, first: Expr, size: int) -> Env:
        """The environment of a stretch of a tile."""
        return self.env.keep_to_stretch(split, Stretch(first, size))

    def again(self, env: Env, out: Writer) -> None:
        """The same, where it is known whether a tile has its full size."""
        Accumulation(self.storing, self.emit, self.loop, env).in_blocks(out)

    def block(self, out: Writer) -> None:
        """A loop into cells for a block or tile that is whole, or is not."""
        env, output = self.env, self.storing.outputs[self.name]
        loops = {v for each in self.target.indices for v in env.site.space.loops(each) or ()}
        around = set(env.site.around) <= loops | {r.outer for r in self.splits}
        covers = env.target.covers and around and output.form.begins is None
        block = tuple((r.inner, env.tiling.whole.get(r, Stretch(ir.ZERO, r.factor))) for r in self.splits)
        kind = f"{output.held.store.type}[{prod(stretch.size for _, stretch in block)}]"
        cell = Cell(out.declare(kind, f"t{output.name}", None), None, block)
        if covers:
            self.storing.outputs.covered.add(output.name)

        def load(at: Expr, place: Expr) -> ir.Stmt:
            return ir.Assign(at, output.form.initial if covers else place)

        def store(at: Expr, place: Expr) -> ir.Stmt:
            return ir.Assign(place, at)

        self.over_block(output, cell, load, out)
        self.emit(self.loop, self.into(cell), out)
        self.over_block(output, cell, store, out)

    def over_block(self, output: Output, cell: Cell, each: Move, out: Writer) -> None:
        """Loops over a block, with its cells and the places that they stand for."""
        writers, env, counters = [out], self.env, list[Name]()
        for r in self.splits:
            writers.append(writers[-1].inner())
            counters.append(Name(writers[-1].fresh(r.inner), True))
            own = ir.add(env.tiling.first(r), counters[-1])
            env = env.inside(r.inner, own)
            if not self.env.site.space.fits:
                env = env.inside(r.parent, ir.add(ir.mul(env.site.coordinates[r.outer], ir.Int(r.factor)), own))
        place = self.storing.place(output, self.target, env, writers[-1])
        writers[-1].add(each(cell.at(env.site), place))
        for r, counter, inner, outer in zip(
            reversed(self.splits), reversed(counters), writers[:0:-1], writers[-2::-1], strict=True
        ):
            count = ir.Int(r.factor) if self.env.site.space.fits else length(self.frame, env, r)
            outer.add(ir.For(counter.name, ir.ZERO, count, inner.code))


def write_tile(frame: Frame, split: Split, env: Env, out: Writer, write: Callable[[Env, Writer], None]) -> None:
    """Write code for a full tile and code for a smaller one, so that neither has a guard in its inner loop."""
    full, rest = out.inner(), out.inner()
    write(env.keep_to_stretch(split, Stretch(ir.ZERO, split.factor)), full)
    write(replace(env, tiling=replace(env.tiling, partial=env.tiling.partial | {split})), rest)
    out.add(*logic.conditional(fits(frame, env, split), full.code, rest.code))


def stretches(size: int) -> list[int]:
    """The lengths of stretches of which any number below a size is a sum: powers of two, then what is less than four.

    >>> stretches(16), stretches(6), stretches(3), stretches(1)
    ([8, 4, 3, 2, 1], [4, 3, 2, 1], [2, 1], [])
    """
    powers = [1 << n for n in reversed(range((size - 1).bit_length())) if 1 << n >= FEW]
    return [*powers, *range(min(FEW, size) - 1, 0, -1)]
