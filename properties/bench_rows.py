"""What the benchmark measures: kernels, on inputs, each with its peers."""

from __future__ import annotations

import importlib.util
import operator
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ..generator.kernel import Kernel, compiled
from ..reference.files.scipy_arrays import from_scipy
from ..reference.files.suffix import read
from ..reference.packing import pack
from ..reference.tensor import Tensor
from .bench_inputs import matrices, random_tensor, settled, shifted
from .bench_peers import Action, Hand, arrays, jitted, mkl_product, mkl_sum, tensora_kernel

LARGEST_DENSE = 2 * 10**7
LARGEST_PRODUCT = 6 * 10**7
LARGEST_COPY = 2 * 10**6


@dataclass
class Row:
    """One kernel on one input: what computes it, by name, and the bytes that must move."""

    kernel: str
    input: str
    bytes: float
    ours: Action
    peers: dict[str, Action]
    times: dict[str, float] = field(default_factory=dict)

    def ratio(self, peer: str) -> float | None:
        """How many times as long a peer needs."""
        return self.times[peer] / self.times["gnomon"] if peer in self.times else None


def kernel(expression: str, *, out: str | None = None, schedule: str | None = None, **formats: str) -> Kernel:
    """The generated kernel of an expression."""
    return compiled(expression, formats, out=out, schedule=schedule)


def column_tiles(size: int) -> str:
    """The schedule of a product with a dense matrix that keeps a tile of a row in registers."""
    return f"split(j,j0,j1,{size}),reorder(i,j0,k,j1),parallelize(j1,CPUVector,NoRaces)"


def size(*held: Any) -> int:
    """The bytes of arrays and tensors."""
    return sum(h.nbytes if isinstance(h, np.ndarray) else sum(a.nbytes for a in arrays(h)) for h in held)


