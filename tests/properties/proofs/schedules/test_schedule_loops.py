"""Loops: races and disorder are found where they are, and not where they are not, as running shows on full operands."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.proofs.schedules import schedule_visits
from gnomon.properties.proofs.schedules.schedule_loops import (
    disorder,
    never,
    outliving_assignments,
    parallel_loops,
    race,
    two_components,
)
from gnomon.properties.proofs.schedules.schedule_visits import places_of
from gnomon.properties.proofs.solver import Found, Nothing
from gnomon.properties.proofs.verdict import Proved, Refuted
from gnomon.reference.execution.interpreter import interpret
from gnomon.reference.execution.trace import Trace
from gnomon.reference.schedule import commands
from gnomon.reference.schedule.application import apply_schedule_unchecked
from gnomon.reference.schedule.preparation import Prepared, prepare
from gnomon.reference.statement.relation import recover_derived
from gnomon.reference.statement.statement import indices

FULL = np.arange(1.0, 21.0).reshape(5, 4)
TRANSFORMED = [
    "",
    "split(i,i0,i1,2)",
    "split(i,i0,i1,2),reorder(i1,i0)",
    "split(j,j0,j1,2)",
    "divide(i,i0,i1,3),split(j,j0,j1,3)",
    "collapse(i,j,f)",
    "collapse(i,j,f),split(f,f0,f1,3)",
    "collapse(i,j,f),pos(f,p,A(i,j)),split(p,p0,p1,2)",
    "pos(i,p,A(i,j)),split(p,p0,p1,2)",
    "pos(j,p,A(i,j)),split(p,p0,p1,2)",
    "bound(i,b,5,max_exact),split(b,b0,b1,2)",
]


def ready(schedule: str, source: str = "y(i) = A(i,j) * x(j)", out: str | None = None, format: str = "CSR") -> Prepared:
    """A program on a full matrix, by a schedule that nothing has checked."""
    operands = {"A": gn.from_numpy(FULL, format), "x": np.ones(4)}
    used = {name: value for name, value in operands.items() if f"{name}(" in source}
    return prepare(source, used, out=out, schedule=schedule, applied=apply_schedule_unchecked)


def writes(problem: Prepared, variable: str) -> bool:
    """Whether two iterations of a loop write one component when the program runs."""
    trace = Trace(visits=Counter(), path=[])
    interpret(problem.program, problem.operands, trace=trace)
    loops = list(indices(problem.program.statement))
    writers: dict[tuple[int, ...], set[int]] = defaultdict(set)
    assert trace.path is not None
    for point in trace.path:
        around = [point[v] for v in loops[: loops.index(variable)]]
        writers[(point["i"], *around)].add(point[variable])
    return any(len(values) > 1 for values in writers.values())


@pytest.mark.parametrize("schedule", TRANSFORMED)
def test_races_are_found_where_running_shows_them(schedule: str) -> None:
    plain = ready(schedule)
    for variable in indices(plain.program.statement):
        parallel = ",".join([*([schedule] if schedule else []), f"parallelize({variable},CPUThread,NoRaces)"])
        program = ready(parallel).program
        (loop,) = parallel_loops(program, program.statement)
        (place,) = outliving_assignments(program, loop)
        assert isinstance(race(program, loop, place), Found) == writes(plain, variable), variable


def is_sorted(problem: Prepared) -> bool:
    """Whether a program visits the coordinates of its result in order."""
    trace = Trace(visits=Counter())
    try:
        interpret(problem.program, problem.operands, trace=trace)
    except Exception:
        return False
    return True


@pytest.mark.parametrize(
    "schedule", [*TRANSFORMED[:4], *TRANSFORMED[5:], "reorder(j,i)", "divide(j,j0,j1,2),reorder(j1,j0)"]
)
def test_disorder_is_found_where_running_shows_it(schedule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of results that nothing takes through a workspace."""
    monkeypatch.setattr(commands, "stage", lambda program: program)
    problem = ready(schedule, "C(i,j) = A(i,j) * 2", "CSR", "RowMajor")
    (place,) = places_of(problem.program, problem.program.statement)
    assert isinstance(disorder(problem.program, place), Nothing) == is_sorted(problem)


def test_what_a_workspace_holds_is_each_iterations_own() -> None:
    operands = {"A": gn.from_numpy(FULL, "CSR"), "B": gn.from_numpy(FULL.T.copy(), "CSR")}
    for variable, written in (("i", []), ("k", ["w"])):
        schedule = f"parallelize({variable},CPUThread,NoRaces)"
        program = prepare(
            "C(i,j) = A(i,k) * B(k,j)", operands, out="CSR", schedule=schedule, applied=apply_schedule_unchecked
        ).program
        (loop,) = parallel_loops(program, program.statement)
        racing = [p for p in outliving_assignments(program, loop) if isinstance(race(program, loop, p), Found)]
        assert [p.leaf.target.tensor for p in racing] == written


@pytest.mark.parametrize(
    ("schedule", "wide"),
    [("parallelize(j,CPUThread,Temporary)", False), ("collapse(i,j,f),parallelize(f,CPUThread,Temporary)", True)],
)
def test_a_loop_that_counts_through_the_result_needs_more_than_one_component(schedule: str, wide: bool) -> None:
    program = ready(schedule).program
    (loop,) = parallel_loops(program, program.statement)
    (place,) = outliving_assignments(program, loop)
    assert isinstance(two_components(program, loop, place), Found) is wide


def test_a_wrong_recovery_makes_races(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tiles of rows do not meet, unless every value is in two of them."""
    program = ready("split(i,i0,i1,2),parallelize(i0,CPUThread,NoRaces)").program
    (loop,) = parallel_loops(program, program.statement)
    (place,) = outliving_assignments(program, loop)
    assert never([race(program, loop, place)]) == Proved()

    def wrong(relation: Any, variable: str, values: Any, space: Any) -> Any:
        return space.visit.run.integer(f"any{space.visit.mark}") if variable == "i0" else recover_derived(
            relation, variable, values, space
        )  # fmt: skip

    monkeypatch.setattr(schedule_visits, "recover_derived", wrong)
    assert isinstance(never([race(program, loop, place)]), Refuted)
