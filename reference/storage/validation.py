"""Validation: every storage invariant of a tensor, first things first.

A tensor that passes is safe to read: no level function is handed a position or coordinate outside its arrays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ..algebra.dtypes import DTYPES
from ..algebra.scalars import fill_fits, is_masked, odd_booleans
from ..errors import StorageError
from ..levels.iterators import children
from ..levels.level import Coordinates, CoordinateValueIteration, Level, Locate
from .coordinate_map import Mode, Quotient, Rank, Remainder
from .enumeration import as_lists
from .format import interleaving
from .hierarchy import EXTENT, Hierarchy
from .packing import LARGEST

EXTENTS = f"extents are integers from 0 to {EXTENT}"


def validate(tensor: Hierarchy) -> None:
    """Raise StorageError naming the first broken invariant, with level, position and value."""
    for complaint in complaints(tensor):
        raise StorageError(f"{complaint} in a tensor stored as {tensor.format}", rule="format.valid")


def complaints(tensor: Hierarchy) -> Iterator[str]:
    """The broken invariants of a tensor. Later ones are looked for only if earlier ones hold."""
    yield from shape_complaints(tensor)
    parents, levels = 1, []
    for k, format in enumerate(tensor.format.levels):
        storage = as_lists(tensor.storage(k))
        yield from storage_complaints(tensor, k, storage)
        level = format.bind(storage)
        size = level.stored_size(parents)
        yield from length_complaints(tensor, k, level, parents, size)
        for broken in level.violations(parents, size):
            yield f"level {k + 1} ({format.name}): {broken.array}[{broken.index}] {broken.message}"
        levels.append(level)
        parents = size
    if len(tensor.vals) != parents:
        yield f"vals has length {len(tensor.vals)}, but the levels encode {parents} positions"
    yield from order_complaints(tensor, tuple(levels))


def shape_complaints(tensor: Hierarchy) -> Iterator[str]:
    """The shape, extents and value array agree with the format."""
    if len(tensor.shape) != tensor.format.order:
        yield f"shape {tensor.shape} has {len(tensor.shape)} modes, but the format stores {tensor.format.order}"
    if any(n < 0 for n in tensor.shape):
        yield f"shape {tensor.shape} has a negative extent"
    for mode, n in enumerate(tensor.shape):
        if not is_extent(n):
            yield f"mode {mode + 1} has extent {n}, but {EXTENTS}"
    expected = tensor.format.map.level_extents(tensor.shape)
    if len(tensor.levels) != len(expected) or len(tensor.extents) != len(expected):
        yield f"{len(tensor.levels)} levels are given, but the format has {len(expected)}"
    for k, (have, want) in enumerate(zip(tensor.extents, expected, strict=True)):
        if not is_extent(have):
            yield f"level {k + 1} has extent {have}, but {EXTENTS}"
        if want is not None and have != want:
            yield f"level {k + 1} has extent {have}, but the shape gives {want}"
    if tensor.dtype not in DTYPES:
        yield f"dtype {tensor.dtype} is none that tensors may have"
    if tensor.vals.dtype != tensor.dtype or tensor.vals.ndim != 1:
        yield f"vals is {tensor.vals.ndim}-dimensional {tensor.vals.dtype}, but should be a vector of {tensor.dtype}"
    elif is_masked(tensor.vals):
        yield "vals is masked"
    elif tensor.dtype.kind == "b":
        for k in odd_booleans(tensor.vals).nonzero()[0][:1]:
            yield f"vals[{k}] is stored as {tensor.vals.view(np.uint8)[k]}, but a Boolean as 0 or 1"
    if not fill_fits(tensor.fill, tensor.dtype):
        yield f"fill {tensor.fill!r} does not fit in {tensor.dtype}"
    for store in (*tensor.levels, tensor.shared):
        for name, held in store.items():
            if not (is_vector(held) or (store is not tensor.shared and isinstance(held, int))):
                yield f"{name} should be a vector of integers"


def is_extent(n: int) -> bool:
    """Whether a number may be an extent: Python takes True for 1.

    >>> is_extent(0), is_extent(True), is_extent(2**63)
    (True, False, False)
    """
    return not isinstance(n, bool) and 0 <= n <= EXTENT


def is_vector(held: Any) -> bool:
    """Whether something is an array that levels can read: a vector of integers, none of them masked."""
    return isinstance(held, np.ndarray) and held.ndim == 1 and held.dtype.kind in "iu" and not is_masked(held)


def storage_complaints(tensor: Hierarchy, k: int, storage: Mapping[str, Any]) -> Iterator[str]:
    """A level stores what its format says: arrays, integers, its column among levels that interleave, offsets."""
    format = tensor.format.levels[k]
    absent = [name for name in format.roles() if name not in storage]
    if absent:
        yield f"level {k + 1} ({format.name}) lacks {', '.join(absent)}"
    for name, role in format.roles().items():
        if role in ("array", "parameter") and isinstance(storage[name], int) != (role == "parameter"):
            wanted = "an integer" if role == "parameter" else "a vector of integers"
            yield f"level {k + 1} ({format.name}): {name} is {storage[name]!r}, but should be {wanted}"
        elif role == "parameter" and not 0 <= storage[name] <= EXTENT:
            yield f"level {k + 1} ({format.name}): {name} is {storage[name]}, but should be from 0 to {EXTENT}"
    yield from interleaving_complaints(tensor, k, storage)
    yield from offset_complaints(tensor, k, format.bind(storage))


def length_complaints(tensor: Hierarchy, k: int, level: Level, parents: int, size: int) -> Iterator[str]:
    """The arrays of a level, bound to them, are as long as it says for so many parents and positions, which are no
    more than packing makes or values are there for."""
    if size > LARGEST and size > len(tensor.vals):
        yield f"level {k + 1} ({level.name}) has {size} positions, more than {LARGEST}, for {len(tensor.vals)} values"
    for name, length in level.lengths(parents, size).items():
        held = len(getattr(level, name))
        if held != length:
            yield f"level {k + 1} ({level.name}): {name} has length {held}, but should have {length}"


def interleaving_complaints(tensor: Hierarchy, k: int, storage: Mapping[str, Any]) -> Iterator[str]:
    """Levels that interleave their coordinates have one column each."""
    for name, value in interleaving(tensor.format, k).items():
        if storage[name] != value:
            yield f"level {k + 1} ({tensor.format.levels[k].name}): {name} is {storage[name]}, but should be {value}"


def offset_complaints(tensor: Hierarchy, k: int, level: Level) -> Iterator[str]:
    """Levels that read the diagonals' offsets find one for every diagonal, each diagonal once and inside the shape."""
    if "offset" not in level.roles():
        return
    diagonals = level.shared_lengths(tensor.extents[:k])["offset"]
    offset = tensor.shared["offset"].tolist()
    if len(offset) != diagonals:
        yield f"offset has length {len(offset)}, but there are {diagonals} diagonals"
    ranks = [n for n, t in enumerate(tensor.format.map.terms) if isinstance(t, Rank)]
    if ranks:
        for n in range(1, len(offset)):
            if offset[n] <= offset[n - 1]:
                yield f"offset[{n}] is {offset[n]}, not more than the {offset[n - 1]} before it"
        rows, columns = tensor.extents[ranks[0] + 1 : ranks[0] + 3]
        for n, value in enumerate(offset):
            if not -rows < value < columns:
                yield f"offset[{n}] is {value}, a diagonal outside the {rows} by {columns} matrix"


