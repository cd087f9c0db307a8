"""Spreading: loops whose iterations the threads of a block or a warp share out, or the warps of a block.

Before: `for (thread …) { … }`. After: iteration by iteration, or, where there are no more iterations than threads,

    for (int64_t thread = threadIdx.x; thread < thread_end; thread += 256) { … }
    const int64_t thread = threadIdx.x;
    if (thread < thread_end) { … }

What one thread stores others see after a barrier. One stands around the loop where loops of the group around it make
different threads come to one component.
"""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from ...reference.errors import Unsupported
from ...reference.statement.statement import Assign
from ..assembly.outputs import Outputs
from ..ir import ir, logic
from ..ir.extremes import is_at_most
from ..ir.ir import BOOL, Code, Expr, Int, Name
from ..ir.traversal import leaves
from ..ir.writer import Writer
from ..scope.env import Env
from ..scope.target import Cell
from ..scope.team import Group
from ..values.combining import combine_partial, start
from .collective import Folded, FoldedFlag, barrier, fold, meet
from .memory import Slices, place_workspaces, slices_for
from .sizes import WARPS
from .unit import Unit


class Spread(Unit):
    """A loop over warps or threads."""

    @property
    def group(self) -> Group:
        """The group that shares out the loop."""
        group = self.env.teams.group
        if group is None or (self.is_of_warps and group.scope == "warp"):
            raise Unsupported(
                f"{self.loop.index} on {self.team.tag.unit} lies inside a loop that single threads or warps run",
                hint="put loops on warps around loops on threads",
            )
        return group

    def write(self, out: Writer) -> None:
        """Write the loop, and what its group does together after it.

        Where a loop does not count its iterations, all threads of the group run every iteration, and the first thread
        stores. In another case of the same loop each thread may store components of its own: barriers keep both apart.
        """
        if not self.counts:
            group, emitter = self.env.teams.group, self.emitter
            if self.owned.workspaces:
                slices = self.slices(group)
                emitter = emitter.with_outputs(place_workspaces(emitter.outputs, self.owned.workspaces, group, slices))
            around = meet(group) if self.plain_stores else ()
            out.add(*around)
            emitter.write_loop(self.loop, self.env, out)
            out.add(*around)
            return
        depth = len(self.env.site.around) + 1
        inner = replace(self.group, scope="warp", depth=depth) if self.is_of_warps else None
        env = self.inside(inner, out)
        slices = self.slices(inner)
        outputs = place_workspaces(self.emitter.outputs, self.owned.workspaces, inner, slices)
        main, end = out.inner(), out.inner()
        outputs = self.own_temporaries(outputs, inner, slices, out, end)
        mixes = self.share(outputs, env, main)
        out.taken |= main.taken
        around = (barrier(self.group),) if mixes else ()
        out.add(*around, *main.body, *around, *end.code)
        out.add(*((barrier(self.group),) if self.owned.temporaries else ()))
        self.fold_cells(env, out)

    def share(self, outputs: Outputs, env: Env, out: Writer) -> bool:
        """Write what a thread, or a warp, runs of the loop, which fills outputs. Whether several may come to one
        component that nothing keeps apart, in different iterations of loops that the group runs."""
        loop = out.take_back(self.emitter.with_outputs(outputs).write_loop(self.loop, env, out))
        out.taken.add(loop.name)
        out.add(*self.share_out(loop))
        return self.mixes(loop)

    def slices(self, owner: Group | None) -> Slices:
        """The slices of who runs iterations, or of the group."""
        return slices_for(owner, self.group.threads)

    @property
    def is_of_warps(self) -> bool:
        """Whether it is warps that run iterations."""
        return self.team.tag.unit == WARPS

    def share_out(self, loop: ir.For) -> Code:
        """The part of a loop that a thread, or a warp, runs."""
        rank, size = self.group.rank, self.group.size
        if self.is_of_warps:
            rank, size = self.group.warp, self.group.warps
        if loop.begin != ir.ZERO or loop.step != ir.ONE or not is_at_most(loop.end, size) or leaves(loop.body):
            begin, step = ir.add(loop.begin, ir.mul(rank, loop.step)), ir.mul(Int(size), loop.step)
            return (replace(loop, begin=begin, step=step),)
        there = ir.TRUE if loop.end == Int(size) else logic.compare("<", Name(loop.name, True), loop.end)
        return (ir.Declare(f"const {ir.INT}", loop.name, rank), *logic.conditional(there, loop.body))

    @property
    def loops_of_group(self) -> frozenset[str]:
        """The loops that the group runs around this one."""
        return frozenset(self.env.site.around[self.group.depth :])

    @property
    def plain_stores(self) -> list[Assign]:
        """What stores values that nothing keeps apart."""
        return [leaf for name, leaf in self.owned.targets.items() if self.is_stored(name)]

    def mixes(self, loop: ir.For) -> bool:
        """Whether several threads may come to one component, in different iterations of loops that the group runs."""
        repeated, stored = self.loops_of_group, self.plain_stores
        if not repeated or not stored:
            return False
        if loop.begin != ir.ZERO or self.loop.strategy.coiterated:
            return True
        loops = self.loop.inside.space.loops
        kept = [[set(loops(v) or repeated) for v in leaf.target.indices] for leaf in stored]
        return not all(any(self.loop.index in own and not own & repeated for own in each) for each in kept)

    def is_stored(self, name: str) -> bool:
        """Whether iterations store values of a tensor that nothing else keeps apart."""
        racing = name in self.team.racing and name in self.env.teams.combined
        return name not in self.owned.cells and not racing and name not in self.env.teams.atomic

    def fold_cells(self, env: Env, out: Writer) -> None:
        """Fold what those that run iterations have accumulated, and combine it with what the group has."""
        for name in self.owned.cells:
            leaf, targets = self.owned.targets[name], (self.env.target, env.target)
            common, own = (self.parts(leaf, target.cells[name]) for target in targets)
            for of_group, part in zip(common, own, strict=True):
                fold(self.group, part, self.is_of_warps, self.frame.routine, out)
                out.add(*part.combine(of_group.own, part.own))

    def parts(self, leaf: Assign, cell: Cell) -> list[Folded]:
        """The variables of a cell to be folded: the value, where values are computed, and the flag, if there is any.
        The assignment that stores the cell says how values combine."""
        name, found = leaf.target.tensor, list[Folded]()
        if self.frame.wants(name):
            combine = partial(combine_partial, a=leaf, frame=self.frame)
            found.append(Folded(cell.value, self.frame.facts.types[name], start(leaf, self.frame), combine))
        if cell.present is not None:
            found.append(FoldedFlag(cell.present, BOOL, ir.FALSE, either))
        return found


def either(place: Expr, found: Expr) -> Code:
    """Combine flags: what is there in one is there."""
    return (ir.Assign(place, logic.either(place, found)),)
