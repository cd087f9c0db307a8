"""Workspaces of groups of threads that note which coordinates they hold, and results that are appended from them."""

from pathlib import Path

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.runtime.request import chosen_compiler
from gnomon.properties.differential.devices import build_emulated, generate_device_case, run_emulated, run_on_machine
from gnomon.properties.programs.problem import Problem

from .test_counting import drawn, same

PRODUCT, ROWS = "C(i,j) = A(i,k) * B(k,j)", "parallelize(i,GPUBlock,NoRaces)"
EIGHTS = "pos(k,p,A(i,k)),split(p,part,warp,8),reorder(warp,part),parallelize(warp,GPUWarp,IgnoreRaces)"
BY_WHOM = {
    "a thread a row": (ROWS, "gn_sort_alone_int32(w1_crd, w1_count[0])", "pC2_own++;"),
    "threads of a block, row by row": (
        f"{ROWS},parallelize(j,GPUThread,NoRaces)",
        "gn_sort_block_int32(w1_crd, w1_count[0])",
        "C2_crd[pC2_own + n]",
    ),
    "threads of a block that meet": (
        f"{ROWS},parallelize(k,GPUThread,Atomics)",
        "gn_atomic_exchange_int32(&w1_flag[pw1], &my_seen, 1)",
        "n += 256",
    ),
    "warps of a block": (
        f"{ROWS},{EIGHTS},parallelize(j,GPUThread,Atomics)",
        "gn_atomic_add_int64(&w1_count[0], 1)",
        "pC2_own += w1_end;",
    ),
    "a warp of 8": (
        f"{ROWS},split(k,part,lane,8),reorder(lane,part),parallelize(lane,GPUThread,Atomics)",
        "gn_sort_warp_int32(w1_crd, w1_count[0], 8)",
        "n = threadIdx.x % 8",
    ),
}


@pytest.mark.parametrize("who", BY_WHOM)
def test_rows_of_a_product(who: str, tmp_path: Path) -> None:
    schedule, *words = BY_WHOM[who]
    wide = {"A": drawn((9, 40), "CSR", 1), "B": drawn((40, 300), "CSR", 2)}
    few = {"A": drawn((3, 4), "CSR", 3), "B": drawn((4, 5), "CSR", 4)}
    problems = [Problem(PRODUCT, each, "CSR", schedule=schedule) for each in (wide, few)]
    cases = [generate_device_case(problem, f"k{n}_") for n, problem in enumerate(problems)]
    assert all(word in cases[0].device for word in words)
    built = build_emulated(cases, tmp_path, chosen_compiler())
    for case in cases:
        assert same(run_emulated(case, built), case.problem.execution.result)
    assert same(run_on_machine(cases[1]), problems[1].execution.result)


OPERANDS = {
    "A": drawn((6, 5), "CSR", 5),
    "B": drawn((5, 7), "CSR", 6),
    "D": drawn((6, 7), "CSR", 7),
    "T": drawn((4, 6, 5), "CSF", 8),
    "x": drawn((7,), "SparseVector", 9),
    "y": gn.from_numpy(np.arange(1.0, 8.0), "Dense"),
}
SHARED = "C2_crd[pC2_own + n]"
CASES = {
    "rows that are stored": (PRODUCT, "DCSR", SHARED),
    "coordinates with duplicates": (PRODUCT, "COO", "C2_crd[pC1_own + n]"),
    "fibers of a tensor": ("C(i,j,l) = T(i,j,k) * B(k,l)", "CSF", "C3_crd[pC3_own + n]"),
    "values scaled by what is there": ("C(i,j) = y(j) * sum(k, A(i,k) * B(k,j))", "CSR", SHARED),
    "values scaled by what may be missing": ("C(i,j) = x(j) * sum(k, A(i,k) * B(k,j))", "CSR", "gn_sort"),
    "the complement of a mask": ("C(i,j)<!$D(i,j)> = A(i,k) * B(k,j)", "CSR", "w1_count[0]"),
    "sums with another operand": ("C(i,j) = A(i,k) * B(k,j) + D(i,j)", "CSR", "w1_crd"),
    "the largest, where absent is fill": ("C(i,j) max= A(i,k) * B(k,j)", "CSR", "w_present"),
}


MEETING = f"{ROWS},parallelize(k,GPUThread,Atomics)"


@pytest.mark.parametrize(
    ("name", "schedule"),
    [*((name, "") for name in CASES), *((name, MEETING) for name in CASES if "largest" not in name)],
)
def test_what_follows_from_a_list(name: str, schedule: str, tmp_path: Path) -> None:
    text, out, word = CASES[name]
    operands = {each: tensor for each, tensor in OPERANDS.items() if f"{each}(" in text.partition("=")[2] + text[6:]}
    problem = Problem(text, operands, out, schedule=schedule)
    case = generate_device_case(problem, "k_")
    assert word in case.device
    assert same(run_emulated(case, build_emulated([case], tmp_path, chosen_compiler())), problem.execution.result)
    assert same(run_on_machine(case), problem.execution.result)


def test_blocks_count_where_their_threads_fill(tmp_path: Path) -> None:
    """The first phase goes through what the threads of a block note, as the second does, and sorts nothing."""
    problem = Problem(PRODUCT, {each: OPERANDS[each] for each in "AB"}, "CSR")
    text = generate_device_case(problem, "k_").device
    counting = text[text.index("k_evaluate_count_i") : text.index("k_evaluate_parts_of")]
    assert "pC2_own += w1_end;" in counting and "w1_flag_slices[((int64_t) blockIdx.x)" in counting
    assert "gn_sort" not in counting and "w_vals" not in counting
