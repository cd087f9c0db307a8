"""The declared operators and their algebra.

A new operator is one declaration here; no pass knows an operator by its name.
"""

from __future__ import annotations

import operator as py
from collections.abc import Callable
from functools import cache

import numpy as np
from msgspec.structs import replace

from . import error_bound as bounds
from . import exact
from .computations import add_bool_aware, divide, integral, larger, like, multiply_bool_aware, smaller
from .dtypes import NAMES
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
from .reduction_bound import of_product, of_sum
from .scalars import caster

NEG = Operator(
    name="neg",
    arity=1,
    compute=py.neg,
    exact=exact.neg,
    bound=bounds.of_choice,
    result_dtype=arithmetic_promotion("negation"),
    operand_dtype=arithmetic_promotion("negation"),
    c="-{0}",
    smt="(- {0})",
    checked="gn_neg_{T}({0}, {status})",
    symbol="-",
    precedence=3,
)
TRUTH = Operator(
    name="truth",
    arity=1,
    compute=lambda a: like(bool(a), a),
    exact=lambda a: exact.boolean(exact.truth(a)),
    bound=bounds.of_step,
    result_dtype=promote_dtypes,
    operand_dtype=promote_dtypes,
    c="({R})({0} != 0)",
    smt="(ite (= {0} 0) 0 1)",
)
NOT = Operator(
    name="not",
    arity=1,
    compute=lambda a: not a,
    exact=lambda a: exact.boolean(not exact.truth(a)),
    bound=bounds.of_step,
    result_dtype=boolean,
    operand_dtype=promote_dtypes,
    c="gn_not_{T}({0})",
    smt="(ite (= {0} 0) 1 0)",
)
ADD = Operator(
    name="add",
    arity=2,
    compute=add_bool_aware,
    exact=exact.add,
    bound=bounds.of_add,
    result_dtype=promote_dtypes,
    operand_dtype=promote_dtypes,
    c="{0} + {1}",
    smt="(+ {0} {1})",
    checked="gn_add_{T}({0}, {1}, {status})",
    symbol="+",
    precedence=1,
    left_identity=ZERO,
    right_identity=ZERO,
    commutative=True,
    associative=True,
    distributes_over=frozenset({"min", "max"}),
    reduction="sum",
    multiple="mul",
    reduction_bound=of_sum,
    reduced_dtype=sum_dtype,
)
SUB = Operator(
    name="sub",
    arity=2,
    compute=py.sub,
    exact=exact.sub,
    bound=bounds.of_add,
    result_dtype=arithmetic_promotion("subtraction"),
    operand_dtype=arithmetic_promotion("subtraction"),
    c="{0} - {1}",
    smt="(- {0} {1})",
    checked="gn_sub_{T}({0}, {1}, {status})",
    symbol="-",
    precedence=1,
    left_identity=ZERO,
    right_identity=ZERO,
    left_unit=NEG,
)
MUL = Operator(
    name="mul",
    arity=2,
    compute=multiply_bool_aware,
    exact=exact.mul,
    bound=bounds.of_mul,
    result_dtype=promote_dtypes,
    operand_dtype=promote_dtypes,
    c="{0} * {1}",
    smt="(* {0} {1})",
    checked="gn_mul_{T}({0}, {1}, {status})",
    complex_fold="gn_prod_{T}({0}, {1})",
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
    reduction_bound=of_product,
    reduced_dtype=sum_dtype,
)
DIV = Operator(
    name="div",
    arity=2,
    compute=divide,
    exact=exact.div,
    bound=bounds.of_div,
    result_dtype=promote_inexact,
    operand_dtype=promote_inexact,
    c="{0} / {1}",
    smt="(/ {0} {1})",
    symbol="/",
    precedence=2,
    right_identity=ONE,
    left_annihilator=ZERO,
    right_annihilator=ZERO,
)
FLOORDIV = Operator(
    name="floordiv",
    arity=2,
    compute=integral(np.floor_divide, py.floordiv),
    exact=exact.floordiv,
    bound=bounds.of_step,
    result_dtype=ordered_promotion("floordiv"),
    operand_dtype=ordered_promotion("floordiv"),
    c="gn_quotient_{T}({0}, {1}, {status})",
    smt="(ite (and (< {1} 0) (not (= (mod {0} {1}) 0))) (- (div {0} {1}) 1) (div {0} {1}))",
    left_annihilator=ZERO,
    right_annihilator=ZERO,
)
MOD = Operator(
    name="mod",
    arity=2,
    compute=integral(np.mod, py.mod),
    exact=exact.mod,
    bound=bounds.of_step,
    result_dtype=ordered_promotion("mod"),
    operand_dtype=ordered_promotion("mod"),
    c="gn_remainder_{T}({0}, {1}, {status})",
    smt="(ite (and (< {1} 0) (not (= (mod {0} {1}) 0))) (+ (mod {0} {1}) {1}) (mod {0} {1}))",
    left_annihilator=ZERO,
    right_annihilator=ZERO,
)
MIN = Operator(
    name="min",
    arity=2,
    compute=smaller,
    exact=exact.minimum,
    bound=bounds.of_choice,
    result_dtype=ordered_promotion("min"),
    operand_dtype=ordered_promotion("min"),
    c="gn_min_{T}({0}, {1})",
    smt="(ite (or (not (= {0} {0})) (<= {0} {1})) {0} {1})",
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
    name="max",
    arity=2,
    compute=larger,
    exact=exact.maximum,
    bound=bounds.of_choice,
    result_dtype=ordered_promotion("max"),
    operand_dtype=ordered_promotion("max"),
    c="gn_max_{T}({0}, {1})",
    smt="(ite (or (not (= {0} {0})) (>= {0} {1})) {0} {1})",
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
    name="or",
    arity=2,
    compute=lambda a, b: like(bool(a) or bool(b), a),
    exact=lambda a, b: exact.boolean(exact.truth(a) or exact.truth(b)),
    bound=bounds.of_step,
    result_dtype=promote_dtypes,
    operand_dtype=promote_dtypes,
    c="({R})({0} != 0 || {1} != 0)",
    smt="(ite (or (not (= {0} 0)) (not (= {1} 0))) 1 0)",
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
    name="and",
    arity=2,
    compute=lambda a, b: like(bool(a) and bool(b), a),
    exact=lambda a, b: exact.boolean(exact.truth(a) and exact.truth(b)),
    bound=bounds.of_step,
    result_dtype=promote_dtypes,
    operand_dtype=promote_dtypes,
    c="({R})({0} != 0 && {1} != 0)",
    smt="(ite (and (not (= {0} 0)) (not (= {1} 0))) 1 0)",
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
    name="xor",
    arity=2,
    compute=lambda a, b: like(bool(a) != bool(b), a),
    exact=lambda a, b: exact.boolean(exact.truth(a) != exact.truth(b)),
    bound=bounds.of_step,
    result_dtype=promote_dtypes,
    operand_dtype=promote_dtypes,
    c="({R})(({0} != 0) != ({1} != 0))",
    smt="(ite (= (= {0} 0) (= {1} 0)) 0 1)",
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
    name="first",
    arity=2,
    compute=lambda a, b: a,
    exact=lambda a, b: a,
    bound=bounds.of_choice,
    result_dtype=promote_dtypes,
    operand_dtype=promote_dtypes,
    c="{0}",
    smt="{0}",
    associative=True,
    idempotent=True,
    distributes_over=frozenset(),
)
SECOND = Operator(
    name="second",
    arity=2,
    compute=lambda a, b: b,
    exact=lambda a, b: b,
    bound=bounds.of_choice,
    result_dtype=promote_dtypes,
    operand_dtype=promote_dtypes,
    c="{1}",
    smt="{1}",
    associative=True,
    idempotent=True,
)
PAIR = Operator(
    name="pair",
    arity=2,
    compute=lambda a, b: type(a)(1),
    exact=lambda a, b: exact.boolean(True),
    bound=lambda *_: 0.0,
    result_dtype=promote_dtypes,
    operand_dtype=promote_dtypes,
    c="{one}",
    smt="1",
    commutative=True,
    constant=True,
)
ANY = Operator(
    name="any",
    arity=2,
    compute=lambda a, b: a,
    exact=lambda a, b: a,
    bound=bounds.of_choice,
    result_dtype=promote_dtypes,
    operand_dtype=promote_dtypes,
    c="{0}",
    smt="{0}",
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
        name=name,
        arity=1,
        compute=caster(np.dtype(name)),
        exact=lambda a: a,
        bound=bounds.of_conversion,
        result_dtype=always(np.dtype(name)),
        operand_dtype=promote_dtypes,
        c="({R}){0}",
        smt="{0}",
        checked=f"gn_to_{name}_{{W}}({{0}}, {{status}})",
    )
    for name in NAMES
}


def conversion(dtype: np.dtype, within: Operator | None = None) -> Operator:
    """The operator that converts to a dtype; in a semiring, for an argument `within` one of its operators, a missing
    argument stays missing."""
    if within is None or not within.structural:
        return CONVERSIONS[dtype]
    return absent_conversion(dtype, within.left_identity or within.left_annihilator)


@cache
def absent_conversion(dtype: np.dtype, absent: Constant | None) -> Operator:
    """A conversion under which absent becomes absent."""
    return replace(CONVERSIONS[dtype], absent=absent)


DUPLICATES = ADD  # what duplicates of a component stand for: their ordinary sum, under any semiring


@cache
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
