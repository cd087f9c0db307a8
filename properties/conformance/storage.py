"""Rules about storage: levels, formats."""

from __future__ import annotations

from ...reference.storage.packing import tensor
from ..programs.problem import Problem
from .meaning import A, B
from .rule import Cell, Rule, both, cells, matrix, problem_of, section, sparse_result

CSC = A.convert("CSC")
TWICE = tensor([[0, 0, 2], [1, 1, 3]], [1.0, 2.0, 4.0], (3, 4), "COO")
DOUBLED = tensor([[1, 1, 0]], [1.0, 2.0, 4.0], (4,), "compressed(nonunique)")
EMPTY_ROWS = matrix([[0, 0], [0, 0], [0, 7]], "DCSR")


def blocks(problem: Problem, found: frozenset[Cell]) -> bool:
    """Programs with blocked or ranked storage."""
    return any(not t.format.map.is_permutation for t in problem.operands.values())


RULES = (
    Rule(
        "level.capabilities",
        "iteration by value and by position",
        cells(("levels of operands", "hashed"), ("levels of operands", "range")),
    ),
    Rule(
        "level.properties",
        "properties",
        cells(
            ("properties of levels", "not ordered"),
            ("properties of levels", "not unique"),
            ("properties of levels", "padded"),
        ),
    ),
    Rule(
        "level.functions",
        "odd levels",
        cells(*(("levels of operands", n) for n in ("skyline", "banded", "bitmap", "offset", "accumulator"))),
    ),
    Rule(
        "level.text",
        "array-of-structs levels",
        cells(("levels of operands", "compressed_aos"), ("levels of operands", "singleton_aos")),
    ),
    Rule("code.meaning", "results of every level", section("levels of results"), needs=("structure",)),
    Rule(
        "code.phases",
        "as much as was counted",
        sparse_result,
        (
            problem_of("C(i,j) = A(i,k) * B(k,j)", "DCSR", A=A, B=B),
            problem_of("C(i,j)<!$A(i,j)> = A(i,j) + D(i,j)", "CSR", A=A, D=CSC.convert("CSR")),
        ),
        needs=("structure",),
    ),
    Rule("format.composition", "nests of levels", sparse_result, (problem_of("C(i,j) = A(i,j)", "hashed,dense", A=A),)),
    Rule("format.map", "blocks and ranks", blocks, (problem_of("C(i,j) = A(i,j)", "BCSR(2,3)", A=A.convert("DIA")),)),
    Rule("format.packing", "packed results", both(sparse_result, section("operators")), needs=("structure",)),
    Rule(
        "format.duplicates",
        "duplicates",
        cells(("oddities", "duplicates")),
        (problem_of("y(i) = A(i,j)", A=TWICE), problem_of("y(i) = square(d(i))", d=DOUBLED)),
    ),
    Rule(
        "format.fibers",
        "no empty fibers",
        both(sparse_result, cells(("levels of results", "compressed"))),
        (problem_of("C(i,j) = A(i,j)", "DCSR", A=EMPTY_ROWS),),
        needs=("structure",),
    ),
    Rule(
        "format.assembly",
        "results packed in the end",
        cells(*(("levels of results", name) for name in ("range", "offset", "banded", "skyline"))),
        (problem_of("C(i,j) = A(i,j)", "DIA", A=CSC), problem_of("C(i,j) += A(i,j)", "ELL", A=A, C=A.convert("ELL"))),
        needs=("structure",),
    ),
)
