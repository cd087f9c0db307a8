"""Temporaries on devices: what iterations keep to themselves of a whole tensor is combined in the end."""

import gnomon as gn
import numpy as np
import pytest
from devices.emulated import Emulated
from gnomon.properties.differential.devices import (
    generate_device_case,
    run_on_machine,
)
from gnomon.properties.programs.problem import Problem
from gnomon.reference.errors import Unsupported

COLUMNS = "y(j) = A(i,j)"
CASES = {
    "of a block": (COLUMNS, "parallelize(i,GPUBlock,Temporary)", "plus_times", "&y_own_slices[((int64_t) blockIdx.x)"),
    "of a block, whose threads meet": (
        COLUMNS,
        "split(i,i0,i1,4),parallelize(i0,GPUBlock,Temporary),parallelize(i1,GPUThread,Atomics)",
        "max_plus",
        "gn_atomic_max_float64(&y_own[j]",
    ),
    "of a thread": (
        "y(j) = A(i,j) * B(j,k)",
        "bound(j,jb,6,max_exact),split(i,i0,i1,4),parallelize(i0,GPUBlock,Atomics),parallelize(i1,GPUThread,Temporary)",
        "plus_times",
        "double y_own[6];",
    ),
    "of a thread, of any size": (
        COLUMNS,
        "split(i,i0,i1,4),parallelize(i0,GPUBlock,Atomics),parallelize(i1,GPUThread,Temporary)",
        "plus_times",
        "&y_own_slices[(((int64_t) blockIdx.x) * blockDim.x + threadIdx.x) * A2_dimension]",
    ),
    "of a warp, of any size": (
        COLUMNS,
        "split(i,i0,i1,4),parallelize(i0,GPUBlock,Atomics),parallelize(i1,GPUWarp,Temporary)",
        "max_plus",
        "&y_own_slices[(((int64_t) blockIdx.x) * 4 + threadIdx.x / 32) * A2_dimension]",
    ),
    "of a warp": (
        COLUMNS,
        "bound(j,jb,6,max_exact),split(i,i0,i1,4),parallelize(i0,GPUBlock,Temporary),parallelize(i1,GPUWarp,Temporary)",
        "min_plus",
        "__shared__ double y_own",
    ),
}


def problem_of(name: str) -> Problem:
    text, schedule, ring, _ = CASES[name]
    random = np.random.default_rng(3)
    full = random.integers(1, 9, (11, 6)) * (random.random((11, 6)) < 0.5) * 1.0
    fill = {"plus_times": 0.0, "max_plus": -np.inf, "min_plus": np.inf}[ring]
    a = gn.tensor(np.nonzero(full), full[np.nonzero(full)], full.shape, "CSR", fill=fill)
    b = gn.from_numpy(random.random((6, 2)), "RowMajor")
    operands = {"A": a, "B": b} if "B" in text else {"A": a}
    return Problem(text, operands, "dense", ring, schedule=schedule)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Emulated[str]:
    """All kernels in one library."""
    return Emulated({name: problem_of(name) for name in CASES}, tmp_path_factory)


@pytest.mark.parametrize("name", CASES)
def test_iterations_combine_what_they_have_kept_to_themselves(name: str, built: Emulated[str]) -> None:
    case = built.cases[name]
    assert CASES[name][3] in case.device, case.device
    wanted = case.problem.execution.result.to_numpy()
    assert np.allclose(built.run(name).to_numpy(), wanted)
    assert np.allclose(run_on_machine(case).to_numpy(), wanted)


def test_a_block_waits_for_what_its_threads_have_combined() -> None:
    device = " ".join(generate_device_case(problem_of("of a thread"), "k_").device.split())
    assert "atomicAdd(&y_vals[p], y_own[p]); } __syncthreads(); }" in device


def test_iterations_have_no_room_for_what_has_flags() -> None:
    a = gn.from_numpy(np.eye(8), "CSR")
    schedule = "parallelize(i,GPUBlock,Temporary)"
    problem = Problem("C(j,k) = A(i,j) * B(i,k)", {"A": a, "B": a}, "bitmap,bitmap", schedule=schedule)
    with pytest.raises(Unsupported, match="that each iteration of i keeps to itself, as Temporary asks") as error:
        generate_device_case(problem, "k_")
    assert error.value.hint == "use Atomics"
