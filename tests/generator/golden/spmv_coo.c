/*
 * y(i) = A(i,j) * x(j)
 *
 * y: dense, float64, fill 0.0
 * A: COO, float64, fill 0.0
 * x: dense, float64, fill 0.0
 *
 * ∀i
 *   ∀j
 *     y(i) += A(i,j) * x(j)
 */
#include "gnomon.h"

int assemble(gn_tensor *y, const gn_tensor *A, const gn_tensor *x)
{
    (void) y;
    (void) A;
    (void) x;
    return GN_OK;
}

static GN_APART int compute_arrays(const int32_t * restrict A1_pos, const int32_t * restrict A1_crd,
        const int32_t * restrict A2_crd, int64_t A1_dimension, const double * restrict A_vals,
        const double * restrict x_vals, double * restrict y_vals)
{
    for (int64_t p = 0; p < A1_dimension; p++) {
        y_vals[p] = 0.0;
    }
    if (A1_pos[1] - A1_pos[0] > 6 * A1_dimension) {
        /* i: iterate A; deduplicate A */
        int64_t pA1 = A1_pos[0];
        int64_t pA1_end = A1_pos[1];
        while (pA1 < pA1_end) {
            const int64_t i = A1_crd[pA1];
            double ty = 0.0;
            /* j: iterate A; locate x */
            while (pA1 < pA1_end && A1_crd[pA1] == i) {
                const int64_t j = A2_crd[pA1];
                ty += A_vals[pA1] * x_vals[j];
                pA1++;
            }
            y_vals[i] = ty;
        }
    } else {
        /* i: iterate A; fused */
        const int64_t pA1_end_2 = A1_pos[1];
        for (int64_t pA1_next = A1_pos[0]; pA1_next < pA1_end_2; pA1_next += 8) {
            gn_prefetch(A1_crd, pA1_next + 256);
            gn_prefetch(A2_crd, pA1_next + 256);
            gn_prefetch(A_vals, pA1_next + 256);
            const int64_t pA1_last = gn_min_int64(pA1_next + 8, pA1_end_2);
            for (int64_t pA1 = pA1_next; pA1 < pA1_last; pA1++) {
                const int64_t i = A1_crd[pA1];
                /* j: iterate A; locate x */
                const int64_t j = A2_crd[pA1];
                y_vals[i] += A_vals[pA1] * x_vals[j];
            }
        }
    }
    return GN_OK;
}

int compute(gn_tensor *y, const gn_tensor *A, const gn_tensor *x)
{
    return compute_arrays(A->level[0].array[0], A->level[0].array[1], A->level[1].array[0], A->level[0].extent, A->vals,
            x->vals, y->vals);
}

int evaluate(gn_tensor *y, const gn_tensor *A, const gn_tensor *x)
{
    return compute_arrays(A->level[0].array[0], A->level[0].array[1], A->level[1].array[0], A->level[0].extent, A->vals,
            x->vals, y->vals);
}
