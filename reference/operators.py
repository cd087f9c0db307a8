"""The declared operators. A new one is one declaration here; no pass knows an operator by its name."""

from __future__ import annotations

import math
import operator as py
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from . import error_bound as bounds
from . import exact
from .errors import DtypeError, MeaningError
from .operator import Constant, Operator
from .scalars import caster
from .syntax import Number

BOOL, FLOAT64 = np.dtype("bool"), np.dtype("float64")


def promoted(*dtypes: np.dtype) -> np.dtype:
    """NumPy's promotion."""
    return np.result_type(*dtypes)


def inexact(*dtypes: np.dtype) -> np.dtype:
    """Promotion for functions that leave the integers: those give float64."""
    dtype = np.result_type(*dtypes)
    return dtype if dtype.kind in "fc" else FLOAT64


def arithmetic(name: str) -> Callable[..., np.dtype]:
    """Promotion for operators that Booleans do not have."""

    def promote(*dtypes: np.dtype) -> np.dtype:
        dtype = np.result_type(*dtypes)
        if dtype == BOOL:
            raise DtypeError(f"{name} of booleans is not defined", hint="use xor or not, or convert the operands")
        return dtype

    return promote


def ordered(name: str) -> Callable[..., np.dtype]:
    """Promotion for operators that need an order."""

    def promote(*dtypes: np.dtype) -> np.dtype:
        dtype = np.result_type(*dtypes)
        if dtype.kind == "c":
            raise DtypeError(f"{name} is not defined for complex numbers", hint="compare abs(...) or real(...)")
        return dtype

    return promote


def ordered_inexact(name: str) -> Callable[..., np.dtype]:
    """As `ordered`, and leaving the integers."""
    check = ordered(name)
    return lambda *dtypes: inexact(check(*dtypes))


def boolean(*dtypes: np.dtype) -> np.dtype:
    return BOOL


def real_of(*dtypes: np.dtype) -> np.dtype:
    """The dtype of the real part."""
    dtype = np.result_type(*dtypes)
    return np.dtype(f"float{4 * dtype.itemsize}") if dtype.kind == "c" else dtype


def widened(dtype: np.dtype) -> np.dtype:
    """The dtype in which numpy.sum adds: small integers and Booleans widen to 64 bits."""
    return np.dtype(np.sum(np.zeros(0, dtype)).dtype)


def constant(value: Number) -> Constant:
    """The same constant in every dtype."""
    return lambda dtype: caster(dtype)(value)  # type: ignore[no-any-return]


ZERO, ONE = constant(0), constant(1)


def largest(dtype: np.dtype) -> Number:
    """The identity of min."""
    return True if dtype == BOOL else int(np.iinfo(dtype).max) if dtype.kind in "iu" else math.inf


def least(dtype: np.dtype) -> Number:
    """The identity of max."""
    return False if dtype == BOOL else int(np.iinfo(dtype).min) if dtype.kind in "iu" else -math.inf


def smaller(a: Any, b: Any) -> Any:
    return a if a != a or a <= b else b


def larger(a: Any, b: Any) -> Any:
    return a if a != a or a >= b else b


def divide(a: Any, b: Any) -> Any:
    try:
        return a / b
    except ZeroDivisionError:
        return type(a)(np.divide(np.asarray(a), np.asarray(b)))


