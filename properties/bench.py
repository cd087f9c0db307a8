"""How fast kernels are: `make bench`. Each row is one kernel on one input, timed side by side with its peers.

Peers are the loop written by hand (`hand.c`, built with the same compiler and flags), SciPy, and, where they are
installed, MKL, numba and pydata/sparse. Ratios above 1 mean that the generated kernel is faster. The last column is the
share of the machine's copy bandwidth that the bytes a kernel must move would take in the time it needs.
"""

from __future__ import annotations

import ctypes
import glob
import importlib.util
import json
import operator
import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from math import ceil, exp, log
from pathlib import Path
from statistics import median
from typing import Any

import click
import numpy as np
import scipy.sparse as sp

from ..generator.kernel import Kernel, compiled
from ..generator.request import chosen
from ..reference.files.scipy_arrays import from_scipy
from ..reference.files.suffix import read
from ..reference.packing import pack
from ..reference.tensor import Tensor
from .bench_inputs import matrices, random_tensor, shifted

REPEATS = 7
SAMPLE = 5e-3  # seconds of a row of calls
Action = Callable[[], Any]


@dataclass
class Row:
    """One kernel on one input: what computes it, by name, and the bytes that must move."""

    kernel: str
    input: str
    bytes: float
    ours: Action
    peers: dict[str, Action]
    times: dict[str, float] = field(default_factory=dict)

    def measure(self) -> None:
        """Time everything in turn, so that a slow phase of the machine hits all alike; keep medians.

        Each finds the caches as its own calls left them: a short one is called several times in a row.
        """
        every = {"gnomon": self.ours, **self.peers}
        calls = {name: ceil(SAMPLE / seconds(action, 2)) for name, action in every.items()}
        found: dict[str, list[float]] = {name: [] for name in every}
        for _ in range(REPEATS):
            for name, action in every.items():
                found[name].append(seconds(action, calls[name]))
        self.times = {name: median(times) for name, times in found.items()}

    def ratio(self, peer: str) -> float | None:
        """How many times as long a peer needs."""
        return self.times[peer] / self.times["gnomon"] if peer in self.times else None


def seconds(action: Action, calls: int) -> float:
    """How long one call takes, the first in a row left out if there are several."""
    if calls > 1:
        action()
    start = time.perf_counter()
    for _ in range(calls):
        action()
    return (time.perf_counter() - start) / calls


class Hand:
    """The loops written by hand, as functions on arrays and integers."""

    def __init__(self) -> None:
        folder = tempfile.mkdtemp()
        path = Path(folder) / "hand.so"
        chosen().build(Path(__file__).with_name("hand.c"), path)
        self.library = ctypes.CDLL(str(path))
        self.free = ctypes.CDLL(None).free
        self.free.argtypes = [ctypes.c_void_p]

    def into(self, name: str, shape: tuple[int, ...], *args: Any) -> Action:
        """A call of one loop whose last argument is allocated for each call."""
        return allocating(lambda made: self(name, *args, made)(), shape)

    def __call__(self, name: str, *args: Any, outputs: int = 0) -> Action:
        """A call of one loop; `outputs` arrays that it allocates are freed."""
        function = getattr(self.library, name)
        function.restype = ctypes.c_int64
        given = [ctypes.c_int64(a) if isinstance(a, int) else ctypes.c_void_p(a.ctypes.data) for a in args]

        def action(keep: Any = args) -> None:
            made = [ctypes.c_void_p() for _ in range(outputs)]
            function(*given, *[ctypes.byref(m) for m in made])
            for m in made:
                self.free(m)

        return action


def kernel(expression: str, *, out: str | None = None, **formats: str) -> Kernel:
    """The generated kernel of an expression."""
    return compiled(expression, formats, out=out)


def allocating(action: Callable[[np.ndarray], Any], shape: tuple[int, ...]) -> Action:
    """A loop that writes into memory made for each call, as a kernel whose result is sparse makes its own."""
    return lambda: action(np.empty(shape))


