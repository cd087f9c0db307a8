"""Runs: where a list holds many components a coordinate, a loop over it visits each run of equal coordinates at once.

    if (pA1_end - pA1_begin > 16 * A1_dimension) {
        while (pA1 < pA1_end) {
            …  // find the end of the run
            double ty = y_vals[i];
            for (pA2 = pA1; pA2 < pA1_segend; pA2++) ty += …;
            y_vals[i] = ty;
        }
    } else {
        for (pA1 = …) y_vals[i] += …;
    }

Sums of a run wait for one addition each, and those in memory for a store and a load besides; but short runs end a loop
each, which no processor foretells.
"""

from __future__ import annotations

from msgspec.structs import replace

from ...reference.loops.plan import LoopPlan
from ...reference.statement.statement import Assign, Forall
from ..ir import ir, logic
from ..ir.ir import Expr, Int
from ..ir.writer import Writer
from ..loops.course import Course
from ..scope.env import Env
from ..scope.frame import Frame

LONG = 16
"""How many components a run has at least for it to pay."""


def in_runs(loop: LoopPlan) -> LoopPlan | None:
    """A fused loop as one that visits equal coordinates together, if its level is ordered and its body reduces all that
    stands at a coordinate into one component."""
    strategy, inner = loop.strategy, loop.statement.body
    if not strategy.fused or loop.surroundings.around or loop.statement.tags or not isinstance(inner, Forall):
        return None
    active, *others = strategy.coiterated
    leaf = inner.body
    if others or not active.level.ordered or inner.tags or not isinstance(leaf, Assign):
        return None
    indices = leaf.target.indices
    return replace(loop, strategy=replace(strategy, fused=False)) if indices == (loop.index,) else None


def has_long_runs(loop: LoopPlan, frame: Frame, env: Env, out: Writer) -> Expr:
    """Whether the list that a loop iterates holds that many components for each coordinate there may be."""
    begin, end = Course(frame, loop, env).walk(loop.coiterated[0], out, merges=False).bounds(out)
    return logic.compare(">", ir.sub(end, begin), ir.mul(Int(LONG), frame.dimension(loop.index)))
