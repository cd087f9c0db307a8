"""Kernels for GPUs in one library that the CPU emulates, and on the checked machine: they give what is meant, and what
goes wrong in one is seen there."""

import dataclasses
from pathlib import Path

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.runtime.request import chosen_compiler
from gnomon.properties.differential.batch import hold
from gnomon.properties.differential.devices import (
    DeviceCase,
    build_emulated,
    generate_device_case,
    run_emulated,
    run_on_machine,
)
from gnomon.properties.machine.fault import Race
from gnomon.properties.programs.problem import Problem
from gnomon.reference.errors import InternalError, Unsupported
from msgspec.structs import replace

MATRIX = np.array([[0, 1, 2], [0, 0, 0], [3, 0, 4]], float)
COLUMNS = "parallelize(i,GPUBlock,Atomics),parallelize(j,GPUThread,NoRaces)"


def stored(format: str) -> gn.Tensor:
    return gn.tensor(np.nonzero(MATRIX), MATRIX[np.nonzero(MATRIX)], MATRIX.shape, format)


PROBLEMS = (
    Problem("y(i) = A(i,j) * x(j)", {"A": stored("CSR"), "x": np.arange(3.0)}, "Dense"),
    Problem("y(j) = A(i,j)", {"A": stored("CSR")}, "Dense", schedule=COLUMNS),
    Problem("y(i,j) = A(i,j) * B(i,j)", {"A": stored("CSR"), "B": stored("HashRows")}, "Dense"),
    Problem("y(j,i) = A(i,j) * B(i,j)", {"A": stored("CSR"), "B": stored("HashRows")}, "Dense"),
    Problem("C(i,j) = A(i,j)", {"A": stored("CSR")}, "CSR", schedule="parallelize(i,GPUBlock,NoRaces)"),
    Problem("C(i,j) = A(i,j) * s", {"A": stored("CSR"), "s": 2.0}, "CSR"),
)


def cases() -> list[DeviceCase]:
    return [generate_device_case(problem, f"k{n}_") for n, problem in enumerate(PROBLEMS)]


def test_kernels_of_one_library_give_what_is_meant(tmp_path: Path) -> None:
    every = cases()
    built = build_emulated(every, tmp_path, chosen_compiler())
    for case in every:
        hold(case, run_emulated(case, built), "c")


def test_kernels_on_the_machine_give_what_is_meant() -> None:
    for case in cases():
        hold(case, run_on_machine(case), "c")


def test_races_are_seen_by_both(tmp_path: Path) -> None:
    case = cases()[1]
    racing = replace(case, device=case.device.replace("atomicAdd(&y_vals[j], ", "y_vals[j] += (", 1))
    assert racing.device != case.device
    with pytest.raises(Race):
        run_on_machine(racing)
    with pytest.raises(InternalError, match="races with another"):
        run_emulated(racing, build_emulated([racing], tmp_path, chosen_compiler()))


def test_what_is_not_given_back_is_seen(tmp_path: Path) -> None:
    case = cases()[0]
    leaking = replace(case, text=case.text.replace("gn_device_return(x_vals_device);", "", 1))
    assert leaking.text != case.text
    with pytest.raises(InternalError, match="not given back"):
        run_emulated(leaking, build_emulated([leaking], tmp_path, chosen_compiler()))


def test_the_order_of_threads_is_that_of_the_problem() -> None:
    first, second = generate_device_case(PROBLEMS[1], "k0_"), generate_device_case(PROBLEMS[1], "k1_")
    assert first.order == second.order != cases()[0].order


def test_loops_that_a_schedule_runs_nowhere_run_as_they_do_unasked() -> None:
    case = generate_device_case(dataclasses.replace(PROBLEMS[0], schedule="split(i,i0,i1,2)"), "k_")
    assert str(case.problem.schedule).startswith("split(i,i0,i1,2),split(i0,block,thread,256),parallelize(block,GPU")


def test_what_no_gpu_computes_is_refused() -> None:
    with pytest.raises(Unsupported, match="a result in CSR is assembled"):
        generate_device_case(dataclasses.replace(PROBLEMS[4], schedule="parallelize(j,GPUBlock,NoRaces)"), "k_")
