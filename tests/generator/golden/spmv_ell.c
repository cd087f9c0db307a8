/*
 * y(i) = A(i,j) * x(j)
 *
 * y: dense, float64, fill 0.0
 * A: ELL, float64, fill 0.0
 * x: dense, float64, fill 0.0
 *
 * ∀r
 *   ∀i
 *     ∀j
 *       y(i) += A(i,j) * x(j)
 */
#include "gnomon.h"

int assemble(gn_tensor *y, const gn_tensor *A, const gn_tensor *x)
{
    (void) y;
    (void) A;
    (void) x;
    return GN_OK;
}

static GN_APART int compute_arrays(const int32_t * restrict A3_crd, int64_t A1_dimension, int64_t A2_dimension,
        const double * restrict A_vals, const double * restrict x_vals, double * restrict y_vals)
{
    for (int64_t p = 0; p < A2_dimension; p++) {
        y_vals[p] = 0.0;
    }
    /* r: iterate every r; locate A */
    for (int64_t r = 0; r < A1_dimension; r++) {
        /* i: iterate every i; locate A */
        for (int64_t i = 0; i < A2_dimension; i++) {
            int64_t pA2 = r * A2_dimension + i;
            /* j: iterate A; locate x */
            const int64_t j = A3_crd[pA2];
            if (A3_crd[pA2] != -1) {
                y_vals[i] += A_vals[pA2] * x_vals[j];
            }
        }
    }
    return GN_OK;
}

int compute(gn_tensor *y, const gn_tensor *A, const gn_tensor *x)
{
    return compute_arrays(A->level[2].array[0], A->level[0].extent, A->level[1].extent, A->vals, x->vals, y->vals);
}

int evaluate(gn_tensor *y, const gn_tensor *A, const gn_tensor *x)
{
    return compute_arrays(A->level[2].array[0], A->level[0].extent, A->level[1].extent, A->vals, x->vals, y->vals);
}
