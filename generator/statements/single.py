"""Single threads: what no loop on blocks of a GPU runs one thread of the device does, in a kernel of one block.

Before, with `y(i) = A(i,j) * s` and `s = t * u`: `s = t_vals[0] * u_vals[0];`. After:

    gn_launch(evaluate_s, 1, 32, …);                      if (threadIdx.x == 0) s[0] = t_vals[0] * u_vals[0];
    gn_launch(evaluate_i, …);

What stands around loops on blocks, or between them, the host still does: loops that launch them, and memory.
"""

from __future__ import annotations

from ...reference.loops.plan import Node, WherePlan
from ...reference.statement.statement import Program, assignments, foralls
from ..assembly.appending import Fibers
from ..assembly.finishing import finalize
from ..assembly.outputs import Outputs
from ..cuda.insertion import shares_places, write_kernels
from ..cuda.sizes import BLOCKS, unit_of
from ..cuda.unit import can_fill, meeting_targets, refuse_unfilled
from ..ir import ir, logic
from ..ir.grid import THREAD
from ..ir.ir import LANES
from ..ir.writer import Writer
from ..scope.env import Env
from ..threads.ownership import workspaces_inside
from .units import UnitStatements


class DeviceStatements(UnitStatements, frozen=True):
    """The statements of a function of which a GPU computes everything."""

    @classmethod
    def meeting(cls, program: Program) -> frozenset[str]:
        formats = {workspace.name: workspace.format for workspace in program.workspaces}
        return meeting_targets(program).union(name for name in formats if shares_places(formats[name].levels))

    def with_outputs(self, outputs: Outputs) -> DeviceStatements:
        return DeviceStatements(outputs)

    def write(self, node: Node, env: Env, out: Writer) -> None:
        of_host = self.frame.routine.is_parallel or self.orders(node)
        if of_host or any(unit_of(loop) == BLOCKS for loop in foralls(node.statement)):
            super().write(node, env, out)
        else:
            self.write_kernel(node, env, out)

    def orders(self, node: Node) -> bool:
        """Whether a part of a plan makes an ordered copy of an operand, or reads it: the host sorts before kernels."""
        ordered = self.frame.facts.program.ordered
        reads = isinstance(node, WherePlan) and node.statement.workspace in ordered
        return reads or all(a.target.tensor in ordered for a in assignments(node.statement))

    def clear_and_fill(self, node: WherePlan, env: Env, out: Writer) -> None:
        if node.statement.workspace in self.frame.facts.program.ordered:
            self.write_copy(node, env, out)
        else:
            super().clear_and_fill(node, env, out)

    def write_copy(self, node: WherePlan, env: Env, out: Writer) -> None:
        """Make an ordered copy of an operand, which has its final form before kernels read it."""
        copy = self.outputs[node.statement.workspace]
        out.add(ir.Comment(f"{copy.name}: what kernels read is put in order here, since none of them sorts"))
        self.write(node.producer, env, out)
        if copy.form.heads[0] == 0:
            Fibers(self.frame, copy).connect_root(out)
        finalize(copy.held, self.frame, out)

    def write_kernel(self, node: Node, env: Env, out: Writer) -> None:
        """Write the kernel of one thread, and one before it that inserts where that must be."""

        def write(outputs: Outputs, word: str, inner: Writer) -> None:
            self.with_outputs(outputs).write_one(node, env, word, inner)

        targets = dict.fromkeys(a.target.tensor for a in assignments(node.statement))
        own = {*env.target.cells, *workspaces_inside(node.statement, inside=True)}
        write_kernels(self.outputs, [name for name in targets if name not in own], write, out)

    def write_one(self, node: Node, env: Env, word: str, out: Writer) -> None:
        """Write a kernel of one thread, whose name begins with a word."""
        routine, body = self.frame.routine, out.inner()
        targets = [a.target.tensor for a in assignments(node.statement)]
        for name in targets:
            is_made = name not in env.target.cells and self.outputs.find(name) is not None
            if is_made and not can_fill(self.outputs, name):
                refuse_unfilled("a single thread", self.outputs[name])
        outer = routine.enter(body, routine.root.fresh(f"next_{targets[-1]}"), lists=False)
        main = body.inner()
        super().write(node, env, main)
        routine.leave(outer)
        first = logic.compare("==", THREAD, ir.ZERO)
        code = logic.conditional(first, (*body.code, *main.code))
        out.add(ir.Comment(f"{targets[-1]}: one thread computes what no loop on {BLOCKS} does"))
        out.add(ir.Kernel(routine.root.fresh(f"{routine.name}_{word}{targets[-1]}"), ir.ONE, LANES, code))
        routine.fallible = True
        routine.check(out)
