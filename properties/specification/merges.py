"""How operators merge: the lattice of `y(i) = a ∘ b` for every operator of two operands, as rows of a table."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from msgspec.structs import replace

from ...reference.algebra.dtypes import Number
from ...reference.algebra.operator import Operator
from ...reference.algebra.operators import OPERATORS
from ...reference.loops.lattice import Lattice
from ...reference.loops.presence import Every, Presence, Some, remains
from ...reference.notation.printer import pretty
from ...reference.notation.syntax import Access
from ...reference.notation.text import Text
from ...reference.statement.front_end import Stated
from ...reference.statement.statement import Assign, Statement, assignments, reads
from ...reference.statement.substitution import background_of, without_operands
from ...reference.storage.declaration import Declaration
from ...reference.storage.named_formats import format_of

COLUMNS = ("operator", "fill", "a and b", "a alone", "b alone", "present where")


def merge_rows() -> Iterator[tuple[str, ...]]:
    """A row for every operator of two operands: what is left of `a ∘ b` at each point, where a and b have the fill 0
    and the result has theirs combined; nothing where that is no point; and where the result is present."""
    for operator in OPERATORS.values():
        if operator.arity == 2:
            lattice, fill = lattice_of(operator)
            a, b = lattice.sparse
            left = [lattice.point(frozenset(present)) for present in ((a, b), (a,), (b,))]
            values = ["" if point is None else f"`{text_of(point.statement)}`" for point in left]
            where = text_of_presence(remains(lattice.body, frozenset(lattice.sparse), lattice.background))
            yield f"`{operator.name}`", f"`{fill}`", *values, where


def lattice_of(operator: Operator) -> tuple[Lattice, Number]:
    """The lattice of `y(i) = a(i) ∘ b(i)` in float64, and the fill of y."""
    vector = Declaration(format_of("SparseVector", 1), np.dtype("float64"), 0)
    infix = operator.symbol is not None
    value = f"a(i) {operator.symbol} b(i)" if infix else f"{operator.name}(a(i), b(i))"
    stated = Stated(Text(f"y(i) = {value}"), {"a": vector, "b": vector})
    program = stated.lower(stated.resolve({"a": (1,), "b": (1,)}))
    (leaf,) = assignments(program.statement)
    operands, known = reads(leaf), background_of(program)
    fill = without_operands(leaf.value, known)
    background = replace(known, fills={**known.fills, program.result: fill.value})
    return Lattice(leaf, operands, background), fill.value


def text_of(statement: Statement) -> str:
    """The value of an assignment."""
    assert isinstance(statement, Assign)
    return pretty(statement.value).replace("(i)", "")


def text_of_presence(formula: Presence) -> str:
    """A formula in words.

    >>> a, b, c = (Access(name, ("i",)) for name in "abc")
    >>> text_of_presence(Some((a, Every((b, c))))), text_of_presence(True)
    ('a or (b and c)', 'everywhere')
    """
    match formula:
        case bool():
            return "everywhere" if formula else "nowhere"
        case Access(tensor=tensor):
            return tensor
        case Every(parts=parts):
            return " and ".join(map(text_of_part, parts))
        case Some(parts=parts):
            return " or ".join(map(text_of_part, parts))


def text_of_part(formula: Presence) -> str:
    """A part of a formula, in parentheses if it has parts itself."""
    text = text_of_presence(formula)
    return f"({text})" if isinstance(formula, Every | Some) else text
