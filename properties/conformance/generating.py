"""Rules about generated code."""

from __future__ import annotations

from .operands import A, B
from .rule import Rule, both, cells, problem_of, section, sparse_result, vector
from .scheduled import (
    ADDITION,
    DOUBLE,
    HALVED,
    PRODUCT,
    ROWS,
    SAMPLED,
    SCHEDULED,
    SPMV,
    THREADS,
    TILES,
    by,
)

NARROW = vector({0: 60, 1: -60, 2: 7, 3: 1}, format="Dense", dtype="int8")
RULES = (
    Rule("code.meaning", "results of every level", section("levels of results"), needs=("structure",)),
    Rule(
        "code.phases",
        "as much as was counted",
        sparse_result,
        (
            problem_of("C(i,j) = A(i,k) * B(k,j)", "DCSR", A=A, B=B),
            problem_of("C(i,j)<!$A(i,j)> = A(i,j) + D(i,j)", "CSR", A=A, D=A.convert("CSC").convert("CSR")),
        ),
        needs=("structure",),
    ),
    Rule("code.types", "dtypes", typed=(problem_of("y(i) = floordiv(x(i), 2) + x(i)", x=NARROW),)),
    Rule(
        "code.overflow",
        "integers that do not fit",
        typed=(problem_of("y(i) = x(i) + x(i)", x=NARROW),),
        refused=(problem_of("y(i) = x(i) * x(i)", x=NARROW),),
    ),
    Rule("code.unroll", "unrolled loops", cells(("commands", "unroll")), (by(SPMV, "unroll(j,3)"),)),
    Rule("code.schedule", "the same result", SCHEDULED),
    Rule(
        "code.threads",
        "threads",
        THREADS,
        (by(SPMV, "parallelize(i,CPUThread,NoRaces)"), by(SPMV, f"{TILES},parallelize(p0,CPUThread,Atomics)")),
    ),
    Rule(
        "code.appended",
        "sparse results on threads",
        both(THREADS, sparse_result),
        (by(ADDITION, "parallelize(i,CPUThread,NoRaces)"), by(PRODUCT, "parallelize(i,CPUThread,NoRaces)")),
        needs=("structure",),
    ),
    Rule(
        "code.pieces",
        "rows of sparse results that several threads append to",
        typed=(
            by(HALVED, f"{TILES},parallelize(p0,CPUThread,NoRaces)"),
            by(problem_of(HALVED.source, "COO", A=A), f"{TILES},parallelize(p0,CPUThread,NoRaces)"),
            by(SAMPLED, f"reorder(i,j,k),{TILES},reorder(p0,p1,k),parallelize(p0,CPUThread,NoRaces)"),
        ),
        needs=("structure",),
    ),
    Rule(
        "code.lanes",
        "lanes",
        cells(("parallel units", "CPUVector")),
        (
            by(DOUBLE, "split(i,i0,b,3),parallelize(b,CPUVector,NoRaces)"),
            by(ROWS, "split(j,j0,b,4),reorder(i,j0,k,b),parallelize(b,CPUVector,NoRaces)"),
        ),
    ),
)
