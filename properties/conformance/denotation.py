"""Rules about what expressions mean: values, what is missing, and structure."""

from __future__ import annotations

from ...reference.algebra.operators import OPERATORS
from ...reference.storage.packing import tensor
from ..programs.problem import Problem
from .operands import SEMIRING, A, X, Y
from .rule import Cell, Rule, cells, every_program, matrix, problem_of, section, sparse_result, vector

FILLED = vector({1: 5.0}, fill=2.0)
TWICE = tensor([[0, 0, 2, 2]], [2.0, 3.0, 1.0, -1.0], (4,), "compressed(nonunique,unordered)")
NANS = vector({0: float("inf"), 1: float("nan"), 3: 1.0})
ONES = vector({0: 5.0, 2: 7.0}, fill=1.0)
NARROW = vector({1: 3}, dtype="int8")
WIDE = vector({0: 200}, dtype="int64")
TRUE = vector({0: True, 3: True}, dtype="bool")
NONE = vector({}, 0, "Dense")


def filled_operators(problem: Problem, found: frozenset[Cell]) -> bool:
    """Operators with an identity or an annihilator on operands with other fills."""
    algebra = {name for name, o in OPERATORS.items() if o.left_identity or o.left_annihilator}
    return ("oddities", "a fill") in found and any(s == "operators" and name in algebra for s, name in found)


def all_missing(problem: Problem, found: frozenset[Cell]) -> bool:
    """Programs in which everything may be missing."""
    return ("oddities", "no component") in found


