"""Workspaces of inputs unasked: what is copied, when that pays, and that it means the same."""

from __future__ import annotations

from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.runtime.request import make_request
from gnomon.properties.differential.check import check
from gnomon.reference.schedule.branched.choice import Choice
from gnomon.reference.schedule.branched.inputs import choose_inputs
from gnomon.reference.schedule.branched.unasked import unasked_schedules
from gnomon.reference.schedule.settings import Modes
from gnomon.reference.statement.statement import Program
from scattered import spread

VECTOR = "y(i) = A(i,j) * x(j)"
DOT = "C(i,j) = A(i,k) * B(j,k)"


def lowered(expression: str, formats: dict[str, Any], **settings: Any) -> Program:
    """The statement of an expression."""
    request = make_request(expression, formats, **settings)
    return request.program


def found(program: Program) -> Choice:
    """The choice of a program that has one."""
    made = choose_inputs(program, Modes.NESTED)
    assert made is not None
    return made


@pytest.mark.parametrize(
    ("expression", "formats", "settings", "copies"),
    [
        (
            VECTOR,
            {"A": "CSR", "x": "SparseVector"},
            {},
            ["precompute(x(j),{j},{j},x_),hoist(x_)"],
        ),
        (VECTOR, {"A": "DCSR", "x": "hashed(width=4)"}, {"semiring": "min_plus"}, []),
        (
            DOT,
            {"A": "CSR", "B": "CSR"},
            {"out": "CSR"},
            ["convert(B(j,k),{k,j})", "precompute(A(i,k),{k},{k},A_),hoist(A_)"],
        ),
        (
            DOT,
            {"A": "CSR", "B": "DCSR"},
            {"out": "CSR"},
            ["convert(B(j,k),{k,j})", "precompute(A(i,k),{k},{k},A_),hoist(A_)"],
        ),
        (
            "C(i,j)<$M(i,j)> = A(i,k) * B(k,j)",
            {"A": "CSR", "B": "CSC", "M": "CSR"},
            {"out": "CSR", "semiring": "plus_pair"},
            ["convert(B(k,j),{k,j})", "precompute(A(i,k),{k},{k},A_),hoist(A_)"],
        ),
        (
            "C(i,j) = T(i,j,k) * x(k)",
            {"T": "CSF", "x": "SparseVector"},
            {"out": "DCSR"},
            ["precompute(x(k),{k},{k},x_),hoist(x_)"],
        ),
    ],
)
def test_what_is_merged_again_may_be_copied(
    expression: str, formats: dict[str, Any], settings: dict[str, Any], copies: list[str]
) -> None:
    program = lowered(expression, formats, **settings)
    made = choose_inputs(program, Modes.NESTED)
    if not copies:
        assert made is None
        return
    assert made is not None
    *copying, plain = made.finalists
    assert [str(each.schedule) for each in copying] == copies
    assert (str(plain.schedule), plain.structure) == ("", "merge")


@pytest.mark.parametrize(
    ("expression", "formats", "settings"),
    [
        ("C(i,j) = A(i,j) * B(i,j)", {"A": "CSR", "B": "CSR"}, {}),
        ("C(i,j) = A(i,k) * B(k,j)", {"A": "CSR", "B": "CSR"}, {"out": "CSR"}),
        (VECTOR, {"A": "CSR", "x": "bitmap"}, {}),
        (VECTOR, {"A": "BCSR(2,2)", "x": "SparseVector"}, {}),
        ("y(i) = A(i,j) + x(j)", {"A": "CSR", "x": "SparseVector"}, {}),
        ("y(i) = sum(j, A(i,j) * x(j)) + sum(j, B(i,j) * x(j))", {"A": "CSR", "B": "CSR", "x": "SparseVector"}, {}),
    ],
)
def test_nothing_is_copied_that_is_merged_once_or_all_the_same(
    expression: str, formats: dict[str, Any], settings: dict[str, Any]
) -> None:
    assert choose_inputs(lowered(expression, formats, **settings), None) is None


def test_work_counts_steps_of_the_merge_and_what_is_copied() -> None:
    copying, plain = found(lowered(VECTOR, {"A": "CSR", "x": "SparseVector"})).finalists
    sizes = {"I": 10, "nnz(A(i))": 10, "nnz(A(i,j))": 40, "nnz(x(j))": 7}
    assert (copying.work.evaluate(sizes), plain.work.evaluate(sizes)) == (10 + 40 + 2 * 7, 10 + 40 + 10 * 7)
    dot = found(lowered(DOT, {"A": "CSR", "B": "CSR"}))
    sizes = {"I": 10, "J": 20, "K": 8, "nnz(A(i))": 10, "nnz(A(i,k))": 30, "nnz(B(j))": 20, "nnz(B(j,k))": 80}
    works = [100_000 + 20 * 80 + 30 * 80 / 8, 200 * (1 + 4) + 2 * 30, 200 * (1 + 3 + 4)]
    assert [each.work.evaluate(sizes) for each in dot.finalists] == works


