"""Memory safety: golden kernels are proved, and kernels with a seeded mistake are not."""

from functools import cache
from pathlib import Path

import gnomon as gn
import pytest
from gnomon.generator.kernel_source import generate
from gnomon.generator.runtime.request import Request, make_request
from gnomon.generator.runtime.sources import request_source
from gnomon.generator.source import Source
from gnomon.properties.programs.kernels import KERNELS
from gnomon.properties.proofs.c.c_safety import Safety, safety, safety_of
from gnomon.properties.proofs.c.c_tree import parse
from gnomon.properties.proofs.verdict import Bounded, Proved, Unknown

GOLDEN = Path(__file__).parents[3] / "generator" / "golden"

WRONG = {
    "bound one too far": ("spmv_csr", "i < A1_dimension", "i <= A1_dimension"),
    "bound of another segment": ("spmv_csr", "A2_pos[i + 1]", "A2_pos[i + 2]"),
    "index of another array": ("spmv_csr", "x_vals[j]", "x_vals[pA2]"),
    "missing guard": ("spmv_ell", "if (A3_crd[pA2] != -1) {", "{"),
    "wrong stride": ("spmv_ell", "r * A2_dimension + i", "r * A1_dimension + i"),
    "wrong size": ("spmm_csr", "p < A1_dimension * B2_dimension", "p < A1_dimension * A1_dimension"),
    "too small an allocation": ("add_csr", "gn_zeros(A1_dimension + 1,", "gn_zeros(A1_dimension,"),
    "elements of another size": ("add_csr", "capacity, sizeof(double)", "capacity, sizeof(int32_t)"),
    "missing growth": ("add_csr", "if (C2_capacity - pC2 < pA2_end - pA2 + (pB2_end - pB2)) {", "if (0) {"),
    "too little growth": ("add_csr", "pA2_end - pA2 + (pB2_end - pB2)", "pA2_end - pA2"),
    "one operand at its end": ("add_csr", "pA2 < pA2_end && pB2 < pB2_end", "pA2 < pA2_end || pB2 < pB2_end"),
    "a value further than coordinates": ("add_csr", "C_vals[pC2] = B_vals[pB2];", "C_vals[pC2 + 1] = B_vals[pB2];"),
    "too long a result": ("add_csr", "C->size = pC2;", "C->size = pC2 + 1;"),
    "a table as large as before": (
        "hash_vector",
        "gn_zeros(new_W, sizeof(int32_t)",
        "gn_zeros(was_W, sizeof(int32_t)",
    ),
    "no room for what threads append": (
        "outer_rows",
        "if (C2_capacity - pC2 < C2_first[u1_dimension]) {",
        "if (C2_capacity - pC2 < C2_first[u1_dimension] - 1) {",
    ),
    "threads move parts too far": (
        "outer_rows",
        "gn_place(C2_crd, C2_crd_own, 0, 1, pC2,",
        "gn_place(C2_crd, C2_crd_own, 0, 1, pC2 + 1,",
    ),
    "unchecked memory": ("add_csr", "    if (status != GN_OK) {\n        goto done;\n    }\n", ""),
}


def golden(name: str) -> tuple[str, Source]:
    request = KERNELS[name]()
    return (GOLDEN / f"{name}.c").read_text(), request_source(request, request.resolve_without_shapes())


def hash_vector() -> Request:
    """The smallest kernel whose table grows."""
    return make_request("y(i) = x(i)", {"x": "Dense"}, out="HashVector")


def outer_rows() -> Request:
    """A small kernel whose threads append."""
    rows = "parallelize(i,CPUThread,NoRaces)"
    return make_request("C(i,j) = u(i) * v(j)", {"v": "SparseVector"}, out="CSR", schedule=rows)


def spoilt(mistake: str) -> Request:
    """The request for the kernel in which a mistake is planted: a golden kernel, `hash_vector` or `outer_rows`."""
    name, _, _ = WRONG[mistake]
    return {**KERNELS, "hash_vector": hash_vector, "outer_rows": outer_rows}[name]()


@cache
def seeded(mistake: str) -> tuple[str, Source]:
    _, right, wrong = WRONG[mistake]
    request = spoilt(mistake)
    source = request_source(request, request.resolve_without_shapes())
    text = generate(source)
    assert right in text
    return text.replace(right, wrong), source


def evaluation(text: str, source: Source) -> Safety:
    """What can be proved of the accesses of a kernel that assembles and computes in one pass."""
    return safety_of(parse(text), source, runs=(("evaluate",),))


@pytest.mark.every(2)
@pytest.mark.parametrize("name", ["spmv_csr", "spmv_dcsr", "mttkrp_coo"])
def test_golden_kernels_are_proved(name: str) -> None:
    found = safety(*golden(name))
    assert found.open == ()
    assert found.proved == found.total >= 5
    assert found.verdict == Proved()


def test_kernels_that_report_overflow_are_proved() -> None:
    request = make_request("C(i) = A(i) + A(i)", {"A": gn.spec("SparseVector", dtype="int64")}, out="SparseVector")
    source = request_source(request, request.resolve_without_shapes())
    text = generate(source)
    assert "gn_add_int64" in text and safety(text, source).verdict == Proved()


