"""Procedures of up to four assignments, some of them in a loop: what names stand for, masks that merge, semirings,
coordinates as values and in masks.

All variables have one extent, so that every tensor fits wherever its order does. Values are small whole numbers:
loops multiply them.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from hypothesis import strategies as st
from msgspec import Struct

from ...reference.procedure.parser import parse_procedure
from ...reference.procedure.syntax import Procedure, steps
from ...reference.storage.packing import tensor
from ...reference.storage.tensor import Tensor

EXTENT = 3
VECTORS, MATRICES = ("x", "y", "z"), ("A", "B", "C")
FORMATS = {1: ("SparseVector", "Dense", "hashed(width=8)"), 2: ("CSR", "CSC", "DCSR", "COO", "RowMajor")}
RINGS = ("min_plus", "max_min", "or_and", "plus_pair", "min_first", "min_second", "plus_times", "any_first")
SIGNS = ("=", "=", "+=", "min=", "max=")
AMOUNTS = ("empty", "above 2", "below 3")
VALUES = {
    1: ("{0}(i)", "{0}(i) + {1}(i)", "{0}(i) * {1}(i)", "{2}(i,k) * {0}(k)", "{0}(k) * {2}(k,i)", "{2}(i,k)"),
    2: ("{2}(i,j)", "{2}(i,j) + {3}(i,j)", "{2}(i,j) * {3}(i,j)", "{2}(i,k) * {3}(k,j)", "{2}(j,i)", "{0}(i) * {1}(j)"),
}
PLACES = {
    1: ("{0}(i) * i", "{2}(i,k) * k", "{0}(i) + i"),
    2: ("{2}(i,j) * j", "{2}(i,k) * {3}(k,j) * k", "i * {2}(j,i)"),
}
PLAIN = {1: ("{0}(i) - {1}(i)", "2 * {0}(i)", "lt({0}(i), {1}(i))"), 2: ("max({2}(i,j), {3}(i,j))", "-{2}(i,j)")}
SELECTIONS = {
    1: ("gt({0}(i), 1)", "lt({0}(i), {1}(i))", "ge({0}(i), i)", "lt(i, 2)"),
    2: ("gt({0}(i,j), 1)", "ne({0}(i,j), {1}(j,i))", "tril(i, j)", "lt(i, j)"),
}


class Drawn(Struct, frozen=True):
    """A procedure and what it is given."""

    procedure: Procedure
    operands: Mapping[str, Tensor]


@st.composite
def procedures(draw: st.DrawFn) -> Drawn:
    """A procedure with operands for which it may have a meaning: integers may overflow, which steps report."""
    operands = {name: draw(contents(1)) for name in VECTORS[:2]} | {name: draw(contents(2)) for name in MATRICES[:2]}
    known = set(operands)
    count = draw(st.integers(1, 4))
    begin = draw(st.integers(0, count - 1))
    looped = draw(st.booleans())
    lines, targets, certain = [], list[str](), list[str]()
    for n in range(count):
        if looped and n == begin:
            lines.append("  repeat")
        line, target = draw(assignments(frozenset(known)))
        lines.append(("    " if looped and n >= begin else "  ") + line)
        known.add(target)
        targets.append(target)
        if looped and n >= begin and draw(st.integers(0, 5)) < 1:
            certain = certain or list(targets)
            lines.append(f"    stop if {target} {draw(st.sampled_from(AMOUNTS))}")
    if looped:
        name = draw(st.sampled_from(targets[begin:]))
        rounds = draw(st.sampled_from(("unchanged or 3 steps", *(f"{amount} or 2 steps" for amount in AMOUNTS))))
        lines.append(f"  until {name} {rounds}")
    results = ", ".join(dict.fromkeys(certain or targets))
    body = "\n".join(lines)
    whole = parse_procedure(f"procedure drawn({', '.join(operands)}) -> {results}\n{body}")
    known = {name for step in steps(whole.body) for _, name in step.operands}
    given = {name: operand for name, operand in operands.items() if name in known}
    return Drawn(parse_procedure(f"procedure drawn({', '.join(given)}) -> {results}\n{body}"), given)


@st.composite
def contents(draw: st.DrawFn, order: int) -> Tensor:
    """A tensor of small whole numbers, stored zeros among them."""
    cells = list(np.ndindex(*(EXTENT,) * order))
    held = draw(st.lists(st.sampled_from(cells), unique=True, max_size=len(cells)))
    values = [draw(st.integers(0, 3)) for _ in held]
    coords = np.array(held, dtype=np.int64).reshape(len(held), order).T
    dtype = draw(st.sampled_from(("int64", "float64")))
    return tensor(coords, np.array(values, dtype), (EXTENT,) * order, draw(st.sampled_from(FORMATS[order])))


@st.composite
def assignments(draw: st.DrawFn, known: frozenset[str]) -> tuple[str, str]:
    """A step that reads names which have a value, and its target."""
    order = draw(st.sampled_from((1, 2)))
    target = draw(st.sampled_from(VECTORS if order == 1 else MATRICES))
    indices = "(i)" if order == 1 else "(i,j)"
    ring = draw(st.sampled_from((None, None, *RINGS)))
    sign = draw(st.sampled_from(("=", "=", "+=") if ring is not None else SIGNS))
    vectors = sorted(set(VECTORS) & known)
    matrices = sorted(set(MATRICES) & known)
    names = [*(draw(st.sampled_from(vectors)) for _ in "ab"), *(draw(st.sampled_from(matrices)) for _ in "ab")]
    forms = VALUES[order] + PLACES[order] + (PLAIN[order] if ring is None else ())
    value = draw(st.sampled_from(forms)).format(*names)
    if sign in ("min=", "max=") and "k" in value:
        value = f"sum(k, {value})"
    mask = draw(masks(order, vectors if order == 1 else matrices, target in known, sign))
    format = draw(st.sampled_from((None, *FORMATS[order])))
    clauses = ("" if ring is None else f"  in {ring}") + ("" if format is None else f"  as {format}")
    return f"{target}{indices}{mask} {sign} {value}{clauses}", target


@st.composite
def masks(draw: st.DrawFn, order: int, names: list[str], is_known: bool, sign: str) -> str:
    """A mask of any kind, or none; it keeps what it excludes only if there is something to keep."""
    if draw(st.integers(0, 2)) < 1:
        return ""
    kind = draw(st.sampled_from(("", "!", "$", "!$")))
    held = [f"{name}({'i' if order == 1 else 'i,j'})" for name in names]
    if "$" not in kind and draw(st.booleans()):
        form = draw(st.sampled_from(SELECTIONS[order]))
        held = [form.format(draw(st.sampled_from(names)), draw(st.sampled_from(names)))]
    rest = draw(st.sampled_from(("", ",replace", ",merge") if is_known or sign != "=" else ("", ",replace")))
    return f"<{kind}{draw(st.sampled_from(held))}{rest}>"
