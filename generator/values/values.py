"""Values: expressions of a statement in C, in the dtypes that the reference computes in.

An operator is written as its declaration spells it; the placeholders of a spelling are `{0}` and `{1}` for the
arguments, `{T}` for the dtype computed in, `{R}` for the C type of the result, `{c}` and `{f}` for the prefix and
suffix of C's math functions, `{one}` for the number 1, `{annihilator}` for the left annihilator, `{status}` where a
function can fail.

C computes in no type that the statement does not have. Constants say their dtype where that of C would be another, and
integer sub-expressions of numbers alone are computed before there is any C. What may overflow is spelled so that it
says when it does.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np

from ...reference.algebra.dtypes import Number
from ...reference.algebra.operator import Operator
from ...reference.algebra.operators import DUPLICATES, conversion
from ...reference.algebra.scalars import caster
from ...reference.errors import InternalError, MeaningError
from ...reference.loops.presence import survey
from ...reference.notation.syntax import Access, Apply, Expr, Fill, Literal, Reduce
from ...reference.notation.types import dtype_of, is_weak, least_dtype
from ..ir import ir, logic, traversal
from ..ir.ir import Element, Spelled
from ..ir.writer import Writer
from ..scope.env import Env
from ..scope.frame import Frame
from ..storage.layout import c_type
from ..storage.positions import At, each
from ..storage.translation import widen
from .passing import Passing, reports

NARROW = ("bool", "int8", "int16", "uint8", "uint16")


def constant(value: Number, dtype: np.dtype) -> ir.Expr:
    """A number as a C constant of a dtype. Raises MeaningError for an integer that does not fit in it.

    >>> constant(2.0, np.dtype("float32")).template, constant(float("-inf"), np.dtype("float64")).template
    ('2.0f', '-INFINITY')
    """
    match dtype.kind:
        case "b":
            return logic.truth(bool(value))
        case "i" | "u":
            return Spelled(integer(caster(dtype)(value.real), dtype))
        case "f":
            return Spelled(real(float(value.real), dtype.itemsize == 4))
        case _:
            single = dtype.itemsize == 8
            number = complex(value)
            parts = f"{real(number.real, single)}, {real(number.imag, single)}"
            return Spelled(f"{'CMPLXF' if single else 'CMPLX'}({parts})")


def text_of(value: Number, dtype: np.dtype) -> str:
    """A number in C."""
    found = constant(value, dtype)
    assert isinstance(found, Spelled)
    return found.template


def integer(value: int, dtype: np.dtype) -> str:
    """An integer constant."""
    info = np.iinfo(dtype)
    if dtype.itemsize < 4 or (dtype.name == "int32" and value > info.min):
        return str(value)
    if value == info.min and dtype.kind == "i":
        return f"INT{8 * dtype.itemsize}_MIN"
    name = f"{'U' if dtype.kind == 'u' else ''}INT{8 * dtype.itemsize}_C"
    return f"{name}({value})"


def real(value: float, single: bool) -> str:
    """A floating-point constant."""
    if math.isnan(value):
        return "NAN"
    if math.isinf(value):
        return "-INFINITY" if value < 0 else "INFINITY"
    text = repr(value)
    return (text if re.search(r"[.e]", text) else f"{text}.0") + ("f" if single else "")


def apply_operator(
    operator: Operator, dtype: np.dtype, result: np.dtype, frame: Frame, args: tuple[ir.Expr, ...]
) -> ir.Expr:
    """An operator computing in `dtype` and giving `result`, which says when an integer overflows if the frame checks.

    Of constants it does so anyway: compilers complain about such in plain operators.
    """
    known = all(isinstance(a, Spelled) and not traversal.parts(a) for a in args)
    checked = operator.checked if (frame.checks or known) and operator.may_overflow(dtype, result) else None
    template = with_reports(checked or operator.c, args)
    may_report = "{status}" in template
    frame.routine.fallible |= may_report
    annihilator = operator.left_annihilator
    texts = {
        "{T}": dtype.name,
        "{W}": f"{dtype.name.rstrip('123468')}64",
        "{R}": c_type(result),
        "{c}": "c" if dtype.kind == "c" else "",
        "{f}": "f" if dtype.name in ("float32", "complex64") else "",
        "{one}": text_of(1, result),
        "{annihilator}": "" if annihilator is None else text_of(annihilator(dtype), dtype),
        "{status}": f"{{{len(args)}}}",
    }
    for placeholder, text in texts.items():
        template = template.replace(placeholder, text)
    value = Spelled(template, (*args, ir.STATUS_ADDRESS) if may_report else args)
    computes = re.fullmatch(r"\(?-?\{0\}( [-+*/] \{[01]\})?\)?", operator.c)
    if result != dtype or result.name not in NARROW or not computes or checked:
        return value
    return ir.Binary("!=", value, ir.ZERO) if result.kind == "b" else ir.Cast(c_type(result), value)


def with_reports(template: str, args: Sequence[ir.Expr]) -> str:
    """The template of an operator that computes what reports: C leaves out the right operand of `||` and `&&`, and an
    operator that chooses the other one.

    >>> report = ir.Call("gn_overflow_int8", (ir.STATUS_ADDRESS,))
    >>> with_reports("{0} || {1}", (ir.ZERO, report)), with_reports("{0}", (ir.ZERO, report))
    ('{0} | {1}', '((void) ({1}), {0})')
    """
    reporting = [n for n, a in enumerate(args) if reports(a)]
    left_out = [f"(void) ({{{n}}}), " for n in reporting if f"{{{n}}}" not in template]
    if any(reporting):
        template = template.replace(" || ", " | ").replace(" && ", " & ")
    return f"({''.join(left_out)}{template})" if left_out else template


def value(e: Expr, env: Env, frame: Frame, out: Writer, wanted: ir.Expr = ir.TRUE) -> ir.Expr:
    """The value of an expression whose accesses have all been found, where it is `wanted`; what must come before it is
    written to `out`, and reports nothing elsewhere."""
    match e:
        case Literal(value=number):
            raise InternalError(f"the literal {number} has no dtype here")
        case Fill(value=number, dtype=dtype):
            return constant(number, dtype)
        case Access():
            return leaf(e, env, frame, out, wanted)
        case Apply():
            result = dtype_of(e)
            known = constant_value(e) if is_weak(e) and result.kind in "biu" else None
            if known is not None:
                return constant(known, result)
            return apply_to_arguments(e, env, frame, out, wanted).value()
        case Reduce():
            raise InternalError("reductions become loops before code is generated")


def apply_to_arguments(e: Apply, env: Env, frame: Frame, out: Writer, wanted: ir.Expr) -> Passing:
    """An operator over its arguments, some of which may be missing; beside a fill that their dtype does not hold, in
    one that does."""
    dtype, result = dtype_of(e.args[0]), dtype_of(e)
    missing = (
        [survey(a, env.site.optional, frame.facts.background).without for a in e.args] if env.site.optional else []
    )
    wide = least_dtype(dtype, *(a.value for a in (*e.args, *missing) if isinstance(a, Literal | Fill))) or dtype
    given = result if wide == dtype else e.operator.result_dtype(*[wide] * len(e.args))

    def part(a: Expr, asked: ir.Expr) -> ir.Expr:
        if isinstance(a, Literal | Fill):
            return literal(a.value, wide, frame)
        return convert(value(a, env, frame, out, asked), dtype, wide, frame)

    def spell(operator: Operator, parts: Sequence[ir.Expr]) -> ir.Expr:
        return convert(apply_operator(operator, wide, given, frame, tuple(parts)), given, result, frame)

    def through(a: ir.Expr) -> ir.Expr:
        return a if wide == dtype else convert(a, wide, result, frame)

    def inside(inner: Apply, asked: ir.Expr) -> Passing:
        return apply_to_arguments(inner, env, frame, out, asked)

    return Passing(e, wanted, env, frame, out, wide, part, spell, through, inside)


def literal(number: Number, dtype: np.dtype, frame: Frame) -> ir.Expr:
    """A number as a constant of a dtype; where the dtype does not hold it, a call that reports an overflow."""
    try:
        return constant(number, dtype)
    except MeaningError:
        frame.routine.fallible = True
        return ir.Call(f"gn_overflow_{dtype.name}", (ir.STATUS_ADDRESS,))


def convert(e: ir.Expr, dtype: np.dtype, wanted: np.dtype, frame: Frame) -> ir.Expr:
    """A value in another dtype."""
    return e if dtype == wanted else apply_operator(conversion(wanted), dtype, wanted, frame, (e,))


def constant_value(e: Expr) -> Number | None:
    """The value of an expression of numbers alone; None where it has none, since an integer overflows or is divided by
    zero."""
    match e:
        case Literal(value=number) | Fill(value=number):
            return number
        case Apply(operator=operator, args=args):
            parts = [constant_value(a) for a in args]
            if None in parts:
                return None
            try:
                with np.errstate(all="ignore"):
                    found: Number = caster(dtype_of(e))(operator.compute(*parts))
            except MeaningError:
                return None
            return found
        case Access() | Reduce():
            raise InternalError(f"{e} is not made of numbers alone")


def leaf(access: Access, env: Env, frame: Frame, out: Writer, wanted: ir.Expr) -> ir.Expr:
    """The stored value of an access; duplicates add up. A coordinate is the position in the vector that holds it."""
    if access.tensor in env.target.cells:
        return env.target.cells[access.tensor].at(env.site)
    store = frame.tensors.stores[access.tensor]
    positions = env.site.at(access, len(access.levels))
    if isinstance(positions, At) and access.tensor in frame.tensors.coordinates:
        return widen(positions.p)
    if isinstance(positions, At):
        return Element(store.vals, positions.p)
    dtype = store.layout.dtype
    assert DUPLICATES.left_identity is not None
    total = out.declare(store.type, f"t{access.tensor}", constant(DUPLICATES.left_identity(dtype), dtype))

    def accumulate(inner: Writer, p: ir.Expr) -> None:
        inner.add(accumulate_into(total, Element(store.vals, p), DUPLICATES, dtype, frame))

    summing = out.inner()
    each(positions, summing, accumulate)
    asked = wanted if reports(accumulate_into(total, total, DUPLICATES, dtype, frame).value) else ir.TRUE
    out.add(*logic.conditional(asked, summing.code))
    return total


def accumulate_into(
    target: ir.Expr, contribution: ir.Expr, operator: Operator, dtype: np.dtype, frame: Frame
) -> ir.Assign:
    """Combine a contribution with what is accumulated."""
    combined = apply_operator(operator.in_reduction(dtype), dtype, dtype, frame, (target, contribution))
    start = start_of_part(operator, dtype)
    if isinstance(combined, Spelled) and combined.template in ("{0} + {1}", "{0} * {1}"):
        return ir.Assign(target, contribution, f"{combined.template[4]}=", start)
    return ir.Assign(target, combined, start=start)


def start_of_part(operator: Operator, dtype: np.dtype) -> ir.Expr | None:
    """What a part of a reduction of floating-point numbers begins with: the identity; None if there is none.

    A zero has a negative sign: that changes no term, nor the sign of one.
    """
    identity = operator.repeat(None, 0, dtype) if dtype.kind == "f" else None
    return None if identity is None else constant(-0.0 if identity == 0 else identity, dtype)


def is_true(value: ir.Expr, dtype: np.dtype) -> ir.Expr:
    """Whether a value is not zero."""
    return value if dtype.kind == "b" else ir.Binary("!=", value, constant(0, dtype))
