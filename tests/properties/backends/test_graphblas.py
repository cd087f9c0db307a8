import gnomon as gn
import numpy as np
import pytest
from depth import DEEP
from gnomon.generator.runtime.compiler import compiler
from gnomon.properties.backends import load
from gnomon.properties.backends.outcome import Kind, Outcome, judge
from gnomon.properties.backends.worker import answer
from gnomon.properties.differential.batch import build_library, cases, check_case
from gnomon.properties.programs.problem import Problem
from gnomon.reference.algebra.semirings import KNOWN
from gnomon.reference.storage.named_formats import format_of

pytest.importorskip("graphblas")

A = gn.tensor([[0, 0, 1], [0, 2, 1]], [1.5, -2.0, 3.0], (2, 3), "CSR")
B = gn.tensor([[0, 2, 2], [1, 0, 1]], [4.0, 1.0, -1.0], (3, 2), "CSC")
C = gn.tensor([[0, 1, 1], [1, 2, 2]], [0.5, 2.0, 2.0], (2, 3), "compressed(nonunique,unordered),singleton(unordered)")
D = gn.tensor([[0, 1], [0, 2]], [1.0, 4.0], (2, 3), "RowMajor")
G = gn.tensor([[0, 1], [0, 2]], [1.0, 0.0], (2, 3), "dense,bitmap")
H = gn.tensor([[0, 1], [0, 2]], [1.0, 4.0], (2, 3), "DCSR")
K = gn.tensor([[0, 1], [0, 2]], [1.0, 4.0], (2, 3), "DCSC")
M = gn.tensor([[0, 1, 1], [0, 1, 2]], [True, True, False], (2, 3), "COO")
S = gn.tensor([[0, 1], [0, 1]], [2.0, 3.0], (2, 2), "COO")
x = gn.tensor([[1, 1]], [2.0, 0.5], (3,), "compressed(nonunique)")
y = gn.tensor([[0]], [7.0], (2,), "SparseVector")
b = gn.tensor([[0]], [7.0], (2,), "bitmap")
d = gn.tensor([[0, 2]], [7.0, 1.0], (3,), "Dense")
s = gn.tensor(np.zeros((0, 1)), [2.5], (), "")
n = gn.tensor([[0, 0], [0, 2]], [11, 11], (2, 3), "CSR", dtype="int8")
p = gn.tensor([[0, 0, 1], [0, 2, 1]], [True, True, True], (2, 3), "CSR")
c = gn.tensor([[0, 1], [0, 2]], [1 + 2j, 3j], (2, 3), "CSR", dtype="complex64")
f = gn.tensor([[0]], [7.0], (2,), "SparseVector", fill=1.0)
nan = gn.tensor([[1]], [np.nan], (3,), "SparseVector")

