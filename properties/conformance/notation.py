"""Rules about how assignments are written: lexemes, grammar, well-formedness, coordinates, implicit sums."""

from __future__ import annotations

from ..programs.problem import Problem
from .operands import BYTES, DENSE, A, B, S, X, Y
from .rule import Cell, Rule, both, cells, every_program, problem_of, section, sparse_result, vector

DEEP = "y(i) = " + "(" * 200 + "x(i)" + ")" * 200
LONG = "y(i) = " + " + ".join(["X(i)"] * 40)
ADDED = vector({0: 10.0, 1: 20.0}, 3)
FILLED = (problem_of("y(i)<X(i)> = 3", X=X), problem_of("y(i) += 3", "SparseVector", y=X))


def has_parentheses(problem: Problem, found: frozenset[Cell]) -> bool:
    """Programs in which parentheses matter."""
    return "(" in problem.source.partition("=")[2] and "*" in problem.source


RULES = (
    Rule(
        "notation.lexemes",
        "lexemes",
        typed=(problem_of("y(i)\n = X( i )*2", X=X), problem_of("y(i) + = X(i)", X=X)),
        refused=(problem_of("y(i) = X(i) # 2", X=X), problem_of("y(i) = 2X(i)", X=X)),
    ),
    Rule(
        "notation.numbers",
        "numbers",
        typed=tuple(problem_of(f"y(i) = X(i) * {n}", X=X) for n in ("007", "2.", ".5", "1e-3", "2j", "-2", "- 2")),
        refused=(problem_of("y(i) = X(i) * 1e400", X=X),),
    ),
    Rule(
        "notation.assignment",
        "assignments",
        every_program,
        tuple(
            problem_of(f"y(i) = {e}", X=X, Y=Y)
            for e in ("X(i) - Y(i) - X(i)", "8 / 4 / 2 * X(i) + Y(i)", "-X(i) * Y(i)")
        ),
        (problem_of("y(i) = X(i) Y(i)", X=X, Y=Y), problem_of("y(i) = A(i,)", A=A), problem_of("y(i) = X(0)", X=X)),
    ),
    Rule(
        "notation.names",
        "names",
        typed=(problem_of("y(i) = lor(X(i), Y(i))", X=X, Y=Y), problem_of("sum(max) = plus(max)", plus=X)),
        refused=(problem_of("y(i) = foo(X(i))", X=X),),
    ),
    Rule(
        "notation.reductions",
        "reductions",
        section("reductions"),
        (
            problem_of("y(k) = min((k), X(k))", X=X),
            problem_of("s = max(k, X(k))", X=X),
            problem_of("s = prod(k, X(k))", X=X),
        ),
        (problem_of("s = sum(X(k))", X=X), problem_of("y(i) -= X(i)", X=X)),
    ),
    Rule(
        "notation.masks",
        "how masks are written",
        section("masks"),
        (problem_of("y(i)<Y(i)> = X(i)", X=X, Y=Y), problem_of("y(i)<!$Y(i)> = X(i)", X=X, Y=Y)),
        (problem_of("y(i)<$!Y(i)> = X(i)", X=X, Y=Y), problem_of("y(i)<Y(i),keep> = X(i)", X=X, Y=Y)),
    ),
    Rule(
        "notation.depth",
        "depth",
        typed=(problem_of("y(i) = " + "-" * 40 + "X(i)", X=X), problem_of(LONG, X=X)),
        refused=(problem_of(DEEP, x=X),),
    ),
    Rule(
        "notation.printing",
        "spelling",
        has_parentheses,
        (problem_of("y( i )=((X(i))*(Y(i)))+( 1 )", X=X, Y=Y), problem_of("y(i) = - - X(i) - -Y(i)", X=X, Y=Y)),
    ),
    Rule(
        "notation.coordinates",
        "index variables as values",
        cells(("oddities", "a coordinate")),
        (
            problem_of("C(i,j) = A(i,j) * (j - i)", "CSR", A=A),
            problem_of("y(i)<i> = X(i)", X=X),
            problem_of("y(i) = A(i,j) * j", "SparseVector", "min_second", A=A),
        ),
    ),
    Rule(
        "notation.coordinates.extent",
        "extents of index variables as values",
        cells(("oddities", "a coordinate")),
        refused=(problem_of("y(i) = X(j) * i", X=X), problem_of("y(i) = X(i) * i + i(j)", X=X, i=Y)),
    ),
    Rule(
        "notation.coordinates.sums",
        "sums of index variables as values",
        typed=(problem_of("y(i) = A(i,j) * j", A=A), problem_of("y(i) = max((i), X(i))", X=X)),
    ),
    Rule(
        "notation.operands",
        "operands",
        typed=(problem_of("y(i) = S(i,i)", S=S),),
        refused=(
            problem_of("y(i) = A(i)", A=A),
            problem_of("y(i) = X(i) + Z(i)", X=X),
            problem_of("y(i) = X(i)", X=X, Z=Y),
        ),
    ),
    Rule(
        "notation.variables",
        "variables",
        both(section("operators"), sparse_result),
        (problem_of("y(i) = X(i) + Y(i)", X=X, Y=Y), problem_of("y(i) = A(i,j) * x(j)", A=A, x=DENSE), *FILLED),
        (problem_of("y(i,j) = X(i)", X=X), problem_of("y(i,i) = A(i,j)", A=A), problem_of("y(i) = 3")),
    ),
    Rule(
        "notation.extents",
        "extents",
        typed=(problem_of("s = sum(k, X(k)) * sum(k, a(k))", X=X, a=ADDED),),
        refused=(problem_of("y(i) = A(i,j) * B(i,j)", A=A, B=B), problem_of("y(i) = A(i,i)", A=A)),
    ),
    Rule(
        "notation.scopes",
        "scopes",
        typed=(problem_of("y(i) = sum(j, A(i,j)) * sum(j, A(i,j))", A=A),),
        refused=(
            problem_of("y(i) = sum(j, A(i,j)) * X(j)", A=A, X=X),
            problem_of("y(i) = sum(i, A(i,j))", A=A),
            problem_of("y(i) = X(i) * sum(k, Y(i))", X=X, Y=Y),
        ),
    ),
    Rule(
        "notation.result",
        "results",
        typed=(problem_of("i(i) = X(i)", X=X),),
        refused=(problem_of("X(i) = X(i) + Y(i)", X=X, Y=Y),),
    ),
    Rule(
        "notation.previous",
        "previous contents",
        cells(("oddities", "previous contents")),
        (problem_of("y(i) += X(i)", X=X, y=Y), problem_of("y(i) max= X(i)", "SparseVector", X=X, y=Y)),
        (problem_of("y(i) = X(i)", X=X, y=Y), problem_of("y(i)<X(i),merge> = X(i)", X=X)),
    ),
    Rule(
        "notation.previous.dtype",
        "dtypes beside previous contents",
        typed=(problem_of("y(i) += BYTES(i)", BYTES=BYTES, y=Y), problem_of("y(i) += BYTES(i)", BYTES=BYTES)),
        refused=(problem_of("y(i) min= c(i)", c=vector({0: 1}, dtype="complex128")),),
        needs=("dtype",),
    ),
    Rule(
        "notation.previous.fill",
        "fills beside previous contents",
        typed=(
            problem_of("y(i) max= X(i)", X=X),
            problem_of("y(i) *= X(i)", X=X),
            problem_of("y(i) *= X(i)", X=X, y=Y),
        ),
    ),
    Rule(
        "notation.sums.order",
        "the order of implicit sums",
        typed=(problem_of("s = X(j) * S(i,j) + X(j)", X=vector({0: 2.0}, 2), S=S),),
    ),
    Rule(
        "notation.sums.place",
        "implicit sums",
        cells(("oddities", "implicit sums")),
        (
            problem_of("y(i) = A(i,j) * x(j) + c(i)", A=A, x=DENSE, c=ADDED),
            problem_of("y(i) = -A(i,j) / c(i)", A=A, c=ADDED),
        ),
    ),
    Rule(
        "notation.sums.addends",
        "sums over addends",
        typed=(
            problem_of("y(i) = c(i) + A(i,j) * x(j) - c(i) - A(i,j)", A=A, x=DENSE, c=ADDED),
            problem_of("y(i) = c(i) - A(i,j) - A(i,j)", A=A, c=ADDED),
            problem_of("y(i) = A(i,j) + 2 * (c(i) + A(i,j))", A=A, c=ADDED),
        ),
    ),
    Rule(
        "notation.sums.factors",
        "sums over factors",
        typed=(
            problem_of("y(i) = (A(i,j) + c(i)) * 2", A=A, c=ADDED),
            problem_of("y(i) = A(i,j) * c(i) * x(j)", A=A, x=DENSE, c=ADDED),
        ),
        refused=(problem_of("y(i) = c(i) * A(i,j)", "Dense", "plus_pair", A=A, c=ADDED),),
    ),
    Rule(
        "notation.sums.whole",
        "whole right sides",
        section("reduction assignments"),
        (problem_of("y(i) min= A(i,j) + x(j)", A=A, x=X),),
    ),
    Rule(
        "notation.sums.ambiguous",
        "ambiguous sums",
        typed=(problem_of("y(i) = max(sum(j, A(i,j)), 2)", A=A),),
        refused=(
            problem_of("y(i) = sqrt(A(i,j))", A=A),
            problem_of("y(i) = 2 / A(i,j)", A=A),
            problem_of("y(i) = (A(i,j) + c(i)) * (X(j) + c(i))", A=A, X=X, c=ADDED),
        ),
    ),
)
