"""Recording: visits with original coordinates and operand positions, and what components are made of."""

from __future__ import annotations

from collections import Counter

import gnomon as gn
import numpy as np
from gnomon.reference.execution.contributions import PRIME, Contributions
from gnomon.reference.execution.evaluate import execute
from gnomon.reference.execution.interpreter import interpret
from gnomon.reference.execution.trace import Trace
from gnomon.reference.schedule.preparation import prepare

ENTRIES = gn.tensor([[0, 1, 1], [1, 0, 2]], [1.0, 2.0, 3.0], (2, 3), "CSR")


def run(source: str, trace: Trace, schedule: str | None = None, **operands: object) -> Trace:
    """The trace of an execution."""
    ready = prepare(source, operands, schedule=schedule)
    return interpret(ready.program, ready.operands, trace=trace)[1]


def test_a_visit_has_the_coordinates_of_variables_and_the_positions_of_operands() -> None:
    for schedule in (None, "split(j,u,v,2)"):
        trace = run("y(i) = A(i,j) * x(j)", Trace(visits=Counter()), schedule, A=ENTRIES, x=np.ones(3))
        expected = {("y", (("i", i), ("j", j)), (p, j)): 1 for p, (i, j) in enumerate([(0, 1), (1, 0), (1, 2)])}
        assert trace.visits == expected


def test_duplicates_that_are_visited_together_count_one_by_one() -> None:
    a = gn.tensor([[2, 2]], [1.0, 2.0], (3,), "compressed(nonunique)")
    trace = run("y(i) = A(i) * A(i)", Trace(visits=Counter()), A=a)
    assert trace.visits == {("y", (("i", 2),), (p,)): 1 for p in (0, 1)}


def test_positions_in_the_order_of_insertion_tell_nothing_of_a_visit() -> None:
    source, tiles = "y(i) = sqrt(sum(j, A(j,i)))", "pos(i,p,w(i)),split(p,p0,p1,5),precompute(w(i),{p1},{p1w},t)"
    a = gn.tensor([[0, 0, 1], [2, 0, 2]], [4.0, 1.0, 5.0], (2, 3), "CSR")
    made = execute(source, {"A": a}, schedule=f"{tiles},parallelize(i,CPUThread,Temporary)")
    assert list(made.result.vals) == [1, 0, 3]
    told = {variable for place in made.trace.visits or () if place[0] == "t" for variable, _ in place[1]}
    assert told == {"i"}


def test_tiles_that_hold_nothing_fill_their_workspaces_too() -> None:
    schedule = "split(i,a,b,2),reorder(a,j,b),precompute(A(i,j)*x(j),{b},{b},t),loopfuse({0},1,right,T)"
    operands = {"A": np.ones((3, 2)), "x": np.ones(2)}
    for commands, count in ((schedule, 2), (f"{schedule},divide(a,u,v,3)", 3)):
        made = execute("y(i) = A(i,j) * x(j)", operands, schedule=commands)
        assert list(made.result.vals) == [2, 2, 2]
        assert {n for place, n in (made.trace.visits or {}).items() if place[0] == "T"} == {count}


def test_the_path_has_the_values_of_all_loops() -> None:
    trace = run("y(i) = A(i,j)", Trace(visits=Counter(), path=[]), "split(j,u,v,2)", A=ENTRIES)
    assert [(each["i"], each["u"], each["j"], each["v"]) for each in trace.path or ()] == [
        (0, 0, 1, 1), (1, 0, 0, 0), (1, 1, 2, 0),
    ]  # fmt: skip


def test_a_component_is_made_of_the_products_of_positions_through_workspaces_too() -> None:
    for schedule in (None, "precompute(A(i,j)*x(j),{j},{jw},t)"):
        made = run("y(i) = A(i,j) * x(j)", Trace(contributions=Contributions()), schedule, A=ENTRIES, x=np.ones(3))
        found = made.contributions
        assert found is not None
        whole = sum(found.position("A", p) * found.position("x", j) for p, j in ((1, 0), (2, 2)))
        assert found.sums["y"][1,] == whole % PRIME


def test_a_mask_is_among_what_an_assignment_reads() -> None:
    made = run("y(i)<M(i)> = x(i)", Trace(contributions=Contributions()), M=np.ones(2), x=np.ones(2)).contributions
    assert made is not None
    assert made.sums["y"][0,] == made.position("M", 0) * made.position("x", 0) % PRIME


def test_a_component_that_is_stored_twice_has_one_contribution() -> None:
    twice = gn.tensor([[0, 2, 2, 4]], [3.0, 1.0, 5.0, 2.0], (5,), "compressed(nonunique)")
    operands = {"D": twice, "B": np.arange(1.0, 6)}
    schedule = "pos(i,p,D(i)),split(p,p0,p1,8),divide(p0,u,v,2),reorder(p1,v)"
    made = execute("y(i) = square(D(i)) * B(i)", operands, schedule=schedule, out="compressed")
    assert list(made.result.to_numpy()) == [9, 0, 108, 0, 20]