@pytest.mark.parametrize("stored", [0, 5])
def test_loops_through_next_to_nothing_count(stored: int) -> None:
    """Each pair of a row and a column begins one, though there is less than one step in it on average."""
    a, b = (gn.tensor([range(n), [0] * n], np.ones(n), (1000, 1000), f) for n, f in ((1000, "CSR"), (stored, "CSC")))
    choice = found(lowered("C(i,j) = A(i,k) * B(k,j)", {"A": "CSR", "B": "CSC"}))
    assert choice.at({"A": a, "B": b}).structure == "convert B"


def test_copies_leave_workspaces_as_wide_as_they_are() -> None:
    """What is admitted of a product goes to a workspace for all of it, with a copy of B or without."""
    choice = found(lowered("C(i,j)<$D(i,j)> = A(k,i) * B(k,j)", dict.fromkeys("ABD", "CSR"), out="CSR"))
    copied = next(each for each in choice.finalists if each.structure == "copy B")
    assert "100·nnz(A(k,i))·nnz(B(k,j))/K" in str(copied.work)
    operands = {name: spread((600, 600), 3000 + n, "CSR") for n, name in enumerate("ABD")}
    assert choice.at(operands).structure == "convert A"


def test_sizes_decide() -> None:
    made = found(lowered(VECTOR, {"A": "CSR", "x": "SparseVector"}))
    x = spread((50,), 20, "SparseVector")
    chosen = [made.at({"A": spread((rows, 50), 3 * rows, "CSR"), "x": x}).structure for rows in (1, 40)]
    assert chosen == ["merge", "copy x"]


def test_a_call_follows_the_choice() -> None:
    kernel = gn.compile(VECTOR, A="CSR", x="SparseVector")
    x = spread((50,), 20, "SparseVector")
    for rows, commands in ((1, "parallelize"), (40, "precompute")):
        a = spread((rows, 50), 3 * rows, "CSR")
        assert str(kernel.choose(A=a, x=x).request.schedule).startswith(commands)
        assert kernel(A=a, x=x).to_numpy() == pytest.approx(a.to_numpy() @ x.to_numpy())


def test_nothing_is_copied_whose_coordinates_a_schedule_cannot_count() -> None:
    columns, wide = np.arange(0, 9000, 3) + 2**62, gn.spec("CSR", index="int64")
    rows = np.repeat(np.arange(40), len(columns))
    a = gn.tensor([rows, np.tile(columns, 40)], np.ones(len(rows)), (40, 2**62 + 9000), wide)
    x = gn.tensor([columns[::2]], np.ones(1500), a.shape[1:], gn.spec("SparseVector", index="int64"))
    kernel = gn.compile(VECTOR, A=wide, x=gn.spec("SparseVector", index="int64"))
    assert kernel(A=a, x=x).to_numpy().tolist() == [1500.0] * 40
    assert "hoist" in str(kernel.request.schedule)
    assert "hoist" not in str(kernel.choose(A=a, x=x).request.schedule)


@pytest.mark.parametrize("ring", [None, "min_plus", "any_first", "plus_pair", "max_second"])
def test_copies_mean_the_same(ring: str | None) -> None:
    operands = {"A": spread((6, 5), 12, "CSR"), "B": spread((4, 5), 9, "CSR"), "M": spread((6, 4), 10, "DCSR")}
    masked = "C(i,j)<!M(i,j)> = A(i,k) * B(j,k)"
    settings: dict[str, Any] = {"out": "CSR", "semiring": ring}
    schedules = unasked_schedules(gn.trace(masked, **operands, **settings).program)
    assert any("hoist" in str(each) for each in schedules)
    for schedule in schedules:
        check(masked, operands, out="CSR", semiring=ring, schedule=schedule)


def test_integers_are_copied_too() -> None:
    a = gn.tensor([[0, 1, 1, 3], [0, 0, 2, 1]], [1, 2, 3, 4], (4, 3), "CSR")
    x = gn.tensor([[0, 2]], [5, 6], (3,), "SparseVector")
    assert found(gn.trace(VECTOR, A=a, x=x).program).finalists
    check(VECTOR, {"A": a, "x": x}, schedule="auto")
