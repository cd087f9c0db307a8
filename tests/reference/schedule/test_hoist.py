"""Hoist: workspaces that are filled once for many iterations."""

from __future__ import annotations

from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.differential.check import check
from gnomon.reference.errors import ScheduleError
from gnomon.reference.schedule.flags import fillings
from gnomon.reference.statement.statement import show

DOT = "C(i,u,j) = z(u) * A(i,k) * B(j,k)"
RNG = np.random.default_rng(0)
OPERANDS = {"z": [1, 2], "A": RNG.integers(0, 3, (3, 4)), "B": RNG.integers(0, 3, (2, 4))}


def test_a_vector_is_copied_once_for_all_rows(spmv: Any) -> None:
    ran, each = (spmv(f"precompute(x(j),{{j}},{{jw}},t){more}") for more in (",hoist(t)", ""))
    expected = "∀i\n  ∀j\n    y(i) += A(i,j) * t(j)\nwhere t:\n  ∀jw\n    t(jw) = x(jw)"
    assert show(ran.program.statement) == expected
    assert (ran.counts["jw"], each.counts["jw"]) == (4, 5 * 4)
    assert (ran.result.to_numpy() == each.result.to_numpy()).all()


@pytest.mark.parametrize(
    ("schedule", "outside"),
    [
        ("precompute(A(i,k),{k},{k},t),hoist(t)", "i"),
        ("split(i,i0,i1,2),precompute(A(i,k),{k},{k},t),hoist(t)", "i0 i1"),
        ("reorder(i,j,u,k),precompute(B(j,k),{k},{k},t),hoist(t)", "i j"),
        ("reorder(i,j,u,k),precompute(B(j,k),{j,k},{j,k},t),hoist(t)", ""),
        ("precompute(z(u),{u},{u},t),hoist(t)", ""),
        ("precompute(A(i,k)*B(j,k),{j},{j},t),hoist(t)", "i"),
    ],
)
def test_loops_that_are_needed_stay_around(schedule: str, outside: str) -> None:
    ((_, around),) = fillings(gn.trace(DOT, schedule=schedule, **OPERANDS).program.statement)
    assert around == tuple(outside.split())
    check(DOT, OPERANDS, schedule=schedule)


def test_what_fills_a_tile_stays_inside_its_loops() -> None:
    tiles = "split(j,j0,j1,2),precompute(x(j),{j1},{j1},t)"
    with pytest.raises(ScheduleError, match="the loop over j0 around it is needed there"):
        gn.evaluate("y(i) = A(i,j) * x(j)", A=OPERANDS["A"], x=[1, 2, 3, 4], schedule=f"{tiles},hoist(t)")


@pytest.mark.parametrize("formats", [{"A": "CSR", "x": "SparseVector"}, {"A": "DCSR", "x": "hashed(width=8)"}])
def test_sparse_operands_are_looked_up_and_not_merged(formats: dict[str, str]) -> None:
    schedule = "precompute(x(j),{j},{j},t),hoist(t)"
    text = gn.compile("y(i) = A(i,j) * x(j)", schedule=schedule, **formats).source
    assert "/* j: iterate A; locate t */" in text
    a, x = RNG.integers(0, 3, (6, 5)), RNG.integers(0, 2, 5)
    operands = {"A": gn.tensor(a.nonzero(), a[a.nonzero()], a.shape, formats["A"]), "x": x}
    operands["x"] = gn.tensor(x.nonzero(), x[x.nonzero()], x.shape, formats["x"])
    for ring in (None, "min_plus", "any_first"):
        check("y(i) = A(i,j) * x(j)", operands, semiring=ring, schedule=schedule)


def test_a_path_names_where_to_look(spmv: Any) -> None:
    inner = "precompute(x(j),{j},{j},t),hoist(t)"
    assert show(spmv(inner.replace("hoist(", "hoist({},")).program.statement) == show(spmv(inner).program.statement)
    with pytest.raises(ScheduleError, match="there is no workspace t"):
        spmv(inner.replace("hoist(", "hoist({0},"))
    assert str(gn.Schedule().hoist("t", path=(1,))) == "hoist({1},t)"


@pytest.mark.parametrize(
    ("schedule", "message", "hint"),
    [
        ("hoist(t)", "there is no workspace t", "make one first: precompute"),
        ("precompute(x(j),{j},{j},t),hoist(s)", "there is no workspace s", "name one of t"),
        ("precompute(A(i,j),{j},{j},t),hoist(t)", "the loop over i around it is needed there", "leave hoist out"),
        ("precompute(x(j),{j},{j},t),hoist(t),hoist(t)", "no loop is around it", "leave hoist out"),
        ("precompute(x(j),{j},{j},t),unroll(i,2),hoist(t)", "i is unrolled", None),
    ],
)
def test_what_cannot_be_hoisted_is_refused(spmv: Any, schedule: str, message: str, hint: str | None) -> None:
    with pytest.raises(ScheduleError, match=message) as refused:
        spmv(schedule)
    assert hint is None or refused.value.hint == hint
