"""Rules about operators and semirings: values, units, folds of nothing, complex numbers, presence, places."""

from __future__ import annotations

from ..programs.problem import Problem
from .agreement import SIGNED
from .denotation import NANS
from .operands import DENSE, SEMIRING, A, X, Y
from .rule import Cell, Rule, both, cells, every_program, problem_of, section, sparse_result, vector

ABSENT = vector({0: 5, 1: 127, 2: 127, 3: 127}, format="Dense", dtype="int8", fill=127)
NOTHING = vector({}, 4)
WHOLE = vector({0: 7, 1: -7, 2: 6}, dtype="int64")
COMPLEX = vector({0: 3 - 4j, 2: 1j}, dtype="complex128")  # type: ignore[dict-item]
COMPLEX_NOTHING = vector({}, 4, dtype="complex128")
HALVES = vector({0: 2.5, 1: -2.5, 3: 0.5}, format="Dense")


def complex_numbers(problem: Problem, found: frozenset[Cell]) -> bool:
    """Programs over complex numbers."""
    return problem.dtype.kind == "c"


RULES = (
    Rule(
        "operator.units",
        "what is left beside an identity",
        typed=(
            problem_of("y(i) = X(i) - Y(i)", "SparseVector", X=X, Y=Y),
            *(problem_of(f"y(i) = {f}(X(i), Y(i))", "SparseVector", X=X, Y=Y) for f in ("or", "and", "xor")),
        ),
    ),
    Rule(
        "operator.fold.empty",
        "folds of nothing",
        typed=tuple(
            problem_of(f"s = {f}(k, N(k))", N=vector({}, 0)) for f in ("sum", "prod", "min", "max", "or", "and")
        ),
    ),
    Rule("operator.exact", "exact numbers", section("operators"), (problem_of("y(i) = X(i) / 3 * 3", X=X),)),
    Rule(
        "operator.arithmetic",
        "arithmetic",
        section("operators"),
        tuple(
            problem_of(f"y(i) = {e}", N=NANS, X=DENSE)
            for e in ("N(i) - N(i) + X(i)", "X(i) / N(i)", "cube(N(i)) * X(i)")
        ),
    ),
    Rule(
        "operator.division",
        "quotients and remainders",
        typed=tuple(
            problem_of(f"y(i) = {f}(V(i), {b})", V=v)
            for f in ("floordiv", "mod")
            for v in (WHOLE, HALVES)
            for b in (2, -2)
        ),
    ),
    Rule(
        "operator.order",
        "orders",
        typed=(
            *(problem_of(f"y(i) = {f}(N(i))", N=NANS) for f in ("sign", "floor", "ceil")),
            *(problem_of(f"y(i) = {f}(N(i), X(i))", N=NANS, X=DENSE) for f in ("min", "max", "lt", "ne", "heaviside")),
        ),
    ),
    Rule(
        "operator.logic",
        "truth",
        typed=tuple(
            problem_of(f"y(i) = {e}", N=NANS, X=X) for e in ("not(N(i)) * X(i)", "or(N(i), X(i))", "and(N(i), X(i))")
        ),
    ),
    Rule(
        "operator.choice",
        "operators that choose",
        typed=tuple(problem_of(f"y(i) = {f}(X(i), Y(i))", X=X, Y=Y) for f in ("first", "second", "pair")),
    ),
    Rule(
        "operator.functions",
        "functions",
        typed=(
            *(problem_of(f"y(i) = {f}(H(i))", H=HALVES) for f in ("sqrt", "exp", "cbrt", "tanh", "cos", "abs")),
            *(problem_of(f"y(i) = {f}(H(i))", H=HALVES) for f in ("log10", "sinh", "asin", "acosh")),
            *(problem_of(f"y(i) = pow(H(i), {b})", H=HALVES) for b in ("0", "2", "-1", "0.5", "inf")),
        ),
    ),
    Rule(
        "operator.complex.parts",
        "parts",
        typed=tuple(problem_of(f"y(i) = {f}(C(i))", C=COMPLEX) for f in ("real", "imag", "conj", "abs")),
    ),
    Rule("operator.complex.sum", "complex sums", complex_numbers, (problem_of("s = C(i) - X(i)", C=COMPLEX, X=X),)),
    Rule(
        "operator.complex.product",
        "complex products",
        complex_numbers,
        (problem_of("y(i) = C(i) * C(i)", C=COMPLEX), problem_of("y(i) = C(i) / z(i)", C=COMPLEX, z=SIGNED)),
    ),
    Rule(
        "operator.complex.functions",
        "complex functions",
        typed=(
            *(problem_of(f"y(i) = {f}(C(i))", C=COMPLEX) for f in ("sqrt", "exp", "square")),
            problem_of("y(i) = exp(log(Y(i)) + Z(i))", "SparseVector", Y=Y, Z=COMPLEX_NOTHING),
            problem_of("y(i) = tanh(log(Y(i)) + Z(i))", "SparseVector", Y=Y, Z=COMPLEX_NOTHING),
        ),
        refused=(problem_of("y(i) = floor(C(i))", C=COMPLEX), problem_of("y(i) = lt(C(i), 1)", C=COMPLEX)),
    ),
    Rule("operator.complex.fold", "complex folds", typed=(problem_of("s = prod(i, C(i))", C=COMPLEX),)),
    Rule(
        "semiring.construction",
        "semirings",
        SEMIRING,
        tuple(
            problem_of("y(i) = A(i,j) * X(j)", "SparseVector", ring, A=A, X=X) for ring in ("max_min", "plus_second")
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
