"""Complex numbers as terms compute what Python computes."""

from fractions import Fraction

from gnomon.properties.proofs.operators.complexes import Complexes, pairs
from gnomon.properties.proofs.operators.operator_terms import apply
from gnomon.properties.proofs.solver import Term, z3
from gnomon.reference.algebra.exact import Pair
from gnomon.reference.algebra.operators import OPERATORS
from hypothesis import given
from hypothesis import strategies as st

parts = st.integers(-50, 50)
numbers = st.builds(complex, parts, parts)


def value(a: Term) -> tuple[Fraction, Fraction]:
    """The parts of a term without variables."""
    re, im = z3.simplify(pairs().re(a)), z3.simplify(pairs().im(a))
    return tuple(Fraction(x.numerator_as_long(), x.denominator_as_long()) for x in (re, im))  # type: ignore[return-value]


@given(numbers, numbers, st.sampled_from(["add", "sub", "mul", "or", "and", "xor", "first", "second", "pair"]))
def test_operators_compute_what_they_mean(a: complex, b: complex, name: str) -> None:
    operator = OPERATORS[name]
    found = value(apply(operator, [Complexes().constant(a), Complexes().constant(b)], Complexes()))
    exact = operator.exact(*(Pair(Fraction(x.real), Fraction(x.imag)) for x in (a, b)))
    expected = (exact.re, exact.im) if isinstance(exact, Pair) else (exact, Fraction(0))
    assert found == expected


@given(numbers, numbers.filter(bool))
def test_a_quotient_times_its_divisor_is_the_dividend(a: complex, b: complex) -> None:
    c, k = Complexes(), Complexes().constant
    quotient = c.primitive("/", (k(a), k(b)))
    assert value(c.primitive("*", (quotient, k(b)))) == (Fraction(a.real), Fraction(a.imag))
