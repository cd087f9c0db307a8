"""The declared operators and their algebra.

A new operator is one declaration here; no pass knows an operator by its name.
"""

from __future__ import annotations

import operator as py
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np

from . import error_bound as bounds
from . import exact
from .computations import add_bool_aware, divide, integral, larger, like, multiply_bool_aware, smaller
from .functions import FUNCTIONS
from .operator import Constant, Operator
from .promotion import (
    ONE,
    ZERO,
    arithmetic_promotion,
    boolean,
    largest,
    least,
    ordered_promotion,
    promote_dtypes,
    promote_inexact,
    sum_dtype,
)
from .scalars import caster

NEG = Operator(
    "neg",
    1,
    py.neg,
    exact.neg,
    bounds.of_choice,
    arithmetic_promotion("negation"),
    arithmetic_promotion("negation"),
    "-{0}",
    "(- {0})",
    checked="gn_neg_{T}({0}, {status})",
    symbol="-",
    precedence=3,
)
TRUTH = Operator(
    "truth",
    1,
    lambda a: like(bool(a), a),
    lambda a: exact.boolean(exact.truth(a)),
    bounds.of_step,
    promote_dtypes,
    promote_dtypes,
    "({R})({0} != 0)",
    "(ite (= {0} 0) 0 1)",
)
NOT = Operator(
    "not",
    1,
    lambda a: not a,
    lambda a: exact.boolean(not exact.truth(a)),
    bounds.of_step,
    boolean,
    promote_dtypes,
    "gn_not_{T}({0})",
    "(ite (= {0} 0) 1 0)",
)
ADD = Operator(
    "add",
    2,
    add_bool_aware,
    exact.add,
    bounds.of_add,
    promote_dtypes,
    promote_dtypes,
    "{0} + {1}",
    "(+ {0} {1})",
    checked="gn_add_{T}({0}, {1}, {status})",
    symbol="+",
    precedence=1,
    left_identity=ZERO,
    right_identity=ZERO,
    commutative=True,
    associative=True,
    distributes_over=frozenset({"min", "max"}),
    reduction="sum",
    reduction_bound=bounds.of_sum,
    reduced_dtype=sum_dtype,
)
SUB = Operator(
    "sub",
    2,
    py.sub,
    exact.sub,
    bounds.of_add,
    arithmetic_promotion("subtraction"),
    arithmetic_promotion("subtraction"),
    "{0} - {1}",
    "(- {0} {1})",
    checked="gn_sub_{T}({0}, {1}, {status})",
    symbol="-",
    precedence=1,
    left_identity=ZERO,
    right_identity=ZERO,
    left_unit=NEG,
)
MUL = Operator(
    "mul",
    2,
    multiply_bool_aware,
    exact.mul,
    bounds.of_mul,
    promote_dtypes,
    promote_dtypes,
    "{0} * {1}",
    "(* {0} {1})",
    checked="gn_mul_{T}({0}, {1}, {status})",
    symbol="*",
    precedence=2,
    left_identity=ONE,
    right_identity=ONE,
    left_annihilator=ZERO,
    right_annihilator=ZERO,
    commutative=True,
    associative=True,
    distributes_over=frozenset({"add"}),
    reduction="prod",
    reduction_bound=bounds.of_product,
    reduced_dtype=sum_dtype,
)
DIV = Operator(
    "div",
    2,
    divide,
    exact.div,
    bounds.of_div,
    promote_inexact,
    promote_inexact,
    "{0} / {1}",
    "(/ {0} {1})",
    symbol="/",
    precedence=2,
    right_identity=ONE,
    left_annihilator=ZERO,
    right_annihilator=ZERO,
)
FLOORDIV = Operator(
    "floordiv",
    2,
    integral(np.floor_divide, py.floordiv),
    exact.floordiv,
    bounds.of_step,
    ordered_promotion("floordiv"),
    ordered_promotion("floordiv"),
    "gn_quotient_{T}({0}, {1}, {status})",
    "(ite (and (< {1} 0) (not (= (mod {0} {1}) 0))) (- (div {0} {1}) 1) (div {0} {1}))",
    left_annihilator=ZERO,
    right_annihilator=ZERO,
)
MOD = Operator(
    "mod",
    2,
    integral(np.mod, py.mod),
    exact.mod,
    bounds.of_step,
    ordered_promotion("mod"),
    ordered_promotion("mod"),
    "gn_remainder_{T}({0}, {1}, {status})",
    "(ite (and (< {1} 0) (not (= (mod {0} {1}) 0))) (+ (mod {0} {1}) {1}) (mod {0} {1}))",
    left_annihilator=ZERO,
    right_annihilator=ZERO,
)
MIN = Operator(
    "min",
    2,
    smaller,
    exact.minimum,
    bounds.of_choice,
    ordered_promotion("min"),
    ordered_promotion("min"),
    "gn_min_{T}({0}, {1})",
    "(ite (or (not (= {0} {0})) (<= {0} {1})) {0} {1})",
    left_identity=largest,
    right_identity=largest,
    commutative=True,
    associative=True,
    idempotent=True,
    distributes_over=frozenset({"min", "max"}),
    reduction="min",
    reduction_bound=bounds.of_choice,
)
MAX = Operator(
    "max",
    2,
    larger,
    exact.maximum,
    bounds.of_choice,
    ordered_promotion("max"),
    ordered_promotion("max"),
    "gn_max_{T}({0}, {1})",
    "(ite (or (not (= {0} {0})) (>= {0} {1})) {0} {1})",
    left_identity=least,
    right_identity=least,
    commutative=True,
    associative=True,
    idempotent=True,
    distributes_over=frozenset({"min", "max"}),
    reduction="max",
    reduction_bound=bounds.of_choice,
)
OR = Operator(
    "or",
    2,
    lambda a, b: like(bool(a) or bool(b), a),
    lambda a, b: exact.boolean(exact.truth(a) or exact.truth(b)),
    bounds.of_step,
    promote_dtypes,
    promote_dtypes,
    "({R})({0} != 0 || {1} != 0)",
    "(ite (or (not (= {0} 0)) (not (= {1} 0))) 1 0)",
    left_identity=ZERO,
    right_identity=ZERO,
    left_unit=TRUTH,
    right_unit=TRUTH,
    commutative=True,
    associative=True,
    idempotent=True,
    distributes_over=frozenset({"or", "and"}),
    reduction="or",
    reduction_bound=bounds.of_step,
)
AND = Operator(
    "and",
    2,
    lambda a, b: like(bool(a) and bool(b), a),
    lambda a, b: exact.boolean(exact.truth(a) and exact.truth(b)),
    bounds.of_step,
    promote_dtypes,
    promote_dtypes,
    "({R})({0} != 0 && {1} != 0)",
    "(ite (and (not (= {0} 0)) (not (= {1} 0))) 1 0)",
    left_identity=ONE,
    right_identity=ONE,
    left_annihilator=ZERO,
    right_annihilator=ZERO,
    left_unit=TRUTH,
    right_unit=TRUTH,
    commutative=True,
    associative=True,
    idempotent=True,
    distributes_over=frozenset({"or", "and"}),
    reduction="and",
    reduction_bound=bounds.of_step,
)
XOR = Operator(
    "xor",
    2,
    lambda a, b: like(bool(a) != bool(b), a),
    lambda a, b: exact.boolean(exact.truth(a) != exact.truth(b)),
    bounds.of_step,
    promote_dtypes,
    promote_dtypes,
    "({R})(({0} != 0) != ({1} != 0))",
    "(ite (= (= {0} 0) (= {1} 0)) 0 1)",
    left_identity=ZERO,
    right_identity=ZERO,
    left_unit=TRUTH,
    right_unit=TRUTH,
    commutative=True,
    associative=True,
    reduction="xor",
    reduction_bound=bounds.of_step,
)
FIRST = Operator(
    "first",
    2,
    lambda a, b: a,
    lambda a, b: a,
    bounds.of_choice,
    promote_dtypes,
    promote_dtypes,
    "{0}",
    "{0}",
    associative=True,
    idempotent=True,
    distributes_over=frozenset(),
)
SECOND = Operator(
    "second",
    2,
    lambda a, b: b,
    lambda a, b: b,
    bounds.of_choice,
    promote_dtypes,
    promote_dtypes,
    "{1}",
    "{1}",
    associative=True,
    idempotent=True,
)
PAIR = Operator(
    "pair",
    2,
    lambda a, b: type(a)(1),
    lambda a, b: exact.boolean(True),
    lambda *_: 0.0,
    promote_dtypes,
    promote_dtypes,
    "{one}",
    "1",
    commutative=True,
)
ANY = Operator(
    "any",
    2,
    lambda a, b: a,
    lambda a, b: a,
    bounds.of_choice,
    promote_dtypes,
    promote_dtypes,
    "{0}",
    "{0}",
    left_identity=ZERO,
    right_identity=ZERO,
    commutative=True,
    associative=True,
    idempotent=True,
    reduction="any",
    reduction_bound=bounds.of_choice,
    selects=True,
)
DECLARED = (
    *(ADD, SUB, MUL, DIV, NEG, FLOORDIV, MOD, MIN, MAX, OR, AND, XOR, NOT, TRUTH, FIRST, SECOND, PAIR, ANY),
    *FUNCTIONS,
)
OPERATORS = {operator.name: operator for operator in DECLARED}


