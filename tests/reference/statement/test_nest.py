"""Loop nests, on worked statements: blocks, diagonals, ranks, and the order of the loops."""

from textwrap import dedent
from typing import Any

import gnomon as gn
import pytest
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.statement.statement import indices

WORKED = [
    (
        "C(i,j) = A(i,j) * B(i,j)", "CSR",
        {"A": ((4, 5), "BCSR(2,2)"), "B": ((4, 5), "CSR")}, {},
        """
        ∀io
          ∀ii
            ∀jo
              ∀ji
                C(i,j) = A(i,j) * B(i,j)
        """,
    ),
    (
        "C(i,j) = A(i,j) * B(i,j)", "RowMajor",
        {"A": ((4, 6), "BCSR(2,2)"), "B": ((4, 6), "BCSR(3,3)")}, {},
        """
        B, in BCSR(3,3), is converted to CSR
        ;
        ∀io1
          ∀jo1
            ∀ii1
              ∀ji1
                C(i,j) = A(i,j) * B(i,j)
        """,
    ),
    (
        "C(i,j) = A(i,j) + B(i,j)", "RowMajor",
        {"A": ((4, 6), "BCSR(2,2)"), "B": ((4, 6), "CSR")}, {},
        """
        A, in BCSR(2,2), is converted to CSR
        ;
        ∀i
          ∀j
            C(i,j) = A(i,j) + B(i,j)
        """,
    ),
    (
        "C(i,j) = A(i,j) + B(i,j)", "BCSR(2,2)",
        {"A": ((4, 5), "BCSR(2,2)"), "B": ((4, 5), "BCSR(2,2)")}, {},
        """
        ∀io
          ∀jo
            ∀ii
              ∀ji
                C(i,j) = A(i,j) + B(i,j)
        """,
    ),
    (
        "C(i,j) = A(i,j) + B(i,j) + x(i)", "CSR",
        {"A": ((4, 5), "BCSR(2,2)"), "B": ((4, 5), "RowMajor"), "x": ((4,), "Dense")}, {},
        """
        ∀io
          ∀ii
            ∀jo
              ∀ji
                C(i,j) = A(i,j) + B(i,j) + x(i)
        """,
    ),
    (
        "C(i,j) = A(i,j) - B(i,j)", "RowMajor",
        {"A": ((4, 6), "BCSR(2,2)"), "B": ((4, 6), "BCSR(2,3)")}, {},
        """
        A, in BCSR(2,2), is converted to CSR
        ;
        B, in BCSR(2,3), is converted to CSR
        ;
        ∀i
          ∀j
            C(i,j) = A(i,j) - B(i,j)
        """,
    ),
    (
        "C(i,j) = A(i,j) + B(i,j)", "RowMajor",
        {"A": ((4, 4), "DIA"), "B": ((4, 4), "RowMajor")}, {},
        """
        A, in DIA, is converted to CSR
        ;
        ∀i
          ∀j
            C(i,j) = A(i,j) + B(i,j)
        """,
    ),
    (
        "C(i,j)<M(i,j)> = A(i,j) + B(i,j)", "RowMajor",
        {"A": ((4, 4), "BCSR(2,2)"), "B": ((4, 4), "BCSR(2,2)"), "M": ((4, 4), "CSR")}, {},
        """
        A, in BCSR(2,2), is converted to CSR
        ;
        B, in BCSR(2,2), is converted to CSR
        ;
        ∀i
          ∀j
            C(i,j)<M(i,j)> = A(i,j) + B(i,j)
        """,
    ),
    (
        "C(i,j) = A(i,j) + x(j)", "RowMajor",
        {"A": ((4, 4), "dense,compressed,dense; (i,j)->(i//2,j,i%2)"), "x": ((4,), "SparseVector")}, {},
        """
        ∀io
          ∀j
            ∀ii
              C(i,j) = A(i,j) + x(j)
        """,
    ),
    (
        "y(i) = A(i,i)", "Dense",
        {"A": ((4, 4), "CSR")}, {},
        """
        ∀i
          ∀i1
            y(i) = A(i,i)
        """,
    ),
    (
        "y(i) = A(i,i)", "Dense",
        {"A": ((4, 4), "BCSR(2,2)")}, {},
        """
        A, in BCSR(2,2), is converted to CSR
        ;
        ∀i
          ∀i1
            y(i) = A(i,i)
        """,
    ),
    (
        "y(i) = A(i,j) * x(j)", "Dense",
        {"A": ((4, 5), "DIA"), "x": ((5,), "Dense")}, {},
        """
        ∀r
          ∀i
            ∀j
              y(i) += A(i,j) * x(j)
        """,
    ),
    (
        "C(i,j) = A(i,j) + 1", "RowMajor",
        {"A": ((4, 5), "DIA")}, {},
        """
        A, in DIA, is converted to CSR
        ;
        ∀i
          ∀j
            C(i,j) = A(i,j) + 1.0
        """,
    ),
    (
        "C(i,j) = max(A(i,j), -1)", "RowMajor",
        {"A": ((4, 5), "ELL")}, {},
        """
        ∀r
          ∀i
            ∀j
              C(i,j) = max(A(i,j), -1.0)
        """,
    ),
    (
        "C(i,j) = A(i,j) * 2", "BCSR(2,2)",
        {"A": ((4, 5), "CSR")}, {},
        """
        ∀io
          ∀jo
            ∀ii
              ∀ji
                C(i,j) = w(ii,j)
          where w:
            ∀ii
              ∀j
                w(ii,j) = A(i,j) * 2.0
        w (2, 5) accumulator,dense,bitmap; (i,j)->(j//2,i,j%2) float64 0.0
        """,
    ),
    (
        "C(i,j) = A(i,j) * 2", "BCSR(2,2)",
        {"A": ((4, 5), "BCSR(2,2)")}, {},
        """
        ∀io
          ∀jo
            ∀ii
              ∀ji
                C(i,j) = A(i,j) * 2.0
        """,
    ),
    (
        "C(i,j) = A(i,j) * 2", "BCSR(2,2)",
        {"A": ((4, 5), "BCSR(2,3)")}, {},
        """
        A, in BCSR(2,3), is converted to CSR
        ;
        ∀io1
          ∀jo1
            ∀ii1
              ∀ji1
                C(i,j) = w(ii1,j)
          where w:
            ∀ii1
              ∀j
                w(ii1,j) = A(i,j) * 2.0
        w (2, 5) accumulator,dense,bitmap; (i,j)->(j//2,i,j%2) float64 0.0
        """,
    ),
    (
        "y(i) = A(i,j) * x(j)", "Dense",
        {"A": ((4, 5), "COO"), "x": ((5,), "SparseVector")}, {},
        """
        ∀i
          ∀j
            y(i) += A(i,j) * x(j)
        """,
    ),
    (
        "R(i) = A(k,i,i)", "SparseVector",
        {"A": ((2, 3, 3), "CSF")}, {},
        """
        ∀i
          R(i) = w(i)
        where w:
          ∀k
            ∀i
              ∀i2
                w(i) += A(k,i,i)
        w (3,) accumulator float64 0.0
        """,
    ),
    (
        "y(j) = sum(k, sum(i, A(i,j,k) * D(j,i)))", "Dense",
        {"A": ((3, 4, 5), "compressed,dense,compressed"), "D": ((4, 3), "CSR")}, {},
        """
        ∀j
          ∀i
            ∀k
              y(j) += A(i,j,k) * D(j,i)
        """,
    ),
    (
        "C(i,j) = A(i,k) * B(k,j)", "DCSR",
        {"A": ((3, 4), "DCSR"), "B": ((4, 5), "DCSR")}, {},
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
        "y(i) = A(i,i)", "Dense",
        {"A": ((4, 4), "dense,compressed,dense; (i,j)->(i,j//2,j%2)")}, {},
        """
        A, in dense,compressed,dense; (i,j)->(i,j//2,j%2), is converted to CSR
        ;
        ∀i
          ∀i1
            y(i) = A(i,i)
        """,
    ),
    (
        "C(i,j) = A(i,k) * B(k,j)", "RowMajor",
        {"A": ((3, 4), "RowMajor"), "B": ((4, 5), "RowMajor")}, {},
        """
        ∀i
          ∀k
            ∀j
              C(i,j) += A(i,k) * B(k,j)
        """,
    ),
    (
        "C(i,j) = A(i,k) * B(k,j)", "RowMajor",
        {"A": ((3, 4), "RowMajor"), "B": ((4, 5), "ColumnMajor")}, {},
        """
        ∀i
          ∀j
            ∀k
              C(i,j) += A(i,k) * B(k,j)
        """,
    ),
    (
        "y(i) = A(i,j) * D(i,j)", "Dense",
        {"A": ((5, 4), "dense,compressed,dense; (i,j)->(j,i//2,i%2)"), "D": ((5, 4), "RowMajor")}, {},
        """
        ∀j
          ∀io
            ∀ii
              y(i) += A(i,j) * D(i,j)
        """,
    ),
    (
        "y(i) = sum(j, A(i,i) * B(j,i) * D(i,j))", "Dense",
        {"A": ((4, 4), "BCSR(2,2)"), "B": ((5, 4), "CSR"), "D": ((4, 5), "RowMajor")}, {},
        """
        A, in BCSR(2,2), is converted to CSR
        ;
        ∀j
          ∀i
            ∀i1
              y(i) += A(i,i) * B(j,i) * D(i,j)
        """,
    ),
    (
        "y(i) = A(i,j)", "Dense",
        {"A": ((4, 5), "DIA", "float64", 2.0)}, {},
        """
        ∀i
          y(i) = w(i) + copies_add(2.0, float64(5 - w1(i)))
        where w1:
          ∀r1
            ∀i
              ∀j
                w1(i)<$A(i,j)> += 1
        where w:
          ∀r
            ∀i
              ∀j
                w(i)<$A(i,j)> += A(i,j)
        w (4,) accumulator float64 0.0
        w1 (4,) accumulator int64 0
        """,
    ),
    (
        "y(i) = A(i,j) * B(j,i)", "Dense",
        {"A": ((4, 4), "BCSR(2,2)"), "B": ((4, 4), "CSR")}, {},
        """
        ∀io
          ∀jo
            ∀ji
              ∀ii
                y(i) += A(i,j) * B(j,i)
        """,
    ),
    (
        "y(i) = A(i,j) * B(j,i)", "Dense",
        {"A": ((4, 4), "BCSR(2,2)"), "B": ((4, 4), "BCSR(2,2)")}, {},
        """
        B, in BCSR(2,2), is converted to CSC
        ;
        ∀io1
          ∀jo1
            ∀ii1
              ∀ji1
                y(i) += A(i,j) * B(j,i)
        """,
    ),
    (
        "y(i) = A(i,j) * B(j,i) * c(i)", "Dense",
        {
            "A": ((4, 4), "CSR"),
            "B": ((4, 4), "dense,dense,dense,dense; (i,j)->(i//2,j//2,i%2,j%2)"),
            "c": ((4,), "SparseVector"),
        }, {},
        """
        ∀jo
          ∀io
            ∀ii
              ∀ji
                y(i) += A(i,j) * B(j,i) * c(i)
        """,
    ),
]  # fmt: skip


@pytest.mark.parametrize(("source", "out", "operands", "settings", "expected"), WORKED)
def test_worked_statements(
    lowered: Any, agreed: Any, source: str, out: str, operands: dict[str, Any], settings: dict[str, Any], expected: str
) -> None:
    assert lowered(source, out, operands, **settings) == dedent(expected).strip()
    agreed(source, out, operands, **settings)


def test_only_relations_that_are_used_are_recorded() -> None:
    a, b = (gn.tensor([[0], [0]], [1.0], (4, 6), format) for format in ("BCSR(2,2)", "BCSR(3,3)"))
    program = prepare("C(i,j) = A(i,j) * B(i,j)", {"A": a, "B": b}).program
    loops = set(indices(program.statement))
    splits = [split for v in "ij" for split in program.provenance.splits(v)]
    assert sorted((s.parent, s.factor) for s in splits) == [("i", 2), ("j", 2)]
    assert all({s.outer, s.inner} <= loops for s in splits)
    extents = dict(program.extents)
    assert all(extents[s.outer] * s.factor >= extents[s.parent] for s in splits)
    assert all((extents[s.outer] - 1) * s.factor < extents[s.parent] for s in splits)
    assert all(extents[s.inner] == s.factor for s in splits)
