"""Rules about procedures: the assignments that graph algorithms unroll to, as problems of their own."""

from __future__ import annotations

import numpy as np

from ...reference.storage.packing import tensor
from .rule import Rule, every_program, problem_of, vector

EDGES = tensor([[0, 0, 1, 2, 3], [1, 2, 3, 3, 0]], np.ones(5, dtype=np.int64), (4, 4), "CSR")
WEIGHTS = tensor([[0, 0, 1, 2, 3], [1, 2, 3, 3, 0]], [4.0, 1.0, 0.5, 9.0, 0.0], (4, 4), "CSR")
FRONTIER = vector({1: 1, 2: 1}, dtype="int64")
LEVELS = vector({0: 0, 1: 1, 2: 1}, dtype="int64")
DISTANCES = vector({0: 0.0, 2: 1.0})
PRODUCT = "C(i,j) = A(i,k) * B(k,j)"
SEARCH = "q(j)<!$v(j)> = f(i) * E(i,j)"

A, B = (
    tensor([[0, 0, 2], [0, 2, 1]], [-2.0, 3.0, -1.0], (3, 3), "CSR"),
    tensor([[0, 1, 2], [1, 1, 0]], [-4.0, 5.0, -6.0], (3, 3), "CSR"),
)
"""Matrices with few components in common, and with products that are negative."""
ZEROS = tensor([[0, 0, 2], [0, 1, 1]], [0.0, 1.0, 0.0], (3, 3), "CSR")

RULES = (
    Rule(
        "procedure.steps",
        "steps of searches",
        every_program,
        (
            problem_of(SEARCH, "SparseVector", "min_first", v=LEVELS, f=FRONTIER, E=EDGES),
            problem_of(SEARCH, "SparseVector", "or_and", v=LEVELS, f=FRONTIER, E=EDGES),
            problem_of("v(i)<$f(i),merge> = f(i)", "SparseVector", v=LEVELS, f=FRONTIER),
        ),
    ),
    Rule(
        "procedure.loop",
        "rounds that change nothing",
        every_program,
        (
            problem_of("d(j) += e(i) * W(i,j)", "SparseVector", "min_plus", d=DISTANCES, e=DISTANCES, W=WEIGHTS),
            problem_of("d(j) += e(i) * W(i,j)", "SparseVector", "max_min", d=DISTANCES, e=DISTANCES, W=WEIGHTS),
        ),
    ),
    Rule(
        "procedure.meaning",
        "straight lines of assignments",
        every_program,
        (
            problem_of("C(i,j)<$E(i,j)> = E(i,k) * F(k,j)", "CSR", "plus_pair", E=EDGES, F=EDGES),
            problem_of("L(i,j) = E(i,j) * gt(v(i), v(j))", "CSR", E=EDGES, v=LEVELS.convert("Dense")),
        ),
    ),
    Rule(
        "denote.reduce.start",
        "what graph compilers have got wrong",
        every_program,
        (
            *(problem_of(PRODUCT, "CSR", ring, A=A, B=B) for ring in ("max_times", "any_first", "min_second")),
            problem_of("p(i) *= A(i,j)", "Dense", A=A),
            problem_of("m(i) max= A(i,j)", "Dense", A=A),
            problem_of("C(i,j) = A(i,j) + B(i,j)", "CSR", A=A, B=B),
            problem_of("C(i,j) = A(i,j) - B(i,j)", "DCSR", A=A.convert("DCSR"), B=B),
            problem_of("C(i,j) = A(i,j) * B(i,j)", "CSR", A=A, B=B),
            *(problem_of(PRODUCT.replace(" =", f"<{m}M(i,j)> ="), "CSR", A=A, B=B, M=ZEROS) for m in ("", "$")),
        ),
    ),
)
