/*
 * y(i) = A(i,j) * x(j)
 *
 * y: dense, float64, fill 0.0
 * A: HashRows, float64, fill 0.0
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

static GN_APART int compute_arrays(const int32_t * restrict A2_crd, int64_t A1_dimension, int64_t my_A2_W,
        const double * restrict A_vals, const double * restrict x_vals, double * restrict y_vals)
{
    /* i: iterate every i; locate A */
    for (int64_t i = 0; i < A1_dimension; i++) {
        double ty = 0.0;
        /* j: iterate A; locate x */
        for (int64_t pA2 = i * my_A2_W; pA2 < (i + 1) * my_A2_W; pA2++) {
            const int64_t j = A2_crd[pA2];
            if (A2_crd[pA2] == -1) {
                continue;
            }
            ty += A_vals[pA2] * x_vals[j];
        }
        y_vals[i] = ty;
    }
    return GN_OK;
}

int compute(gn_tensor *y, const gn_tensor *A, const gn_tensor *x)
{
    return compute_arrays(A->level[1].array[0], A->level[0].extent, A->level[1].parameter[0], A->vals, x->vals,
            y->vals);
}

int evaluate(gn_tensor *y, const gn_tensor *A, const gn_tensor *x)
{
    return compute_arrays(A->level[1].array[0], A->level[0].extent, A->level[1].parameter[0], A->vals, x->vals,
            y->vals);
}