def mkl() -> Any:
    """The MKL wrapper, or None."""
    if importlib.util.find_spec("sparse_dot_mkl") is None:
        return None
    for found in glob.glob(f"{sys.prefix}/lib/libmkl_rt.so*"):
        os.environ.setdefault("MKL_RT", found)
    os.environ.setdefault("MKL_NUM_THREADS", "1")
    try:
        import sparse_dot_mkl
    except ImportError:
        return None
    return sparse_dot_mkl.dot_product_mkl


def jitted() -> Callable[..., Any] | None:
    """SpMV by numba, or None."""
    if importlib.util.find_spec("numba") is None:
        return None
    import numba

    def spmv(pos: Any, crd: Any, a: Any, x: Any, y: Any) -> None:
        for i in range(len(pos) - 1):
            t = 0.0
            for p in range(pos[i], pos[i + 1]):
                t += a[p] * x[crd[p]]
            y[i] = t

    compiled: Callable[..., Any] = numba.njit(spmv)
    return compiled


def arrays(t: Tensor) -> list[np.ndarray]:
    """The index arrays of a tensor in storage order, then its values."""
    own = [a for level in t.levels for a in level.values() if isinstance(a, np.ndarray)]
    return [*own, t.vals]


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
    a = from_scipy(s)
    k, dot, quick = kernel(spmv, A="CSR"), mkl(), jitted()
    peers: dict[str, Action] = {"hand": hand("spmv_csr", n, *arrays(a), x, y), "scipy": lambda: s @ x}
    if dot is not None:
        peers["mkl"] = lambda: dot(sp.csr_matrix(s), x)
    if quick is not None:
        peers["numba"] = lambda: quick(s.indptr, s.indices, s.data, x, y)
    yield Row("SpMV CSR", name, size(a, x, y), lambda: k(A=a, x=x, out=y), peers)
    c, coo = pack(coords, vals, s.shape, "COO"), s.tocoo()
    kc = kernel(spmv, A="COO")
    _, row, col, v = arrays(c)
    peers = {"hand": hand("spmv_coo", n, len(v), row, col, v, x, y), "scipy": lambda: coo @ x}
    yield Row("SpMV COO", name, size(c, x, y), lambda: kc(A=c, x=x, out=y), peers)
    if "stencil" in name:
        d, dia = pack(coords, vals, s.shape, "DIA"), s.todia()
        kd, offset = kernel(spmv, A="DIA"), d.shared["offset"]
        peers = {"hand": hand("spmv_dia", n, m, len(offset), offset, d.vals, x, y), "scipy": lambda: dia @ x}
        yield Row("SpMV DIA", name, size(d, x, y), lambda: kd(A=d, x=x, out=y), peers)
        e, ke = pack(coords, vals, s.shape, "ELL"), kernel(spmv, A="ELL")
        peers = {"hand": hand("spmv_ell", n, e.extents[0], *arrays(e), x, y)}
        yield Row("SpMV ELL", name, size(e, x, y), lambda: ke(A=e, x=x, out=y), peers)
    if "3x3" in name:
        b, bsr, kb = pack(coords, vals, s.shape, "BCSR(3,3)"), s.tobsr((3, 3)), kernel(spmv, A="BCSR(3,3)")
        peers = {"hand": hand("spmv_bcsr", n // 3, *arrays(b), x, y), "scipy": lambda: bsr @ x}
        yield Row("SpMV BCSR", name, size(b, x, y), lambda: kb(A=b, x=x, out=y), peers)


def matrix_rows(hand: Hand, name: str, s: Any) -> Iterator[Row]:
    """Products with dense matrices, sums and sparse products."""
    n, m = s.shape
    rng = np.random.default_rng(0)
    a, dot = from_scipy(s), mkl()
    for columns in (16, 128):
        if max(n, m) * columns > 2 * 10**7:
            continue
        b, c = rng.random((m, columns)), np.empty((n, columns))
        k = kernel("C(i,j) = A(i,k) * B(k,j)", A="CSR")
        peers: dict[str, Action] = {
            "hand": hand("spmm_csr", n, columns, *arrays(a), b, c),
            "scipy": partial(operator.matmul, s, b),
        }
        if dot is not None:
            peers["mkl"] = partial(dot, sp.csr_matrix(s), b)
        yield Row(f"SpMM {columns}", name, size(a, b, c), partial(k, A=a, B=b, out=c), peers)
        if columns == 128:
            d = rng.random((n, columns))
            ks = kernel("C(i,j) = B(i,j) * (D(i,k) * E(k,j))", B="CSR", E="Dense(1,0)", out="CSR")
            peers = {"hand": hand.into("sddmm_csr", (s.nnz,), n, columns, *arrays(a), d, b)}
            yield Row("SDDMM 128", name, size(a, a, d, b), partial(ks, B=a, D=d, E=b.T), peers)
    t = shifted(s)
    other = from_scipy(t)
    ka = kernel("C(i,j) = A(i,j) + B(i,j)", A="CSR", B="CSR", out="CSR")
    pos = np.empty(n + 1, np.int32)
    peers = {"hand": hand("add_csr", n, *arrays(a), *arrays(other), pos, outputs=2), "scipy": lambda: s + t}
    yield Row("CSR + CSR", name, 2 * size(a, other), lambda: ka(A=a, B=other), peers)
    ca, cb = (pack(np.stack(h.tocoo().coords), h.data, h.shape, "COO") for h in (s, t))
    kc = kernel("C(i,j) = A(i,j) + B(i,j)", A="COO", B="COO", out="COO")
    given = [len(ca.vals), *arrays(ca)[1:], len(cb.vals), *arrays(cb)[1:]]
    yield Row("COO + COO", name, 2 * size(ca, cb), lambda: kc(A=ca, B=cb), {"hand": hand("add_coo", *given, outputs=3)})
    flops = int(np.diff(s.indptr)[s.indices].sum()) if n == m else 10**9
    if flops < 6 * 10**7:
        kg = kernel("C(i,j) = A(i,k) * B(k,j)", A="CSR", B="CSR", out="CSR")

        def product() -> None:
            (s @ s).sort_indices()

        peers = {"hand": hand("spgemm_csr", n, m, *arrays(a), *arrays(a), pos, outputs=2), "scipy": product}
        if dot is not None:
            peers["mkl"] = lambda: dot(sp.csr_matrix(s), sp.csr_matrix(s))
        yield Row("SpGEMM", name, 12 * flops, lambda: kg(A=a, B=a), peers)


def tensor_rows(hand: Hand) -> Iterator[Row]:
    """Order-3 kernels on CSF and COO."""
    coords, vals, shape = random_tensor((2000, 1500, 1000), 10**6)
    name, n = "random 2000x1500x1000", 32
    rng = np.random.default_rng(0)
    f, c = pack(coords, vals, shape, "CSF"), pack(coords, vals, shape, "COO")
    p1, c1, p2, c2, p3, c3, v = arrays(f)
    _, i, j, k, cv = arrays(c)
    x, d, e = rng.random(shape[2]), rng.random((shape[1], n)), rng.random((shape[2], n))
    kt = kernel("C(i,j) = A(i,j,k) * x(k)", A="CSF", out="DCSR")
    peers: dict[str, Action] = {"hand": hand.into("ttv_csf", c2.shape, p1, p2, p3, c3, v, x)}
    yield Row("TTV CSF", name, size(f, x, c2), lambda: kt(A=f, x=x), peers)
    km = kernel("C(i,j,l) = A(i,j,k) * B(k,l)", A="CSF", out="compressed,compressed,dense")
    peers = {"hand": hand.into("ttm_csf", (len(c2), n), n, p1, p2, p3, c3, v, e)}
    yield Row("TTM CSF", name, size(f, e) + 8 * n * len(c2), lambda: km(A=f, B=e), peers)
    result = np.empty((shape[0], n))
    expression = "C(i,r) = A(i,j,k) * D(j,r) * E(k,r)"
    kf, kc = kernel(expression, A="CSF"), kernel(expression, A="COO")
    peers = {"hand": hand("mttkrp_csf", shape[0], n, p1, c1, p2, c2, p3, c3, v, d, e, result)}
    yield Row("MTTKRP CSF", name, size(f, d, e, result), lambda: kf(A=f, D=d, E=e, out=result), peers)
    peers = {"hand": hand("mttkrp_coo", shape[0], n, len(cv), i, j, k, cv, d, e, result)}
    yield Row("MTTKRP COO", name, size(c, d, e, result), lambda: kc(A=c, D=d, E=e, out=result), peers)
    more, extra, _ = random_tensor(shape, 10**6, seed=1)
    c_, f_ = pack(more, extra, shape, "COO"), pack(more, extra, shape, "CSF")
    inner = "a = A(i,j,k) * B(i,j,k)"
    ki, kj = kernel(inner, A="COO", B="COO"), kernel(inner, A="CSF", B="CSF")
    peers = {"hand": hand("inner_coo", len(cv), i, j, k, cv, len(c_.vals), *arrays(c_)[1:])}
    if importlib.util.find_spec("sparse") is not None:
        import sparse

        s, t = sparse.COO(coords, vals, shape), sparse.COO(more, extra, shape)
        peers["sparse"] = lambda: (s * t).sum()
    yield Row("INNERPROD COO", name, size(c, c_), lambda: ki(A=c, B=c_), peers)
    yield Row("INNERPROD CSF", name, size(f, f_), lambda: kj(A=f, B=f_), peers)
    plus = "C(i,j,k) = A(i,j,k) + B(i,j,k)"
    kp, kq = kernel(plus, A="COO", B="COO", out="COO"), kernel(plus, A="CSF", B="CSF", out="CSF")
    summed = {} if "sparse" not in peers else {"sparse": lambda: s + t}
    yield Row("PLUS COO", name, 2 * size(c, c_), lambda: kp(A=c, B=c_), dict(summed))
    yield Row("PLUS CSF", name, 2 * size(f, f_), lambda: kq(A=f, B=f_), dict(summed))


def bandwidth() -> float:
    """Bytes a second that copying a large array moves, reads and writes together."""
    a = np.ones(2**24)
    b = np.empty_like(a)
    times = []
    for _ in range(5):
        start = time.perf_counter()
        np.copyto(b, a)
        times.append(time.perf_counter() - start)
    return 2 * a.nbytes / min(times)


def rows(hand: Hand) -> Iterator[Row]:
    """Everything that is measured."""
    inputs = dict(matrices())
    folder = Path(os.environ.get("GNOMON_DATA", "../shared/data"))
    for file in ("pushpull.mtx.gz", "bcsstk13.mtx.gz"):
        if (folder / file).exists():
            inputs[file.partition(".")[0]] = sp.csr_array(read(folder / file, "CSR").to_scipy())
    yield from tensor_rows(hand)
    for name, s in inputs.items():
        yield from spmv_rows(hand, name, s)
    for name, s in inputs.items():
        yield from matrix_rows(hand, name, s)


def geometric(values: list[float]) -> float:
    """The geometric mean."""
    return exp(sum(map(log, values)) / len(values)) if values else float("nan")


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a row.")
@click.option("--only", default="", help="Only kernels whose name starts so.")
def main(as_json: bool, only: str) -> None:
    """Measure and print the table."""
    limit = bandwidth()
    peers = ("hand", "scipy", "mkl", "numba", "sparse")
    measured: list[Row] = []
    if not as_json:
        click.echo(f"{platform.processor() or platform.machine()}, one thread, copies {limit / 1e9:.1f} GB/s\n")
        head = "".join(f"{p:>9}" for p in peers)
        click.echo(f"{'kernel':15}{'input':26}{'ms':>9}{head}{'of copy':>9}")
    for row in rows(Hand()):
        if not row.kernel.startswith(only):
            continue
        row.measure()
        measured.append(row)
        share = row.bytes / row.times["gnomon"] / limit
        if as_json:
            click.echo(json.dumps({"kernel": row.kernel, "input": row.input, "seconds": row.times, "of_copy": share}))
            continue
        ratios = [row.ratio(p) for p in peers]
        cells = "".join(f"{'' if r is None else f'{r:.2f}':>9}" for r in ratios)
        click.echo(f"{row.kernel:15}{row.input:26}{row.times['gnomon'] * 1e3:9.2f}{cells}{share:9.0%}")
    if not as_json:
        means = [geometric([r for row in measured if (r := row.ratio(p)) is not None]) for p in peers]
        click.echo(f"{'geometric mean':50}" + "".join(f"{m:9.2f}" for m in means))


if __name__ == "__main__":
    main()
