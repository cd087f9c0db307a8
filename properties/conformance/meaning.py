"""Rules about what expressions mean: expressions, implicit reductions, types, fill, denotation, semirings."""

from __future__ import annotations

from ...reference.algebra.operators import OPERATORS
from ...reference.storage.packing import tensor
from ..programs.problem import Problem
from .rule import Cell, Rule, both, cells, every_program, matrix, problem_of, section, sparse_result, vector

A = matrix([[1, 0, 2, 0], [0, 0, 0, 0], [0, 3, 0, 4]])
B = matrix([[0, 5, 0], [1, 0, 0], [0, 0, 2], [0, 7, 0]])
S = matrix([[2, 1], [0, 3]])
X = vector({0: 2.0, 2: -1.0})
Y = vector({0: 3.0, 1: 5.0})
SEEN = vector({0: 1.0, 1: 1.0, 2: 0.0})
DENSE = vector({0: 1.0, 1: 2.0, 2: 3.0, 3: 4.0}, format="Dense")
FILLED = vector({1: 5.0}, fill=2.0)
SIGNED = vector({0: 0.0, 1: -0.0, 2: 0.0, 3: -0.0}, format="Dense")
INFINITE = vector({0: float("inf"), 1: float("inf"), 2: float("-inf"), 3: 1.0}, format="Dense")
CANCELLED = tensor([[0, 0, 0, 2]], [1e16, 1.0, -1e16, 2.0], (4,), "compressed(nonunique,unordered)")
COMPLEX = tensor([[0, 1, 2]], [complex(0.1, float("inf")), 0.2 + 1j, 0.3], (4,), "SparseVector")
ABSENT = vector({0: 5, 1: 127, 2: 127, 3: 127}, format="Dense", dtype="int8", fill=127)
NANS = vector({0: float("inf"), 1: float("nan"), 3: 1.0})
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


def filled_operators(problem: Problem, found: frozenset[Cell]) -> bool:
    """Operators with an identity or an annihilator on operands with other fills."""
    algebra = {name for name, o in OPERATORS.items() if o.left_identity or o.left_annihilator}
    return ("oddities", "a fill") in found and any(s == "operators" and name in algebra for s, name in found)


def all_missing(problem: Problem, found: frozenset[Cell]) -> bool:
    """Programs in which everything may be missing."""
    return ("oddities", "no component") in found


def rounding(problem: Problem, found: frozenset[Cell]) -> bool:
    """Sums and products in floating point."""
    return problem.dtype.kind in "fc" and not found.isdisjoint({("reductions", "add"), ("reductions", "mul")})


def products_over_sums(problem: Problem, found: frozenset[Cell]) -> bool:
    """Products and sums where infinities or NaN occur."""
    odd = ("oddities", "infinities or NaN") in found
    return odd and ("operators", "mul") in found and ("reductions", "add") in found


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
    Rule("denote.fill", "fill", cells(("oddities", "a fill")), (problem_of("y(i) = F(i) + X(i)", F=FILLED, X=X),)),
    Rule(
        "denote.missing.operand",
        "identities and annihilators",
        filled_operators,
        (problem_of("y(i) = F(i) * X(i)", F=FILLED, X=X),),
    ),
    Rule(
        "denote.missing.all",
        "all missing",
        all_missing,
        (problem_of("y(i) = X(i) + Y(i)", "SparseVector", X=vector({}), Y=vector({})),),
    ),
    Rule(
        "denote.present",
        "IEEE on what is present",
        cells(("oddities", "infinities or NaN")),
        (problem_of("y(i) = N(i) * X(i)", N=NANS, X=X),),
    ),
    Rule("denote.value", "exact values", section("operators")),
    Rule(
        "denote.structure",
        "structure",
        sparse_result,
        (problem_of("y(i) = X(i) - X(i)", "SparseVector", X=X),),
        needs=("structure",),
    ),
    Rule("mask.excluded", "masks", section("masks")),
    Rule("denote.agreement.bound", "error bounds", rounding),
    Rule(
        "mask.merge",
        "masks that merge or replace",
        section("masked assignments"),
        tuple(
            problem_of(f"y(i)<{kind}V(i),{rest}> {sign} X(i)", "SparseVector", V=SEEN, X=X, y=Y)
            for kind in ("", "!$")
            for sign, rest in (("=", "merge"), ("+=", "merge"), ("+=", "replace"))
        ),
        (problem_of("y(i)<V(i),merge> = X(i)", V=SEEN, X=X),),
    ),
    Rule(
        "mask.value",
        "masks that are expressions",
        cells(("oddities", "a mask that is an expression")),
        (
            *(problem_of(f"C(i,j)<{kind}(i,j)> = A(i,j)", "CSR", A=A) for kind in ("tril", "triu", "diag", "offdiag")),
            *(problem_of(f"y(i)<{kind}lt(X(i), 1)> = X(i)", "SparseVector", X=X) for kind in ("", "!")),
        ),
        (problem_of("y(i)<1> = X(i)", X=X), problem_of("y(i)<sum(k, Y(k))> = X(i)", X=X, Y=Y)),
    ),
    Rule(
        "mask.target",
        "masks that read their own target",
        cells(("oddities", "a mask that reads previous contents")),
        tuple(
            problem_of(f"y(i)<{kind}y(i),{rest}> {sign} X(i)", "SparseVector", X=X, y=SEEN)
            for kind in ("", "!", "$", "!$")
            for sign, rest in (("=", "merge"), ("=", "replace"), ("+=", "merge"))
        ),
        (problem_of("y(i)<!$y(i)> = X(i)", X=X),),
    ),
    Rule(
        "denote.agreement.distributed",
        "products over sums",
        products_over_sums,
        (problem_of("y(i) = N(i) * sum(j, x(j))", N=NANS, x=X),),
    ),
    Rule(
        "denote.agreement.zeros",
        "zeros of either sign",
        cells(("oddities", "infinities or NaN")),
        (
            problem_of("y(i) = N(i) / z(i)", N=INFINITE, z=SIGNED),
            problem_of("y(i) = floordiv(N(i), z(i))", N=INFINITE, z=SIGNED),
        ),
    ),
    Rule(
        "mask.undecided",
        "masks that rounding decides",
        typed=(problem_of("y(i)<m(i)> = x(i)", "SparseVector", m=CANCELLED, x=DENSE),),
    ),
    Rule(
        "denote.agreement.complex",
        "parts of complex numbers",
        typed=(
            problem_of("s = real(sum(i, C(i)))", C=COMPLEX),
            problem_of("s = abs(sum(i, C(i)))", C=COMPLEX),
            problem_of("y(i) = C(i) / z(i)", C=COMPLEX, z=SIGNED),
            problem_of("y(i) = imag(C(i) / z(i))", C=COMPLEX, z=SIGNED),
        ),
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
