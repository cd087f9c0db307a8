/*
 * C(i,k) = A(i,j) * B(j,k)    by split(k,k0,k1,8),reorder(i,k0,j,k1),parallelize(k1,CPUVector,NoRaces),split(i,i0,i1,32),parallelize(i0,CPUThread,NoRaces)
 *
 * C: dense,dense, float64, fill 0.0
 * A: CSR, float64, fill 0.0
 * B: dense,dense, float64, fill 0.0
 *
 * ∀i0  [CPUThread NoRaces]
 *   ∀i1
 *     ∀k0
 *       ∀j
 *         ∀k1  [CPUVector NoRaces]
 *           C(i,k) += A(i,j) * B(j,k)
 */
#include "gnomon.h"

int assemble(gn_tensor *C, const gn_tensor *A, const gn_tensor *B)
{
    (void) C;
    (void) A;
    (void) B;
    return GN_OK;
}

static GN_APART int compute_arrays(const int32_t * restrict A2_pos, const int32_t * restrict A2_crd,
        int64_t A1_dimension, const double * restrict A_vals, int64_t B2_dimension, const double * restrict B_vals,
        double * restrict C_vals, int64_t A_size)
{
    for (int64_t p = 0; p < A1_dimension * B2_dimension; p++) {
        C_vals[p] = 0.0;
    }
    const bool i0_pays = gn_pays(((double) A_size) * ((double) B2_dimension));
    #pragma omp parallel if (i0_pays)
    {
        /* i0: iterate every i0 */
        int64_t i0_end = (A1_dimension + 31) / 32;
        #pragma omp for schedule(dynamic, gn_chunk(0, i0_end))
        for (int64_t i0 = 0; i0 < i0_end; i0++) {
            /* i: iterate every i; locate A */
            for (int64_t i1 = 0, i1_end = gn_min_int64(32, A1_dimension - i0 * 32); i1 < i1_end; i1++) {
                int64_t i = i0 * 32 + i1;
                /* i1: iterate every i1 */
                /* k0: iterate every k0 */
                for (int64_t k0 = 0; k0 < (B2_dimension + 7) / 8; k0++) {
                    if ((k0 + 1) * 8 <= B2_dimension) {
                        double tC[8];
                        for (int64_t k1 = 0; k1 < 8; k1++) {
                            int64_t pC2 = i * B2_dimension + (k0 * 8 + k1);
                            tC[k1] = C_vals[pC2];
                        }
                        /* j: iterate A; locate B */
                        for (int64_t pA2 = A2_pos[i], pA2_end = A2_pos[i + 1]; pA2 < pA2_end; pA2++) {
                            const int64_t j = A2_crd[pA2];
                            /* k: iterate every k; locate B */
                            #pragma omp simd
                            for (int64_t k1 = 0; k1 < 8; k1++) {
                                int64_t k = k0 * 8 + k1;
                                int64_t pB2 = j * B2_dimension + k;
                                /* k1: iterate every k1 */
                                tC[k1] += A_vals[pA2] * B_vals[pB2];
                            }
                        }
                        for (int64_t k1 = 0; k1 < 8; k1++) {
                            int64_t pC2 = i * B2_dimension + (k0 * 8 + k1);
                            C_vals[pC2] = tC[k1];
                        }
                    } else {
                        int64_t k1_count = gn_min_int64(8, B2_dimension - k0 * 8);
                        if (k1_count % 8 >= 4) {
                            int64_t k1_first = k1_count / 8 * 8;
                            double tC[4];
                            for (int64_t k1 = 0; k1 < 4; k1++) {
                                int64_t pC2 = i * B2_dimension + (k0 * 8 + (k1_first + k1));
                                tC[k1] = C_vals[pC2];
                            }
                            /* j: iterate A; locate B */
                            for (int64_t pA2 = A2_pos[i], pA2_end = A2_pos[i + 1]; pA2 < pA2_end; pA2++) {
                                const int64_t j = A2_crd[pA2];
                                /* k: iterate every k; locate B */
                                #pragma omp simd
                                for (int64_t k1 = 0; k1 < 4; k1++) {
                                    int64_t k = k0 * 8 + (k1_first + k1);
                                    int64_t pB2 = j * B2_dimension + k;
                                    /* k1: iterate every k1 */
                                    tC[k1] += A_vals[pA2] * B_vals[pB2];
                                }
                            }
                            for (int64_t k1 = 0; k1 < 4; k1++) {
                                int64_t pC2 = i * B2_dimension + (k0 * 8 + (k1_first + k1));
                                C_vals[pC2] = tC[k1];
                            }
                        }
                        if (k1_count % 4 > 0) {
                            if (k1_count % 4 == 3) {
                                int64_t k1_first = k1_count / 4 * 4;
                                double tC[3];
                                for (int64_t k1 = 0; k1 < 3; k1++) {
                                    int64_t pC2 = i * B2_dimension + (k0 * 8 + (k1_first + k1));
                                    tC[k1] = C_vals[pC2];
                                }
                                /* j: iterate A; locate B */
                                for (int64_t pA2 = A2_pos[i], pA2_end = A2_pos[i + 1]; pA2 < pA2_end; pA2++) {
                                    const int64_t j = A2_crd[pA2];
                                    /* k: iterate every k; locate B */
                                    for (int64_t k1 = 0; k1 < 3; k1++) {
                                        int64_t k = k0 * 8 + (k1_first + k1);
                                        int64_t pB2 = j * B2_dimension + k;
                                        /* k1: iterate every k1 */
                                        tC[k1] += A_vals[pA2] * B_vals[pB2];
                                    }
                                }
                                for (int64_t k1 = 0; k1 < 3; k1++) {
                                    int64_t pC2 = i * B2_dimension + (k0 * 8 + (k1_first + k1));
                                    C_vals[pC2] = tC[k1];
                                }
                            }
                            if (k1_count % 4 == 2) {
                                int64_t k1_first = k1_count / 4 * 4;
                                double tC[2];
                                for (int64_t k1 = 0; k1 < 2; k1++) {
                                    int64_t pC2 = i * B2_dimension + (k0 * 8 + (k1_first + k1));
                                    tC[k1] = C_vals[pC2];
                                }
                                /* j: iterate A; locate B */
                                for (int64_t pA2 = A2_pos[i], pA2_end = A2_pos[i + 1]; pA2 < pA2_end; pA2++) {
                                    const int64_t j = A2_crd[pA2];
                                    /* k: iterate every k; locate B */
                                    for (int64_t k1 = 0; k1 < 2; k1++) {
                                        int64_t k = k0 * 8 + (k1_first + k1);
                                        int64_t pB2 = j * B2_dimension + k;
                                        /* k1: iterate every k1 */
                                        tC[k1] += A_vals[pA2] * B_vals[pB2];
                                    }
                                }
                                for (int64_t k1 = 0; k1 < 2; k1++) {
                                    int64_t pC2 = i * B2_dimension + (k0 * 8 + (k1_first + k1));
                                    C_vals[pC2] = tC[k1];
                                }
                            }
                            if (k1_count % 4 == 1) {
                                int64_t k1_first = k1_count / 4 * 4;
                                double tC[1];
                                for (int64_t k1 = 0; k1 < 1; k1++) {
                                    int64_t pC2 = i * B2_dimension + (k0 * 8 + (k1_first + k1));
                                    tC[k1] = C_vals[pC2];
                                }
                                /* j: iterate A; locate B */
                                for (int64_t pA2 = A2_pos[i], pA2_end = A2_pos[i + 1]; pA2 < pA2_end; pA2++) {
                                    const int64_t j = A2_crd[pA2];
                                    /* k: iterate every k; locate B */
                                    for (int64_t k1 = 0; k1 < 1; k1++) {
                                        int64_t k = k0 * 8 + (k1_first + k1);
                                        int64_t pB2 = j * B2_dimension + k;
                                        /* k1: iterate every k1 */
                                        tC[k1] += A_vals[pA2] * B_vals[pB2];
                                    }
                                }
                                for (int64_t k1 = 0; k1 < 1; k1++) {
                                    int64_t pC2 = i * B2_dimension + (k0 * 8 + (k1_first + k1));
                                    C_vals[pC2] = tC[k1];
                                }
                            }
                        }
                    }
                }
            }
        }
    }
    return GN_OK;
}

int compute(gn_tensor *C, const gn_tensor *A, const gn_tensor *B)
{
    return compute_arrays(A->level[1].array[0], A->level[1].array[1], A->level[0].extent, A->vals, B->level[1].extent,
            B->vals, C->vals, A->size);
}

int evaluate(gn_tensor *C, const gn_tensor *A, const gn_tensor *B)
{
    return compute_arrays(A->level[1].array[0], A->level[1].array[1], A->level[0].extent, A->vals, B->level[1].extent,
            B->vals, C->vals, A->size);
}
