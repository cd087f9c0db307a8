"""Rules about loops: what is left where operands are missing, merge lattices, strategies, the loop plan."""

from __future__ import annotations

from ...reference.storage.packing import tensor
from ..campaign.coverage import MERGES
from .denotation import FILLED
from .formats import DOUBLED, TWICE
from .operands import DENSE, A, X, Y
from .rule import Rule, cells, problem_of, vector

BITS = vector({1: 3.0, 2: 0.0}, format="bitmap")
HASHED = vector({3: 4.0, 1: 2.0}, format="HashVector")
Z = vector({2: 7.0, 3: 8.0})
CUBE, OTHER_CUBE = (
    tensor([[0, 0, 0, 1, 1], js, ks], [1.0, -2.0, 3.0, 4.0, 5.0], (2, 3, 4), "COO")
    for js, ks in (([0, 0, 2, 1, 1], [1, 3, 0, 0, 2]), ([0, 0, 1, 1, 2], [1, 2, 0, 2, 0]))
)
SPMV = "y(i) = A(i,j) * x(j)"
TILES = "collapse(i,j,f),pos(f,p,A(i,j)),split(p,p0,p1,2)"

RULES = (
    Rule(
        "loop.substitute.expression",
        "what is left of expressions",
        typed=(
            problem_of("y(i) = X(i) * 2 + min(Y(i), F(i))", "SparseVector", X=X, Y=Y, F=FILLED),
            problem_of("y(i) = 0 - X(i) - Y(i)", "SparseVector", X=X, Y=Y),
        ),
    ),
    Rule(
        "loop.substitute.assignment",
        "assignments that change nothing",
        typed=(problem_of("y(i) max= A(i,j)", A=A), problem_of("y(i) += A(i,j)", "SparseVector", A=A)),
    ),
    Rule(
        "loop.substitute.mask",
        "masks that are missing",
        typed=tuple(problem_of(f"y(i)<{kind}Y(i)> = X(i) + 1", "SparseVector", X=X, Y=Y) for kind in ("", "!$")),
    ),
    Rule(
        "loop.substitute.statement",
        "workspaces that are missing",
        typed=(problem_of("y(i) = X(i) * sum(j, A(j,i))", "SparseVector", A=A.convert("CSC"), X=X),),
    ),
    Rule(
        "loop.sparse",
        "levels that become known at once",
        typed=(problem_of("y(i) = A(i,j) * x(j)", A=A.convert("BCSR(2,2)"), x=DENSE),),
    ),
    Rule("loop.lattice.point", "unions and intersections", cells(("merge strategies", MERGES[3]))),
    Rule(
        "loop.lattice.operators",
        "operators of two operands",
        typed=tuple(
            problem_of(f"y(i) = {value}", "SparseVector", X=X, Y=Y)
            for value in ("X(i) - Y(i)", "X(i) / Y(i)", "max(X(i), Y(i))", "or(X(i), Y(i))", "pow(X(i), Y(i))")
        ),
    ),
    Rule(
        "loop.lattice.empty",
        "whole extents",
        cells(("merge strategies", MERGES[1]), ("merge strategies", MERGES[0])),
        (problem_of("y(i) = x(i) + 1", x=X),),
    ),
    Rule(
        "loop.presence",
        "presence of several operands",
        typed=(problem_of("y(i) = X(i) * (Y(i) + Z(i)) + X(i) * Z(i)", "SparseVector", X=X, Y=Y, Z=Z),),
        needs=("structure",),
    ),
    Rule(
        "loop.extent",
        "dense operands alongside",
        typed=(problem_of("y(i) = X(i) + x(i)", X=X, x=DENSE), problem_of("y(i) = X(i) * x(i)", X=X, x=DENSE)),
    ),
    Rule("loop.locate", "located operands", cells(("merge strategies", MERGES[4]))),
    Rule(
        "loop.scan",
        "bitmaps",
        typed=(problem_of("y(i) = b(i) + X(i)", X=X, b=BITS), problem_of("y(i) = 2 * b(i)", "SparseVector", b=BITS)),
    ),
    Rule(
        "loop.coiterate",
        "reordered and deduplicated operands",
        cells(("merge strategies", MERGES[5]), ("merge strategies", MERGES[6])),
        (problem_of("y(i) = h(i) + d(i)", h=HASHED, d=DOUBLED),),
    ),
    Rule(
        "loop.fuse",
        "fused loops",
        cells(("merge strategies", MERGES[7])),
        (problem_of(SPMV, A=TWICE, x=DENSE), problem_of("y(i) = sum(j, square(A(i,j)))", A=TWICE)),
    ),
    Rule(
        "loop.fuse.merge",
        "chains of levels merged at once",
        cells(("merge strategies", MERGES[9])),
        (
            problem_of("C(i,j,k) = D(i,j,k) - E(i,j,k)", "COO", D=CUBE, E=OTHER_CUBE),
            problem_of("y(i,j) = sum(k, max(D(i,j,k), E(i,j,k)))", D=CUBE, E=OTHER_CUBE),
        ),
    ),
    Rule(
        "loop.body",
        "empty fibers",
        cells(("merge strategies", MERGES[8])),
        (problem_of("C(i,j) = A(i,j) + D(i,j) * E(i,j)", "CSR", A=A, D=A, E=TWICE),),
    ),
    Rule(
        "loop.range",
        "tiles that are cut off",
        typed=(problem_of(SPMV, schedule="split(i,i0,i1,2)", A=A, x=DENSE),),
    ),
    Rule("loop.expand", "tiles of positions", typed=(problem_of(SPMV, schedule=TILES, A=A, x=DENSE),)),
    Rule(
        "loop.guard",
        "windows that hold others too",
        typed=(
            problem_of("C(i,j) = A(i,j) * 2", schedule="split(i,i0,i1,2),split(j,j0,j1,3),reorder(i0,j0,i1,j1)", A=A),
        ),
    ),
    Rule(
        "loop.window",
        "tiles in which a row begins and ends",
        typed=(problem_of("s = A(i,j) * A(i,j)", schedule=TILES, A=A),),
    ),
    Rule(
        "loop.rounds",
        "iterators that end before others",
        typed=(
            problem_of("y(i) = X(i) + Y(i) * Z(i)", "SparseVector", X=X, Y=Y, Z=Z),
            problem_of("y(i)<!$Y(i)> = X(i)", "SparseVector", X=X, Y=Y),
        ),
    ),
)
