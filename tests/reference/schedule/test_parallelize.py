"""Parallelize: merging, appending, races, units; iterations in any order; conflicts found when they happen."""

from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.errors import ScheduleError
from gnomon.reference.execution.interpreter import interpret
from gnomon.reference.execution.parallel import Iteration, Iterations
from gnomon.reference.execution.state import State
from gnomon.reference.schedule.parallelize import iterations
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.statement.tags import Parallel

NONZEROS = "collapse(i,j,f),pos(f,p,A(i,j)),split(p,p0,p1,2)"


def test_rows_do_not_race_and_run_in_any_order(spmv: Any) -> None:
    ran = spmv("parallelize(i,CPUThread,NoRaces)")
    assert sorted(ran.order("i", "j")) == [(0, 0), (0, 2), (1, 1), (3, 0), (3, 1), (3, 3), (4, 3)]
    assert ran.order("i", "j") != sorted(ran.order("i", "j"))


def test_tiles_of_rows_do_not_race(spmv: Any) -> None:
    assert (
        spmv("split(i,i0,i1,2),parallelize(i0,CPUThread,NoRaces),parallelize(i1,CPUVector,NoRaces)").counts["i1"] == 5
    )


def test_nonzeros_race_on_rows(spmv: Any) -> None:
    assert spmv(f"{NONZEROS},parallelize(p0,CPUThread,Atomics)").counts == {"p0": 4, "p1": 7}
    for strategy in ("NoRaces", "Temporary", "ParallelReduction"):
        with pytest.raises(ScheduleError, match=r"several of its iterations|indexed by what p0 derives from"):
            spmv(f"{NONZEROS},parallelize(p0,CPUThread,{strategy})")


def test_ignored_races_are_reported_with_both_iterations(spmv: Any) -> None:
    with pytest.raises(ScheduleError, match=r"iterations p0 = \d and p0 = \d both write y\(\d\)"):
        spmv(f"{NONZEROS},parallelize(p0,CPUThread,IgnoreRaces)")


@pytest.mark.parametrize("counted", ["collapse(i,j,f)", "collapse(i,j,g),pos(g,f,A(i,j))"])
def test_a_parallel_loop_that_completes_the_coordinates(spmv: Any, counted: str) -> None:
    ran = spmv(f"{counted},parallelize(f,CPUThread,Atomics)")
    assert sorted(ran.order("i", "j")) == [(0, 0), (0, 2), (1, 1), (3, 0), (3, 1), (3, 3), (4, 3)]
    assert ran.order("i", "j") != sorted(ran.order("i", "j"))
    with pytest.raises(ScheduleError, match=r"iterations f = \d+ and f = \d+ both write y\(\d\)"):
        spmv(f"{counted},parallelize(f,CPUThread,IgnoreRaces)")


@pytest.mark.parametrize(
    "tiles", ["parallelize(p,", "split(p,p0,p1,2),parallelize(p0,", "split(p,p0,p1,2),parallelize(p1,"]
)
def test_positions_of_equal_coordinates_race(spmv: Any, tiles: str) -> None:
    """The rows of a COO matrix are stored once for every component."""
    rows = f"pos(i,p,A(i,j)),{tiles}"
    assert spmv(f"{rows}CPUThread,Atomics)", "COO").visits
    with pytest.raises(ScheduleError, match="several of its iterations"):
        spmv(f"{rows}CPUThread,NoRaces)", "COO")
    with pytest.raises(ScheduleError, match=r"both write y\(\d\)"):
        spmv(f"{rows}CPUThread,IgnoreRaces)", "COO")
    assert spmv(f"{rows}CPUThread,NoRaces)", "DCSR").visits


def test_ignored_races_that_do_not_happen_are_fine(run: Any) -> None:
    a = gn.tensor([[0, 1, 2], [0, 1, 2]], [1.0, 2.0, 3.0], (3, 3), "CSR")
    ran = run("y(i) = A(i,j) * x(j)", f"{NONZEROS},parallelize(p0,CPUThread,IgnoreRaces)", A=a, x=np.ones(3))
    assert ran.result.to_numpy().tolist() == [1.0, 2.0, 3.0]


def test_a_reduction_over_the_loop_itself_may_have_a_temporary(run: Any) -> None:
    x = np.arange(6.0)
    for strategy in ("Atomics", "Temporary", "ParallelReduction"):
        assert run("a = x(i) * x(i)", f"parallelize(i,CPUThread,{strategy})", x=x).result.to_numpy() == x @ x
    with pytest.raises(ScheduleError, match="NoRaces"):
        run("a = x(i) * x(i)", "parallelize(i,CPUThread,NoRaces)", x=x)


