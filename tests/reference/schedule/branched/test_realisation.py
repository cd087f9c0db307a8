"""Realisation: every structure as commands of ours, which compute the same in the reference and in C."""

from __future__ import annotations

from pathlib import Path

import pytest
from gnomon.generator.runtime.request import chosen_compiler
from gnomon.properties.differential.batch import build_library, check_case, generate_case
from gnomon.properties.programs.problem import Problem
from gnomon.properties.sparseauto.kernels import KERNELS
from gnomon.reference.schedule.branched.graph import structure
from gnomon.reference.schedule.branched.realisation import realise
from gnomon.reference.schedule.schedule import Schedule
from gnomon.reference.schedule.section import branches, peel_loops
from gnomon.reference.statement.staging import dissolve
from gnomon.reference.statement.statement import Statement

from .kernels import problem_of, schedules_of


def shape(s: Statement) -> str:
    """The structure of a statement."""
    loops, end = peel_loops(s)
    inside = [f"({' | '.join(map(shape, branches(end)))})"] if branches(end) else []
    return ",".join([*(loop.index for loop in loops), *inside])


@pytest.mark.parametrize("row", [1, 3, 4, 6, 7, 8])
def test_commands_make_the_structure(row: int) -> None:
    program, contraction = KERNELS[row].program, KERNELS[row].contraction
    every = schedules_of(row)
    for found in every[:: max(1, len(every) // 20)]:
        made = realise(program, contraction, found)
        assert shape(dissolve(made.program).statement) == structure(found.graph)


def test_structures_compute_the_same(tmp_path: Path) -> None:
    cases = []
    for row in (1, 3, 4, 6, 7, 8):
        problem, contraction = problem_of(row, row), KERNELS[row].contraction
        every = schedules_of(row)
        for found in every[3 :: max(1, len(every) // 2)]:
            commands = realise(problem.ready.lowered, contraction, found).commands
            scheduled = Problem(problem.text, problem.operands, problem.out, None, Schedule(commands))
            cases.append(generate_case(scheduled, f"k{len(cases)}_"))
    library = build_library(cases, tmp_path, chosen_compiler())
    for case in cases:
        check_case(case, library)
