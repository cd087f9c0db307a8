"""What a computed result may be where rounding, the sign of a zero or a choice decides, and what is not claimed."""

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.differential.check import check
from gnomon.reference.algebra.exact import approximate

from .denoting import denoted, vector


def test_sums_over_choices_may_have_any_of_their_values() -> None:
    two = gn.tensor([[0, 0, 1], [0, 1, 0]], [1.0, 2.0, 10.0], (2, 2), "CSR")
    meaning = denoted("s = sum(i, any(j, A(i,j)))", out="", A=two)
    assert meaning.accepts((), 11.0)
    assert meaning.accepts((), 12.0)
    assert not meaning.accepts((), 13.0)


def test_a_missing_identity_of_any_leaves_the_choice_to_the_other_operand() -> None:
    filled = vector({0: 5.0}, fill=2.0)
    meaning = denoted("y(i) any= a(i)", a=filled, y=vector({1: 7.0}))
    assert [float(approximate(meaning.at((i,)).value).real) for i in (0, 2)] == [5.0, 2.0]
    assert meaning.accepts((1,), 7.0)
    assert meaning.accepts((1,), 2.0)
    assert meaning.is_present((2,))


def test_what_is_divided_by_zero_may_have_either_sign() -> None:
    meaning = denoted("s = 2 / -a", out="", a=gn.tensor([], [0.0], (), ""))
    assert meaning.accepts((), -np.inf)
    assert meaning.accepts((), np.inf)
    assert not meaning.accepts((), 2.0)


def test_every_choice_has_the_error_of_the_largest() -> None:
    found = denoted("s = exp(any(j, x(j)))", out="", x=vector({0: 1.0, 1: 100.0}, n=2))
    assert found.accepts((), np.exp(1.0)) and found.accepts((), np.exp(100.0))


def test_a_product_over_a_sum_may_be_a_sum_of_products_where_infinities_cancel() -> None:
    infinity = float("inf")
    a = gn.tensor([[0, 0], [0, 1]], [infinity, -1.0], (1, 2), "CSR")
    found = denoted("y(i) = x(i) * sum(j, A(i,j))", A=a, x=vector({0: infinity}, n=1))
    assert found.accepts((0,), infinity) and found.accepts((0,), float("nan")) and not found.accepts((0,), 5.0)


@pytest.mark.parametrize("source", ["y(i) = x(i) / z(i)", "y(i) = floordiv(x(i), z(i))", "y(i) = pow(z(i), x(i))"])
def test_infinities_over_zeros_of_either_sign(source: str) -> None:
    x, z = np.array([np.inf, np.inf, -np.inf, -np.inf]), np.array([0.0, -0.0, 0.0, -0.0])
    gn.check(source, x=x, z=z)


def test_an_infinity_over_zero_may_have_either_sign_but_is_infinite() -> None:
    found = denoted("y(i) = x(i) / z(i)", x=vector({0: np.inf}), z=vector({0: 0.0}))
    assert found.accepts((0,), np.inf) and found.accepts((0,), -np.inf)
    assert not found.accepts((0,), 0.0) and not found.accepts((0,), np.nan)
    away = denoted("y(i) = x(i) - z(i)", x=vector({0: np.inf}), z=vector({0: 5.0}))
    assert not away.accepts((0,), -np.inf)


@pytest.mark.parametrize("part", ["real", "imag", "conj", "-"])
def test_the_finite_part_of_a_complex_sum_keeps_its_bound(part: str) -> None:
    a = np.array([complex(0.1, np.inf), complex(0.2, 1.0)])
    gn.check(f"s = {part}(sum(i, A(i)))", A=a)
    gn.check(f"s = {part}(sum(i, A(i) * 1.0j))", A=a)
    gn.check(f"y(i) = {part}(A(i) + B(i))", A=a, B=a[::-1].copy())


def test_of_a_complex_sum_each_part_is_claimed() -> None:
    a = gn.tensor([[0, 1]], [complex(0.1, np.inf), complex(0.2, 1.0)], (2,), "SparseVector")
    re, im, size = (denoted(f"s = {part}(sum(i, A(i)))", out="", A=a) for part in ("real", "imag", "abs"))
    assert re.accepts((), 0.1 + 0.2) and not re.accepts((), 0.31) and 0 < re.at(()).bound < 1e-14
    assert all(found.accepts((), np.inf) and not found.accepts((), np.nan) for found in (im, size))


