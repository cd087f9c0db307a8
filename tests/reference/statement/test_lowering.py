"""Lowering, on worked statements: the loops, the workspaces, and what a workspace holds where nothing is stored."""

from textwrap import dedent
from typing import Any

import gnomon as gn
import pytest
from gnomon.reference.schedule.preparation import prepare

INF = float("inf")
WORKED = [
    (
        "C(i,j) = A(i,k) * B(k,j)", "CSR",
        {"A": ((3, 4), "CSR"), "B": ((4, 5), "CSR")}, {},
        """
        ∀i
          ∀j
            C(i,j) = w(j)
          where w:
            ∀k
              ∀j
                w(j) += A(i,k) * B(k,j)
        w (5,) accumulator float64 0.0
        """,
    ),
    (
        "C(i,j) = A(i,k) * B(k,j)", "CSR",
        {"A": ((3, 4), "CSC"), "B": ((4, 5), "CSR")}, {},
        """
        ∀i
          ∀j
            C(i,j) = w(i,j)
        where w:
          ∀k
            ∀i
              ∀j
                w(i,j) += A(i,k) * B(k,j)
        w (3, 5) hashed,hashed float64 0.0
        """,
    ),
    (
        "C(i,j) = A(j,i)", "CSR",
        {"A": ((4, 3), "CSR")}, {"convert": "auto"},
        """
        A, in CSR, is converted to CSC
        ;
        ∀i
          ∀j
            C(i,j) = A(j,i)
        """,
    ),
    (
        "C(i,j) = A(i,j) + B(i,j)", "CSR",
        {"A": ((4, 3), "CSR"), "B": ((4, 3), "CSC")}, {"convert": "auto"},
        """
        B, in CSC, is converted to CSR
        ;
        ∀i
          ∀j
            C(i,j) = A(i,j) + B(i,j)
        """,
    ),
    (
        "C(i,j)<M(i,j)> += A(i,j)", "CSR",
        {"C": ((4, 5), "CSR"), "A": ((4, 5), "CSR"), "M": ((4, 5), "CSR")}, {},
        """
        ∀i
          ∀j
            C(i,j) = w
            where w:
              w<M(i,j)> = C_old(i,j) + A(i,j)
              ;
              w<!M(i,j)> = C_old(i,j)
        w ()  float64 0.0
        """,
    ),
    (
        "C(i,j)<!$M(i,j)> += A(i,j)", "CSR",
        {"C": ((4, 5), "CSR"), "A": ((4, 5), "CSR"), "M": ((4, 5), "CSR")}, {},
        """
        ∀i
          ∀j
            C(i,j) = w
            where w:
              w<!$M(i,j)> = C_old(i,j) + A(i,j)
              ;
              w<$M(i,j)> = C_old(i,j)
        w ()  float64 0.0
        """,
    ),
    (
        "C(i,j)<M(i,j)> = A(i,k) * B(k,j)", "RowMajor",
        {"A": ((3, 4), "CSR"), "B": ((4, 5), "CSR"), "M": ((3, 5), "CSR")}, {},
        """
        ∀i
          ∀k
            ∀j
              C(i,j)<w(j)> += A(i,k) * B(k,j)
          where w:
            ∀j
              w(j) = M(i,j)
        w (5,) accumulator float64 0.0
        """,
    ),
    (
        "C(i,j)<M(i,j)> = A(i,k) * B(j,k)", "CSR",
        {"A": ((3, 4), "CSR"), "B": ((5, 4), "CSR"), "M": ((3, 5), "CSR")}, {},
        """
        ∀i
          ∀j
            ∀k
              C(i,j)<M(i,j)> += A(i,k) * B(j,k)
        """,
    ),
    (
        "C(i,j)<$M(i,j)> = A(i,k) * B(k,j)", "CSR",
        {"A": ((3, 4), "CSC"), "B": ((4, 5), "CSR"), "M": ((3, 5), "CSR")}, {},
        """
        ∀i
          ∀j
            C(i,j) = w(i,j)
        where w:
          ∀k
            ∀i
              ∀j
                w(i,j)<$w1(i,j)> += A(i,k) * B(k,j)
          where w1:
            ∀i
              ∀j
                w1(i,j) = M(i,j)
        w (3, 5) hashed,hashed float64 0.0
        w1 (3, 5) hashed,hashed float64 0.0
        """,
    ),
    (
        "y(i) = exp(sum(j, A(i,j) * x(j)))", "Dense",
        {"A": ((4, 5), "CSR"), "x": ((5,), "Dense")}, {},
        """
        ∀i
          y(i) = exp(w)
          where w:
            ∀j
              w += A(i,j) * x(j)
        w ()  float64 0.0
        """,
    ),
    (
        "y(i) = sum(j, A(i,j) + 1)", "Dense",
        {"A": ((4, 5), "CSR")}, {},
        """
        ∀i
          y(i) = w + copies_add(1.0, float64(5 - w1))
          where w1:
            ∀j
              w1<$A(i,j)> += 1
          where w:
            ∀j
              w<$A(i,j)> += A(i,j) + 1.0
        w ()  float64 0.0
        w1 ()  int64 0
        """,
    ),
    (
        "y(i) = sum(j, A(i,j))", "Dense",
        {"A": ((4, 5), "CSR", "float64", 2.0)}, {},
        """
        ∀i
          y(i) = w + copies_add(2.0, float64(5 - w1))
          where w1:
            ∀j
              w1<$A(i,j)> += 1
          where w:
            ∀j
              w<$A(i,j)> += A(i,j)
        w ()  float64 0.0
        w1 ()  int64 0
        """,
    ),
    (
        "y(i) min= A(i,j)", "Dense",
        {"A": ((4, 5), "CSR")}, {},
        """
        ∀i
          y(i) = min(w, copies_min(0.0, float64(lt(w1, 5))))
          where w1:
            ∀j
              w1<$A(i,j)> += 1
          where w:
            ∀j
              w<$A(i,j)> min= A(i,j)
        w ()  float64 inf
        w1 ()  int64 0
        """,
    ),
    (
        "y(i) = sum(j, A(i,j) * x(j))", "Dense",
        {"A": ((4, 5), "CSR", "int8"), "x": ((5,), "Dense", "int8")}, {},
        """
        ∀i
          ∀j
            y(i) += int64(A(i,j) * x(j))
        """,
    ),
    (
        "y(i) = sum(j, A(i,j)) * b(i)", "Dense",
        {"A": ((4, 5), "CSR", "float32"), "b": ((4,), "Dense", "float64")}, {},
        """
        ∀i
          y(i) = float64(w) * b(i)
          where w:
            ∀j
              w += A(i,j)
        w ()  float32 0.0
        """,
    ),
    (
        "y(i) = sum(j, A(i,j)) * b(i)", "SparseVector",
        {"A": ((4, 5), "CSR", "int32"), "b": ((4,), "SparseVector", "float64")}, {},
        """
        ∀i
          y(i) = float64(w) * b(i)
          where w:
            ∀j
              w += int64(A(i,j))
        w ()  int64 0
        """,
    ),
    (
        "y(i) = sum(k, A(i,k)) * sum(k, B(i,k))", "Dense",
        {"A": ((4, 5), "CSR"), "B": ((4, 6), "CSR")}, {},
        """
        ∀i
          ∀k
            y(i) += A(i,k) * w
          where w:
            ∀k1
              w += B(i,k1)
        w ()  float64 0.0
        """,
    ),
    (
        "D(i,j) = A(i,k) * B(k,j)", "CSR",
        {"A": ((3, 4), "CSR", "float64", INF), "B": ((4, 5), "CSR", "float64", INF)}, {"semiring": "min_plus"},
        """
        ∀i
          ∀j
            D(i,j) = w(j)
          where w:
            ∀k
              ∀j
                w(j) min= A(i,k) + B(k,j)
        w (5,) accumulator float64 inf
        """,
    ),
    (
        "R(i,j) = sum(l, sum(k, B(i,k,l) * C(k,j)) * D(l,j))", "RowMajor",
        {"B": ((2, 3, 4), "CSF", "float32"), "C": ((3, 5), "RowMajor"), "D": ((4, 5), "RowMajor")}, {},
        """
        ∀i
          ∀k
            ∀l
              ∀j
                R(i,j) += float64(B(i,k,l)) * C(k,j) * D(l,j)
        """,
    ),
    (
        "y(i) = b(i) - sum(j, A(i,j) * (x(j) + c(i)))", "Dense",
        {"A": ((4, 5), "CSR"), "x": ((5,), "Dense"), "b": ((4,), "Dense"), "c": ((4,), "Dense")}, {},
        """
        ∀i
          y(i) = b(i) - w
          where w:
            ∀j
              w += A(i,j) * (x(j) + c(i))
        w ()  float64 0.0
        """,
    ),
    (
        "y(j) = A(i,j)", "SparseVector",
        {"A": ((4, 5), "CSR")}, {},
        """
        ∀j
          y(j) = w(j)
        where w:
          ∀i
            ∀j
              w(j) += A(i,j)
        w (5,) accumulator float64 0.0
        """,
    ),
    (
        "y(i) = or(j, A(i,j)) * b(i)", "Dense",
        {"A": ((4, 5), "CSR"), "b": ((4,), "Dense")}, {},
        """
        ∀i
          y(i) = w * b(i)
          where w:
            ∀j
              w or= A(i,j)
        w ()  float64 0.0
        """,
    ),
    (
        "C(C_old) += A(C_old)", "SparseVector",
        {"A": ((4,), "SparseVector"), "C": ((4,), "SparseVector")}, {},
        """
        ∀C_old
          C(C_old) = C_old1(C_old) + A(C_old)
        """,
    ),
    (
        "y(w) = exp(sum(j, A(w,j)))", "Dense",
        {"A": ((4, 5), "CSR")}, {},
        """
        ∀w
          y(w) = exp(w1)
          where w1:
            ∀j
              w1 += A(w,j)
        w1 ()  float64 0.0
        """,
    ),
    (
        "y(i) = sum(j, A(i,j)) / b(i)", "Dense",
        {"A": ((4, 5), "CSR"), "b": ((4,), "Dense")}, {},
        """
        ∀i
          y(i) = w / b(i)
          where w:
            ∀j
              w += A(i,j)
        w ()  float64 0.0
        """,
    ),
]  # fmt: skip


