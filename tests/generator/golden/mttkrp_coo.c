/*
 * C(i,r) = A(i,j,k) * D(j,r) * E(k,r)
 *
 * C: dense,dense, float64, fill 0.0
 * A: COO, float64, fill 0.0
 * D: dense,dense, float64, fill 0.0
 * E: dense,dense, float64, fill 0.0
 *
 * ∀i
 *   ∀j
 *     ∀k
 *       ∀r
 *         C(i,r) += A(i,j,k) * E(k,r) * D(j,r)
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
        const int32_t * restrict A2_crd, const int32_t * restrict A3_crd, int64_t A1_dimension,
        const double * restrict A_vals, int64_t D2_dimension, const double * restrict D_vals,
        const double * restrict E_vals, double * restrict C_vals)
{
    for (int64_t p = 0; p < A1_dimension * D2_dimension; p++) {
        C_vals[p] = 0.0;
    }
    /* i: iterate A; fused */
    for (int64_t pA1 = A1_pos[0], pA1_end = A1_pos[1]; pA1 < pA1_end; pA1++) {
        const int64_t i = A1_crd[pA1];
        /* j: iterate A; locate D; fused */
        const int64_t j = A2_crd[pA1];
        /* k: iterate A; locate E */
        const int64_t k = A3_crd[pA1];
        /* r: iterate every r; locate E, D */
        for (int64_t r = 0; r < D2_dimension; r++) {
            int64_t pE2 = k * D2_dimension + r;
            int64_t pD2 = j * D2_dimension + r;
            int64_t pC2 = i * D2_dimension + r;
            C_vals[pC2] += A_vals[pA1] * E_vals[pE2] * D_vals[pD2];
        }
    }
    return GN_OK;
}

int compute(gn_tensor *C, const gn_tensor *A, const gn_tensor *D, const gn_tensor *E)
{
    return compute_arrays(A->level[0].array[0], A->level[0].array[1], A->level[1].array[0], A->level[2].array[0],
            A->level[0].extent, A->vals, D->level[1].extent, D->vals, E->vals, C->vals);
}

int evaluate(gn_tensor *C, const gn_tensor *A, const gn_tensor *D, const gn_tensor *E)
{
    return compute_arrays(A->level[0].array[0], A->level[0].array[1], A->level[1].array[0], A->level[2].array[0],
            A->level[0].extent, A->vals, D->level[1].extent, D->vals, E->vals, C->vals);
}
