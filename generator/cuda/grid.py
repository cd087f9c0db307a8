"""Grids: loops whose iterations the blocks of a grid run. The host launches a kernel for each.

Before: `for (block …) { … }`. After, on the host and on the device:

    gn_launch(evaluate_block, block_end, 256, …);
    for (int64_t block = blockIdx.x; block < block_end; block += gridDim.x) { … }

How many iterations there are the host computes. A loop that does not count them is run by one block.
"""

from __future__ import annotations

from msgspec.structs import replace

from ...reference.loops.plan import LoopPlan
from ..ir import extremes, ir, logic
from ..ir.grid import BLOCK, BLOCKS
from ..ir.ir import Expr, Int, Name
from ..ir.writer import Writer
from ..scope.env import Env
from ..scope.searching import iterations
from ..scope.team import Group, Team
from ..threads.region import Emitter
from ..values.combining import combine_partial
from .atomics import atomically
from .memory import place_workspaces, slices_for
from .sizes import block
from .unit import Unit, combined_targets


class Grid(Unit):
    """A loop over blocks. The name of its kernel begins with a `word`."""

    def __init__(self, emitter: Emitter, loop: LoopPlan, team: Team, env: Env, word: str) -> None:
        combined = frozenset(combined_targets(loop.begins or loop.statement))
        super().__init__(emitter, loop, team, replace(env, teams=replace(env.teams, combined=combined)))
        self.word = word

    def write(self, out: Writer) -> None:
        """Write the kernel, and what the host does for it."""
        frame, routine, body, index = self.frame, self.frame.routine, out.inner(), self.loop.index
        name = routine.root.fresh(f"{routine.name}_{self.word}{index}")
        group = block(frame.facts.program, self.loop.statement, len(self.env.site.around) + 1)
        outer = routine.enter(body, routine.root.fresh(f"next_{index}"), lists=False)
        env, counts = self.inside(group, body), self.counts
        slices = slices_for(group, group.threads)
        outputs = place_workspaces(self.emitter.outputs, self.owned.workspaces, group, slices)
        setup, main, end = body.inner(), body.inner(), body.inner()
        outputs = self.own_temporaries(outputs, group, slices, setup, end)
        loop = self.emitter.with_outputs(outputs).write_loop(self.loop, env, main)
        self.combine_cells(env, group, end)
        routine.leave(outer)
        blocks: Expr = ir.ONE
        if counts and loop is not None:
            main.take_back(loop)
            out.add(*main.body)
            out.taken |= main.taken
            first, last = out.hold(f"{index}_begin", loop.begin), out.hold(f"{index}_end", loop.end)
            blocks = iterations(first, last, loop.step)
            most = routine.most_blocks
            blocks = blocks if most is None else extremes.smaller(blocks, Int(most))
            begin, step = ir.add(first, ir.mul(BLOCK, loop.step)), ir.mul(BLOCKS, loop.step)
            main.body[:] = [replace(loop, begin=begin, end=last, step=step)]
        out.add(ir.Kernel(name, blocks, group.threads, (*body.code, *setup.code, *main.code, *end.code)))
        routine.fallible = True
        routine.check(out)

    def combine_cells(self, env: Env, group: Group, out: Writer) -> None:
        """Combine what a block has accumulated with what the host has, which kernels reach as arrays of one."""
        inner = out.inner()
        for name in self.owned.cells:
            own, common, leaf = env.target.cells[name], self.env.target.cells[name], self.owned.targets[name]
            assert leaf.operator is not None
            partial = combine_partial(element(common.value), own.value, leaf, self.frame)
            inner.add(*(atomically(s, leaf.operator.name, self.dtype(name)) for s in partial))
            if own.present is not None and common.present is not None:
                place = element(common.present)
                update = ir.Assign(place, logic.either(place, own.present))
                inner.add(*logic.conditional(own.present, (ir.Atomic(update, "or", "bool"),)))
        out.add(*logic.conditional(group.leads, inner.code))


def element(name: Name) -> Expr:
    """A variable of the host as kernels reach it: an array of one."""
    return ir.Element(name, ir.ZERO)
