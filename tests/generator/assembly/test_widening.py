"""Widening: tables that fill up are moved into larger ones, and nothing else is lost or forgotten."""

from __future__ import annotations

import gnomon as gn
import numpy as np
import pytest

SMALL = np.array([[1, 2, 3, 4, 5, 6, 7, 8], [2, 1, 4, 3, 6, 5, 8, 7]], "uint8")


@pytest.mark.parametrize("at", [0, 3, 7])
@pytest.mark.parametrize("format", ["dense,hashed", "hashed,hashed", "compressed,hashed"])
def test_integers_that_do_not_fit_are_reported_though_a_table_is_widened_then(format: str, at: int) -> None:
    """An overflow at one component, before or after others that fill the table up."""
    less = np.zeros_like(SMALL)
    less[0, at] = 9
    operands = {"A": gn.from_numpy(SMALL, "CSR"), "B": gn.from_numpy(less, "CSR")}
    for engine in ("reference", "c"):
        with pytest.raises(gn.GnomonError, match="integer overflow"):
            gn.evaluate("C(i,j) = A(i,j) - B(i,j)", out=format, engine=engine, **operands)


@pytest.mark.every(3)
@pytest.mark.parametrize("format", ["compressed,hashed", "compressed,hashed(width=1)", "hashed,hashed", "HashRows"])
@pytest.mark.parametrize("expression", ["C(i,j) = A(i,j)", "C(i,j) += A(i,j)"])
def test_one_long_row_takes_memory_for_the_rows_that_there_are(format: str, expression: str) -> None:
    n = 40_000
    a = gn.tensor([np.zeros(n, int), np.arange(n)], np.ones(n), (1, n), "DCSR")
    found = gn.evaluate(expression, A=a, out=format, engine="c")
    assert found.nnz == n and len(found.vals) < 8 * n


def test_rows_that_come_after_a_long_one_have_room_too() -> None:
    rows = np.concatenate([np.zeros(3000, int), np.repeat(np.arange(1, 200), 3)])
    columns = np.concatenate([np.arange(3000), np.tile([0, 7, 2999], 199)])
    a = gn.tensor([rows, columns], np.arange(1.0, rows.size + 1), (200, 3000), "DCSR")
    for expression in ("C(i,j) = A(i,j)", "C(i,j) += A(i,j)"):
        found = gn.evaluate(expression, A=a, out="compressed,hashed(width=1)", engine="c")
        np.testing.assert_array_equal(found.to_numpy(), a.to_numpy())
