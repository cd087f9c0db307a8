/* The loops that somebody would write by hand for one kernel and one format: what generated code is measured against. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef const int32_t *restrict index_array;
typedef const double *restrict values;

void spmv_csr(int64_t n, index_array pos, index_array crd, values a, values x, double *restrict y)
{
    for (int64_t i = 0; i < n; i++) {
        double t = 0;
        for (int32_t p = pos[i]; p < pos[i + 1]; p++)
            t += a[p] * x[crd[p]];
        y[i] = t;
    }
}

void spmv_coo(int64_t n, int64_t nnz, index_array row, index_array col, values a, values x, double *restrict y)
{
    memset(y, 0, (size_t)n * sizeof(double));
    for (int64_t p = 0; p < nnz; p++)
        y[row[p]] += a[p] * x[col[p]];
}

void spmv_dia(int64_t n, int64_t m, int64_t count, index_array offset, values a, values x, double *restrict y)
{
    memset(y, 0, (size_t)n * sizeof(double));
    for (int64_t d = 0; d < count; d++) {
        const int64_t k = offset[d], begin = k < 0 ? -k : 0, end = m - k < n ? m - k : n;
        for (int64_t i = begin; i < end; i++)
            y[i] += a[d * n + i] * x[i + k];
    }
}

void spmv_ell(int64_t n, int64_t slots, index_array crd, values a, values x, double *restrict y)
{
    memset(y, 0, (size_t)n * sizeof(double));
    for (int64_t s = 0; s < slots; s++)
        for (int64_t i = 0; i < n; i++)
            if (crd[s * n + i] >= 0)
                y[i] += a[s * n + i] * x[crd[s * n + i]];
}

void spmv_bcsr(int64_t blocks, index_array pos, index_array crd, values a, values x, double *restrict y)
{
    for (int64_t i = 0; i < blocks; i++) {
        double t0 = 0, t1 = 0, t2 = 0;
        for (int32_t p = pos[i]; p < pos[i + 1]; p++) {
            const double *v = a + 9 * (int64_t)p, *z = x + 3 * (int64_t)crd[p];
            t0 += v[0] * z[0] + v[1] * z[1] + v[2] * z[2];
            t1 += v[3] * z[0] + v[4] * z[1] + v[5] * z[2];
            t2 += v[6] * z[0] + v[7] * z[1] + v[8] * z[2];
        }
        y[3 * i] = t0;
        y[3 * i + 1] = t1;
        y[3 * i + 2] = t2;
    }
}

void spmspv_csc(int64_t n, int64_t count, index_array pos, index_array crd, values a, index_array xcrd, values x,
                double *restrict y)
{
    memset(y, 0, (size_t)n * sizeof(double));
    for (int64_t q = 0; q < count; q++)
        for (int32_t p = pos[xcrd[q]]; p < pos[xcrd[q] + 1]; p++)
            y[crd[p]] += a[p] * x[q];
}

void spmm_csr(int64_t n, int64_t m, index_array pos, index_array crd, values a, values b, double *restrict c)
{
    memset(c, 0, (size_t)(n * m) * sizeof(double));
    for (int64_t i = 0; i < n; i++)
        for (int32_t p = pos[i]; p < pos[i + 1]; p++)
            for (int64_t j = 0; j < m; j++)
                c[i * m + j] += a[p] * b[crd[p] * m + j];
}

void sddmm_csr(int64_t n, int64_t m, index_array pos, index_array crd, values b, values d, values e, double *restrict c)
{
    for (int64_t i = 0; i < n; i++)
        for (int32_t p = pos[i]; p < pos[i + 1]; p++) {
            double t = 0;
            for (int64_t k = 0; k < m; k++)
                t += d[i * m + k] * e[crd[p] * m + k];
            c[p] = b[p] * t;
        }
}

int64_t add_csr(int64_t n, index_array apos, index_array acrd, values a, index_array bpos, index_array bcrd, values b,
                int32_t *restrict cpos, int32_t **crd, double **vals)
{
    const size_t most = (size_t)(apos[n] + bpos[n]) + 1;
    int32_t *restrict ccrd = malloc(most * sizeof(int32_t));
    double *restrict c = malloc(most * sizeof(double));
    int32_t q = 0;
    cpos[0] = 0;
    for (int64_t i = 0; i < n; i++) {
        int32_t p = apos[i], r = bpos[i];
        while (p < apos[i + 1] && r < bpos[i + 1]) {
            if (acrd[p] == bcrd[r]) {
                ccrd[q] = acrd[p];
                c[q++] = a[p++] + b[r++];
            } else if (acrd[p] < bcrd[r]) {
                ccrd[q] = acrd[p];
                c[q++] = a[p++];
            } else {
                ccrd[q] = bcrd[r];
                c[q++] = b[r++];
            }
        }
        for (; p < apos[i + 1]; p++, q++) {
            ccrd[q] = acrd[p];
            c[q] = a[p];
        }
        for (; r < bpos[i + 1]; r++, q++) {
            ccrd[q] = bcrd[r];
            c[q] = b[r];
        }
        cpos[i + 1] = q;
    }
    *crd = ccrd;
    *vals = c;
    return q;
}

int64_t add_coo(int64_t an, index_array arow, index_array acol, values a, int64_t bn, index_array brow, index_array bcol,
                values b, int32_t **row, int32_t **col, double **vals)
{
    const size_t most = (size_t)(an + bn) + 1;
    int32_t *restrict crow = malloc(most * sizeof(int32_t)), *restrict ccol = malloc(most * sizeof(int32_t));
    double *restrict c = malloc(most * sizeof(double));
    int64_t p = 0, r = 0, q = 0;
    while (p < an || r < bn) {
        const int left = r == bn || (p < an && (arow[p] < brow[r] || (arow[p] == brow[r] && acol[p] <= bcol[r])));
        const int right = p == an || (r < bn && (brow[r] < arow[p] || (brow[r] == arow[p] && bcol[r] <= acol[p])));
        crow[q] = left ? arow[p] : brow[r];
        ccol[q] = left ? acol[p] : bcol[r];
        c[q++] = (left ? a[p] : 0) + (right ? b[r] : 0);
        p += left;
        r += right;
    }
    *row = crow;
    *col = ccol;
    *vals = c;
    return q;
}

static int ascending(const void *a, const void *b) { return *(const int32_t *)a - *(const int32_t *)b; }

typedef double operation(double, double);

static double plus(double a, double b) { return a + b; }

static double times(double a, double b) { return a * b; }

static double least(double a, double b) { return a < b ? a : b; }

static double pair(double a, double b)
{
    (void)a, (void)b;
    return 1;
}

/* One product for all semirings: compilers make a copy for each pair of operations. */
static inline int64_t product(operation add, operation multiply, int64_t n, int64_t m, index_array apos, index_array acrd,
                              values a, index_array bpos, index_array bcrd, values b, int32_t *restrict cpos,
                              int32_t **crd, double **vals)
{
    double *restrict w = malloc((size_t)m * sizeof(double));
    char *restrict held = calloc((size_t)m, 1);
    int32_t *restrict list = malloc((size_t)m * sizeof(int32_t));
    int64_t most = 1 << 16, q = 0;
    int32_t *ccrd = malloc((size_t)most * sizeof(int32_t));
    double *c = malloc((size_t)most * sizeof(double));
    cpos[0] = 0;
    for (int64_t i = 0; i < n; i++) {
        int64_t count = 0;
        for (int32_t p = apos[i]; p < apos[i + 1]; p++)
            for (int32_t r = bpos[acrd[p]]; r < bpos[acrd[p] + 1]; r++) {
                const int32_t j = bcrd[r];
                if (held[j]) {
                    w[j] = add(w[j], multiply(a[p], b[r]));
                } else {
                    held[j] = 1;
                    list[count++] = j;
                    w[j] = multiply(a[p], b[r]);
                }
            }
        qsort(list, (size_t)count, sizeof(int32_t), ascending);
        while (q + count > most) {
            most *= 2;
            ccrd = realloc(ccrd, (size_t)most * sizeof(int32_t));
            c = realloc(c, (size_t)most * sizeof(double));
        }
        for (int64_t k = 0; k < count; k++, q++) {
            ccrd[q] = list[k];
            c[q] = w[list[k]];
            held[list[k]] = 0;
        }
        cpos[i + 1] = (int32_t)q;
    }
    free(w);
    free(held);
    free(list);
    *crd = ccrd;
    *vals = c;
    return q;
}

