"""Rules about what expressions are: assignments, implicit reductions, types, semirings."""

from __future__ import annotations

from ..programs.problem import Problem
from .rule import Cell, Rule, both, cells, every_program, matrix, problem_of, section, sparse_result, vector

A = matrix([[1, 0, 2, 0], [0, 0, 0, 0], [0, 3, 0, 4]])
B = matrix([[0, 5, 0], [1, 0, 0], [0, 0, 2], [0, 7, 0]])
S = matrix([[2, 1], [0, 3]])
X = vector({0: 2.0, 2: -1.0})
Y = vector({0: 3.0, 1: 5.0})
DENSE = vector({0: 1.0, 1: 2.0, 2: 3.0, 3: 4.0}, format="Dense")
ABSENT = vector({0: 5, 1: 127, 2: 127, 3: 127}, format="Dense", dtype="int8", fill=127)
BYTES = vector({0: 100, 1: 100, 2: 100}, dtype="int8")
DEEP = "y(i) = " + "(" * 200 + "x(i)" + ")" * 200


def has_parentheses(problem: Problem, found: frozenset[Cell]) -> bool:
    """Programs in which parentheses matter."""
    return "(" in problem.source.partition("=")[2] and "*" in problem.source


def small_sums(problem: Problem, found: frozenset[Cell]) -> bool:
    """Sums of numbers that widen."""
    narrow = {t.dtype.name for t in problem.operands.values()} & {"bool", "int8", "uint8", "int16", "uint16", "int32"}
    return bool(narrow) and ("reductions", "add") in found


def mixes_dtypes(problem: Problem, found: frozenset[Cell]) -> bool:
    """Operands of several dtypes, or numbers beside them."""
    return not found.isdisjoint({("oddities", "several dtypes"), ("oddities", "a number")})


SEMIRING = section("semirings")
RULES = (
    Rule("notation.assignment", "assignments", every_program),
    Rule(
        "notation.printing",
        "spelling",
        has_parentheses,
        (problem_of("y( i )=((X(i))*(Y(i)))+( 1 )", X=X, Y=Y), problem_of("y(i) = - - X(i) - -Y(i)", X=X, Y=Y)),
    ),
    Rule(
        "notation.variables",
        "variables and extents",
        both(section("operators"), sparse_result),
        (problem_of("y(i) = X(i) + Y(i)", X=X, Y=Y), problem_of("y(i) = A(i,j) * x(j)", A=A, x=DENSE)),
        (
            problem_of("y(i,j) = X(i)", X=X),
            problem_of("y(i) = A(i,j) * B(i,j)", A=A, B=B),
            problem_of("X(i) = X(i) + Y(i)", X=X, Y=Y),
            problem_of("y(i) = A(i)", A=A),
            problem_of("y(i) = X(i) + Z(i)", X=X),
        ),
    ),
    Rule(
        "notation.previous",
        "previous contents",
        cells(("oddities", "previous contents")),
        (problem_of("y(i) += X(i)", X=X, y=Y), problem_of("y(i) max= X(i)", X=X)),
        (problem_of("y(i) = X(i)", X=X, y=Y),),
    ),
    Rule(
        "notation.depth",
        "depth",
        typed=(problem_of("y(i) = " + "-" * 40 + "X(i)", X=X),),
        refused=(problem_of(DEEP, x=X),),
    ),
    Rule(
        "notation.coordinates",
        "index variables as values",
        cells(("oddities", "a coordinate")),
        (
            problem_of("y(i) = A(i,j) * j", A=A),
            problem_of("C(i,j) = A(i,j) * (j - i)", "CSR", A=A),
            problem_of("y(i) = A(i,j) * j", "SparseVector", "min_second", A=A),
        ),
        (problem_of("y(i) = X(j) * i", X=X), problem_of("y(i) = X(i) * i + i(j)", X=X, i=Y)),
    ),
    Rule(
        "notation.sums.place",
        "implicit sums",
        cells(("oddities", "implicit sums")),
        (problem_of("y(i) = A(i,j) * x(j) + c(i)", A=A, x=DENSE, c=vector({0: 10.0, 1: 20.0}, 3)),),
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
        refused=(problem_of("y(i) = sqrt(A(i,j))", A=A), problem_of("y(i) = 2 / A(i,j)", A=A)),
    ),
    Rule("type.promotion", "promotion", mixes_dtypes, needs=("dtype",)),
    Rule(
        "type.widening",
        "widening",
        small_sums,
        (problem_of("s = BYTES(i)", BYTES=BYTES), problem_of("y(i) = BYTES(i) / 2", BYTES=BYTES)),
        needs=("dtype",),
    ),
    Rule(
        "type.overflow",
        "integers without a value",
        typed=(problem_of("y(i) = BYTES(i) - 1", BYTES=BYTES),),
        refused=(problem_of("y(i) = floordiv(BYTES(i), 0)", BYTES=BYTES),),
    ),
    Rule(
        "semiring.presence",
        "presence",
        SEMIRING,
        (problem_of("y(i) = A(i,j) * x(j)", "SparseVector", "min_plus", A=A, x=X),),
    ),
    Rule(
        "semiring.fill.operand",
        "dense operands",
        SEMIRING,
        (
            problem_of(
                "y(i) = x(i) + X(i)", "Dense", "min_plus", X=X, x=vector({1: 2.0}, format="Dense", fill=float("inf"))
            ),
        ),
        (problem_of("y(i) = x(i) + X(i)", "Dense", "min_plus", X=X, x=DENSE),),
    ),
    Rule(
        "semiring.operators",
        "other operators",
        SEMIRING,
        refused=(
            problem_of("y(i) = X(i) - Y(i)", "Dense", "min_plus", X=X, Y=Y),
            problem_of("y(i) = abs(X(i))", "Dense", "or_and", X=X),
        ),
    ),
    Rule(
        "semiring.any", "any", cells(("semirings", "any_pair"), ("semirings", "any_first"), ("semirings", "any_second"))
    ),
    Rule(
        "semiring.promotion",
        "promotion of what is absent",
        typed=(problem_of("y(i) += x(i)", "Dense", "min_plus", x=X, y=vector({0: 5}, dtype="int8", fill=127)),),
        refused=(
            problem_of("y(i) += x(i)", "Dense", "min_plus", x=X, y=ABSENT),
            problem_of("y(i) = x(i) + Z(i)", "Dense", "min_plus", x=X, Z=ABSENT),
        ),
    ),
    Rule("semiring.fill.result", "fills of results", both(SEMIRING, sparse_result)),
    Rule("semiring.names", "names", SEMIRING),
    Rule(
        "semiring.places",
        "products that are places",
        every_program,
        (
            *(
                problem_of("y(i) = A(i,j) * x(j)", "SparseVector", ring, A=A, x=X)
                for ring in ("min_firstj", "any_secondi")
            ),
            problem_of("y(j) = x(i) * A(j,i)", "SparseVector", "min_firstj", A=A, x=X),
            problem_of("C(i,j) = A(i,k) * A(j,k)", "CSR", "plus_secondi1", A=A),
        ),
        refused=(problem_of("y(i) = (A(i,j) + A(i,j)) * x(j)", "Dense", "min_firstj", A=A, x=X),),
    ),
)
