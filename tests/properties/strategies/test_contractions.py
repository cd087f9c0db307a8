"""Contractions: what is drawn, and that it means the same by any structure of its space."""

from __future__ import annotations

from collections import Counter

from gnomon.properties.differential.batch import has_meaning
from gnomon.properties.differential.check import agree
from gnomon.properties.programs.features import EVERYTHING, Features
from gnomon.properties.programs.problem import Problem
from gnomon.properties.strategies import contractions
from hypothesis import Phase, given, settings

SMALL = Features(orders=(1, 2), semirings=(), schedules=False, specials=False, many=False)


@given(contractions(EVERYTHING))
def test_structures_compute_what_the_product_means(problem: Problem) -> None:
    if has_meaning(problem):
        agree(problem.execution, problem.execution.result)


def test_many_branch_and_some_several_times() -> None:
    found: Counter[int] = Counter()

    @settings(max_examples=40, phases=[Phase.generate], derandomize=True, database=None)
    @given(contractions(SMALL))
    def draw(problem: Problem) -> None:
        found[sum(command.name == "loopfuse" for command in problem.schedule.commands)] += 1

    draw()
    assert found[0] and found[1] and sum(found[n] for n in found if n > 1)
