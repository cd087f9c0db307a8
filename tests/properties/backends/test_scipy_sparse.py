import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.backends import loaded
from gnomon.properties.backends.outcome import Kind, Outcome, judge
from gnomon.properties.backends.scipy_sparse import SciPy
from gnomon.properties.backends.worker import answer
from gnomon.properties.problem import Problem
from gnomon.reference.named_formats import format_of

pytestmark = pytest.mark.filterwarnings("ignore::scipy.sparse.SparseEfficiencyWarning")


def matrix(format: str, dtype: str = "float64", values=(1.5, -2.0, 3.0)) -> gn.Tensor:
    return gn.tensor([[0, 0, 1], [0, 3, 1]], np.array(values).astype(dtype), (2, 4), format)


A, C, N = matrix("CSR"), matrix("CSC"), matrix("CSR", "int8", (100, 100, 3))
B = gn.tensor([[0, 3, 3], [1, 0, 1]], [4.0, 1.0, -1.0], (4, 2), "CSC")
K = gn.tensor([[0, 3, 3], [1, 0, 1]], [4.0, 1.0, -1.0], (4, 2), "COO")
D = gn.tensor([[0, 1], [1, 3]], [2.0, 0.5], (2, 4), "Dense")
S = gn.tensor([[0, 1], [0, 0]], [2.0, 3.0], (2, 2), "COO")
T = gn.tensor([[0, 1], [0, 3], [1, 1]], [2.0, 5.0], (2, 4, 2), "COO")
x = gn.tensor([[1, 3]], [2.0, 0.5], (4,), "SparseVector")
y = gn.tensor([[0]], [7.0], (2,), "Dense")
w = gn.tensor([[3, 0]], [7.0, 1.0], (4,), "Dense")
u = gn.tensor([[3, 0]], [7.0, 1.0], (4,), "compressed(unordered)")
h = gn.tensor([[3, 0]], [7.0, 1.0], (4,), "HashVector")
s = gn.tensor(np.zeros((0, 1)), [2.5], (), "")
P, Q = matrix("CSR", "bool"), gn.tensor([[0], [1]], [True], (4, 2), "CSC")
E = gn.tensor(np.zeros((2, 0)), [], (2, 0), "CSR")
twice = gn.tensor([[0, 0, 1], [3, 3, 1]], [100, -100, 4], (2, 4), "dense,compressed(nonunique)", dtype="int64")
inf = gn.tensor([[0, 1], [0, 1]], [np.inf, np.nan], (2, 2), "CSR")

