"""Flat workspaces: which workspaces get a single mode, which loops read these, and which workspaces stay nested."""

from __future__ import annotations

from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.errors import ScheduleError
from gnomon.reference.levels.accumulator import Accumulator
from gnomon.reference.schedule.application import apply_schedule
from gnomon.reference.schedule.flat import flatten_workspaces
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.schedule.schedule import as_schedule
from gnomon.reference.statement.statement import Program, show
from scattered import spread

STORED = "reorder(i,l,j,k),precompute(A(i,l)*B(l,j,k),{j,k},{jw,kw},v"
BY_ROWS, BY_COLUMNS = "T(i,j,k) = A(i,l) * B(l,j,k)", "T(i,j,k) = A(l,i) * B(l,j,k)"
OPERANDS: dict[str, Any] = {"A": spread((5, 5), 9, "CSR"), "B": spread((5, 5, 5), 60, "CSF")}


def operands_of(expression: str) -> dict[str, Any]:
    """The operands that an expression reads."""
    return {name: each for name, each in OPERANDS.items() if f"{name}(" in expression.partition("=")[2]}


def program(expression: str, schedule: str = "modes=flat", **settings: Any) -> Program:
    """The program of an expression over operands that it reads."""
    return prepare(expression, operands_of(expression), schedule=schedule, **{"out": "CSF", **settings}).program


def test_one_mode_stands_for_all_that_the_reader_goes_over() -> None:
    found = program(BY_ROWS)
    assert show(found.statement).splitlines() == [
        "∀i",
        "  ∀jk",
        "    T(i,j,k) = w(jk)",
        "  where w:",
        "    ∀l",
        "      ∀j",
        "        ∀k",
        "          ∀jk",
        "            w(jk) += A(i,l) * B(l,j,k)",
    ]
    (workspace,) = found.workspaces
    assert workspace.shape == (25,) and workspace.format.levels == (Accumulator(),)
    assert found.formats["w"] == workspace.format


def test_all_of_a_result_has_one_mode() -> None:
    found = program(BY_COLUMNS)
    assert "∀ijk\n  T(i,j,k) = w(ijk)\nwhere w:" in show(found.statement)
    assert [workspace.shape for workspace in found.workspaces] == [(125,)]
    assert found.provenance.is_collapsed("ijk") and found.provenance.originals("ijk") == ("i", "j", "k")


def test_names_that_are_taken_get_an_underscore() -> None:
    operands = {"A": OPERANDS["A"], "jk": OPERANDS["B"]}
    found = prepare("T(i,j,k) = A(i,l) * jk(l,j,k)", operands, out="CSF", schedule="modes=flat").program
    assert "T(i,j,k) = w(jk_)" in show(found.statement)


FORMATS = (
    "CSF",
    "COO",
    "dense,compressed,compressed",
    "compressed,dense,compressed",
    "compressed,compressed,bitmap",
    "CSF(0,2,1)",
)


@pytest.mark.every(2)
@pytest.mark.parametrize("out", FORMATS)
@pytest.mark.parametrize("expression", [BY_ROWS, BY_COLUMNS])
def test_results_are_what_they_are_without(expression: str, out: str) -> None:
    gn.check(expression, out=out, schedule="auto,modes=flat", convert="auto", **OPERANDS)
    plain, flat = (
        gn.evaluate(expression, out=out, engine="c", convert="auto", schedule=f"modes={modes}", **OPERANDS)
        for modes in ("nested", "flat")
    )
    for before, after in zip(plain.levels, flat.levels, strict=True):
        assert before.keys() == after.keys()
        assert all(np.array_equal(before[name], after[name]) for name in before)
    assert np.array_equal(plain.vals, flat.vals)


@pytest.mark.parametrize("ring", [None, "min_plus", "plus_pair", "max_second"])
@pytest.mark.parametrize(
    "expression", ["C(i,j) = A(k,i) * B(k,j)", "C(i,j)<M(i,j)> = A(k,i) * B(k,j)", "C(i,j) += A(k,i) * B(k,j)"]
)
def test_rings_masks_and_earlier_contents(expression: str, ring: str | None) -> None:
    operands = {name: spread((4, 4), 7 + n, "CSR") for n, name in enumerate("ABCM")}
    if ring in ("min_plus", "max_second"):
        fill = np.inf if ring == "min_plus" else -np.inf
        operands = {name: each.with_fill(fill) for name, each in operands.items()}
    read = {name: each for name, each in operands.items() if name in expression and (name != "C" or "+=" in expression)}
    gn.check(expression, out="CSR", schedule="modes=flat", semiring=ring, **read)


def test_workspaces_of_commands_are_flat_too() -> None:
    schedule = f"modes=flat,{STORED})"
    text = show(program(BY_ROWS, schedule).statement)
    assert "T(i,j,k) = v(jk)" in text and "v(jwkw) += A(i,l) * B(l,jw,kw)" in text
    gn.check(BY_ROWS, out="CSF", schedule=schedule, **OPERANDS)


@pytest.mark.parametrize(
    ("rows", "inner", "j", "k"), [(0, 3, 4, 5), (3, 0, 4, 5), (3, 2, 0, 5), (3, 2, 4, 0), (1, 1, 1, 1)]
)
def test_there_may_be_nothing(rows: int, inner: int, j: int, k: int) -> None:
    empty = np.zeros((2, 0), int), np.zeros(0)
    operands = {
        "A": gn.tensor(*empty, (rows, inner), "CSR"),
        "B": gn.tensor(np.zeros((3, 0), int), empty[1], (inner, j, k), "CSF"),
    }
    gn.check(BY_ROWS, out="CSF", schedule="modes=flat", **operands)