PLAIN = [
    ("R(i,j) = A(i,k) * B(k,j)", {"A": A, "B": B}),
    ("R(i,j) = A(k,i) * A(k,j)", {"A": A}),
    ("R(i) = A(i,j) * x(j)", {"A": A, "x": x}),
    ("R(j) = y(i) * A(i,j)", {"A": A, "y": y}),
    ("R = x(i) * d(i)", {"x": x, "d": d}),
    ("R = sum(j, sum(i, A(i,j) * x(j)))", {"A": A, "x": x}),
    ("R(i) = A(i,j) * D(i,j)", {"A": A, "D": D}),
    ("R(i) = n(i,j) * n(i,j)", {"n": n}),
    ("R(i) = p(i,j) * p(i,j)", {"p": p}),
    ("R(i) = p(i,j)", {"p": p}),
    ("R = A(i,j)", {"A": A}),
    ("R(j) = A(i,j)", {"A": A}),
    ("R(i,j) = x(i) * y(j)", {"x": x, "y": y}),
    ("R(i,j) = A(i,j) * y(i)", {"A": A, "y": y}),
    ("R(i,j) = x(j) * A(i,j)", {"A": A, "x": x}),
    ("R(j,i) = A(i,j)", {"A": A}),
    ("R(i,j) = A(i,j) + B(j,i)", {"A": A, "B": B}),
    ("R(i,j) = A(i,j) - C(i,j)", {"A": A, "C": C}),
    ("R(i,j) = G(i,j) - D(i,j)", {"D": D, "G": G}),
    ("R(i,j) = H(i,j) * K(i,j) + n(i,j)", {"H": H, "K": K, "n": n}),
    ("R(i) = y(i) + b(i)", {"y": y, "b": b}),
    ("R(i,j) = min(A(i,j), C(i,j))", {"A": A, "C": C}),
    ("R(i,j) = A(i,j) / C(i,j)", {"A": A, "C": C}),
    ("R(i,j) = or(n(i,j), p(i,j))", {"n": n, "p": p}),
    ("R(i,j) = lt(A(i,j), C(i,j))", {"A": A, "C": C}),
    ("R(i,j) = s * A(i,j) / 2", {"A": A, "s": s}),
    ("R(i,j) = sqrt(n(i,j)) + sign(A(i,j))", {"n": n, "A": A}),
    ("R(i,j) = square(abs(c(i,j)))", {"c": c}),
    ("R(i,j) = -conj(c(i,j))", {"c": c}),
    ("R(i) = or(j, A(i,j))", {"A": A}),
    ("R(i) = S(i,i)", {"S": S}),
    ("R = s * s + s", {"s": s}),
    ("R(i,j) += B(j,i)", {"R": A, "B": B}),
    ("R(i,j) += n(i,j)", {"R": n, "n": n}),
    ("R(i,j) or= A(i,j)", {"R": n, "A": A}),
    ("R(i,j)<M(i,j)> = A(i,j)", {"A": A, "M": M}),
    ("R(i,j)<!M(i,j)> = A(i,j)", {"A": A, "M": M}),
    ("R(i,j)<$M(i,j)> = B(j,i)", {"B": B, "M": M}),
    ("R(j,i)<!$M(i,j)> = A(i,j) + C(i,j)", {"A": A, "C": C, "M": M}),
    ("R(i,j)<M(i,j)> += A(i,j)", {"R": C, "A": A, "M": M}),
    ("Matrix(i) = unary(i)", {"unary": y}),
]

COMET = (*("plus_times", "any_pair", "min_plus", "plus_pair", "min_first", "min_second", "plus_first", "plus_second"),)

RINGS = [
    ("R(i,j) = E(i,k) * F(k,j)", "EF"),
    ("R(i) = E(i,j) * z(j)", "Ez"),
    ("R(j) = w(i) * E(i,j)", "Ew"),
    ("R(i,j) = E(i,j) + F(j,i)", "EF"),
    ("R(i,j) = E(i,j) * z(j)", "Ez"),
    ("R(i,j) = z(j) * E(i,j)", "Ez"),
    ("R(i,j) = w(i) * E(i,j)", "Ew"),
    ("R(i,j) = E(i,j) * w(i)", "Ew"),
    ("R(i,j) = z(i) * w(j)", "zw"),
    ("R = E(i,j)", "E"),
    ("R(i,j)<$E(i,j)> = E(i,k) * G(k,j)", "EG"),
]

SPREAD = [source for source, _ in RINGS if source.startswith("R(i,j) = ") and "*" in source and "k" not in source]
"""Products of a matrix and a vector, or of two vectors, component by component."""

