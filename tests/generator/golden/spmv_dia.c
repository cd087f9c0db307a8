/*
 * y(i) = A(i,j) * x(j)
 *
 * y: dense, float64, fill 0.0
 * A: DIA, float64, fill 0.0
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

static GN_APART int compute_arrays(const int32_t * restrict A_offset, int64_t A1_dimension, int64_t A2_dimension,
        int64_t A3_dimension, const double * restrict A_vals, const double * restrict x_vals, double * restrict y_vals)
{
    for (int64_t p = 0; p < A2_dimension; p++) {
        y_vals[p] = 0.0;
    }
    /* r: iterate every r; locate A */
    for (int64_t r = 0; r < A1_dimension; r++) {
        /* i: iterate A */
        for (int64_t i = gn_max_int64(0, -((int64_t) A_offset[r])), i_end = gn_min_int64(A2_dimension,
                A3_dimension - A_offset[r]); i < i_end; i++) {
            int64_t pA2 = r * A2_dimension + i;
            /* j: iterate A; locate x */
            const int64_t j = i + A_offset[r];
            y_vals[i] += A_vals[pA2] * x_vals[j];
        }
    }
    return GN_OK;
}

int compute(gn_tensor *y, const gn_tensor *A, const gn_tensor *x)
{
    return compute_arrays(A->shared[0], A->level[0].extent, A->level[1].extent, A->level[2].extent, A->vals, x->vals,
            y->vals);
}

int evaluate(gn_tensor *y, const gn_tensor *A, const gn_tensor *x)
{
    return compute_arrays(A->shared[0], A->level[0].extent, A->level[1].extent, A->level[2].extent, A->vals, x->vals,
            y->vals);
}
