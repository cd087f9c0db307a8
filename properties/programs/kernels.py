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
    "ttv_tiles": (TTV, {"A": "CSF"}, "Dense", f"collapse(i,j,f),split(f,f0,f1,32),{F0}"),
    "spmspv_columns": (SPMV, {"A": "CSC", "x": "SparseVector"}, "Dense", f"split(j,j0,j1,32),{F0.replace('f0', 'j0')}"),
} | {
    f"mttkrp{n}_rows": (f"C(i,r) = {e}", {"A": ",".join(["compressed"] * n)}, "Dense", ROWS) for n, e in MTTKRP.items()
}


def plain(name: str) -> Request:
    """The request for a kernel without a schedule."""
    expression, formats, out = PLAIN[name]
    return make_request(expression, formats, out=out)


def request_with_schedule(name: str) -> Request:
    """The request for a kernel by a schedule."""
    expression, formats, out, schedule = SCHEDULED[name]
    return make_request(expression, formats, out=out, schedule=schedule)


KERNELS: Mapping[str, Callable[[], Request]] = {
    **{name: partial(plain, name) for name in PLAIN},
    **{name: partial(request_with_schedule, name) for name in SCHEDULED},
}
"""What each golden kernel is asked for."""
