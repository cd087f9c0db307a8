"""What templates are likely to cost: what is counted, and that all of it is met with."""

from collections.abc import Iterator
from math import isfinite
from typing import Any

import pytest
from gnomon.generator.runtime.request import make_request
from gnomon.properties.programs.problem import Problem
from gnomon.properties.strategies import PLAIN, programs
from gnomon.reference.schedule.application import apply_schedule
from gnomon.reference.schedule.autoschedule.cost import COSTS, FACTORS, Share, Work, cost, count, shares
from gnomon.reference.schedule.autoschedule.ranking import templates
from gnomon.reference.schedule.schedule import as_schedule
from gnomon.reference.schedule.visits import visits
from gnomon.reference.statement.statement import Program
from hypothesis import given, settings
from hypothesis import strategies as st

SPMV, SPMM, ROWS, LANES = (
    "y(i) = A(i,j) * x(j)",
    "C(i,j) = A(i,k) * B(k,j)",
    "parallelize(i,CPUThread,NoRaces)",
    "parallelize({},CPUVector,{})",
)
NONZEROS = "collapse(i,j,f),pos(f,p,A(i,j)),split(p,p0,p1,2000)"
TILE = "split(j,j0,j1,32),reorder(i,j0,k,j1),parallelize(j1,CPUVector,NoRaces)"


def program(expression: str, formats: dict[str, Any], out: str | None = None) -> Program:
    request = make_request(expression, formats, out=out)
    return request.program


def counted(found: Program, schedule: str) -> dict[Work, float]:
    return dict(count(apply_schedule(found, as_schedule(schedule or None))))


@pytest.mark.parametrize(
    ("format", "schedule", "expected"),
    [
        ("CSR", "", {Work.STORED: 1e5}),
        ("CSR", LANES.format("j", "ParallelReduction"), {Work.STORED_ON_LANES: 1e5}),
        ("CSR", NONZEROS, {Work.AROUND_POSITIONS: 50, Work.POSITIONS: 1e5}),
        (
            "CSR",
            f"{NONZEROS},{LANES.format('p1', 'Atomics')}",
            {Work.AROUND_POSITIONS: 50, Work.POSITIONS_ON_LANES: 1e5, Work.ATOMIC_LANES: 1e5},
        ),
        (
            "CSR",
            f"{NONZEROS},parallelize(p0,CPUThread,Atomics)",
            {Work.AROUND_POSITIONS: 50, Work.POSITIONS: 1e5, Work.ATOMIC: 1e5},
        ),
        ("COO", "parallelize(i,CPUThread,Atomics)", {Work.STORED: 1e5, Work.ATOMIC_DUPLICATE: 1e5}),
    ],
)
def test_what_is_counted_of_a_matrix_times_a_vector(format: str, schedule: str, expected: dict[Work, float]) -> None:
    assert counted(program(SPMV, {"A": format}), schedule) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("schedule", "expected"),
    [
        ("", {Work.COUNTED: 64e5}),
        (LANES.format("j", "NoRaces"), {Work.COUNTED_ON_LANES: 64e5}),
        (TILE, {Work.TILE_ON_LANES: 64e5}),
        ("split(j,j0,j1,32),parallelize(j1,CPUVector,NoRaces)", {Work.COUNTED_ON_LANES: 64e5}),
    ],
)
def test_what_is_counted_of_a_matrix_times_a_matrix(schedule: str, expected: dict[Work, float]) -> None:
    assert counted(program(SPMM, {"A": "CSR"}), schedule) == pytest.approx(expected)


def test_dense_tensors_are_walked_as_they_lie_in_memory_or_not() -> None:
    assert Work.STRIDED not in counted(program(SPMM, {"A": "CSC"}), "")
    assert counted(program(SPMM, {"A": "CSC"}), "reorder(k,j,i)")[Work.STRIDED] == pytest.approx(64e5)
    by_columns = program("C(i,j) = A(i,k) * B(k,j)", {"A": "CSR", "B": "Dense(1,0)"})
    assert counted(by_columns, "reorder(i,k,j)")[Work.STRIDED] == pytest.approx(64e5)


def test_a_reduction_outside_of_much_of_the_result_comes_to_it_when_it_has_left_the_cache() -> None:
    slots = program(SPMM, {"A": "ELL"})
    assert counted(slots, "")[Work.FAR] == pytest.approx(64e5)
    assert Work.FAR not in counted(slots, "reorder(i,r,k,j)")
    assert Work.FAR not in counted(program(SPMV, {"A": "ELL"}), "")


def test_all_loops_of_a_program_with_a_workspace_are_counted() -> None:
    product = program(SPMM, {"A": "CSR", "B": "CSR"}, "CSR")
    assert counted(product, "") == {Work.STORED: sum(visits(product).values()) - 1e4 - 1e5}


@pytest.mark.parametrize(
    ("out", "schedule", "expected"),
    [
        (None, "", []),
        (None, ROWS, [Share.THREADS]),
        (None, "split(i,i0,i1,64),parallelize(i0,CPUThread,NoRaces)", [Share.THREADS, Share.PARTS]),
        (None, "parallelize(j,CPUVector,ParallelReduction)", []),
        ("CSR", ROWS, [Share.THREADS, Share.APPENDED_ONE_BY_ONE]),
        ("CSR", "split(i,i0,i1,64),parallelize(i0,CPUThread,NoRaces)", [Share.THREADS, Share.PARTS]),
    ],
)
def test_what_threads_share(out: str | None, schedule: str, expected: list[Share]) -> None:
    expression = SPMV if out is None else "C(i,j) = A(i,j) * x(j)"
    found = program(expression, {"A": "CSR"}, out)
    assert list(shares(apply_schedule(found, as_schedule(schedule or None)))) == expected


def test_what_is_faster_costs_less() -> None:
    rows, nonzeros, lanes = (
        ROWS,
        f"{NONZEROS},parallelize(p0,CPUThread,Atomics)",
        LANES.format("j", "ParallelReduction"),
    )
    matrix = {str(t): cost(program(SPMV, {"A": "CSR"}), t) for t in templates(program(SPMV, {"A": "CSR"}))}
    assert matrix[rows] < matrix[nonzeros.replace("2000", "*")] < matrix[""] * 1.5
    assert matrix[rows] < matrix[""] < matrix[lanes]


def kinds() -> Iterator[tuple[Program, Any]]:
    for expression, format, out in (
        (SPMV, "CSR", None), (SPMV, "COO", None), (SPMM, "CSR", None), (SPMM, "CSC", None),
        ("C(i,j) = A(i,j) * x(j)", "CSR", "CSR"),
    ):  # fmt: skip
        found = program(expression, {"A": format}, out)
        yield from ((found, template) for template in templates(found))


def test_everything_that_has_a_cost_is_met_with() -> None:
    programs_ = [apply_schedule(found, template.schedule()) for found, template in kinds()]
    assert {work for each in programs_ for work in count(each)} == set(Work) == set(COSTS)
    assert {share for each in programs_ for share in shares(each)} == set(Share) == set(FACTORS)


@given(st.data())
@settings(max_examples=settings().max_examples // 8)
def test_every_template_of_a_random_program_has_a_cost(data: st.DataObject) -> None:
    drawn: Problem = data.draw(programs(PLAIN))
    template = data.draw(st.sampled_from(list(templates(drawn.ready.lowered))))
    found = cost(drawn.ready.lowered, template)
    assert isfinite(found) and found >= 0
