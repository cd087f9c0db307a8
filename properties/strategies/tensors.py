"""Hypothesis strategies: formats, tensors, expressions and whole problems, every one valid by construction.

They shrink towards few small components, CSR-like formats and short expressions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from ..reference.format import Format
from ..reference.named_formats import format_of
from ..reference.packing import pack
from ..reference.tensor import Tensor
from .problem import Problem

VARIABLES = "ijkl"
NAMES = "ABDE"

MATRIX_FORMATS = (
    "CSR",
    "CSC",
    "RowMajor",
    "ColumnMajor",
    "DCSR",
    "DCSC",
    "COO",
    "COO_AoS",
    "compressed(nonunique),singleton(nonunique)",
    "dense,compressed(nonunique)",
    "dense,compressed(unordered)",
    "ELL",
    "DIA",
    "SparseDIA",
    "BCSR(2,3)",
    "BCSR(2,2)",
    "CSB(2,2)",
    "HashRows",
    "HashMap",
    "hashed,dense",
    "compressed,dense",
    "compressed,hashed",
    "dense,bitmap",
    "dense,accumulator",
    "Banded",
)
VECTOR_FORMATS = ("Dense", "SparseVector", "HashVector", "bitmap", "compressed(nonunique)", "compressed(unordered)")
RESULT_MATRICES = (
    "RowMajor",
    "CSR",
    "ColumnMajor",
    "CSC",
    "DCSR",
    "COO",
    "HashRows",
    "BCSR(2,2)",
    "CSB(2,3)",
    "hashed,dense",
)
RESULT_VECTORS = ("Dense", "SparseVector", "HashVector", "bitmap")


def formats(order: int) -> st.SearchStrategy[Format]:
    """Formats for tensors of an order: named ones, and any mix of unconstrained levels in any mode order."""
    match order:
        case 0:
            return st.just(format_of("", 0))
        case 1:
            return st.sampled_from(VECTOR_FORMATS).map(lambda text: format_of(text, 1))
        case 2:
            return st.sampled_from(MATRIX_FORMATS).map(lambda text: format_of(text, 2))
        case _:
            mixed = st.tuples(
                st.lists(st.sampled_from(["dense", "compressed"]), min_size=order, max_size=order),
                st.permutations(range(order)),
            ).map(lambda drawn: Format(drawn[0], drawn[1]))
            return st.one_of(st.sampled_from([format_of("CSF", order), format_of("COO", order)]), mixed)


def result_formats(order: int) -> st.SearchStrategy[Format]:
    """Formats that a result can be assembled in."""
    match order:
        case 0:
            return st.just(format_of("", 0))
        case 1:
            return st.sampled_from(RESULT_VECTORS).map(lambda text: format_of(text, 1))
        case 2:
            return st.sampled_from(RESULT_MATRICES).map(lambda text: format_of(text, 2))
        case _:
            return st.sampled_from([format_of("CSF", order), format_of("COO", order), format_of("Dense", order)])


def values(dtype: Any) -> st.SearchStrategy[Any]:
    """Small numbers of a dtype, stored zeros among them; floats also tiny, huge, infinite and NaN now and then."""
    kind = np.dtype(dtype).kind
    if kind == "b":
        return st.booleans()
    if kind in "iu":
        return st.integers(0 if kind == "u" else -3, 4)
    halves = st.integers(-8, 8).map(lambda n: n / 2)
    if kind == "c":
        return st.builds(complex, halves, halves)
    special = st.sampled_from([float("inf"), float("-inf"), float("nan")])
    return st.one_of(halves, halves, st.floats(-100, 100, width=32), special)


@st.composite
def tensors(
    draw: st.DrawFn, shape: tuple[int, ...], *, dtype: Any = "float64", format: Format | None = None, fill: Any = 0
) -> Tensor:
    """Tensors of a shape: empty ones, duplicates where the format holds them, stored zeros."""
    chosen = draw(formats(len(shape))) if format is None else format
    coordinate = st.tuples(*(st.integers(0, max(n - 1, 0)) for n in shape))
    limit = 0 if 0 in shape else 1 if not shape else 8
    keeps = bool(chosen.levels) and not chosen.levels[-1].unique
    coords = draw(
        st.lists(coordinate, min_size=0 if shape else 1, max_size=limit)
        if keeps
        else st.lists(coordinate, min_size=0 if shape else 1, max_size=limit, unique=True)
    )
    held = draw(st.lists(values(dtype), min_size=len(coords), max_size=len(coords)))
    table = np.array(coords, np.int64).reshape(len(coords), len(shape)).T
    return pack(table, np.array(held, dtype), shape, chosen, fill=fill)


BINARY = ("{0} + {1}", "{0} * {1}", "{0} - {1}", "min({0}, {1})", "max({0}, {1})")
UNARY = ("-{0}", "abs({0})", "({0} + 1)", "(2 * {0})", "square({0})")
REDUCED = ("sum({v}, {0})", "max({v}, {0})", "min({v}, {0})")


@st.composite
def problems(draw: st.DrawFn, *, dtype: Any = "float64", semirings: tuple[str, ...] = ()) -> Problem:
    """Problems of one to four operands over up to four variables, with reductions, functions and masks.

    With `semirings`, only `+` and `*` occur and one of them gives their meaning.
    """
    extents = {v: draw(st.integers(0, 5)) for v in VARIABLES}
    fills = not semirings and np.dtype(dtype).kind != "b"
    target = draw(st.sampled_from(["", "i", "ij", "ij", "ji", "i"]))
    operands: dict[str, Tensor] = {}

    def leaf(free: str) -> str:
        """An access that uses all of `free`."""
        name = NAMES[len(operands)] if len(operands) < len(NAMES) else f"T{len(operands)}"
        order = draw(st.permutations(free))
        if free and len(free) < 3 and draw(st.integers(0, 9)) == 0:
            order = [*order, order[0]]
        shape = tuple(extents[v] for v in order)
        fill = draw(st.sampled_from([0, 0, 0, 1, 2])) if fills else 0
        operands[name] = draw(tensors(shape, dtype=dtype, fill=fill))
        return f"{name}({','.join(order)})" if order else name

    def expression(free: str, depth: int, scope: str) -> str:
        """An expression with exactly these free variables, inside reductions over `scope`."""
        choice = draw(st.integers(0, 5)) if depth and len(operands) < 3 else 0
        if choice in (0, 1):
            return leaf(free)
        if choice == 2 and not semirings:
            form: str = draw(st.sampled_from(UNARY))
            return form.format(expression(free, depth - 1, scope))
        bound = next((v for v in "kl" if v not in scope), None)
        if choice == 3 and bound is not None and len(free) < 3:
            inner = expression(free + bound, depth - 1, scope + bound)
            reduced: str = draw(st.sampled_from(REDUCED[:1] if semirings else REDUCED))
            return reduced.format(inner, v=bound)
        left = expression(free, depth - 1, scope)
        fewer = "".join(v for v in free if draw(st.booleans()))
        right = expression(fewer, depth - 1, scope)
        joined: str = draw(st.sampled_from(BINARY[:2] if semirings else BINARY))
        return f"({joined.format(left, right)})"

    source = expression("".join(sorted(target)), 3, target)
    mask = ""
    if target and draw(st.integers(0, 4)) == 0:
        name = "M"
        operands[name] = draw(tensors(tuple(extents[v] for v in target), dtype=dtype))
        mask = f"<{draw(st.sampled_from(['', '!', '$', '!$']))}M({','.join(target)})>"
    left = f"R({','.join(target)})" if target else "R"
    sign = "="
    if not semirings and np.dtype(dtype).kind not in "bc" and draw(st.integers(0, 4)) == 0:
        sign = draw(st.sampled_from(["+=", "min=", "max="]))
        if draw(st.booleans()):
            operands["R"] = draw(tensors(tuple(extents[v] for v in target), dtype=dtype))
    chosen = draw(st.sampled_from(semirings)) if semirings else None
    return Problem(f"{left}{mask} {sign} {source}", operands, draw(result_formats(len(target))), chosen)
