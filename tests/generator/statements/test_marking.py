"""Marking: one variable says that all components of a workspace got their values."""

from __future__ import annotations

from typing import Any

import gnomon as gn
import numpy as np
import pytest
from texts import c_text

A = gn.tensor([[0, 0, 1, 3], [1, 2, 0, 2]], [1.0, 2.0, 3.0, 4.0], (4, 3), "CSR")
D = np.array([[1.0, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]])
SPMM, ROW = "Y(i,k) = A(i,j) * D(j,k)", "precompute(A(i,j)*D(j,k),{k},{k},w)"
OPERANDS: dict[str, Any] = {"A": A, "D": D}


def body(schedule: str, source: str = SPMM, **formats: str) -> str:
    """The code that computes values, its lines without indentation."""
    text = c_text(source, schedule=schedule, **(formats or {"A": "CSR"}))
    return "\n".join(line.strip() for line in text[text.index("compute_arrays(") :].splitlines())


def test_components_are_cleared_when_the_first_one_comes() -> None:
    text = body(f"{ROW},reorder({{0}},j,k)")
    clearing = "if (!w_made) {\nfor (int64_t p = 0; p < D2_dimension; p++) {\nw_vals[p] = 0.0;\n}\n}\nw_made = true;"
    assert "bool w_made = false;" in text and clearing in text and "if (w_made) {" in text


def test_components_that_are_visited_one_after_another_are_cleared_before() -> None:
    text = body(f"{ROW},reorder({{0}},k,j)")
    made = text.index("w_made = w_made || A2_pos[i] < A2_pos[i + 1];")
    assert text.index("w_vals[p] = 0.0;") < text.index("for (int64_t k = 0;") < made


def test_components_that_are_assigned_are_not_cleared() -> None:
    text = body("precompute(x(i)*2,{i},{i},w)", "y(i) = x(i) * 2 + x(i)", x="d")
    assert "w_made" not in text and "w_vals[p]" not in text


@pytest.mark.every(5)
@pytest.mark.parametrize("order", ["j,k", "k,j"])
@pytest.mark.parametrize("out", ["Dense", "CSR", "DCSR", "COO"])
@pytest.mark.parametrize("more", ["", ",split({1},k,k0,k1,3)", ",parallelize(i,CPUThread,NoRaces)"])
def test_rows_with_and_without_components(order: str, out: str, more: str) -> None:
    gn.check(SPMM, schedule=f"{ROW},reorder({{0}},{order}){more}", out=out, **OPERANDS)


@pytest.mark.parametrize("engine", ["assemble", "compute"])
def test_structure_and_values_apart(engine: str) -> None:
    kernel = gn.compile(SPMM, A="CSR", out="CSR", schedule=f"{ROW},reorder({{0}},j,k)")
    whole = kernel(**OPERANDS)
    structure = kernel.assemble(**OPERANDS)
    found = structure if engine == "assemble" else kernel.compute(structure, **OPERANDS)
    assert whole.nnz == found.nnz == 12
    if engine == "compute":
        np.testing.assert_array_equal(found.to_numpy(), A.to_numpy() @ D)
