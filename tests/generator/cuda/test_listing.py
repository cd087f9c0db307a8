"""Workspaces of groups of threads that note which coordinates they hold, and results that are appended from them."""

import gnomon as gn
import numpy as np
import pytest
from depth import ALL
from devices.emulated import Emulated
from gnomon.properties.differential.devices import (
    generate_device_case,
    run_on_machine,
)
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


BELOW = "dense,dense,compressed"
OPERANDS = {
    "A": drawn((4, 5), "CSR", 14),
    "B": drawn((5, 7), "CSR", 6),
    "D": drawn((4, 7), "CSR", 7),
    "T": drawn((2, 4, 5), "CSF", 8),
    "E": drawn((2, 12, 3), BELOW, 10),
    "F": drawn((2, 12, 5), BELOW, 8),
    "G": drawn((2, 12, 7), BELOW, 11),
    "H": gn.tensor([[1, 3], [1, 0], [6, 3]], [1.0, 2.0], (4, 3, 7), "dense,compressed,compressed"),
    "x": drawn((7,), "SparseVector", 9),
    "z": drawn((7,), "bitmap", 12),
    "y": gn.from_numpy(np.arange(1.0, 8.0), "Dense"),
}
SHARED, ALONE = "C2_crd[pC2_own + n]", "C2_crd[pC2_own] = (int32_t) j;"
CASES = {
    "rows that are stored": (PRODUCT, "DCSR", SHARED),
    "coordinates with duplicates": (PRODUCT, "COO", "C2_crd[pC1_own + n]"),
    "fibers of a tensor": ("C(i,j,l) = T(i,j,k) * B(k,l)", "CSF", "C3_crd[pC3_own + n]"),
    "values scaled by what is there": ("C(i,j) = y(j) * sum(k, A(i,k) * B(k,j))", "CSR", SHARED),
    "values scaled by what may be missing": ("C(i,j) = x(j) * sum(k, A(i,k) * B(k,j))", "CSR", "gn_sort"),
    "values scaled by what a flag tells of": ("C(i,j) = z(j) * abs(sum(k, A(i,k) * B(k,j)))", "CSR", ALONE),
    "the complement of a mask": ("C(i,j)<!$D(i,j)> = A(i,k) * B(k,j)", "CSR", "w1_count[0]"),
    "sums with another operand": ("C(i,j) = A(i,k) * B(k,j) + D(i,j)", "CSR", "w1_crd"),
    "components that are sums over a list": ("C(i) = sum(j, abs(sum(k, A(i,k) * B(k,j))))", "SparseVector", "gn_sort"),
    "rows that lie beside others": ("C(i,p,l) = H(i,p,l) + sum(k, A(i,k) * B(k,l))", BELOW, "gn_sort"),
    "the largest, where absent is fill": ("C(i,j) max= A(i,k) * B(k,j)", "CSR", "w_present"),
}


MEETING = f"{ROWS},parallelize(k,GPUThread,Atomics)"
WIDE = {"A": drawn((3, 8), "CSR", 1), "B": drawn((8, 500), "CSR", 2)}
FEW = {"A": drawn((3, 4), "CSR", 3), "B": drawn((4, 5), "CSR", 4)}


def problem_of(text: str, out: str, schedule: str) -> Problem:
    operands = {each: tensor for each, tensor in OPERANDS.items() if f"{each}(" in text.partition("=")[2] + text[6:]}
    return Problem(text, operands, out, schedule=schedule)


PROBLEMS = {
    **{(who, "wide"): Problem(PRODUCT, WIDE, "CSR", schedule=BY_WHOM[who][0]) for who in BY_WHOM},
    **{(who, "few"): Problem(PRODUCT, FEW, "CSR", schedule=BY_WHOM[who][0]) for who in BY_WHOM},
    **{(name, "unasked"): problem_of(text, out, "") for name, (text, out, _) in CASES.items()},
    **{(n, "meeting"): problem_of(text, out, MEETING) for n, (text, out, _) in CASES.items() if "largest" not in n},
}
PROBLEMS["rows with and without another sum", "lanes"] = problem_of(
    "C(i,j,l) = sum(k, F(i,j,k) * B(k,l)) + G(i,j,l) * sqrt(sum(m, E(i,j,m)))",
    BELOW,
    f"{ROWS},parallelize(m,GPUThread,ParallelReduction)",
)
WORDS = {who: words for who, (_, *words) in BY_WHOM.items()} | {name: [word] for name, (_, _, word) in CASES.items()}
WORDS["rows with and without another sum"] = ["gn_sort_block"]
CHOSEN = list(PROBLEMS)[:: 1 if ALL else 5]
ON_MACHINE = CHOSEN[:: 1 if ALL else 2]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Emulated[tuple[str, str]]:
    """All chosen problems in one library."""
    return Emulated({key: PROBLEMS[key] for key in CHOSEN}, tmp_path_factory)


@pytest.mark.every(2)
@pytest.mark.parametrize("key", CHOSEN, ids=", ".join)
def test_lists(key: tuple[str, str], built: Emulated[tuple[str, str]]) -> None:
    case, wanted = built.cases[key], PROBLEMS[key].execution.result
    assert all(word in case.device for word in WORDS[key[0]])
    assert same(built.run(key), wanted)
    if key in ON_MACHINE and key[1] != "wide":
        assert same(run_on_machine(case), wanted)


def test_blocks_count_where_their_threads_fill() -> None:
    """The first phase goes through what the threads of a block note, as the second does, and sorts nothing."""
    problem = Problem(PRODUCT, {each: OPERANDS[each] for each in "AB"}, "CSR")
    text = generate_device_case(problem, "k_").device
    counting = text[text.index("k_evaluate_count_i") : text.index("k_evaluate_parts_of")]
    assert "pC2_own += w1_end;" in counting and "w1_flag_slices[((int64_t) blockIdx.x)" in counting
    assert "gn_sort" not in counting and "w_vals" not in counting
