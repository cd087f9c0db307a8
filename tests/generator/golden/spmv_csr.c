/*
 * y(i) = A(i,j) * x(j)
 *
 * y: dense, float64, fill 0.0
 * A: CSR, float64, fill 0.0
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

static GN_APART int compute_arrays(const int32_t * restrict A2_pos, const int32_t * restrict A2_crd,
        int64_t A1_dimension, const double * restrict A_vals, const double * restrict x_vals, double * restrict y_vals)
{
    /* i: iterate every i; locate A */
    for (int64_t i = 0; i < A1_dimension; i++) {
        double ty = 0.0;
        /* j: iterate A; locate x */
        int64_t pA2_next = A2_pos[i];
        const int64_t pA2_end = A2_pos[i + 1];
        if (pA2_end - pA2_next >= 16) {
            double ty_2 = -0.0;
            double ty_3 = -0.0;
            double ty_4 = -0.0;
            for (int64_t pA2 = pA2_next; pA2 < pA2_end - 3; pA2 += 4) {
                gn_prefetch(A2_crd, pA2 + 256);
                gn_prefetch(A_vals, pA2 + 256);
                const int64_t j = A2_crd[pA2];
                ty += A_vals[pA2] * x_vals[j];
                const int64_t j_2 = A2_crd[pA2 + 1];
                ty_2 += A_vals[pA2 + 1] * x_vals[j_2];
                const int64_t j_3 = A2_crd[pA2 + 2];
                ty_3 += A_vals[pA2 + 2] * x_vals[j_3];
                const int64_t j_4 = A2_crd[pA2 + 3];
                ty_4 += A_vals[pA2 + 3] * x_vals[j_4];
            }
            ty = ty + ty_2 + (ty_3 + ty_4);
            pA2_next += (pA2_end - pA2_next) / 4 * 4;
        } else {
            gn_prefetch(A2_crd, pA2_end + 256);
            gn_prefetch(A_vals, pA2_end + 256);
        }
        for (int64_t pA2 = pA2_next; pA2 < pA2_end; pA2++) {
            const int64_t j = A2_crd[pA2];
            ty += A_vals[pA2] * x_vals[j];
        }
        y_vals[i] = ty;
    }
    return GN_OK;
}

int compute(gn_tensor *y, const gn_tensor *A, const gn_tensor *x)
{
    return compute_arrays(A->level[1].array[0], A->level[1].array[1], A->level[0].extent, A->vals, x->vals, y->vals);
}

int evaluate(gn_tensor *y, const gn_tensor *A, const gn_tensor *x)
{
    return compute_arrays(A->level[1].array[0], A->level[1].array[1], A->level[0].extent, A->vals, x->vals, y->vals);
}
