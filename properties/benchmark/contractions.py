"""The kernels of SparseAuto's Table 2: the linear nest, and the branched schedule that the search takes for the data.

The loops by hand are those of that schedule. `scipy` computes one product after the other with SciPy and NumPy,
`sparse` with pydata/sparse and NumPy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import scipy.sparse as sp

from ...generator.runtime.processor import last_level_cache
from ...generator.runtime.request import make_request
from ...reference.files.operands import as_tensors
from ...reference.schedule.branched.contraction import contraction_of
from ...reference.schedule.branched.realisation import realise
from ...reference.schedule.branched.search import compare, search
from ...reference.schedule.branched.selection import best_order, fastest, sizes_of
from ...reference.schedule.schedule import Schedule
from ...reference.schedule.settings import AUTO
from ...reference.storage.packing import pack
from ..sparseauto.kernels import KERNELS
from .case import Action, Case, Work, arrays, size
from .inputs import Components, random_tensor
from .peers import Hand, as_sparse

ROWS, PER_ROW, SHAPE, COUNT = 11_000, 39, (120, 100, 1000), 200_000


def winning_cases(hand: Hand) -> Iterator[Case]:
    """The kernels on a uniform matrix and on a uniform tensor."""
    random = np.random.default_rng(0)
    coords = np.unique(random.integers(0, ROWS, (2, ROWS * PER_ROW)), axis=1)
    matrix = (coords, random.random(coords[0].shape), (ROWS, ROWS))
    yield from matrix_cases(hand, f"uniform {ROWS}", matrix, 16, 32)
    yield from cube_cases(hand, "random 120x100x1000", random_tensor(SHAPE, COUNT), 16)


def matrix_cases(hand: Hand, name: str, components: Components, narrow: int, wide: int) -> Iterator[Case]:
    """Those with a sparse matrix."""
    b = pack(*components, KERNELS[1].sparse)
    n, s, rng = b.shape[0], sp.csr_array(b.to_scipy()), np.random.default_rng(0)
    c, d, e = (rng.random((n, narrow)) for _ in range(3))
    f, result = rng.random((narrow, narrow)), np.empty((n, narrow))
    rows = np.repeat(np.arange(n), np.diff(s.indptr))

    def sample() -> Any:
        return sp.csr_array((s.data * np.einsum("pk,pk->p", c[rows], d[s.indices]), s.indices, s.indptr), s.shape)

    own, extents = arrays(b), (n, narrow, narrow)
    by_hand = hand("sddmm_spmm_csr", *extents, *own, c, d, e, result)
    yield winning(1, name, {"B": b, "C": c, "D": d, "E": e}, result, by_hand, lambda: sample() @ e)
    by_hand = hand("sddmm_spmm_gemm_csr", *extents, narrow, *own, c, d, e, f, result)
    operands = {"B": b, "C": c, "D": d, "E": e, "F": f}
    yield winning(2, name, operands, result, by_hand, lambda: sample() @ e @ f)
    g, h = (rng.random((n, wide)) for _ in range(2))
    k, other = rng.random((wide, wide)), np.empty((n, wide))
    by_hand, p = hand("spmmh_gemm_csr", n, wide, wide, *own, g, h, k, other), as_sparse(components)
    theirs = None if p is None else lambda: p @ (g * h) @ k
    yield winning(3, name, {"B": b, "C": g, "D": h, "E": k}, other, by_hand, lambda: s @ (g * h) @ k, theirs)
    by_hand = hand("spmm_gemm_csr", n, wide, wide, *own, g, k, other)
    theirs = None if p is None else lambda: p @ g @ k
    yield winning(4, name, {"B": b, "C": g, "D": k}, other, by_hand, lambda: s @ g @ k, theirs)


def cube_cases(hand: Hand, name: str, components: Components, rank: int) -> Iterator[Case]:
    """Those with a sparse tensor of order 3."""
    b = pack(*components, KERNELS[6].sparse)
    (i, j, _), rng, own = b.shape, np.random.default_rng(0), arrays(b)
    c, e = (rng.random((n, rank)) for n in b.shape[1:])
    coords, vals, shape = components
    fibers = sp.csr_array((vals, (coords[0] * shape[1] + coords[1], coords[2])), (shape[0] * shape[1], shape[2]))
    result = np.empty((i, rank, rank))
    by_hand = hand("spttm_ttm", i, rank, rank, *own, c, e, result)

    def products() -> Any:
        return np.einsum("ijm,jl->ilm", (fibers @ e).reshape(i, j, rank), c, optimize=True)

    t = as_sparse(components)
    theirs = None if t is None else lambda: np.einsum("ijm,jl->ilm", t @ e, c, optimize=True)
    yield winning(6, name, {"B": b, "C": c, "D": e}, result, by_hand, products, theirs)
    square = rng.random((rank, rank))
    into = hand.into("spttm_spttm", (len(own[1]) * rank,), i, rank, rank, *own, e, square)
    yield winning(7, name, {"B": b, "C": e, "D": square}, None, into)
    output = np.empty((i, rank))
    by_hand = hand("mttkrp_gemm", i, rank, rank, *own, e, c, square, output)

    def sum_fibers() -> Any:
        return np.einsum("ijr,jr->ir", (fibers @ e).reshape(i, j, rank), c) @ square

    theirs = None if t is None else lambda: np.einsum("ijr,jr->ir", t @ e, c) @ square
    yield winning(8, name, {"B": b, "C": e, "D": c, "E": square}, output, by_hand, sum_fibers, theirs)


def winning(
    row: int,
    name: str,
    operands: Mapping[str, Any],
    memory: np.ndarray | None,
    by_hand: Action,
    pipeline: Action | None = None,
    theirs: Action | None = None,
) -> Case:
    """A kernel by the linear nest and by the schedule that is taken for its operands, beside its peers."""
    kernel = KERNELS[row]
    named = {"hand": by_hand, "scipy": pipeline, "sparse": theirs}
    peers = {name: each for name, each in named.items() if each is not None}
    moved = size(*operands.values()) + (0 if memory is None else memory.nbytes)
    work = Work(kernel.expression, {"B": kernel.sparse}, operands, out=kernel.out, memory=memory)
    by = {"": chosen_schedule(row, operands), "unasked": AUTO, "linear": ""}
    return Case(kernel.name, name, moved, work, peers, by)


def chosen_schedule(row: int, operands: Mapping[str, Any]) -> str:
    """The commands of the branched schedule for some operands."""
    kernel, tensors = KERNELS[row], as_tensors(operands, None)
    request = make_request(kernel.expression, tensors, out=kernel.out)
    program = request.program
    contraction = contraction_of(program)
    sizes = sizes_of(contraction, tensors)
    assert sizes is not None
    groups = compare(search(contraction)).left.groups
    group = fastest(contraction, groups, sizes, last_level_cache() / np.dtype(float).itemsize)
    return str(Schedule(realise(program, contraction, best_order(contraction, group, sizes)).commands))
