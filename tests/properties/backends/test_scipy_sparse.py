import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.backends import load
from gnomon.properties.backends.backend import Scripted
from gnomon.properties.backends.outcome import Kind, Outcome, judge
from gnomon.properties.backends.scipy_sparse import SciPy
from gnomon.properties.backends.worker import answer
from gnomon.properties.programs.problem import Problem
from gnomon.reference.storage.named_formats import format_of

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
same = gn.tensor([[1, 1]], [1.0, np.inf], (4,), "compressed(nonunique)")
mixed = gn.tensor([[1, 1]], [0.0, np.inf], (4,), "compressed(nonunique)")
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
    ("R(i,j) = (A(i,j) + C(i,j)) / -0.25", {"A": A, "C": C}, "CSR"),
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
    ("R(i) = same(i) * s - x(i)", {"same": same, "s": s, "x": x}, "Dense"),
    ("R(i) = mixed(i) - x(i)", {"mixed": mixed, "x": x}, "Dense"),
    ("R(i) = np(i,j) * np_(j)", {"np": A, "np_": x}, "Dense"),
    ("R(i) = t1(i,j) * t1_(j) + t2(i)", {"t1": A, "t1_": x, "t2": y}, "Dense"),
    ("R(i) = csr_array(i,j) * coo_array(j)", {"csr_array": A, "coo_array": x}, "Dense"),
    ("R(i,j) = A(i,j) * floor(ne(1.0j, s))", {"A": A, "s": s}, "CSR"),
    ("R(j,i,k) = T(i,j,k)", {"T": T}, "COO"),
    ("R(i,j) = T(i,j,k)", {"T": T}, "Dense"),
    ("R(i,j,k) = T(i,j,k) * D(i,j) + T(i,j,k)", {"T": T, "D": D}, "COO"),
    ("R(i,j) = T(i,k,l) * B(k,l) * y(j)", {"T": T, "B": K, "y": y}, "Dense"),
    ("R(k,i,l) = A(k,j) * T(i,j,l)", {"A": D, "T": T}, "COO"),
    ("R(i,j) = max(k, T(i,j,k)) * 2", {"T": T}, "CSR"),
]
ONE = gn.tensor([[0]], [2.5], (1,), "compressed")
FAR = gn.tensor([[0]], [np.inf], (2,), "Dense")
ROW = gn.tensor([[0, 0], [0, 1]], [1.5, 2.5], (1, 2), "COO")
BOX = gn.tensor([[0], [1], [0]], [1.5], (1, 2, 1), "COO")
GUESSED = [  # whatever type and format SciPy gives in between
    ("R(i,j) = z(i) * b(j)", {"z": ONE, "b": y}),
    ("R(i,j) = ceil(b(j) * z(i))", {"z": ONE, "b": y}),
    ("R(i,j) = max(b(j) * z(i), 2)", {"z": ONE, "b": y}),
    ("R(i,j) = min(z(i) * b(j), row(i,j))", {"z": ONE, "b": y, "row": ROW}),
    ("R(i,j) = b(j) * (z(i) * z(i))", {"z": ONE, "b": y}),
    ("R(i,j) = sum(k, box(i,j,k)) * z(i)", {"box": BOX, "z": ONE}),
    ("R(i,j) = sum(k, box(i,j,k) * z(i))", {"box": BOX, "z": ONE}),
    ("R(i) = floor(max(h(i), 2))", {"h": h}),
    ("R = max(k, max(2, h(k)))", {"h": h}),
    ("R(i,j) = sin(max(X(i,j), 2))", {"X": matrix("HashRows")}),
    ("R(i,j) = floor(X(i,j) + X(i,j))", {"X": matrix("HashMap")}),
]
REFUSED = [
    ("R(i,j) = A(i,j) / 3", {"A": A}, "computed as a product with the reciprocal"),
    ("R(i,j) = A(i,j) / 0", {"A": A}, "computed as a product with the reciprocal"),
    ("R(i,j) = A(i,j) / D(i,j)", {"A": A, "D": D}, "computed as a product with the reciprocal"),
    ("R(i,j) = D(i,j) + y(i)", {"D": D, "y": y}, "no sparse operand"),
    ("R = floor(eq(1.0j, s))", {"s": s}, "no sparse operand"),
    ("R(i,j) = D(i,j)", {"D": D, "R": A}, "no sparse operand"),
    ("R(i,j) = 0 - P(i,j)", {"P": P}, "negating a boolean sparse array is not supported"),
    ("R(i,j) = z(i) * far(j)", {"z": ONE, "far": FAR}, "an infinity or NaN that may meet a zero"),
    ("R(i) = mixed(i) * s", {"mixed": mixed, "s": s}, "duplicates that are zero or differ in sign"),
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


@pytest.mark.parametrize(("source", "operands"), GUESSED)
@pytest.mark.parametrize("out", ["Dense", "CSR", "BCSR(1,2)"])
def test_no_type_is_guessed(source, operands, out):
    order = problem(source, operands, "Dense").out.order
    assert agrees(problem(source, operands, out if order == 2 else "COO" if order else ""))


def test_other_errors_are_findings(monkeypatch):
    def run(self, problem):
        raise NotImplementedError("coo_matvec not implemented for ndim=3")

    monkeypatch.setattr(Scripted, "run", run)
    assert answer(SciPy(), problem("R(i,j) = A(i,j)", {"A": A}, "CSR")).kind is Kind.RAISED


@pytest.mark.parametrize("format", STORED)
def test_every_format_is_scipys_own(format):
    vector = u if format in ("Dense", "ColumnMajor") else w
    assert agrees(problem("R(i) = X(i,j) * v(j)", {"X": matrix(format), "v": vector}, "Dense"))
    assert agrees(problem("R(j,i) = X(i,j) + X(i,j) + A(i,j)", {"X": matrix(format), "A": A}, "CSR"))


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


@pytest.mark.parametrize(
    "source",
    ["R = sum(i, V(i)) + 2", "R(i) = S(i,i) + 2", "R(i) = -1 * V(i)", "R(i) = V(i) * 0.5j", "R(i) = V(i) * 0 + V(i)"],
)
def test_numbers_of_a_program_are_truth_values_where_sums_are_disjunctions(source):
    given = {"V": u, "S": S}
    named = {name: tensor for name, tensor in given.items() if f"{name}(" in source}
    assert agrees(problem(source, named, "Dense" if "(i)" in source.partition("=")[0] else "", "or_and"))


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
    assert isinstance(load("scipy"), SciPy)
