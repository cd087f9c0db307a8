"""Error bounds hold at the ends of the floating-point formats, and are tight in between."""

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from gnomon.reference.algebra.agreement import agrees
from gnomon.reference.algebra.error_bound import of_argument
from gnomon.reference.algebra.exact import Exact, Pair, exact, magnitude, sub
from gnomon.reference.algebra.operator import Operator
from gnomon.reference.algebra.operators import CONVERSIONS, DECLARED, OPERATORS
from gnomon.reference.algebra.roundoff import roundoff
from gnomon.reference.algebra.scalars import cast
from gnomon.reference.errors import DtypeError
from hypothesis import assume, given, settings
from hypothesis import strategies as st

FLOAT, SINGLE, COMPLEX = np.dtype("float64"), np.dtype("float32"), np.dtype("complex128")
U = roundoff(FLOAT)
MULTIPLE = 70


def bound(name: str, *args: tuple[Exact, float], dtype: np.dtype = FLOAT) -> float:
    """The bound of an operator on values with their errors."""
    op = OPERATORS[name]
    values, errors = [v for v, _ in args], [e for _, e in args]
    return op.bound(values, errors, op.exact(*values), roundoff(dtype))


@pytest.mark.parametrize("tiny", [1e-200, 1e-310, 5e-324])
def test_a_tiny_divisor_has_a_bound(tiny: float) -> None:
    error = 1e-17
    assert error / tiny <= bound("div", (exact(1.0), error), (exact(tiny), 0.0))
    assert bound("div", (exact(1.0), 0.0), (exact(1e-200), 1e-216)) < 1e186


def test_a_divisor_that_may_be_zero_leaves_no_bound() -> None:
    assert bound("div", (exact(1.0), 0.0), (Fraction(1, 10**400), 5e-324)) == math.inf


@pytest.mark.parametrize(
    ("divisor", "error", "expected"),
    [
        (complex(math.nan, math.nan), 1.0, math.inf), (complex(math.inf, math.inf), 0.0, math.inf),
        (complex(math.nan, -math.inf), 0.0, math.inf), (complex(2.0, -math.inf), 0.0, 0.0),
        (complex(math.nan, math.nan), 0.0, 1.0), (complex(2.0, math.nan), 0.0, 1.0),
    ],
)  # fmt: skip
def test_a_complex_divisor_that_may_be_infinite_leaves_no_bound_unless_the_quotient_is_zero(
    divisor: complex, error: float, expected: float
) -> None:
    assert bound("div", (exact(1j), 0.0), (exact(divisor), error), dtype=COMPLEX) == expected


def test_products_and_sums_that_the_dtype_holds_are_exact() -> None:
    assert bound("add", (exact(2.0), 0.0), (exact(1.5), 0.0)) == 0
    assert bound("mul", (exact(2.0), 0.0), (exact(1.5), 0.0)) == 0
    assert bound("div", (exact(3.0), 0.0), (exact(2.0), 0.0)) == 0
    assert 0 < bound("add", (exact(0.1), 0.0), (exact(0.2), 0.0)) <= 2 * U


def test_underflow_costs_a_few_subnormals() -> None:
    for dtype, tiny in ((FLOAT, 5e-324), (SINGLE, 2.0**-149), (COMPLEX, 5e-324)):
        value = exact(tiny) if dtype.kind == "f" else exact(complex(tiny, tiny))
        assert tiny / 2 <= bound("mul", (value, 0.0), (value, 0.0), dtype=dtype) <= 20 * tiny


def test_nothing_is_claimed_of_an_intermediate_result_that_may_overflow() -> None:
    largest = exact(np.finfo(FLOAT).max)
    assert of_argument(largest, 0.0, FLOAT) == 0
    assert of_argument(exact(1e300), 1e284, FLOAT) == 1e284
    assert of_argument(largest, 1e300, FLOAT) == math.inf
    assert of_argument(exact(10**400), 0.0, FLOAT) == math.inf
    assert of_argument(exact(1e39), 1.0, SINGLE) == math.inf
    assert of_argument(exact(1e39), 1.0, FLOAT) == 1.0
    assert of_argument(exact(1e39 + 1j), 1.0, np.dtype("complex64")) == math.inf
    assert of_argument(math.inf, 0.0, FLOAT) == 0
    assert of_argument(exact(10**400), 0.0, np.dtype("int64")) == 0


