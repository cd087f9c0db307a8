"""Runs: where a list holds many components a coordinate, a loop over it visits each run of equal coordinates at once.

    if (pA1_end - pA1_begin > 6 * A1_dimension) {
        while (pA1 < pA1_end) {
            const int64_t i = A1_crd[pA1];
            double ty = 0.0;
            while (pA1 < pA1_end && A1_crd[pA1] == i) { ty += …; pA1++; }
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
from ..assembly.form import Form
from ..ir import ir, logic, traversal
from ..ir.ir import Code, Expr, Int
from ..ir.runs import join
from ..ir.writer import Writer
from ..loops.course import Course
from ..scope.env import Env
from ..scope.frame import Frame

LONG = 6
"""How many components a run has at least for it to pay."""


def in_runs(loop: LoopPlan) -> LoopPlan | None:
    """A fused loop as one that visits equal coordinates together, if its level is ordered and its body reduces all that
    stands at a coordinate into one component."""
    strategy, inner = loop.strategy, loop.statement.body
    if not strategy.fused or loop.surroundings.around or loop.statement.tags or not isinstance(inner, Forall):
        return None
    while isinstance(inner, Forall) and not inner.tags:
        inner = inner.body
    active, *others = strategy.coiterated
    if others or not active.level.ordered or not isinstance(inner, Assign):
        return None
    return replace(loop, strategy=replace(strategy, fused=False)) if inner.target.indices == (loop.index,) else None


def has_long_runs(loop: LoopPlan, frame: Frame, env: Env, out: Writer) -> Expr:
    """Whether the list that a loop iterates holds that many components for each coordinate there may be."""
    begin, end = Course(frame, loop, env).walk(loop.coiterated[0], out, merges=False).bounds(out)
    return logic.compare(">", ir.sub(end, begin), ir.mul(Int(LONG), frame.dimension(loop.index)))


def visit_at_once(loop: LoopPlan, form: Form, frame: Frame, code: Code) -> Code:
    """The code of a loop by runs, which looks for the end of each while it visits that.

    Nothing is in a component before its run if the loop is the whole statement.
    """
    joined, is_whole = join(code), frame.facts.program.statement == loop.statement
    return begin(joined, form.initial) if is_whole and form.begins is None else joined


def begin(code: Code, initial: Expr) -> Code:
    """Code in which a variable that is loaded from a component, and stored there afterwards, begins with an initial
    value instead of the load."""
    stored = {s.value: s.target for s in code if isinstance(s, ir.Assign) and s.operator == "="}

    def start(s: ir.Stmt) -> ir.Stmt:
        if isinstance(s, ir.Declare) and s.value is not None and stored.get(ir.Name(s.name)) == s.value:
            return replace(s, value=initial)
        return traversal.change_blocks(s, lambda inner: begin(inner, initial))

    return tuple(map(start, code))
