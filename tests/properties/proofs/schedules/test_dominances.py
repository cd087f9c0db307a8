"""Dominances: what the search for branched schedules removes is proved, and nothing else would be."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from gnomon.cli import commands
from gnomon.properties.proofs.prover import prove
from gnomon.properties.proofs.schedules.dominances import (
    are_nonnegative,
    is_at_most,
    is_nonnegative_by_solver,
    obligations_of,
)
from gnomon.properties.proofs.verdict import Proved, Refuted
from gnomon.properties.sparseauto.kernels import KERNELS
from gnomon.reference.schedule.branched.constraints import Constraint
from gnomon.reference.schedule.branched.dominance import Symbolic, is_nonnegative
from gnomon.reference.schedule.branched.polynomial import constant, variable

FIRST, SECOND = variable("I"), variable("J")
POSITIVE = tuple(Constraint(constant(1), each) for each in (FIRST, SECOND))


@pytest.mark.parametrize(("row", "count"), [(1, 0), (5, 28), (8, 1)])
def test_every_removal_is_proved(row: int, count: int) -> None:
    kernel = KERNELS[row]
    found = obligations_of(kernel.expression, {"B": kernel.sparse}, kernel.constraints)
    assert len(found) == count
    assert prove(found).is_proved


def test_what_is_less_somewhere_is_refuted_with_sizes() -> None:
    one, other = Symbolic(FIRST * FIRST, constant(0)), Symbolic(constant(4) * FIRST, constant(0))
    verdict = is_at_most(one, other, POSITIVE)
    assert isinstance(verdict, Refuted) and dict(verdict.counterexample).keys() == {"I", "J"}
    assert is_at_most(other, one, (*POSITIVE, Constraint(constant(4), FIRST))) == Proved()
    assert is_at_most(Symbolic(FIRST, SECOND), Symbolic(FIRST, constant(0)), POSITIVE) != Proved()


def test_what_signs_leave_open_the_solver_decides() -> None:
    square = FIRST * FIRST - constant(2) * FIRST * SECOND + SECOND * SECOND
    assert not is_nonnegative(square, POSITIVE) and is_nonnegative_by_solver(square, POSITIVE)
    assert not is_nonnegative_by_solver(square - constant(1), POSITIVE)
    assert are_nonnegative([square, FIRST - constant(1)], POSITIVE) == Proved()


def test_the_command_shows_them() -> None:
    words = ["prove", KERNELS[8].expression, "-f", f"B={KERNELS[8].sparse}", "--branched"]
    done = CliRunner().invoke(commands, [*words, "--constraints", KERNELS[8].constraints, "--json", "--workers", "1"])
    (shown,) = json.loads(done.stdout)["obligations"]
    assert shown["status"] == "proved" and "is nowhere less than" in shown["statement"]


@pytest.mark.parametrize(
    "words",
    [
        ["prove", "--branched"],
        ["prove", "y(i) = A(i,j) * x(j)", "--branched", "-s", "split(i,i0,i1,2)"],
        ["prove", "y(i) = A(i,j) * x(j)", "--constraints", "I <= J"],
        ["schedule", "y(i) = A(i,j) * x(j)", "--constraints", "I <= J"],
        ["schedule", "y(i) = A(i,j) * x(j)", "--report"],
    ],
)
def test_what_does_not_go_together_is_refused(words: list[str]) -> None:
    assert CliRunner().invoke(commands, words).exit_code == 2
