"""Reinterpretation: an assignment in a semiring, whose `+`, `*` and reductions are the semiring's operators; in one
whose products are places, those (`places.py`)."""

from __future__ import annotations

from msgspec.structs import replace

from ..algebra.operators import ADD, MUL
from ..algebra.semirings import Semiring
from ..errors import SemiringError
from ..span import Span
from .places import place_of
from .reductions import explicit
from .syntax import Access, Apply, Assignment, Expr, Fill, Literal, Reduce, nodes


def distributes(semiring: Semiring) -> bool:
    """Whether `*` distributes over `+` as declared: it does not in `plus_pair`, nor in `max_times` below zero."""
    return semiring.plain_add.name in semiring.plain_multiply.distributes_over


def in_meaning(a: Assignment, semiring: Semiring | None, source: str | None) -> Assignment:
    """The assignment of a text (`Text.assignment`) with explicit sums, in its semiring if it has one. Where products
    are places, the text has given that meaning already. Raises ExpressionError or SemiringError."""
    if semiring is None:
        return explicit(a, source)
    return a if semiring.place is not None else with_sums_in(a, semiring, source)


def with_sums_in(a: Assignment, semiring: Semiring, source: str | None) -> Assignment:
    """The assignment as it is written, with explicit sums, in a semiring. Raises ExpressionError or SemiringError."""
    return in_semiring(explicit(a, source, distributive=distributes(semiring)), semiring, source)


def in_semiring(a: Assignment, semiring: Semiring, source: str | None) -> Assignment:
    """The assignment with `+`, `*` and reductions as a semiring's operators. Raises SemiringError for other
    operators."""
    if a.operator not in (None, ADD, semiring.plain_add):
        assert a.operator is not None
        raise operator_error(f"{a.operator.symbol or a.operator.name}=", "update by +=", semiring, source, a.span)
    for e in nodes(a.value):
        match e:
            case Apply(operator=operator) if operator not in (ADD, MUL):
                raise operator_error(operator.symbol or operator.name, "use + and * only", semiring, source, e.span)
            case Reduce(operator=operator) if operator not in (ADD, semiring.plain_add):
                assert operator.reduction is not None
                how = f"reduce by {ADD.reduction}, which is {semiring.plain_add.name} in {semiring.name}"
                raise operator_error(operator.reduction, how, semiring, source, e.span)
            case _:
                pass
    value = reinterpret(a.value, semiring, source)
    return replace(a, value=value, operator=None if a.operator is None else semiring.add)


def reinterpret(e: Expr, semiring: Semiring, source: str | None) -> Expr:
    """`+`, `*` and reductions in the meaning of the semiring."""
    match e:
        case Apply(operator=operator, args=args):
            inner = tuple(reinterpret(x, semiring, source) for x in args)
            if operator is ADD:
                return Apply(semiring.add, inner, span=e.span)
            if semiring.place is not None:
                return place_of(e, inner, semiring, semiring.place, source)
            return Apply(semiring.multiply, inner, span=e.span)
        case Reduce(index=index, body=body):
            return Reduce(semiring.add, index, reinterpret(body, semiring, source), span=e.span)
        case Access() | Literal() | Fill():
            return e


def operator_error(what: str, instead: str, semiring: Semiring, source: str | None, span: Span | None) -> SemiringError:
    """The error for an operator that a semiring does not declare."""
    return SemiringError(
        f"{what} has no meaning in the semiring {semiring.name}",
        hint=f"{instead}, or leave the semiring out",
        source=source,
        span=span,
        rule="semiring.operators",
    )