@pytest.mark.parametrize(("source", "out", "operands", "settings", "expected"), WORKED)
def test_worked_statements(
    lowered: Any, agreed: Any, source: str, out: str, operands: dict[str, Any], settings: dict[str, Any], expected: str
) -> None:
    assert lowered(source, out, operands, **settings) == dedent(expected).strip()
    agreed(source, out, operands, **settings)


def test_what_fills_depend_on_is_recorded() -> None:
    a = gn.tensor([[0], [0]], [1.0], (4, 5), "CSR")
    plain, counted = (prepare(f"y(i) = sum(j, {body})", {"A": a}).program for body in ("A(i,j)", "A(i,j) + 1"))
    assert (plain.depends, counted.depends) == (frozenset(), {"j"})
    assert plain.extents == counted.extents


def test_results_of_another_dtype_are_converted_when_they_are_stored(lowered: Any) -> None:
    matrix, vector = ((4, 5), "CSR", "float64", INF), ((5,), "SparseVector", "float64", INF)
    expected = dedent(
        """
        ∀i
          y(i) = {}
          where w:
            ∀j
              w {}
        w ()  float64 {}
        """
    ).strip()
    single = gn.spec("Dense", dtype="float32")
    plain = lowered("y(i) = A(i,j) * x(j)", single, {"A": ((4, 5), "CSR"), "x": ((5,), "Dense")})
    assert plain == expected.format("w", "+= A(i,j) * x(j)", "0.0")
    out = gn.spec("SparseVector", dtype="float32", fill=INF)
    ring = lowered("y(i) = A(i,j) * x(j)", out, {"A": matrix, "x": vector}, semiring="min_plus")
    assert ring == expected.format("float32(w)", "min= A(i,j) + x(j)", "inf")
    turned = gn.spec("CSR", dtype="float32", fill=1)
    staged = lowered("C(i,j) = A(k,i) * A(k,j)", turned, {"A": ((4, 3), "CSR")})
    assert staged.splitlines()[-1] == "w (3, 3) hashed,hashed float64 0.0"


