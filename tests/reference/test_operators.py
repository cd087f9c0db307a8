"""Every law that an operator declares holds on integers, and its units and annihilators are what it says."""

import math
from fractions import Fraction

import numpy as np
import pytest
from gnomon.reference.error_bound import agrees, roundoff
from gnomon.reference.exact import exact
from gnomon.reference.operator import Operator
from gnomon.reference.operators import CONVERSIONS, DECLARED, OPERATORS
from hypothesis import given
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


def test_bounds_are_tight_enough_to_catch_an_error_of_a_few_ulps() -> None:
    values = [exact(0.1), exact(0.2)]
    result = OPERATORS["add"].exact(*values)
    bound = OPERATORS["add"].bound(values, [0.0, 0.0], result, roundoff(FLOAT))
    assert agrees(0.1 + 0.2, result, bound, FLOAT)
    assert not agrees(math.nextafter(0.1 + 0.2, 1) + 2**-53, result, bound, FLOAT)


def test_conversions_are_one_object_per_dtype() -> None:
    assert CONVERSIONS[np.dtype("int8")].compute(True) == 1
    assert len({id(o) for o in CONVERSIONS.values()}) == 13
