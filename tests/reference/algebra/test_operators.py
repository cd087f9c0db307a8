"""Every law that an operator declares holds on integers, and its units and annihilators are what it says."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from gnomon.reference.algebra.agreement import agrees
from gnomon.reference.algebra.exact import approximate, exact, parts_of
from gnomon.reference.algebra.operator import Operator
from gnomon.reference.algebra.operators import CONVERSIONS, DECLARED, OPERATORS
from gnomon.reference.algebra.roundoff import roundoff
from gnomon.reference.errors import DtypeError
from hypothesis import given, settings
from hypothesis import strategies as st

INT, FLOAT = np.dtype("int64"), np.dtype("float64")
BINARY = [o for o in DECLARED if o.arity == 2]
integers = st.integers(-4, 4)
floats = st.floats(allow_nan=False, allow_infinity=False, width=64)


def by_name(operators: list[Operator]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("op", operators, ids=[o.name for o in operators])


@by_name([o for o in BINARY if o.commutative and not o.selects])
@given(a=integers, b=integers)
def test_commutative(op: Operator, a: int, b: int) -> None:
    assert op.compute(a, b) == op.compute(b, a)


@by_name([o for o in BINARY if o.constant])
@given(a=integers, b=integers, c=integers)
def test_constant(op: Operator, a: int, b: int, c: int) -> None:
    assert op.compute(a, b) == op.compute(c, c)


@by_name([o for o in BINARY if o.associative])
@given(a=integers, b=integers, c=integers)
def test_associative(op: Operator, a: int, b: int, c: int) -> None:
    assert op.compute(op.compute(a, b), c) == op.compute(a, op.compute(b, c))


@by_name([o for o in BINARY if o.idempotent])
@given(a=integers)
def test_idempotent_on_what_a_fold_holds(op: Operator, a: int) -> None:
    held = op.first(a, INT)
    assert op.compute(held, held) == held


@by_name([o for o in BINARY if o.left_identity and not o.selects])
@given(a=integers)
def test_left_identity(op: Operator, a: int) -> None:
    assert op.left_identity is not None
    expected = a if op.left_unit is None else op.left_unit.compute(a)
    assert op.compute(op.left_identity(INT), a) == expected


@by_name([o for o in BINARY if o.right_identity and not o.selects])
@given(a=integers)
def test_right_identity(op: Operator, a: int) -> None:
    assert op.right_identity is not None
    expected = a if op.right_unit is None else op.right_unit.compute(a)
    assert op.compute(a, op.right_identity(INT)) == expected


@by_name([o for o in BINARY if o.left_annihilator])
@given(a=st.integers(1, 9))
def test_left_annihilator(op: Operator, a: int) -> None:
    assert op.left_annihilator is not None
    zero = op.left_annihilator(INT)
    assert op.compute(zero, a) == zero


@by_name([o for o in BINARY if o.distributes_over])
@given(a=integers, b=integers, c=integers)
def test_distributes(op: Operator, a: int, b: int, c: int) -> None:
    for name in op.distributes_over:
        plus = OPERATORS[name].compute
        if OPERATORS[name].left_unit is not None or op.left_unit is not None:
            a, b, c = (int(bool(v)) for v in (a, b, c))
        assert op.compute(plus(a, b), c) == plus(op.compute(a, c), op.compute(b, c))
        assert op.compute(c, plus(a, b)) == plus(op.compute(c, a), op.compute(c, b))


@by_name([o for o in BINARY if o.reduction])
@given(a=integers, n=st.integers(1, 9))
def test_repeat_is_the_fold(op: Operator, a: int, n: int) -> None:
    expected = op.first(a, INT)
    for _ in range(n - 1):
        expected = op.compute(expected, a)
    assert op.repeat(a, n, INT) == expected


@by_name([o for o in DECLARED if o.name not in ("floordiv", "mod", "real", "imag", "conj", "not")])
@given(data=st.data())
@settings(max_examples=settings().max_examples // 4)
def test_computed_floats_are_within_the_bound_of_the_exact_result(op: Operator, data: st.DataObject) -> None:
    args = [data.draw(st.one_of(floats, st.floats(-50, 50))) for _ in range(op.arity)]
    with np.errstate(all="ignore"):
        computed = op.compute(*args)
    values = [exact(a) for a in args]
    result = op.exact(*values)
    if (op.name in ("div", "floordiv", "mod") and args[-1] == 0) or (op.name == "pow" and args[0] == 0):
        return  # exact arithmetic has no signed zeros
    assert agrees(computed, result, op.bound(values, [0.0] * op.arity, result, roundoff(FLOAT)), FLOAT)


@given(st.lists(floats, min_size=1, max_size=20))
def test_sums_in_any_order_are_within_the_bound(values: list[float]) -> None:
    op = OPERATORS["add"]
    terms = [exact(v) for v in values]
    total = sum((Fraction(v) for v in values), Fraction(0))
    assert op.reduction_bound is not None
    bound = op.reduction_bound(terms, [0.0] * len(terms), total, roundoff(FLOAT))
    assert agrees(sum(values), total, bound, FLOAT)
    assert agrees(sum(reversed(values)), total, bound, FLOAT)


@given(st.lists(st.floats(0.5, 2), min_size=2, max_size=12))
def test_products_in_any_order_are_within_the_bound(values: list[float]) -> None:
    factors = [exact(v) for v in values]
    product = math.prod(factors, start=Fraction(1))
    op = OPERATORS["mul"]
    assert op.reduction_bound is not None
    bound = op.reduction_bound(factors, [0.0] * len(factors), product, roundoff(FLOAT))
    assert bound < 1e-12 * float(product)
    assert agrees(math.prod(values), product, bound, FLOAT)
    assert agrees(math.prod(reversed(values)), product, bound, FLOAT)


@pytest.mark.parametrize("name", ["add", "mul", "div", "pow", "min"])
def test_bounds_are_never_nan(name: str) -> None:
    op = OPERATORS[name]
    ends = [exact(v) for v in (0.0, 1.5, math.inf, -math.inf, math.nan)]
    for a, b in itertools.product(ends, ends):
        for ea, eb in itertools.product((0.0, 5e-324, 1.0, math.inf), repeat=2):
            bounds = [op.bound, *([op.reduction_bound] if op.reduction_bound else [])]
            for bound in bounds:
                for u in (0.0, roundoff(FLOAT)):
                    found = bound([a, b], [ea, eb], op.exact(a, b), u)
                    assert found >= 0, (a, b, ea, eb)


def test_bounds_are_tight_enough_to_catch_an_error_of_a_few_ulps() -> None:
    values = [exact(0.1), exact(0.2)]
    result = OPERATORS["add"].exact(*values)
    bound = OPERATORS["add"].bound(values, [0.0, 0.0], result, roundoff(FLOAT))
    assert agrees(0.1 + 0.2, result, bound, FLOAT)
    assert not agrees(math.nextafter(0.1 + 0.2, 1) + 2**-53, result, bound, FLOAT)


def test_conversions_are_one_object_per_dtype() -> None:
    assert CONVERSIONS[np.dtype("int8")].compute(True) == 1
    assert len({id(o) for o in CONVERSIONS.values()}) == 13


def test_conversions_of_what_the_dtype_holds_are_exact() -> None:
    value = [exact(True)]
    assert CONVERSIONS[np.dtype("complex128")].bound(value, [0.0], value[0], roundoff(np.dtype("complex128"))) == 0
    tenth = [exact(0.1)]
    assert CONVERSIONS[np.dtype("float32")].bound(tenth, [0.0], tenth[0], roundoff(np.dtype("float32"))) > 0


def test_nothing_is_claimed_of_a_product_with_a_factor_of_which_nothing_is() -> None:
    assert OPERATORS["mul"].bound([exact(1), exact(3)], [math.inf, 0.0], exact(0), 0.0) == math.inf


def test_complex_powers_on_the_unit_circle_have_no_infinite_limit() -> None:
    assert all(math.isnan(part) for part in parts_of(OPERATORS["pow"].exact(exact(1j), math.inf)))
    assert OPERATORS["pow"].exact(exact(-1), math.inf) == 1


@pytest.mark.parametrize("b", [0.5 - 2j, -0.5 - 2j, 0j, 2 + 0j, -2 + 0j, 2j])
@pytest.mark.parametrize("kind", [complex, np.complex64])
def test_complex_powers_of_zero_are_what_they_are_exactly(kind: type, b: complex) -> None:
    op = OPERATORS["pow"]
    assert agrees(op.compute(kind(0), kind(b)), op.exact(exact(0j), exact(b)), 0.0, np.dtype("complex64"))


@pytest.mark.parametrize("b", [-4.5, 4.5, 0.5, -0.5, 3.0, -3.0, 2.0, math.inf, -math.inf, 0.0, math.nan])
def test_powers_of_minus_infinity_are_those_of_c(b: float) -> None:
    op = OPERATORS["pow"]
    assert agrees(op.compute(-math.inf, b), op.exact(-math.inf, exact(b)), 0.0, FLOAT)


@pytest.mark.parametrize("z", [complex(-math.inf, -math.inf), complex(math.nan, 1), complex(2, math.inf)])
def test_nothing_is_claimed_of_complex_functions_of_what_is_not_finite(z: complex) -> None:
    for name, args in (("exp", [exact(z)]), ("pow", [exact(z), exact(0.5)]), ("pow", [exact(2.0), exact(z)])):
        op = OPERATORS[name]
        bounds = [0.0] * len(args)
        assert op.bound(args, bounds, op.exact(*args), roundoff(np.dtype("complex128"))) == math.inf


def test_nothing_is_claimed_on_a_branch_cut() -> None:
    minus = [exact(-2 + 0j)]
    op = OPERATORS["log"]
    assert op.bound(minus, [0.0], op.exact(*minus), roundoff(np.dtype("complex128"))) == math.inf


@pytest.mark.parametrize("name", ["min", "max"])
def test_the_smaller_and_the_larger_of_nan_and_a_number_are_nan(name: str) -> None:
    nan, one = exact(math.nan), exact(1.0)
    assert all(math.isnan(approximate(OPERATORS[name].exact(*args)).real) for args in ((nan, one), (one, nan)))


def test_nan_is_true() -> None:
    assert OPERATORS["not"].exact(exact(math.nan)) == OPERATORS["not"].exact(exact(1.0)) == exact(False)


def test_dividing_by_zero_is_no_warning() -> None:
    assert OPERATORS["div"].compute(1.0, 0.0) == math.inf
    assert math.isnan(OPERATORS["mod"].compute(1.0, 0.0))


@by_name([o for o in DECLARED if o.arity == 1])
def test_functions_of_booleans_give_the_dtype_that_they_say(op: Operator) -> None:
    try:
        dtype = op.result_dtype(np.dtype("bool"))
    except DtypeError:
        return
    for value in (False, True):
        converted = CONVERSIONS[op.operand_dtype(np.dtype("bool"))].compute(value)
        assert np.asarray(op.compute(converted)).dtype == dtype
