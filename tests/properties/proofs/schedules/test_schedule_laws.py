"""Laws of commands: operands without which nothing is done, reductions that move, workspaces that are their part."""

from __future__ import annotations

import re
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.proofs.schedules.schedule_laws import absent, carrier_of, distributes, idle, in_any_order
from gnomon.properties.proofs.verdict import Bounded, Proved, Refuted, Unknown
from gnomon.reference.algebra.operators import SUB
from gnomon.reference.schedule.flags import fillings
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.statement.statement import Assign, Program, assignments, reads
from msgspec.structs import replace

COORDS = [[0, 0, 1], [0, 1, 1]]


def program(source: str, *, schedule: str | None = None, fill: float = 0, out: Any = None, **settings: Any) -> Program:
    """The program of an expression on sparse matrices A and B and a dense vector x, as far as it reads them."""
    ring = settings.get("semiring")
    matrix = gn.tensor(COORDS, [1.0, 2.0, 3.0], (2, 2), "CSR", fill=fill)
    known = {"A": matrix, "B": matrix, "x": np.ones(2)}
    operands = {name: value for name, value in known.items() if re.search(rf"\b{name}\(", source)}
    return prepare(source, operands, schedule=schedule, out=out, semiring=ring).program


def without(p: Program, tensor: str) -> Any:
    """The verdict on doing nothing where an operand has no component."""
    return idle(p, p.statement, frozenset(a for a in reads(p.statement) if a.tensor == tensor))


@pytest.mark.parametrize(
    ("source", "settings"),
    [
        ("C(i,j) = A(i,j) * B(i,j)", {}),
        ("y(i) = A(i,j) * x(j)", {}),
        ("C(i,j) = A(i,j) / B(i,j)", {}),
        ("C(i,j) = sin(A(i,j))", {}),
        ("C(i,j) = abs(A(i,j) * 3)", {}),
        ("C(i,j) = A(i,k) * B(k,j)", {"out": "CSR"}),
        ("C(i,j) = A(i,j) * B(i,j)", {"semiring": "min_plus", "fill": np.inf}),
        ("C(i,j)<A(i,j)> = B(i,j)", {}),
        ("y(i) max= A(i,j)", {"fill": -np.inf}),
    ],
)
def test_nothing_is_done_where_a_factor_is_missing(source: str, settings: dict[str, Any]) -> None:
    assert without(program(source, **settings), "A") == Proved()


@pytest.mark.parametrize(
    ("source", "settings"),
    [
        ("C(i,j) = A(i,j) + B(i,j)", {}),
        ("C(i,j) = A(i,j) - B(i,j)", {}),
        ("C(i,j) = A(i,j) * B(i,j) + B(i,j)", {}),
        ("C(i,j) = cos(A(i,j))", {}),
        ("C(i,j) = A(i,j) * B(i,j)", {"fill": 1.0}),
        ("C(i,j) = A(i,j) + B(i,j)", {"semiring": "min_plus", "fill": np.inf}),
        ("C(i,j)<!A(i,j)> = B(i,j)", {}),
        ("C(i,j) any= B(i,j) + A(i,j)", {}),
        ("y(i) max= A(i,j)", {}),
    ],
)
def test_something_is_done_where_an_addend_is_missing(source: str, settings: dict[str, Any]) -> None:
    assert isinstance(without(program(source, **settings), "A"), Refuted)


def test_the_numbers_of_a_counterexample_are_one() -> None:
    verdict = without(program("C(i,j) = A(i,j) - B(i,j)"), "A")
    assert isinstance(verdict, Refuted)
    assert 0 - int(dict(verdict.counterexample)["B(i,j)"]) != 0


@pytest.mark.parametrize(
    ("source", "holds"),
    [
        ("y(i) = sum(j, A(i,j)) / 2", True),
        ("y(i) = x(i) + sum(j, A(i,j))", False),
        ("y(i) = sqrt(sum(j, A(i,j)))", False),
        ("y(i) = abs(sum(j, A(i,j)))", False),
        ("y(i) = max(sum(j, A(i,j)), x(i))", False),
        ("y(i) = -sum(j, A(i,j))", True),
        ("C(i,j) = A(i,k) * B(k,j)", True),
    ],
)
def test_what_distributes_over_a_sum(source: str, holds: bool) -> None:
    p = program(source, out="CSR" if source.startswith("C") else None)
    ((s, _),) = fillings(p.statement)
    verdict = distributes(p, s)
    assert isinstance(verdict, Proved if holds else Refuted), verdict


def test_precompute_moves_a_sum_out_of_what_distributes() -> None:
    p = program("C(i,j) = A(i,k) * B(k,j)", schedule="precompute(A(i,k)*B(k,j),{j},{jw},t)")
    ((s, _),) = fillings(p.statement)
    assert distributes(p, s) == Proved()


@pytest.mark.parametrize("source", ["C(i,j) = A(i,j) * B(i,j)", "C(i,j) = A(i,j) + B(i,j)", "C(i,j) = cos(A(i,j))"])
def test_a_workspace_reads_as_its_part(source: str) -> None:
    part = source.partition("= ")[2].replace(" ", "")
    p = program(source, schedule=f"precompute({part},{{j}},{{jw}},t)")
    ((s, _),) = fillings(p.statement)
    assert absent(p, s) == Proved()


def test_a_workspace_that_is_something_else_where_it_is_empty_is_refuted() -> None:
    p = program("C(i,j) = A(i,j) + B(i,j)", schedule="precompute(A(i,j),{j},{jw},t)")
    ((s, _),) = fillings(p.statement)
    wrong = replace(p, tensors=tuple((n, replace(d, fill=7.0) if n == "t" else d) for n, d in p.tensors))
    assert absent(p, s) == Proved() and isinstance(absent(wrong, s), Refuted)


def test_reductions_are_combined_in_any_order() -> None:
    p = program("y(i) = A(i,j) * x(j)")
    (leaf,) = assignments(p.statement)
    assert in_any_order(p, leaf) == Proved()
    assert isinstance(in_any_order(p, Assign(leaf.target, leaf.value, SUB)), Refuted)


def test_other_numbers_are_not_known() -> None:
    mixed = prepare("C(i,j) = A(i,j) * M(i,j)", {"A": np.ones((2, 2)), "M": np.ones((2, 2), bool)}).program
    assert carrier_of(mixed, {"A", "M"}) is None
    assert isinstance(without(mixed, "A"), Unknown)
    z = np.ones(2, complex)
    p = prepare("a = z(i) * z(i)", {"z": z}).program
    (leaf,) = assignments(p.statement)
    assert isinstance(in_any_order(p, leaf), Bounded)
