/*
 * y(i) = A(i,j) * x(j)    by split(i,i0,i1,32),parallelize(i0,CPUThread,NoRaces)
 *
 * y: dense, float64, fill 0.0
 * A: CSR, float64, fill 0.0
 * x: dense, float64, fill 0.0
 *
 * ∀i0  [CPUThread NoRaces]
 *   ∀i1
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

static GN_APART int compute_arrays(const int32_t * restrict A2_pos, const int32_t * restrict A2_crd,
        int64_t A1_dimension, const double * restrict A_vals, const double * restrict x_vals, double * restrict y_vals,
        int64_t A_size)
{
    const bool i0_pays = gn_pays((double) A_size);
    #pragma omp parallel if (i0_pays)
    {
        /* i0: iterate every i0 */
        int64_t i0_end = (A1_dimension + 31) / 32;
        #pragma omp for schedule(dynamic, gn_chunk(0, i0_end))
        for (int64_t i0 = 0; i0 < i0_end; i0++) {
            /* i: iterate every i; locate A */
            for (int64_t i1 = 0, i1_end = gn_min_int64(32, A1_dimension - i0 * 32); i1 < i1_end; i1++) {
                int64_t i = i0 * 32 + i1;
                double ty = 0.0;
                /* i1: iterate every i1 */
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
        }
    }
    return GN_OK;
}

int compute(gn_tensor *y, const gn_tensor *A, const gn_tensor *x)
{
    return compute_arrays(A->level[1].array[0], A->level[1].array[1], A->level[0].extent, A->vals, x->vals, y->vals,
            A->size);
}

int evaluate(gn_tensor *y, const gn_tensor *A, const gn_tensor *x)
{
    return compute_arrays(A->level[1].array[0], A->level[1].array[1], A->level[0].extent, A->vals, x->vals, y->vals,
            A->size);
}
