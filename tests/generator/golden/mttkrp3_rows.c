/*
 * C(i,r) = A(i,j,k) * D(j,r) * E(k,r)    by split(i,i0,i1,32),parallelize(i0,CPUThread,NoRaces)
 *
 * C: dense,dense, float64, fill 0.0
 * A: compressed,compressed,compressed, float64, fill 0.0
 * D: dense,dense, float64, fill 0.0
 * E: dense,dense, float64, fill 0.0
 *
 * ∀i0  [CPUThread NoRaces]
 *   ∀i1
 *     ∀j
 *       ∀k
 *         ∀r
 *           C(i,r) += A(i,j,k) * E(k,r) * D(j,r)
 */
#include "gnomon.h"

int assemble(gn_tensor *C, const gn_tensor *A, const gn_tensor *D, const gn_tensor *E)
{
    (void) C;
    (void) A;
    (void) D;
    (void) E;
    return GN_OK;
}

static GN_APART int compute_arrays(const int32_t * restrict A1_pos, const int32_t * restrict A1_crd,
        const int32_t * restrict A2_pos, const int32_t * restrict A2_crd, const int32_t * restrict A3_pos,
        const int32_t * restrict A3_crd, int64_t A1_dimension, const double * restrict A_vals, int64_t D2_dimension,
        const double * restrict D_vals, const double * restrict E_vals, double * restrict C_vals, int64_t A_size)
{
    for (int64_t p = 0; p < A1_dimension * D2_dimension; p++) {
        C_vals[p] = 0.0;
    }
    const bool i0_pays = gn_pays(((double) A_size) * ((double) D2_dimension));
    #pragma omp parallel if (i0_pays)
    {
        /* i0: iterate every i0 */
        int64_t i0_end = (A1_dimension + 31) / 32;
        #pragma omp for schedule(dynamic, gn_chunk(0, i0_end))
        for (int64_t i0 = 0; i0 < i0_end; i0++) {
            /* i: iterate A */
            int64_t pA1_low = A1_pos[0];
            int64_t pA1_high = A1_pos[1];
            int64_t pA1_begin = pA1_low;
            int64_t pA1_begin_end = pA1_high;
            while (pA1_begin < pA1_begin_end) {
                const int64_t middle = (pA1_begin + pA1_begin_end) / 2;
                if (A1_crd[middle] < i0 * 32) {
                    pA1_begin = middle + 1;
                } else {
                    pA1_begin_end = middle;
                }
            }
            int64_t pA1_end = pA1_begin;
            int64_t pA1_end_end = pA1_high;
            while (pA1_end < pA1_end_end) {
                const int64_t middle = (pA1_end + pA1_end_end) / 2;
                if (A1_crd[middle] < gn_min_int64(A1_dimension, i0 * 32 + 32)) {
                    pA1_end = middle + 1;
                } else {
                    pA1_end_end = middle;
                }
            }
            for (int64_t pA1 = pA1_begin; pA1 < pA1_end; pA1++) {
                const int64_t i = A1_crd[pA1];
                /* i1: iterate every i1 */
                /* j: iterate A; locate D */
                for (int64_t pA2 = A2_pos[pA1], pA2_end = A2_pos[pA1 + 1]; pA2 < pA2_end; pA2++) {
                    const int64_t j = A2_crd[pA2];
                    /* k: iterate A; locate E */
                    for (int64_t pA3 = A3_pos[pA2], pA3_end = A3_pos[pA2 + 1]; pA3 < pA3_end; pA3++) {
                        const int64_t k = A3_crd[pA3];
                        /* r: iterate every r; locate E, D */
                        for (int64_t r = 0; r < D2_dimension; r++) {
                            int64_t pE2 = k * D2_dimension + r;
                            int64_t pD2 = j * D2_dimension + r;
                            int64_t pC2 = i * D2_dimension + r;
                            C_vals[pC2] += A_vals[pA3] * E_vals[pE2] * D_vals[pD2];
                        }
                    }
                }
            }
        }
    }
    return GN_OK;
}

int compute(gn_tensor *C, const gn_tensor *A, const gn_tensor *D, const gn_tensor *E)
{
    return compute_arrays(A->level[0].array[0], A->level[0].array[1], A->level[1].array[0], A->level[1].array[1],
            A->level[2].array[0], A->level[2].array[1], A->level[0].extent, A->vals, D->level[1].extent, D->vals,
            E->vals, C->vals, A->size);
}

int evaluate(gn_tensor *C, const gn_tensor *A, const gn_tensor *D, const gn_tensor *E)
{
    return compute_arrays(A->level[0].array[0], A->level[0].array[1], A->level[1].array[0], A->level[1].array[1],
            A->level[2].array[0], A->level[2].array[1], A->level[0].extent, A->vals, D->level[1].extent, D->vals,
            E->vals, C->vals, A->size);
}
