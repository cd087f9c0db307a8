"""Products of unknowns: normal forms, and laws that suffice for indices of dense levels."""

from collections.abc import Callable

from gnomon.properties.proofs.c.c_facts import Knowledge
from gnomon.properties.proofs.solver import Term, z3

i, j, k, N, J, K = z3.Ints("i j k N J K")
ROWS = z3.Int("I")


def proved(given: list[Term], goal: Callable[[Knowledge], Term]) -> bool:
    know = Knowledge()
    claim = goal(know)
    here = know.guard()
    for each in given:
        know.say(each)
    return know.holds(here, claim)


def test_products_have_one_form() -> None:
    times = Knowledge().products.times
    assert times(i + 2, N).eq(times(N, 2 + i))
    assert times(times(i, J), K).eq(times(i, times(K, J)))
    assert times(z3.IntVal(3), i + 1).eq(times(i + 1, z3.IntVal(3)))


def test_an_index_of_a_dense_level_is_below_its_size() -> None:
    given = [i >= 0, i < ROWS, j >= 0, j < N]
    assert proved(given, lambda know: know.products.times(i, N) + j < know.products.times(ROWS, N))
    assert not proved(given[:-1], lambda know: know.products.times(i, N) + j < know.products.times(ROWS, N))


def test_three_levels() -> None:
    given = [i >= 0, i < ROWS, j >= 0, j < J, k >= 0, k < K]

    def goal(know: Knowledge) -> Term:
        times = know.products.times
        return times(times(i, J) + j, K) + k < times(times(ROWS, J), K)

    assert proved(given, goal)


def test_what_is_said_in_a_layer_goes_with_it() -> None:
    know = Knowledge()
    with know.within("a"):
        know.products.times(i, N)
    know.products.times(i, N)
    here = know.guard()
    know.say(z3.And(i >= 0, N >= 0))
    assert know.holds(here, know.products.times(i, N) >= 0)
