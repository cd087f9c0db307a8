"""Functions and comparisons: declared operators of which no algebra is claimed."""

from __future__ import annotations

import operator as py
from collections.abc import Callable
from itertools import starmap
from typing import Any

import numpy as np
from msgspec.structs import replace

from . import error_bound as bounds
from . import exact
from .computations import conjugate, imaginary_part, magnitude_of, power, real_part, scalar_function
from .function_bound import of_cube, of_cube_root, of_function, of_heaviside, of_jumps, of_power
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
from .spread import Spread, of_tangent, of_wave


def function(
    name: str,
    compute: Callable[..., Any],
    value: Callable[..., exact.Exact],
    c: str,
    spread: Spread | None = None,
) -> Operator:
    """A library function of one argument that leaves the integers: monotone, unless it says how far it moves."""
    return Operator(
        name=name,
        arity=1,
        compute=scalar_function(compute),
        exact=value,
        bound=of_function(value, spread),
        result_dtype=promote_inexact,
        operand_dtype=promote_inexact,
        c=f"{{c}}{c}{{f}}({{0}})",
        smt=f"({name} {{0}})",
    )


def real_function(name: str, compute: Callable[..., Any]) -> Operator:
    """A function of one real argument with the same name in C and in mpmath. The function is monotone, or convex and
    even: over an interval of arguments the values at the two ends differ most from the value inside."""
    own = ordered_inexact_promotion(name)
    made = function(name, compute, exact.through(exact.library(name)), name)
    return replace(made, result_dtype=own, operand_dtype=own, c=f"{name}{{f}}({{0}})")


