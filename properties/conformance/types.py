"""Rules about dtypes: promotion, literals, operators, conversions, overflow."""

from __future__ import annotations

from ..programs.problem import Problem
from .operands import BYTES, DENSE, X, Y
from .rule import Cell, Rule, cells, every_program, problem_of, section, vector

WORDS = vector({0: 1, 1: 2, 3: 200}, dtype="uint8")
LONGS = vector({0: 1, 1: 2, 3: 7}, dtype="uint64")
SINGLES = vector({0: 1.5, 2: -2.0}, dtype="float32")
TRUTHS = vector({0: True, 2: True}, dtype="bool")
COMPLEX = vector({0: 1.0, 2: 3.0}, dtype="complex64")
EXACT = vector({0: 2**53 + 1, 1: 2**62}, dtype="int64")


def small_sums(problem: Problem, found: frozenset[Cell]) -> bool:
    """Sums of numbers that widen."""
    narrow = {t.dtype.name for t in problem.operands.values()} & {"bool", "int8", "uint8", "int16", "uint16", "int32"}
    return bool(narrow) and ("reductions", "add") in found


def mixes_dtypes(problem: Problem, found: frozenset[Cell]) -> bool:
    """Operands of several dtypes, or numbers beside them."""
    return not found.isdisjoint({("oddities", "several dtypes"), ("oddities", "a number")})


RULES = (
    Rule(
        "type.dtypes",
        "dtypes",
        every_program,
        tuple(problem_of("y(i) = V(i)", V=v) for v in (BYTES, WORDS, LONGS, SINGLES, TRUTHS, COMPLEX)),
        needs=("dtype",),
    ),
    Rule(
        "type.promotion",
        "promotion",
        mixes_dtypes,
        (
            problem_of("y(i) = BYTES(i) + WORDS(i)", BYTES=BYTES, WORDS=WORDS),
            problem_of("y(i) = EXACT(i) + LONGS(i)", EXACT=EXACT, LONGS=LONGS),
            problem_of("y(i) = BYTES(i) + SINGLES(i)", BYTES=BYTES, SINGLES=SINGLES),
        ),
        needs=("dtype",),
    ),
    Rule(
        "type.literals",
        "numbers of a text",
        cells(("oddities", "a number")),
        tuple(problem_of(f"y(i) = V(i) * {n}", V=v) for v in (TRUTHS, WORDS, SINGLES) for n in ("1", "0.5", "2j")),
        (problem_of("y(i) = BYTES(i) + 300", BYTES=BYTES),),
        needs=("dtype",),
    ),
    Rule("type.access", "operands", typed=(problem_of("y(i) = WORDS(i) * i", WORDS=WORDS),), needs=("dtype",)),
    Rule(
        "type.operators",
        "dtypes of operators",
        section("operators"),
        (
            *(problem_of(f"y(i) = {f}(WORDS(i))", WORDS=WORDS) for f in ("sqrt", "floor", "abs", "not", "truth")),
            *(problem_of(f"y(i) = {f}(COMPLEX(i))", COMPLEX=COMPLEX) for f in ("abs", "real", "conj")),
            problem_of("y(i) = floordiv(WORDS(i), 3)", WORDS=WORDS),
            problem_of("y(i) = TRUTHS(i) + TRUTHS(i)", TRUTHS=TRUTHS),
        ),
        (
            problem_of("y(i) = TRUTHS(i) - TRUTHS(i)", TRUTHS=TRUTHS),
            problem_of("y(i) = min(COMPLEX(i), 2)", COMPLEX=COMPLEX),
        ),
        needs=("dtype",),
    ),
    Rule(
        "type.widening",
        "widening",
        small_sums,
        (
            problem_of("s = BYTES(i)", BYTES=BYTES),
            problem_of("s = TRUTHS(i)", TRUTHS=TRUTHS),
            problem_of("s = max(i, BYTES(i))", BYTES=BYTES),
        ),
        needs=("dtype",),
    ),
    Rule(
        "type.assignment",
        "dtypes of results",
        typed=(problem_of("y(i)<X(i)> = WORDS(i)", X=X, WORDS=WORDS),),
        needs=("dtype",),
    ),
    Rule(
        "type.conversion.places",
        "where conversions stand",
        mixes_dtypes,
        (
            problem_of("y(i) = SINGLES(i) * X(i) + 1", SINGLES=SINGLES, X=X),
            problem_of("y(i) += BYTES(i)", BYTES=BYTES, y=Y),
        ),
    ),
    Rule(
        "type.conversion.values",
        "what conversions do",
        typed=(
            problem_of("y(i) = EXACT(i) * 1.0", EXACT=EXACT),
            problem_of("y(i) = SINGLES(i) * X(i)", SINGLES=SINGLES, X=X),
            problem_of("y(i) = TRUTHS(i) * 3", TRUTHS=TRUTHS),
        ),
    ),
    Rule("type.overflow", "integers without a value", typed=(problem_of("y(i) = BYTES(i) - 1", BYTES=BYTES),)),
    Rule(
        "type.overflow.division",
        "integer division by zero",
        typed=(problem_of("y(i) = BYTES(i) / 0", BYTES=vector({1: 3, 2: -3}, dtype="int8")),),
        refused=(
            problem_of("y(i) = floordiv(BYTES(i), 0)", BYTES=BYTES),
            problem_of("y(i) = mod(BYTES(i), 0)", BYTES=BYTES),
        ),
    ),
    Rule(
        "type.overflow.floats",
        "floats without an error",
        typed=(problem_of("y(i) = exp(x(i) * 1000)", x=DENSE), problem_of("y(i) = sqrt(-x(i))", x=DENSE)),
    ),
)