RULES = (
    Rule(
        "denote.given",
        "operands in any format",
        typed=tuple(problem_of("y(i) = A(i,j) * 2", A=A.convert(format)) for format in ("CSC", "COO", "Dense")),
    ),
    Rule("denote.value", "exact values", section("operators")),
    Rule("denote.exact", "exact numbers", typed=(problem_of("y(i) = N(i) + X(i) * N(i)", N=NANS, X=X),)),
    Rule(
        "denote.state",
        "what is stored is present",
        sparse_result,
        (problem_of("y(i) = z(i) * 2", "SparseVector", z=vector({0: 0.0, 1: 1.0})),),
        needs=("structure",),
    ),
    Rule("denote.fill", "fill", cells(("oddities", "a fill")), (problem_of("y(i) = F(i) + X(i)", F=FILLED, X=X),)),
    Rule(
        "denote.fill.expression",
        "fills of expressions",
        typed=(
            problem_of("y(i) = sum(j, A(i,j))", A=matrix([[1, 0, 5], [0, 0, 0]], fill=2)),
            problem_of("y(i) = sqrt(F(i) + 2) * 3", F=FILLED),
        ),
    ),
    Rule(
        "denote.literal",
        "literals",
        cells(("oddities", "a number")),
        (problem_of("y(i) = N(i) * 0", "SparseVector", N=NANS), problem_of("y(i) = 0 * X(i)", "SparseVector", X=X)),
    ),
    Rule(
        "denote.access",
        "diagonals and transposes",
        typed=(
            problem_of("d(i) = S(i,i)", S=matrix([[2, 1], [0, 3]])),
            problem_of("T(j,i) = A(i,j)", "CSC", A=A),
        ),
    ),
    Rule(
        "denote.duplicates",
        "duplicates",
        typed=(
            problem_of("y(i) = max(x(i), 1)", x=TWICE),
            problem_of("s = x(i)", "Dense", "min_plus", x=TWICE),
            problem_of("y(i) = x(i)", "SparseVector", x=TWICE),
        ),
    ),
    Rule(
        "denote.coordinate",
        "coordinates are present",
        typed=(
            problem_of("y(i) = X(i) * i", "SparseVector", X=X),
            problem_of("y(i) = X(i) + i", "SparseVector", X=X),
        ),
    ),
    Rule(
        "denote.conversion",
        "conversions",
        typed=(
            problem_of("y(i) = b(i) * 2.5", "SparseVector", b=TRUE),
            problem_of("y(i) = b(i) + n(i)", "SparseVector", b=TRUE, n=NARROW),
        ),
    ),
    Rule(
        "denote.missing.operand",
        "identities and annihilators",
        filled_operators,
        (problem_of("y(i) = F(i) * X(i)", F=FILLED, X=X),),
    ),
    Rule(
        "denote.missing.annihilator",
        "annihilators",
        typed=(
            problem_of("y(i) = 2 / X(i)", "SparseVector", X=X),
            problem_of("y(i) = N(i) * X(i)", "SparseVector", N=NANS, X=X),
            problem_of("y(i) = X(i) / Y(i)", "SparseVector", X=X, Y=Y),
        ),
    ),
    Rule(
        "denote.missing.identity",
        "identities",
        typed=(
            problem_of("y(i) = X(i) - Y(i)", "SparseVector", X=X, Y=Y),
            problem_of("y(i) = or(X(i), Y(i))", "SparseVector", X=X, Y=Y),
            problem_of("y(i) = max(X(i), Y(i))", "SparseVector", X=X, Y=Y),
            problem_of("y(i) = o(i) * X(i)", "SparseVector", o=ONES, X=X),
        ),
    ),
    Rule(
        "denote.missing.literal",
        "identities beside literals",
        typed=(
            problem_of("y(i) = X(i) + 1", "SparseVector", X=X),
            problem_of("y(i) = 2 / o(i)", "SparseVector", o=ONES),
        ),
    ),
    Rule(
        "denote.present",
        "IEEE on what is present",
        cells(("oddities", "infinities or NaN")),
        (problem_of("y(i) = N(i) * X(i)", N=NANS, X=X),),
    ),
    Rule(
        "denote.missing.all",
        "all missing",
        all_missing,
        (problem_of("y(i) = X(i) + Y(i)", "SparseVector", X=vector({}), Y=vector({})),),
    ),
    Rule(
        "denote.missing.unary",
        "operators of one operand",
        typed=(
            problem_of("y(i) = sqrt(Y(i))", "SparseVector", Y=Y),
            problem_of("y(i) = cos(Y(i))", "SparseVector", Y=Y),
        ),
    ),
    Rule(
        "denote.reduce.contributions",
        "what counts",
        typed=(problem_of("y(i) = max(j, A(i,j))", A=A), problem_of("y(i) = sum(j, A(i,j))", "SparseVector", A=A)),
    ),
    Rule(
        "denote.reduce.none",
        "nothing counts",
        typed=(
            *(problem_of(f"s = {name}(i, x(i))", x=NONE) for name in ("sum", "min", "prod")),
            problem_of("y(i) = max(j, A(i,j) * sum(k, B(j,k)))", A=matrix([[-1, -3]]), B=matrix([[], []])),
        ),
    ),
    Rule(
        "denote.reduce.value",
        "folds of what is missing",
        typed=(
            problem_of("y(i) = prod(j, A(i,j))", "SparseVector", A=A),
            problem_of("s = prod(i, N(i))", N=NANS),
            problem_of("s = prod(i, o(i))", o=ONES),
        ),
    ),
    Rule(
        "denote.reduce.unit",
        "folds of one contribution",
        typed=(problem_of("s = or(i, x(i))", x=vector({1: 5.0})), problem_of("s = xor(i, Y(i))", Y=Y)),
    ),
    Rule(
        "denote.reduce.any",
        "any contribution",
        typed=(
            problem_of("s = sum(i, any(j, A(i,j)))", A=A),
            problem_of("y(i) = X(i) + 2", "SparseVector", "any_second", X=X),
            problem_of("y(i) = 2 + X(i)", "SparseVector", "any_second", X=X),
            problem_of("y(i) = any(2, X(i)) * Y(i)", "SparseVector", X=X, Y=Y),
        ),
    ),
    Rule(
        "denote.semiring.operators",
        "absent operands",
        SEMIRING,
        (
            problem_of("y(i) = N(i) * X(i)", "SparseVector", "min_plus", N=NANS, X=X),
            problem_of("y(i) = N(i) + X(i)", "SparseVector", "min_plus", N=NANS, X=X),
        ),
    ),
    Rule(
        "denote.semiring.literal",
        "literals in semirings",
        typed=(
            problem_of("y(i) = X(i) * 2", "SparseVector", "min_plus", X=X),
            problem_of("y(i) = X(i) + 2", "SparseVector", "min_plus", X=X),
        ),
    ),
    Rule(
        "denote.semiring.conversion",
        "absent operands of other dtypes",
        typed=(
            problem_of("y(i) = n(i) + X(i)", "SparseVector", "min_plus", n=NARROW, X=X),
            problem_of("y(i) = n(i) + 2 + X(i)", "SparseVector", "min_plus", n=NARROW, X=X),
        ),
    ),
    Rule(
        "denote.semiring.reduce",
        "reductions of what is present",
        typed=(problem_of("y(i) = A(i,j) * x(j)", "SparseVector", "max_plus", A=A, x=X),),
    ),
    Rule(
        "denote.assign",
        "assignments",
        every_program,
        (problem_of("y(i)<X(i)> = X(i) + 1", "SparseVector", X=X),),
    ),
    Rule(
        "denote.assign.update",
        "updates",
        typed=(
            problem_of("y(i) += X(i)", "SparseVector", X=X, y=Y),
            problem_of("y(i) or= X(i)", "SparseVector", X=X),
            problem_of("y(i) or= X(i)", "SparseVector", X=X, y=vector({})),
        ),
    ),
    Rule(
        "denote.assign.dtype",
        "dtypes of results",
        typed=(problem_of("y(i) += w(i)", "SparseVector", w=WIDE, y=NARROW),),
        needs=("dtype",),
    ),
    Rule(
        "denote.assign.fill",
        "fills of results",
        typed=(
            problem_of("y(i) = o(i)", "SparseVector", o=ONES),
            problem_of("y(i) max= o(i)", "SparseVector", o=ONES),
            problem_of("y(i) += X(i)", "SparseVector", X=X, y=ONES),
        ),
    ),
    Rule(
        "denote.structure",
        "structure",
        sparse_result,
        (problem_of("y(i) = X(i) - X(i)", "SparseVector", X=X),),
        needs=("structure",),
    ),
    Rule(
        "denote.structure.stored",
        "prefixes and blocks",
        sparse_result,
        (problem_of("C(i,j) = A(i,j)", "DCSR", A=A), problem_of("C(i,j) = A(i,j)", "BCSR(1,2)", A=A.convert("CSR"))),
        needs=("structure",),
    ),
)
