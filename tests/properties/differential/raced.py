"""Random kernels on threads under ThreadSanitizer; run in a process with its library loaded.

They are followed by updates without their atomicity: what the sanitizer must find.
"""

import dataclasses
import os
import re
import sys
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from gnomon.generator.runtime.request import chosen_compiler
from gnomon.properties.differential.batch import Case, cases, run_all
from gnomon.properties.programs.problem import Problem
from gnomon.properties.strategies import PLAIN, programs
from gnomon.properties.strategies.schedules import KINDS, run_in_parallel, schedules
from gnomon.reference.files.operands import as_tensor
from gnomon.reference.files.scipy_arrays import from_scipy
from gnomon.reference.schedule.command import Command
from gnomon.reference.schedule.schedule import Schedule, as_schedule
from gnomon.reference.statement.statement import Program
from gnomon.reference.storage.named_formats import dense, format_of
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

TEAM = Path(__file__).with_name("team.c")
LOOPS = replace(PLAIN, orders=(1, 2, 3), empties=False)
TILES = tuple(kind for kind in KINDS if kind != "parallelize")
FLAGS = ("-std=gnu11", "-O1", "-g", "-w", "-fsanitize=thread", str(TEAM))


@st.composite
def on_threads(draw: st.DrawFn) -> Problem:
    """A problem, often with a dense result, which threads fill side by side, and a schedule for threads."""
    problem = draw(programs(LOOPS))
    if draw(st.integers(0, 2)):
        problem = dataclasses.replace(problem, out=dense(problem.out.order))
    kept, _ = run_in_parallel(draw, *tiled(draw, problem.ready.program), ("CPUThread",))
    return dataclasses.replace(problem, schedule=Schedule(tuple(kept)))


def tiled(draw: st.DrawFn, program: Program) -> tuple[list[Command], Program]:
    """A random schedule, to be followed by a loop on threads."""
    made = draw(schedules(program, kinds=TILES))
    return list(made.schedule.commands), made.program


def chosen_ones() -> list[Problem]:
    """Products of a matrix and a vector in which threads meet at one component, by every strategy."""
    rng = np.random.default_rng(0)
    a, x = sp.random_array((30, 20), density=0.3, rng=rng), rng.random(20)
    found = []
    for format, schedule in [
        ("CSR", "collapse(i,j,f),pos(f,p,A(i,j)),split(p,p0,p1,3),parallelize(p0,CPUThread,Atomics)"),
        ("CSC", "parallelize(j,CPUThread,Atomics)"),
        ("CSC", "parallelize(j,CPUThread,Temporary)"),
        ("CSC", "split(j,j0,j1,3),parallelize(j0,CPUThread,ParallelReduction)"),
        ("CSR", "parallelize(j,CPUThread,Atomics)"),
        ("CSR", "precompute(A(i,j)*x(j),{j},{jw},w),parallelize(i,CPUThread,NoRaces)"),
    ]:
        operands = {"A": from_scipy(a).convert(format), "x": as_tensor("x", x)}
        found.append(Problem("y(i) = A(i,j) * x(j)", operands, dense(1), None, as_schedule(schedule)))
    rows = as_schedule("split(i,i0,i1,4),parallelize(i0,CPUThread,NoRaces)")
    for format in ("CSR", "DCSR", "COO"):
        pair = {name: from_scipy(a).convert(format) for name in ("A", "B")}
        found.append(Problem("C(i,j) = A(i,j) + B(i,j)", pair, format_of(format, 2), None, rows))
    square = {name: from_scipy(sp.random_array((20, 20), density=0.2, rng=rng)).convert("CSR") for name in ("A", "B")}
    found.append(Problem("C(i,j) = A(i,k) * B(k,j)", square, format_of("CSR"), None, rows))
    return found


def drawn(count: int) -> list[Problem]:
    """Problems with schedules for threads."""
    found: list[Problem] = []

    @settings(
        max_examples=count, database=None, derandomize=True, phases=[Phase.generate], deadline=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(on_threads())
    def collect(each: Problem) -> None:
        found.append(each)

    collect()
    return found


def broken(case: Case) -> Case:
    """A case whose updates are not atomic."""
    return replace(case, text=re.sub("#pragma omp (atomic|critical)", "", case.text))


def main(folder: Path, count: int) -> None:
    os.environ.pop("LD_PRELOAD", None)  # not for the compiler
    every = [case for case in cases([*chosen_ones(), *drawn(count)], []) if "#pragma omp parallel" in case.text]
    for some in (every, [broken(case) for case in every[:3]]):
        print(f"{run_all(some, folder, chosen_compiler(), FLAGS)} kernels ran", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
