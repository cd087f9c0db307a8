import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.backends import load
from gnomon.properties.backends.outcome import Kind, Outcome, judge
from gnomon.properties.backends.worker import answer
from gnomon.properties.programs.problem import Problem
from gnomon.reference.storage.named_formats import format_of

pytest.importorskip("sparse")

A = gn.tensor([[0, 0, 1], [0, 2, 1]], [1.5, -2.0, 3.0], (2, 3), "CSR")
B = gn.tensor([[0, 2, 2], [1, 0, 1]], [4.0, 1.0, -1.0], (3, 2), "CSC")
C = gn.tensor([[0, 1, 1], [1, 2, 2]], [0.5, 2.0, 2.0], (2, 3), "compressed(nonunique,unordered),singleton(unordered)")
D = gn.tensor([[0, 1], [0, 2]], [1.0, 4.0], (2, 3), "RowMajor")
F = gn.tensor([[0, 1], [0, 2]], [1.0, 4.0], (2, 3), "COO", fill=2.0)
M = gn.tensor([[0, 1, 1], [0, 1, 2]], [True, True, False], (2, 3), "COO")
S = gn.tensor([[0, 1], [0, 1]], [2.0, 3.0], (2, 2), "COO")
T = gn.tensor([[0, 1], [0, 2], [1, 1]], [2.0, 5.0], (2, 3, 2), "dense,compressed,compressed")
U = gn.tensor([[0, 1], [0, 2], [1, 1], [1, 1]], [2.0, 5.0], (2, 3, 2, 2), "dense,dense,compressed,compressed")
x = gn.tensor([[1, 1]], [2.0, 0.5], (3,), "compressed(nonunique)")
y = gn.tensor([[0]], [7.0], (2,), "SparseVector")
d = gn.tensor([[0, 2]], [7.0, 1.0], (3,), "Dense")
s = gn.tensor(np.zeros((0, 1)), [2.5], (), "")
n = gn.tensor([[0, 0], [0, 2]], [11, 11], (2, 3), "CSR", dtype="int8")
p = gn.tensor([[0, 0, 1], [0, 2, 1]], [True, True, True], (2, 3), "CSR")
e = gn.tensor(np.zeros((2, 0)), [], (2, 0), "CSR")
nan = gn.tensor([[1]], [np.nan], (3,), "SparseVector")

PROBLEMS = [
    ("R(i,j) = A(i,k) * B(k,j)", {"A": A, "B": B}, "CSR"),
    ("R(i,j) = A(k,i) * A(k,j)", {"A": A}, "CSC"),
    ("R(i) = A(i,j) * x(j)", {"A": A, "x": x}, "SparseVector"),
    ("R(j) = y(i) * A(i,j)", {"A": A, "y": y}, "Dense"),
    ("R = x(i) * d(i)", {"x": x, "d": d}, ""),
    ("R(i) = A(i,j) * d(j)", {"A": A, "d": d}, "Dense"),
    ("R(i,k) = T(i,j,k) * x(j)", {"T": T, "x": x}, "COO"),
    ("R(i,l) = T(i,j,k) * B(j,k) * y(l)", {"T": T, "B": B, "y": y}, "COO"),
    ("R(i) = T(i,j,k) * B(j,k)", {"T": T, "B": B}, "SparseVector"),
    ("R(k,i) = U(i,j,k,l) * B(j,l)", {"U": U, "B": B}, "CSR"),
    ("R(l,k,j,i) = U(i,j,k,l)", {"U": U}, "COO"),
    ("R(i) = n(i,j) * n(i,j)", {"n": n}, "Dense"),
    ("R(i) = p(i,j) * p(i,j)", {"p": p}, "Dense"),
    ("R(i) = p(i,j)", {"p": p}, "SparseVector"),
    ("R(j,i) = A(i,j)", {"A": A}, "CSC"),
    ("R(i,j) = A(i,j) + F(i,j)", {"A": A, "F": F}, "COO"),
    ("R(i,j) = A(i,j) * F(i,j) - C(i,j)", {"A": A, "F": F, "C": C}, "CSR"),
    ("R(i,j) = A(i,j) * D(i,j)", {"A": A, "D": D}, "CSR"),
    ("R(i,j) = A(i,j) + D(i,j)", {"A": A, "D": D}, "RowMajor"),
    ("R(i,j) = A(i,j) / F(i,j)", {"A": A, "F": F}, "CSR"),
    ("R(i,j) = A(i,j) - x(j) * y(i)", {"A": A, "x": x, "y": y}, "COO"),
    ("R(i,j) = x(i) + y(j)", {"x": x, "y": y}, "COO"),
    ("R(i,j) = exp(A(i,j)) * s - 1", {"A": A, "s": s}, "CSR"),
    ("R(i,j) = sqrt(n(i,j))", {"n": n}, "CSR"),
    ("R(i,j) = or(n(i,j), not(p(i,j)))", {"n": n, "p": p}, "CSR"),
    ("R(i,j) = max(A(i,j), -0.5)", {"A": A}, "CSR"),
    ("R(i) = sum(j, F(i,j))", {"F": F}, "Dense"),
    ("R(i) = max(j, F(i,j))", {"F": F}, "Dense"),
    ("R = prod(i, prod(j, F(i,j)))", {"F": F}, ""),
    ("R(i) = or(j, n(i,j))", {"n": n}, "Dense"),
    ("R(i) = sum(j, e(i,j))", {"e": e}, "Dense"),
    ("R(i) = S(i,i)", {"S": S}, "SparseVector"),
    ("R = S(i,i)", {"S": S}, ""),
    ("R = s * s + s", {"s": s}, ""),
    ("R(i,j) += B(j,i)", {"R": A, "B": B}, "CSR"),
    ("R(i,j) min= F(i,j)", {"R": A, "F": F}, "CSR"),
    ("R(i,j)<M(i,j)> = A(i,j) + 1", {"A": A, "M": M}, "CSR"),
    ("R(i,j)<!M(i,j)> = A(i,j) + 1", {"A": A, "M": M}, "CSR"),
    ("R(i,j)<M(i,j)> += A(i,j)", {"R": C, "A": A, "M": M}, "CSR"),
    ("R(i) = A(i,j) + nan(j)", {"A": A, "nan": nan}, "Dense"),
    ("lambda(i) = sparse(i) - 1", {"sparse": y}, "Dense"),
]

