"""Inputs to measure on: generated at the sizes of Chou 2018, Table 4, and of the same kinds; matrices from files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from ...reference.errors import FileError
from ...reference.files.suffix import read

Components = tuple[np.ndarray, np.ndarray, tuple[int, ...]]
"""Coordinates, values, shape."""


def matrices() -> Iterator[tuple[str, Any]]:
    """A stencil of 13 diagonals, blocks of a finite-element mesh, components anywhere; then skewed ones: a
    power law of columns, and one of rows and columns."""
    yield "stencil13 512K", stencil(80, 3, 2)
    yield "fem 3x3 60K", block_matrix(20_000, 21)
    yield "uniform 64K", uniform(2**16, 8)
    yield "power law 1M", power_law(1_000_000, 4)
    yield "hubs 16K", hubs(14, 8)


def shared_matrices() -> Iterator[tuple[str, Any]]:
    """The square matrices of a folder of files, by name: $GNOMON_DATA, or one beside the working tree, if it is
    there."""
    for path in sorted(Path(os.environ.get("GNOMON_DATA", "../shared/data")).glob("*.mtx*")):
        try:
            found = read(path, "CSR")
        except FileError:
            continue
        if found.shape[0] == found.shape[1]:
            yield path.name.partition(".")[0], sort_indices(found.to_scipy())


def sort_indices(s: Any) -> Any:
    """A CSR array with sorted 32-bit indices."""
    s = sp.csr_array(s)
    s.sum_duplicates()
    s.sort_indices()
    s.indices, s.indptr = s.indices.astype(np.int32), s.indptr.astype(np.int32)
    return s


def stencil(n: int, dimensions: int, reach: int) -> Any:
    """The matrix of a star stencil on a grid of `n` points a side."""
    count = n**dimensions
    offsets = [0] + [sign * r * n**d for d, r, sign in product(range(dimensions), range(1, reach + 1), (1, -1))]
    rng = np.random.default_rng(0)
    return sort_indices(
        sp.diags_array([rng.random(count - abs(k)) for k in offsets], offsets=offsets, shape=(count, count))
    )


def block_matrix(blocks: int, per_row: int) -> Any:
    """A matrix of 3 by 3 blocks near the diagonal, as a finite-element mesh with three unknowns a node gives."""
    rng = np.random.default_rng(0)
    rows = np.repeat(np.arange(blocks), per_row)
    columns = np.clip(rows + rng.integers(-40, 40, rows.size), 0, blocks - 1)
    pattern = sp.coo_array((np.ones(rows.size), (rows, columns)), shape=(blocks, blocks)).tocsr()
    s = sort_indices(sp.kron(pattern, np.ones((3, 3))))
    s.data[:] = rng.random(s.nnz)
    return s


def power_law(n: int, per_row: int) -> Any:
    """A matrix whose columns are drawn by a power law."""
    rng = np.random.default_rng(0)
    columns = rng.zipf(1.6, n * per_row) % n
    return sort_indices(
        sp.coo_array((rng.random(columns.size), (rng.integers(0, n, columns.size), columns)), shape=(n, n))
    )


def uniform(n: int, per_row: int) -> Any:
    """A matrix whose components lie anywhere."""
    rng = np.random.default_rng(0)
    rows, columns = rng.integers(0, n, (2, n * per_row))
    return sort_indices(sp.coo_array((rng.random(rows.size), (rows, columns)), shape=(n, n)))


def hubs(bits: int, per_row: int) -> Any:
    """A graph with a few nodes that most edges meet: each edge falls, bit by bit, into a quarter of the matrix, with
    the probabilities of Graph500 (R-MAT, Chakrabarti et al. 2004)."""
    rng, n = np.random.default_rng(0), 2**bits
    quarters = rng.choice(4, (bits, n * per_row), p=(0.57, 0.19, 0.19, 0.05))
    place = 2 ** np.arange(bits)
    rows, columns = place @ (quarters // 2), place @ (quarters % 2)
    return sort_indices(sp.coo_array((rng.random(rows.size), (rows, columns)), shape=(n, n)))


def shift_columns(s: Any) -> Any:
    """The matrix with its columns moved by one: a pattern that overlaps in part."""
    coo = s.tocoo()
    rows, columns = coo.coords
    return sort_indices(sp.coo_array((coo.data, (rows, (columns + 1) % s.shape[1])), shape=s.shape))


def random_tensor(shape: tuple[int, ...], count: int, seed: int = 0) -> Components:
    """Coordinates without duplicates, values and shape of a tensor."""
    rng = np.random.default_rng(seed)
    flat = np.unique(rng.integers(0, np.prod(shape), count))
    return np.stack(np.unravel_index(flat, shape)), rng.random(flat.size), shape


def even_tensor(shape: tuple[int, int, int], fibers: int, components: int) -> Components:
    """A tensor with so many fibers in each slice, and so many components in each of them, anywhere."""
    rng, (i, j, k) = np.random.default_rng(0), shape
    second = [np.sort(rng.choice(j, fibers, replace=False)) for _ in range(i)]
    third = [np.sort(rng.choice(k, components, replace=False)) for _ in range(i * fibers)]
    first = np.repeat(np.arange(i), fibers * components)
    coords = np.stack([first, np.repeat(np.concatenate(second), components), np.concatenate(third)])
    return coords, rng.random(first.size), shape


def skewed_tensor(shape: tuple[int, ...], count: int) -> Components:
    """The same of a tensor whose first coordinates are drawn by a power law: a few slices hold most of it."""
    rng = np.random.default_rng(0)
    flat = (rng.zipf(1.6, count) % shape[0]) * int(np.prod(shape[1:])) + rng.integers(0, np.prod(shape[1:]), count)
    flat = np.unique(flat)
    return np.stack(np.unravel_index(flat, shape)), rng.random(flat.size), shape
