"""Rules about agreement: which computed results count as what an expression means."""

from __future__ import annotations

from ...reference.storage.packing import tensor
from ..programs.problem import Problem
from .denotation import NANS
from .operands import DENSE, X, Y
from .rule import Cell, Rule, cells, problem_of, vector

SIGNED = vector({0: 0.0, 1: -0.0, 2: 0.0, 3: -0.0}, format="Dense")
INFINITE = vector({0: float("inf"), 1: float("inf"), 2: float("-inf"), 3: 1.0}, format="Dense")
COMPLEX = tensor([[0, 1, 2]], [complex(0.1, float("inf")), 0.2 + 1j, 0.3], (4,), "SparseVector")
THIRDS = vector({0: 3.0}, 2, fill=1 / 3)
TINY = vector({0: 1.0}, 2, fill=1e-200)


def rounding(problem: Problem, found: frozenset[Cell]) -> bool:
    """Sums and products in floating point."""
    return problem.dtype.kind in "fc" and not found.isdisjoint({("reductions", "add"), ("reductions", "mul")})


def products_over_sums(problem: Problem, found: frozenset[Cell]) -> bool:
    """Products and sums where infinities or NaN occur."""
    odd = ("oddities", "infinities or NaN") in found
    return odd and ("operators", "mul") in found and ("reductions", "add") in found


RULES = (
    Rule("denote.agreement.bound", "error bounds", rounding),
    Rule(
        "denote.agreement.choices",
        "one of several values",
        typed=(problem_of("s = exp(any(i, X(i)))", X=X),),
    ),
    Rule(
        "denote.agreement.overflow",
        "results that overflow",
        typed=(problem_of("y(i) = x(i) * 10", x=vector({0: 1e308, 1: 1.0})),),
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
        "denote.agreement.undecided",
        "annihilators that rounding decides",
        typed=(problem_of("y(i) = (a(i) * 3 - 1) * b(i)", "SparseVector", a=THIRDS, b=vector({0: 2.0, 1: 2.0}, 2)),),
    ),
    Rule(
        "denote.agreement.structure",
        "structures that rounding decides",
        typed=tuple(
            problem_of(f"y(i) = {e}", "SparseVector", a=THIRDS)
            for e in ("a(i) * 3 - 1", "0.1 * a(i) + 0.2 * a(i) - 0.3 * a(i)", "sqrt(a(i)) * sqrt(a(i)) - a(i)")
        ),
    ),
    Rule(
        "denote.agreement.together",
        "annihilators that operands make together",
        typed=(
            problem_of("y(i) = a(i) * b(i) * c(i)", "SparseVector", a=TINY, b=TINY, c=vector({0: 2.0, 1: 2.0}, 2)),
            problem_of("y(i) = a(i) * c(i) * b(i)", "SparseVector", a=TINY, b=TINY, c=vector({0: 2.0, 1: 2.0}, 2)),
        ),
    ),
    Rule(
        "denote.agreement.regrouped",
        "products in other orders",
        typed=(problem_of("y(i) = a(i) * b(i) * b(i)", a=vector({0: 0.0, 1: 1.0}), b=vector({0: 1e200, 1: 1e100})),),
    ),
    Rule(
        "denote.agreement.rounding",
        "chains of operators",
        typed=(problem_of("y(i) = a(i) + b(i) - c(i) + a(i)", a=X, b=Y, c=DENSE),),
    ),
    Rule(
        "denote.agreement.distributed",
        "products over sums",
        products_over_sums,
        (problem_of("y(i) = N(i) * sum(j, x(j))", N=NANS, x=X),),
    ),
    Rule(
        "denote.agreement.factored",
        "sums of products",
        products_over_sums,
        (problem_of("y(i) = sum(j, N(i) * x(j))", N=NANS, x=X),),
    ),
    Rule("denote.bound.unit", "roundoff", rounding, (problem_of("y(i) = X(i) / 3", X=X),)),
    Rule(
        "denote.bound.operator",
        "bounds of operators",
        rounding,
        (problem_of("y(i) = exp(sqrt(Y(i)) / 3) - log(Y(i) + 2)", Y=Y),),
    ),
    Rule(
        "denote.bound.reduction",
        "bounds of reductions",
        rounding,
        (
            problem_of("s = sum(i, x(i) / 3)", x=DENSE),
            problem_of("s = prod(i, x(i) / 3)", x=DENSE),
        ),
    ),
)