REFUSED = [
    ("R(i,j) = A(i,j) * nan(j)", {"A": A, "nan": nan}, "an infinity or NaN where a factor may be absent"),
    ("R(i,j) = A(i,j) / C(i,j)", {"A": A, "C": C}, "a divisor that may be absent, zero or not finite"),
    ("R(i) = max(j, e(i,j))", {"e": e}, "a minimum or maximum of nothing"),
    ("R(i) = xor(j, A(i,j) + 1)", {"A": A}, "a dense result"),
    ("R(i,j)<$M(i,j)> = A(i,j)", {"A": A, "M": M}, "a mask <$M>"),
    ("R(i,j)<F(i,j)> = A(i,j)", {"A": A, "F": F}, "a mask with a fill"),
]


def problem(source, operands, out="COO", **more):
    order = len(source.split("=")[0].split("<")[0].split(")")[0].partition("(")[2].replace(",", ""))
    return Problem(source, operands, format_of(out, order) if order else gn.Format(()), **more)


@pytest.fixture(scope="module")
def backend():
    return load("sparse")


@pytest.mark.parametrize(("source", "operands", "out"), PROBLEMS, ids=[source for source, *_ in PROBLEMS])
def test_what_the_library_computes_agrees(backend, source, operands, out):
    asked = problem(source, operands, out)
    found = answer(backend, asked)
    assert not isinstance(found, Outcome), found
    assert judge(asked, found, backend.promises).kind is Kind.AGREES


@pytest.mark.parametrize(("source", "operands", "reason"), REFUSED, ids=[source for source, *_ in REFUSED])
def test_what_the_library_means_otherwise_is_refused(backend, source, operands, reason):
    out = "Dense" if source.startswith("R(i) ") else "COO"
    assert answer(backend, problem(source, operands, out)) == Outcome(Kind.REFUSED, reason)


def test_semirings_are_refused(backend):
    asked = problem("R(i,j) = A(i,k) * B(k,j)", {"A": A, "B": B}, semiring="min_plus")
    assert answer(backend, asked) == Outcome(Kind.REFUSED, "the semiring min_plus")


SCRIPT = """\
import numpy as np
from numpy import inf, nan
import sparse
A = sparse.GCXS((np.array([1.5, -2.0, 3.0], dtype='float64'), np.array([0, 2, 1], dtype='int32'), \
np.array([0, 2, 3], dtype='int32')), shape=(2, 3), compressed_axes=(0,))
y = sparse.GCXS((np.array([7.0], dtype='float64'), np.array([0], dtype='int32'), np.array([0, 1], dtype='int32')), \
shape=(2,), compressed_axes=())
F = sparse.COO(np.array([[0, 1], [0, 2]], dtype='int64'), np.array([1.0, 4.0], dtype='float64'), shape=(2, 3), \
fill_value=2.0)
t1 = y[:, None]
t2 = A * t1
t3 = t2 + F
t4 = t3.transpose((1, 0))
result = t4.asformat('gcxs', compressed_axes=(1,))
"""


def test_a_script_stands_alone(backend):
    script = backend.script(problem("R(j,i) = A(i,j) * y(i) + F(i,j)", {"A": A, "y": y, "F": F}, "CSC"))
    assert script == SCRIPT
    space = {}
    exec(script, space)
    np.testing.assert_allclose(space["result"].todense(), [[11.5, 2], [2, 2], [-12, 4]])