@pytest.mark.parametrize("out", [gn.spec("BCSR(2,2)", dtype="float32"), gn.spec("BCSR(2,2)", fill=1)])
def test_what_is_put_in_order_is_summed_as_it_is(lowered: Any, agreed: Any, out: gn.Spec) -> None:
    """In the dtype and with the fill of the sum, which is converted when it is copied to the result."""
    question = "C(i,j) = A(i,k) * A(k,j)", out, {"A": ((4, 4), "CSR")}
    *_, workspace = lowered(*question).splitlines()
    assert workspace == "w1 (2, 4) accumulator,dense,bitmap; (i,j)->(j//2,i,j%2) float64 0.0"
    agreed(*question)


@pytest.mark.parametrize(("fill", "missing"), [(3, 0), (10, 2)])
def test_results_that_differ_without_contributions_are_reduced_apart(
    lowered: Any, agreed: Any, fill: float, missing: float
) -> None:
    """Where nothing contributes, the sum is not the result's fill; or missing contributions count themselves."""
    question = "y(i) = sum(j, A(i,j))", gn.spec("SparseVector", fill=fill), {"A": ((4, 5), "CSR", "float64", missing)}
    assert ("w += A(i,j)" if missing == 0 else "w<$A(i,j)> += A(i,j)") in lowered(*question)
    agreed(*question)


def test_reductions_of_other_kinds_are_folded_apart(lowered: Any, agreed: Any) -> None:
    question = "a = sum(i, max(j, A(i,j)))", "Dense", {"A": ((4, 5), "RowMajor")}
    assert {"w max= A(i,j)", "a += w"} <= {line.strip() for line in lowered(*question).splitlines()}
    agreed(*question)