def test_a_result_that_overflows_is_infinite_and_nothing_else() -> None:
    size = bound("mul", (exact(1e200), 0.0), (exact(1e200), 0.0))
    assert agrees(math.inf, exact(10**400), size, FLOAT)
    assert not agrees(-math.inf, exact(10**400), size, FLOAT)
    assert not agrees(3.0, exact(10**400), size, FLOAT)


def test_zero_times_what_may_be_infinite_may_be_no_number() -> None:
    assert bound("mul", (exact(0.0), 0.0), (exact(1.0), math.inf)) == math.inf
    assert bound("mul", (exact(0), 0.0), (exact(1), math.inf), dtype=np.dtype("int64")) == 0


@pytest.mark.parametrize(
    ("name", "value", "error", "expected"),
    [
        ("floor", 2.7, 1e-9, 0.0),
        ("floor", 2.0, 0.0, 0.0),
        ("floor", 2.0, 1e-9, 1.0),
        ("ceil", 2.0, 1e-9, 1.0),
        ("sign", -3.0, 1.0, 0.0),
        ("sign", 1e-9, 1e-8, 2.0),
    ],
)
def test_steps_near_a_jump_cover_both_sides(name: str, value: float, error: float, expected: float) -> None:
    assert bound(name, (exact(value), error)) == expected


@pytest.mark.parametrize("name", ["eq", "ne", "lt", "le", "gt", "ge"])
def test_comparisons_are_certain_unless_the_errors_meet(name: str) -> None:
    one, two = exact(1.0), exact(2.0)
    assert bound(name, (one, 0.4), (two, 0.4)) == 0
    assert bound(name, (one, 0.6), (two, 0.6)) == 1
    assert bound(name, (one, 0.0), (one, 0.0)) == 0
    assert bound(name, (one, math.inf), (two, 0.0)) >= 1


def test_quotients_and_remainders_are_rounded_where_the_dtype_lacks_them() -> None:
    assert bound("floordiv", (exact(7.0), 0.0), (exact(2.0), 0.0)) == 0
    assert bound("mod", (exact(7.5), 0.0), (exact(2.0), 0.0)) == 0
    assert abs(float(np.floor_divide(1e17 + 20, 3)) - (10**17 + 16) // 3) <= bound(
        "floordiv", (exact(1e17 + 20), 0.0), (exact(3.0), 0.0)
    )
    assert 1e-20 <= bound("mod", (exact(-1e-20), 0.0), (exact(3.0), 0.0)) < 1e-14


@pytest.mark.parametrize("name", ["sin", "cos"])
def test_waves_move_no_faster_than_their_argument(name: str) -> None:
    assert bound(name, (exact(1e20), 1e4)) >= 1
    assert bound(name, (exact(0.0), 1e-3)) >= 1e-3 * (name == "sin")
    assert bound(name, (exact(math.pi / 2), 1e-3)) >= 5e-7


def test_a_tangent_near_a_pole_has_no_bound() -> None:
    assert bound("tan", (exact(1.5), 0.2)) == math.inf
    assert bound("tan", (exact(1.0), 0.5)) >= math.tan(1.5) - math.tan(1.0)
    assert bound("tan", (exact(1e20), 1e4)) == math.inf


def test_powers_are_bounded_over_the_whole_box() -> None:
    both = bound("pow", (exact(2.0), 0.5), (exact(3.0), 0.5))
    assert max(2.5**3.5 - 8, 8 - 1.5**2.5) <= both < 18
    assert bound("pow", (exact(-2.0), 0.5), (exact(2.0), 0.0)) >= 2.25
    assert bound("pow", (exact(-2.0), 0.0), (exact(2.0), 0.5)) == math.inf
    assert bound("pow", (exact(0.0), 0.5), (exact(2.0), 0.0)) == math.inf


