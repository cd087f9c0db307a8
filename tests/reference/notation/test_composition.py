"""Compositions: one text, and what it computes, exactly and rounded, in every dtype, in C and in proofs."""

import math
from fractions import Fraction

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.algebra.agreement import agrees
from gnomon.reference.algebra.exact import exact
from gnomon.reference.algebra.operator import Operator
from gnomon.reference.algebra.roundoff import roundoff
from gnomon.reference.algebra.scalars import caster
from gnomon.reference.errors import DtypeError, MeaningError

TEXTS = (
    "f(a,b) = a + b - a * b",
    "f(a,b) = min(a + b, 7) * 0.1",
    "f(a,b) = max(a, -b) / 3",
    "f(a,b) = sqrt(a * a + b * b)",
    "f(a,b) = a * lt(a, b) + b * ge(a, b)",
)
VALUES = (0.0, 1.0, -2.5, 0.1, 1e10, 3e-20)


def dtype_of(operator: Operator, *names: str) -> str:
    return operator.result_dtype(*map(np.dtype, names)).name


def test_it_computes_in_the_dtype_that_all_of_it_computes_in() -> None:
    plain, half, fixed = (gn.operator(t) for t in ("f(a,b) = a - b", "f(a,b) = (a + b) / 2", "f(a,b) = min(a, 300)"))
    assert [dtype_of(plain, d, "int8") for d in ("int8", "uint16", "float32")] == ["int8", "int32", "float32"]
    assert [dtype_of(half, d, d) for d in ("bool", "int8", "float32", "complex64")] == [
        *("float64", "float64", "float32", "complex64")
    ]
    assert (dtype_of(fixed, "bool"), dtype_of(fixed, "int16")) == ("int64", "int16")


@pytest.mark.parametrize(
    ("text", "dtype", "wrong"),
    [
        ("f(a,b) = min(a, 300)", "int8", "f of int8: 300 does not fit in it"),
        ("f(a,b) = a + b", "bool", "f of bool: a sum of booleans leaves them"),
        ("f(a,b) = max(a, b)", "complex128", "f of complex128: max is not defined for complex numbers"),
        ("f(a,b) = abs(a * 1j) + b", "float64", "f of complex128: abs leaves the dtype"),
        ("f(a,b) = a * abs(b)", "complex128", "f of complex128: abs leaves the dtype"),
    ],
)
def test_dtypes_that_it_cannot_take_are_refused(text: str, dtype: str, wrong: str) -> None:
    with pytest.raises(DtypeError, match=wrong):
        dtype_of(gn.operator(text), dtype, dtype)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_what_it_computes_is_within_the_bound_of_what_it_means(text: str, dtype: str) -> None:
    f, cast, u = gn.operator(text), caster(np.dtype(dtype)), roundoff(np.dtype(dtype))
    for a in VALUES:
        for b in VALUES:
            x, y = cast(a), cast(b)
            meant = f.exact(exact(x), exact(y))
            bound = f.bound([exact(x), exact(y)], [0.0, 0.0], meant, u)
            assert bound < 1e-5 * (abs(float(meant)) + 1e11)  # type: ignore[arg-type]
            for computed in (f.compute(x, y), f.computing_in(np.dtype(dtype))(x, y)):
                assert type(computed) is type(x)
                assert agrees(computed, meant, bound, np.dtype(dtype))


def test_numbers_that_a_dtype_rounds_are_off() -> None:
    f = gn.operator("f(a,b) = max(a, 0.1)")
    meant = f.exact(Fraction(0), Fraction(0))
    assert meant == exact(0.1)
    bound = f.bound([Fraction(0)] * 2, [0.0, 0.0], meant, 2.0**-24)
    assert abs(float(np.float32(0.1)) - 0.1) <= bound < 1e-7


def test_nothing_is_claimed_beyond_a_pole() -> None:
    f = gn.operator("f(a,b) = 1 / (a - b)")
    assert math.isinf(f.bound([Fraction(1)] * 2, [0.0, 0.0], f.exact(Fraction(1), Fraction(1)), 2.0**-53))


