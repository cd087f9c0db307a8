"""Instances: operands of every kind for an expression that is given."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from hypothesis import reject
from hypothesis import strategies as st
from msgspec.structs import replace

from ...reference.algebra.operators import ADD, MUL
from ...reference.algebra.semirings import semiring as semiring_of
from ...reference.errors import ExpressionError, GnomonError
from ...reference.notation.reductions import explicit
from ...reference.notation.syntax import Access, Apply, Expr, Literal, Reduce, accesses, is_coordinate
from ...reference.notation.text import Text, as_text
from ...reference.storage.format import Format
from ...reference.storage.named_formats import format_of
from ...reference.storage.tensor import Tensor
from ..programs.features import EVERYTHING, Features
from ..programs.problem import Problem
from .expressions import Expressions, literal
from .extents import extents
from .formats import RESULTS, formats
from .programs import combines, dtypes, outside_ring
from .typed_parts import Part, apply_operator, reduce

RARITY = 2
"""One instance in so many has a long extent: of one expression there are fewer kinds than of all."""


@st.composite
def instances(
    draw: st.DrawFn,
    /,
    expression: str,
    features: Features = EVERYTHING,
    *,
    semiring: str | None = None,
    out: str | Format | None = None,
    **named: str | Format,
) -> Problem:
    """Programs of one expression: operands of every shape, dtype, format and content that features allow.

    `out` and `named` are the formats of the result and of operands by name; others may have any. They shrink towards
    few components in the first named formats, and extents of 1. Raises ParseError or ExpressionError for an expression
    that is none.
    """
    text = as_text(expression).in_ring(None if semiring is None else semiring_of(semiring))
    wanted = {name: formats_of(name, text, format) for name, format in named.items()}
    made = draw(operands(text, features, semiring, wanted))
    if made is None:
        made = draw(operands(text, replace(features, specials=False), semiring, wanted))
    order = len(text.target.indices)
    stored = draw(formats(order, features.results or RESULTS)) if out is None else out
    if made is None:
        reject()
    return Problem(text, made, stored, semiring, target=features.target)


@st.composite
def operands(
    draw: st.DrawFn, text: Text, features: Features, semiring: str | None, named: Mapping[str, Format]
) -> dict[str, Tensor] | None:
    """The operands of an expression, previous contents of its result among them if it needs them; None if an operator
    refuses their dtypes or an integer might overflow."""
    ring = None if semiring is None else semiring_of(semiring)
    sizes = draw(extents(variables(text), features, long=variables(text), rarity=RARITY))
    made = Expressions(draw, features, agree(text, sizes), draw(dtypes(features, ring)), ring)
    for access in (*text.inputs, *[text.target] * text.assignment.needs_contents):
        if access.tensor not in made.operands:
            inside = access in accesses(text.assignment.value) or access == text.target
            drawer = made if inside else outside_ring(made)
            shape = tuple(made.extents[v] for v in access.indices)
            made.operands[access.tensor] = drawer.tensor(shape, named.get(access.tensor))
    value = type_or_none(made, explicit(text.assignment, text.source).value)
    operator, previous = text.assignment.operator, made.operands.get(text.target.tensor)
    fits = value is not None and (operator is None or combines(operator, made, value, previous))
    return made.operands if fits else None


def variables(text: Text) -> tuple[str, ...]:
    """The index variables of an expression that have an extent of an operand's or of the result's."""
    return tuple(dict.fromkeys(v for access in (*text.inputs, text.target) for v in access.indices))


def agree(text: Text, sizes: dict[str, int]) -> dict[str, int]:
    """The extents of variables, alike where they index the same mode of a tensor that is read twice.

    >>> agree(as_text("y(i) = A(i,j) * A(j,i)"), {"i": 2, "j": 3})
    {'i': 2, 'j': 2}
    """
    leader = {v: v for v in sizes}
    for first, other in combinations((*text.inputs, text.target), 2):
        if first.tensor == other.tensor:
            for v, w in zip(first.indices, other.indices, strict=False):
                leader = {u: leader[v] if led == leader[w] else led for u, led in leader.items()}
    return {v: sizes[led] for v, led in leader.items()}


def formats_of(name: str, text: Text, format: str | Format) -> Format:
    """The format that an operand of an expression is to have. Raises ExpressionError for the name of none, and
    FormatError."""
    order = next((len(a.indices) for a in (*text.inputs, text.target) if a.tensor == name), None)
    if order is None:
        read = ", ".join(dict.fromkeys(a.tensor for a in text.inputs))
        raise ExpressionError(f"a format is given for {name}, but {text.source!r} reads {read}", source=text.source)
    return format_of(format, order) if isinstance(format, str) else format


def type_or_none(made: Expressions, e: Expr) -> Part | None:
    """An expression of operands that are there, with its dtype and bounds; None if an operator refuses a dtype, has no
    value, or an integer might overflow."""
    try:
        return type_expression(made, e)
    except (GnomonError, ArithmeticError, ValueError):
        return None


def type_expression(made: Expressions, e: Expr) -> Part | None:
    """As `type_or_none`; raises what an operator raises that has no value."""
    add, multiply = (ADD, MUL) if made.ring is None else (made.ring.add, made.ring.multiply)
    inside = {ADD: add, MUL: multiply}
    match e:
        case Access(tensor=name, indices=indices):
            return made.coordinate_of(name) if is_coordinate(e) else made.access(name, indices)
        case Literal(value=value):
            return literal(value)
        case Apply(operator=operator, args=args):
            parts = [part for each in args if (part := type_expression(made, each)) is not None]
            if len(parts) < len(args):
                return None
            own = inside.get(operator, operator)
            if len(parts) == 2:
                return made.combine(own, operator, (parts[0], parts[1]))
            return apply_operator(own, parts, operator)
        case Reduce(operator=operator, index=index, body=body):
            part = type_expression(made, body)
            return part and reduce(inside.get(operator, operator), index, part, made.extents[index], operator)
        case _:
            return None