REFUSED = [
    ("R(i,j) = A(i,j) + 1", {"A": A}, "a value other than zero where operands are absent"),
    ("R(i,j) = A(i,j) + x(j)", {"A": A, "x": x}, "a sum of operands with different variables"),
    ("R(i,j) = A(i,j) + s", {"A": A, "s": s}, "a scalar and another operand in another operation than a product"),
    ("R(i,j) = y(i) * sum(k, x(k)) * x(j)", {"y": y, "x": x}, "a product with a scalar that may be empty"),
    ("R(i,j) = sum(k, A(i,j) * x(k))", {"A": A, "x": x}, "more than two variables"),
    ("R(i) = max(x(i), nan(i))", {"x": x, "nan": nan}, "a minimum or maximum where there may be NaN"),
    ("R(i) = max(x(i) / y(i), x(i))", {"x": x, "y": x}, "a minimum or maximum where there may be NaN"),
    ("R(i) max= y(i)", {"y": y}, "a fold of zeros that are absent"),
    ("R(i) = max(j, A(i,j))", {"A": A}, "a reduction by max"),
    ("R(i) = f(i)", {"f": f}, "fill 1.0"),
    ("R(i,j) = imag(A(i,j))", {"A": A}, "the imaginary part of real numbers"),
    ("R(i,j)<m(i)> = A(i,j)", {"A": A, "m": y}, "a mask of another order than the result"),
    ("R(i,j)<M(i,j)> or= A(i,j)", {"R": n, "A": A, "M": M}, "numbers that a mask keeps from becoming truth values"),
]


def problem(source, operands, **more):
    order = len(source.split("=")[0].split("<")[0].split(")")[0].partition("(")[2].replace(",", ""))
    out = ("", "SparseVector", "CSR")[order]
    return Problem(source, operands, format_of(out, order), **more)


@pytest.fixture(scope="module")
def backend():
    return load("graphblas")


def agrees(backend, asked):
    found = answer(backend, asked)
    assert not isinstance(found, Outcome), found
    assert judge(asked, found, backend.promises) == Outcome(Kind.AGREES)


@pytest.mark.parametrize(("source", "operands"), PLAIN, ids=[source for source, *_ in PLAIN])
def test_what_the_library_computes_agrees(backend, source, operands):
    agrees(backend, problem(source, operands))


@pytest.mark.every(3)
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "float32", "float64"])
@pytest.mark.parametrize("ring", [name for name, _ in KNOWN])
def test_semirings_agree_in_values_and_structure(backend, ring, dtype):
    low, high, one, two = (np.array(values).astype(dtype) for values in ([1, 2, 3], [4, 1, 0], [3], [3, 5]))
    made = {
        "E": gn.tensor([[0, 0, 1], [0, 2, 1]], low, (2, 3), "CSR"),
        "F": gn.tensor([[0, 2, 2], [1, 0, 1]], high, (3, 2), "CSC"),
        "G": gn.tensor([[0, 2, 2], [1, 0, 1]], high, (3, 3), "COO"),
        "z": gn.tensor([[0, 2]], two, (3,), "SparseVector"),
        "w": gn.tensor([[1]], one, (2,), "SparseVector"),
    }
    for source, names in RINGS:
        asked = problem(source, {name: made[name] for name in names}, semiring=ring)
        if gn.semiring(ring).place and source in SPREAD:
            assert answer(backend, asked) == Outcome(Kind.REFUSED, "a place of operands that are not contracted")
        else:
            agrees(backend, asked)


@pytest.mark.parametrize("ring", ["min_min", "plus_plus", "times_times"])
def test_sums_and_products_by_one_operator_are_told_apart(backend, ring):
    given = {"A": A, "C": C, "x": x, "v": gn.tensor([[0, 1]], [3.0, 2.0], (3,), "SparseVector")}
    for source in (
        "R(i) = x(i) + v(i)",
        "R(i) = x(i) * v(i)",
        "R(i) = sum(j, A(i,j) + C(i,j))",
        "R(i) = A(i,j) * x(j)",
    ):
        named = {name: tensor for name, tensor in given.items() if f"{name}(" in source}
        agrees(backend, problem(source, named, semiring=ring))
    refused = problem("R(i) = x(i) + 2", {"x": x}, semiring=ring)
    assert answer(backend, refused) == Outcome(Kind.REFUSED, "a sum with a number or scalar")


def test_semirings_that_the_library_lacks_are_refused(backend):
    asked = problem("R(i,j) = A(i,k) * B(k,j)", {"A": A, "B": B}, semiring="times_gt")
    assert answer(backend, asked) == Outcome(Kind.REFUSED, "a sum of comparisons as numbers")