def integral(numpy_function: Callable[..., Any], function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Division with remainder: of floats as NumPy has it, of integers refusing zero."""

    def compute(a: Any, b: Any) -> Any:
        if b == 0 and isinstance(b, int):
            raise MeaningError(f"integer division of {a} by zero", hint="use / to divide in floating point")
        return function(a, b) if isinstance(a, int) else type(a)(numpy_function(a, b))

    return compute


def guarded(function: Callable[..., Any]) -> Callable[..., Any]:
    """A NumPy function on scalars, giving scalars of the kind it was given."""

    def compute(*args: Any) -> Any:
        result = function(*args)
        return result.item() if isinstance(args[0], float | complex | int) and not isinstance(
            args[0], np.float32 | np.complex64
        ) else result

    return compute


def magnitude_of(a: Any) -> Any:
    try:
        return abs(a)
    except OverflowError:
        return math.inf


def multiply_bool_aware(a: Any, b: Any) -> Any:
    return (a and b) if a is True or a is False else a * b


def add_bool_aware(a: Any, b: Any) -> Any:
    return (a or b) if a is True or a is False else a + b


def like(value: bool, sample: Any) -> Any:
    """A truth value in the type of the operand: or and and keep it."""
    return type(sample)(value)


def function(name: str, compute: Callable[..., Any], value: Callable[..., exact.Exact], c: str) -> Operator:
    """A library function of one argument that leaves the integers."""
    return Operator(
        name, 1, guarded(compute), value, bounds.of_function(value), inexact, inexact, f"{c}({{0}})", f"({name} {{0}})"
    )


NEG = Operator("neg", 1, py.neg, exact.neg, bounds.of_choice, arithmetic("negation"), arithmetic("negation"), "-{0}",
               "(- {0})", symbol="-", precedence=3)
TRUTH = Operator("truth", 1, lambda a: like(bool(a), a), lambda a: exact.boolean(exact.truth(a)), bounds.of_step,
                 promoted, promoted, "({0} != 0)", "(ite (= {0} 0) 0 1)")
NOT = Operator("not", 1, lambda a: not a, lambda a: exact.boolean(not exact.truth(a)), bounds.of_step, boolean,
               promoted, "!{0}", "(ite (= {0} 0) 1 0)")
ADD = Operator("add", 2, add_bool_aware, exact.add, bounds.of_add, promoted, promoted, "{0} + {1}", "(+ {0} {1})",
               symbol="+", precedence=1, left_identity=ZERO, right_identity=ZERO, commutative=True, associative=True,
               distributes_over=frozenset({"min", "max"}), reduction="sum", reduction_bound=bounds.of_sum,
               reduced_dtype=widened)
SUB = Operator("sub", 2, py.sub, exact.sub, bounds.of_add, arithmetic("subtraction"), arithmetic("subtraction"),
               "{0} - {1}", "(- {0} {1})", symbol="-", precedence=1, left_identity=ZERO, right_identity=ZERO,
               left_unit=NEG)
MUL = Operator("mul", 2, multiply_bool_aware, exact.mul, bounds.of_mul, promoted, promoted, "{0} * {1}", "(* {0} {1})",
               symbol="*", precedence=2, left_identity=ONE, right_identity=ONE, left_annihilator=ZERO,
               right_annihilator=ZERO, commutative=True, associative=True, distributes_over=frozenset({"add"}),
               reduction="prod", reduction_bound=bounds.of_product, reduced_dtype=widened)
DIV = Operator("div", 2, divide, exact.div, bounds.of_div, inexact, inexact, "{0} / {1}", "(/ {0} {1})", symbol="/",
               precedence=2, right_identity=ONE, left_annihilator=ZERO, right_annihilator=ZERO)
FLOORDIV = Operator("floordiv", 2, integral(np.floor_divide, py.floordiv), exact.floordiv, bounds.of_step,
                    ordered("floordiv"), ordered("floordiv"), "gn_floordiv({0}, {1})", "(div {0} {1})",
                    left_annihilator=ZERO, right_annihilator=ZERO)
MOD = Operator("mod", 2, integral(np.mod, py.mod), exact.mod, bounds.of_step, ordered("mod"), ordered("mod"),
               "gn_mod({0}, {1})", "(mod {0} {1})", left_annihilator=ZERO, right_annihilator=ZERO)
MIN = Operator("min", 2, smaller, exact.minimum, bounds.of_choice, ordered("min"), ordered("min"), "gn_min({0}, {1})",
               "(ite (<= {0} {1}) {0} {1})", left_identity=largest, right_identity=largest, commutative=True,
               associative=True, idempotent=True, distributes_over=frozenset({"min", "max"}), reduction="min",
               reduction_bound=bounds.of_choice)
MAX = Operator("max", 2, larger, exact.maximum, bounds.of_choice, ordered("max"), ordered("max"), "gn_max({0}, {1})",
               "(ite (>= {0} {1}) {0} {1})", left_identity=least, right_identity=least, commutative=True,
               associative=True, idempotent=True, distributes_over=frozenset({"min", "max"}), reduction="max",
               reduction_bound=bounds.of_choice)
OR = Operator("or", 2, lambda a, b: like(bool(a) or bool(b), a),
              lambda a, b: exact.boolean(exact.truth(a) or exact.truth(b)), bounds.of_step, promoted, promoted,
              "({0} != 0 || {1} != 0)", "(ite (or (not (= {0} 0)) (not (= {1} 0))) 1 0)", left_identity=ZERO,
              right_identity=ZERO, left_unit=TRUTH, right_unit=TRUTH, commutative=True, associative=True,
              idempotent=True, distributes_over=frozenset({"or", "and"}), reduction="or",
              reduction_bound=bounds.of_step)
AND = Operator("and", 2, lambda a, b: like(bool(a) and bool(b), a),
               lambda a, b: exact.boolean(exact.truth(a) and exact.truth(b)), bounds.of_step, promoted, promoted,
               "({0} != 0 && {1} != 0)", "(ite (and (not (= {0} 0)) (not (= {1} 0))) 1 0)", left_identity=ONE,
               right_identity=ONE, left_annihilator=ZERO, right_annihilator=ZERO, left_unit=TRUTH, right_unit=TRUTH,
               commutative=True, associative=True, idempotent=True, distributes_over=frozenset({"or", "and"}),
               reduction="and", reduction_bound=bounds.of_step)
XOR = Operator("xor", 2, lambda a, b: like(bool(a) != bool(b), a),
               lambda a, b: exact.boolean(exact.truth(a) != exact.truth(b)), bounds.of_step, promoted, promoted,
               "(({0} != 0) != ({1} != 0))", "(ite (= (= {0} 0) (= {1} 0)) 0 1)", left_identity=ZERO,
               right_identity=ZERO, left_unit=TRUTH, right_unit=TRUTH, commutative=True, associative=True,
               reduction="xor", reduction_bound=bounds.of_step)
FIRST = Operator("first", 2, lambda a, b: a, lambda a, b: a, bounds.of_choice, promoted, promoted, "{0}", "{0}",
                 associative=True, idempotent=True, distributes_over=frozenset())
SECOND = Operator("second", 2, lambda a, b: b, lambda a, b: b, bounds.of_choice, promoted, promoted, "{1}", "{1}",
                  associative=True, idempotent=True)
PAIR = Operator("pair", 2, lambda a, b: type(a)(1), lambda a, b: exact.boolean(True), lambda *_: 0.0, promoted,
                promoted, "1", "1", commutative=True)
ANY = Operator("any", 2, lambda a, b: a, lambda a, b: a, bounds.of_choice, promoted, promoted, "{0}", "{0}",
               left_identity=ZERO, right_identity=ZERO, commutative=True, associative=True, idempotent=True,
               reduction="any", reduction_bound=bounds.of_choice, selects=True)
POW = Operator("pow", 2, guarded(np.power), exact.through(exact.power), bounds.of_function(exact.through(exact.power)),
               inexact, inexact, "pow({0}, {1})", "(^ {0} {1})", right_identity=ONE)
ATAN2 = Operator("atan2", 2, guarded(np.arctan2), exact.through(exact.mpmath.atan2),
                 bounds.of_function(exact.through(exact.mpmath.atan2)), ordered_inexact("atan2"),
                 ordered_inexact("atan2"), "atan2({0}, {1})", "(atan2 {0} {1})")
ABS = Operator("abs", 1, magnitude_of, exact.absolute, bounds.of_conversion, real_of, promoted, "gn_abs({0})",
               "(abs {0})")
REAL = Operator("real", 1, lambda a: a.real, exact.real_part, bounds.of_choice, real_of, promoted, "creal({0})", "{0}")
IMAG = Operator("imag", 1, lambda a: a.imag, exact.imaginary_part, bounds.of_choice, real_of, promoted, "cimag({0})",
                "0")
CONJ = Operator("conj", 1, lambda a: a.conjugate(), exact.conj, bounds.of_choice, promoted, promoted, "conj({0})",
                "{0}")
SQUARE = Operator("square", 1, lambda a: a * a, lambda a: exact.mul(a, a),
                  lambda v, e, r, u: bounds.of_mul((v[0], v[0]), (e[0], e[0]), r, u), arithmetic("square"),
                  arithmetic("square"), "({0} * {0})", "(* {0} {0})")
FLOOR = Operator("floor", 1, guarded(np.floor), exact.floor, bounds.of_step, ordered_inexact("floor"),
                 ordered_inexact("floor"), "floor({0})", "(to_int {0})")
CEIL = Operator("ceil", 1, guarded(np.ceil), exact.ceil, bounds.of_step, ordered_inexact("ceil"),
                ordered_inexact("ceil"), "ceil({0})", "(- (to_int (- {0})))")
SIGN = Operator("sign", 1, lambda a: a if a != a else type(a)((a > 0) - (a < 0)), exact.signum, bounds.of_step,
                ordered("sign"), ordered("sign"), "gn_sign({0})", "(ite (> {0} 0) 1 (ite (< {0} 0) (- 1) 0))")


def comparison(name: str, test: Callable[[Any, Any], bool], sign: str, smt: str, *, total: bool) -> Operator:
    """A comparison, which gives a Boolean; only equality compares complex numbers."""
    return Operator(name, 2, lambda a, b: bool(test(a, b)), lambda a, b: exact.boolean(test(a, b)), bounds.of_step,
                    boolean, promoted if not total else ordered(name), f"{{0}} {sign} {{1}}", smt,
                    commutative=name in ("eq", "ne"))


DECLARED = (
    ADD, SUB, MUL, DIV, NEG, FLOORDIV, MOD, MIN, MAX, OR, AND, XOR, NOT, TRUTH, FIRST, SECOND, PAIR, ANY, POW, ATAN2,
    ABS, REAL, IMAG, CONJ, SQUARE, FLOOR, CEIL, SIGN,
    comparison("eq", py.eq, "==", "(= {0} {1})", total=False),
    comparison("ne", py.ne, "!=", "(not (= {0} {1}))", total=False),
    comparison("lt", py.lt, "<", "(< {0} {1})", total=True),
    comparison("le", py.le, "<=", "(<= {0} {1})", total=True),
    comparison("gt", py.gt, ">", "(> {0} {1})", total=True),
    comparison("ge", py.ge, ">=", "(>= {0} {1})", total=True),
    function("sqrt", np.sqrt, exact.root, "sqrt"),
    function("exp", np.exp, exact.through(exact.mpmath.exp), "exp"),
    function("log", np.log, exact.through(exact.mpmath.log), "log"),
    function("sin", np.sin, exact.through(exact.mpmath.sin), "sin"),
    function("cos", np.cos, exact.through(exact.mpmath.cos), "cos"),
    function("tan", np.tan, exact.through(exact.mpmath.tan), "tan"),
    function("tanh", np.tanh, exact.through(exact.mpmath.tanh), "tanh"),
)
OPERATORS = {operator.name: operator for operator in DECLARED}
REDUCTIONS = {operator.reduction: operator for operator in DECLARED if operator.reduction is not None}

CONVERSIONS = {
    np.dtype(name): Operator(name, 1, caster(np.dtype(name)), lambda a: a, bounds.of_conversion,
                             lambda *_, dtype=np.dtype(name): dtype, promoted, f"({name}){{0}}", "{0}")
    for name in ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32",
                 "float64", "complex64", "complex128")
}


def conversion(dtype: np.dtype) -> Operator:
    """The operator that converts to a dtype."""
    return CONVERSIONS[dtype]


def structural(add: Operator, multiply: Operator) -> tuple[Operator, Operator]:
    """The two operators of a semiring: an operand is absent where it is missing, whatever the values."""
    fill = add.left_identity
    combine = replace(add, structural=True)
    return combine, replace(
        multiply, structural=True, left_identity=None, right_identity=None, left_unit=None, right_unit=None,
        left_annihilator=fill, right_annihilator=fill,
    )
