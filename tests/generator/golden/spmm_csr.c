/*
 * C(i,j) = A(i,k) * B(k,j)
 *
 * C: dense,dense, float64, fill 0.0
 * A: CSR, float64, fill 0.0
 * B: dense,dense, float64, fill 0.0
 *
 * ∀i
 *   ∀k
 *     ∀j
 *       C(i,j) += A(i,k) * B(k,j)
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
        double * restrict C_vals)
{
    for (int64_t p = 0; p < A1_dimension * B2_dimension; p++) {
        C_vals[p] = 0.0;
    }
    /* i: iterate every i; locate A */
    for (int64_t i = 0; i < A1_dimension; i++) {
        /* k: iterate A; locate B */
        for (int64_t pA2 = A2_pos[i], pA2_end = A2_pos[i + 1]; pA2 < pA2_end; pA2++) {
            const int64_t k = A2_crd[pA2];
            /* j: iterate every j; locate B */
            for (int64_t j = 0; j < B2_dimension; j++) {
                int64_t pB2 = k * B2_dimension + j;
                int64_t pC2 = i * B2_dimension + j;
                C_vals[pC2] += A_vals[pA2] * B_vals[pB2];
            }
        }
    }
    return GN_OK;
}

int compute(gn_tensor *C, const gn_tensor *A, const gn_tensor *B)
{
    return compute_arrays(A->level[1].array[0], A->level[1].array[1], A->level[0].extent, A->vals, B->level[1].extent,
            B->vals, C->vals);
}

int evaluate(gn_tensor *C, const gn_tensor *A, const gn_tensor *B)
{
    return compute_arrays(A->level[1].array[0], A->level[1].array[1], A->level[0].extent, A->vals, B->level[1].extent,
            B->vals, C->vals);
}