STORED = ["CSR", "CSC", "COO", "DIA", "BCSR(1,2)", "BCSR(2,2)", "HashRows", "HashMap", "Dense", "ColumnMajor"]
STORED += ["dense,compressed(nonunique)", "dense,compressed(unordered)", "du:1,0"]
PROBLEMS = [
    ("R(i,j) = A(i,k) * B(k,j)", {"A": A, "B": B}, "CSR"),
    ("R(j,i) = B(k,j) * A(i,k)", {"A": A, "B": B}, "Dense"),
    ("R(i) = A(i,j) * x(j)", {"A": A, "x": x}, "Dense"),
    ("R(j) = y(i) * C(i,j)", {"C": C, "y": y}, "SparseVector"),
    ("R = x(i) * u(i)", {"x": x, "u": u}, ""),
    ("R(i,j) = A(i,j) + C(i,j) - D(i,j)", {"A": A, "C": C, "D": D}, "Dense"),
    ("R(i,j) = D(i,j) - A(i,j)", {"A": A, "D": D}, "CSC"),
    ("R(i,j) = A(i,j) - x(j)", {"A": A, "x": x}, "Dense"),
    ("R(i,j) = A(i,j) * C(i,j)", {"A": A, "C": C}, "COO"),
    ("R(i,j) = D(i,j) * A(i,j) * s", {"A": A, "D": D, "s": s}, "COO"),
    ("R(i,j) = A(i,j) * x(j) * y(i)", {"A": A, "x": x, "y": y}, "CSR"),
    ("R(i,j) = y(i) * x(j)", {"x": x, "y": y}, "CSR"),
    ("R(i,j) = u(i) * x(j)", {"x": x, "u": u}, "HashMap"),
    ("R(i) = sum(j, A(i,j) * C(i,j))", {"A": A, "C": C}, "Dense"),
    ("R = A(i,j) * B(j,i)", {"A": A, "B": B}, ""),
    ("R(i) = A(i,j) * B(j,k) * D(k,l)", {"A": A, "B": B, "D": D}, "Dense"),
    ("R(i,j) = 2 * -A(i,j)", {"A": A}, "BCSR(1,2)"),
    ("R(i,j) = A(i,j) / 2 + sqrt(D(i,j) / s)", {"A": A, "D": D, "s": s}, "CSR"),
    ("R(i,j) = abs(A(i,j)) + square(A(i,j)) + floor(A(i,j)) + sign(A(i,j))", {"A": A}, "CSR"),
    ("R(i,j) = sin(H(i,j)) + tanh(H(i,j))", {"H": matrix("HashRows", "int8")}, "CSR"),
    ("R(i,j) = pow(N(i,j), 2)", {"N": N}, "CSR"),
    ("R(i,j) = conj(Z(i,j)) * imag(Z(i,j)) + real(Z(i,j))", {"Z": matrix("DIA", "complex64")}, "CSR"),
    ("R(i,j) = max(A(i,j), C(i,j)) + min(D(i,j), C(i,j)) + max(-1, A(i,j))", {"A": A, "C": C, "D": D}, "CSR"),
    ("R(i,j) = le(A(i,j), C(i,j))", {"A": A, "C": C}, "CSR"),
    ("R(i,j) = lt(1, A(i,j))", {"A": A}, "CSR"),
    ("R(i,j) = ne(D(i,j), A(i,j))", {"A": A, "D": D}, "CSR"),
    ("R(i) = max(j, A(i,j))", {"A": A}, "HashVector"),
    ("R(j) = min(i, X(i,j))", {"X": matrix("DIA")}, "Dense"),
    ("R = min(i, min(j, A(i,j)))", {"A": A}, ""),
    ("R = A(i,j)", {"A": A}, ""),
    ("R(i) = N(i,j)", {"N": N}, "Dense"),
    ("R(i) = N(i,k) * P(i,k)", {"N": N, "P": P}, "Dense"),
    ("R(i) = S(i,i) * y(i)", {"S": S, "y": y}, "Dense"),
    ("R = S(i,i)", {"S": S}, ""),
    ("R(j) += A(i,j)", {"A": A, "R": h}, "Dense"),
    ("R(j) max= A(i,j)", {"A": A, "R": x}, "Dense"),
    ("R(i) = E(i,k)", {"E": E}, "Dense"),
    ("R(i,j) = twice(i,j) * 2 + twice(i,j)", {"twice": twice}, "CSR"),
    ("R(i,j) = inf(i,j) * S(i,j) + inf(i,j)", {"inf": inf, "S": gn.tensor([[0], [0]], [1.0], (2, 2), "Dense")}, "CSR"),
    ("R(i) = in(i,j) * np(j)", {"in": A, "np": x}, "Dense"),
    ("R(j,i,k) = T(i,j,k)", {"T": T}, "COO"),
    ("R(i,j) = T(i,j,k)", {"T": T}, "Dense"),
    ("R(i,j,k) = T(i,j,k) * D(i,j) + T(i,j,k)", {"T": T, "D": D}, "COO"),
    ("R(i,j) = T(i,k,l) * B(k,l) * y(j)", {"T": T, "B": K, "y": y}, "Dense"),
    ("R(k,i,l) = A(k,j) * T(i,j,l)", {"A": D, "T": T}, "COO"),
    ("R(i,j) = max(k, T(i,j,k)) * 2", {"T": T}, "CSR"),
]
REFUSED = [
    ("R(i,j) = A(i,j) + 1", {"A": A}, "a number added to a sparse array"),
    ("R(i,j) = D(i,j) / A(i,j)", {"A": A, "D": D}, "a sparse divisor"),
    ("R(i,j) = pow(A(i,j), -1)", {"A": A}, "a power of a sparse array"),
    ("R(i,j) = pow(2, A(i,j))", {"A": A}, "a sparse exponent"),
    ("R(i,j,k) = A(i,j) * B(j,k)", {"A": A, "B": B}, "a product with more dimensions than its operands"),
    ("R(i) = max(j, E(i,j))", {"E": E}, "the least or the greatest of nothing"),
    ("R(i,j) = inf(i,j) * S(i,j)", {"inf": inf, "S": S}, "an infinity or NaN that may meet a zero"),
    ("R(i,j) = inf(i,j) * sum(k, S(i,k))", {"inf": inf, "S": S}, "an infinity or NaN that may meet a zero"),
    ("R(i,j) = A(i,j) * (2 + 3)", {"A": A}, "an operation on numbers alone"),
    ("R(i) = exp(x(i))", {"x": x}, "exp"),
    ("R(i,j) = sign(P(i,j))", {"P": P}, "the sign of booleans"),
    (
        "R(i,j) = O(i,j)",
        {"O": gn.tensor([[0], [0]], [1.0], (3, 4), "BCSR(2,2)")},
        "blocks that do not divide the shape",
    ),
]


