"""Work: what a branched schedule does, by hand on small kernels."""

from __future__ import annotations

import pytest
from gnomon.properties.sparseauto.kernels import KERNELS
from gnomon.reference.schedule.branched.cost import cost_of, time
from gnomon.reference.schedule.branched.graph import structure
from gnomon.reference.schedule.branched.space import branched_schedules
from gnomon.reference.schedule.branched.work import SLOW, work


def works(row: int) -> dict[str, str]:
    """The work of every structure of a kernel, as text."""
    contraction = KERNELS[row].contraction
    return {structure(each.graph): str(work(contraction, each)) for each in branched_schedules(contraction, 1)}


@pytest.mark.parametrize(
    ("row", "graph", "expected"),
    [
        (4, "i,j,k,l", "3·K·L·nnz(B)"),
        (4, "i,j,l,k", "6·K·L·nnz(B)"),
        (4, "i,(j,k | k,l)", "2·I·K·L + 2·K·nnz(B)"),
        (4, "i,(k,j | k,l)", "2·I·K·L + 4·K·nnz(B)"),
        (4, "l,(k | i,j,k)", "2·K·L + 6·K·L·nnz(B)"),
        (4, "i,k,(j | l)", "2·I·K·L + 4·K·nnz(B)"),
        (1, "i,j,(k | l)", "6·K·nnz(B) + 2·L·nnz(B)"),
        (8, "i,(k,(l,j | j) | j,m)", "2·I·J·M + 2·J·nnz(B(i,k)) + 2·J·nnz(B)"),
    ],
)
def test_operands_are_counted_twice_where_rows_are_not_gone_along(row: int, graph: str, expected: str) -> None:
    assert works(row)[graph] == expected


@pytest.mark.parametrize("row", [1, 3, 4, 6, 7, 8])
def test_work_is_at_least_that_of_two_operands_an_assignment(row: int) -> None:
    """A temporary may be a copy of one operand, which counts as one."""
    kernel, contraction = KERNELS[row], KERNELS[row].contraction
    known = {v.upper(): size for v, size in kernel.extents.items()}
    b = contraction.operands[0].levels
    names = [f"nnz(B({','.join(b[: n + 1])}))" for n in range(len(b) - 1)] + ["nnz(B)"]
    known |= dict(zip(names, kernel.stored, strict=True))
    for each in branched_schedules(contraction, 1):
        runs = time(contraction, cost_of(each), kernel.sizes)
        assert runs <= work(contraction, each).evaluate(known) <= SLOW * len(contraction.operands) * runs