@pytest.mark.parametrize(("bound", "found"), [("A1_dimension", []), ("A1_dimension - 1", ["y_vals[mark[i]]"])])
def test_room_is_known_as_far_as_it_is_set(bound: str, found: list[str]) -> None:
    text, source = golden("spmv_csr")
    begin = "/* i: iterate every i; locate A */"
    marked = f"""int status = GN_OK;
    int32_t *mark = gn_room(A1_dimension, sizeof(int32_t), &status);
    if (status != GN_OK) {{ return status; }}
    for (int64_t p = 0; p < {bound}; p++) {{ mark[p] = 0; }}
    {begin}"""
    wrong = text.replace(begin, marked).replace("y_vals[i] = ty;", "y_vals[mark[i]] = ty;")
    assert [access.text for access in safety(wrong, source).open] == found


@pytest.mark.parametrize(("status", "found"), [("GN_BOUND", []), ("GN_OK", ["y_vals[k]"])])
def test_loops_are_left_by_a_jump_with_a_status_only_where_it_says_so(status: str, found: list[str]) -> None:
    text, source = golden("spmv_csr")
    left = f"""y_vals[i] = ty;
        k = A1_dimension;
        if (i > 7) {{ status = {status}; goto done; }}
        k = 0;"""
    after = "done:; if (status == GN_OK && A1_dimension > 0) { y_vals[k] = 0.0; } return status;"
    compute, begin = "}\n\nint compute(", "/* i: iterate every i; locate A */"
    text = text.replace("y_vals[i] = ty;", left).replace(begin, f"int status = GN_OK; int64_t k = 0; {begin}")
    wrong = text.replace(f"return GN_OK;\n{compute}", after + compute)
    assert [access.text for access in safety(wrong, source).open] == found


def test_what_a_team_could_not_make_room_for_is_not_handed_over() -> None:
    request = outer_rows()
    source = request_source(request, request.resolve_without_shapes())
    text, check = generate(source), "if (status != GN_OK) {\n            goto done;\n        }\n        pC2 +="
    assert text.count(check) == 3
    handed = evaluation(text.replace(check, "pC2 +="), source).open
    assert {access.text for access in handed} == {"C->level[1].length[1] = pC2", "C->size = pC2"}


@pytest.mark.every(5)
@pytest.mark.parametrize("mistake", WRONG)
def test_mistakes_are_not_proved(mistake: str) -> None:
    found = evaluation(*seeded(mistake))
    assert found.proved < found.total
    assert isinstance(found.verdict, Bounded)


def test_what_is_open_says_where_and_why() -> None:
    text, source = seeded("index of another array")
    opened = safety(text, source).open
    lines = [n for n, line in enumerate(text.splitlines(), 1) if "x_vals[pA2]" in line]
    assert [(a.function, a.text) for a in opened] == [("compute_arrays", "x_vals[pA2]")] * 2 and len(lines) == 2
    assert {access.reason for access in opened} == {"the index is not known to be below x.size[0]"}
    assert opened[0].line < opened[1].line


def test_what_no_run_reaches_is_not_proved() -> None:
    text, source = golden("spmv_csr")
    found = safety(text.replace("ty += A_vals[pA2] * x_vals[j];", "if (j < 0) { ty += x_vals[j]; }"), source)
    assert {access.reason for access in found.open} == {"no run is known that comes here"}


def test_what_is_not_modelled_is_open() -> None:
    text, source = golden("spmv_csr")
    found = safety(text.replace("y_vals[i] = ty;", "memcpy(y_vals, x_vals, 8);"), source)
    assert any("memcpy" in access.reason for access in found.open)
    assert isinstance(found.verdict, Unknown) and "not modelled: " in found.verdict.reason


def test_without_time_everything_is_open() -> None:
    found = safety(*golden("add_csr"), seconds=0)
    assert found.proved == 0 and {access.reason for access in found.open} == {"out of time"}
    assert isinstance(found.verdict, Unknown)


SEARCH = """
            if (A2_pos[i] < A2_pos[A1_dimension]) {
                const int64_t sought = A2_pos[i];
                int64_t place = 0;
                int64_t place_end = A1_dimension;
                while (place < place_end) {
                    const int64_t middle = (place + place_end) / 2;
                    if (A2_pos[middle + 1] <= sought) {
                        place = middle + 1;
                    } else {
                        place_end = middle;
                    }
                }
                y_vals[place] = ty;
            }
"""


@pytest.mark.parametrize(("guard", "found"), [("A2_pos[i] < A2_pos[A1_dimension]", []), ("1", ["y_vals[place]"])])
def test_a_row_that_bisection_finds_is_there_if_something_comes_after_what_is_sought(
    guard: str, found: list[str]
) -> None:
    text, source = golden("spmv_csr")
    search = SEARCH.replace("A2_pos[i] < A2_pos[A1_dimension]", guard)
    assert [access.text for access in evaluation(text.replace("y_vals[i] = ty;", search), source).open] == found