def problem(source: str, operands: dict, out: str, semiring: str | None = None) -> Problem:
    order = len([c for c in source.partition("=")[0].partition("(")[2] if c.isalpha() and c not in "max"])
    return Problem(source, operands, format_of(out, order), semiring)


def agrees(given: Problem) -> bool:
    result = answer(SciPy(), given)
    assert not isinstance(result, Outcome), result
    return judge(given, result) == Outcome(Kind.AGREES)


@pytest.mark.parametrize(("source", "operands", "out"), PROBLEMS)
def test_agrees(source, operands, out):
    assert agrees(problem(source, operands, out))


@pytest.mark.parametrize("format", STORED)
def test_every_format_is_scipys_own(format):
    given = problem("R(i) = X(i,j) * w(j)", {"X": matrix(format), "w": w}, "Dense")
    assert agrees(given)
    assert agrees(problem("R(j,i) = X(i,j) + X(i,j)", {"X": matrix(format)}, "CSR"))


@pytest.mark.parametrize(
    ("format", "call"),
    [
        ("CSR", "X = csr_array((np.array([1.5, -2.0, 3.0], dtype='float64'), np.array([0, 3, 1]"),
        ("du:1,0", "X = csc_array("),
        ("DIA", "X = dia_array((np.array([[1.5, 3.0, 0.0, 0.0], [0.0, 0.0, 0.0, -2.0]], dtype='float64')"),
        ("BCSR(2,2)", "X = bsr_array((np.array([[[1.5, 0.0], [0.0, 3.0]], [[0.0, -2.0], [0.0, 0.0]]]"),
        ("HashMap", ".todok()\n"),
    ],
)
def test_storage(format, call):
    assert call in SciPy().script(problem("R(i,j) = X(i,j)", {"X": matrix(format)}, "CSR"))


@pytest.mark.parametrize(("source", "operands", "reason"), REFUSED)
def test_refuses(source, operands, reason):
    outcome = answer(SciPy(), problem(source, operands, "Dense"))
    assert isinstance(outcome, Outcome)
    assert outcome.kind is Kind.REFUSED
    assert reason in outcome.cause


@pytest.mark.parametrize("operands", [{"A": A, "B": B}, {"A": P, "B": Q}])
@pytest.mark.parametrize("semiring", ["plus_times", "or_and"])
def test_semirings(operands, semiring):
    assert agrees(problem("R(i,j) = sum(k, A(i,k) * B(k,j)) + sum(k, A(i,k) * B(k,j))", operands, "CSR", semiring))
    assert agrees(problem("R(i) = A(i,k)", {"A": operands["A"]}, "Dense", semiring))


def test_duplicates_of_booleans_are_refused():
    given = gn.tensor([[0, 0], [1, 1]], [True, True], (2, 4), "dense,compressed(nonunique)")
    assert answer(SciPy(), problem("R(i) = X(i,j)", {"X": given}, "Dense")).cause == "duplicates of booleans"


def test_script_stands_alone():
    given = problem("R(i) = A(i,j) * x(j) + y(i)", {"A": A, "x": x, "y": y}, "SparseVector")
    text = SciPy().script(given)
    assert text == (
        "import numpy as np\n"
        "from numpy import inf, nan\n"
        "from scipy.sparse import csr_array, coo_array\n"
        "\n"
        "A = csr_array((np.array([1.5, -2.0, 3.0], dtype='float64'), np.array([0, 3, 1], dtype='int32'), "
        "np.array([0, 2, 3], dtype='int32')), shape=(2, 4))\n"
        "x = coo_array((np.array([2.0, 0.5], dtype='float64'), (np.array([1, 3], dtype='int32'),)), shape=(4,))\n"
        "y = np.array([7.0, 0.0], dtype='float64')\n"
        "t1 = A @ x\n"
        "t2 = t1 + y\n"
        "result = coo_array(t2)\n"
    )
    space: dict = {}
    exec(text, space)
    assert space["result"].toarray().tolist() == [6.0, 6.0]


def test_is_found_by_its_name():
    assert isinstance(loaded("scipy"), SciPy)
