"""What every schedule must keep, each with loops that break it and do not compute what the expression means."""

from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.errors import InternalError, ScheduleError
from gnomon.reference.execution.interpreter import interpret
from gnomon.reference.schedule.legality import check
from gnomon.reference.schedule.nests import derive
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.schedule.split import split
from gnomon.reference.statement.relation import Pos
from gnomon.reference.statement.statement import Program, assignments, reads, wrap_in_loops
from msgspec.structs import replace

B = gn.tensor([[0, 2, 4], [1, 2, 0]], [10.0, 20.0, 30.0], (5, 4), "CSR")


def with_loops(program: Program, *variables: str) -> Program:
    """The assignment of a program inside other loops."""
    return replace(program, statement=wrap_in_loops(variables, next(assignments(program.statement))))


def is_wrong(program: Program, operands: dict[str, Any], right: np.ndarray) -> bool:
    """Whether a program computes something else, or fails: coordinates or level functions that it needs are missing."""
    try:
        result, _ = interpret(program, operands)
    except (InternalError, AttributeError, KeyError):
        return True
    return not np.array_equal(result.to_numpy(), right)


def test_levels_are_reached_through_their_parents(matrix: Any) -> None:
    ready = prepare("y(i) = A(i,j) * x(j)", {"A": matrix("CSR"), "x": np.ones(4)})
    forced = with_loops(ready.program, "j", "i")
    with pytest.raises(ScheduleError, match="can only be reached through the ones above it: i before j"):
        check(forced)
    assert is_wrong(forced, ready.operands, matrix("CSR").to_numpy().sum(axis=1))


def test_results_are_appended_to_in_storage_order(matrix: Any) -> None:
    ready = prepare("C(i,j) = A(i,j) * 2", {"A": matrix("CSR")}, out="CSR", schedule="split(i,i0,i1,2)")
    forced = with_loops(ready.program, "i1", "i0", "j")
    with pytest.raises(ScheduleError, match="needs the loops i0, i1, j outermost, in this order; they are i1, i0, j"):
        check(forced)
    assert is_wrong(forced, ready.operands, 2 * matrix("CSR").to_numpy())


def test_no_other_loop_interrupts_those_that_append(matrix: Any) -> None:
    ready = prepare("C(i,j) = A(i,k) * B(j,k)", {"A": matrix("CSR"), "B": np.ones((3, 4))}, out="CSR")
    forced = with_loops(ready.program, "i", "k", "j")
    with pytest.raises(ScheduleError, match="needs the loops i, j outermost, in this order; they are i, k, j"):
        check(forced)
    assert is_wrong(forced, ready.operands, matrix("CSR").to_numpy() @ np.ones((4, 3)))


def test_positions_that_are_not_sorted_do_not_append() -> None:
    a = gn.tensor([[0, 2, 1]], [1.0, 2.0, 3.0], (3,), "compressed(unordered)")
    ready = prepare("y(i) = A(i)", {"A": a}, out="SparseVector")
    (read,) = reads(ready.program.statement)
    forced = split(derive(with_loops(ready.program, "p"), Pos("i", "p", read, 0, 1)), (), "p", "p0", "p1", 1)
    with pytest.raises(ScheduleError, match=r"counts positions of A, whose level 1 \(compressed\) is not sorted"):
        check(forced)
    assert is_wrong(forced, ready.operands, a.to_numpy())


def test_positions_are_counted_below_a_parent(matrix: Any) -> None:
    ready = prepare("y(i) = A(i,j) * x(j)", {"A": matrix("CSR"), "x": np.ones(4)})
    read = next(a for a in reads(ready.program.statement) if a.tensor == "A")
    forced = split(derive(with_loops(ready.program, "p", "i"), Pos("j", "p", read, 1, 2)), (), "p", "p0", "p1", 1)
    forced = with_loops(forced, "p0", "i", "p1")
    with pytest.raises(ScheduleError, match="p0 counts positions of A below i, which the loops around do not give"):
        check(forced)
    assert is_wrong(forced, ready.operands, matrix("CSR").to_numpy().sum(axis=1))


def test_a_loop_inside_a_block_follows_the_loop_over_blocks(matrix: Any) -> None:
    ready = prepare("y(i) = A(i,j) * x(j)", {"A": matrix("BCSR(2,2)"), "x": np.ones(4)})
    forced = with_loops(ready.program, "ii", "io", "jo", "ji")
    with pytest.raises(ScheduleError, match="the loop over ii depends on io"):
        check(forced)
    assert is_wrong(forced, ready.operands, matrix("BCSR(2,2)").to_numpy().sum(axis=1))


def test_levels_that_are_found_late_hold_every_coordinate(matrix: Any) -> None:
    a = matrix("HashRows")
    with pytest.raises(ScheduleError, match=r"level 2 \(hashed\)"):
        prepare("y(i) = A(i,j) * x(j)", {"A": a, "x": np.ones(4)}, schedule="reorder(j,i)")
    dense = prepare("y(i) = A(i,j) * x(j)", {"A": matrix("Dense"), "x": np.ones(4)}, schedule="reorder(j,i)")
    result, _ = interpret(dense.program, dense.operands)
    assert np.array_equal(result.to_numpy(), matrix("Dense").to_numpy().sum(axis=1))


def test_every_schedule_that_is_legal_passes(matrix: Any) -> None:
    ready = prepare("C(i,j) = A(i,j) + B(i,j)", {"A": matrix("CSR"), "B": B}, out="CSR", schedule="split(j,j0,j1,3)")
    check(ready.program)


def test_positions_are_not_told_before_their_parents_are_known() -> None:
    a = gn.tensor(
        np.indices((2, 3, 2)).reshape(3, -1), np.arange(12.0), (2, 3, 2), "dense,dense,dense; (i,j,k)->(j,i,k)"
    )
    with pytest.raises(ScheduleError, match="u counts positions of A below k, j, which the loops around do not give"):
        gn.evaluate("C(i,j) = A(j,k,i)", A=a, schedule="pos(i,u,A(j,k,i)),divide(j,v,w,2),reorder(k,u,w)")


@pytest.mark.parametrize("schedule", ["unroll(jo,2)", "split(jo,u,v,2)", "divide(io,u,v,2),unroll(ii,2)"])
def test_a_result_is_appended_to_by_the_loops_over_blocks(schedule: str) -> None:
    blocks = "dense,dense,dense,dense; (i,j)->(i//2,j//2,i%2,j%2)"
    a = gn.tensor([[0, 1, 4], [2, 0, 3]], [1.0, 2.0, 3.0], (5, 4), blocks)
    ready = prepare("C(i,j) = A(i,j)", {"A": a}, out="CSR", convert="auto", schedule=schedule)
    assert ready.program.workspaces == ()
    result, _ = interpret(ready.program, ready.operands)
    assert np.array_equal(result.to_numpy(), a.to_numpy())
