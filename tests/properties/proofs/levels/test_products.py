"""Products and quotients of unknowns obey their laws, and nothing more is claimed of them."""

import pytest
from gnomon.properties.proofs.levels.products import division_laws, laws, linear, order_law, sign_law
from gnomon.properties.proofs.solver import Nothing, Term, search, z3
from hypothesis import given
from hypothesis import strategies as st

a, b, c, N = z3.Ints("a b c N")


def follows(goal: Term, *given: Term) -> bool:
    """Whether a goal follows from the laws of the products in it."""
    formulas = [linear(f) for f in (*given, z3.Not(goal))]
    terms = []
    for f in formulas:
        left = [f]
        while left:
            terms.append(left.pop())
            left += terms[-1].children()
    return isinstance(search([*formulas, *laws(terms)], {}), Nothing)


@pytest.mark.parametrize(
    ("goal", "given"),
    [
        ((a + 1) * N == a * N + N, []),
        (a * N + b < c * N, [a < c, b < N, N >= 0]),
        ((a * N + b) / N == a, [b >= 0, b < N]),
        ((a * N + b) % N == b, [b >= 0, b < N]),
        (a * N == b * N, [a == b]),
        (a * N + b != c * N, [a != c, b >= 0, b < N]),
        ((a + 1) % N == 0, [a == N - 1, N > 0]),
    ],
)
def test_positions_are_told_apart(goal: Term, given: list[Term]) -> None:
    assert follows(goal, *given)


@pytest.mark.parametrize(
    ("goal", "given"),
    [
        (a * N + b < c * N, [a < c, b < N]),
        (a * N + b < c * N, [a < c, b <= N, N >= 0]),
        ((a * N + b) / N == a, [b >= 0]),
        (a * N != b * N, [a != b]),
    ],
)
def test_what_is_not_so_does_not_follow(goal: Term, given: list[Term]) -> None:
    assert not follows(goal, *given)


@given(*[st.integers(-6, 6)] * 3)
def test_the_laws_hold_of_numbers(x: int, y: int, z: int) -> None:
    held = [sign_law(*ints(x, y, x * y)), order_law(*ints(x, y, z, x * z, y * z))]
    if y > 0:
        held += division_laws(*ints(x, y, x // y, x % y, x // y * y))
    assert all(z3.is_true(z3.simplify(law)) for law in held)


def ints(*values: int) -> list[Term]:
    return [z3.IntVal(value) for value in values]
