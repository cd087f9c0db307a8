/*
 * y(i) = A(i,j) * x(j)    by collapse(i,j,f),pos(f,p,A(i,j)),split(p,p0,p1,16),parallelize(p0,CPUThread,Atomics)
 *
 * y: dense, float64, fill 0.0
 * A: CSR, float64, fill 0.0
 * x: dense, float64, fill 0.0
 *
 * ∀p0  [CPUThread Atomics]
 *   ∀p1
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
        int64_t A1_dimension, const double * restrict A_vals, const double * restrict x_vals, double * restrict y_vals,
        int64_t A_size)
{
    for (int64_t p = 0; p < A1_dimension; p++) {
        y_vals[p] = 0.0;
    }
    const bool p0_pays = gn_pays((double) A_size);
    #pragma omp parallel if (p0_pays)
    {
        /* p0: iterate every p0 */
        int64_t p0_end = gn_floordiv_int64(((int64_t) A2_pos[A1_dimension]) - A2_pos[0] + 15, 16);
        #pragma omp for schedule(dynamic, gn_chunk(0, p0_end))
        for (int64_t p0 = 0; p0 < p0_end; p0++) {
            /* i: iterate every i; locate A */
            int64_t pA2_first = A2_pos[0] + p0 * 16;
            int64_t pA2_last = A2_pos[0] + gn_min_int64(((int64_t) A2_pos[A1_dimension]) - A2_pos[0], p0 * 16 + 16);
            int64_t pA1_first = 0;
            int64_t pA1_first_end = A1_dimension;
            while (pA1_first < pA1_first_end) {
                const int64_t middle = (pA1_first + pA1_first_end) / 2;
                if (A2_pos[middle + 1] <= pA2_first) {
                    pA1_first = middle + 1;
                } else {
                    pA1_first_end = middle;
                }
            }
            int64_t pA1_last = pA1_first;
            while (pA1_last < A1_dimension && A2_pos[pA1_last] < pA2_last) {
                pA1_last++;
            }
            for (int64_t i = pA1_first, i_end = gn_min_int64(A1_dimension, pA1_last); i < i_end; i++) {
                if (pA2_first <= A2_pos[i] && A2_pos[i + 1] <= pA2_last) {
                    double ty = y_vals[i];
                    /* j: iterate A; locate x */
                    int64_t pA2_next = gn_max_int64(A2_pos[i], pA2_first);
                    const int64_t pA2_end = gn_min_int64(A2_pos[i + 1], pA2_last);
                    if (pA2_end - pA2_next >= 16) {
                        double ty_2 = -0.0;
                        double ty_3 = -0.0;
                        double ty_4 = -0.0;
                        for (int64_t pA2 = pA2_next; pA2 < pA2_end - 3; pA2 += 4) {
                            gn_prefetch(A2_crd, pA2 + 256);
                            gn_prefetch(A_vals, pA2 + 256);
                            const int64_t j = A2_crd[pA2];
                            /* p1: iterate every p1 */
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
                        /* p1: iterate every p1 */
                        ty += A_vals[pA2] * x_vals[j];
                    }
                    y_vals[i] = ty;
                } else {
                    double ty = 0.0;
                    /* j: iterate A; locate x */
                    int64_t pA2_next_2 = gn_max_int64(A2_pos[i], pA2_first);
                    const int64_t pA2_end_2 = gn_min_int64(A2_pos[i + 1], pA2_last);
                    if (pA2_end_2 - pA2_next_2 >= 16) {
                        double ty_2_2 = -0.0;
                        double ty_3_2 = -0.0;
                        double ty_4_2 = -0.0;
                        for (int64_t pA2 = pA2_next_2; pA2 < pA2_end_2 - 3; pA2 += 4) {
                            gn_prefetch(A2_crd, pA2 + 256);
                            gn_prefetch(A_vals, pA2 + 256);
                            const int64_t j = A2_crd[pA2];
                            /* p1: iterate every p1 */
                            ty += A_vals[pA2] * x_vals[j];
                            const int64_t j_5 = A2_crd[pA2 + 1];
                            ty_2_2 += A_vals[pA2 + 1] * x_vals[j_5];
                            const int64_t j_6 = A2_crd[pA2 + 2];
                            ty_3_2 += A_vals[pA2 + 2] * x_vals[j_6];
                            const int64_t j_7 = A2_crd[pA2 + 3];
                            ty_4_2 += A_vals[pA2 + 3] * x_vals[j_7];
                        }
                        ty = ty + ty_2_2 + (ty_3_2 + ty_4_2);
                        pA2_next_2 += (pA2_end_2 - pA2_next_2) / 4 * 4;
                    } else {
                        gn_prefetch(A2_crd, pA2_end_2 + 256);
                        gn_prefetch(A_vals, pA2_end_2 + 256);
                    }
                    for (int64_t pA2 = pA2_next_2; pA2 < pA2_end_2; pA2++) {
                        const int64_t j = A2_crd[pA2];
                        /* p1: iterate every p1 */
                        ty += A_vals[pA2] * x_vals[j];
                    }
                    #pragma omp atomic
                    y_vals[i] += ty;
                }
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