def always(dtype: np.dtype) -> Callable[..., np.dtype]:
    """The typing rule of a conversion."""
    return lambda *_: dtype


CONVERSIONS = {
    np.dtype(name): Operator(
        name,
        1,
        caster(np.dtype(name)),
        lambda a: a,
        bounds.of_conversion,
        always(np.dtype(name)),
        promote_dtypes,
        "({R}){0}",
        "{0}",
        checked=f"gn_to_{name}_{{W}}({{0}}, {{status}})",
    )
    for name in (
        "bool",
        "int8",
        "int16",
        "int32",
        "int64",
        "uint8",
        "uint16",
        "uint32",
        "uint64",
        "float32",
        "float64",
        "complex64",
        "complex128",
    )
}

PRINTED = {**OPERATORS, **{operator.name: operator for operator in CONVERSIONS.values()}}


def conversion(dtype: np.dtype, within: Operator | None = None) -> Operator:
    """The operator that converts to a dtype; in a semiring, for an argument `within` one of its operators, what is
    absent stays so."""
    if within is None or not within.structural:
        return CONVERSIONS[dtype]
    return keeping_absent(dtype, within.left_identity or within.left_annihilator)


@cache
def keeping_absent(dtype: np.dtype, absent: Constant | None) -> Operator:
    """A conversion under which absent becomes absent."""
    return replace(CONVERSIONS[dtype], absent=absent)


DUPLICATES = ADD  # what duplicates of a component stand for: their ordinary sum, under any semiring


def structural(add: Operator, multiply: Operator) -> tuple[Operator, Operator]:
    """The two operators of a semiring: an operand is absent where it is missing, whatever the values."""
    fill = add.left_identity
    combine = replace(add, structural=True)
    return combine, replace(
        multiply,
        structural=True,
        left_identity=None,
        right_identity=None,
        left_unit=None,
        right_unit=None,
        left_annihilator=fill,
        right_annihilator=fill,
    )
