"""Loops by steps: where the outer part of a split is open, they visit what belongs there and nothing else."""

from __future__ import annotations

import gnomon as gn
import numpy as np
import pytest
from devices.emulated import Emulated
from gnomon.properties.differential.devices import (
    run_on_machine,
)
from gnomon.properties.programs.problem import Problem
from gnomon.reference.storage.tensor import Tensor
from texts import c_text

SPMV, APART = "y(i) = A(i,j) * x(j)", "split(j,u,v,3),reorder(v,u)"
POSITIONS = "pos(j,p,A(i,j)),split(p,u,v,2),reorder(v,u)"
NESTED = "split(i,t,b,4),split(b,r,w,2),reorder(t,w,r)"


def matrix(format: str, rows: int = 11, columns: int = 7) -> Tensor:
    random = np.random.default_rng(rows)
    where = np.nonzero(random.random((rows, columns)) < 0.5)
    return gn.tensor(where, random.integers(1, 9, len(where[0])) * 1.0, (rows, columns), format)


@pytest.mark.parametrize(
    ("format", "schedule", "loop"),
    [
        ("RowMajor", APART, "for (int64_t j = v; j < A2_dimension; j += 3) {"),
        ("CSR", NESTED, "i < i_end; i += 2) {"),
        ("CSR", POSITIONS, "for (int64_t pA2 = pA2_first; pA2 < pA2_last; pA2 += 2) {"),
        ("DCSR", POSITIONS, "for (int64_t pA2 = pA2_first; pA2 < pA2_last; pA2 += 2) {"),
        ("RowMajor", "divide(j,u,v,3),reorder(v,u)", "j += (A2_dimension + 2) / 3) {"),
    ],
)
def test_loops_go_by_the_step_and_compare_nothing(format: str, schedule: str, loop: str) -> None:
    kernel = gn.compile(SPMV, A=format, schedule=schedule)
    assert loop in kernel.source and "%" not in kernel.source.partition("#include")[2]
    a, x = matrix(format), np.arange(7.0)
    assert kernel(A=a, x=x).to_numpy().tolist() == (a.to_numpy() @ x).tolist()


@pytest.mark.filterwarnings("ignore::gnomon.reference.errors.ScheduleWarning")
@pytest.mark.parametrize(
    ("format", "schedule"),
    [("CSR", APART), ("DCSR", "collapse(i,j,f),pos(f,p,A(i,j)),split(p,u,v,3),reorder(v,u)")],
)
def test_walks_over_stored_coordinates_and_over_several_levels_compare(format: str, schedule: str) -> None:
    assert "== v)" in c_text(SPMV, A=format, schedule=schedule)
    assert gn.check(SPMV, A=matrix(format), x=np.arange(7.0), schedule=schedule).engines[:2] == ("reference", "c")


@pytest.mark.parametrize("order", ["j,i,lane,part", "lane,j,i,part"])
def test_coordinates_that_others_give_are_of_one_part(order: str) -> None:
    a = gn.from_numpy(np.arange(1.0, 76.0).reshape(5, 3, 5), "Dense")
    gn.check("y(i) = A(j,i,j)", A=a, schedule=f"split(j1,part,lane,2),reorder({order})")


def test_what_loops_by_steps_visit_once_begins_with_nothing() -> None:
    """Their windows do not overlap: what is there before is not read."""
    text = c_text(SPMV, A="CSR", schedule=f"{NESTED},parallelize(t,CPUThread,NoRaces)")
    assert "y_vals[i] = ty;" in text and "y_vals[i] +=" not in text and "= y_vals[i];" not in text


@pytest.mark.parametrize(
    ("expression", "formats", "out", "schedule"),
    [
        (SPMV, "CSR", "dense", "split(i,u,v,3),reorder(v,u,j),parallelize(u,CPUThread,NoRaces)"),
        (SPMV, "RowMajor", "dense", f"{APART},parallelize(u,CPUVector,ParallelReduction)"),
        (SPMV, "RowMajor", "dense", f"{APART},unroll(u,2)"),
        ("s = A(i,j)", "CSR", "dense", "split(i,u,v,3),reorder(v,u),parallelize(u,CPUThread,ParallelReduction)"),
        ("C(i,j) = 2 * A(i,j)", "CSR", "RowMajor", "split(i,u,v,3),reorder(v,u),parallelize(u,CPUThread,NoRaces)"),
    ],
)
def test_threads_and_lanes_share_out_loops_by_steps(expression: str, formats: str, out: str, schedule: str) -> None:
    operands = {"A": matrix(formats), **({"x": np.arange(7.0)} if expression == SPMV else {})}
    assert gn.check(expression, out=out, schedule=schedule, **operands).engines[:2] == ("reference", "c")


SHARED_OUT = (
    ("CSR", "split(i,u,v,3),reorder(v,u,j),parallelize(u,GPUBlock,NoRaces)"),
    ("CSR", "split(i,u,v,3),reorder(v,u,j),parallelize(v,GPUBlock,NoRaces),parallelize(u,GPUThread,NoRaces)"),
    ("CSR", f"{POSITIONS},parallelize(i,GPUBlock,NoRaces),parallelize(u,GPUThread,ParallelReduction)"),
    ("CSR", f"{POSITIONS},parallelize(i,GPUBlock,NoRaces),parallelize(v,GPUThread,ParallelReduction)"),
    ("RowMajor", f"{APART},parallelize(i,GPUBlock,NoRaces),parallelize(v,GPUThread,Atomics)"),
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Emulated[int]:
    """All kernels for devices in one library."""
    x = gn.tensor([range(7)], np.arange(7.0), (7,), "dense")
    problems = [Problem(SPMV, {"A": matrix(format), "x": x}, "dense", schedule=each) for format, each in SHARED_OUT]
    return Emulated(dict(enumerate(problems)), tmp_path_factory)


@pytest.mark.parametrize("number", range(len(SHARED_OUT)))
def test_grids_and_blocks_share_out_loops_by_steps(number: int, built: Emulated[int]) -> None:
    case = built.cases[number]
    wanted = (matrix(SHARED_OUT[number][0]).to_numpy() @ np.arange(7.0)).tolist()
    assert "%" not in case.device.partition("#include")[2].replace("threadIdx.x % 32", "")
    assert run_on_machine(case).to_numpy().tolist() == wanted
    assert built.run(number).to_numpy().tolist() == wanted
