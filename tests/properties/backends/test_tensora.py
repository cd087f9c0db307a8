"""tensora: what its scripts say, and that they agree where no defect is known."""

import re

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.backends.outcome import Kind, judge
from gnomon.properties.backends.worker import answer
from gnomon.properties.programs.problem import Problem
from gnomon.reference.storage.format import Format

tensora = pytest.importorskip("gnomon.properties.backends.tensora", exc_type=ImportError)

A = gn.tensor([[0, 2, 2], [1, 0, 3]], [1.5, 2.25, -4.0], (3, 4), Format("ds"))
B = gn.tensor([[0, 2], [1, 3]], [np.inf, 2.0], (3, 4), Format("ss"))
T = gn.tensor([[0, 2], [1, 3]], [1.0, 0.0], (3, 4), Format("ds:1,0"))
C = gn.tensor([[0, 1, 1], [0, 1, 1], [1, 0, 1]], [1.0, 2.0, 3.0], (2, 2, 2), Format("sds"))
P = gn.tensor([[0, 1, 1], [2, 0, 3], [1, 0, 1]], [1.0, 2.0, 3.0], (2, 4, 3), Format("dss:1,2,0"))
F = gn.tensor([[0, 1, 1], [2, 0, 3], [0, 0, 2]], [1.0, 2.0, 3.0], (2, 4, 3), Format("ddd"))
x = gn.tensor([[0, 1]], [0.5, 4.0], (4,), Format("s"))
z = gn.tensor([[1]], [7.0], (3,), Format("d"))
s = gn.tensor(np.zeros((0, 1), int), [2.5], (), Format(()))
none = gn.tensor([[], []], [], (0, 4), Format("ds"))


def problem(source, out="d", **operands):
    return Problem(source, operands, Format(out) if out else Format(()))


@pytest.mark.parametrize(
    "given",
    [
        problem("y(i) = A(i,j) * x(j)", A=A, x=x),
        problem("y(i) = A(i,j) * x(j) + z(i)", "s", A=A, x=x, z=z),
        problem("y(i,j) = -A(i,j) + 2 * B(i,j) - 0.5 * A(i,j)", "ds", A=A, B=B),
        problem("y(i,j) = z(i) * T(i,j)", "ss:1,0", z=z, T=T),
        problem("y(i,j) = A(i,j) + 1", "ds", A=A),
        problem("y(i,j) = z(i) - x(j)", "dd", z=z, x=x),
        problem("y(j,i,k) = C(i,j,k) * C(i,j,k)", "ssd:1,0,2", C=C),
        problem("y(i,j) = A(i,k) * A(j,k)", "dd", A=A),
        problem("y = s * sum(j, x(j)) + sum(j, z(j))", "", s=s, x=x, z=z),
        problem("y(j) = A(i,j)", A=none),
        problem("y(i,j) = B(i,j) + 0 * A(i,j)", "dd", A=A, B=B),
        problem("y(i,j) = (1 - 1) * z(i) + B(i,j) * 2", "dd", B=B, z=z),
        problem("y(i,j) = (B(i,j) - 1) * z(i)", "dd", B=B, z=z),
        problem("y(i,j) = (x(j) + (1 + -1)) * z(i)", "dd", x=x, z=z),
        problem("y(i,j,k) = 2 * P(i,j,k)", "dss:1,2,0", P=P),
        problem("y(i,j,k) = P(i,j,k) + F(i,j,k)", "ddd:2,0,1", P=P, F=F),
    ],
    ids=lambda p: p.source,
)
def test_it_agrees(given):
    found = answer(tensora.Tensora(), given)
    assert judge(given, found).kind is Kind.AGREES


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (problem("y(i,j) = A(i,j) + T(i,j)", "ds", A=A, T=T), "storage orders that form a cycle"),
        (problem("y(i) = 2 * (sum(j, A(i,j)) + s)", A=A, s=s), "no kernel is found although the orders agree"),
        (problem("y(j) = z(i) * A(i,j)", "s", A=A, z=z), "no kernel is found although the orders agree"),
        (problem("y(i,j) = 0 * B(i,j)", "dd", B=B), "the number 0 times infinities or NaN"),
        (problem("y(i,j) = z(i) + (B(i,j) - 2) * -(1 * 0.0)", "dd", B=B, z=z), "the number 0 times infinities or NaN"),
        (problem("y(i,j) = A(i,j) * (0 - 0) * B(i,j)", "dd", A=A, B=B), "the number 0 times infinities or NaN"),
        (problem("y(i,j) = (A(i,j) + (1 + -1)) * B(i,j)", "dd", A=A, B=B), "a sum with a number that is 0 where"),
        (problem("y(i,j) = B(i,j) * -(1 + (A(i,j) - 1))", "dd", A=A, B=B), "a sum with a number that is 0 where"),
        (problem("y = sum(j, x(j) + s)", "", x=x, s=s), "sums that implicit ones do not express"),
        (problem("y(i) = A(i,i)", A=gn.tensor([[0], [0]], [1.0], (3, 3), Format("ds"))), "a diagonal"),
        (problem("y(i) = x(i) * inf", x=x), "a number that is not real or not finite"),
        (problem("y(i) += x(i)", x=x), r"\+="),
        (problem("y(i) = x(i) / 2", x=x), "/"),
    ],
    ids=lambda value: value.source if isinstance(value, Problem) else None,
)
def test_documented_limitations_are_refused(given, reason):
    found = answer(tensora.Tensora(), given)
    assert found.kind is Kind.REFUSED
    assert re.match(reason, found.cause)


def test_a_script_runs_alone():
    given = problem("y(i) = -s * sum(j, A(i,j) * x(j))", s=s, A=A, x=x)
    text = tensora.Tensora().script(given)
    assert text.splitlines() == [
        "from numpy import inf, nan",
        "from tensora import Tensor, evaluate",
        "s = Tensor.from_lol(2.5)",
        "A = Tensor.from_aos([(0, 1), (2, 0), (2, 3)], [1.5, 2.25, -4.0], dimensions=(3, 4), format='ds')",
        "x = Tensor.from_aos([(0,), (1,)], [0.5, 4.0], dimensions=(4,), format='s')",
        "found = evaluate('y(i) = (0 - 1) * s() * (A(i,j) * x(j))', 'd', s=s, A=A, x=x)",
        *tensora.READING.splitlines(),
    ]
    space = {}
    exec(text, space)
    assert space["result"] == ((3,), [((0,), -15.0), ((1,), 0.0), ((2,), -2.8125)])


def test_a_result_whose_modes_are_in_a_cyclic_order_is_read_from_its_arrays():
    found = answer(tensora.Tensora(), problem("y(i,j,k) = P(i,j,k)", "dss:1,2,0", P=P))
    assert found.shape == (2, 4, 3)
    assert found.coords.tolist() == [[1, 0, 0], [0, 2, 1], [1, 3, 1]]
    assert found.values.tolist() == [2.0, 1.0, 3.0]


def test_stored_zeros_are_components_of_the_result():
    found = answer(tensora.Tensora(), problem("y(i) = x(i) - x(i)", "s", x=x))
    assert found.coords.tolist() == [[0], [1]]
    assert found.values.tolist() == [0.0, 0.0]


def test_of_a_coordinate_that_is_stored_twice_the_last_value_counts_as_for_tensora_itself():
    found = tensora.result_of((2,), [((0,), 5.0), ((0,), 1.0)])
    assert (found.coords.tolist(), found.values.tolist()) == ([[0]], [1.0])
