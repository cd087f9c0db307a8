/*
 * C(i,j) = A(i,j,k) * x(k)    by collapse(i,j,f),split(f,f0,f1,32),parallelize(f0,CPUThread,Atomics)
 *
 * C: dense,dense, float64, fill 0.0
 * A: compressed,compressed,compressed, float64, fill 0.0
 * x: dense, float64, fill 0.0
 *
 * ∀f0  [CPUThread Atomics]
 *   ∀f1
 *     ∀k
 *       C(i,j) += A(i,j,k) * x(k)
 */
#include "gnomon.h"

int assemble(gn_tensor *C, const gn_tensor *A, const gn_tensor *x)
{
    (void) C;
    (void) A;
    (void) x;
    return GN_OK;
}

static GN_APART int compute_arrays(const int32_t * restrict A1_pos, const int32_t * restrict A1_crd,
        const int32_t * restrict A2_pos, const int32_t * restrict A2_crd, const int32_t * restrict A3_pos,
        const int32_t * restrict A3_crd, int64_t A1_dimension, int64_t A2_dimension, const double * restrict A_vals,
        const double * restrict x_vals, double * restrict C_vals, int64_t A_size)
{
    for (int64_t p = 0; p < A1_dimension * A2_dimension; p++) {
        C_vals[p] = 0.0;
    }
    const bool f0_pays = gn_pays((double) A_size);
    #pragma omp parallel if (f0_pays)
    {
        /* f0: iterate every f0 */
        int64_t f0_end = (A1_dimension * A2_dimension + 31) / 32;
        #pragma omp for schedule(dynamic, gn_chunk(0, f0_end))
        for (int64_t f0 = 0; f0 < f0_end; f0++) {
            /* i: iterate A */
            int64_t pA1_low = A1_pos[0];
            int64_t pA1_high = A1_pos[1];
            int64_t pA1_begin = pA1_low;
            int64_t pA1_begin_end = pA1_high;
            while (pA1_begin < pA1_begin_end) {
                const int64_t middle = (pA1_begin + pA1_begin_end) / 2;
                if (A1_crd[middle] < f0 * 32 / gn_max_int64(1, A2_dimension)) {
                    pA1_begin = middle + 1;
                } else {
                    pA1_begin_end = middle;
                }
            }
            int64_t pA1_end = pA1_begin;
            int64_t pA1_end_end = pA1_high;
            while (pA1_end < pA1_end_end) {
                const int64_t middle = (pA1_end + pA1_end_end) / 2;
                if (A1_crd[middle] < gn_min_int64(A1_dimension,
                        gn_floordiv_int64(gn_min_int64(A1_dimension * A2_dimension, f0 * 32 + 32) - 1, gn_max_int64(1,
                        A2_dimension)) + 1)) {
                    pA1_end = middle + 1;
                } else {
                    pA1_end_end = middle;
                }
            }
            for (int64_t pA1 = pA1_begin; pA1 < pA1_end; pA1++) {
                const int64_t i = A1_crd[pA1];
                /* j: iterate A */
                int64_t pA2_low = A2_pos[pA1];
                int64_t pA2_high = A2_pos[pA1 + 1];
                int64_t pA2_begin = pA2_low;
                int64_t pA2_begin_end = pA2_high;
                while (pA2_begin < pA2_begin_end) {
                    const int64_t middle = (pA2_begin + pA2_begin_end) / 2;
                    if (A2_crd[middle] < gn_max_int64(0, f0 * 32 - i * A2_dimension)) {
                        pA2_begin = middle + 1;
                    } else {
                        pA2_begin_end = middle;
                    }
                }
                int64_t pA2_end = pA2_begin;
                int64_t pA2_end_end = pA2_high;
                while (pA2_end < pA2_end_end) {
                    const int64_t middle = (pA2_end + pA2_end_end) / 2;
                    if (A2_crd[middle] < gn_min_int64(A2_dimension, gn_min_int64(A1_dimension * A2_dimension,
                            f0 * 32 + 32) - i * A2_dimension)) {
                        pA2_end = middle + 1;
                    } else {
                        pA2_end_end = middle;
                    }
                }
                for (int64_t pA2 = pA2_begin; pA2 < pA2_end; pA2++) {
                    const int64_t j = A2_crd[pA2];
                    int64_t pC2 = i * A2_dimension + j;
                    double tC = C_vals[pC2];
                    /* f1: iterate every f1 */
                    /* k: iterate A; locate x */
                    int64_t pA3_next = A3_pos[pA2];
                    const int64_t pA3_end = A3_pos[pA2 + 1];
                    if (pA3_end - pA3_next >= 16) {
                        double tC_2 = -0.0;
                        double tC_3 = -0.0;
                        double tC_4 = -0.0;
                        for (int64_t pA3 = pA3_next; pA3 < pA3_end - 3; pA3 += 4) {
                            gn_prefetch(A3_crd, pA3 + 256);
                            gn_prefetch(A_vals, pA3 + 256);
                            const int64_t k = A3_crd[pA3];
                            tC += A_vals[pA3] * x_vals[k];
                            const int64_t k_2 = A3_crd[pA3 + 1];
                            tC_2 += A_vals[pA3 + 1] * x_vals[k_2];
                            const int64_t k_3 = A3_crd[pA3 + 2];
                            tC_3 += A_vals[pA3 + 2] * x_vals[k_3];
                            const int64_t k_4 = A3_crd[pA3 + 3];
                            tC_4 += A_vals[pA3 + 3] * x_vals[k_4];
                        }
                        tC = tC + tC_2 + (tC_3 + tC_4);
                        pA3_next += (pA3_end - pA3_next) / 4 * 4;
                    } else {
                        gn_prefetch(A3_crd, pA3_end + 256);
                        gn_prefetch(A_vals, pA3_end + 256);
                    }
                    for (int64_t pA3 = pA3_next; pA3 < pA3_end; pA3++) {
                        const int64_t k = A3_crd[pA3];
                        tC += A_vals[pA3] * x_vals[k];
                    }
                    C_vals[pC2] = tC;
                }
            }
        }
    }
    return GN_OK;
}

int compute(gn_tensor *C, const gn_tensor *A, const gn_tensor *x)
{
    return compute_arrays(A->level[0].array[0], A->level[0].array[1], A->level[1].array[0], A->level[1].array[1],
            A->level[2].array[0], A->level[2].array[1], A->level[0].extent, A->level[1].extent, A->vals, x->vals,
            C->vals, A->size);
}

int evaluate(gn_tensor *C, const gn_tensor *A, const gn_tensor *x)
{
    return compute_arrays(A->level[0].array[0], A->level[0].array[1], A->level[1].array[0], A->level[1].array[1],
            A->level[2].array[0], A->level[2].array[1], A->level[0].extent, A->level[1].extent, A->vals, x->vals,
            C->vals, A->size);
}
