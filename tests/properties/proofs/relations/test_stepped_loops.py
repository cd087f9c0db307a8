"""Loops by steps are proved to reach every point once, and wrong steps are refuted."""

from __future__ import annotations

from typing import Any

import pytest
from gnomon.properties.proofs.relations import stepped_loops
from gnomon.properties.proofs.relations.relation_chains import Chain, for_any
from gnomon.properties.proofs.relations.stepped_loops import (
    SteppedWalk,
    is_reached_by_steps,
    is_reached_once_by_steps,
    prove_stepped,
    stepped_variables,
    stepping_chains,
)
from gnomon.properties.proofs.relations.walked import Walk
from gnomon.properties.proofs.verdict import Proved, Refuted, Unknown
from gnomon.reference.loops import iteration_space
from gnomon.reference.loops.iteration_space import tile
from gnomon.reference.loops.terms import Range
from msgspec.structs import replace


def chain(schedule: str) -> Chain:
    """The chain of a schedule."""
    length = schedule.count("(") - schedule.count("(i)")
    return next(c for c in stepping_chains(length) if ",".join(map(str, c.commands)) == schedule)


def test_loops_go_by_steps_where_the_inner_part_stands_outside() -> None:
    assert prove_stepped(2) == Proved()
    assert stepped_variables(chain("pos(i,ip,a(i)),split(ip,ip0,ip1,2),reorder(ip1,ip0)").nest) == {"ip"}
    assert isinstance(prove_stepped(1), Unknown)


@pytest.mark.parametrize("schedule", ["split(i,i0,i1,3),reorder(i1,i0)", "divide(i,i0,i1,3),reorder(i1,i0)"])
def test_a_step_that_is_too_large_misses_points(schedule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def too_large(size: Any, outer: Range, inner: Range, extent: Any) -> Range:
        found = tile(size, outer, inner, extent)
        return found if found.step == 1 else replace(found, step=found.step * 2)

    stepped_loops.stepped_variables.cache_clear()
    monkeypatch.setattr(iteration_space, "tile", too_large)
    assert isinstance(for_any(chain(schedule).nest, is_reached_by_steps), Refuted)


@pytest.mark.parametrize(
    ("schedule", "left_out"),
    [
        ("split(i,i0,i1,3),reorder(i1,i0)", "lies_in"),
        ("pos(i,ip,a(i)),split(ip,ip0,ip1,2),reorder(ip1,ip0)", "keeps"),
    ],
)
def test_loops_that_do_not_go_by_the_step_have_to_compare(
    schedule: str, left_out: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SteppedWalk, left_out, getattr(Walk, left_out))
    assert isinstance(for_any(chain(schedule).nest, is_reached_once_by_steps), Refuted)
