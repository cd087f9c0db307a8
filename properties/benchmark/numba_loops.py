"""Loops for numba: a peer of the benchmark. Each is what somebody would write for one kernel and format."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np


def spmv_csr(pos, crd, a, x, y):
    for i in range(len(pos) - 1):
        t = 0.0
        for p in range(pos[i], pos[i + 1]):
            t += a[p] * x[crd[p]]
        y[i] = t


def spmv_coo(row, col, a, x, y):
    y[:] = 0
    for p in range(len(a)):
        y[row[p]] += a[p] * x[col[p]]


def spmv_dia(offset, a, x, y):
    n, m = len(y), len(x)
    y[:] = 0
    for d in range(len(offset)):
        k = offset[d]
        for i in range(max(0, -k), min(n, m - k)):
            y[i] += a[d * n + i] * x[i + k]


def spmv_ell(crd, a, x, y):
    n = len(y)
    y[:] = 0
    for p in range(len(a)):
        if crd[p] >= 0:
            y[p % n] += a[p] * x[crd[p]]


def spmv_bcsr(pos, crd, a, x, y):
    for i in range(len(pos) - 1):
        t0 = t1 = t2 = 0.0
        for p in range(pos[i], pos[i + 1]):
            v, z = 9 * p, 3 * crd[p]
            t0 += a[v] * x[z] + a[v + 1] * x[z + 1] + a[v + 2] * x[z + 2]
            t1 += a[v + 3] * x[z] + a[v + 4] * x[z + 1] + a[v + 5] * x[z + 2]
            t2 += a[v + 6] * x[z] + a[v + 7] * x[z + 1] + a[v + 8] * x[z + 2]
        y[3 * i], y[3 * i + 1], y[3 * i + 2] = t0, t1, t2


def spmm_csr(pos, crd, a, b, c):
    c[:] = 0
    for i in range(len(pos) - 1):
        for p in range(pos[i], pos[i + 1]):
            for j in range(c.shape[1]):
                c[i, j] += a[p] * b[crd[p], j]


def sddmm_csr(pos, crd, b, d, e):
    c = np.empty_like(b)
    for i in range(len(pos) - 1):
        for p in range(pos[i], pos[i + 1]):
            t = 0.0
            for k in range(d.shape[1]):
                t += d[i, k] * e[crd[p], k]
            c[p] = b[p] * t
    return c


def add_csr(apos, acrd, a, bpos, bcrd, b):
    pos = np.zeros(len(apos), np.int32)
    crd, c = np.empty(len(a) + len(b), np.int32), np.empty(len(a) + len(b))
    q = 0
    for i in range(len(apos) - 1):
        p, r = apos[i], bpos[i]
        while p < apos[i + 1] or r < bpos[i + 1]:
            left = r == bpos[i + 1] or (p < apos[i + 1] and acrd[p] <= bcrd[r])
            right = p == apos[i + 1] or (r < bpos[i + 1] and bcrd[r] <= acrd[p])
            crd[q] = acrd[p] if left else bcrd[r]
            c[q] = (a[p] if left else 0.0) + (b[r] if right else 0.0)
            p, r, q = p + left, r + right, q + 1
        pos[i + 1] = q
    return pos, crd[:q], c[:q]


def spgemm_csr(apos, acrd, a, bpos, bcrd, b, m):
    w, held = np.zeros(m), np.zeros(m, np.bool_)
    pos, row = np.zeros(len(apos), np.int32), np.empty(m, np.int32)
    crd, c = np.empty(1 << 16, np.int32), np.empty(1 << 16)
    q = 0
    for i in range(len(apos) - 1):
        count = 0
        for p in range(apos[i], apos[i + 1]):
            for r in range(bpos[acrd[p]], bpos[acrd[p] + 1]):
                j = bcrd[r]
                if not held[j]:
                    held[j], w[j], row[count] = True, 0.0, j
                    count += 1
                w[j] += a[p] * b[r]
        row[:count].sort()
        while q + count > len(c):
            crd, c = np.append(crd, np.empty_like(crd)), np.append(c, np.empty_like(c))
        for j in row[:count]:
            crd[q], c[q], held[j] = j, w[j], False
            q += 1
        pos[i + 1] = q
    return pos, crd[:q], c[:q]


def ttv_csf(p1, c1, p2, c2, p3, c3, a, x):
    c = np.empty(len(c2))
    for q in range(len(c2)):
        t = 0.0
        for r in range(p3[q], p3[q + 1]):
            t += a[r] * x[c3[r]]
        c[q] = t
    return p1.copy(), c1.copy(), p2.copy(), c2.copy(), c


def ttm_csf(p1, c1, p2, c2, p3, c3, a, b):
    c = np.zeros((len(c2), b.shape[1]))
    for q in range(len(c2)):
        for r in range(p3[q], p3[q + 1]):
            for j in range(b.shape[1]):
                c[q, j] += a[r] * b[c3[r], j]
    return p1.copy(), c1.copy(), p2.copy(), c2.copy(), c


def mttkrp_csf(p1, c1, p2, c2, p3, c3, a, d, e, c):
    c[:] = 0
    for p in range(len(c1)):
        for q in range(p2[p], p2[p + 1]):
            for r in range(p3[q], p3[q + 1]):
                for j in range(c.shape[1]):
                    c[c1[p], j] += a[r] * d[c2[q], j] * e[c3[r], j]


def mttkrp_coo(i, j, k, a, d, e, c):
    c[:] = 0
    for p in range(len(a)):
        for r in range(c.shape[1]):
            c[i[p], r] += a[p] * d[j[p], r] * e[k[p], r]


def inner_coo(ai, aj, ak, a, bi, bj, bk, b):
    t, p, q = 0.0, 0, 0
    while p < len(a) and q < len(b):
        i, j, k = ai[p] - bi[q], aj[p] - bj[q], ak[p] - bk[q]
        by = i if i != 0 else j if j != 0 else k
        if by == 0:
            t += a[p] * b[q]
        p, q = p + (by <= 0), q + (by >= 0)
    return t