int64_t spgemm_csr(int64_t n, int64_t m, index_array apos, index_array acrd, values a, index_array bpos, index_array bcrd,
                   values b, int32_t *restrict cpos, int32_t **crd, double **vals)
{
    return product(plus, times, n, m, apos, acrd, a, bpos, bcrd, b, cpos, crd, vals);
}

int64_t min_plus_csr(int64_t n, int64_t m, index_array apos, index_array acrd, values a, index_array bpos,
                     index_array bcrd, values b, int32_t *restrict cpos, int32_t **crd, double **vals)
{
    return product(least, plus, n, m, apos, acrd, a, bpos, bcrd, b, cpos, crd, vals);
}

int64_t plus_pair_csr(int64_t n, int64_t m, index_array apos, index_array acrd, values a, index_array bpos,
                      index_array bcrd, values b, int32_t *restrict cpos, int32_t **crd, double **vals)
{
    return product(plus, pair, n, m, apos, acrd, a, bpos, bcrd, b, cpos, crd, vals);
}

/* How many neighbours the ends of each edge share. */
int64_t triangles_csr(int64_t n, index_array pos, index_array crd, int32_t *restrict cpos, int32_t **crd_made,
                      double **vals)
{
    char *restrict asked = calloc((size_t)n, 1);
    int32_t *restrict count = calloc((size_t)n, sizeof(int32_t));
    int32_t *restrict ccrd = malloc((size_t)pos[n] * sizeof(int32_t) + 1);
    double *restrict c = malloc((size_t)pos[n] * sizeof(double) + 1);
    int32_t q = 0;
    cpos[0] = 0;
    for (int64_t i = 0; i < n; i++) {
        for (int32_t p = pos[i]; p < pos[i + 1]; p++)
            asked[crd[p]] = 1;
        for (int32_t p = pos[i]; p < pos[i + 1]; p++)
            for (int32_t r = pos[crd[p]]; r < pos[crd[p] + 1]; r++)
                if (asked[crd[r]])
                    count[crd[r]]++;
        for (int32_t p = pos[i]; p < pos[i + 1]; p++) {
            const int32_t j = crd[p];
            if (count[j] > 0) {
                ccrd[q] = j;
                c[q++] = count[j];
            }
            asked[j] = 0;
            count[j] = 0;
        }
        cpos[i + 1] = q;
    }
    free(asked);
    free(count);
    *crd_made = ccrd;
    *vals = c;
    return q;
}

