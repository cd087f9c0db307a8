"""Contributions: what is stored is folded by loops, and what is missing at once."""

from __future__ import annotations

import inspect
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.differential.check import check

WORKED = [
    (
        "y(i) = max(j, A(i,j) * x(j))", "Dense",
        {"A": ((4, 5), "CSR"), "x": ((5,), "Dense")}, {},
        """
        ∀i
          y(i) = max(w, copies_max(0.0, float64(lt(w1, 5))))
          where w1:
            ∀j
              w1<$A(i,j)> += 1
          where w:
            ∀j
              w<$A(i,j)> max= A(i,j) * x(j)
        w ()  float64 -inf
        w1 ()  int64 0
        """,
    ),
    (
        "y(j) = min(i, A(i,j))", "Dense",
        {"A": ((4, 5), "CSR")}, {},
        """
        ∀j
          y(j) = min(w(j), copies_min(0.0, float64(lt(w1(j), 4))))
        where w1:
          ∀i
            ∀j
              w1(j)<$A(i,j)> += 1
        where w:
          ∀i
            ∀j
              w(j)<$A(i,j)> min= A(i,j)
        w (5,) accumulator float64 inf
        w1 (5,) accumulator int64 0
        """,
    ),
    (
        "s = prod(i, prod(j, A(i,j)))", "Dense",
        {"A": ((4, 5), "DCSR")}, {},
        """
        s = w * copies_mul(0.0, float64(lt(w1, 20)))
        where w1:
          ∀i
            ∀j
              w1<$A(i,j)> += 1
        where w:
          ∀i
            ∀j
              w<$A(i,j)> *= A(i,j)
        w ()  float64 1.0
        w1 ()  int64 0
        """,
    ),
    (
        "y(i) = sum(j, square(A(i,j) - x(i)))", "Dense",
        {"A": ((4, 5), "CSR"), "x": ((4,), "Dense")}, {},
        """
        ∀i
          y(i) = w + copies_add(square(-x(i)), float64(5 - w1))
          where w1:
            ∀j
              w1<$A(i,j)> += 1
          where w:
            ∀j
              w<$A(i,j)> += square(A(i,j) - x(i))
        w ()  float64 0.0
        w1 ()  int64 0
        """,
    ),
    (
        "y(i) = max(j, A(i,j) - B(i,j))", "SparseVector",
        {"A": ((4, 5), "CSR"), "B": ((4, 5), "CSR")}, {},
        """
        ∀i
          y(i) = max(w, copies_max(-0.0, float64(lt(w1, 5))))
          where w1:
            ∀j
              w1<$A(i,j) - B(i,j)> += 1
          where w:
            ∀j
              w<$A(i,j) - B(i,j)> max= A(i,j) - B(i,j)
        w ()  float64 -inf
        w1 ()  int64 0
        """,
    ),
    (
        "y(i) = sum(j, exp(A(i,j) + B(i,j) - x(i)))", "Dense",
        {"A": ((4, 5), "CSR"), "B": ((4, 5), "CSR"), "x": ((4,), "Dense")}, {},
        """
        ∀i
          y(i) = w + copies_add(exp(-x(i)), float64(5 - w1))
          where w1:
            ∀j
              w1<$A(i,j) + B(i,j)> += 1
          where w:
            ∀j
              w<$A(i,j) + B(i,j)> += exp(A(i,j) + B(i,j) - x(i))
        w ()  float64 0.0
        w1 ()  int64 0
        """,
    ),
    (
        "C(i,j) = max(k, A(i,k) * B(k,j))", "CSR",
        {"A": ((4, 3), "CSR"), "B": ((3, 5), "CSR")}, {},
        """
        ∀i
          ∀j
            C(i,j) = max(w(j), copies_max(0.0, float64(lt(w1(j), 3))))
          where w1:
            ∀k
              ∀j
                w1(j)<$A(i,k) * B(k,j)> += 1
          where w:
            ∀k
              ∀j
                w(j)<$A(i,k) * B(k,j)> max= A(i,k) * B(k,j)
        w (5,) accumulator float64 -inf
        w1 (5,) accumulator int64 0
        """,
    ),
    (
        "y(i) = min(j, A(i,j) - z(i))", "SparseVector",
        {"A": ((4, 5), "CSR"), "z": ((4,), "SparseVector")}, {},
        """
        ∀i
          y(i) = min(w, copies_min(-z(i), float64(lt(w1, 5))))
          where w1:
            ∀j
              w1<$A(i,j)> += 1
          where w:
            ∀j
              w<$A(i,j)> min= A(i,j) - z(i)
        w ()  float64 inf
        w1 ()  int64 0
        """,
    ),
    (
        "y(i) = max(j, sum(k, A(i,k) * B(k,j)))", "Dense",
        {"A": ((4, 3), "CSR"), "B": ((3, 5), "CSR")}, {},
        """
        ∀i
          y(i) = max(w, copies_max(0.0, float64(lt(w1, 5))))
          where w1:
            ∀j
              w1<$w3(j)> += 1
            where w3:
              ∀k
                ∀j
                  w3(j) += A(i,k) * B(k,j)
          where w:
            ∀j
              w<$w2(j)> max= w2(j)
            where w2:
              ∀k
                ∀j
                  w2(j) += A(i,k) * B(k,j)
        w2 (5,) accumulator float64 0.0
        w3 (5,) accumulator float64 0.0
        w ()  float64 -inf
        w1 ()  int64 0
        """,
    ),
    (
        "y(i) = sum(j, exp(A(i,j) - max(k, B(i,k))))", "Dense",
        {"A": ((4, 3), "CSR"), "B": ((4, 5), "dense,dense")}, {},
        """
        ∀i
          y(i) = w + copies_add(exp(-w3), float64(3 - w1))
          where w3:
            ∀k
              w3 max= B(i,k)
          where w1:
            ∀j
              w1<$A(i,j)> += 1
          where w:
            ∀j
              w<$A(i,j)> += exp(A(i,j) - w2)
            where w2:
              ∀k
                w2 max= B(i,k)
        w2 ()  float64 0.0
        w ()  float64 0.0
        w1 ()  int64 0
        w3 ()  float64 0.0
        """,
    ),
    (
        "y(i) max= A(i,j)", "Dense",
        {"A": ((4, 5), "CSR"), "y": ((4,), "Dense")}, {},
        """
        ∀i
          y(i) max= max(w, copies_max(0.0, float64(lt(w1, 5))))
          where w1:
            ∀j
              w1<$A(i,j)> += 1
          where w:
            ∀j
              w<$A(i,j)> max= A(i,j)
        w ()  float64 -inf
        w1 ()  int64 0
        """,
    ),
    (
        "y(i) = sum(j, prod(k, B(i,k) + A(i,j)))", "Dense",
        {"A": ((4, 5), "CSR", "float32", 2), "B": ((4, 2), "dense,dense")}, {},
        """
        ∀i
          y(i) = w + copies_add(w4, float64(5 - w1))
          where w4:
            ∀k
              w4 *= B(i,k) + 2.0
          where w1:
            ∀j
              w1<$A(i,j)> += int64(pair(bool(w3), true))
              where w3:
                ∀k
                  w3 *= B(i,k) + float64(A(i,j))
          where w:
            ∀j
              w<$A(i,j)> += w2
              where w2:
                ∀k
                  w2 *= B(i,k) + float64(A(i,j))
        w2 ()  float64 4.0
        w3 ()  float64 4.0
        w ()  float64 0.0
        w1 ()  int64 0
        w4 ()  float64 4.0
        """,
    ),
]  # fmt: skip