def test_a_merge_is_split_first(run: Any, matrix: Any) -> None:
    b = gn.tensor([[0, 2], [1, 2]], [10.0, 20.0], (5, 4), "CSR")
    with pytest.raises(ScheduleError, match="merges A, B step by step"):
        run("C(i,j) = A(i,j) + B(i,j)", "parallelize(j,CPUThread,NoRaces)", A=matrix("CSR"), B=b)
    ran = run("C(i,j) = A(i,j) + B(i,j)", "split(j,j0,j1,3),parallelize(j0,CPUThread,NoRaces)", A=matrix("CSR"), B=b)
    np.testing.assert_array_equal(ran.result.to_numpy(), matrix("CSR").to_numpy() + b.to_numpy())


def test_what_advances_beside_the_whole_extent_is_a_merge_too(run: Any) -> None:
    a = gn.tensor([[0, 2]], [1.0, 2.0], (4,), "SparseVector")
    with pytest.raises(ScheduleError, match="merges a step by step"):
        run("y(i) = a(i) + 1", "parallelize(i,CPUThread,NoRaces)", a=a)
    ran = run("y(i) = a(i) + 1", "split(i,i0,i1,2),parallelize(i0,CPUThread,NoRaces)", a=a)
    assert ran.result.to_numpy().tolist() == [2.0, 1.0, 3.0, 1.0]


def test_rows_of_a_list_of_coordinates_are_split_first(run: Any, matrix: Any) -> None:
    with pytest.raises(ScheduleError, match=r"since duplicates in A\(i,j\) are visited one by one") as caught:
        run("y(i) = A(i,j) * x(j)", "parallelize(i,CPUThread,NoRaces)", A=matrix("COO"), x=np.ones(4))
    assert "split(i,...)" in (caught.value.hint or "")
    for schedule in ("split(i,i0,i1,2),parallelize(i0,CPUThread,NoRaces)", "parallelize(i,CPUThread,Atomics)"):
        ran = run("y(i) = A(i,j) * x(j)", schedule, A=matrix("COO"), x=np.ones(4))
        np.testing.assert_array_equal(ran.result.to_numpy(), matrix("COO").to_numpy().sum(1))


def test_stores_that_nothing_combines_do_not_race(run: Any) -> None:
    twice = gn.tensor([[1, 1, 3]], [1.0, 2.0, 4.0], (4,), "compressed(nonunique)")
    with pytest.raises(ScheduleError, match="no reduction combines them"):
        run("y(i) = a(i)", "pos(i,p,a(i)),parallelize(p,CPUThread,Atomics)", a=twice)


@pytest.mark.parametrize("expression", ["A(i,j) * B(i,j)", "A(i,j) + B(i,j)", "A(i,k) * B(j,k)"])
def test_what_iterations_append_is_joined_in_order(run: Any, matrix: Any, expression: str) -> None:
    operands = {"A": matrix("CSR"), "B": matrix("CSR")}
    expected = run(f"C(i,j) = {expression}", "", out="CSR", **operands).result
    for schedule in ("parallelize(i,CPUThread,NoRaces)", "split(i,i0,i1,2),parallelize(i0,CPUThread,NoRaces)"):
        ran = run(f"C(i,j) = {expression}", schedule, out="CSR", **operands)
        assert list(ran.result.entries()) == list(expected.entries())


def test_the_seed_settles_the_order(matrix: Any) -> None:
    ready = prepare(
        "y(i) = A(i,j) * x(j)", {"A": matrix("CSR"), "x": np.ones(4)},
        schedule=f"{NONZEROS},parallelize(p0,CPUThread,Atomics)",
    )  # fmt: skip
    results = [interpret(ready.program, ready.operands, seed=seed)[0].to_numpy().tolist() for seed in (1, 1, 2, 3)]
    assert all(r == results[0] for r in results)


@pytest.mark.parametrize(
    ("schedule", "message"),
    [
        ("parallelize(i,GPUWarp,NoRaces)", "not a constant"),
        ("bound(i,b,6,max_constraint),parallelize(b,GPUWarp,NoRaces)", "not a constant"),
        ("split(i,a,b,2),parallelize(b,GPUThread,NoRaces)", "no loop around it runs on GPUBlock"),
        (
            "split(i,a,b,2),parallelize(a,CPUThread,NoRaces),parallelize(b,CPUThread,NoRaces)",
            "a cannot run on CPUThread: a loop around it or inside it",
        ),
        (
            "split(i,a,b,2),parallelize(b,CPUThread,NoRaces),parallelize(a,CPUThread,NoRaces)",
            "a cannot run on CPUThread: a loop around it or inside it",
        ),
        ("parallelize(i,CPUThread,NoRaces),parallelize(i,CPUVector,NoRaces)", "i is parallel"),
        ("parallelize(i,CPUThread,NoRaces),split(i,a,b,2)", "no command may follow parallelize"),
        ("parallelize(i,CPUThread,NoRaces),reorder(j,i)", "i is parallel"),
    ],
)
def test_refusals(spmv: Any, schedule: str, message: str) -> None:
    with pytest.raises(ScheduleError, match=message):
        spmv(schedule)