static void *copy(const void *array, size_t bytes) { return memcpy(malloc(bytes > 0 ? bytes : 1), array, bytes); }

/* The levels above the contracted one become those of the result. */
static int64_t upper_levels(index_array pos1, index_array crd1, index_array pos2, index_array crd2, int32_t **cpos1,
                            int32_t **ccrd1, int32_t **cpos2, int32_t **ccrd2)
{
    const size_t roots = (size_t)pos1[1], fibers = (size_t)pos2[roots];
    *cpos1 = copy(pos1, 2 * sizeof(int32_t));
    *ccrd1 = copy(crd1, roots * sizeof(int32_t));
    *cpos2 = copy(pos2, (roots + 1) * sizeof(int32_t));
    *ccrd2 = copy(crd2, fibers * sizeof(int32_t));
    return (int64_t)fibers;
}

int64_t ttv_csf(index_array pos1, index_array crd1, index_array pos2, index_array crd2, index_array pos3,
                index_array crd3, values a, values x, int32_t **cpos1, int32_t **ccrd1, int32_t **cpos2,
                int32_t **ccrd2, double **vals)
{
    const int64_t fibers = upper_levels(pos1, crd1, pos2, crd2, cpos1, ccrd1, cpos2, ccrd2);
    double *restrict c = malloc((size_t)fibers * sizeof(double) + 1);
    for (int64_t q = 0; q < fibers; q++) {
        double t = 0;
        for (int32_t r = pos3[q]; r < pos3[q + 1]; r++)
            t += a[r] * x[crd3[r]];
        c[q] = t;
    }
    *vals = c;
    return fibers;
}