@pytest.mark.parametrize(("source", "out", "operands", "settings", "expected"), WORKED)
def test_worked_statements(
    lowered: Any, agreed: Any, source: str, out: str, operands: dict[str, Any], settings: dict[str, Any], expected: str
) -> None:
    assert lowered(source, out, operands, **settings) == inspect.cleandoc(expected)
    agreed(source, out, operands, **settings)


MATRIX, VECTOR = ((4, 5), "CSR"), ((4,), "SparseVector")


@pytest.mark.parametrize(
    ("source", "operands"),
    [
        ("y(i) = sum(j, square(A(i,j) - x(j)))", {"A": MATRIX, "x": ((5,), "Dense")}),
        ("y(i) = xor(j, lt(A(i,j), 1))", {"A": MATRIX}),
        ("y(i) = max(j, A(i,j))", {"A": ((4, 5), "dense,dense")}),
        ("y(i) = max(j, A(i,j))", {"A": (*MATRIX, "float64", -np.inf)}),
        ("y(i) = sum(j, A(i,j) + 1)", {"A": (*MATRIX, "complex128")}),
        ("y(i) = prod(j, A(i,j) + 2)", {"A": MATRIX}),
        ("y(i) = sum(j, sum(k, A(i,k) * B(k,j)) - u(i))", {"A": MATRIX, "B": ((5, 4), "CSR"), "u": VECTOR}),
        ("y(i) = sum(j, A(i,j) * z(i) - u(i))", {"A": MATRIX, "z": VECTOR, "u": VECTOR}),
        ("y(i) = max(j, any(u(i), A(i,j)))", {"A": (*MATRIX, "float64", 2.0), "u": VECTOR}),
        ("y(i) = max(j, any(A(i,j), u(i)) - 1)", {"A": (*MATRIX, "float64", 2.0), "u": VECTOR}),
    ],
)
def test_what_is_missing_is_visited_where_it_cannot_be_folded_at_once(
    lowered: Any, agreed: Any, source: str, operands: dict[str, Any]
) -> None:
    assert "copies" not in lowered(source, "Dense", operands)
    agreed(source, "Dense", operands)