POW = Operator(
    name="pow",
    arity=2,
    compute=power,
    exact=exact.through(exact.power),
    bound=of_power,
    result_dtype=promote_inexact,
    operand_dtype=promote_inexact,
    c="gn_pow_{T}({0}, {1})",
    smt="(^ {0} {1})",
    right_identity=ONE,
)
ABS = Operator(
    name="abs",
    arity=1,
    compute=magnitude_of,
    exact=exact.absolute,
    bound=bounds.of_magnitude,
    result_dtype=real_dtype,
    operand_dtype=promote_dtypes,
    c="gn_abs_{T}({0})",
    smt="(abs {0})",
    checked="gn_magnitude_{T}({0}, {status})",
)
REAL = Operator(
    name="real",
    arity=1,
    compute=real_part,
    exact=exact.real_part,
    bound=bounds.of_part,
    result_dtype=real_dtype,
    operand_dtype=promote_dtypes,
    c="gn_real_{T}({0})",
    smt="{0}",
)
IMAG = Operator(
    name="imag",
    arity=1,
    compute=imaginary_part,
    exact=exact.imaginary_part,
    bound=bounds.of_part,
    result_dtype=real_dtype,
    operand_dtype=promote_dtypes,
    c="gn_imag_{T}({0})",
    smt="0",
)
CONJ = Operator(
    name="conj",
    arity=1,
    compute=conjugate,
    exact=exact.conj,
    bound=bounds.of_choice,
    result_dtype=promote_dtypes,
    operand_dtype=promote_dtypes,
    c="gn_conj_{T}({0})",
    smt="{0}",
)
SQUARE = Operator(
    name="square",
    arity=1,
    compute=lambda a: a * a,
    exact=lambda a: exact.mul(a, a),
    bound=lambda v, e, r, u: bounds.of_mul((v[0], v[0]), (e[0], e[0]), r, u),
    result_dtype=arithmetic_promotion("square"),
    operand_dtype=arithmetic_promotion("square"),
    c="({0} * {0})",
    smt="(* {0} {0})",
    checked="gn_square_{T}({0}, {status})",
)
CUBE = Operator(
    name="cube",
    arity=1,
    compute=lambda a: a * a * a,
    exact=lambda a: exact.mul(exact.mul(a, a), a),
    bound=of_cube,
    result_dtype=arithmetic_promotion("cube"),
    operand_dtype=arithmetic_promotion("cube"),
    c="({0} * {0} * {0})",
    smt="(* (* {0} {0}) {0})",
    checked="gn_mul_{T}(gn_mul_{T}({0}, {0}, {status}), {0}, {status})",
)
CBRT = Operator(
    name="cbrt",
    arity=1,
    compute=scalar_function(np.cbrt),
    exact=exact.cube_root,
    bound=of_cube_root,
    result_dtype=ordered_inexact_promotion("cbrt"),
    operand_dtype=ordered_inexact_promotion("cbrt"),
    c="cbrt{f}({0})",
    smt="(cbrt {0})",
)
HEAVISIDE = Operator(
    name="heaviside",
    arity=2,
    compute=scalar_function(np.heaviside),
    exact=exact.heaviside,
    bound=of_heaviside,
    result_dtype=ordered_inexact_promotion("heaviside"),
    operand_dtype=ordered_inexact_promotion("heaviside"),
    c="gn_heaviside_{T}({0}, {1})",
    smt="(ite (= {0} 0) {1} (ite (> {0} 0) 1 (ite (< {0} 0) 0 {0})))",
)
FLOOR = Operator(
    name="floor",
    arity=1,
    compute=scalar_function(np.floor),
    exact=exact.floor,
    bound=of_jumps(exact.floor),
    result_dtype=ordered_inexact_promotion("floor"),
    operand_dtype=ordered_inexact_promotion("floor"),
    c="floor{f}({0})",
    smt="(to_int {0})",
)
CEIL = Operator(
    name="ceil",
    arity=1,
    compute=scalar_function(np.ceil),
    exact=exact.ceil,
    bound=of_jumps(exact.ceil),
    result_dtype=ordered_inexact_promotion("ceil"),
    operand_dtype=ordered_inexact_promotion("ceil"),
    c="ceil{f}({0})",
    smt="(- (to_int (- {0})))",
)
SIGN = Operator(
    name="sign",
    arity=1,
    compute=lambda a: a if a != a else type(a)(int(a > 0) - int(a < 0)),
    exact=exact.signum,
    bound=of_jumps(exact.signum),
    result_dtype=ordered_promotion("sign"),
    operand_dtype=ordered_promotion("sign"),
    c="gn_sign_{T}({0})",
    smt="(ite (> {0} 0) 1 (ite (< {0} 0) (- 1) (ite (= {0} 0) 0 {0})))",
)


def comparison(
    name: str, test: Callable[[Any, Any], bool], value: Callable[[Any, Any], bool], smt: str, *, total: bool
) -> Operator:
    """A comparison, which gives a Boolean; only equality compares complex numbers."""
    return Operator(
        name=name,
        arity=2,
        compute=lambda a, b: bool(test(a, b)),
        exact=lambda a, b: exact.boolean(value(a, b)),
        bound=of_jumps(lambda a, b: exact.boolean(value(a, b))) if total else bounds.of_equality,
        result_dtype=boolean,
        operand_dtype=promote_dtypes if not total else ordered_promotion(name),
        c=f"gn_{name}_{{T}}({{0}}, {{1}})",
        smt=smt,
        commutative=name in ("eq", "ne"),
    )


REAL_FUNCTIONS = {
    "log10": np.log10,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
}


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
    CUBE,
    CBRT,
    HEAVISIDE,
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
    function("exp", np.exp, exact.through(exact.library("exp")), "exp"),
    function("log", np.log, exact.through(exact.library("log")), "log"),
    function("sin", np.sin, exact.through(exact.library("sin")), "sin", of_wave),
    function("cos", np.cos, exact.through(exact.library("cos")), "cos", of_wave),
    function("tan", np.tan, exact.through(exact.library("tan")), "tan", of_tangent),
    function("tanh", np.tanh, exact.through(exact.library("tanh")), "tanh"),
    *starmap(real_function, REAL_FUNCTIONS.items()),
)
