"""Functions and comparisons: declared operators of which no algebra is claimed."""

from __future__ import annotations

import operator as py
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np

from . import error_bound as bounds
from . import exact
from .computations import conjugate, imaginary_part, magnitude_of, power, real_part, scalar_function
from .operator import Operator
from .promotion import (
    ONE,
    arithmetic_promotion,
    boolean,
    ordered_inexact_promotion,
    ordered_promotion,
    promote_dtypes,
    promote_inexact,
    real_dtype,
)


def function(
    name: str,
    compute: Callable[..., Any],
    value: Callable[..., exact.Exact],
    c: str,
    spread: bounds.Spread | None = None,
) -> Operator:
    """A library function of one argument that leaves the integers: monotone, unless it says how far it moves."""
    return Operator(
        name,
        1,
        scalar_function(compute),
        value,
        bounds.of_function(value, spread),
        promote_inexact,
        promote_inexact,
        f"{{c}}{c}{{f}}({{0}})",
        f"({name} {{0}})",
    )


POW = Operator(
    "pow",
    2,
    power,
    exact.through(exact.power),
    bounds.of_power,
    promote_inexact,
    promote_inexact,
    "gn_pow_{T}({0}, {1})",
    "(^ {0} {1})",
    right_identity=ONE,
)
ABS = Operator(
    "abs",
    1,
    magnitude_of,
    exact.absolute,
    bounds.of_magnitude,
    real_dtype,
    promote_dtypes,
    "gn_abs_{T}({0})",
    "(abs {0})",
    checked="gn_magnitude_{T}({0}, {status})",
)
REAL = Operator(
    "real",
    1,
    real_part,
    exact.real_part,
    bounds.of_part,
    real_dtype,
    promote_dtypes,
    "gn_real_{T}({0})",
    "{0}",
)
IMAG = Operator(
    "imag",
    1,
    imaginary_part,
    exact.imaginary_part,
    bounds.of_part,
    real_dtype,
    promote_dtypes,
    "gn_imag_{T}({0})",
    "0",
)
CONJ = Operator(
    "conj",
    1,
    conjugate,
    exact.conj,
    bounds.of_choice,
    promote_dtypes,
    promote_dtypes,
    "gn_conj_{T}({0})",
    "{0}",
)
SQUARE = Operator(
    "square",
    1,
    lambda a: a * a,
    lambda a: exact.mul(a, a),
    lambda v, e, r, u: bounds.of_mul((v[0], v[0]), (e[0], e[0]), r, u),
    arithmetic_promotion("square"),
    arithmetic_promotion("square"),
    "({0} * {0})",
    "(* {0} {0})",
    checked="gn_square_{T}({0}, {status})",
)
FLOOR = Operator(
    "floor",
    1,
    scalar_function(np.floor),
    exact.floor,
    bounds.of_jumps(exact.floor),
    ordered_inexact_promotion("floor"),
    ordered_inexact_promotion("floor"),
    "floor{f}({0})",
    "(to_int {0})",
)
CEIL = Operator(
    "ceil",
    1,
    scalar_function(np.ceil),
    exact.ceil,
    bounds.of_jumps(exact.ceil),
    ordered_inexact_promotion("ceil"),
    ordered_inexact_promotion("ceil"),
    "ceil{f}({0})",
    "(- (to_int (- {0})))",
)
SIGN = Operator(
    "sign",
    1,
    lambda a: a if a != a else type(a)(int(a > 0) - int(a < 0)),
    exact.signum,
    bounds.of_jumps(exact.signum),
    ordered_promotion("sign"),
    ordered_promotion("sign"),
    "gn_sign_{T}({0})",
    "(ite (> {0} 0) 1 (ite (< {0} 0) (- 1) (ite (= {0} 0) 0 {0})))",
)


def comparison(
    name: str, test: Callable[[Any, Any], bool], value: Callable[[Any, Any], bool], smt: str, *, total: bool
) -> Operator:
    """A comparison, which gives a Boolean; only equality compares complex numbers."""
    return Operator(
        name,
        2,
        lambda a, b: bool(test(a, b)),
        lambda a, b: exact.boolean(value(a, b)),
        bounds.of_jumps(lambda a, b: exact.boolean(value(a, b))) if total else bounds.of_equality,
        boolean,
        promote_dtypes if not total else ordered_promotion(name),
        f"gn_{name}_{{T}}({{0}}, {{1}})",
        smt,
        commutative=name in ("eq", "ne"),
    )


def different(a: exact.Exact, b: exact.Exact) -> bool:
    """Inequality as IEEE has it: NaN differs from everything."""
    return not exact.equal(a, b)


FUNCTIONS = (
    POW,
    ABS,
    REAL,
    IMAG,
    CONJ,
    SQUARE,
    FLOOR,
    CEIL,
    SIGN,
    comparison("eq", py.eq, exact.equal, "(= {0} {1})", total=False),
    comparison("ne", py.ne, different, "(not (= {0} {1}))", total=False),
    comparison("lt", py.lt, py.lt, "(< {0} {1})", total=True),
    comparison("le", py.le, py.le, "(<= {0} {1})", total=True),
    comparison("gt", py.gt, py.gt, "(> {0} {1})", total=True),
    comparison("ge", py.ge, py.ge, "(>= {0} {1})", total=True),
    function("sqrt", np.sqrt, exact.root, "sqrt"),
    function("exp", np.exp, exact.through(mpmath.exp), "exp"),
    function("log", np.log, exact.through(mpmath.log), "log"),
    function("sin", np.sin, exact.through(mpmath.sin), "sin", bounds.of_wave),
    function("cos", np.cos, exact.through(mpmath.cos), "cos", bounds.of_wave),
    function("tan", np.tan, exact.through(mpmath.tan), "tan", bounds.of_tangent),
    function("tanh", np.tanh, exact.through(mpmath.tanh), "tanh"),
)
