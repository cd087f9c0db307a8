"""Estimates of how often loops run, and what is said of schedules that go over far too much."""

from typing import Any

import gnomon as gn
import pytest
from gnomon.generator.runtime.request import make_request
from gnomon.generator.runtime.sources import excess_of
from gnomon.reference.schedule.application import apply_schedule
from gnomon.reference.schedule.schedule import as_schedule
from gnomon.reference.schedule.visits import visits

SPMV = ("y(i) = A(i,j) * x(j)", {"A": "CSR"})
TTV = ("C(i,j) = A(i,j,k) * x(k)", {"A": "CSF"})
MTTKRP = ("C(i,r) = A(i,j,k) * D(j,r) * E(k,r)", {"A": "CSF"})
SPMM = ("C(i,j) = A(i,k) * B(k,j)", {"A": "CSR"})
SUM = ("C(i,j) = A(i,j) + B(i,j)", {"A": "CSR", "B": "CSR"})
FUSED = "collapse(i,j,f),split(f,f0,f1,32),parallelize(f0,CPUThread,Atomics)"


def test_visits_of_sparse_and_dense_loops() -> None:
    request = make_request(*SPMM)
    assert visits(request.program) == {"i": 1e4, "k": 1e5, "j": 64e5}


@pytest.mark.parametrize(
    ("kernel", "schedule", "expected"),
    [
        ((SPMM[0], {"A": "CSR", "B": "CSR"}), "", {"i": 1e4, "k": 1e5, "j": 1e6}),
        ((SPMV[0], {"A": "CSC", "x": "SparseVector"}), "", {"j": 1e3, "i": 1e4}),
        ((SPMM[0], {"A": "DCSR", "B": "DCSR"}), "", {"i": 1e4, "k": 6.08e6, "j": 1e6}),
        (("C(i,j) = A(i,j) * B(i,j)", {"A": "CSR", "B": "CSR"}), "", {"i": 1e4, "j": 2e5}),
        (("C(i,j) = (A(i,k) + B(i,k)) * D(k,j)", dict.fromkeys("ABD", "CSR")), "", {"i": 1e4, "k": 2e5, "j": 2e6}),
        (
            ("y(i) = A(i,j) * x(j) * D(j,k)", {"A": "CSR", "x": "HashVector", "D": "CSR"}),
            "",
            {"i": 1e4, "j": 1e5, "k": 1e5},
        ),
        (("y(i) = A(i,k) * B(i,k,j)", {"A": "CSR", "B": "CSF"}), "", {"i": 1e4, "k": 2e5, "j": 100}),
        ((SPMV[0], {"A": "BCSR(2,2)"}), "", {"io": 5e3, "jo": 1e5, "ii": 2e5, "ji": 4e5}),
        ((SPMV[0], {"A": "BCSR(2,2)"}), "reorder(io,ii,jo,ji)", {"io": 5e3, "ii": 1e4, "jo": 2e5, "ji": 4e5}),
        ((SPMV[0], {"A": "ELL"}), "", {"r": 10, "i": 1e5, "j": 1e5}),
    ],
)
def test_visits_below_coordinates_that_are_reached_in_part_and_of_blocks(
    kernel: tuple[str, dict[str, Any]], schedule: str, expected: dict[str, float]
) -> None:
    request = make_request(*kernel)
    program = apply_schedule(request.program, as_schedule(schedule or None))
    assert visits(program) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("kernel", "schedule", "loop", "instead"),
    [
        (SPMV, "split(j,j0,j1,32)", "j0", "pos(j,p,A(i,j))"),
        (SPMV, "collapse(i,j,f),split(f,f0,f1,32)", "f0", "pos(f,p,A(i,j))"),
        (TTV, FUSED, "f0", "pos(f,p,A(i,j,k))"),
        (MTTKRP, FUSED, "f0", "pos(f,p,A(i,j,k))"),
        (SUM, "split(j,j0,j1,64)", "j0", "split a loop around it"),
    ],
)
def test_schedules_that_count_coordinates_that_are_not_stored(
    kernel: tuple[str, dict[str, Any]], schedule: str, loop: str, instead: str
) -> None:
    found = excess_of(make_request(*kernel, schedule=schedule))
    assert found is not None and found.loop == loop and found.factor > 4 and instead in str(found)


@pytest.mark.parametrize(
    ("kernel", "schedule"),
    [
        (SPMV, ""),
        (SPMV, "split(i,i0,i1,32),parallelize(i0,CPUThread,NoRaces)"),
        (SPMV, "collapse(i,j,f),pos(f,p,A(i,j)),split(p,p0,p1,16),parallelize(p0,CPUThread,Atomics)"),
        (SPMV, "pos(j,p,A(i,j)),split(p,p0,p1,2)"),
        (SPMV, "pos(j,p,A(i,j)),split(p,p0,p1,32)"),
        (TTV, FUSED.replace("split(f,f0,f1", "pos(f,p,A(i,j,k)),split(p,f0,f1")),
        (MTTKRP, FUSED.replace("split(f,f0,f1", "pos(f,p,A(i,j,k)),split(p,f0,f1")),
        (SPMM, "split(j,j0,j1,16),reorder(i,j0,k,j1)"),
        (SPMM, "precompute(A(i,k)*B(k,j),{j},{j},w,HashVector)"),
        ((SPMV[0], {"A": "CSC", "x": "SparseVector"}), "split(j,j0,j1,32),parallelize(j0,CPUThread,Atomics)"),
        ((SPMV[0], {"A": "BCSR(2,2)"}), "split(io,i0,i1,64)"),
        (SUM, "split(i,i0,i1,64)"),
    ],
)
def test_schedules_that_do_not(kernel: tuple[str, dict[str, Any]], schedule: str) -> None:
    assert excess_of(make_request(*kernel, schedule=schedule)) is None


def test_a_workspace_that_hardly_ever_holds_anything_has_an_estimate() -> None:
    expression = "R(m,j,a,c,i,b) = sum(k, A(j,c,a,b,i) * B(k,b,m,c) * D(k,a,m,c,i,j,b))"
    schedule, formats = "precompute(A(j,c,a,b,i),{c},{c},A_),hoist(A_)", dict.fromkeys("ABD", "COO")
    assert excess_of(make_request(expression, formats, out="COO", convert="auto", schedule=schedule)) is None


def test_what_merges_counts_no_coordinates() -> None:
    kernel, schedule = "T(i,j,k) = A(l,i) * B(l,j,k)", "convert(A(l,i),{i,l})"
    assert excess_of(make_request(kernel, {"A": "CSR", "B": "CSF"}, out="CSF", schedule=schedule)) is None


def test_a_workspace_holds_what_its_producer_brings() -> None:
    request = make_request(SPMM[0], {"A": "CSR", "B": "CSR"}, out="CSR")
    assert visits(request.program) == {"i": 1e4, "k": 1e5, "j": 1e6 + 1e6}


def test_a_result_that_is_assembled_in_another_order_has_its_remedy() -> None:
    schedule = "split(j,j0,j1,3),reorder(j0,i,j1,k)"
    request = make_request("C(i,k) = A(i,j) * B(j,k)", {"A": "CSR"}, out="CSR", convert="auto", schedule=schedule)
    found = excess_of(request)
    assert found is not None and "split a loop around it" in str(found)


def test_compile_warns() -> None:
    with pytest.warns(gn.ScheduleWarning, match=r"the loop over j0 .* write pos\(j,p,A\(i,j\)\)"):
        gn.compile(SPMV[0], A="CSR", schedule="split(j,j0,j1,32)")