@pytest.mark.parametrize("source", ["A(i) / z", "A(i) * B(i)", "B(i) / A(i)", "(A(i) / z) * 2", "A(i) / z + A(i)"])
def test_complex_products_and_quotients_that_are_not_finite_do_not_say_which_part_is_what(source: str) -> None:
    a = np.array([0.1, 1j, 1 + 1j, -1, 0, np.inf, complex(np.inf, np.inf), complex(np.nan, 1), complex(0.3, -np.inf)])
    known = {"A": a, "B": a + 2, "z": 0.0}
    given = {name: value for name, value in known.items() if name in source}
    for whole in ("{0}", "real({0})", "imag({0})", "abs({0})", "conj({0})", "eq({0}, {0})", "sqrt(imag({0}))"):
        check(f"y(i) = {whole.format(f'({source})')}", given, engines=())
    gn.check(f"y(i) = imag({source})", **given)


@pytest.mark.parametrize("divisor", ["A(i) / 1", "A(i) * 1", "A(i) / 0"])
def test_a_complex_quotient_by_one_of_unknown_parts_may_be_zero(divisor: str) -> None:
    a = np.array([complex(2, -np.inf), complex(np.inf, np.inf), complex(np.nan, np.inf)])
    whole = denoted(f"y(i) = 1 / ({divisor})", A=gn.tensor([range(3)], a, (3,), "SparseVector"))
    assert all(whole.accepts((i,), v) for i in range(3) for v in (0j, complex(np.nan, np.nan)))
    gn.check(f"y(i) = 1 / ({divisor})", A=a)


def test_a_complex_quotient_by_zero_is_not_finite_and_nothing_more_is_claimed() -> None:
    a, z = gn.tensor([[0]], [1j], (1,), "SparseVector"), gn.tensor([], [0.0], (), "")
    whole = denoted("y(i) = A(i) / z", A=a, z=z)
    assert all(whole.accepts((0,), v) for v in (complex(np.nan, np.inf), complex(np.inf, 0), complex(np.nan, np.nan)))
    assert not whole.accepts((0,), 1j)
    part = denoted("y(i) = imag(A(i) / z)", A=a, z=z)
    assert all(part.accepts((0,), v) for v in (np.inf, -np.inf, np.nan))


CANCELLED = ([1e16, 1.0, -1e16], [1.0, 1e16, -1e16], [1e16, -1e16, 1.0])


@pytest.mark.parametrize("values", CANCELLED)
@pytest.mark.parametrize("mask", ["m", "!m"])
def test_a_mask_that_rounding_may_make_zero_may_be_read_either_way(values: list[float], mask: str) -> None:
    m = gn.tensor([[0, 0, 0]], values, (2,), "compressed(nonunique,unordered)")
    for out in ("Dense", "SparseVector"):
        gn.check(f"y(i)<{mask}(i)> = x(i)", x=np.array([1.0, 2.0]), m=m, out=out)
    gn.check(f"y(i)<{mask}(i)> += x(i)", x=np.array([1.0, 2.0]), y=np.array([8.0, 8.0]), m=m)


def test_what_such_a_mask_lets_through_may_be_there_or_not() -> None:
    m = gn.tensor([[0, 0, 0, 1, 1]], [1e16, 1.0, -1e16, 0.1, 0.2], (3,), "compressed(nonunique,unordered)")
    found = denoted("y(i)<m(i)> = x(i)", out="SparseVector", x=vector({0: 3.0, 1: 4.0}, 3), m=m)
    assert [found.point((i,)).presence() for i in range(3)] == [{True, False}, {True}, {False}]
    assert found.is_present((0,)) and found.accepts((0,), 3.0) and found.accepts((0,), 0.0)
    assert not found.accepts((0,), 1.0) and not found.accepts((1,), 0.0)
    structural = denoted("y(i)<$m(i)> = x(i)", out="SparseVector", x=vector({0: 3.0}, 3), m=m)
    assert not structural.accepts((0,), 0.0)


def test_a_reduction_of_one_value_is_as_uncertain_as_what_becomes_of_it() -> None:
    small = gn.tensor([[0, 1]], [1e-200, 1e-200], (2,), "Dense")
    found = denoted("s = xor(k, prod(l, a(l)) * b(k))", out="", a=small, b=np.ones(1))
    assert found.accepts((), 1.0) and found.accepts((), 0.0)
    gn.check("s = xor(k, prod(l, a(l)) * b(k))", a=small, b=np.ones(1))


def test_choices_that_are_infinite_leave_the_error_of_others() -> None:
    three = np.full(3, 0.1)
    found = denoted("s = sum(k, any(a(k), b(k)))", out="", a=three, b=np.full(3, np.inf))
    assert found.accepts((), 0.1 + 0.1 + 0.1) and found.accepts((), np.inf) and not found.accepts((), 0.31)
    small, large = np.array([1e-200, 1e-200, np.inf]), np.array([2.0, 2.0, np.inf])
    found = denoted("s = prod(k, any(a(k), b(k)))", out="", a=small, b=large)
    assert found.accepts((), np.inf) and found.accepts((), np.nan)


