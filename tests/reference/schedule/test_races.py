"""Which iterations write one component: told from the coordinates of the result, and found by running them."""

from collections import Counter, defaultdict
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.errors import ScheduleError
from gnomon.reference.execution.interpreter import interpret
from gnomon.reference.execution.trace import Trace
from gnomon.reference.schedule.nests import loops
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.schedule.races import races
from gnomon.reference.statement.statement import indices

SCHEDULES = [
    "",
    "split(i,i0,i1,2)",
    "split(i,i0,i1,2),reorder(i1,i0)",
    "split(j,j0,j1,2)",
    "divide(i,i0,i1,3),split(j,j0,j1,3)",
    "collapse(i,j,f)",
    "collapse(i,j,f),split(f,f0,f1,3)",
    "collapse(i,j,f),pos(f,p,A(i,j)),split(p,p0,p1,2)",
    "pos(i,p,A(i,j)),split(p,p0,p1,2)",
    "pos(j,p,A(i,j)),split(p,p0,p1,2)",
    "bound(i,b,5,max_exact),split(b,b0,b1,2)",
]


def written(schedule: str, matrix: Any, variable: str, around: tuple[str, ...]) -> bool:
    """Whether two iterations of a loop, those around it the same, write one component on this very matrix."""
    ready = prepare("y(i) = A(i,j) * x(j)", {"A": matrix("Dense"), "x": np.ones(4)}, schedule=schedule)
    trace = Trace(visits=Counter(), path=[])
    interpret(ready.program, ready.operands, trace=trace)
    writers: dict[tuple[int, ...], set[int]] = defaultdict(set)
    assert trace.path is not None
    for point in trace.path:
        writers[(point["i"], *(point[v] for v in around))].add(point[variable])
    return any(len(values) > 1 for values in writers.values())


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_races_are_found_where_they_happen_on_a_full_matrix(matrix: Any, schedule: str) -> None:
    ready = prepare("y(i) = A(i,j) * x(j)", {"A": matrix("Dense"), "x": np.ones(4)}, schedule=schedule)
    for variable in indices(ready.program.statement):
        loop, around = next(loops(ready.program.statement, variable))
        told = any(True for _ in races(ready.program, loop, around))
        assert told == written(schedule, matrix, variable, around), variable


def test_a_workspace_inside_the_loop_is_its_own(matrix: Any) -> None:
    operands = {"A": matrix("CSR"), "B": matrix("CSC").to_numpy().T.copy()}
    ready = prepare("C(i,j) = A(i,k) * B(k,j)", operands, out="CSR")
    loop, around = next(loops(ready.program.statement, "i"))
    assert [race.leaf.target.tensor for race in races(ready.program, loop, around)] == []
    inner, outside = next(loops(ready.program.statement, "k"))
    assert {race.leaf.target.tensor for race in races(ready.program, inner, outside)} == {"w"}


def test_the_copy_of_a_variable_does_not_race() -> None:
    a = np.arange(16.0).reshape(4, 4)
    ready = prepare("y(i) = A(i,i)", {"A": a})
    for variable in indices(ready.program.statement):
        loop, around = next(loops(ready.program.statement, variable))
        assert [*races(ready.program, loop, around)] == []


@pytest.mark.parametrize(
    ("expression", "format", "variable", "schedule", "racing"),
    [
        ("y(i) = A(i,j) * x(j)", "COO", "i", "", True),
        ("y(i) = A(i,j) * x(j)", "COO", "i1", "split(i,i0,i1,2)", True),
        ("y(i) = A(i,j) * x(j)", "COO", "i0", "split(i,i0,i1,2)", False),
        ("y(i) = A(i,j) * x(j)", "COO", "f", "collapse(i,j,f)", True),
        ("C(i,j) = A(i,j) * x(j)", "COO", "i", "", False),
        ("C(i,j) = A(i,j) * x(j)", "compressed(nonunique),singleton(nonunique)", "i", "", False),
        ("C(i,j) = A(i,j) * x(k)", "COO", "i", "", False),
        ("C(i,j) = A(i,j) * x(k)", "compressed(nonunique),singleton(nonunique)", "i", "", True),
        ("y(i) = sqrt(sum(j, A(i,j) * x(j)))", "COO", "i", "", False),
    ],
)
def test_duplicates_that_are_visited_one_by_one_are_iterations_of_their_own(
    matrix: Any, expression: str, format: str, variable: str, schedule: str, racing: bool
) -> None:
    """Two positions of one row are two iterations of a loop over the rows, unless it joins them."""
    ready = prepare(expression, {"A": matrix(format), "x": np.ones(4)}, schedule=schedule)
    loop, around = next(loops(ready.program.statement, variable))
    assert any(True for _ in races(ready.program, loop, around)) == racing


def test_loops_around_leave_an_operand_one_position() -> None:
    operand = gn.tensor(
        [[0, 0, 1], [1, 1, 0], [0, 2, 1]], [1.0, 2.0, 3.0], (2, 2, 3), "dense,compressed(nonunique),singleton"
    )
    for target, racing in (("C(j,k)", False), ("y(j)", True), ("C(i,j)", True)):
        ready = prepare(f"{target} = T(i,j,k)", {"T": operand})
        loop, around = next(loops(ready.program.statement, "j"))
        assert around == ("i",) and any(True for _ in races(ready.program, loop, around)) == racing


def test_ignored_races_of_duplicates_are_found_when_they_happen(matrix: Any) -> None:
    operands = {"A": matrix("COO"), "x": np.ones(4)}
    with pytest.raises(ScheduleError, match="both write y"):
        gn.evaluate("y(i) = A(i,j) * x(j)", **operands, schedule="parallelize(i,CPUThread,IgnoreRaces)")
