"""Formats: named ones, blocks, and nests of levels in any order of modes."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st

from ...reference.levels.skyline import Skyline
from ...reference.storage.format import Format
from ...reference.storage.named_formats import format_of
from ..programs.features import Storage

VECTORS = (
    "Dense",
    "SparseVector",
    "HashVector",
    "hashed(width=4)",
    "bitmap",
    "accumulator",
    "compressed(nonunique)",
    "compressed(unordered)",
    "compressed(nonunique,unordered)",
    "compressed_aos",
)
MATRICES = (
    "CSR",
    "CSC",
    "RowMajor",
    "ColumnMajor",
    "DCSR",
    "DCSC",
    "COO",
    "COO_AoS",
    "compressed(nonunique),singleton(nonunique)",
    "compressed(nonunique,unordered),singleton(unordered)",
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
    "Skyline",
)
TENSORS = ("CSF", "COO", "COO_AoS", "Dense", "ModeGeneric")
NEST = ("dense", "compressed", "compressed(unordered)", "hashed", "bitmap")
RESULT_VECTORS = ("Dense", "SparseVector", "HashVector", "bitmap", "accumulator", "compressed_aos")
RESULT_MATRICES = (
    "RowMajor",
    "CSR",
    "ColumnMajor",
    "CSC",
    "DCSR",
    "COO",
    "COO_AoS",
    "HashRows",
    "HashMap",
    "BCSR(2,2)",
    "CSB(2,3)",
    "hashed,dense",
    "dense,bitmap",
    "compressed,accumulator",
    "DIA",
    "SparseDIA",
    "ELL",
    "Banded",
    "dense,banded; (i,j)->(j,i)",
)
RESULT_TENSORS = ("Dense", "CSF", "COO", "dense,banded,dense")
LOWER = format_of("Skyline")
OPERANDS = Storage((*VECTORS, *MATRICES, *TENSORS), NEST)
RESULTS = Storage((*RESULT_VECTORS, *RESULT_MATRICES, *RESULT_TENSORS), ("dense", "compressed", "hashed"))


def formats(
    order: int, storage: Storage = OPERANDS, *, shape: tuple[int, ...] | None = None, dense_leaves: bool = True
) -> st.SearchStrategy[Format]:
    """Formats of an order, for operands unless other `storage` is given: named ones and nests.

    They store tensors of the shape, if one is given, and without `dense_leaves` nothing that is absent. They shrink
    towards the first that is named.
    """
    steep = shape is not None and order > 1 and not fits(LOWER, shape)
    return formats_of_storage(order, storage, storage in (OPERANDS, RESULTS), steep, dense_leaves)


@cache
def formats_of_storage(
    order: int, storage: Storage, anything: bool, steep: bool, dense_leaves: bool
) -> st.SearchStrategy[Format]:
    """As `formats`: for shapes with more rows than columns if `steep`, with blocks if `anything` may be drawn, and more
    lists of coordinates from three modes on: several of them are merged in a way of their own."""
    if order == 0:
        return st.just(Format(()))
    known = [f for f in storage.formats(order) if not (steep and is_lower(f)) and (dense_leaves or is_free(f))]
    choices: list[st.SearchStrategy[Format]] = [st.sampled_from(known)] * 3 if known else []
    leaves = tuple(level for level in storage.levels if dense_leaves or level != "dense")
    if leaves:
        choices.append(formats_of_levels(order, storage, leaves))
    if anything and order > 2:
        choices += [st.just(format_of("COO", order))] * 4
    if anything and order > 1 and dense_leaves:
        choices.append(block_formats(order, storage))
    return st.sampled_from(choices).flatmap(lambda chosen: chosen)


def is_free(format: Format) -> bool:
    """Whether a format stores nothing that is absent."""
    return not format.dense_leaves


def formats_of_levels(order: int, storage: Storage, leaves: tuple[str, ...]) -> st.SearchStrategy[Format]:
    """Any levels of a storage above some leaf, in any order of modes if it permutes them."""
    outer = st.lists(st.sampled_from(storage.levels), min_size=order - 1, max_size=order - 1)
    levels = st.builds(lambda above, leaf: hash_below_hashed([*above, leaf]), outer, st.sampled_from(leaves))
    modes = st.permutations(range(order)) if storage.permuted else st.just(list(range(order)))
    return st.builds(Format, levels, modes)


def hash_below_hashed(levels: list[str]) -> list[str]:
    """The levels, all hashed below a hashed one that would be appended to: it is filled in no order."""
    if "hashed" not in levels:
        return levels
    first = levels.index("hashed")
    return [*levels[:first], *("hashed" if level.startswith("compressed") else level for level in levels[first:])]


@st.composite
def block_formats(draw: st.DrawFn, order: int, storage: Storage) -> Format:
    """Blocks of a size in one mode or more, most of them dense, below a nest in any order of modes."""
    names = "ijklmnop"[:order]
    sizes = draw(st.lists(st.integers(1, 3), min_size=order, max_size=order))
    split = [n for n in range(order) if sizes[n] > 1] or [0]
    modes = draw(st.permutations(range(order)))
    outer = [f"{names[n]}//{sizes[n]}" if n in split else names[n] for n in modes]
    inner = [f"{names[n]}%{sizes[n]}" for n in split]
    levels = draw(st.lists(st.sampled_from(storage.levels), min_size=order, max_size=order))
    within = st.sampled_from(("dense", "dense", *storage.levels))
    levels += draw(st.lists(within, min_size=len(split), max_size=len(split)))
    return Format(hash_below_hashed(levels), map=f"({','.join(names)})->({','.join([*outer, *inner])})")


def fits(format: Format, shape: tuple[int, ...]) -> bool:
    """Whether a format can store tensors of a shape: a skyline reaches to the diagonal of every row."""
    return shape[0] <= shape[1] if is_lower(format) else True


def is_lower(format: Format) -> bool:
    """Whether a format stores nothing above the diagonal."""
    return any(isinstance(level, Skyline) for level in format.levels)