int64_t ttm_csf(int64_t m, index_array pos1, index_array crd1, index_array pos2, index_array crd2, index_array pos3,
                index_array crd3, values a, values b, int32_t **cpos1, int32_t **ccrd1, int32_t **cpos2,
                int32_t **ccrd2, double **vals)
{
    const int64_t fibers = upper_levels(pos1, crd1, pos2, crd2, cpos1, ccrd1, cpos2, ccrd2);
    double *restrict c = malloc((size_t)(fibers * m) * sizeof(double) + 1);
    for (int64_t q = 0; q < fibers; q++) {
        memset(c + q * m, 0, (size_t)m * sizeof(double));
        for (int32_t r = pos3[q]; r < pos3[q + 1]; r++)
            for (int64_t l = 0; l < m; l++)
                c[q * m + l] += a[r] * b[crd3[r] * m + l];
    }
    *vals = c;
    return fibers * m;
}

void mttkrp_csf(int64_t n, int64_t m, index_array pos1, index_array crd1, index_array pos2, index_array crd2,
                index_array pos3, index_array crd3, values a, values d, values e, double *restrict c)
{
    memset(c, 0, (size_t)(n * m) * sizeof(double));
    for (int32_t p = pos1[0]; p < pos1[1]; p++)
        for (int32_t q = pos2[p]; q < pos2[p + 1]; q++)
            for (int32_t r = pos3[q]; r < pos3[q + 1]; r++)
                for (int64_t l = 0; l < m; l++)
                    c[crd1[p] * m + l] += a[r] * d[crd2[q] * m + l] * e[crd3[r] * m + l];
}

void ttmc_csf(int64_t ln, int64_t mn, int64_t nn, index_array pos1, index_array crd1, index_array pos2, index_array crd2,
              index_array pos3, index_array crd3, values b, values c, values d, values e, double *restrict a)
{
    double t[mn];
    memset(a, 0, (size_t)(ln * mn * nn) * sizeof(double));
    for (int32_t p = pos1[0]; p < pos1[1]; p++)
        for (int64_t n = 0; n < nn; n++) {
            memset(t, 0, (size_t)mn * sizeof(double));
            for (int32_t q = pos2[p]; q < pos2[p + 1]; q++) {
                double s = 0;
                for (int32_t r = pos3[q]; r < pos3[q + 1]; r++)
                    s += b[r] * e[crd3[r] * nn + n];
                for (int64_t m = 0; m < mn; m++)
                    t[m] += s * d[crd2[q] * mn + m];
            }
            for (int64_t l = 0; l < ln; l++)
                for (int64_t m = 0; m < mn; m++)
                    a[(l * mn + m) * nn + n] += t[m] * c[crd1[p] * ln + l];
        }
}

void sddmm_spmm_csr(int64_t in, int64_t kn, int64_t ln, index_array pos, index_array crd, values b, values c, values d,
                    values e, double *restrict a)
{
    memset(a, 0, (size_t)(in * ln) * sizeof(double));
    for (int64_t i = 0; i < in; i++)
        for (int32_t p = pos[i]; p < pos[i + 1]; p++) {
            const int64_t j = crd[p];
            double t = 0;
            for (int64_t k = 0; k < kn; k++)
                t += b[p] * c[i * kn + k] * d[j * kn + k];
            for (int64_t l = 0; l < ln; l++)
                a[i * ln + l] += t * e[j * ln + l];
        }
}