MASKED = [
    f"R(i,j)<{kind}M(i,j),{rest}> {sign} E(i,k) * G(k,j)"
    for sign in ("=", "+=")
    for rest in ("merge", "replace")
    for kind in ("", "!", "$", "!$")
]
STORED = ("CSR", "CSC", "DCSR", "COO")


@pytest.mark.every(4)
@pytest.mark.parametrize("ring", COMET)
def test_masked_assignments_agree_with_the_library_and_with_our_engines(backend, ring, tmp_path):
    """Every mask, kept or dropped, with and without accumulation, in formats by turns, every other one by our engines;
    in deep runs in each format by all."""
    low, high, old = np.array([1.0, 2.0, 3.0]), np.array([4.0, 1.0, 0.0]), np.array([9.0, 0.5, 2.0])
    asked = []
    for n, source in enumerate(MASKED):
        for format in STORED if DEEP else (STORED[(n + n // 4) % 4],):
            made = {
                "E": gn.tensor([[0, 0, 1], [0, 2, 1]], low, (2, 3), format),
                "G": gn.tensor([[0, 2, 2], [1, 0, 1]], high, (3, 3), format),
                "M": gn.tensor([[0, 0, 1], [0, 1, 2]], [1.0, 0.0, 1.0], (2, 3), format),
            }
            if "merge" in source or "+=" in source:
                made["R"] = gn.tensor([[0, 1, 1], [1, 0, 2]], old, (2, 3), format)
            found = Problem(source, made, format_of(format, 2), semiring=ring)
            agrees(backend, found)
            asked.append(found)
    every = list(cases(asked if DEEP else asked[COMET.index(ring) % 2 :: 2], []))
    library = build_library(every, tmp_path, compiler(None))
    for case in every:
        check_case(case, library)


def test_contents_are_accumulated_by_the_monoid(backend):
    agrees(backend, problem("R(i) min= A(i,j) * x(j)", {"A": A, "x": x, "R": y}, semiring="min_plus"))
    agrees(backend, problem("R(i)<M(i)> += A(i,j) * x(j)", {"A": A, "x": x, "R": y, "M": b}, semiring="max_plus"))


@pytest.mark.parametrize(("source", "operands", "reason"), REFUSED, ids=[source for source, *_ in REFUSED])
def test_what_the_library_does_not_mean_is_refused(backend, source, operands, reason):
    assert answer(backend, problem(source, operands)) == Outcome(Kind.REFUSED, reason)


def test_operands_of_several_dtypes_have_one_identity(backend):
    agrees(backend, problem("R(i,j) = A(i,j) + n(i,j)", {"A": A, "n": n}, semiring="min_plus"))


SCRIPT = """\
import numpy as np
from numpy import inf, nan
from graphblas import Matrix, Scalar, Vector, binary, monoid, semiring, unary
A = Matrix.from_csr(np.array([0, 2, 3], dtype='int32'), np.array([0, 2, 1], dtype='int32'), \
np.array([1.5, -2.0, 3.0], dtype='float64'), ncols=3)
x = Vector.from_coo(np.array([1, 1], dtype='int64'), np.array([2.0, 0.5], dtype='float64'), size=3, dup_op=binary.plus)
R = Vector.from_coo(np.array([0], dtype='int64'), np.array([7.0], dtype='float64'), size=2)
m = Vector.ss.import_bitmap(bitmap=np.array([True, False], dtype='bool'), \
values=np.array([7.0, 0.0], dtype='float64'), size=2)
R(~m.S, accum=binary.plus["FP64"]) << A.mxv(x, semiring.plus_times["FP64"])
result = R
"""


def test_a_script_stands_alone(backend):
    script = backend.script(problem("R(i)<!$m(i)> += A(i,j) * x(j)", {"A": A, "x": x, "R": y, "m": b}))
    assert script == SCRIPT
    space = {}
    exec(script, space)
    assert space["result"].to_dict() == {0: 7.0, 1: 7.5}
