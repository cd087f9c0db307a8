"""Compositions: what a text of declared operators computes, exactly and rounded, and how C and proofs spell it.

`capped(a,b) = min(a + b, 100)` is an assignment whose index variables are the operands. Everything in it computes in
one dtype, that of the operands once they are wide enough for all of it; a truth value counts as 0 or 1.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, reduce
from typing import Any

import numpy as np
from msgspec import Struct

from ..algebra.dtypes import Number
from ..algebra.error_bound import correctly_rounded, infinite_if_nan, of_argument
from ..algebra.exact import Exact, exact, is_finite, is_infinite, parts_of
from ..algebra.operator import Operator
from ..algebra.operators import ADD
from ..algebra.promotion import BOOL, boolean, promote_dtypes
from ..algebra.roundoff import is_double
from ..algebra.scalars import abbreviate, caster, fill_fits
from ..errors import DtypeError, InternalError
from .printer import number
from .syntax import Access, Apply, Expr, Fill, Literal, Reduce, nodes
from .types import dtype_of, infer_types, operand_dtype

Cast = Callable[[Any], Any]
SINGLE, DOUBLE = np.dtype("float32"), np.dtype("float64")
WIDE = 2**31


class Composition(Struct, frozen=True):
    """A term of declared operators over operands, each an access of its own name, and numbers; `source` is its text.

    `constants` are the numbers beside it that its dtypes have to hold: an identity, an annihilator. Infinite ones stand
    for the extremes of integers.
    """

    source: str
    name: str
    operands: tuple[str, ...]
    term: Expr
    constants: tuple[Number, ...] = ()

    def dtype(self, *dtypes: np.dtype) -> np.dtype:
        """The dtype that it computes in, and gives, for operands of some dtypes. Raises DtypeError where there is
        none."""
        return settle(self, promote_dtypes(*dtypes))

    def reduced_dtype(self, dtype: np.dtype) -> np.dtype:
        """The dtype that a reduction by it computes in, which is as wide as that of what it is made of."""
        inside = [e.operator for e in nodes(self.term) if isinstance(e, Apply)]
        return promote_dtypes(dtype, *(operator.reduced_dtype(dtype) for operator in inside))

    def compute(self, *values: Any) -> Any:
        """Its value on scalars. Integers are exact, whatever their dtype."""
        return self.value(self.term, dict(zip(self.operands, values, strict=True)), cast_like(values))

    def compute_in(self, dtype: np.dtype) -> Callable[..., Any]:
        """What it computes on scalars of a dtype, every step of it in that: MeaningError for integers that do not
        fit."""
        cast = caster(dtype)
        return lambda *values: self.value(self.term, dict(zip(self.operands, values, strict=True)), cast)

    def value(self, e: Expr, given: Mapping[str, Any], cast: Cast) -> Any:
        """The value of a part for operands."""
        match e:
            case Access(tensor=name):
                return given[name]
            case Literal(value=value):
                return cast(value)
            case Apply(operator=operator, args=args):
                return cast(operator.compute(*[self.value(a, given, cast) for a in args]))
            case Reduce() | Fill():
                raise InternalError(f"{e} is no part of an operator")

    def exact(self, *values: Exact) -> Exact:
        """Its value in exact arithmetic."""
        return self.with_bound(self.term, values, [0.0] * len(values), 0.0)[0]

    def bound(self, values: Sequence[Exact], bounds: Sequence[float], result: Exact, u: float) -> float:
        """How far it may be from its exact value: the bounds of its parts, one after another."""
        return self.with_bound(self.term, values, bounds, u)[1]

    def with_bound(self, e: Expr, values: Sequence[Exact], bounds: Sequence[float], u: float) -> tuple[Exact, float]:
        """The exact value of a part, and its bound: none beyond a pole, where the sign of a zero would decide."""
        match e:
            case Access(tensor=name):
                n = self.operands.index(name)
                return values[n], bounds[n]
            case Literal(value=value):
                found = exact(value)
                return found, correctly_rounded(found, 0.0, u)
            case Apply(operator=operator, args=args):
                parts = [self.with_bound(a, values, bounds, u) for a in args]
                inner = [v for v, _ in parts]
                found = operator.exact(*inner)
                has_pole = not is_finite(*parts_of(found)) and all(is_finite(*parts_of(v)) for v in inner)
                if has_pole:
                    return found, math.inf
                dtype = DOUBLE if is_double(u) else SINGLE
                bound = infinite_if_nan(operator.bound(inner, [of_argument(*p, dtype) for p in parts], found, u))
                return found, min(bound, 1.0) if operator.result_dtype is boolean else bound
            case Reduce() | Fill():
                raise InternalError(f"{e} is no part of an operator")

    @property
    def c(self) -> str:
        """Its spelling in C."""
        return self.spell(self.term, lambda operator: operator.c)

    @property
    def reporting_c(self) -> str | None:
        """Its spelling that reports integers which do not fit; None if all do."""
        inside = [e.operator for e in nodes(self.term) if isinstance(e, Apply)]
        if all(operator.checked is None for operator in inside):
            return None
        return self.spell(self.term, lambda operator: operator.checked or operator.c)

    def spell(self, e: Expr, spelling: Callable[[Operator], str]) -> str:
        """The text of a part in C: what is no call is kept in the type that is computed in."""
        match e:
            case Access(tensor=name):
                return f"{{{self.operands.index(name)}}}"
            case Literal(value=value):
                return f"({{R}}){c_number(value)}"
            case Apply(operator=operator, args=args):
                template = spelling(operator)
                found = instantiate(template, [self.spell(a, spelling) for a in args])
                return found if re.match(r"\w|\{c\}", template) else f"({{R}})({found})"
            case Reduce() | Fill():
                raise InternalError(f"{e} is no part of an operator")

    @property
    def smt(self) -> str:
        """Its spelling in proofs."""
        return self.logical(self.term)

    def logical(self, e: Expr) -> str:
        """The text of a part in proofs."""
        match e:
            case Access(tensor=name):
                return f"{{{self.operands.index(name)}}}"
            case Literal(value=value):
                is_negative = not isinstance(value, complex) and value < 0
                return f"(- {number(-value)})" if is_negative else number(int(value) if value is True else value)
            case Apply(operator=operator, args=args):
                return instantiate(operator.smt, [self.logical(a) for a in args])
            case Reduce() | Fill():
                raise InternalError(f"{e} is no part of an operator")


def instantiate(template: str, args: Sequence[str]) -> str:
    """A spelling with texts for its arguments.

    >>> instantiate("{0} - {1}", ["{1}", "f({0})"])
    '{1} - f({0})'
    """
    return re.sub(r"\{(\d)\}", lambda found: args[int(found[1])], template)


def c_number(value: Number) -> str:
    """A number in C."""
    match value:
        case bool():
            return str(int(value))
        case int() if abs(value) < WIDE:
            return str(value)
        case int() if -(2**63) < value < 2**64:
            return f"{'-' * (value < 0)}{'U' * (value >= 2**63)}INT64_C({abs(value)})"
        case int():
            return "INT64_MIN" if value == -(2**63) else repr(float(value))
        case float():
            return repr(value).replace("inf", "INFINITY").replace("nan", "NAN")
        case _:
            return f"CMPLX({value.real!r}, {value.imag!r})"


def cast_like(values: Sequence[Any]) -> Cast:
    """What makes scalars like those that are given."""
    if all(isinstance(v, int) for v in values):
        return bool if all(isinstance(v, bool) for v in values) else int
    found = reduce(np.promote_types, (np.asarray(v).dtype for v in values))
    return caster(np.dtype(found))


@lru_cache(maxsize=256)
def settle(composition: Composition, dtype: np.dtype) -> np.dtype:
    """The dtype that a composition computes in for operands of one dtype. Raises DtypeError where a part has none."""
    name = composition.name
    try:
        term = infer_types(composition.term, dict.fromkeys(composition.operands, dtype))
    except DtypeError as error:
        raise DtypeError(
            f"{name} of {dtype.name}: {error.message}", hint=error.hint, rule="operator.own.types"
        ) from None
    inside = [e for e in nodes(term) if isinstance(e, Apply)]
    asked = [d for e in inside for d in (dtype_of(e), operand_dtype(e)) if d != BOOL]
    wide = promote_dtypes(dtype, *asked)
    if wide != dtype:
        return settle(composition, wide)
    for e in inside:
        if dtype == BOOL and e.operator is ADD:
            hint = "convert the operands, or write or(a, b), which their sum is"
            raise DtypeError(f"{name} of bool: a sum of booleans leaves them", hint=hint, rule="operator.own.types")
        if operand_dtype(e) != dtype or dtype_of(e) not in (dtype, BOOL):
            raise DtypeError(
                f"{name} of {dtype.name}: {e.operator.name} leaves the dtype that all of it computes in",
                hint="convert the operands, or compose it otherwise",
                rule="operator.own.types",
            )
    if dtype_of(term) != dtype:
        raise DtypeError(
            f"{name} of {dtype.name} gives {dtype_of(term).name}",
            hint="let it give what it takes",
            rule="operator.own.types",
        )
    literals = [e.value for e in nodes(term) if isinstance(e, Literal)]
    constants = [v for v in composition.constants if dtype.kind not in "biu" or not is_infinite(exact(v))]
    for value in (*literals, *constants):
        if not fill_fits(value, dtype):
            raise DtypeError(
                f"{name} of {dtype.name}: {abbreviate(value)} does not fit in it",
                hint="convert the operands",
                rule="operator.own.types",
            )
    return dtype
