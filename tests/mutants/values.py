"""Mutants of values: the dtypes in which C computes, fills that their dtype does not hold, integers that overflow."""

from __future__ import annotations

from mutant import Mutant

VALUES = "generator/values/values.py"
SCALARS = "tests/reference/algebra/test_scalars.py"

TYPED = ("tests/generator/values/test_values.py", "tests/test_c_typing.py")
CHECKED = "tests/generator/values/test_values.py::test_integers_that_overflow_are_reported_as_the_reference_does"
NARROWED = "tests/generator/values/test_values.py::test_integers_that_a_result_cannot_hold_are_reported"
FILLS = "tests/generator/values/test_values.py::test_fills_are_exact_where_their_dtype_does_not_hold_them"
LOST = "tests/generator/values/test_values.py::test_fills_that_no_dtype_holds_overflow_where_they_are_computed_with"
FITTING = "tests/generator/values/test_values.py::test_a_fill_that_does_not_fit_is_reported_where_a_component_takes_it"
FOLDED = "tests/generator/values/test_values.py::test_a_fold_of_fills_that_does_not_fit_is_reported_where_it_is_taken"
THREADS = "tests/properties/machine/test_run.py::test_integers_that_overflow_are_reported_from_every_thread"
ONE_VALUE = "tests/generator/values/test_values.py::test_a_reduction_of_one_value_is_that_value"

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "value.1",
        "reference/algebra/operators.py",
        'c="{one}"',
        'c="1"',
        "the number that pair gives has C's type",
        TYPED,
    ),
    Mutant(
        "value.2",
        VALUES,
        'if dtype.itemsize < 4 or (dtype.name == "int32" and value > info.min):',
        'if dtype.itemsize < 4 or (dtype.kind == "i" and info.min < value < 2**31):',
        "constants of 64 bits do not say so",
        TYPED,
    ),
    Mutant(
        "value.3",
        VALUES,
        "known = all(isinstance(a, Spelled) and not traversal.parts(a) for a in args)",
        "known = False",
        "constants are combined by C's operators, in C's types",
        TYPED,
    ),
    Mutant(
        "value.4",
        VALUES,
        "if (frame.checks or known) and operator.may_overflow(dtype, result)",
        "if known and operator.may_overflow(dtype, result)",
        "integers overflow in silence",
        (CHECKED, THREADS),
    ),
    Mutant(
        "value.5",
        "reference/algebra/operator.py",
        "return dtype == result or not np.can_cast(dtype, result)",
        "return dtype == result",
        "a result of a narrower dtype takes what is left of a value",
        (NARROWED,),
    ),
    Mutant(
        "value.6",
        "reference/algebra/functions.py",
        '    checked="gn_square_{T}({0}, {status})",\n',
        "",
        "squares overflow in silence",
        (CHECKED,),
    ),
    Mutant(
        "value.7",
        VALUES,
        "wide = least_dtype(dtype, *(a.value for a in (*e.args, *missing) if isinstance(a, Literal | Fill))) or dtype",
        "wide = dtype",
        "a fill that its dtype does not hold counts as an overflow, whatever it is compared with",
        (FILLS,),
    ),
    Mutant(
        "value.8",
        "reference/statement/substitution.py",
        'if fill.dtype.kind in "biu" and result.kind in "biu":',
        'if fill.dtype.kind in "b" and result.kind in "b":',
        "fills are kept within their dtype, also where nobody computes with them",
        (FILLS,),
    ),
    Mutant(
        "value.9",
        "reference/execution/values.py",
        "if lost is not None:",
        "if lost is not None and not e.args:",
        "the reference computes with fills that no dtype holds",
        (LOST,),
    ),
    Mutant(
        "value.10",
        "generator/threads/lanes.py",
        "return all(is_checked(each) or not writes(each) for each in traversal.subterms(e))",
        "return True",
        "lanes share what reports a division by zero",
        ("tests/generator/threads/test_lanes.py",),
    ),
    Mutant(
        "value.11",
        "reference/algebra/operators.py",
        '    complex_fold="gn_prod_{T}({0}, {1})",\n',
        "",
        "what products of complex numbers begin with is a factor",
        (ONE_VALUE,),
    ),
    Mutant(
        "value.12",
        "generator/statements/statements.py",
        "operator.in_reduction(dtypes[name]).c for",
        "operator.c for",
        "lanes begin products of complex numbers with a factor",
        ("tests/generator/values/test_values.py::test_no_part_of_a_product_is_lost_to_the_identity",),
    ),
    Mutant(
        "value.13",
        "generator/include/gnomon.h",
        "return b == (T)0.5 && a == -(T)INFINITY ? (T)INFINITY : pow##S(a, b);",
        "return pow##S(a, b);",
        "the power of -inf by a half is no number where GCC takes a square root for it",
        ("tests/generator/values/test_values.py::test_the_power_of_minus_infinity_by_a_half_is_infinite",),
    ),
    Mutant(
        "value.14",
        "reference/algebra/scalars.py",
        "            return narrow(dtype)\n",
        "            return dtype.type\n",
        "a number too large for float32 warns",
        (SCALARS,),
    ),
    Mutant(
        "value.15",
        "reference/algebra/scalars.py",
        "number = int(fill) if whole else fill",
        "number = fill",
        "a Boolean of NumPy as a fill is a failure of Python",
        (SCALARS,),
    ),
    Mutant(
        "value.16",
        VALUES,
        "    if any(reporting):\n",
        "    if False:\n",
        "the right operand of an or whose left one is true is not computed, nor reported",
        ("tests/generator/values/test_values.py::test_operands_that_decide_nothing_are_reported_too",),
    ),
    Mutant(
        "value.17",
        VALUES,
        'left_out = [f"(void) ({{{n}}}), " for n in reporting if f"{{{n}}}" not in template]',
        "left_out: list[str] = []",
        "an operand that is not chosen is not computed, nor reported",
        ("tests/generator/values/test_values.py::test_operands_that_decide_nothing_are_reported_too",),
    ),
    Mutant(
        "value.18",
        "generator/values/combining.py",
        "constant(fill if least_dtype(dtype, fill) == dtype else 0, dtype)",
        "constant(fill, dtype)",
        "a kernel is refused for a fill that no component of its workspace takes",
        (FITTING,),
    ),
    Mutant(
        "value.19",
        "reference/execution/state.py",
        "        if name not in self.workspaces or least_dtype(dtype, fill) == dtype:\n",
        "        if True:\n",
        "a workspace is refused for a fill that none of its components takes",
        (FITTING, FOLDED),
    ),
)