def full(values: list[float], format: str, dtype: str, fill: float) -> gn.Tensor:
    """A matrix of one row, or a vector, without a missing component."""
    coordinates = [range(len(values))] if format == "SparseVector" else [[0] * len(values), range(len(values))]
    shape = (len(values),) if format == "SparseVector" else (1, len(values))
    return gn.tensor(coordinates, values, shape, format, dtype=dtype, fill=fill)


@pytest.mark.parametrize(
    ("source", "dtype", "fill", "values", "x", "expected"),
    [
        ("y(i) = sum(j, square(A(i,j) - x(i)))", "int8", 0, [100, 100], 100, 0),
        ("y(i) = max(j, mod(5, A(i,j) + x(i)))", "int8", 0, [2, 2], 0, 1),
        ("y(i) = max(j, x(i) + A(i,j))", "uint16", 65535, [1, 5], 3, 8),
    ],
)
def test_what_has_no_value_is_not_computed_where_nothing_is_missing(
    source: str, dtype: str, fill: int, values: list[float], x: int, expected: int
) -> None:
    operands = {"A": full(values, "CSR", dtype, fill), "x": np.array([x], dtype)}
    for engine in ("reference", "c"):
        assert gn.evaluate(source, engine=engine, **operands).to_numpy().tolist() == [expected]


def test_a_fill_that_its_dtype_does_not_hold_is_not_copied(lowered: Any) -> None:
    assert "copies" not in lowered("y(i) = max(j, -A(i,j))", "Dense", {"A": (*MATRIX, "int8", -128)})
    assert "copies" in lowered("y(i) = max(j, -A(i,j))", "Dense", {"A": (*MATRIX, "int8", -127)})


@pytest.mark.parametrize(
    ("source", "out", "operands"),
    [
        ("y(i) = sum(j, square(A(i,j) - x(i)))", "SparseVector", {"A": ((3, 0), "CSR"), "x": ((3,), "Dense")}),
        ("y(i) = min(j, A(i,j) + x(i))", "SparseVector", {"A": ((3, 0), "COO"), "x": ((3,), "Dense")}),
        ("C(k,j) = prod(l, A(k,j) * B(l,k))", "DCSR", {"A": MATRIX, "B": ((5, 4), "CSC")}),
        ("y(k) = max(l, B(k,l) * z(k))", "SparseVector", {"B": MATRIX, "z": VECTOR}),
        ("y(k) = min(l, B(k,l) - z(k))", "SparseVector", {"B": MATRIX, "z": VECTOR}),
    ],
)
def test_components_are_present_where_contributions_are(
    agreed: Any, source: str, out: str, operands: dict[str, Any]
) -> None:
    """A contribution may be missing though an operand of the reduction is there: nothing is counted then."""
    agreed(source, out, operands)


@pytest.mark.parametrize("format", ["DCSR", "COO", "BCSR(2,2)", "DIA", "ELL", "HashRows", "CSC"])
@pytest.mark.parametrize("source", ["y(i) = max(j, A(i,j))", "y(j) = sum(i, exp(A(i,j)))"])
def test_every_format_is_read(agreed: Any, format: str, source: str) -> None:
    agreed(source, "Dense", {"A": ((4, 6), format)}, ("c",), convert="auto")


@pytest.mark.parametrize("operator", ["max", "min", "and", "or", "sum", "prod"])
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "float32"])
def test_every_dtype_is_folded(agreed: Any, operator: str, dtype: str) -> None:
    """Fills of which one copy does for all, and of which all count."""
    for fill in (0, 1, 3):
        operands = {"A": ((4, 3), "CSR", dtype, min(fill, 1) if dtype == "bool" else fill)}
        agreed(f"y(i) = {operator}(j, A(i,j))", "Dense", operands, ("c",))


