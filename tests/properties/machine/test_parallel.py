"""Loops on threads: every order is one that OpenMP allows, and seeds draw different ones."""

import pytest
from gnomon.properties.machine.directives import Directive, directive
from gnomon.properties.machine.parallel import order
from gnomon.properties.machine.program import program
from gnomon.properties.machine.run import call
from gnomon.properties.machine.state import State
from gnomon.reference.errors import Unsupported
from hypothesis import given
from hypothesis import strategies as st

LOOP = """
double f(void)
{
    double total = 0.0;
    #pragma omp parallel reduction(+ : total)
    {
        double own = 0.0;
        #pragma omp for schedule(guided, 16)
        for (int64_t i = 1; i < 30; i++) {
            own = own / 2 + i;
        }
        total += own;
    }
    return total;
}
"""


@given(st.integers(0, 2**32), st.integers(-3, 5), st.integers(0, 20), st.integers(1, 4))
def test_every_iteration_runs_once(seed: int, begin: int, count: int, threads: int) -> None:
    found = list(order(State(seed), range(begin, begin + count), threads))
    assert sorted(i for i, _ in found) == list(range(begin, begin + count))
    assert all(0 <= t < threads for _, t in found)


def test_seeds_draw_the_order_and_nothing_else_does() -> None:
    whole = program(LOOP)
    found = [call(whole, "f", [], State(seed)) for seed in range(20)]
    assert found == [call(whole, "f", [], State(seed)) for seed in range(20)]
    assert len(set(found)) > 10


def test_directives() -> None:
    assert directive("omp simd reduction(+ : a, b) reduction(max : c)") == Directive(
        "simd", (("+", "a"), ("+", "b"), ("max", "c"))
    )
    assert directive("GCC unroll 4").kind == "hint"
    for text in ("omp parallel private(x)", "omp task", "omp for nowait", "once"):
        with pytest.raises(Unsupported, match="#pragma"):
            directive(text)
