"""What proofs of schedules are asked about: expressions, formats, a schedule, and a rule that is taken away."""

from __future__ import annotations

SPMV = "y(i) = A(i,j) * x(j)"
NONZEROS = "collapse(i,j,f),pos(f,p,A(i,j)),split(p,p0,p1,2)"
UNION = "C(i,j) = A(i,j) + B(i,j)"
SCALED = "C(i,j) = A(i,j) * 2"
CSR, BOTH = {"A": "CSR"}, {"A": "CSR", "B": "CSR"}


def accept(*_: object) -> None:
    """A rule that refuses nothing."""