void sddmm_spmm_gemm_csr(int64_t in, int64_t kn, int64_t ln, int64_t mn, index_array pos, index_array crd, values b,
                         values c, values d, values e, values f, double *restrict a)
{
    double s[ln];
    memset(a, 0, (size_t)(in * mn) * sizeof(double));
    for (int64_t i = 0; i < in; i++) {
        memset(s, 0, (size_t)ln * sizeof(double));
        for (int32_t p = pos[i]; p < pos[i + 1]; p++) {
            const int64_t j = crd[p];
            double t = 0;
            for (int64_t k = 0; k < kn; k++)
                t += b[p] * c[i * kn + k] * d[j * kn + k];
            for (int64_t l = 0; l < ln; l++)
                s[l] += t * e[j * ln + l];
        }
        for (int64_t l = 0; l < ln; l++)
            for (int64_t m = 0; m < mn; m++)
                a[i * mn + m] += s[l] * f[l * mn + m];
    }
}

void spmmh_gemm_csr(int64_t in, int64_t jn, int64_t ln, index_array pos, index_array crd, values b, values c, values d,
                    values e, double *restrict a)
{
    memset(a, 0, (size_t)(in * ln) * sizeof(double));
    for (int64_t i = 0; i < in; i++)
        for (int64_t j = 0; j < jn; j++) {
            double t = 0;
            for (int32_t p = pos[i]; p < pos[i + 1]; p++)
                t += b[p] * c[crd[p] * jn + j] * d[crd[p] * jn + j];
            for (int64_t l = 0; l < ln; l++)
                a[i * ln + l] += t * e[j * ln + l];
        }
}

void spmm_gemm_csr(int64_t in, int64_t kn, int64_t ln, index_array pos, index_array crd, values b, values c, values d,
                   double *restrict a)
{
    memset(a, 0, (size_t)(in * ln) * sizeof(double));
    for (int64_t i = 0; i < in; i++)
        for (int64_t k = 0; k < kn; k++) {
            double t = 0;
            for (int32_t p = pos[i]; p < pos[i + 1]; p++)
                t += b[p] * c[crd[p] * kn + k];
            for (int64_t l = 0; l < ln; l++)
                a[i * ln + l] += t * d[k * ln + l];
        }
}

void spttm_ttm(int64_t in, int64_t ln, int64_t mn, index_array pos2, index_array crd2, index_array pos3,
               index_array crd3, values b, values c, values d, double *restrict a)
{
    memset(a, 0, (size_t)(in * ln * mn) * sizeof(double));
    for (int64_t i = 0; i < in; i++)
        for (int32_t q = pos2[i]; q < pos2[i + 1]; q++)
            for (int64_t m = 0; m < mn; m++) {
                double t = 0;
                for (int32_t r = pos3[q]; r < pos3[q + 1]; r++)
                    t += b[r] * d[crd3[r] * mn + m];
                for (int64_t l = 0; l < ln; l++)
                    a[(i * ln + l) * mn + m] += t * c[crd2[q] * ln + l];
            }
}

void spttm_spttm(int64_t in, int64_t ln, int64_t mn, index_array pos2, index_array crd2, index_array pos3,
                 index_array crd3, values b, values c, values d, double *restrict a)
{
    memset(a, 0, (size_t)(pos2[in] * mn) * sizeof(double));
    for (int32_t q = 0; q < pos2[in]; q++)
        for (int64_t l = 0; l < ln; l++) {
            double t = 0;
            for (int32_t r = pos3[q]; r < pos3[q + 1]; r++)
                t += b[r] * c[crd3[r] * ln + l];
            for (int64_t m = 0; m < mn; m++)
                a[q * mn + m] += t * d[l * mn + m];
        }
}

void mttkrp_gemm(int64_t in, int64_t jn, int64_t mn, index_array pos2, index_array crd2, index_array pos3,
                 index_array crd3, values b, values c, values d, values e, double *restrict a)
{
    memset(a, 0, (size_t)(in * mn) * sizeof(double));
    for (int64_t i = 0; i < in; i++)
        for (int64_t j = 0; j < jn; j++) {
            double t = 0;
            for (int32_t q = pos2[i]; q < pos2[i + 1]; q++)
                for (int32_t r = pos3[q]; r < pos3[q + 1]; r++)
                    t += b[r] * c[crd3[r] * jn + j] * d[crd2[q] * jn + j];
            for (int64_t m = 0; m < mn; m++)
                a[i * mn + m] += t * e[j * mn + m];
        }
}

