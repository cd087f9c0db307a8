"""Samples that come with gnomon: a real graph and a family of stencils."""

from __future__ import annotations

import numpy as np

from ..storage.packing import pack
from ..storage.tensor import Tensor

KARATE = (
    "1-2 1-3 1-4 1-5 1-6 1-7 1-8 1-9 1-11 1-12 1-13 1-14 1-18 1-20 1-22 1-32 2-3 2-4 2-8 2-14 2-18 2-20 2-22 2-31 "
    "3-4 3-8 3-9 3-10 3-14 3-28 3-29 3-33 4-8 4-13 4-14 5-7 5-11 6-7 6-11 6-17 7-17 9-31 9-33 9-34 10-34 14-34 "
    "15-33 15-34 16-33 16-34 19-33 19-34 20-34 21-33 21-34 23-33 23-34 24-26 24-28 24-30 24-33 24-34 25-26 25-28 "
    "25-32 26-32 27-30 27-34 28-34 29-32 29-34 30-33 30-34 31-33 31-34 32-33 32-34 33-34"
)


def karate() -> Tensor:
    """The friendships of Zachary's karate club: a symmetric 34 by 34 pattern of 78 edges (Zachary 1977)."""
    edges = np.array([[int(v) - 1 for v in edge.split("-")] for edge in KARATE.split()]).T
    coords = np.concatenate([edges, edges[::-1]], axis=1)
    return pack(coords, np.ones(coords.shape[1]), (34, 34), "CSR")


def poisson_2d(n: int) -> Tensor:
    """The five-point Laplacian on an n by n grid: 4 on the diagonal, -1 for each neighbour.

    >>> poisson_2d(2).to_numpy()[0].tolist()
    [4.0, -1.0, -1.0, 0.0]
    """
    cells = np.arange(n * n).reshape(n, n)
    pairs = [(cells.ravel(), cells.ravel(), 4.0)]
    for a, b in ((cells[:, :-1], cells[:, 1:]), (cells[:-1], cells[1:])):
        pairs += [(a.ravel(), b.ravel(), -1.0), (b.ravel(), a.ravel(), -1.0)]
    rows, columns = (np.concatenate([p[k] for p in pairs]) for k in (0, 1))
    values = np.concatenate([np.full(len(p[0]), p[2]) for p in pairs])
    return pack(np.stack([rows, columns]), values, (n * n, n * n), "CSR")