def test_a_complex_power_has_a_bound_whatever_the_size_of_its_base() -> None:
    largest = float(np.finfo(FLOAT).max)
    for base in (complex(-largest, 2.5), complex(largest, largest)):
        assert 0 < bound("pow", (exact(base), 0.0), (exact(0j), 0.0), dtype=COMPLEX) <= 100 * U
        assert bound("pow", (exact(base), 0.0), (exact(2 + 0j), 0.0), dtype=COMPLEX) == math.inf
    assert bound("pow", (exact(1 + 0j), 0.0), (exact(10**400), 0.0), dtype=COMPLEX) == math.inf


def test_nothing_is_claimed_of_a_complex_power_whose_logarithm_overflows() -> None:
    """exp(b log a) is NaN where the exponent is infinite once it is computed, though its exact power is a number."""
    exponent = exact(complex(1e-38, 1.1342744887950962e38))
    assert bound("pow", (exact(27 + 1e-38j), 0.0), (exponent, 0.0), dtype=np.dtype("complex64")) == math.inf


def operation(op: Operator, dtype: np.dtype) -> tuple[np.dtype, np.dtype]:
    """What an operator computes in on operands of a dtype, and what that gives. Raises DtypeError."""
    inner = op.operand_dtype(*[dtype] * op.arity)
    return inner, op.result_dtype(*[inner] * op.arity)


def takes(op: Operator, dtype: np.dtype) -> bool:
    """Whether an operator is defined on a dtype."""
    try:
        operation(op, dtype)
    except DtypeError:
        return False
    return True


ENDS = (0.0, -1.5, 5e-324, -float(np.finfo(FLOAT).max), math.inf, math.nan)
COMPLEX_ENDS = (0j, 1 + 0j, complex(0, -1.5), complex(ENDS[3], 2.5), complex(5e-324, 0), complex(math.nan, -math.inf))


@pytest.mark.parametrize(
    ("dtype", "op"), [(dtype, op) for dtype in (FLOAT, COMPLEX) for op in DECLARED if takes(op, dtype)], ids=str
)
def test_every_bound_is_a_number_at_the_ends_of_the_dtype(dtype: np.dtype, op: Operator) -> None:
    _, own = operation(op, dtype)
    for drawn in itertools.product(ENDS if dtype == FLOAT else COMPLEX_ENDS, repeat=op.arity):
        values = [exact(v) for v in drawn]
        result = op.exact(*values)
        for errors in ([0.0] * op.arity, [5e-324] * op.arity, [0.0] * (op.arity - 1) + [math.inf]):
            assert op.bound(values, errors, result, roundoff(own)) >= 0, (drawn, errors)
            if op.reduction_bound is not None:
                assert op.reduction_bound(values, errors, result, roundoff(own)) >= 0, (drawn, errors)


def test_a_truth_value_is_certain_unless_the_error_reaches_zero() -> None:
    convert = CONVERSIONS[np.dtype("bool")]
    assert convert.bound([exact(1e-20)], [1e-16], exact(1), 0.0) >= 1
    assert convert.bound([exact(2.0)], [1e-16], exact(1), 0.0) < 1


ordinary = st.floats(0.1, 10)
INEXACT = [np.dtype(name) for name in ("float32", "float64", "complex64", "complex128")]