void mttkrp_coo(int64_t n, int64_t m, int64_t nnz, index_array i, index_array j, index_array k, values a, values d,
                values e, double *restrict c)
{
    memset(c, 0, (size_t)(n * m) * sizeof(double));
    for (int64_t p = 0; p < nnz; p++)
        for (int64_t l = 0; l < m; l++)
            c[i[p] * m + l] += a[p] * d[j[p] * m + l] * e[k[p] * m + l];
}

double inner_coo(int64_t an, index_array ai, index_array aj, index_array ak, values a, int64_t bn, index_array bi,
                 index_array bj, index_array bk, values b)
{
    double t = 0;
    int64_t p = 0, q = 0;
    while (p < an && q < bn) {
        const int32_t by = ai[p] != bi[q] ? ai[p] - bi[q] : aj[p] != bj[q] ? aj[p] - bj[q] : ak[p] - bk[q];
        if (by == 0)
            t += a[p] * b[q];
        p += by <= 0;
        q += by >= 0;
    }
    return t;
}

double inner_csf(index_array apos1, index_array acrd1, index_array apos2, index_array acrd2, index_array apos3,
                 index_array acrd3, values a, index_array bpos1, index_array bcrd1, index_array bpos2,
                 index_array bcrd2, index_array bpos3, index_array bcrd3, values b)
{
    double t = 0;
    for (int32_t p1 = apos1[0], r1 = bpos1[0]; p1 < apos1[1] && r1 < bpos1[1];) {
        const int32_t by1 = acrd1[p1] - bcrd1[r1];
        if (by1 == 0)
            for (int32_t p2 = apos2[p1], r2 = bpos2[r1]; p2 < apos2[p1 + 1] && r2 < bpos2[r1 + 1];) {
                const int32_t by2 = acrd2[p2] - bcrd2[r2];
                if (by2 == 0)
                    for (int32_t p3 = apos3[p2], r3 = bpos3[r2]; p3 < apos3[p2 + 1] && r3 < bpos3[r2 + 1];) {
                        const int32_t by3 = acrd3[p3] - bcrd3[r3];
                        if (by3 == 0)
                            t += a[p3] * b[r3];
                        p3 += by3 <= 0;
                        r3 += by3 >= 0;
                    }
                p2 += by2 <= 0;
                r2 += by2 >= 0;
            }
        p1 += by1 <= 0;
        r1 += by1 >= 0;
    }
    return t;
}

int64_t plus_coo(int64_t an, index_array ai, index_array aj, index_array ak, values a, int64_t bn, index_array bi,
                 index_array bj, index_array bk, values b, int32_t **i, int32_t **j, int32_t **k, double **vals)
{
    const size_t most = (size_t)(an + bn) + 1;
    int32_t *restrict ci = malloc(most * sizeof(int32_t)), *restrict cj = malloc(most * sizeof(int32_t));
    int32_t *restrict ck = malloc(most * sizeof(int32_t));
    double *restrict c = malloc(most * sizeof(double));
    int64_t p = 0, q = 0, r = 0;
    for (; p < an && q < bn; r++) {
        const int32_t by = ai[p] != bi[q] ? ai[p] - bi[q] : aj[p] != bj[q] ? aj[p] - bj[q] : ak[p] - bk[q];
        ci[r] = by <= 0 ? ai[p] : bi[q];
        cj[r] = by <= 0 ? aj[p] : bj[q];
        ck[r] = by <= 0 ? ak[p] : bk[q];
        c[r] = by == 0 ? a[p] + b[q] : by < 0 ? a[p] : b[q];
        p += by <= 0;
        q += by >= 0;
    }
    for (; p < an; p++, r++) {
        ci[r] = ai[p];
        cj[r] = aj[p];
        ck[r] = ak[p];
        c[r] = a[p];
    }
    for (; q < bn; q++, r++) {
        ci[r] = bi[q];
        cj[r] = bj[q];
        ck[r] = bk[q];
        c[r] = b[q];
    }
    *i = ci;
    *j = cj;
    *k = ck;
    *vals = c;
    return r;
}

/* A fiber range of each operand, empty where an operand does not have it, and the next position of each level. */
typedef struct {
    index_array pos2, crd2, pos3, crd3;
    values vals;
} tree;

