"""Rules about levels: what a level format holds, in operands and in results."""

from __future__ import annotations

from ...reference.storage.packing import tensor
from ...reference.storage.tensor import Tensor
from ..programs.problem import Problem
from .operands import A, X
from .rule import Rule, cells, matrix, problem_of, vector

LOWER = matrix([[1, 0, 0], [0, 2, 0], [3, 0, 4]])
ABOVE = matrix([[1, 5, 0], [0, 2, 0], [3, 0, 4]])
OTHER = matrix([[0, 6, 7, 0], [0, 0, 0, 8], [0, 0, 0, 9]])
SCATTERED = tensor([[2, 0, 2]], [1.0, 2.0, 4.0], (4,), "compressed(nonunique,unordered)")
ROWS = tensor([[0, 1, 0], [3, 2, 1]], [1.0, 2.0, 4.0], (2, 4), "compressed(nonunique,unordered),singleton(unordered)")
FULL = vector({0: 1.0, 1: 2.0, 2: 3.0, 3: 4.0}, format="compressed(full)")
SHUFFLED = tensor([[2, 0, 3]], [1.0, 2.0, 3.0], (4,), "compressed(unordered)")
HALF = vector({0: 1.0, 2: 3.0}, format="compressed(full)")


def round_trip(format: str, of: Tensor = A) -> Problem:
    """A matrix in a format, as operand and as result."""
    return problem_of("C(i,j) = 2 * A(i,j)", format, A=of.convert(format))


def merge_of(format: str) -> Problem:
    """A matrix in a format, beside ones with the same components and with others."""
    return problem_of("C(i,j) = A(i,j) * D(i,j) + E(i,j)", "CSR", A=A.convert(format), D=A, E=OTHER)


RULES = (
    Rule("level.hierarchy", "what iteration reaches", typed=(round_trip("DCSR"), round_trip("COO"))),
    Rule("level.positions", "a value for each position", typed=(problem_of("y(i) = A(i,j)", A=A.convert("ELL")),)),
    Rule("level.storage", "arrays of the tensor", typed=(problem_of("y(i) = A(i,j)", A=A.convert("SparseDIA")),)),
    Rule(
        "level.capabilities",
        "iteration by value and by position",
        cells(("levels of operands", "hashed"), ("levels of operands", "range")),
    ),
    Rule(
        "level.functions",
        "odd levels",
        cells(*(("levels of operands", n) for n in ("skyline", "banded", "bitmap", "offset", "accumulator"))),
    ),
    Rule("level.iterate.position", "buckets that hold nothing", typed=(merge_of("HashRows"),)),
    Rule("level.iterate.value", "flags", typed=(merge_of("dense,bitmap"),)),
    Rule("level.locate", "random access", typed=(problem_of("y(i) = X(i) * h(i)", X=X, h=X.convert("hashed")),)),
    Rule("level.insert", "in any order", typed=(problem_of("C(j,i) = A(i,j)", "HashMap", A=A),), needs=("structure",)),
    Rule("level.widen", "more than fits", typed=(problem_of("C(i,j) = A(i,j)", "dense,hashed(width=1)", A=A),)),
    Rule("level.append", "in order", typed=(problem_of("C(i,j) = A(i,j) + E(i,j)", "DCSR", A=A, E=OTHER),)),
    Rule(
        "level.append.order",
        "siblings as they come",
        typed=(problem_of("y(i) = S(i)", "compressed(unordered)", S=SHUFFLED),),
    ),
    Rule("level.analyse", "a look at everything", typed=(problem_of("C(i,j) = A(i,j)", "Banded", A=A),)),
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
        "level.full",
        "every coordinate",
        typed=(problem_of("y(i) = F(i) + X(i)", F=FULL, X=X),),
        refused=(problem_of("y(i) = F(i) + X(i)", F=HALF, X=X),),
    ),
    Rule("level.ordered", "unordered siblings", typed=(problem_of("y(i) = S(i) + X(i)", S=SHUFFLED, X=X),)),
    Rule("level.unique", "duplicates", typed=(problem_of("y(i) = S(i) * X(i)", S=SCATTERED, X=X),)),
    Rule("level.branchless", "chains", typed=(merge_of("COO"),)),
    Rule("level.compact", "gaps", typed=(problem_of("y(i) = A(i,j) + E(i,j)", A=A.convert("HashMap"), E=OTHER),)),
    Rule("level.padded", "slots that hold nothing", typed=(merge_of("ELL"),)),
    Rule("level.configured", "other properties", typed=(round_trip("compressed(nonunique),singleton(nonunique)"),)),
    Rule(
        "level.iterate.duplicates",
        "gathered duplicates",
        typed=(problem_of("y(i) = square(S(i))", S=SCATTERED), problem_of("C(i,j) = R(i,j) + 1", R=ROWS)),
    ),
    Rule(
        "level.iterate.sorted",
        "a sorted copy",
        typed=(problem_of("C(i,j) = R(i,j) + D(i,j)", "CSR", R=ROWS, D=matrix([[0, 1, 0, 2], [3, 0, 4, 0]])),),
    ),
    Rule(
        "level.iterate.chained",
        "children of duplicates",
        typed=(problem_of("C(i,j) = A(i,j) + E(i,j)", "CSR", A=A.convert("COO"), E=OTHER.convert("COO")),),
    ),
    Rule(
        "level.text",
        "array-of-structs levels",
        cells(("levels of operands", "compressed_aos"), ("levels of operands", "singleton_aos")),
    ),
    Rule("level.dense", "dense", typed=(round_trip("RowMajor"),)),
    Rule("level.compressed", "compressed", typed=(round_trip("CSR"),)),
    Rule("level.singleton", "singleton", typed=(round_trip("dense,compressed(nonunique)"), round_trip("COO"))),
    Rule("level.singleton.parents", "one coordinate a parent", typed=(round_trip("ELL"),)),
    Rule("level.range", "range", typed=(round_trip("DIA"), merge_of("DIA"))),
    Rule("level.offset", "offset", typed=(round_trip("SparseDIA"), merge_of("SparseDIA"))),
    Rule("level.hashed", "hashed", typed=(round_trip("HashRows"),)),
    Rule("level.hashed.probing", "buckets in use", typed=(merge_of("dense,hashed(width=2)"),)),
    Rule("level.hashed.width", "a width that is too small", typed=(round_trip("hashed(width=1),hashed(width=1)"),)),
    Rule("level.aos", "arrays of structs", typed=(round_trip("COO_AoS"), merge_of("COO_AoS"))),
    Rule("level.bitmap", "bitmap", typed=(round_trip("dense,bitmap"),)),
    Rule("level.banded", "banded", typed=(round_trip("Banded"), merge_of("Banded"))),
    Rule("level.skyline", "skyline", typed=(round_trip("Skyline", LOWER),)),
    Rule(
        "level.skyline.refused",
        "above the diagonal",
        typed=(problem_of("C(i,j) = L(i,j)", "Skyline", L=LOWER),),
        refused=(problem_of("C(i,j) = L(i,j)", "Skyline", L=ABOVE),),
    ),
    Rule("level.accumulator", "accumulator", typed=(round_trip("dense,accumulator"),)),
)
