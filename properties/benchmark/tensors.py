"""Kernels of the benchmark on tensors of order 3."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...reference.storage.packing import pack
from ...reference.storage.tensor import Tensor
from .case import Case, Peers, Work, arrays, size
from .inputs import Components, random_tensor, skewed_tensor
from .peers import Hand, as_sparse, numba_peers, tensora_kernel

SHAPE, COUNT, RANK = (2000, 1500, 1000), 10**6, 32
TTV = "C(i,j) = A(i,j,k) * x(k)"
TTM = "C(i,j,l) = A(i,j,k) * B(k,l)"
MTTKRP = "C(i,r) = A(i,j,k) * D(j,r) * E(k,r)"
PLUS = "C(i,j,k) = A(i,j,k) + B(i,j,k)"
INNER = "a = A(i,j,k) * B(i,j,k)"


def tensor_cases(hand: Hand) -> Iterator[Case]:
    """Contractions of a uniform and of a skewed tensor; products and sums of two uniform ones."""
    one, two = (random_tensor(SHAPE, COUNT, seed=seed) for seed in (0, 1))
    yield from contraction_cases(hand, "random 2000x1500x1000", one)
    yield from contraction_cases(hand, "skewed 2000x1500x1000", skewed_tensor(SHAPE, COUNT))
    yield from pair_cases(hand, "random 2000x1500x1000", one, two)


def contraction_cases(hand: Hand, name: str, components: Components) -> Iterator[Case]:
    """Products of a tensor with a vector, a matrix, and two matrices."""
    f, c = pack(*components, "CSF"), pack(*components, "COO")
    shape = f.shape
    rng = np.random.default_rng(0)
    x, d, e = rng.random(shape[2]), rng.random((shape[1], RANK)), rng.random((shape[2], RANK))
    fibers = arrays(f)[3]
    peers: Peers = {
        "hand": hand("ttv_csf", *arrays(f), x, outputs=5),
        **numba_peers("ttv_csf", *arrays(f), x),
        **tensora_kernel(TTV, {"C": "ss", "A": "sss", "x": "d"}, A=components, x=x),
    }
    work = Work(TTV, {"A": "CSF"}, {"A": f, "x": x}, "DCSR")
    yield Case("TTV CSF", name, size(f, x, fibers, fibers, fibers), work, peers)
    peers = {
        "hand": hand("ttm_csf", RANK, *arrays(f), e, outputs=5),
        **numba_peers("ttm_csf", *arrays(f), e),
        **tensora_kernel(TTM, {"C": "ssd", "A": "sss", "B": "dd"}, A=components, B=e),
    }
    work = Work(TTM, {"A": "CSF"}, {"A": f, "B": e}, "compressed,compressed,dense")
    yield Case("TTM CSF", name, size(f, e) + 8 * RANK * len(fibers), work, peers)
    yield from mttkrp_cases(hand, name, components, f, c, d, e)


def mttkrp_cases(
    hand: Hand, name: str, components: Components, f: Tensor, c: Tensor, d: np.ndarray, e: np.ndarray
) -> Iterator[Case]:
    """Products of a tensor in two formats with two matrices."""
    result = np.empty((f.shape[0], RANK))
    formats = {"C": "dd", "A": "sss", "D": "dd", "E": "dd"}
    peers: Peers = {
        "hand": hand("mttkrp_csf", *result.shape, *arrays(f), d, e, result),
        **numba_peers("mttkrp_csf", *arrays(f), d, e, result),
        **tensora_kernel(MTTKRP, formats, A=components, D=d, E=e),
    }
    work = Work(MTTKRP, {"A": "CSF"}, {"A": f, "D": d, "E": e}, memory=result)
    yield Case("MTTKRP CSF", name, size(f, d, e, result), work, peers)
    peers = {
        "hand": hand("mttkrp_coo", *result.shape, len(c.vals), *arrays(c)[1:], d, e, result),
        **numba_peers("mttkrp_coo", *arrays(c)[1:], d, e, result),
    }
    work = Work(MTTKRP, {"A": "COO"}, {"A": c, "D": d, "E": e}, memory=result)
    yield Case("MTTKRP COO", name, size(c, d, e, result), work, peers)


def pair_cases(hand: Hand, name: str, one: Components, two: Components) -> Iterator[Case]:
    """Inner products and sums of two tensors in two formats."""
    f, g = (pack(*t, "CSF") for t in (one, two))
    c, h = (pack(*t, "COO") for t in (one, two))
    s, t = as_sparse(one), as_sparse(two)
    coo = [len(c.vals), *arrays(c)[1:], len(h.vals), *arrays(h)[1:]]
    plain, csf = [*arrays(c)[1:], *arrays(h)[1:]], [*arrays(f), *arrays(g)]
    product: Peers = {} if s is None else {"sparse": lambda: (s * t).sum()}
    total: Peers = {} if s is None else {"sparse": lambda: s + t}
    both = {form: ({"A": form, "B": form}, {"A": a, "B": b}) for form, a, b in (("COO", c, h), ("CSF", f, g))}
    sss = {"A": "sss", "B": "sss"}
    peers: Peers = {"hand": hand.number("inner_coo", *coo), **numba_peers("inner_coo", *plain), **product}
    yield Case("INNERPROD COO", name, size(c, h), Work(INNER, *both["COO"]), peers)
    others = tensora_kernel(INNER.replace("a =", "a() ="), {"a": "", **sss}, A=one, B=two)
    peers = {"hand": hand.number("inner_csf", *csf), **product, **others}
    yield Case("INNERPROD CSF", name, size(f, g), Work(INNER, *both["CSF"]), peers)
    peers = {"hand": hand("plus_coo", *coo, outputs=4), **total}
    yield Case("PLUS COO", name, 2 * size(c, h), Work(PLUS, *both["COO"], "COO"), peers)
    peers = {
        "hand": hand("plus_csf", *csf, outputs=6),
        **total,
        **tensora_kernel(PLUS, {"C": "sss", **sss}, A=one, B=two),
    }
    yield Case("PLUS CSF", name, 2 * size(f, g), Work(PLUS, *both["CSF"], "CSF"), peers)
