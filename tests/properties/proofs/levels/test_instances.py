"""What follows from instances follows; what does not is not claimed."""

import pytest
from gnomon.properties.proofs.levels.instances import prove
from gnomon.properties.proofs.solver import Term, z3
from gnomon.properties.proofs.verdict import Proved, Unknown

INT = z3.IntSort()
f, g = z3.Function("f", INT, INT), z3.Function("g", INT, INT)
k, m, n, p, N = z3.Ints("k m n p N")


def everywhere(*variables: Term, body: Term) -> Term:
    return z3.ForAll(list(variables), body)


GROWS = everywhere(n, body=f(n) < f(n + 1))
ROWS = everywhere(p, n, body=z3.Implies(z3.And(p >= 0, n >= 0, n < N), f(p * N + n) == g(p)))
INVERSE = everywhere(n, body=z3.And(f(g(n)) == n, g(n) >= 0))


@pytest.mark.parametrize(
    ("goal", "given"),
    [
        (f(5) < f(7), [GROWS]),
        (everywhere(n, body=f(n - 1) < f(n)), [GROWS]),
        (f(3 * N + 1) == f(3 * N), [ROWS, N > 1]),
        (everywhere(k, m, body=z3.Implies(g(k) == g(m), k == m)), [INVERSE]),
        (z3.Exists([n], f(n) == k), [INVERSE]),
        (f(k) > 0, [z3.Implies(k > 0, everywhere(n, body=f(n) > n)), k > 0]),
    ],
)
def test_what_follows_is_proved(goal: Term, given: list[Term]) -> None:
    assert prove(goal, given) == Proved()


@pytest.mark.parametrize(
    ("goal", "given"),
    [
        (f(7) < f(5), [GROWS]),
        (f(5) < f(7), [everywhere(n, body=f(n) <= f(n + 1))]),
        (f(3 * N + 1) == f(3 * N), [ROWS]),
        (f(k) > 0, [z3.Implies(k > 0, everywhere(n, body=f(n) > n))]),
        (f(k) > 0, [z3.Or(k > 0, everywhere(n, body=f(n) > n)), k > 0]),
        (z3.Exists([n], f(n) == k), []),
    ],
)
def test_what_does_not_follow_is_unknown(goal: Term, given: list[Term]) -> None:
    assert isinstance(prove(goal, given), Unknown)