@pytest.mark.parametrize(
    ("expression", "schedule", "out"),
    [
        (BY_ROWS, f"{STORED},hashed,hashed)", "CSF"),
        (BY_ROWS, f"{STORED}),unroll({{1}},j,2)", "CSF"),
        (BY_ROWS, f"{STORED}),unroll({{0}},jw,2)", "CSF"),
        (BY_ROWS, "reorder(i,l,j,k),precompute(A(i,l),{i,l},{iw,lw},v)", "CSF"),
        ("y(i) = B(i,j,k) * 2", "precompute(B(i,j,k),{i,j,k},{i,j,k},v)", "Dense"),
        (BY_ROWS, "reorder(i,l,j,k),precompute(A(i,l)*B(l,j,k),{l,j,k},{lw,jw,kw},v)", "CSF"),
        ("T(i,j,k) = B(i,j,k) * A(j,k)", "precompute(B(i,j,k),{j,k},{jw,kw},v)", "CSF"),
        ("T(i,j,k) = A(i,i) * A(j,k)", "precompute(A(j,k),{j,k},{j,k},v),hoist(v)", "CSF"),
    ],
)
def test_others_stay_as_they_are(expression: str, schedule: str, out: str) -> None:
    found = program(expression, f"modes=flat,{schedule}", out=out)
    assert len(found.workspace["v"].shape) > 1
    gn.check(expression, out=out, schedule=f"modes=flat,{schedule}", **operands_of(expression))


@pytest.mark.parametrize(
    ("expression", "schedule", "out"),
    [
        ("T(i,j,k) = A(i,j) * A(k,k)", "precompute(A(i,j),{i,j},{i,j},v)", "CSF"),
        ("T(i,j,k) = A(i,j) * A(k,k)", "precompute(A(i,j),{i,j},{i,j},v)", "Dense"),
        ("C(i,j) = A(i,j) * B(k,k,k)", "precompute(A(i,j),{i,j},{i,j},v)", "Dense"),
    ],
)
def test_loops_inside_those_over_the_modes_stay(expression: str, schedule: str, out: str) -> None:
    found = program(expression, f"modes=flat,{schedule}", out=out)
    assert found.workspace["v"].shape == (25,) and "∀ij\n  ∀k\n" in show(found.statement)
    gn.check(expression, out=out, schedule=f"modes=flat,{schedule}", **operands_of(expression))


def test_a_table_of_one_mode_stays_as_it_is() -> None:
    long = gn.tensor([[0, 1], [5, 10**9]], [1.0, 2.0], (5, 10**9 + 1), "CSR")
    found = prepare(
        "C(i,j) = A(i,k) * B(k,j)", {"A": OPERANDS["A"], "B": long}, out="CSR", schedule="modes=flat"
    ).program
    assert [level.name for level in found.workspace["w"].format.levels] == ["hashed"]


def test_what_is_filled_by_parts_of_variables_stays_as_it_is() -> None:
    expression, m = "C(i,j)<!P(i,j)> = M(k,i) * N(k,j)", spread((4, 4), 8, "CSR")
    operands = {"M": m.convert("Dense"), "N": m.convert("CSC"), "P": spread((4, 4), 5, "BCSR(2,2)")}
    for schedule in ("modes=nested", "modes=flat"):
        found = prepare(expression, operands, out="DCSC", convert="auto", schedule=schedule).program
        assert found.workspace["w"].shape == (4, 4)
    gn.check(expression, out="DCSC", convert="auto", schedule="modes=flat", **operands)


def test_units_of_a_gpu_keep_bitmaps() -> None:
    schedule = "modes=flat,parallelize(i,GPUBlock,NoRaces)"
    found = apply_schedule(prepare(BY_ROWS, OPERANDS, out="CSF").lowered, as_schedule(schedule))
    assert "w(j,k) += A(i,l) * B(l,j,k)" in show(found.statement)


@pytest.mark.parametrize("schedule", ["modes=nested", ""])
def test_nothing_is_flat_unasked(schedule: str) -> None:
    assert [len(workspace.shape) for workspace in program(BY_ROWS, schedule).workspaces] == [2]


def test_more_places_than_fit_in_memory_are_refused() -> None:
    operands = {"A": spread((5, 5), 9, "CSR"), "B": gn.tensor([[0], [1], [2]], [1.0], (5, 20_000, 20_000), "CSF")}
    with pytest.raises(ScheduleError, match=r"w of shape \(20000, 20000\) has 400000000 places") as caught:
        gn.evaluate(BY_ROWS, out="CSF", schedule="modes=flat,reorder(i,l,j,k)", **operands)
    assert caught.value.rule == "schedule.modes" and "^^^^^^^^^^" in str(caught.value)
    lowered = prepare(BY_ROWS, operands, out="CSF").lowered
    with pytest.raises(ScheduleError, match="has 400000000 places"):
        flatten_workspaces(lowered)
    with pytest.raises(ScheduleError, match="has 400000000 places"):
        apply_schedule(lowered, as_schedule("modes=flat"))