def test_what_is_missing_and_rounds_to_the_fill_may_be_there_or_not() -> None:
    held = gn.tensor([[]], [], (2,), "SparseVector", dtype="int64", fill=2**63 - 1)
    found = denoted("y(i) += a(i)", out="SparseVector", a=vector({0: 0.0}, 2), y=held)
    assert [found.point((i,)).presence() for i in range(2)] == [{True}, {True, False}]
    gn.check("y(i) += a(i)", out="SparseVector", a=vector({0: 0.0}, 2), y=held)


@pytest.mark.parametrize("value", ["a(i) / 49 * 49 - 1", "ceil(tan(pow(a(i) + a(i), 32767)))", "1 / exp(1000 * a(i))"])
def test_what_is_missing_and_rounds_away_from_the_fill_may_be_there_or_not(value: str) -> None:
    a = gn.tensor([[0]], [3.0], (2,), "SparseVector", fill=1.0)
    found = denoted(f"y(i) = {value}", out="SparseVector", a=a)
    assert [found.point((i,)).presence() for i in range(2)] == [{True}, {True, False}]
    for out in ("SparseVector", "hashed"):
        gn.check(f"y(i) = {value}", out=out, a=a)


@pytest.mark.parametrize("value", ["{0} * b(i)", "b(i) * {0}", "sum(k, {0} * c(i,k))", "abs({0} * b(i))"])
def test_a_present_factor_of_what_is_missing_and_rounds_to_zero_may_be_there_or_not(value: str) -> None:
    c = gn.tensor([[0, 1], [0, 0]], [1.0, 1.0], (3, 1), "CSR")
    third = gn.tensor([[0]], [3.0], (3,), "SparseVector", fill=1 / 3)
    source = f"y(i) = {value.format('(a(i) * 3 - 1)')}"
    operands = {name: given for name, given in (("b", vector({0: 2.0, 1: 2.0}, 3)), ("c", c)) if f"{name}(i" in source}
    found = denoted(source, out="SparseVector", a=third, **operands)
    assert [found.point((i,)).presence() for i in range(3)] == [{True}, {True, False}, {False}]
    for out in ("SparseVector", "hashed"):
        gn.check(source, out=out, a=third, **operands)


def test_a_present_factor_of_a_complex_logarithm_of_zero_may_be_there_or_not() -> None:
    z = gn.tensor([[0]], np.array([0j]), (2,), "SparseVector")
    found = denoted("y(i) = b(i) * exp(log(z(i)))", out="hashed", b=vector({0: 2.0, 1: 2.0}, 2), z=z)
    assert [found.point((i,)).presence() for i in range(2)] == [{True}, {True, False}]
    gn.check("y(i) = b(i) * exp(log(z(i)))", out="hashed", b=vector({0: 2.0, 1: 2.0}, 2), z=z)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64"])
def test_a_product_over_a_sum_may_overflow_where_it_distributes(dtype: str) -> None:
    large = float(np.finfo(dtype).max) / 3
    a, b = np.array([large, large / 30], dtype), np.array([[-4.0, 2.5], [-4.0, 2.5]], dtype)
    found = denoted("y(i) = a(i) * sum(k, b(i,k))", a=a, b=b)
    assert found.accepts((0,), -np.inf) and not found.accepts((1,), -np.inf)
    gn.check("y(i) = a(i) * sum(k, b(i,k))", a=a, b=b)


@pytest.mark.parametrize("value", ["sin(a(i))", "cos(a(i)) - 1", "log(exp(a(i)))", "pow(a(i), a(i)) - pow(a(i), 0)"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_what_functions_give_of_zero_and_one_decides_on_the_structure(value: str, dtype: str) -> None:
    a = gn.tensor([[0]], np.array([3.0], dtype), (2,), "SparseVector")
    found = denoted(f"y(i) = {value}", out="SparseVector", a=a)
    assert [found.point((i,)).presence() for i in range(2)] == [{True}, {False}]


@pytest.mark.parametrize("value", ["pow(z, 1.0j)", "pow(z, -1)", "log(z)", "1 / pow(z, 1.0j)"])
def test_of_a_complex_function_that_is_not_finite_no_part_is_claimed(value: str) -> None:
    z = gn.tensor([], [0j], (), "")
    for whole in ("{0}", "real({0})", "imag({0})", "abs({0})", "eq({0}, {0})", "1 / {0}"):
        gn.check(f"s = {whole.format(f'({value})')}", z=z)


def test_a_sum_whose_partial_sums_overflow_against_an_infinity_may_be_no_number() -> None:
    a = gn.tensor([[0, 0, 0, 1]], [1.5e308, 1.5e308, -np.inf, 2.0], (2,), "compressed(nonunique,unordered)")
    gn.check("y(i) = a(i)", a=a)
    gn.check("s = sum(i, b(i))", b=np.array([1.5e308, 1.5e308, -np.inf]))
    assert denoted("y(i) = a(i)", a=a).accepts((0,), np.nan)
