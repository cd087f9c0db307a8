"""Accesses on devices: golden kernels are proved, and kernels with a seeded mistake are not."""

from __future__ import annotations

import pytest
from gnomon.generator.runtime.sources import request_source
from gnomon.properties.programs.kernels import request_on_device
from gnomon.properties.proofs.c.c_launches import parse_both
from gnomon.properties.proofs.c.c_safety import Safety, safety_of
from gnomon.properties.proofs.devices.accesses import accesses
from gnomon.properties.proofs.devices.devices import texts_of
from gnomon.properties.proofs.verdict import Bounded, Proved

WRONG = {
    "a thread beyond the last row": (
        "spmv_rows",
        "thread < gn_min_int64(256, A1_dimension - block * 256)",
        "thread < 256",
    ),
    "a component too many": ("spmv_blocks", "pA2 < pA2_end; pA2 += 256", "pA2 <= pA2_end; pA2 += 256"),
    "too little shared memory": ("spmv_blocks", "ty_own_of_warps[8]", "ty_own_of_warps[7]"),
    "a warp that is not there": ("spmv_blocks", "w < 8", "w <= 8"),
    "a thread before the first": ("mul_rows", "if (threadIdx.x >= distance)", "if (threadIdx.x > 0)"),
    "coordinates that others store": (
        "spmv_rows",
        "const int32_t * __restrict__ A2_crd",
        "int32_t * __restrict__ A2_crd",
    ),
    "slices for too few blocks": ("spgemm_blocks", "(128 * B2_dimension", "(127 * B2_dimension"),
    "slices that begin too late": (
        "spgemm_blocks",
        "((int64_t) blockIdx.x) * B2_dimension",
        "((int64_t) blockIdx.x + 1) * B2_dimension",
    ),
    "slices of a list that are too short": (
        "spgemm_lists",
        "w1_crd_slices[((int64_t) blockIdx.x) * B2_dimension]",
        "w1_crd_slices[((int64_t) blockIdx.x) * (B2_dimension - 1)]",
    ),
    "a coordinate beyond the last": ("spgemm_lists", "= (int32_t) j;", "= (int32_t) (j + 1);"),
    "two places at a time": ("spgemm_lists", "&w1_count[0], 1)", "&w1_count[0], 2)"),
    "a place beyond the end of a list": ("spgemm_lists", "n < w1_before;", "n <= w1_before;"),
    "more sorted than there are": (
        "spgemm_lists",
        "gn_sort_block_int32(w1_crd, w1_count[0])",
        "gn_sort_block_int32(w1_crd, w1_count[0] + 1)",
    ),
    "no coordinate in a table": ("spgemm_tables", "&my_seen, (int32_t) j)", "&my_seen, (int32_t) (j - 2))"),
    "no coordinate before a kernel": (
        "spgemm_tables",
        "        C2_crowded = false;\n",
        "        C2_crowded = false;\n"
        "        for (int64_t p = 0; p < A1_dimension * my_C2_W; p++) { C2_crd[p] = -7; }\n",
    ),
    "too small an array": ("spmv_rows", "gn_device_array(y->size,", "gn_device_array(y->size - 1,"),
    "too much to lend": ("spmv_rows", "gn_device_lend(x_vals, x->size,", "gn_device_lend(x_vals, x->size + 1,"),
    "too little to lend": ("spmv_rows", "gn_device_lend(x_vals, x->size,", "gn_device_lend(x_vals, x->size - 1,"),
    "another's size": (
        "spmv_rows",
        "gn_device_get(y_vals, y_vals_device, y->size,",
        "gn_device_get(y_vals, y_vals_device, A->size,",
    ),
    "an atomic operation beyond the last": ("dot", "atomicAdd(&ta[0]", "atomicAdd(&ta[1]"),
    "more than there is room for": ("spmv_rows", "y->size, sizeof(double)", "y->size + 1, sizeof(double)"),
    "elements of another size": ("spmv_rows", "y->size, sizeof(double), &status)", "y->size, sizeof(float), &status)"),
}


def evaluation(name: str, right: str = "", wrong: str = "") -> Safety:
    """What can be proved of the evaluation of a golden kernel, with another text where one is given."""
    request, made = request_on_device(name), texts_of(name)
    assert right in made.host + made.device
    host, device = (text.replace(right, wrong) if right else text for text in (made.host, made.device))
    source = request_source(request, request.resolve_without_shapes())
    return safety_of(parse_both(host, device), source, runs=(("evaluate",),))


@pytest.mark.every(2)
@pytest.mark.parametrize("name", ["spgemm_lists", "spmv_warps", "dot", "spmv_rows"])
def test_accesses_are_proved_on_the_host_and_in_any_thread(name: str) -> None:
    found = evaluation(name)
    assert found.verdict == Proved() and found.total >= 7


def test_accesses_of_all_functions_are_looked_at() -> None:
    found = accesses(request_on_device("spmv_rows"))
    assert found.verdict == Proved() and found.total >= 15


@pytest.mark.every(5)
@pytest.mark.parametrize("mistake", WRONG)
def test_mistakes_are_not_proved(mistake: str) -> None:
    verdict = evaluation(*WRONG[mistake]).verdict
    assert isinstance(verdict, Bounded), verdict


def test_a_host_that_makes_too_little_room_for_what_was_counted_is_not_proved() -> None:
    found = evaluation("mul_rows", "C2_capacity - pC2 < C2_total", "C2_capacity - pC2 < C2_total - 1")
    assert evaluation("mul_rows").verdict == Proved()
    assert {a.text for a in found.open} >= {"C2_crd[pC2_own]"} and isinstance(found.verdict, Bounded)
