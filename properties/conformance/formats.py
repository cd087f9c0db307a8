"""Rules about formats and storage: maps, composition, packing, assembly."""

from __future__ import annotations

from ...reference.storage.packing import tensor
from ...reference.storage.spec import spec
from ..programs.problem import Problem
from .levels import OTHER, round_trip
from .operands import CUBE, A, B, X
from .rule import Cell, Rule, both, cells, matrix, problem_of, section, sparse_result, vector

CSC = A.convert("CSC")
TWICE = tensor([[0, 0, 2], [1, 1, 3]], [1.0, 2.0, 4.0], (3, 4), "COO")
DOUBLED = tensor([[1, 1, 0]], [1.0, 2.0, 4.0], (4,), "compressed(nonunique)")
EMPTY_ROWS = matrix([[0, 0], [0, 0], [0, 7]], "DCSR")
STORED_ZERO = tensor([[0, 1], [1, 2]], [0.0, 5.0], (3, 4), "CSR")
ENDLESS = tensor([[1]], [5.0], (4,), spec("SparseVector", fill=float("inf")))
NARROW = tensor([[0, 2]], [0.1, 3.0], (4,), spec("SparseVector", dtype="float32"))
WIDE = tensor([[0, 3]], [1.0, 2.0], (4,), spec("SparseVector", index="int64"))
UNSORTED = tensor([[3, 0, 3], [1, 2, 0]], [1.0, 2.0, 3.0], (4, 3), "compressed(unordered),compressed(unordered)")


def blocks(problem: Problem, found: frozenset[Cell]) -> bool:
    """Programs with blocked or ranked storage."""
    return any(not t.format.map.is_permutation for t in problem.operands.values())


def copy_into(format: str) -> Problem:
    """A matrix that becomes a result in a format."""
    return problem_of("C(i,j) = A(i,j)", format, A=A)