def test_integers_that_leave_their_dtype_on_the_way_are_reported() -> None:
    f = gn.operator("f(a,b) = min(a + b, 100)")
    a = np.array([100], np.int8)
    assert gn.evaluate(gn.text("y(i) = f(x(i), 3)", operators=[f]), x=a // 2).to_numpy().tolist() == [53]
    assert f.compute(100, 100) == 100
    for engine in ("reference", "c"):
        with pytest.raises(MeaningError):
            gn.evaluate(gn.text("y(i) = f(x(i), x(i))", operators=[f]), x=a, engine=engine)


@pytest.mark.parametrize(("text", "dtype"), [(TEXTS[0], "int16"), (TEXTS[1], "float32"), (TEXTS[4], "float64")])
def test_c_computes_the_same(text: str, dtype: str) -> None:
    f = gn.operator(text)
    x, y = np.array([0, 1, 3, 5, -7], dtype), np.array([2, 1, -3, 0, 4], dtype)
    assert gn.check(gn.text("z(i) = f(x(i), y(i))", operators=[f]), x=x, y=y).checked == 5


def test_large_and_odd_numbers_are_written_in_c() -> None:
    f = gn.operator("f(a,b) = max(a, 3000000000) + min(b, -3000000000)")
    assert gn.check(gn.text("y(i) = f(x(i), x(i))", operators=[f]), x=np.array([4, -4])).checked == 2
    ends = gn.operator("f(a,b) = max(a, -9223372036854775808) + min(b, 9223372036854775807)")
    assert gn.check(gn.text("y(i) = f(x(i), 0)", operators=[ends]), x=np.array([4, -(2**63)])).checked == 2
    huge = gn.operator("f(a,b) = a + 99999999999999999999999")
    assert gn.check(gn.text("y(i) = f(x(i), 0)", operators=[huge]), x=np.array([4.0, 1e30])).checked == 2
    g = gn.operator("f(a,b) = a * 2j + b")
    z = np.array([1 + 1j, -2j])
    assert gn.check(gn.text("y(i) = f(z(i), z(i))", operators=[g]), z=z).checked == 2
    top = gn.operator("f(a,b) = min(a, inf) + b")
    assert gn.check(gn.text("y(i) = f(x(i), x(i))", operators=[top]), x=np.array([4.0, -np.inf])).checked == 2


def test_what_is_read_twice_is_computed_once() -> None:
    """A chain of operators that read their operands twice is no longer than its text."""
    either = gn.operator("either(a,b) = a + b - a * b")
    sizes = []
    for n in (6, 12):
        text = "x0(i)"
        for k in range(1, n):
            text = f"either({text}, x{k}(i))"
        kernel = gn.compile(gn.text(f"y(i) = {text}", operators=[either]))
        sizes.append(len(kernel.source))
    assert kernel(**{f"x{k}": [0.5, 1.0] for k in range(12)}).to_numpy().tolist() == [1 - 0.5**12, 1.0]
    assert sizes[1] < 3 * sizes[0]


def test_a_text_is_read_with_its_parentheses_in_c_and_in_proofs() -> None:
    f = gn.operator("f(a,b) = (a - b) * (b - 2)")
    assert f.exact(Fraction(5), Fraction(3)) == 2
    assert f.smt == "(* (- {0} {1}) (- {1} 2))"
    assert gn.check(gn.text("y(i) = f(x(i), 3)", operators=[f]), x=np.array([5])).checked == 1


def test_reductions_are_held_to_their_dtype_on_the_way() -> None:
    f = gn.operator("f(a,b) = a + b + 0 * (a * b)", identity=0, commutative=True, associative=True)
    text = gn.text("p f= x(i)", operators=[f])
    assert gn.evaluate(text, x=np.array([2, 3])).to_numpy().item() == 5
    for engine in ("reference", "c"):
        with pytest.raises(MeaningError):
            gn.evaluate(text, x=np.array([2**40, 2**40]), engine=engine)


def test_reductions_by_it_are_as_wide_as_those_of_what_it_is_made_of() -> None:
    both = {"identity": 0, "commutative": True, "associative": True}
    either = gn.operator("either(a,b) = a + b - a * b", **both)  # type: ignore[arg-type]
    x = np.array([3, 5, 7], np.int8)
    found = gn.evaluate(gn.text("p either= x(i)", operators=[either]), x=x)
    assert (found.dtype.name, found.to_numpy().item()) == ("int64", 49)
    assert gn.operator("f(a,b) = min(a, b)").reduced_dtype(np.dtype("int8")) == "int8"
