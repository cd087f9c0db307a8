"""Loops on units of GPUs: whose iterations bring one component, and what is set before they do."""

from pathlib import Path

import gnomon as gn
from gnomon.generator.runtime.request import chosen_compiler
from gnomon.properties.differential.devices import build_emulated, generate_device_case, run_emulated, run_on_machine
from gnomon.properties.programs.problem import Problem

MERGED = "bitmap,compressed(unordered),hashed; (i,j,k)->(i,k,j)"


def test_values_are_set_before_duplicates_in_a_block_of_a_format_combine_with_them(tmp_path: Path) -> None:
    """That ii goes over duplicates is known once io is, which the loop over u stands for."""
    A = gn.tensor([[0, 0, 0, 2], [0, 1, 2, 3]], [5.0, 7.0, 2.0, 3.0], (3, 4), "CSB(2,2)")
    blocks = "split({0},io,u,v,7),collapse(u,v,f),parallelize(ii,GPUBlock,Atomics)"
    problem = Problem("R(i) = 1 * (sum(k, A(i,k)) * 1)", {"A": A}, "bitmap", "max_first", schedule=blocks)
    case = generate_device_case(problem, "k_")
    wanted = [((0,), 1.0), ((2,), 1.0)]
    for found in (run_emulated(case, build_emulated([case], tmp_path, chosen_compiler())), run_on_machine(case)):
        assert [(tuple(map(int, c)), v) for c, v in found.entries()] == wanted


def test_what_one_thread_merges_others_see() -> None:
    """Where A has components, the first thread merges them; where not, each thread has columns of its own."""
    A = gn.tensor([[0, 0, 1, 1], [1, 0, 2, 0], [2, 1, 2, 1]], [2, 3, 2, 3], (2, 3, 3), MERGED, dtype="uint8", fill=2)
    columns = "parallelize(i,GPUBlock,Atomics),parallelize(j,GPUThread,NoRaces)"
    problem = Problem("R(i,j) = truth(floordiv(sum(k, A(i,j,k)), 1))", {"A": A}, "hashed,dense", schedule=columns)
    found = run_on_machine(generate_device_case(problem, "k_"))
    assert (found.to_numpy() == problem.execution.result.to_numpy()).all()