RULES = (
    Rule("format.text", "names, letters and levels", typed=(copy_into("csr"), copy_into("ss"))),
    Rule("format.text.letters", "orders of modes", typed=(copy_into("ds:1,0"), copy_into("uq:1,0"))),
    Rule("format.text.levels", "properties", typed=(copy_into("compressed(unordered),compressed"),)),
    Rule(
        "format.text.names",
        "names with numbers",
        typed=(copy_into("CSF(1,0)"), problem_of("D(i,j,k) = 2 * T(i,j,k)", "COO", T=CUBE)),
    ),
    Rule("format.print", "a map", typed=(copy_into("dense,hashed; (i,j)->(j,i)"),)),
    Rule("format.map", "blocks and ranks", blocks, (problem_of("C(i,j) = A(i,j)", "BCSR(2,3)", A=A.convert("DIA")),)),
    Rule("format.map.apply", "blocks beyond the shape", typed=(round_trip("BCSR(2,3)"), round_trip("CSB(2,3)"))),
    Rule(
        "format.map.inverse",
        "operands in blocks",
        typed=(problem_of("C(i,j) = A(i,j) + D(i,j)", "CSR", A=A.convert("CSB(2,3)"), D=OTHER),),
    ),
    Rule("format.rank", "sums over ranks", typed=(problem_of("y(i) = A(i,j) * X(j)", A=A.convert("ELL"), X=X),)),
    Rule(
        "format.rank.diagonals",
        "numbers of diagonals",
        typed=(
            round_trip("dense,dense,compressed; (i,j)->(#(j-i),i,j)"),
            round_trip("dense,range,offset; (i,j)->(#(i-j),j,i)"),
        ),
    ),
    Rule("format.rank.slots", "numbers of slots", typed=(round_trip("dense,dense,singleton(padded); (i,j)->(#,j,i)"),)),
    Rule("format.composition", "nests of levels", sparse_result, (copy_into("hashed,dense"),)),
    Rule("format.composition.append", "below hash tables", typed=(copy_into("hashed,bitmap"),)),
    Rule(
        "format.composition.chains",
        "below rows that repeat",
        typed=(problem_of("D(i,j,k) = 2 * T(i,j,k)", "compressed(nonunique),singleton,compressed", T=CUBE),),
    ),
    Rule("format.composition.ranks", "diagonals", typed=(round_trip("dense,range,compressed; (i,j)->(#(j-i),i,j)"),)),
    Rule("format.leaves", "what nobody stored", typed=(problem_of("y(i) = A(i,j) + 1", A=A.convert("BCSR(2,2)")),)),
    Rule("format.spec", "a dtype", typed=(problem_of("y(i) = 2 * N(i)", N=NARROW),)),
    Rule("format.dtype", "values of other dtypes", typed=(problem_of("y(i) = N(i) + X(i)", N=NARROW, X=X),)),
    Rule("format.fill", "infinite fills", typed=(problem_of("y(i) = min(E(i), X(i))", E=ENDLESS, X=X),)),
    Rule("format.index", "wide indices", typed=(problem_of("y(i) = W(i) * X(i)", "SparseVector", W=WIDE, X=X),)),
    Rule("format.storage", "levels and values", typed=(round_trip("ModeGeneric"),)),
    Rule(
        "format.components",
        "zeros that are stored",
        typed=(problem_of("C(i,j) = Z(i,j)", "CSR", Z=STORED_ZERO),),
        needs=("structure",),
    ),
    Rule(
        "format.duplicates",
        "duplicates",
        cells(("oddities", "duplicates")),
        (problem_of("y(i) = A(i,j)", A=TWICE), problem_of("y(i) = square(d(i))", d=DOUBLED)),
    ),
    Rule("format.dense", "arrays", typed=(problem_of("C(i,j) = A(i,k) * B(k,j)", "ColumnMajor", A=A, B=B),)),
    Rule(
        "format.convert",
        "another format",
        typed=(problem_of("C(i,j) = Z(i,j)", "DCSR", Z=STORED_ZERO.convert("CSC")),),
        needs=("structure",),
    ),
    Rule("format.packing", "packed results", both(sparse_result, section("operators")), needs=("structure",)),
    Rule("format.packing.order", "unordered rows", typed=(problem_of("y(i) = U(i,j)", U=UNSORTED),)),
    Rule(
        "format.packing.nodes",
        "shared nodes",
        typed=(problem_of("D(i,j,k) = T(i,j,k)", "ModeGeneric", T=CUBE),),
        needs=("structure",),
    ),
    Rule(
        "format.packing.room",
        "one place for two components",
        typed=(problem_of("C(i,j) = E(i,j)", "dense,singleton(padded)", E=EMPTY_ROWS),),
        refused=(copy_into("dense,singleton(padded)"),),
    ),
    Rule(
        "format.assembly",
        "results packed in the end",
        cells(*(("levels of results", name) for name in ("range", "offset", "banded", "skyline"))),
        (problem_of("C(i,j) = A(i,j)", "DIA", A=CSC), problem_of("C(i,j) += A(i,j)", "ELL", A=A, C=A.convert("ELL"))),
        needs=("structure",),
    ),
    Rule("format.assembly.parents", "blocks below rows", typed=(copy_into("compressed,dense"),), needs=("structure",)),
    Rule(
        "format.assembly.store",
        "several contributions",
        typed=(problem_of("C(i,j) = A(i,k) * B(k,j)", "HashMap", A=A, B=B),),
        needs=("structure",),
    ),
    Rule(
        "format.assembly.edges",
        "rows that end",
        typed=(problem_of("D(i,j,k) = T(i,j,k) + T(i,j,k)", "CSF", T=CUBE),),
        needs=("structure",),
    ),
    Rule(
        "format.fibers",
        "no empty fibers",
        both(sparse_result, cells(("levels of results", "compressed"))),
        (problem_of("C(i,j) = A(i,j)", "DCSR", A=EMPTY_ROWS),),
        needs=("structure",),
    ),
    Rule(
        "format.valid",
        "levels declared full",
        typed=(problem_of("y(i) = F(i)", F=vector({0: 1.0, 1: 2.0}, 2, "compressed(full)")),),
        refused=(problem_of("y(i) = F(i)", F=vector({0: 1.0}, 2, "compressed(full)")),),
    ),
)
