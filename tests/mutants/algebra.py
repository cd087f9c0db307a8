"""Mutants of exact arithmetic, of bounds of errors, and of what agrees within them."""

from __future__ import annotations

from mutant import Mutant
from suites import WORKED

EXACT = "reference/algebra/exact.py"
BOUNDS = "reference/algebra/error_bound.py"
REDUCTION_BOUNDS = "reference/algebra/reduction_bound.py"
FUNCTION_BOUNDS = "reference/algebra/function_bound.py"

OFF = (
    "tests/reference/algebra/test_error_bound.py::test_what_is_computed_of_arguments_that_are_off_is_within_the_bound",
)
REDUCED = ("tests/reference/algebra/test_reduction_bound.py",)
AGREEING = ("tests/reference/algebra/test_agreement.py",)
NUMBERS = ("tests/reference/algebra/test_operators.py", "tests/reference/algebra/test_error_bound.py")
FUNCTIONS = ("tests/reference/algebra/test_error_bound.py", "tests/reference/algebra/test_operators.py")

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "denotation.31",
        EXACT,
        "add_real(mul_real(x.re, y.re), -mul_real(x.im, y.im)),",
        "add_real(mul_real(x.re, y.re), mul_real(x.im, y.im)),",
        "i times i is 1",
        NUMBERS,
    ),
    Mutant(
        "denotation.32",
        EXACT,
        "return math.nan if a == 0 else math.copysign(math.inf, sign(a))",
        "return math.nan if a == 0 else math.inf",
        "a negative number over zero is positive infinity",
        (NUMBERS[0], "tests/properties/differential/test_check.py::test_operators_at_the_ends_of_their_dtypes"),
    ),
    Mutant(
        "denotation.33",
        EXACT,
        "return a - b * math.floor(a / b)",
        "return a - b * math.trunc(a / b)",
        "a remainder has the sign of the dividend",
        NUMBERS,
    ),
    Mutant(
        "denotation.34",
        EXACT,
        "if a != a or b != b:\n        return math.nan\n    return a if (a <= b) == smaller else b",
        "return a if (a <= b) == smaller else b",
        "the smaller of a number and NaN is the number",
        NUMBERS,
    ),
    Mutant(
        "denotation.35",
        EXACT,
        "return a != Pair(Fraction(0), Fraction(0)) and a != 0",
        "return a != Pair(Fraction(0), Fraction(0)) and a != 0 and a == a",
        "NaN is false",
        NUMBERS,
    ),
    Mutant(
        "denotation.36",
        EXACT,
        "return -value if sign_bit else value",
        "return value",
        "what leaves the rationals is positive",
        NUMBERS,
    ),
    Mutant(
        "denotation.68",
        EXACT,
        "return nothing if is_complex and not is_finite(whole.re, whole.im) else result",
        "return result",
        "what zero to a complex power is not has an imaginary part of zero",
        WORKED,
    ),
    Mutant(
        "denotation.98",
        "reference/algebra/exact.py",
        "mpmath.sign(x) * mpmath.cbrt(abs(x))",
        "mpmath.cbrt(x)",
        "numbers below zero have no cube root",
        FUNCTIONS,
    ),
    Mutant(
        "denotation.99",
        "reference/algebra/exact.py",
        "return Fraction(1) if a > 0 else Fraction(0)",
        "return Fraction(1) if a >= 0 else Fraction(1)",
        "the step is one below zero, too",
        FUNCTIONS,
    ),
    Mutant(
        "denotation.42",
        BOUNDS,
        "return max(error, *(rounding_bound(part, error, u) for part in parts_of(result) if is_finite(part)), 0.0)",
        "return error",
        "the finite part of a complex sum that is not finite has no error",
        WORKED,
    ),
    Mutant(
        "denotation.44",
        BOUNDS,
        "return bound if is_finite(*parts_of(result)) else max(bound, UNKNOWN_PARTS)",
        "return bound",
        "it is claimed which part of a complex product is infinite",
        WORKED,
    ),
    Mutant(
        "denotation.45",
        BOUNDS,
        "return math.inf if result != result else 0.0",
        "return 0.0",
        "a part that is no number is certain",
        WORKED,
    ),
    Mutant(
        "denotation.61",
        BOUNDS,
        "return math.inf if math.isnan(bound) else bound",
        "return bound",
        "a bound that cannot be computed refuses everything",
        WORKED,
    ),
    Mutant(
        "denotation.64",
        BOUNDS,
        "or (error > 0 and not is_finite(*parts))",
        "",
        "a quotient by a complex number of unknown parts is never zero",
        ("tests/reference/algebra/test_error_bound.py", *WORKED),
    ),
    Mutant(
        "denotation.65",
        BOUNDS,
        "any(is_infinite(part) for part in parts) or",
        "",
        "a quotient by a complex number with two infinite parts is never zero",
        ("tests/reference/algebra/test_error_bound.py",),
    ),
    Mutant(
        "denotation.103",
        "reference/algebra/error_bound.py",
        "error = times(magnitude(a), eb) + times(magnitude(b), ea) + times(ea, eb)",
        "error = times(magnitude(a), eb) + times(magnitude(b), ea)",
        "errors of both factors are not multiplied",
        OFF,
    ),
    Mutant(
        "denotation.104",
        "reference/algebra/error_bound.py",
        "* (1 - 2.0**-30) - eb",
        "* (1 - 2.0**-30)",
        "a divisor that is off is as large as the exact one",
        OFF,
    ),
    Mutant(
        "denotation.43",
        REDUCTION_BOUNDS,
        "return max(error, *(of_sum(p, bounds, r, u) for p, r in parts_apart(values, result) if is_finite(r)), 0.0)",
        "return error",
        "the finite part of a complex reduction that is not finite has no error",
        WORKED,
    ),
    Mutant(
        "denotation.60",
        REDUCTION_BOUNDS,
        "return of_infinite_product(values, bounds, result, u)",
        "return 0.0",
        "an infinite product is certain though a partial one may underflow to zero",
        REDUCED,
    ),
    Mutant(
        "denotation.69",
        REDUCTION_BOUNDS,
        "and is_infinite(result) and (v > 0) != (result > 0)]",
        "and is_infinite(result) and (v > 0) == (result > 0)]",
        "partial sums that overflow do no harm to an infinite sum of the other sign",
        REDUCED,
    ),
    Mutant(
        "denotation.105",
        "reference/algebra/reduction_bound.py",
        "error = approximates - exacts + approximates * roundings",
        "error = approximates * roundings",
        "a product is not off by what its factors are off by",
        REDUCED,
    ),
    Mutant(
        "denotation.62",
        FUNCTION_BOUNDS,
        "if not (re * growth + im * turn <= math.log(largest(u)) / 2 and magnified <= largest(u) / 4):",
        "if re * growth + im * turn > math.log(largest(u)) / 2:",
        "a complex power with an exponent past every number has a bound that is none",
        NUMBERS,
    ),
    Mutant(
        "denotation.63",
        FUNCTION_BOUNDS,
        "return magnitude(logarithm.re), magnitude(logarithm.im)",
        "return abs(math.log(magnitude(a))), magnitude(logarithm.im)",
        "a complex power of a number near the largest has a bound that is none",
        NUMBERS,
    ),
    Mutant(
        "denotation.67",
        FUNCTION_BOUNDS,
        "return 0.0 if is_settled(values, result) else rounding_bound(result, 0.0, LIBRARY * u)",
        "return rounding_bound(result, 0.0, LIBRARY * u)",
        "the cosine of zero is a little more or less than one",
        WORKED,
    ),
    Mutant(
        "denotation.100",
        "reference/algebra/function_bound.py",
        "* SLACK + given] if abs(a) <= Fraction(e) else []",
        "* SLACK + given] if a == 0 else []",
        "a step near zero is never at it",
        FUNCTIONS,
    ),
    Mutant(
        "denotation.101",
        "reference/algebra/agreement.py",
        "(1 if mine > 0 else -1) * approximate_real(theirs)",
        "abs(approximate_real(theirs))",
        "an infinity of the wrong sign agrees with what overflows",
        AGREEING,
    ),
    Mutant(
        "denotation.102",
        "reference/algebra/agreement.py",
        "approximate_real(theirs) + bound >= overflow_threshold(dtype)",
        "approximate_real(theirs) >= overflow_threshold(dtype)",
        "a bound takes no value past the largest number",
        AGREEING,
    ),
)