def test_threads_of_warps_of_blocks(spmv: Any) -> None:
    tiles = "collapse(i,j,f),pos(f,p,A(i,j)),split(p,block,p1,4),split(p1,warp,p2,2),split(p2,thread,nz,1)"
    blocks = f"{tiles},parallelize(block,GPUBlock,Atomics)"
    with pytest.raises(ScheduleError, match="number of its iterations is not a constant"):
        spmv(f"{tiles},split(block,b0,b1,2),parallelize(b0,GPUWarp,Atomics)")
    assert spmv(f"{blocks},parallelize(warp,GPUWarp,Atomics),parallelize(thread,GPUThread,Atomics)").counts["nz"] == 7


def test_threads_are_strided_over_their_block(spmv: Any) -> None:
    """However many columns a row has."""
    spmv("parallelize(i,GPUBlock,NoRaces),parallelize(j,GPUThread,Atomics)")


TILES = "collapse(i,j,f),pos(f,p,A(i,j)),split(p,block,p1,4),split(p1,thread,nz,1)"


def test_what_threads_combine_atomically_is_combined_for_their_blocks(spmv: Any) -> None:
    ignored = f"{TILES},parallelize(block,GPUBlock,IgnoreRaces)"
    spmv(f"{ignored},parallelize(thread,GPUThread,Atomics)")
    with pytest.raises(ScheduleError, match=r"iterations block = \d and block = \d both write y\(\d\)"):
        spmv(ignored)
    for inner in ("GPUThread,IgnoreRaces", "CPUVector,Atomics"):
        with pytest.raises(ScheduleError, match="both write"):
            spmv(f"{ignored},parallelize(thread,{inner})")


def test_what_a_gpu_combines_does_not_count_for_threads_of_a_cpu(spmv: Any) -> None:
    tiles = TILES.replace("split(p1,thread,nz,1)", "split(p1,b,p2,2),split(p2,thread,nz,1)")
    device = "parallelize(b,GPUBlock,Atomics),parallelize(thread,GPUThread,Atomics)"
    with pytest.raises(ScheduleError, match="both write"):
        spmv(f"{tiles},parallelize(block,CPUThread,IgnoreRaces),{device}")


def test_one_that_does_not_combine_conflicts_with_those_that_do() -> None:
    """Whichever comes first: two that combine, one that does not, or the other way round."""
    program = prepare("y(i) = A(i,j)", {"A": np.ones((2, 2))}, schedule="parallelize(i,GPUBlock,IgnoreRaces)").program
    first, second, third = (Iteration(number, print, print) for number in range(3))
    for before, last in (
        (((first, True), (second, True)), (third, False)),
        (((first, True), (second, True)), (second, False)),
        (((first, True),), (second, False)),
        (((first, False),), (second, True)),
        (((first, False), (first, True)), (second, True)),
        (((first, False),), (second, False)),
    ):
        loop = Iterations(State(program), program.statement, Parallel("GPUBlock", "IgnoreRaces"))
        for loop.current, atomically in before:
            loop.write("y", (0,), atomically)
        loop.current, atomically = last
        with pytest.raises(ScheduleError, match=r"both write y\(0\)"):
            loop.write("y", (0,), atomically)


@pytest.mark.parametrize(
    ("schedule", "variable", "count"),
    [
        ("split(i,a,b,4)", "a", None),
        ("split(i,a,b,4)", "b", 4),
        ("divide(i,a,b,3)", "a", 3),
        ("divide(i,a,b,3)", "b", None),
        ("split(i,b,f1,128),split(f1,w,f2,64)", "w", 2),
        ("split(i,b,f1,128),split(f1,w,f2,50)", "w", 3),
        ("split(i,b,f1,10),divide(f1,u,v,4)", "v", 3),
        ("bound(i,b,5,max_exact),split(b,u,v,2)", "u", 3),
        ("bound(i,b,6,max_constraint)", "b", None),
        ("split(i,a,b,4),bound(b,c,4,max_constraint)", "c", 4),
        ("split(i,a,b,4),split(b,u,v,2),collapse(u,v,f)", "f", 4),
        ("pos(j,p,A(i,j))", "p", None),
    ],
)
def test_the_iterations_that_a_schedule_fixes(matrix: Any, schedule: str, variable: str, count: int | None) -> None:
    ready = prepare("y(i) = A(i,j) * x(j)", {"A": matrix("CSR"), "x": np.ones(4)}, schedule=schedule)
    assert iterations(ready.program, variable) == count


def test_lanes_count_to_any_number(spmv: Any) -> None:
    assert spmv("parallelize(i,CPUVector,NoRaces)").counts["i"] == 5


def test_constant_by_bound(spmv: Any) -> None:
    assert spmv("bound(i,b,5,max_exact),parallelize(b,CPUVector,NoRaces)").counts["b"] == 5