@pytest.mark.every(2)
@pytest.mark.parametrize(
    ("kind", "op"), [(dtype, op) for dtype in INEXACT for op in DECLARED if takes(op, dtype)], ids=str
)
@given(data=st.data())
@settings(max_examples=settings().max_examples // 8)
def test_bounds_of_single_operators_on_ordinary_values_are_a_few_units(
    kind: np.dtype, op: Operator, data: st.DataObject
) -> None:
    """Of a power the exponent counts: a complex one goes through the logarithm, which it magnifies."""
    _, own = operation(op, kind)
    parts = 1 if kind.kind == "f" else 2
    drawn = [[data.draw(ordinary) for _ in range(parts)] for _ in range(op.arity)]
    args = [exact(kind.type(complex(*v) if parts == 2 else v[0])) for v in drawn]
    result = op.exact(*args)
    found = op.bound(args, [0.0] * op.arity, result, roundoff(own))
    stretch = 1 + (magnitude(args[-1]) * 5 if op.name == "pow" and parts == 2 else 0)
    unit, tiny = np.finfo(kind).eps, np.finfo(kind).smallest_subnormal
    assert found <= MULTIPLE * (stretch * float(unit) * magnitude(result) + float(tiny))


@pytest.mark.parametrize(
    ("value", "error", "expected"),
    [
        (2.0, 0, 0),
        (-2.0, 1.0, 0.0),
        (0.0, 0, 0.25),
        (1e-9, 1e-8, 1.0),
        (-1e-9, 1e-8, 1.0),
        (1.0, math.inf, math.inf),
    ],
)
def test_a_step_near_zero_may_be_on_either_side_or_at_it(value: float, error: float, expected: float) -> None:
    """At zero it is 1/2 with an error of 1/4, which counts where the step is not certain."""
    found = bound("heaviside", (exact(value), error), (exact(0.5), 0.25))
    assert found == pytest.approx(expected)
    far = bound("heaviside", (exact(1e-9), 1e-8), (exact(5.0), 0.0))
    assert far == pytest.approx(4.0)


def test_a_cube_is_two_products_and_a_cube_root_a_function() -> None:
    size = bound("cube", (exact(1.1), 0.0))
    assert 1e-16 < size < 1e-15
    assert agrees(1.1 * 1.1 * 1.1, OPERATORS["cube"].exact(exact(1.1)), size, FLOAT)
    assert bound("cube", (exact(2), 0.0), dtype=np.dtype("int64")) == 0
    assert OPERATORS["cbrt"].exact(exact(-27)) == exact(-3) and bound("cbrt", (exact(1.0), 0.0)) > 0
    assert [OPERATORS["heaviside"].exact(exact(v), exact(7)) for v in (-1.5, 0, 1.5)] == [exact(v) for v in (0, 7, 1)]


sizes = st.sampled_from([0.0, -1.0, 0.5, 2.0]) | st.floats(-4, 4) | st.floats(-1e30, 1e30) | st.floats(-1e-30, 1e-30)
moves = st.just(0.0) | st.floats(-1e-6, 1e-6) | st.floats(-0.5, 0.5)


@st.composite
def held(draw: st.DrawFn, dtype: np.dtype) -> tuple[Any, Exact, float]:
    """A number as a computation of some dtype holds it, the exact one that it stands for, and how far that is away."""
    parts = 1 if dtype.kind == "f" else 2
    number = cast(complex(*[draw(sizes) for _ in range(parts)]) if parts == 2 else draw(sizes), dtype)
    near = [Fraction(float(p)) * (1 + Fraction(draw(moves))) for p in (number.real, number.imag)[:parts]]
    value: Exact = Pair(*near) if parts == 2 else near[0]
    return number, value, math.nextafter(magnitude(sub(value, exact(number))), math.inf)


@pytest.mark.parametrize("op", [o for o in DECLARED if not o.selects], ids=lambda o: o.name)
@given(data=st.data())
@settings(max_examples=settings().max_examples // 4)
def test_what_is_computed_of_arguments_that_are_off_is_within_the_bound(op: Operator, data: st.DataObject) -> None:
    """Exact arithmetic has no signed zeros, so that quotients by zero and powers of it are left out."""
    inner, own = operation(op, data.draw(st.sampled_from([dtype for dtype in INEXACT if takes(op, dtype)])))
    numbers, values, errors = zip(*[data.draw(held(inner)) for _ in range(op.arity)], strict=True)
    divides, raises = op.name in ("div", "floordiv", "mod"), op.name == "pow"
    assume(not (divides and numbers[-1] == 0) and not (raises and numbers[0] == 0))
    result = op.exact(*values)
    with np.errstate(all="ignore"):
        computed = op.compute(*numbers)
    size = op.bound(values, errors, result, roundoff(own))
    assert agrees(computed, result, min(size, 1.0) if own.kind == "b" else size, own)