typedef struct {
    int32_t *restrict crd1, *restrict pos2, *restrict crd2, *restrict pos3, *restrict crd3;
    double *restrict vals;
    int32_t q1, q2, q3;
} forest;

static inline void plus_leaves(const tree *a, const tree *b, int32_t p, int32_t p_end, int32_t r, int32_t r_end, forest *c)
{
    int32_t q = c->q3;
    while (p < p_end && r < r_end) {
        const int32_t by = a->crd3[p] - b->crd3[r];
        c->crd3[q] = by <= 0 ? a->crd3[p] : b->crd3[r];
        c->vals[q++] = by == 0 ? a->vals[p] + b->vals[r] : by < 0 ? a->vals[p] : b->vals[r];
        p += by <= 0;
        r += by >= 0;
    }
    for (; p < p_end; p++, q++) {
        c->crd3[q] = a->crd3[p];
        c->vals[q] = a->vals[p];
    }
    for (; r < r_end; r++, q++) {
        c->crd3[q] = b->crd3[r];
        c->vals[q] = b->vals[r];
    }
    c->q3 = q;
}

static void plus_fibers(const tree *a, const tree *b, int32_t p, int32_t p_end, int32_t r, int32_t r_end, forest *c)
{
    while (p < p_end || r < r_end) {
        const int left = r == r_end || (p < p_end && a->crd2[p] <= b->crd2[r]);
        const int right = p == p_end || (r < r_end && b->crd2[r] <= a->crd2[p]);
        c->crd2[c->q2++] = left ? a->crd2[p] : b->crd2[r];
        plus_leaves(a, b, left ? a->pos3[p] : 0, left ? a->pos3[p + 1] : 0, right ? b->pos3[r] : 0,
                    right ? b->pos3[r + 1] : 0, c);
        c->pos3[c->q2] = c->q3;
        p += left;
        r += right;
    }
}

int64_t plus_csf(index_array apos1, index_array acrd1, index_array apos2, index_array acrd2, index_array apos3,
                 index_array acrd3, values avals, index_array bpos1, index_array bcrd1, index_array bpos2,
                 index_array bcrd2, index_array bpos3, index_array bcrd3, values bvals, int32_t **crd1, int32_t **pos2,
                 int32_t **crd2, int32_t **pos3, int32_t **crd3, double **vals)
{
    const tree a = {apos2, acrd2, apos3, acrd3, avals}, b = {bpos2, bcrd2, bpos3, bcrd3, bvals};
    int32_t p = apos1[0], r = bpos1[0];
    const int32_t p_end = apos1[1], r_end = bpos1[1];
    const size_t roots = (size_t)(p_end + r_end) + 1, fibers = (size_t)(apos2[p_end] + bpos2[r_end]) + 1;
    const size_t leaves = (size_t)(apos3[apos2[p_end]] + bpos3[bpos2[r_end]]) + 1;
    forest c = {malloc(roots * sizeof(int32_t)), malloc(roots * sizeof(int32_t)), malloc(fibers * sizeof(int32_t)),
                malloc(fibers * sizeof(int32_t)), malloc(leaves * sizeof(int32_t)), malloc(leaves * sizeof(double)),
                0, 0, 0};
    c.pos2[0] = c.pos3[0] = 0;
    while (p < p_end || r < r_end) {
        const int left = r == r_end || (p < p_end && acrd1[p] <= bcrd1[r]);
        const int right = p == p_end || (r < r_end && bcrd1[r] <= acrd1[p]);
        c.crd1[c.q1++] = left ? acrd1[p] : bcrd1[r];
        plus_fibers(&a, &b, left ? apos2[p] : 0, left ? apos2[p + 1] : 0, right ? bpos2[r] : 0, right ? bpos2[r + 1] : 0,
                    &c);
        c.pos2[c.q1] = c.q2;
        p += left;
        r += right;
    }
    *crd1 = c.crd1;
    *pos2 = c.pos2;
    *crd2 = c.crd2;
    *pos3 = c.pos3;
    *crd3 = c.crd3;
    *vals = c.vals;
    return c.q3;
}
