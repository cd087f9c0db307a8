import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.backends.backend import Refused
from gnomon.properties.backends.totality import check_total
from gnomon.reference.notation.parser import parse

OPERANDS = {
    "a": gn.tensor([[0]], [1.0], (2,), "SparseVector"),
    "b": gn.tensor([[0]], [1.0], (2,), "SparseVector", fill=2.0),
    "c": gn.tensor([[0]], [np.inf], (2,), "SparseVector"),
    "d": gn.tensor([[0, 1]], [np.nan, 1.0], (2,), "Dense"),
}


@pytest.mark.parametrize(
    "source", ["a(i) * b(i)", "b(i) * c(i)", "c(i) * 2", "a(i) / b(i)", "c(i) + a(i)", "exp(c(i))"]
)
def test_what_is_total_passes(source):
    check_total(parse(f"R(i) = {source}").value, OPERANDS)


@pytest.mark.parametrize("source", ["a(i) * c(i)", "d(i) * a(i)", "a(i) * exp(b(i))", "2 * (c(i) + b(i)) * a(i)"])
def test_infinities_that_may_meet_absent_factors_are_refused(source):
    with pytest.raises(Refused, match="an infinity or NaN"):
        check_total(parse(f"R(i) = {source}").value, OPERANDS)


@pytest.mark.parametrize("source", ["b(i) / a(i)", "b(i) / d(i)", "floordiv(a(i), a(i))", "-(a(i) / (b(i) + 1))"])
def test_divisors_that_may_be_zero_or_not_finite_are_refused(source):
    with pytest.raises(Refused, match="a divisor"):
        check_total(parse(f"R(i) = {source}").value, OPERANDS)
