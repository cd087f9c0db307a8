/*
 * y(i) = A(i,j) * x(j)    by split(j,j0,j1,32),parallelize(j0,CPUThread,Atomics)
 *
 * y: dense, float64, fill 0.0
 * A: CSC, float64, fill 0.0
 * x: SparseVector, float64, fill 0.0
 *
 * ∀j0  [CPUThread Atomics]
 *   ∀j1
 *     ∀i
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
        int64_t A1_dimension, int64_t A2_dimension, const double * restrict A_vals, const int32_t * restrict x1_pos,
        const int32_t * restrict x1_crd, const double * restrict x_vals, double * restrict y_vals, int64_t A_size,
        int64_t x_size)
{
    for (int64_t p = 0; p < A2_dimension; p++) {
        y_vals[p] = 0.0;
    }
    const bool j0_pays = gn_pays(((double) A_size) * (((double) x_size) / ((double) gn_max_int64(1,
            A1_dimension))) + ((double) A_size) + ((double) x_size) / ((double) gn_max_int64(1, A1_dimension)));
    #pragma omp parallel if (j0_pays)
    {
        /* j0: iterate every j0 */
        int64_t j0_end = (A1_dimension + 31) / 32;
        #pragma omp for schedule(dynamic, gn_chunk(0, j0_end))
        for (int64_t j0 = 0; j0 < j0_end; j0++) {
            /* j: iterate x; locate A */
            int64_t px1_low = x1_pos[0];
            int64_t px1_high = x1_pos[1];
            int64_t px1_begin = px1_low;
            int64_t px1_begin_end = px1_high;
            while (px1_begin < px1_begin_end) {
                const int64_t middle = (px1_begin + px1_begin_end) / 2;
                if (x1_crd[middle] < j0 * 32) {
                    px1_begin = middle + 1;
                } else {
                    px1_begin_end = middle;
                }
            }
            int64_t px1_end = px1_begin;
            int64_t px1_end_end = px1_high;
            while (px1_end < px1_end_end) {
                const int64_t middle = (px1_end + px1_end_end) / 2;
                if (x1_crd[middle] < gn_min_int64(A1_dimension, j0 * 32 + 32)) {
                    px1_end = middle + 1;
                } else {
                    px1_end_end = middle;
                }
            }
            for (int64_t px1 = px1_begin; px1 < px1_end; px1++) {
                const int64_t j = x1_crd[px1];
                /* j1: iterate every j1 */
                /* i: iterate A */
                for (int64_t pA2 = A2_pos[j], pA2_end = A2_pos[j + 1]; pA2 < pA2_end; pA2++) {
                    const int64_t i = A2_crd[pA2];
                    #pragma omp atomic
                    y_vals[i] += A_vals[pA2] * x_vals[px1];
                }
            }
        }
    }
    return GN_OK;
}

int compute(gn_tensor *y, const gn_tensor *A, const gn_tensor *x)
{
    return compute_arrays(A->level[1].array[0], A->level[1].array[1], A->level[0].extent, A->level[1].extent, A->vals,
            x->level[0].array[0], x->level[0].array[1], x->vals, y->vals, A->size, x->size);
}

int evaluate(gn_tensor *y, const gn_tensor *A, const gn_tensor *x)
{
    return compute_arrays(A->level[1].array[0], A->level[1].array[1], A->level[0].extent, A->level[1].extent, A->vals,
            x->level[0].array[0], x->level[0].array[1], x->vals, y->vals, A->size, x->size);
}