@pytest.mark.parametrize(
    ("source", "operands"),
    [
        ("y(i) = sum(j, square(A(i,j) - x(i)))", {"A": ((6, 9), "CSR"), "x": ((6,), "Dense")}),
        ("y(i) = sum(j, square(A(i,j) - sum(k, A(i,k)) / 4))", {"A": ((6, 9), "CSR")}),
        ("y(i) = sum(j, exp(A(i,j) - max(k, A(i,k))))", {"A": ((6, 9), "CSR")}),
        ("y(i) = max(j, sum(k, A(i,k) * B(k,j)))", {"A": ((6, 9), "CSR"), "B": ((9, 6), "CSR")}),
        ("y(i) = max(j, x(i) * sum(k, B(k,j)))", {"x": ((6,), "Dense"), "B": ((9, 6), "CSR")}),
        (
            "s = min(i, min(j, C(i,j) - sum(k, A(i,k) * B(k,j))))",
            {"A": ((6, 9), "CSR"), "B": ((9, 6), "CSR"), "C": ((6, 6), "COO")},
        ),
    ],
)
def test_kernels_count_what_they_are_given(agreed: Any, source: str, operands: dict[str, Any]) -> None:
    """Extents decide how many contributions are missing: a kernel for others is another one."""
    agreed(source, "Dense" if source.startswith("y") else None, operands, ("c",))


def test_a_kernel_that_is_called_with_other_extents_counts_these() -> None:
    kernel = gn.compile("y(i) = sum(j, square(A(i,j) - x(i)))", A="CSR", x="Dense")
    for columns in (2, 7):
        A = gn.tensor([[], []], [], (3, columns), "CSR")
        assert kernel(A=A, x=np.array([1.0, 2.0, 3.0])).to_numpy().tolist() == [columns * n for n in (1.0, 4.0, 9.0)]


def test_a_kernel_folds_complex_fills_over_the_extents_that_it_is_given() -> None:
    """Each of seven columns contributes 1, in rows without a component too."""
    stored = gn.spec("DCSR", dtype="complex128")
    A = gn.tensor([[0, 0], [1, 2]], [2 + 1j, 3.0], (3, 7), stored)
    kernel = gn.compile("y(i) = 1 + sum(j, A(i,j) + 1)", A=stored)
    assert kernel(A=A).to_numpy().tolist() == [13 + 1j, 8, 8]


def test_infinite_fills_count_only_where_they_are_missing() -> None:
    A = gn.tensor([[0, 0, 1], [0, 1, 1]], [1.0, 2.0, 4.0], (3, 2), "CSR", fill=np.inf)
    assert gn.evaluate("y(i) = sum(j, A(i,j))", A=A).to_numpy().tolist() == [3.0, np.inf, np.inf]
    assert gn.evaluate("y(i) = max(j, -A(i,j))", A=A).to_numpy().tolist() == [-1.0, -4.0, -np.inf]


def test_rows_are_as_long_as_their_extent() -> None:
    """Nothing is missing in a full row, and where a reduction is over nothing."""
    full = gn.tensor([[0, 0, 2], [0, 1, 0]], [-1.0, -2.0, -3.0], (3, 2), "CSR")
    empty = gn.tensor([[], []], [], (3, 0), "CSR")
    assert gn.evaluate("y(i) = max(j, A(i,j))", A=full).to_numpy().tolist() == [-1.0, 0.0, 0.0]
    assert gn.evaluate("y(i) = max(j, A(i,j))", A=empty).to_numpy().tolist() == [-np.inf] * 3
    narrow = gn.tensor([[], []], [], (3, 0), "CSR", dtype="int8")
    assert gn.evaluate("y(i) = max(j, A(i,j))", A=narrow).to_numpy().tolist() == [-128] * 3


@pytest.mark.parametrize(("fold", "fill"), [("xor", 3.0), ("prod", -1.0)])
def test_of_nested_reductions_the_innermost_contribution_says_whether_they_are_folded_in_place(
    fold: str, fill: float
) -> None:
    """An even number of equal contributions may come to the identity, which none of them is."""
    a = gn.tensor([[], [], []], [], (3, 4, 5), "CSF", fill=fill)
    identity = 0.0 if fold == "xor" else 1.0
    out = gn.spec("SparseVector", fill=identity)
    check(f"y(i) = {fold}(k, {fold}(l, A(i,l,k)))", {"A": a}, engines=("reference",), out=out, convert="auto")
