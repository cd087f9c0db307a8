"""Rules about execution: loops, workspaces, assignments, assembly, parallel loops."""

from __future__ import annotations

from ...reference.storage.packing import tensor
from .formats import DOUBLED, EMPTY_ROWS, TWICE
from .operands import DENSE, A, B, S, X, Y
from .rule import Rule, matrix, problem_of, vector

NEGATIVE = matrix([[-3, -1], [0, -5]])
ZEROS = vector({0: 0, 1: 2, 2: 1}, 3, "Dense", dtype="int64")
WHOLE = vector({0: 1, 1: 2, 2: 3}, 3, "Dense", dtype="int64")
CHOSEN = vector({0: 0.0, 1: 1.0}, 3)
MINUS = vector({0: -0.0, 1: -0.0}, 2, "Dense")
ZERO_ROW = tensor([[0], [0]], [0.0], (2, 2), "CSR")
ONE_ROW = matrix([[0, 0], [3, 4]])
COLUMN = matrix([[n] for n in range(1, 12)])
PRODUCT = "C(i,j) = A(i,k) * B(k,j)"

RULES = (
    Rule(
        "execute.begin",
        "results that nobody assigns to",
        typed=(problem_of("y(i) = E(i)", E=vector({})), problem_of("s = E(i)", E=vector({}))),
    ),
    Rule(
        "execute.value",
        "duplicates inside expressions",
        typed=(problem_of("y(i) = square(d(i)) - d(i)", d=DOUBLED),),
        refused=(problem_of("y(i) = floordiv(w(i), z(i))", w=WHOLE, z=ZEROS),),
    ),
    Rule(
        "execute.finish",
        "results without components",
        typed=(problem_of("C(i,j) = S(i,j) * E(i,j)", "DCSR", S=S, E=matrix([[0, 0], [0, 0]])),),
        needs=("structure",),
    ),
    Rule("execute.loop", "loops inside loops", typed=(problem_of("C(i,j) = A(i,k) * B(k,j)", A=A, B=B),)),
    Rule(
        "execute.visits",
        "visits by every strategy",
        typed=(
            problem_of("y(i) = x(i) * 2", x=DENSE),
            problem_of("y(i) = X(i) + x(i)", X=X, x=DENSE),
            problem_of("y(i) = X(i) * x(i)", X=X, x=DENSE),
            problem_of("y(i) = X(i) + Y(i)", X=X, Y=Y),
        ),
    ),
    Rule(
        "execute.iterator",
        "padding, and duplicates above others",
        typed=(problem_of("s = A(i,j)", A=A.convert("ELL")), problem_of("C(i,j) = A(i,j) + T(i,j)", A=A, T=TWICE)),
    ),
    Rule(
        "execute.place",
        "levels that wait for a loop",
        typed=(problem_of("C(i,j) = A(i,j) * D(j,i)", "CSR", A=A, D=B.convert("Dense")),),
    ),
    Rule(
        "execute.case",
        "cases of a union",
        typed=(problem_of("y(i) = max(X(i), Y(i)) + 1", X=X, Y=Y),),
    ),
    Rule(
        "execute.search",
        "positions of an operand in a workspace",
        typed=(
            problem_of(
                "y(i) = A(i,j) * x(j)",
                schedule="collapse(i,j,f),pos(f,p,A(i,j)),split(p,q,r,2),precompute(A(i,j),{r},{rw},w)",
                A=A,
                x=DENSE,
            ),
        ),
    ),
    Rule("execute.where", "a workspace for every row", typed=(problem_of(PRODUCT, "CSR", A=A, B=B),)),
    Rule(
        "execute.where.missing",
        "rows without contributions",
        typed=(problem_of("y(i) = x(i) + R(i,j)", x=MINUS, R=ZERO_ROW),),
    ),
    Rule(
        "execute.sequence",
        "both sides of a mask",
        typed=(problem_of("y(i)<X(i),merge> = Y(i)", "SparseVector", X=X, Y=Y, y=X),),
    ),
    Rule(
        "execute.assign",
        "first contributions",
        typed=(problem_of("y(i) = max(j, N(i,j))", N=NEGATIVE), problem_of("s = z(i)", z=MINUS)),
    ),
    Rule(
        "execute.assign.mask",
        "what a mask admits",
        typed=(
            *(problem_of(f"y(i)<{kind}m(i)> = w(i)", m=CHOSEN, w=WHOLE) for kind in ("", "!", "$", "!$")),
            problem_of("y(i)<m(i)> = floordiv(w(i), z(i))", m=CHOSEN, w=WHOLE, z=ZEROS),
        ),
    ),
    Rule(
        "execute.assign.missing",
        "contributions that are missing",
        typed=(problem_of("y(i) max= N(i,j)", N=NEGATIVE), problem_of("s = prod(i, X(i))", X=X)),
    ),
    Rule("execute.descend", "coordinates in the end", typed=(problem_of("C(i,j) = A(i,j)", "COO", A=A),)),
    Rule(
        "execute.append",
        "rows that hold nothing",
        typed=(problem_of("C(i,j) = 2 * R(i,j)", "DCSR", R=EMPTY_ROWS),),
        needs=("structure",),
    ),
    Rule(
        "execute.insert",
        "levels that fill up",
        typed=(
            problem_of("y(i) = K(i,j)", "HashVector", K=COLUMN),
            problem_of("y(i) = K(i,j)", "hashed(width=2)", K=COLUMN),
        ),
        needs=("structure",),
    ),
    Rule(
        "execute.continue",
        "previous contents",
        typed=(problem_of("y(i) += X(i)", "bitmap", X=X, y=DENSE.convert("bitmap")),),
    ),
    Rule(
        "execute.parallel",
        "iterations in any order",
        typed=(
            problem_of("C(i,j) = 2 * A(i,j)", "CSR", schedule="parallelize(i,CPUThread,NoRaces)", A=A),
            problem_of("s = A(i,j)", schedule="parallelize(i,CPUThread,Atomics)", A=A),
        ),
    ),
    Rule(
        "execute.conflict",
        "a race that does not happen",
        typed=(problem_of("s = A(i,j)", schedule="parallelize(i,CPUThread,IgnoreRaces)", A=ONE_ROW),),
    ),
)
