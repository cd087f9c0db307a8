"""Random schedules: what they begin with is legal, and found before long."""

from __future__ import annotations

from random import Random
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.strategies.schedules import Scheduled, apart, schedules
from gnomon.reference.schedule.command import Command
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.statement.statement import assignments
from hypothesis import Phase, find, settings

SHRUNK = settings(max_examples=500, database=None, derandomize=True, deadline=None)
QUICK = settings(SHRUNK, phases=[Phase.generate], max_examples=80, derandomize=False)
SEED = 3
"""From which what is looked for is found soon; where strategies change, another is."""
SPARSE = gn.tensor([[0, 2]], [1.0, 2.0], (3,), "s")
BLOCKS = gn.tensor([[0, 1, 2], [2, 0, 3]], [1.0, 2.0, 3.0], (4, 4), "BCSR(2,2)")
VECTORS = ("y(i) = x(i) * z(i)", {"x": SPARSE, "z": SPARSE})
MATRIX = ("y(i) = A(i,j) * x(j)", {"A": np.ones((4, 4)), "x": np.ones(4)})
PRODUCT = ("C(i,j) = A(i,k) * B(k,j)", {"A": BLOCKS, "B": np.ones((4, 4))})


def kinds(drawn: Scheduled) -> tuple[str, ...]:
    """The kinds of commands."""
    return tuple(command.name for command in drawn.schedule.commands)


def sizes(drawn: Scheduled) -> list[Any]:
    """The sizes of the tiles."""
    return [command.args[-1] for command in drawn.schedule.commands if command.name == "split"]


def is_crossed(command: Command) -> bool:
    """Whether a command collapses parts of two variables, an inner one outside or an outer one inside."""
    return command.name == "collapse" and {str(v)[-1] for v in command.args[:2]} == {"0", "1"}


@pytest.mark.parametrize(
    ("program", "opening"),
    [
        (MATRIX, ("split", "split", "reorder", "collapse")),
        (PRODUCT, ("collapse", "precompute")),
        (VECTORS, ("pos", "split")),
        (VECTORS, ("pos", "coord", "pos", "split", "precompute")),
    ],
)
def test_schedules_begin_with(program: tuple[str, dict[str, Any]], opening: tuple[str, ...]) -> None:
    drawn = find(
        schedules(prepare(*program).program),
        lambda s: kinds(s)[: len(opening)] == opening,
        settings=QUICK,
        random=Random(SEED),
    )
    assert kinds(drawn)[: len(opening)] == opening


def test_parts_of_two_loops_are_collapsed() -> None:
    drawn = find(
        schedules(prepare(*MATRIX).program),
        lambda s: any(map(is_crossed, s.schedule.commands)),
        settings=QUICK,
        random=Random(SEED),
    )
    assert "reorder" in kinds(drawn)


def test_tiles_are_as_large_as_they_may_be_now_and_then() -> None:
    program = prepare(*MATRIX).program
    assert find(
        schedules(program),
        lambda s: 2**62 in sizes(s),
        settings=settings(QUICK, max_examples=1000),
        random=Random(SEED),
    )
    assert set(sizes(find(schedules(program), lambda s: bool(sizes(s)), settings=SHRUNK))) == {1}


@pytest.mark.parametrize(
    ("text", "dtype", "count"),
    [
        ("x(i) * y(i) * z(i)", "float64", 1),
        ("x(i) * y(i) * z(i)", "int8", 0),
        ("max(max(x(i), y(i)), z(i))", "int8", 1),
    ],
)
def test_integers_are_put_together_otherwise_only_where_they_cannot_overflow(text: str, dtype: str, count: int) -> None:
    operands = {name: gn.tensor([[0]], [1], (2,), "dense", dtype=dtype) for name in "xyz"}
    (leaf,) = assignments(prepare(f"R(i) = {text}", operands).program.statement)
    assert len(apart(leaf.value)) == count
