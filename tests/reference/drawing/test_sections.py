"""The branched graph as text: a line a section, after every command."""

from __future__ import annotations

import gnomon as gn
import numpy as np
from gnomon.reference.drawing.sections import branched_graph, steps
from gnomon.reference.schedule.preparation import prepare

SOURCE = "C(i,l) = A(i,j) * D(j,k) * E(k,l)"
A = gn.tensor([[0, 0, 2], [1, 3, 0]], [1.0, 2.0, 3.0], (3, 4), "CSR")


def test_a_section_is_a_line_with_its_path() -> None:
    schedule = "reorder(i,j,k,l),loopfuse({},2,left,T),loopfuse({0},1,left,t),unroll({1},l,2)"
    ready = prepare(SOURCE, {"A": A, "D": np.ones((4, 3)), "E": np.ones((3, 2))}, schedule=schedule)
    drawn = [(what, branched_graph(program).splitlines()) for what, program in steps(ready.lowered, ready.schedule)]
    assert [what for what, _ in drawn] == ["before", *map(str, ready.schedule.commands)]
    assert drawn[1][1] == ["{} ∀i ∀j ∀k ∀l C(i,l) += A(i,j) * (D(j,k) * E(k,l))"]
    assert drawn[-1][1] == [
        "{} ∀i where T",
        "  {0} ∀j where t",
        "    {0,0} t = A(i,j)",
        "    {0,1} ∀k T(k) += t * D(j,k)",
        "  {1} ∀k ∀l[unroll 2] C(i,l) += T(k) * E(k,l)",
    ]


def test_statements_in_order_are_sections_too() -> None:
    ready = prepare("y(i)<M(i)> += x(i)", {"x": np.ones(2), "M": np.ones(2), "y": np.ones(2, np.int64)})
    found = branched_graph(ready.program).splitlines()
    assert "  {0} in order" in found and [each.split()[0] for each in found if each[:4] == "    "] == ["{0,0}", "{0,1}"]
