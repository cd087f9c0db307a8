"""Instances: operands of every kind for an expression that is given."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np
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
from ...reference.storage.packing import pack
from ...reference.storage.tensor import Tensor
from ..programs.features import EVERYTHING, Features
from ..programs.problem import Problem
from .expressions import Expressions, literal
from .extents import LONG, extents
from .formats import RESULTS, formats
from .programs import combines, dtypes, outside_ring
from .typed_parts import Part, apply_operator, reduce

RARITY = 2
"""One instance in so many has a long extent: of one expression there are fewer kinds than of all."""
SQUARE, AROUND, WIDE = 7, 3, 3
"""One instance in so many has extents that are all alike, all dense but one, or integers beyond 32 bits."""
FACTOR = 2**31 + 1
RESULT = ""
"""What stands for the name of the result, which an operand may have."""


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
    dense = {} if semiring is not None or draw(st.integers(1, AROUND)) < AROUND else draw(dense_around(text, features))
    made = draw(operands(text, features, semiring, dense | wanted, set(dense)))
    if made is None:
        made = draw(operands(text, replace(features, specials=False), semiring, dense | wanted, set(dense)))
    order = len(text.target.indices)
    drawn = st.just(dense[RESULT]) if RESULT in dense else formats(order, features.results or RESULTS)
    stored = draw(drawn) if out is None else out
    if made is None:
        reject()
    return Problem(text, made, stored, semiring, target=features.target)


@st.composite
def dense_around(draw: st.DrawFn, text: Text, features: Features) -> dict[str, Format]:
    """Dense formats, where the features have them, for the result and all operands but one: what kernels of dense
    linear algebra with one sparse operand take."""
    orders = {a.tensor: len(a.indices) for a in (*text.inputs, *[text.target] * text.assignment.needs_contents)}
    kept = draw(st.sampled_from(list(orders))) if orders else RESULT
    orders[RESULT] = len(text.target.indices)
    storages = {name: features.results if name == RESULT else features.operands for name in orders}
    found = {name: Format(["dense"] * order) for name, order in orders.items() if name != kept}
    return {name: f for name, f in found.items() if (held := storages[name]) is None or held.holds(f)}


@st.composite
def operands(
    draw: st.DrawFn, text: Text, features: Features, semiring: str | None, named: Mapping[str, Format], full: set[str]
) -> dict[str, Tensor] | None:
    """The operands of an expression, previous contents of its result among them if it needs them; None if an operator
    refuses their dtypes or an integer might overflow. Those that are to be `full` have a number everywhere."""
    ring = None if semiring is None else semiring_of(semiring)
    sizes = draw(sizes_of(text, features))
    made = Expressions(draw, features, agree(text, sizes), draw(dtypes(features, ring, ())), ring)
    for access in (*text.inputs, *[text.target] * text.assignment.needs_contents):
        if access.tensor not in made.operands:
            inside = access in accesses(text.assignment.value) or access == text.target
            drawer = made if inside else outside_ring(made)
            shape = tuple(made.extents[v] for v in access.indices)
            drawn = drawer.tensor(shape, named.get(access.tensor))
            made.operands[access.tensor] = fill_densely(drawn) if access.tensor in full else drawn
    term = explicit(text.assignment, text.source).value
    if features.specials and draw(st.integers(1, WIDE)) == WIDE:
        widen(made, term)
    value = type_or_none(made, term)
    operator, previous = text.assignment.operator, made.operands.get(text.target.tensor)
    fits = value is not None and (operator is None or combines(operator, made, value, previous))
    return made.operands if fits else None


@st.composite
def sizes_of(draw: st.DrawFn, text: Text, features: Features) -> dict[str, int]:
    """The extents of variables: in some instances all alike, where a kernel that takes one mode for another gives a
    result of the right shape."""
    found = draw(extents(variables(text), features, long=variables(text), rarity=RARITY))
    if found and draw(st.integers(1, SQUARE)) == SQUARE:
        return dict.fromkeys(found, min(max(found.values()), LONG[0]))
    return found


def fill_densely(tensor: Tensor) -> Tensor:
    """A dense tensor in which the finite numbers of another stand everywhere, in turn; that itself if it has none."""
    coords, values = tensor.components()
    kept = values[np.isfinite(values) & (values != 0)]
    if not len(kept):
        return tensor
    return pack(coords, np.resize(kept, values.shape), tensor.shape, tensor.format, fill=tensor.fill)


def widen(made: Expressions, e: Expr) -> None:
    """Make the integers of an operand so large that 32 bits do not hold them, if the expression has a value then."""
    for name, tensor in made.operands.items():
        if tensor.dtype == np.int64:
            coords, values = tensor.components()
            if np.abs(values.astype(float)).max(initial=0) < FACTOR:
                wide = pack(coords, values * FACTOR, tensor.shape, tensor.format, fill=tensor.fill)
                made.operands[name] = wide
                if type_or_none(made, e) is None:
                    made.operands[name] = tensor
                else:
                    return


def variables(text: Text) -> tuple[str, ...]:
    """The index variables of an expression that have an extent of an operand's or of the result's."""
    return tuple(dict.fromkeys(v for access in (*text.inputs, text.target) for v in access.indices))


def agree(text: Text, sizes: dict[str, int]) -> dict[str, int]:
    """The extents of variables, alike where they index the same mode of a tensor that is read twice.

    >>> agree(as_text("y(i) = A(i,j) * A(j,i)"), {"i": 2, "j": 3})
    {'i': 2, 'j': 2}
    """
    return {v: sizes[led] for v, led in leaders(text).items()}


def leaders(text: Text) -> dict[str, str]:
    """For each index variable the first of those that have its extent in any case: they index the same mode of a tensor
    that is read twice."""
    leader = {v: v for v in variables(text)}
    for first, other in combinations((*text.inputs, text.target), 2):
        if first.tensor == other.tensor:
            for v, w in zip(first.indices, other.indices, strict=False):
                leader = {u: leader[v] if led == leader[w] else led for u, led in leader.items()}
    return leader


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
