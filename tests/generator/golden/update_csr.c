/*
 * C(i,j) += A(i,j)
 *
 * C: dense,dense, float64, fill 0.0
 * A: CSR, float64, fill 0.0
 * C: dense,dense, float64, fill 0.0
 *
 * ∀i
 *   ∀j
 *     C(i,j) += A(i,j)
 */
#include "gnomon.h"

int assemble(gn_tensor *C, const gn_tensor *A, const gn_tensor *C_old)
{
    (void) C;
    (void) A;
    (void) C_old;
    return GN_OK;
}

static GN_APART int compute_arrays(const int32_t * restrict A2_pos, const int32_t * restrict A2_crd,
        int64_t A1_dimension, int64_t A2_dimension, const double * restrict A_vals, const double * restrict C_old_vals,
        double * restrict C_vals)
{
    for (int64_t p = 0; p < A1_dimension * A2_dimension; p++) {
        C_vals[p] = C_old_vals[p];
    }
    /* i: iterate every i; locate A */
    for (int64_t i = 0; i < A1_dimension; i++) {
        /* j: iterate A */
        const int64_t pA2_end = A2_pos[i + 1];
        for (int64_t pA2_next = A2_pos[i]; pA2_next < pA2_end; pA2_next += 8) {
            gn_prefetch(A2_crd, pA2_next + 256);
            gn_prefetch(A_vals, pA2_next + 256);
            const int64_t pA2_last = gn_min_int64(pA2_next + 8, pA2_end);
            for (int64_t pA2 = pA2_next; pA2 < pA2_last; pA2++) {
                const int64_t j = A2_crd[pA2];
                int64_t pC2 = i * A2_dimension + j;
                C_vals[pC2] += A_vals[pA2];
            }
        }
    }
    return GN_OK;
}

int compute(gn_tensor *C, const gn_tensor *A, const gn_tensor *C_old)
{
    return compute_arrays(A->level[1].array[0], A->level[1].array[1], A->level[0].extent, A->level[1].extent, A->vals,
            C_old->vals, C->vals);
}

int evaluate(gn_tensor *C, const gn_tensor *A, const gn_tensor *C_old)
{
    return compute_arrays(A->level[1].array[0], A->level[1].array[1], A->level[0].extent, A->level[1].extent, A->vals,
            C_old->vals, C->vals);
}

static GN_APART int update_arrays(const int32_t * restrict A2_pos, const int32_t * restrict A2_crd,
        int64_t A1_dimension, int64_t A2_dimension, const double * restrict A_vals, double * restrict C_vals)
{
    /* i: iterate every i; locate A */
    for (int64_t i = 0; i < A1_dimension; i++) {
        /* j: iterate A */
        const int64_t pA2_end = A2_pos[i + 1];
        for (int64_t pA2_next = A2_pos[i]; pA2_next < pA2_end; pA2_next += 8) {
            gn_prefetch(A2_crd, pA2_next + 256);
            gn_prefetch(A_vals, pA2_next + 256);
            const int64_t pA2_last = gn_min_int64(pA2_next + 8, pA2_end);
            for (int64_t pA2 = pA2_next; pA2 < pA2_last; pA2++) {
                const int64_t j = A2_crd[pA2];
                int64_t pC2 = i * A2_dimension + j;
                C_vals[pC2] += A_vals[pA2];
            }
        }
    }
    return GN_OK;
}

int update(gn_tensor *C, const gn_tensor *A, const gn_tensor *C_old)
{
    (void) C_old;
    return update_arrays(A->level[1].array[0], A->level[1].array[1], A->level[0].extent, A->level[1].extent, A->vals,
            C->vals);
}
