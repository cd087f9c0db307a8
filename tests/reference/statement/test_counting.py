"""Contributions that are missing though something is stored, since a reduction inside them is over nothing."""

from __future__ import annotations

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.differential.check import check


@pytest.mark.parametrize("columns", [0, 2])
@pytest.mark.parametrize(
    ("source", "dtype", "fill"),
    [
        ("y(i) = max(j, A(i,j) * sum(k, B(j,k)))", "float64", 0),
        ("y(i) = sum(j, prod(k, A(i,j) + B(i,k)))", "float64", 2),
        ("y(i) = sum(j, prod(k, A(i,j) + B(i,k)))", "int8", 2),
        ("y(i) = min(j, sum(k, B(j,k)) / A(i,j))", "float32", 4),
        ("y(i) = max(j, sum(k, B(i,k)) * x(j))", "float64", 0),
        ("y(i) = sum(j, max(A(i,j), prod(k, E(i,j) + B(i,k))))", "float64", 0),
    ],
)
def test_a_contribution_that_reduces_nothing_counts(source: str, dtype: str, fill: int, columns: int) -> None:
    """Where what is stored is in a reduction inside that is over nothing, the contribution is missing, and counts."""
    A = gn.tensor([[0, 0, 2], [0, 1, 0]], [-1, -3, -5], (3, 3), "CSR", dtype=dtype, fill=fill)
    operands = {"A": A, "B": gn.from_numpy(np.full((3, columns), 2, dtype=dtype), "dense,dense")}
    if " x(j)" in source:
        operands = {"x": gn.tensor([[0, 2]], [-3, -5], (3,), "SparseVector", dtype=dtype), "B": operands["B"]}
    if "E" in source:
        operands["E"] = gn.tensor([[0, 1], [2, 2]], [-7, 9], (3, 3), "CSR", dtype=dtype, fill=fill)
    for out in ("Dense", "SparseVector"):
        check(source, operands, engines=("reference", "c"), out=out)


def test_a_kernel_that_is_called_with_nothing_to_reduce_counts_contributions() -> None:
    kernel = gn.compile("y(i) = max(j, A(i,j) * sum(k, B(j,k)))", A="CSR", B="dense,dense")
    A = gn.tensor([[0, 0, 1], [0, 1, 1]], [-1.0, -3.0, -5.0], (2, 2), "CSR")
    assert kernel(A=A, B=np.ones((2, 0))).to_numpy().tolist() == [0.0, 0.0]
    assert kernel(A=A, B=np.ones((2, 1))).to_numpy().tolist() == [-1.0, 0.0]
