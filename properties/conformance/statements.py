"""Rules about statements: terms, loop orders, lowering, updates, trees."""

from __future__ import annotations

from ...reference.storage.packing import tensor
from ..programs.problem import Problem
from .operands import DENSE, A, B, S, X, Y
from .rule import Cell, Rule, cells, problem_of, section, vector

CSC = A.convert("CSC")
BLOCKS = A.convert("BCSR(2,2)")
BITS = DENSE.convert("bitmap")
PRODUCT = "C(i,j) = A(i,k) * B(k,j)"
FIBERS = tensor([[0, 0, 2], [0, 1, 2], [2, 0, 1]], [1.0, 2.0, 3.0], (3, 3, 4), "CSF")
WORKSPACES = cells(("assembly", "through a workspace"))


def has_several_matrices(problem: Problem, found: frozenset[Cell]) -> bool:
    """Programs with several matrices, in whose storage orders the loops have to fit."""
    return sum(t.order > 1 for t in problem.operands.values()) > 1


RULES = (
    Rule("statement.term", "products through a workspace", typed=(problem_of(PRODUCT, "CSR", A=A, B=B),)),
    Rule(
        "statement.variable",
        "blocks, diagonals and ranks",
        typed=(
            problem_of("y(i) = A(i,j) * x(j)", A=BLOCKS, x=DENSE),
            problem_of("y(i) = A(i,j) * x(j)", A=A.convert("DIA"), x=DENSE),
            problem_of("y(i) = S(i,i)", S=S),
        ),
    ),
    Rule("statement.flags", "sums beside others", typed=(problem_of("y(i) = X(i) + A(j,i)", A=CSC, X=X),)),
    Rule(
        "statement.level",
        "levels in another order",
        typed=(problem_of("y(i) = A(i,j) * x(j)", A=CSC, x=DENSE), problem_of("C(i,j) = A(i,j)", "hashed,hashed", A=A)),
    ),
    Rule(
        "statement.path",
        "paths through several levels",
        typed=(problem_of("C(i,l) = T(i,j,k) * S(k,l)", T=FIBERS, S=B.convert("Dense")),),
    ),
    Rule(
        "statement.path.result",
        "results appended to in place",
        typed=(problem_of(PRODUCT, "CSR", A=A, B=B.convert("CSC")),),
    ),
    Rule("statement.order", "loop orders", has_several_matrices, (problem_of(PRODUCT, "CSR", A=A, B=B),)),
    Rule(
        "statement.contradiction",
        "contradicting orders",
        has_several_matrices,
        (problem_of("C(i,j) = A(i,j) + D(i,j)", "CSR", A=A, D=CSC),),
    ),
    Rule(
        "statement.lowering",
        "reductions over variables of one name",
        typed=(problem_of("y(i) = sum(j, A(i,j)) * max(j, A(i,j))", A=A),),
    ),
    Rule(
        "statement.nest",
        "reductions of two kinds",
        typed=(problem_of("y(i) = max(j, sum(k, A(i,k) * B(k,j)))", A=A, B=B),),
    ),
    Rule(
        "statement.reduction",
        "contributions that are no identity where missing",
        typed=(
            problem_of("y(i) = sum(j, A(i,j) + 1)", A=A),
            problem_of("y(i) max= A(i,j) - 10", A=A),
            problem_of("y(i) = prod(j, A(i,j))", "SparseVector", A=A),
        ),
    ),
    Rule(
        "statement.reduction.inner",
        "reductions inside expressions",
        typed=(problem_of("y(i) = X(i) * square(sum(j, A(j,i)))", "SparseVector", A=CSC, X=X),),
    ),
    Rule(
        "statement.contributions",
        "missing contributions that are folded at once",
        typed=(
            problem_of("y(i) = max(j, S(i,j) * S(i,j))", "SparseVector", S=S),
            problem_of("y(i) = sum(j, exp(A(j,i) - X(i)))", A=A, X=X),
            problem_of("s = min(i, min(j, K(i,j)))", K=BLOCKS),
        ),
    ),
    Rule(
        "statement.combine",
        "blocks beside others",
        typed=(
            problem_of("C(i,j) = K(i,j) + A(i,j)", "CSR", A=A, K=BLOCKS),
            problem_of("C(i,j) = K(i,j) * A(i,j)", "CSR", A=A, K=BLOCKS),
            problem_of("C(i,j) = K(i,j) - L(i,j)", "CSR", K=BLOCKS, L=BLOCKS),
        ),
    ),
    Rule(
        "statement.conversion",
        "operands in an order that contradicts others",
        typed=(
            problem_of("y(i) = K(i,i) + X(i)", K=S.convert("BCSR(2,1)"), X=vector({1: 4.0}, 2)),
            problem_of("C(i,j) = S(i,j) - S(j,i)", "CSR", S=S),
            problem_of("C(i,j)<$M(i,j)> += S(i,j)", "CSR", C=S.convert("DIA"), S=S, M=S.convert("CSC")),
        ),
    ),
    Rule("statement.workspace", "workspaces", WORKSPACES),
    Rule(
        "statement.workspace.format",
        "workspaces of two modes",
        typed=(problem_of(PRODUCT, "CSR", A=CSC, B=B),),
    ),
    Rule(
        "statement.sharing",
        "shared loops",
        WORKSPACES,
        (problem_of("C(i,j) = S(i,k) * T(k,j) + S(i,j)", "CSR", S=S, T=S),),
    ),
    Rule(
        "statement.mask",
        "masks that are copied",
        typed=(problem_of("C(i,j)<$M(i,j)> = S(i,k) * T(k,j)", "CSR", S=S, T=S, M=S),),
    ),
    Rule(
        "statement.packed",
        "results packed in the end",
        typed=(problem_of("C(i,j) = A(i,j)", "DIA", A=CSC),),
        needs=("structure",),
    ),
    Rule(
        "statement.update",
        "results that go on from previous contents",
        section("masked assignments"),
        (
            *(problem_of(f"y(i) {sign}= X(i)", "Dense", X=X, y=DENSE) for sign in ("+", "max", "*")),
            *(problem_of(f"y(i)<{kind}X(i),merge> = X(i)", "Dense", X=X, y=DENSE) for kind in ("", "$", "!$")),
        ),
    ),
    Rule(
        "statement.update.assigned",
        "masks that admit what is missing",
        typed=(
            problem_of("y(i)<$X(i),merge> = X(i)", "bitmap", X=X, y=BITS),
            problem_of("y(i)<$Y(i),merge> = X(i)", "bitmap", X=X, Y=Y, y=BITS),
        ),
        needs=("structure",),
    ),
    Rule(
        "statement.update.anew",
        "results built anew",
        typed=(problem_of("y(i) += X(i)", "SparseVector", X=X, y=Y), problem_of("y(i) *= X(i)", "Dense", X=X, y=DENSE)),
        needs=("structure",),
    ),
    Rule(
        "statement.update.merge",
        "both sides of a mask",
        typed=tuple(
            problem_of(f"y(i)<{kind}Y(i),merge> = X(i)", "SparseVector", X=X, Y=Y, y=vector({1: 1.0, 3: 2.0}))
            for kind in ("$", "!$")
        ),
        needs=("structure",),
    ),
    Rule(
        "statement.tree",
        "index trees of unions and intersections",
        has_several_matrices,
        (
            problem_of("C(i,j) = S(i,j) * T(i,j)", "CSR", S=S, T=S),
            problem_of("C(i,j) = S(i,j) + T(i,j)", "CSR", S=S, T=S),
        ),
    ),
    Rule(
        "statement.tree.domain",
        "domains of masks",
        typed=tuple(problem_of(f"y(i)<{kind}Y(i)> = X(i)", "SparseVector", X=X, Y=Y) for kind in ("", "!", "$", "!$")),
    ),
)