def order_complaints(tensor: Hierarchy, levels: tuple[Level, ...]) -> Iterator[str]:
    """Siblings are ordered, unique and complete where their level says so, and ranks hold each component once.

    Siblings are coordinates with the same ancestors, also where duplicates of an ancestor hold them.
    """
    nodes: list[tuple[Coordinates, int]] = [((), 0)]
    for k, level in enumerate(levels):
        if k == len(levels) - 1 and level.full and isinstance(level, Locate) and not may_repeat(tensor, nodes):
            return
        below = []
        last: dict[Coordinates, int] = {}
        seen: set[Coordinates] = set()
        for path, p in nodes:
            for c, q in children(level, p, path):
                node = (*path, c)
                below.append((node, q))
                if outside(tensor, node):
                    yield f"level {k + 1} ({level.name}): coordinate {c} below {path} leaves the shape {tensor.shape}"
                if not 0 <= c < (extent := tensor.extents[k]):
                    yield f"level {k + 1} ({level.name}): coordinate {c} below {path} lies outside [0, {extent})"
                if level.ordered and c < last.get(path, c):
                    yield f"level {k + 1} ({level.name}): coordinate {c} comes after {last[path]} below {path}"
                if level.unique and node in seen:
                    yield f"level {k + 1} ({level.name}): coordinate {c} occurs twice below {path}"
                last[path] = c
                seen.add(node)
        if level.full and not isinstance(level, CoordinateValueIteration):
            for path in dict.fromkeys(path for path, _ in nodes):
                yield from gaps(f"level {k + 1} ({level.name})", path, seen, tensor.extents[k])
        nodes = below
    if tensor.format.map.has_rank:
        yield from rank_complaints(tensor, [path for path, _ in nodes])


def may_repeat(tensor: Hierarchy, parents: list[tuple[Coordinates, int]]) -> bool:
    """Whether a component may be stored twice below parents that hold whole levels."""
    return tensor.format.map.has_rank or len({path for path, _ in parents}) < len(parents)


def gaps(place: str, path: Coordinates, seen: set[Coordinates], extent: int) -> Iterator[str]:
    """Coordinates that are missing below a path, in a level that is to be full."""
    for c in range(extent):
        if (*path, c) not in seen:
            yield f"{place}: coordinate {c} is missing below {path}, but the level is full"


def outside(tensor: Hierarchy, node: Coordinates) -> bool:
    """Whether a stored place lies outside the shape. Levels that hold whole blocks, which loops locate in, may."""
    k = len(node) - 1
    terms = tensor.format.map.terms
    term = terms[k]
    if isinstance(term, Mode):
        return not 0 <= node[k] < tensor.shape[term.mode]
    level = tensor.format.levels[k]
    if (level.full and isinstance(level, Locate)) or not isinstance(term, Remainder):
        return False
    block = node[terms.index(Quotient(term.mode, term.factor))]
    return block * term.factor + node[k] >= tensor.shape[term.mode]


def rank_complaints(tensor: Hierarchy, paths: list[Coordinates]) -> Iterator[str]:
    """A component lies in one slot or on one diagonal only."""
    found: set[Coordinates] = set()
    for path in paths:
        i = tensor.format.map.invert(path)
        if i in found:
            yield f"component {i} is stored twice"
        found.add(i)
