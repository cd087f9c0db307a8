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