def spmv_rows(hand: Hand, name: str, s: Any) -> Iterator[Row]:
    """Sparse matrix times vector in every format that suits the input."""
    spmv = "y(i) = A(i,j) * x(j)"
    n, m = s.shape
    rng = np.random.default_rng(0)
    x, y = rng.random(m), np.empty(n)
    coords, vals = np.stack(s.tocoo().coords), s.data

    def row(format: str, a: Tensor, loop: str, sizes: tuple[int, ...], given: list[np.ndarray], peer: Any) -> Row:
        k = kernel(spmv, A=format.replace("BCSR", "BCSR(3,3)"))
        peers = {"hand": hand(loop, *sizes, *given, x, y), **jitted(loop, *given, x, y)}
        if peer is not None:
            peers["scipy"] = lambda: peer @ x
        return Row(f"SpMV {format}", name, size(a, x, y), lambda: k(A=a, x=x, out=y), peers)

    a = from_scipy(s)
    csr = row("CSR", a, "spmv_csr", (n,), arrays(a), s)
    csr.peers |= mkl_product(s, x)
    if s.nnz < LARGEST_COPY:
        csr.peers |= tensora_kernel(spmv, {"y": "d", "A": "ds", "x": "d"}, A=s, x=x)
    yield csr
    c = pack(coords, vals, s.shape, "COO")
    yield row("COO", c, "spmv_coo", (n, s.nnz), arrays(c)[1:], s.tocoo())
    if "stencil" in name:
        d, e = pack(coords, vals, s.shape, "DIA"), pack(coords, vals, s.shape, "ELL")
        offset = d.shared["offset"]
        yield row("DIA", d, "spmv_dia", (n, m, len(offset)), [offset, d.vals], s.todia())
        yield row("ELL", e, "spmv_ell", (n, e.extents[0]), arrays(e), None)
    if "3x3" in name:
        b = pack(coords, vals, s.shape, "BCSR(3,3)")
        yield row("BCSR", b, "spmv_bcsr", (n // 3,), arrays(b), s.tobsr((3, 3)))


def dense_rows(hand: Hand, name: str, s: Any) -> Iterator[Row]:
    """Products with dense matrices, whole and sampled."""
    n, m = s.shape
    rng = np.random.default_rng(0)
    a = from_scipy(s)
    spmm = "C(i,j) = A(i,k) * B(k,j)"
    for columns in (16, 128):
        if max(n, m) * columns > LARGEST_DENSE:
            continue
        b, c = rng.random((m, columns)), np.empty((n, columns))
        k = kernel(spmm, A="CSR")
        peers: dict[str, Action] = {
            "hand": hand("spmm_csr", n, columns, *arrays(a), b, c),
            "scipy": partial(operator.matmul, s, b),
            **mkl_product(s, b),
            **jitted("spmm_csr", *arrays(a), b, c),
        }
        if s.nnz + b.size < LARGEST_COPY:
            peers |= tensora_kernel(spmm, {"C": "dd", "A": "ds", "B": "dd"}, A=s, B=b)
        yield Row(f"SpMM {columns}", name, size(a, b, c), partial(k, A=a, B=b, out=c), peers)
        tiled = kernel(spmm, A="CSR", schedule=column_tiles(min(columns, 32)))
        yield Row(f"SpMM {columns} tiles", name, size(a, b, c), partial(tiled, A=a, B=b, out=c), dict(peers))
        if columns == 128:
            d = rng.random((n, columns))
            ks = kernel("C(i,j) = B(i,j) * (D(i,k) * E(k,j))", B="CSR", E="Dense(1,0)", out="CSR")
            peers = {
                "hand": hand.into("sddmm_csr", (s.nnz,), n, columns, *arrays(a), d, b),
                **jitted("sddmm_csr", *arrays(a), d, b),
            }
            yield Row("SDDMM 128", name, size(a, a, d, b), partial(ks, B=a, D=d, E=b.T), peers)


def sparse_rows(hand: Hand, name: str, s: Any) -> Iterator[Row]:
    """Sums and products of sparse matrices."""
    n, m = s.shape
    t, pos = shifted(s), np.empty(n + 1, np.int32)
    a, b = from_scipy(s), from_scipy(t)
    both = [*arrays(a), *arrays(b)]
    add = "C(i,j) = A(i,j) + B(i,j)"
    ka = kernel(add, A="CSR", B="CSR", out="CSR")
    peers: dict[str, Action] = {
        "hand": hand("add_csr", n, *both, pos, outputs=2),
        "scipy": lambda: s + t,
        **mkl_sum(s, t),
        **jitted("add_csr", *both),
    }
    if s.nnz < LARGEST_COPY:
        peers |= tensora_kernel(add, {"C": "ds", "A": "ds", "B": "ds"}, A=s, B=t)
    yield Row("CSR + CSR", name, 2 * size(a, b), lambda: ka(A=a, B=b), peers)
    ca, cb = (pack(np.stack(h.tocoo().coords), h.data, h.shape, "COO") for h in (s, t))
    kc = kernel(add, A="COO", B="COO", out="COO")
    given = [len(ca.vals), *arrays(ca)[1:], len(cb.vals), *arrays(cb)[1:]]
    yield Row("COO + COO", name, 2 * size(ca, cb), lambda: kc(A=ca, B=cb), {"hand": hand("add_coo", *given, outputs=3)})
    flops = int(np.diff(s.indptr)[s.indices].sum()) if n == m else LARGEST_PRODUCT
    if flops >= LARGEST_PRODUCT:
        return
    product = "C(i,j) = A(i,k) * B(k,j)"
    kg = kernel(product, A="CSR", B="CSR", out="CSR")
    twice = [*arrays(a), *arrays(a)]
    peers = {
        "hand": hand("spgemm_csr", n, m, *twice, pos, outputs=2),
        "scipy": lambda: (s @ s).sort_indices(),
        **mkl_product(s, s),
        **jitted("spgemm_csr", *twice, m),
    }
    yield Row("SpGEMM", name, 12 * flops, lambda: kg(A=a, B=a), peers)


def tensor_rows(hand: Hand) -> Iterator[Row]:
    """Order-3 kernels on CSF and COO."""
    one, two = (random_tensor((2000, 1500, 1000), 10**6, seed=seed) for seed in (0, 1))
    name = "random 2000x1500x1000"
    f, g = (pack(*t, "CSF") for t in (one, two))
    c, h = (pack(*t, "COO") for t in (one, two))
    yield from contractions(hand, name, one, f, c)
    s, t = as_sparse(one), as_sparse(two)
    plus, inner = "C(i,j,k) = A(i,j,k) + B(i,j,k)", "a = A(i,j,k) * B(i,j,k)"
    coo = [len(c.vals), *arrays(c)[1:], len(h.vals), *arrays(h)[1:]]
    plain = [*arrays(c)[1:], *arrays(h)[1:]]
    csf = [*arrays(f), *arrays(g)]
    product = {} if s is None else {"sparse": lambda: (s * t).sum()}
    total = {} if s is None else {"sparse": lambda: s + t}
    sss = {"A": "sss", "B": "sss"}
    k = {form: kernel(inner, A=form, B=form) for form in ("COO", "CSF")}
    peers = {"hand": hand("inner_coo", *coo), **jitted("inner_coo", *plain), **product}
    yield Row("INNERPROD COO", name, size(c, h), lambda: k["COO"](A=c, B=h), peers)
    peers = {"hand": hand("inner_csf", *csf), **product}
    peers |= tensora_kernel(inner.replace("a =", "a() ="), {"a": "", **sss}, A=one, B=two)
    yield Row("INNERPROD CSF", name, size(f, g), lambda: k["CSF"](A=f, B=g), peers)
    q = {form: kernel(plus, A=form, B=form, out=form) for form in ("COO", "CSF")}
    peers = {"hand": hand("plus_coo", *coo, outputs=4), **total}
    yield Row("PLUS COO", name, 2 * size(c, h), lambda: q["COO"](A=c, B=h), peers)
    peers = {"hand": hand("plus_csf", *csf, outputs=6), **total}
    peers |= tensora_kernel(plus, {"C": "sss", **sss}, A=one, B=two)
    yield Row("PLUS CSF", name, 2 * size(f, g), lambda: q["CSF"](A=f, B=g), peers)


def contractions(hand: Hand, name: str, components: Any, f: Tensor, c: Tensor) -> Iterator[Row]:
    """Products of an order-3 tensor with a vector, a matrix, and two matrices."""
    shape, n = f.shape, 32
    rng = np.random.default_rng(0)
    x, d, e = rng.random(shape[2]), rng.random((shape[1], n)), rng.random((shape[2], n))
    fibers = arrays(f)[3]
    ttv = "C(i,j) = A(i,j,k) * x(k)"
    kt = kernel(ttv, A="CSF", out="DCSR")
    peers: dict[str, Action] = {
        "hand": hand("ttv_csf", *arrays(f), x, outputs=5),
        **jitted("ttv_csf", *arrays(f), x),
        **tensora_kernel(ttv, {"C": "ss", "A": "sss", "x": "d"}, A=components, x=x),
    }
    yield Row("TTV CSF", name, size(f, x, fibers, fibers, fibers), lambda: kt(A=f, x=x), peers)
    ttm = "C(i,j,l) = A(i,j,k) * B(k,l)"
    km = kernel(ttm, A="CSF", out="compressed,compressed,dense")
    peers = {
        "hand": hand("ttm_csf", n, *arrays(f), e, outputs=5),
        **jitted("ttm_csf", *arrays(f), e),
        **tensora_kernel(ttm, {"C": "ssd", "A": "sss", "B": "dd"}, A=components, B=e),
    }
    yield Row("TTM CSF", name, size(f, e) + 8 * n * len(fibers), lambda: km(A=f, B=e), peers)
    result = np.empty((shape[0], n))
    mttkrp = "C(i,r) = A(i,j,k) * D(j,r) * E(k,r)"
    kf, kc = kernel(mttkrp, A="CSF"), kernel(mttkrp, A="COO")
    peers = {
        "hand": hand("mttkrp_csf", shape[0], n, *arrays(f), d, e, result),
        **jitted("mttkrp_csf", *arrays(f), d, e, result),
        **tensora_kernel(mttkrp, {"C": "dd", "A": "sss", "D": "dd", "E": "dd"}, A=components, D=d, E=e),
    }
    yield Row("MTTKRP CSF", name, size(f, d, e, result), lambda: kf(A=f, D=d, E=e, out=result), peers)
    peers = {
        "hand": hand("mttkrp_coo", shape[0], n, len(c.vals), *arrays(c)[1:], d, e, result),
        **jitted("mttkrp_coo", *arrays(c)[1:], d, e, result),
    }
    yield Row("MTTKRP COO", name, size(c, d, e, result), lambda: kc(A=c, D=d, E=e, out=result), peers)


def as_sparse(components: Any) -> Any:
    """A tensor of pydata/sparse, or None."""
    if importlib.util.find_spec("sparse") is None:
        return None
    import sparse

    coords, vals, shape = components
    return sparse.COO(coords, vals, shape)


def rows(hand: Hand) -> Iterator[Row]:
    """Everything that is measured. Files are looked for in $GNOMON_DATA."""
    inputs = dict(matrices())
    folder = Path(os.environ.get("GNOMON_DATA", "../shared/data"))
    for file in ("pushpull.mtx.gz", "bcsstk13.mtx.gz"):
        if (folder / file).exists():
            inputs[file.partition(".")[0]] = settled(read(folder / file, "CSR").to_scipy())
    yield from tensor_rows(hand)
    for group in (spmv_rows, dense_rows, sparse_rows):
        for name, s in inputs.items():
            yield from group(hand, name, s)
