"""The search: what each stage leaves, and under which rule."""

from __future__ import annotations

import pytest
from gnomon.properties.proofs.schedules.dominances import is_nonnegative_by_solver
from gnomon.properties.sparseauto.kernels import KERNELS
from gnomon.reference.errors import ScheduleError
from gnomon.reference.schedule.branched.constraints import parse_constraints
from gnomon.reference.schedule.branched.cost import cost_of
from gnomon.reference.schedule.branched.dominance import Removal, Rule
from gnomon.reference.schedule.branched.search import compare, group, search

from .kernels import schedules_of


def test_each_stage_keeps_some_of_what_the_one_before_left() -> None:
    kernel = KERNELS[8]
    found = search(kernel.contraction)
    left = compare(found, parse_constraints(kernel.constraints, kernel.contraction)).left
    assert [str(each) for each in (found.small, found.shallow, left)] == ["5163 (801)", "5 (2)", "2 (1)"]
    assert set(left.groups) < set(found.shallow.groups) < set(found.small.groups)
    assert min(each.seconds for each in (found.small, found.shallow, left)) > 0


def test_smaller_temporaries_leave_less() -> None:
    assert search(KERNELS[1].contraction, memory_depth=1).small.structures < 1484


def test_without_constraints_less_is_dominated() -> None:
    found = search(KERNELS[8].contraction)
    assert str(compare(found).left) == "5 (2)"
    stated = parse_constraints(KERNELS[8].constraints, found.contraction)
    authors = compare(found, stated, Rule.DENSE, Removal.SOMEWHERE)
    assert str(authors.left) == "2 (1)" and len(authors.pruned.dominated) == 1


@pytest.mark.parametrize("stated", ["K <= 3, 5 <= K", "I <= K, 2*I >= K + J, J >= 3*K"])
def test_constraints_that_no_sizes_satisfy_are_refused(stated: str) -> None:
    found = search(KERNELS[1].contraction)
    known = parse_constraints(stated, found.contraction)
    with pytest.raises(ScheduleError, match="no sizes satisfy "):
        compare(found, known, prove=is_nonnegative_by_solver)


def test_groups_have_one_cost_each() -> None:
    every = schedules_of(4)
    groups = group(every)
    assert tuple(each for own in groups for each in own.schedules) != every and len(groups) == 34
    assert all(cost_of(each) == own.cost for own in groups for each in own.schedules)
