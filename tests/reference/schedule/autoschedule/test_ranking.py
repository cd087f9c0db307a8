"""Templates: legal, distinct, right; their number; the order in which they are listed."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.runtime.request import chosen_compiler, make_request
from gnomon.properties.differential.batch import build_library, check_case, generate_case
from gnomon.properties.programs.problem import Problem
from gnomon.properties.strategies import PLAIN, programs
from gnomon.reference.schedule.application import apply_schedule
from gnomon.reference.schedule.autoschedule import ranking
from gnomon.reference.schedule.autoschedule.ranking import rank
from gnomon.reference.schedule.autoschedule.space import size
from gnomon.reference.schedule.autoschedule.template import Template
from gnomon.reference.statement.statement import Program
from hypothesis import given, settings
from hypothesis import strategies as st

KERNELS: dict[str, tuple[str, dict[str, Any], str | None]] = {
    "SpMV": ("y(i) = A(i,j) * x(j)", {"A": "CSR"}, None),
    "SpMSpV": ("y(i) = A(i,j) * x(j)", {"A": "CSC", "x": "SparseVector"}, None),
    "SpMM": ("C(i,j) = A(i,k) * B(k,j)", {"A": "CSR"}, None),
    "SDDMM": ("C(i,j) = B(i,j) * (D(i,k) * E(k,j))", {"B": "CSR", "E": "Dense(1,0)"}, "CSR"),
    "TTV": ("C(i,j) = A(i,j,k) * x(k)", {"A": "CSF"}, "DCSR"),
    "MTTKRP": ("C(i,r) = A(i,j,k) * D(j,r) * E(k,r)", {"A": "CSF"}, None),
}
COUNTS = {
    "SpMV": (1287, 12), "SpMSpV": (2373, 12), "SpMM": (84561, 36), "SDDMM": (84561, 12), "TTV": (300137, 18),
    "MTTKRP": (30348683, 65),
}  # fmt: skip


@cache
def program(name: str) -> Program:
    expression, formats, out = KERNELS[name]
    request = make_request(expression, formats, out=out)
    return request.program


@cache
def ranked(name: str) -> list[Template]:
    """The templates of a kernel in their order."""
    return rank(program(name))


@pytest.mark.parametrize("name", KERNELS)
def test_heuristics_leave_a_small_part_of_the_space(name: str) -> None:
    assert (size(program(name)), len(ranked(name))) == COUNTS[name]


def test_the_docs_tell_these_numbers() -> None:
    text = (Path(gn.__file__).parent / "docs" / "scheduling.md").read_text()
    for before, after in COUNTS.values():
        assert f"| {after} | {before:,} |" in text


@pytest.mark.parametrize("name", KERNELS)
def test_every_template_is_legal_and_distinct(name: str) -> None:
    found = program(name)
    every = ranked(name)
    assert len({str(template) for template in every}) == len(every)
    for template in every:
        apply_schedule(found, template.schedule(dict.fromkeys(template.purposes, 3)))


def test_of_many_templates_the_first_ones_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    request = make_request("A(l,m,n) = B(i,j,k) * C(i,l) * D(j,m) * E(k,n)", {"B": "CSF"})
    monkeypatch.setattr(ranking, "MOST", 30)
    assert len(rank(request.program)) == 30


@pytest.mark.parametrize("name", KERNELS)
def test_only_the_outermost_loop_runs_on_threads_and_splits_do_something(name: str) -> None:
    found = program(name)
    for template in ranked(name):
        loops = apply_schedule(found, template.schedule()).statement
        tagged = {c.args[0] for c in template.commands if c.name == "parallelize"}
        threads = {c.args[0] for c in template.commands if c.args[1:2] == ("CPUThread",)}
        assert threads <= {loops.index}  # type: ignore[union-attr]
        order = next((c.args for c in template.commands if c.name == "reorder"), None)
        for command in template.commands:
            if command.name == "split" and order is None:
                assert set(command.args[1:3]) & tagged


def test_the_most_promising_templates() -> None:
    tiles = "split(j,j0,j1,*),reorder(i,j0,k,j1),parallelize(i,CPUThread,NoRaces),parallelize(j1,CPUVector,NoRaces)"
    assert str(ranked("SpMM")[0]) == tiles
    assert str(ranked("SpMV")[0]) == "parallelize(i,CPUThread,NoRaces)"
    nonzeros = "collapse(i,j,f),pos(f,p,A(i,j)),split(p,p0,p1,*),parallelize(p0,CPUThread,Atomics)"
    assert nonzeros in map(str, ranked("SpMV"))


@given(programs(PLAIN))
@settings(max_examples=settings().max_examples // 8)
def test_every_program_has_a_template(drawn: Problem) -> None:
    assert rank(drawn.ready.lowered)


def test_the_loops_as_they_are_are_a_template_of_blocks_that_are_appended() -> None:
    request = make_request(
        "R(i,j) = A(i,j)", {"A": "dense,dense,dense; (i,j)->(i//2,j,i%2)"}, out="CSR", convert="auto"
    )
    assert "" in map(str, rank(request.program))


def test_a_split_may_have_a_copy_of_a_mask_between_its_loops() -> None:
    formats = {"A": "CSR", "B": "CSC", "M": "CSR"}
    request = make_request("C(i,j)<$M(i,j)> = A(i,k) * B(k,j)", formats, out="CSR")
    assert "split(j,j0,j1,32)" not in map(str, rank(request.program))


@given(st.data())
@settings(max_examples=settings().max_examples // 8)
def test_schedules_of_random_problems_compute_what_they_mean(data: st.DataObject) -> None:
    drawn: Problem = data.draw(programs(PLAIN))
    template = data.draw(st.sampled_from(rank(drawn.ready.lowered)))
    schedule = template.schedule({inner: data.draw(st.integers(1, 3)) for inner in template.purposes})
    problem = replace(drawn, schedule=schedule)
    case = generate_case(problem, "k_")
    with TemporaryDirectory() as folder:
        check_case(case, build_library([case], Path(folder), chosen_compiler()))


def test_auto_is_a_schedule() -> None:
    matrix = gn.tensor(np.nonzero(np.eye(40)), np.arange(40.0), (40, 40), "CSR")
    kernel = gn.compile("y(i) = A(i,j) * x(j)", A="CSR", schedule="auto")
    assert str(kernel.request.schedule) == "parallelize(i,CPUThread,NoRaces)"
    for engine in ("reference", "c"):
        found = gn.evaluate("y(i) = A(i,j) * x(j)", A=matrix, x=np.ones(40), schedule="auto", engine=engine)
        assert found.to_numpy().tolist() == list(range(40))
    gn.check("a = x(i) * x(i)", x=np.arange(5.0), schedule="auto")
    gn.check("a = 2 * b", b=3.0, schedule="auto")
