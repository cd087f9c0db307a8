"""Marking: one variable says of all components of a workspace that they got their values (`flags.py` of the reference).

It is set where only loops over these components are left. If others around them reduce, the components are cleared at
that point too, at the first time: a producer that finds nothing then costs nothing.

    bool T_made = false;
    for (k …) {
        if (!T_made)
            for (m …) T_vals[m] = 0.0;
        T_made = true;
        for (m …) T_vals[m] += …;
    }
    if (T_made) …
"""

from __future__ import annotations

from typing import Literal

from ...reference.loops.plan import Node
from ...reference.schedule.flags import depends, goes_over_components, path_to
from ...reference.statement.provenance import Provenance
from ...reference.statement.statement import Statement, assignments
from ..assembly.outputs import Outputs
from ..cuda.listing import clear
from ..ir import ir, logic
from ..ir.ir import Expr
from ..ir.writer import Writer
from ..scope.env import Env

Clearing = Literal["never", "before", "at the mark"]


def clearing(producer: Statement, graph: Provenance) -> Clearing:
    """Where the components of a workspace are cleared that get their values together: nowhere if they are assigned."""
    filling = path_to(producer)
    assert filling is not None
    if filling.leaf.operator is None:
        return "never"
    own = [depends(graph, loop.index, filling.leaf.target.indices) for loop in filling.loops]
    return "at the mark" if own == sorted(own) and not all(own) else "before"


def mark_values(outputs: Outputs, node: Node, env: Env, remains: Expr, out: Writer) -> Env:
    """Set the mark of a workspace, where something remains to be done, if only loops over its components are left.

    Returns the environment of what stores them.
    """
    leaf = next(assignments(node.statement))
    name, marks = leaf.target.tensor, env.target.marks
    mark = marks.get(name)
    if mark is None or not goes_over_components(outputs.frame.facts.provenance, node.statement):
        return env
    setting, first = out.inner(), out.inner()
    if mark.cleared:
        clear(outputs[name].held, env.teams.group, first)
        setting.add(*logic.conditional(logic.negate(mark.made), first.code))
    setting.add(ir.Assign(mark.made, ir.TRUE))
    out.add(*logic.conditional(remains, setting.code))
    return env.mark({each: own for each, own in marks.items() if each != name})
