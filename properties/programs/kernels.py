"""The kernels whose C is kept as golden text: the classic ones, unscheduled and scheduled, as requests by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from ...generator.runtime.request import Request, make_request

SPMV = "y(i) = A(i,j) * x(j)"
ADD = "C(i,j) = A(i,j) + B(i,j)"
SPGEMM = "C(i,j) = A(i,k) * B(k,j)"
SDDMM = "C(i,j) = B(i,j) * (D(i,k) * E(k,j))"
TTV = "C(i,j) = A(i,j,k) * x(k)"
PLAIN: dict[str, tuple[str, dict[str, str], str]] = {
    "spmv_coo": (SPMV, {"A": "COO"}, "Dense"),
    "spmv_csr": (SPMV, {"A": "CSR"}, "Dense"),
    "spmv_dcsr": (SPMV, {"A": "DCSR"}, "Dense"),
    "spmv_dia": (SPMV, {"A": "DIA"}, "Dense"),
    "spmv_ell": (SPMV, {"A": "ELL"}, "Dense"),
    "spmv_bcsr": (SPMV, {"A": "BCSR(3,3)"}, "Dense"),
    "spmv_hash": (SPMV, {"A": "HashRows"}, "Dense"),
    "hash_csr": ("C(i,j) = A(i,j)", {"A": "CSR"}, "HashRows"),
    "add_csr": (ADD, {"A": "CSR", "B": "CSR"}, "CSR"),
    "add_coo": (ADD, {"A": "COO", "B": "COO"}, "COO"),
    "plus_coo": ("C(i,j,k) = A(i,j,k) + B(i,j,k)", {"A": "COO", "B": "COO"}, "COO"),
    "add3_dcsr": ("D(i,j) = A(i,j) + B(i,j) + C(i,j)", dict.fromkeys("ABC", "DCSR"), "DCSR"),
    "muladd_csr": ("D(i,j) = A(i,j) * B(i,j) + C(i,j)", dict.fromkeys("ABC", "CSR"), "CSR"),
    "spgemm_csr": (SPGEMM, {"A": "CSR", "B": "CSR"}, "CSR"),
    "spgemm_masked": ("C(i,j)<$M(i,j)> = A(i,k) * B(k,j)", {"A": "CSR", "B": "CSR", "M": "CSR"}, "CSR"),
    "update_csr": ("C(i,j) += A(i,j)", {"A": "CSR", "C": "Dense"}, "Dense"),
    "update_bitmap": ("x(i)<$e(i),merge> = e(i)", {"e": "SparseVector", "x": "bitmap"}, "bitmap"),
    "spmm_csr": (SPGEMM, {"A": "CSR"}, "Dense"),
    "sddmm_csr": (SDDMM, {"B": "CSR", "E": "Dense(1,0)"}, "CSR"),
    "ttv_csf": (TTV, {"A": "CSF"}, "DCSR"),
    "mttkrp_csf": ("C(i,r) = A(i,j,k) * D(j,r) * E(k,r)", {"A": "CSF"}, "Dense"),
    "mttkrp_coo": ("C(i,r) = A(i,j,k) * D(j,r) * E(k,r)", {"A": "COO"}, "Dense"),
}
MTTKRP = {3: "A(i,j,k) * D(j,r) * E(k,r)", 4: "A(i,j,k,l) * D(j,r) * E(k,r) * F(l,r)"}
MTTKRP[5] = "A(i,j,k,l,m) * D(j,r) * E(k,r) * F(l,r) * G(m,r)"
ROWS = "split(i,i0,i1,32),parallelize(i0,CPUThread,NoRaces)"
NONZEROS = "collapse(i,j,f),pos(f,p,A(i,j)),split(p,p0,p1,16),parallelize(p0,CPUThread,Atomics)"
COLUMNS = "split(k,k0,k1,8),reorder(i,k0,j,k1),parallelize(k1,CPUVector,NoRaces)"
F0 = "parallelize(f0,CPUThread,Atomics)"
SCHEDULED: dict[str, tuple[str, dict[str, str], str, str]] = {
    "spmv_rows": (SPMV, {"A": "CSR"}, "Dense", ROWS),
    "spmv_nonzeros": (SPMV, {"A": "CSR"}, "Dense", NONZEROS),
    "spmm_columns": ("C(i,k) = A(i,j) * B(j,k)", {"A": "CSR"}, "Dense", f"{COLUMNS},{ROWS}"),
    "sddmm_rows": (SDDMM, {"B": "CSR", "E": "Dense(1,0)"}, "CSR", ROWS),
    "spgemm_rows": (SPGEMM, {"A": "CSR", "B": "CSR"}, "CSR", ROWS),
    "add_rows": (ADD, {"A": "DCSR", "B": "DCSR"}, "DCSR", ROWS),
    "ttm_flat": ("T(i,j,k) = A(i,l) * B(l,j,k)", {"A": "CSR", "B": "CSF"}, "CSF", "modes=flat"),
    "ttv_tiles": (TTV, {"A": "CSF"}, "Dense", f"collapse(i,j,f),split(f,f0,f1,32),{F0}"),
    "spmspv_columns": (SPMV, {"A": "CSC", "x": "SparseVector"}, "Dense", f"split(j,j0,j1,32),{F0.replace('f0', 'j0')}"),
} | {
    f"mttkrp{n}_rows": (f"C(i,r) = {e}", {"A": ",".join(["compressed"] * n)}, "Dense", ROWS) for n, e in MTTKRP.items()
}

UNITS = "parallelize(block,GPUBlock,{0}),parallelize(warp,GPUWarp,{1}),parallelize(thread,GPUThread,{2})"
ATOMIC = UNITS.format("IgnoreRaces", "IgnoreRaces", "Atomics")
TILES = "split(fpos,block,fpos1,128),split(fpos1,warp,nnz,16)"
LANES = "split({0},dense_val_unbounded,thread,32),bound(dense_val_unbounded,dense_val,4,MaxExact)"
ON_DEVICES: dict[str, tuple[str, dict[str, str], str]] = {
    "dot": ("a = x(i) * y(i)", {}, "auto"),
    "spmv_rows": (
        SPMV,
        {"A": "CSR"},
        "split(i,block,thread,256),parallelize(block,GPUBlock,NoRaces),parallelize(thread,GPUThread,NoRaces)",
    ),
    "spmv_blocks": (SPMV, {"A": "CSR"}, "parallelize(i,GPUBlock,NoRaces),parallelize(j,GPUThread,ParallelReduction)"),
    "spmv_warps": (
        SPMV,
        {"A": "CSR"},
        "split(i,block,block_row,64),split(block_row,warp_row,warp,16),pos(j,jpos,A(i,j)),"
        "split(jpos,thread_nz,thread,32),reorder(block,warp,warp_row,thread,thread_nz),"
        + UNITS.format("IgnoreRaces", "IgnoreRaces", "Temporary"),
    ),
    "spmv_lanes": (SPMV, {"A": "CSR"}, "auto"),
    "spmv_nonzeros": (
        SPMV,
        {"A": "CSR"},
        "collapse(i,j,f),pos(f,fpos,A(i,j)),split(fpos,block,fpos1,4096),split(fpos1,warp,fpos2,512),"
        "split(fpos2,thread,thr_nz,16),reorder(block,warp,thread,thr_nz),"
        f"precompute(A(i,j)*x(j),thr_nz,thr_nz_pre,precomputed),unroll(thr_nz_pre,16),{ATOMIC}",
    ),
    "spmv_segments": (
        SPMV,
        {"A": "CSR"},
        f"collapse(i,j,f),pos(f,p,A(i,j)),split(p,block,p1,4096),split(p1,warp,thread,512),{ATOMIC}",
    ),
    "spmm_nonzeros": (
        "C(i,k) = A(i,j) * B(j,k)",
        {"A": "CSR"},
        f"collapse(i,j,f),pos(f,fpos,A(i,j)),{TILES},{LANES.format('k')},reorder(block,warp,nnz,thread,dense_val),"
        f"unroll(dense_val,4),{ATOMIC}",
    ),
    "sddmm_nonzeros": (
        "A(i,k) = B(i,k) * C(i,j) * D(j,k)",
        {"B": "CSR"},
        f"reorder(i,k,j),collapse(i,k,f),pos(f,fpos,B(i,k)),{TILES},{LANES.format('j')},"
        "reorder(block,warp,nnz,thread,dense_val),unroll(dense_val,4),"
        + UNITS.format("IgnoreRaces", "Atomics", "ParallelReduction"),
    ),
    "sddmm_rows": ("A(i,k) = B(i,k) * C(i,j) * D(k,j)", {"B": "CSR"}, "auto"),
    "sddmm_pieces": (
        "A(i,k) = B(i,k) * C(i,j) * D(k,j)",
        {"B": "CSR"},
        "collapse(i,k,f),pos(f,fpos,B(i,k)),split(fpos,block,nnz,32),split(j,part,lane,32),reorder(block,nnz,lane,part),"
        "parallelize(block,GPUBlock,NoRaces),parallelize(lane,GPUThread,ParallelReduction)",
    ),
    "mttkrp_nonzeros": (
        "A(i,j) = B(i,k,l) * C(k,j) * D(l,j)",
        {"B": "CSF"},
        f"collapse(k,l,kl),collapse(i,kl,f),pos(f,fpos,B(i,k,l)),{TILES},{LANES.format('j')},"
        f"reorder(block,warp,dense_val,thread,nnz),{ATOMIC}",
    ),
    "mul_rows": ("C(i,j) = A(i,j) * B(i,j)", {"A": "CSR", "B": "CSR"}, "parallelize(i,GPUBlock,NoRaces)"),
    "add_rows": (
        "C(i,j) = A(i,j) + B(i,j)",
        {"A": "DCSR", "B": "DCSR"},
        "split(i,i0,i1,32),parallelize(i0,GPUBlock,NoRaces)",
    ),
    "scale_unordered": (
        "C(i,j) = A(i,j) * x(j)",
        {"A": "dense,compressed(unordered)"},
        "parallelize(i,GPUBlock,NoRaces)",
    ),
    "scale_fibers": ("C(i,j,k) = A(i,j,k) * x(k)", {"A": "CSF"}, "parallelize(i,GPUBlock,NoRaces)"),
    "spgemm_rows": (SPGEMM, dict.fromkeys("AB", "CSR"), "parallelize(i,GPUBlock,NoRaces)"),
    "spgemm_blocks": (
        SPGEMM,
        dict.fromkeys("AB", "CSR"),
        "precompute(A(i,k)*B(k,j),{j},{j},w),parallelize(i,GPUBlock,NoRaces),parallelize(j,GPUThread,NoRaces)",
    ),
    "spgemm_lists": (SPGEMM, dict.fromkeys("AB", "CSR"), "auto"),
    "spgemm_tables": (
        SPGEMM,
        dict.fromkeys("AB", "CSR"),
        "parallelize(i,GPUBlock,NoRaces),parallelize(k,GPUThread,Atomics)",
    ),
    "most_of_sums": ("y(i) = max(sum(k, A(k,i)), x(i))", {"A": "CSR"}, "parallelize({0},k,GPUBlock,Atomics)"),
    "less_the_largest": (
        "y(i) = x(i) - max(k, z(k))",
        {"z": "SparseVector"},
        "split({1,1},i,block,thread,256),parallelize({1,1},block,GPUBlock,NoRaces),parallelize({1,1},thread,GPUThread,NoRaces)",
    ),
}

RESULTS_ON_DEVICES = {
    "sddmm_rows": "CSR",
    "sddmm_pieces": "CSR",
    "mul_rows": "CSR",
    "add_rows": "DCSR",
    "scale_unordered": "CSR",
    "scale_fibers": "CSF",
    "spgemm_rows": "CSR",
    "spgemm_blocks": "RowMajor",
    "spgemm_lists": "CSR",
    "spgemm_tables": "dense,hashed",
}
"""The formats of results for GPUs that are not dense."""


def plain(name: str) -> Request:
    """The request for a kernel without a schedule."""
    expression, formats, out = PLAIN[name]
    return make_request(expression, formats, out=out)


def request_with_schedule(name: str) -> Request:
    """The request for a kernel by a schedule."""
    expression, formats, out, schedule = SCHEDULED[name]
    return make_request(expression, formats, out=out, schedule=schedule)


def request_on_device(name: str) -> Request:
    """The request for a kernel for a GPU."""
    expression, formats, schedule = ON_DEVICES[name]
    return make_request(expression, formats, out=RESULTS_ON_DEVICES.get(name), schedule=schedule, target="cuda")


KERNELS: Mapping[str, Callable[[], Request]] = {
    **{name: partial(plain, name) for name in PLAIN},
    **{name: partial(request_with_schedule, name) for name in SCHEDULED},
}
"""What each golden kernel is asked for."""
