"""Problems that schedules are given to."""

from __future__ import annotations

from ..programs.problem import Problem
from .operands import CUBE, DENSE, A, B, X, Y
from .rule import Cell, cells, matrix, problem_of, section, vector

SQUARE = matrix([[0, 1, 0], [2, 0, 0], [0, 3, 4]], "CSR")
SPMV = problem_of("y(i) = A(i,j) * x(j)", A=A, x=DENSE)
SCALED = problem_of("y(i) = A(i,j) * 2 * x(j)", A=A, x=DENSE)
SUM = problem_of("s = A(i,j)", A=A)
ADDITION = problem_of("C(i,j) = A(i,j) + D(i,j)", "CSR", A=A, D=A)
PRODUCT = problem_of("C(i,j) = A(i,k) * B(k,j)", "CSR", A=A, B=B)
HALVED = problem_of("C(i,j) = A(i,j) / 2", "CSR", A=A)
DOUBLE = problem_of("y(i) = x(i) + x(i)", x=DENSE)
ROWS = problem_of("C(i,j) = A(i,k) * B(k,j)", A=A, B=B.convert("RowMajor"))
UNION = problem_of("y(i) = X(i) + Y(i)", X=X, Y=Y)
UNSORTED = problem_of("y(i) = x(i)", "SparseVector", x=X.convert("compressed(unordered)"))
CHAIN = problem_of("C(i,l) = D(i,j) * E(j,k) * F(k,l)", D=A, E=B, F=A.convert("Dense"))
MATRICES = problem_of(CHAIN.source, D=A.convert("Dense"), E=B.convert("Dense"), F=A.convert("Dense"))
SPARSE_CENTRE = problem_of(CHAIN.source, D=A.convert("Dense"), E=B, F=A.convert("Dense"))
MERGED = problem_of(SPMV.source, A=A, x=DENSE.convert("SparseVector"))
DOTS = problem_of(PRODUCT.source, "CSR", A=A, B=B.convert("CSC"))
MASKED = problem_of("C(i,j)<$M(i,j)> = A(i,k) * B(k,j)", "CSR", A=A, B=B.convert("Dense"), M=SQUARE)
EXCLUDED = problem_of("C(i,j)<!$M(i,j)> = A(i,k) * B(k,j)", "CSR", A=A, B=B, M=SQUARE)
INSERTED = problem_of(EXCLUDED.source, "hashed,hashed", A=A, B=B, M=SQUARE)
SAMPLED = problem_of(
    "C(i,j) = A(i,j) * D(i,k) * B(j,k)", "CSR", A=A, D=SQUARE.convert("RowMajor"), B=B.convert("RowMajor")
)
KEPT = problem_of("C(i,j)<M(i,j),merge> = A(i,k) * B(k,j)", "CSR", A=A, B=B, M=SQUARE, C=SQUARE)
OWN = problem_of("y(i)<lt(y(i), 0),merge> = x(i)", "SparseVector", y=X, x=DENSE)
PULLED = problem_of(MASKED.source, "CSR", A=A, B=B.convert("CSC"), M=SQUARE)
ROWS_MASKED = problem_of("C(i,j)<$M(i,j)> = A(i,j) * A(i,j)", "CSR", A=A, M=SQUARE)
OUTER = problem_of(PRODUCT.source, "CSR", A=A.convert("CSC"), B=B)
SLICES = problem_of("T(i,j,k) = A(l,i) * B(l,j,k)", "CSF", A=A, B=CUBE)
COLLAPSED = "collapse(j,k,f),precompute(A(l,i) * B(l,j,k),{i,f},{iw,fw},w)"
COLLAPSED_ALL = "collapse(i,j,f),collapse(f,k,g),precompute(A(l,i) * B(l,j,k),{g},{gw},w)"
FUSED = "reorder(i,j,k,l),loopfuse({},2,left,t)"
GAPS = problem_of("C(i,k) = A(i,j) * D(j,k)", "CSR", A=A, D=B.convert("Dense"))
ROW = "precompute(A(i,j)*D(j,k),{k},{k},w)"
GUSTAVSON = "reorder(i,k,j),precompute(A(i,k)*B(k,j),{j},{jw},w)"
TILES = "collapse(i,j,f),pos(f,p,A(i,j)),split(p,p0,p1,2)"
GRID = "split(i,i0,i1,2),split(j,j0,j1,2),reorder(i0,j0,i1,j1)"
TILED = problem_of("C(i,j) = A(i,j)", A=B.convert("Dense"))
TURNED = problem_of("y(i) = D(i,j) * x(j)", D=A.convert("Dense"), x=DENSE)
TWICE = problem_of("y(i) = A(i,j) * A(i,k)", A=A)
THREE = problem_of("y(i) = A(i,j) * x(j) * z(j)", A=A, x=DENSE, z=DENSE)
LISTED = problem_of(SPMV.source, A=A.convert("COO"), x=DENSE)
BLOCKS = problem_of(SPMV.source, A=A.convert("BCSR(2,2)"), x=DENSE)
DOUBLED = problem_of("C(i,j) = 2 * sum(k, A(i,k) * B(k,j))", A=A.convert("Dense"), B=B.convert("Dense"))
NEGATED = problem_of("C(i,j) = -sum(k, A(i,k) * B(k,j))", A=A.convert("Dense"), B=B.convert("Dense"))
CLIPPED = problem_of("y(i) = max(sum(k, A(i,k)), 1)", A=A.convert("Dense"))
UNIFORM = problem_of(
    "y(i) = prod(j, A(i,j) * z(i))", A=A.convert("Dense"), z=vector({0: 1.0, 1: 2.0, 2: 3.0}, 3, "Dense")
)


def by(problem: Problem, schedule: str) -> Problem:
    """The problem with a schedule."""
    return problem.with_schedule(schedule)


def several(problem: Problem, found: frozenset[Cell]) -> bool:
    """Programs with three commands or more."""
    return len(problem.schedule.commands) > 2


THREADS = cells(("parallel units", "CPUThread"))
SCHEDULED = section("commands")
