import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.backends import load
from gnomon.properties.backends.numpy_einsum import Einsum
from gnomon.properties.backends.outcome import Kind, Outcome, judge
from gnomon.properties.backends.worker import answer
from gnomon.properties.programs.problem import Problem
from gnomon.reference.storage.named_formats import format_of

A = gn.tensor([[0, 0, 1], [0, 2, 1]], [1.5, -2.0, 3.0], (2, 3), "CSR")
B = gn.tensor([[0, 2, 2], [1, 0, 1]], [4.0, 1.0, -1.0], (3, 2), "CSC")
S = gn.tensor([[0, 1], [0, 1]], [2.0, 3.0], (2, 2), "COO")
T = gn.tensor([[0, 1], [0, 2], [1, 1]], [2.0, 5.0], (2, 3, 2), "CSF")
x = gn.tensor([[1, 1]], [2.0, 0.5], (3,), "compressed(nonunique)")
y = gn.tensor([[0]], [7.0], (2,), "SparseVector")
s = gn.tensor(np.zeros((0, 1)), [2.5], (), "")
n = gn.tensor([[0, 1], [0, 2]], [100, 100], (2, 3), "CSR", dtype="int8")
p = gn.tensor([[0, 0, 1], [0, 2, 1]], [True, True, True], (2, 3), "CSR")
f = gn.tensor([[1]], [3.0], (3,), "SparseVector", fill=2.0)
e = gn.tensor(np.zeros((2, 0)), [], (2, 0), "CSR")

PROBLEMS = [
    ("R(i,j) = A(i,k) * B(k,j)", {"A": A, "B": B}, "CSR"),
    ("R(j,i) = A(i,j)", {"A": A}, "Dense"),
    ("R(i) = A(i,j) * x(j) + y(i)", {"A": A, "x": x, "y": y}, "Dense"),
    ("R(i,j) = A(i,j) - x(j)", {"A": A, "x": x}, "Dense"),
    ("R(i,j) = y(i) - A(i,j)", {"A": A, "y": y}, "Dense"),
    ("R(i) = S(i,i)", {"S": S}, "Dense"),
    ("R = S(i,i)", {"S": S}, ""),
    ("R(i,j) = x(i) * y(j) * s", {"x": x, "y": y, "s": s}, "Dense"),
    ("R(i,l) = T(i,j,k) * x(j) * B(l,k)", {"T": T, "x": x, "B": B}, "Dense"),
    ("R(i) = sum(j, (A(i,j) + B(j,i)) * x(j))", {"A": A, "B": B, "x": x}, "Dense"),
    ("R(i) = sum(j, A(i,j)) * sum(j, B(j,i))", {"A": A, "B": B}, "Dense"),
    ("R(i,j) = 2 * -A(i,j) - 0.5", {"A": A}, "Dense"),
    ("R(i) += A(i,j) * x(j)", {"A": A, "x": x, "R": y}, "Dense"),
    ("R(i) = 0.5 * n(i,j)", {"n": n}, "Dense"),
    ("R = n(i,j)", {"n": n}, ""),
    ("R(j) = sum(i, p(i,j))", {"p": p}, "Dense"),
    ("R(i) = p(i,j) * n(i,j)", {"p": p, "n": n}, "Dense"),
    ("R(i) = A(i,j) * f(j)", {"A": A, "f": f}, "Dense"),
    ("R(i) = e(i,k)", {"e": e}, "Dense"),
    ("R(row,col) = A(row,col)", {"A": A}, "Dense"),
    ("R(i) = np(i)", {"np": y}, "Dense"),
    ("R(i) = np_(i,j) * np(j)", {"np": x, "np_": A}, "Dense"),
    ("R(i) = t1(i,j) * t1_(j) + t2(i)", {"t1": A, "t1_": x, "t2": y}, "Dense"),
    ("R(i) = t1(j) * A(i,j) + t1(j)", {"t1": x, "A": A}, "Dense"),
]
REFUSED = [
    ("R(i,j) = max(A(i,j), 0)", {"A": A}, "max"),
    ("R(i,j) = A(i,j) * (2 + 3)", {"A": A}, "an operation on numbers alone"),
    ("R(i) = g(i)", {"g": gn.tensor([[0]], [1.0], (2,), "SparseVector", fill=np.inf)}, "an infinite fill"),
    ("R(i) = g(i)", {"g": gn.tensor([[0]], [np.nan], (2,), "SparseVector")}, "infinities or NaN"),
]


def problem(source: str, operands: dict, out: str, semiring: str | None = None) -> Problem:
    return Problem(
        source, operands, format_of(out, source.partition("=")[0].count(",") + ("(" in source[:3])), semiring
    )


@pytest.mark.parametrize(("source", "operands", "out"), PROBLEMS)
def test_agrees(source, operands, out):
    given = problem(source, operands, out)
    result = answer(Einsum(), given)
    assert not isinstance(result, Outcome), result
    assert judge(given, result) == Outcome(Kind.AGREES)


@pytest.mark.parametrize(("source", "operands", "reason"), REFUSED)
def test_refuses(source, operands, reason):
    outcome = answer(Einsum(), problem(source, operands, "Dense"))
    assert isinstance(outcome, Outcome)
    assert outcome.kind is Kind.REFUSED
    assert reason in outcome.cause


def test_duplicates_that_overflow_are_refused():
    twice = gn.tensor([[1, 1]], [100, 100], (3,), "compressed(nonunique)", dtype="int8")
    assert answer(Einsum(), problem("R(i) = d(i)", {"d": twice}, "Dense")).cause == "duplicates whose sum overflows"


def test_ordinary_semiring():
    given = problem("R(i,j) = A(i,k) * B(k,j)", {"A": A, "B": B}, "CSR", "plus_times")
    assert judge(given, answer(Einsum(), given)).kind is Kind.AGREES


def test_script_stands_alone():
    given = problem("R(i) = 2 * n(i,j) * p(i,j) + y(i)", {"n": n, "p": p, "y": y}, "Dense")
    text = Einsum().script(given)
    assert text == (
        "import numpy as np\n"
        "from numpy import inf, nan\n"
        "\n"
        "n = np.array([[100, 0, 0], [0, 0, 100]], dtype='int8')\n"
        "p = np.array([[True, False, True], [False, True, False]], dtype='bool')\n"
        "y = np.array([7.0, 0.0], dtype='float64')\n"
        "t1 = np.einsum('ij,ij->i', n, p, dtype='int64', optimize=True)\n"
        "t2 = 2 * t1\n"
        "t3 = t2 + y\n"
        "result = t3\n"
    )
    space: dict = {}
    exec(text, space)
    assert space["result"].tolist() == [207.0, 0.0]


def test_is_found_by_its_name():
    assert isinstance(load("einsum"), Einsum)
    assert Einsum.version == np.__version__
