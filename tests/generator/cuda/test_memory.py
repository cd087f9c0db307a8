"""Memory on devices: workspaces of threads and warps that have no constant size are slices, and blocks are few then."""

import gnomon as gn
import numpy as np
import pytest
from devices.emulated import Emulated
from gnomon.generator.cuda.memory import slice_of, slices_for
from gnomon.generator.ir.ir import Name
from gnomon.generator.ir.routine import Routine
from gnomon.generator.ir.writer import Writer
from gnomon.generator.scope.team import Group
from gnomon.properties.differential.devices import generate_device_case, run_on_machine
from gnomon.properties.programs.problem import Problem

SOURCE = "R(i,j) = prod(k, A(i,k,j))"
CASES = {
    "of a thread": (
        "split(i,block,thread,64),parallelize(block,GPUBlock,NoRaces),parallelize(thread,GPUThread,NoRaces)",
        "&w_vals_slices[(((int64_t) blockIdx.x) * blockDim.x + threadIdx.x) * ",
    ),
    "of a warp": (
        "split(i,block,warp,4),parallelize(block,GPUBlock,NoRaces),parallelize(warp,GPUWarp,NoRaces)",
        "&w_vals_slices[(((int64_t) blockIdx.x) * 4 + threadIdx.x / 32) * ",
    ),
    "of a block": ("parallelize(i,GPUBlock,NoRaces)", "&w_vals_slices[((int64_t) blockIdx.x) * "),
}


def problem_of(name: str) -> Problem:
    random = np.random.default_rng(5)
    stored = random.integers(0, 3, (300, 2, 5)).astype(float)
    return Problem(
        SOURCE, {"A": gn.from_numpy(stored, "hashed,hashed,hashed")}, "dense,bitmap", schedule=CASES[name][0]
    )


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Emulated[str]:
    """All kernels in one library."""
    return Emulated({name: problem_of(name) for name in CASES}, tmp_path_factory)


@pytest.mark.every(3)
@pytest.mark.parametrize("name", CASES)
def test_a_workspace_of_any_size_is_a_slice_of_who_runs_iterations(name: str, built: Emulated[str]) -> None:
    case = built.cases[name]
    assert CASES[name][1] in case.device, case.device
    assert np.array_equal(built.run(name).to_numpy(), case.problem.execution.result.to_numpy())


@pytest.mark.parametrize(("name", "most"), [("of a thread", 4), ("of a warp", 32), ("of a block", 128)])
def test_there_are_as_many_blocks_as_have_slices(name: str, most: int, built: Emulated[str]) -> None:
    case = built.cases[name]
    threads = {"of a thread": 64, "of a warp": 4, "of a block": 1}[name]
    assert f", {most})" in case.text and f"{most * threads} * " in case.text, case.text


def test_of_several_slices_the_fewest_say_how_many_blocks_there_are() -> None:
    routine = Routine("k", Writer(), Writer())
    for owner in (None, Group("warp", 128, 1)):
        slice_of("w", "double", Name("n", True), slices_for(owner, 128), routine)
    assert routine.most_blocks == 4


def test_the_checked_machine_agrees() -> None:
    small = {"A": gn.from_numpy(np.arange(12.0).reshape(3, 2, 2), "hashed,hashed,hashed")}
    for name in CASES:
        problem = Problem(SOURCE, small, "dense,bitmap", schedule=CASES[name][0])
        found = run_on_machine(generate_device_case(problem, "k_"))
        assert np.array_equal(found.to_numpy(), problem.execution.result.to_numpy())
