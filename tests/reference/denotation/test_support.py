"""Sums that pass over vanishing terms mean what the plain loop means, at every point, to the bound."""

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.programs.problem import Problem, table
from gnomon.properties.strategies import programs
from gnomon.reference.denotation.denote import Denotation, Reduce
from gnomon.reference.denotation.freedom import reductions
from gnomon.reference.denotation.support import IndexedDenotation
from gnomon.reference.schedule.preparation import instantiate
from gnomon.reference.storage.tensor import Tensor
from hypothesis import given, settings


def both(source: str, semiring: str | None = None, **operands: object) -> tuple[Denotation, IndexedDenotation]:
    """The plain denotation and the indexed one."""
    ready = instantiate(source, operands, semiring=semiring)
    tables = {name: table(t) for name, t in ready.operands.items()}
    return Denotation(ready.resolved, tables), IndexedDenotation(ready.resolved, tables)


def outermost(meaning: Denotation) -> Reduce:
    """The first sum of the expression."""
    return next(iter(reductions(meaning.resolved.assignment.value)))


@given(programs())
@settings(max_examples=settings().max_examples // 4)
def test_random_programs_mean_the_same(problem: Problem) -> None:
    plain = Denotation(problem.ready.resolved, problem.denotation.tables)
    for i in plain.points():
        assert repr(problem.denotation.point(i)) == repr(plain.point(i))


def matrix(fill: float = 0.0, n: int = 6) -> Tensor:
    return gn.tensor([[0, 0, 2, 4], [1, 3, 3, 0]], [1.0, np.inf, 3.0, 0.1], (n, n), "COO", fill=fill)


A, B, F = matrix(), matrix().convert("CSC"), matrix(1.0)
X = gn.tensor([[3]], [5.0], (6,), "SparseVector")
DENSE = np.arange(6.0)


@pytest.mark.parametrize(
    ("source", "semiring", "looked_at"),
    [
        ("y(i) = A(i,j) * DENSE(j)", None, [1, 3]),
        ("y(i) = A(i,j) * X(j)", None, [3]),
        ("y(i) = DENSE(j) * (A(i,j) + X(j))", None, [1, 3]),
        ("y(i) = sum(j, 2 * A(i,j) - X(j))", None, [1, 3]),
        ("y(i) = sum(j, A(i,j) * sum(k, A(k,j) * X(k)))", None, [1, 3]),
        ("y(i) = sum(j, A(i,j) * sum(k, A(j,k) * X(k)))", None, []),
        ("y(i) = sum(j, A(i,j) * sum(k, A(j,k) + 1))", None, [1, 3]),
        ("y(i) = sum(j, sqrt(A(i,j)))", None, [1, 3]),
        ("y(i) = sum(j, A(i,j) * A(j,j))", None, []),
        ("y(i) = sum(j, A(i,j) + 1)", None, [0, 1, 2, 3, 4, 5]),
        ("y(i) = sum(j, F(i,j) * A(i,j))", None, [1, 3]),
        ("y(i) = prod(j, F(i,j))", None, [1, 3]),
        ("y(i) = prod(j, A(i,j))", None, [0, 1, 2, 3, 4, 5]),
        ("y(i) = sum(j, F(i,j))", None, [0, 1, 2, 3, 4, 5]),
        ("y(i) = max(j, A(i,j))", None, [0, 1, 2, 3, 4, 5]),
        ("y(i) = sum(j, cos(A(i,j)))", None, [0, 1, 2, 3, 4, 5]),
        ("y(i) = A(i,j) * X(j)", "min_plus", [3]),
        ("y(i) = sum(j, A(i,j) + X(j))", "min_plus", [1, 3]),
        ("y(i) = sum(j, A(i,j) * 3)", "plus_pair", [1, 3]),
    ],
)
def test_only_terms_that_may_count_are_looked_at(source: str, semiring: str | None, looked_at: list[int]) -> None:
    known = {"A": A, "F": F, "X": X, "DENSE": DENSE}
    plain, fast = both(source, semiring, **{name: t for name, t in known.items() if f"{name}(" in source})
    assert list(fast.contributing_values(outermost(fast), {"i": 0})) == looked_at
    for i in plain.points():
        assert repr(fast.point(i)) == repr(plain.point(i))


def test_a_sum_of_products_looks_at_each_fiber_once() -> None:
    _, fast = both("C(i,j) = A(i,k) * B(k,j)", A=A, B=B)
    assert list(fast.contributing_values(outermost(fast), {"i": 0, "j": 3})) == []
    assert list(fast.contributing_values(outermost(fast), {"i": 2, "j": 3})) == []
    assert list(fast.contributing_values(outermost(fast), {"i": 4, "j": 1})) == [0]


def test_what_an_operand_holds_decides_not_its_value() -> None:
    zero = gn.tensor([[1]], [0.0], (3,), "SparseVector")
    plain, fast = both("s = Z(i) * Y(i)", Z=zero, Y=np.array([1.0, np.inf, 1.0]))
    assert list(fast.contributing_values(outermost(fast), {})) == [1]
    assert repr(fast.point(())) == repr(plain.point(())) and fast.accepts((), np.nan)


def test_what_does_not_count_in_a_reduction_has_no_size() -> None:
    """An absent uint8 is 255 in `min_plus`; as a number it would make room for rounding that there is not."""
    A = gn.tensor([[0]], [0], (2,), "SparseVector", dtype="uint8", fill=255)
    problem = Problem("R = sum(k, A(k)) + 0.5 + 2", {"A": A}, "", "min_plus")
    plain = Denotation(problem.ready.resolved, problem.denotation.tables)
    assert repr(plain.point(())) == repr(problem.denotation.point(()))
    assert plain.point(()).meaning.bound < 1e-300
