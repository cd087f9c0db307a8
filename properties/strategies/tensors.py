"""Tensors of a shape and dtype: empty ones, duplicates where the format holds them, stored zeros."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from hypothesis import strategies as st

from ...reference.storage.format import Format
from ...reference.storage.named_formats import format_of
from ...reference.storage.packing import pack
from ...reference.storage.tensor import Tensor
from ..programs.features import EVERYTHING, Features
from .extents import LONG
from .formats import OPERANDS, formats, is_lower
from .values import values

MOST = 8
LINE = 3


@st.composite
def tensors(
    draw: st.DrawFn,
    shape: tuple[int, ...],
    *,
    dtype: Any = "float64",
    format: str | Format | None = None,
    fill: Any = 0,
    features: Features = EVERYTHING,
) -> Tensor:
    """Tensors of a shape, in a format or in any that `features` allow for operands.

    Of up to eight components, and now and then of a whole line of others, which repeat the values of eight. They shrink
    towards few components at low coordinates, in the first named format.
    """
    stored = formats(len(shape), features.operands or OPERANDS, shape=shape)
    chosen = draw(stored) if format is None else format_of(format, len(shape))
    least = 0 if features.hollow or 0 in shape else 1
    coords = draw(coordinates(shape, chosen, duplicates=features.duplicates, least=least))
    once = len(set(coords)) == len(coords)
    value = values(dtype, specials=features.specials, zeros=features.zeros, large=once and features.specials)
    few = min(len(coords), MOST)
    drawn = draw(st.lists(value, min_size=few, max_size=few))
    held = [drawn[n % few] for n in range(len(coords))]
    table = np.array(coords, np.int64).reshape(len(coords), len(shape)).T
    return pack(table, np.array(held, dtype), shape, chosen, fill=fill)


def coordinates(
    shape: tuple[int, ...], format: Format, *, duplicates: bool = True, least: int = 0
) -> st.SearchStrategy[list[tuple[int, ...]]]:
    """Coordinates of components that a format can store; twice the same where it holds duplicates, if they may be."""
    if not shape:
        return st.just([()])
    repeated = duplicates and bool(format.levels) and not format.levels[-1].unique
    return components(shape, is_lower(format), repeated, least)


@cache
def components(
    shape: tuple[int, ...], lower: bool, repeated: bool, least: int
) -> st.SearchStrategy[list[tuple[int, ...]]]:
    """Coordinates in a shape, none above the diagonal if `lower`, twice the same if `repeated`.

    Every second time a line along an extent that is long is there, too, and every fourth time one along another; if
    coordinates may come twice, all of a line do every second time.
    """
    coordinate: st.SearchStrategy[tuple[int, ...]]
    if lower:
        row = st.integers(0, max(shape[0] - 1, 0))
        coordinate = row.flatmap(lambda i: st.tuples(st.just(i), st.integers(0, i)))
    else:
        coordinate = st.tuples(*(st.integers(0, max(n - 1, 0)) for n in shape))
    limit = 0 if 0 in shape else MOST
    scattered = st.lists(coordinate, min_size=least, max_size=limit, unique=not repeated)
    if lower or limit == 0 or max(shape) < LINE:
        return scattered
    times = st.integers(1, 2 if repeated else 1)
    whole = st.tuples(lines(shape), times, scattered).map(lambda parts: repeat(parts[0], parts[1]) + parts[2])
    filled = whole if repeated else whole.map(lambda held: list(dict.fromkeys(held)))
    return st.one_of(*[scattered] * (1 if max(shape) in LONG else 3), filled)


def repeat(coords: list[tuple[int, ...]], times: int) -> list[tuple[int, ...]]:
    """Coordinates, each so many times in a row."""
    return [c for c in coords for _ in range(times)]


@st.composite
def lines(draw: st.DrawFn, shape: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Coordinates side by side, or every second one, along a mode: one whose extent is long, if there is any."""
    mode = draw(st.sampled_from([k for k, n in enumerate(shape) if n >= min(max(shape), min(LONG))]))
    where = tuple(draw(st.integers(0, n - 1)) for n in shape)
    first, last = draw(st.integers(0, 1)), shape[mode] - draw(st.integers(0, 1))
    return [(*where[:mode], i, *where[mode + 1 :]) for i in range(first, last, draw(st.sampled_from((1, 2))))]
