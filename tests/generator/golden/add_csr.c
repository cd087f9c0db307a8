/*
 * C(i,j) = A(i,j) + B(i,j)
 *
 * C: CSR, float64, fill 0.0
 * A: CSR, float64, fill 0.0
 * B: CSR, float64, fill 0.0
 *
 * ∀i
 *   ∀j
 *     C(i,j) = A(i,j) + B(i,j)
 */
#include "gnomon.h"

static GN_APART int assemble_arrays(gn_tensor *C, const int32_t * restrict A2_pos, const int32_t * restrict A2_crd,
        int64_t A1_dimension, const int32_t * restrict B2_pos, const int32_t * restrict B2_crd, int64_t A_size,
        int64_t B_size)
{
    int status = GN_OK;
    int32_t * restrict C2_pos = NULL;
    int32_t * restrict C2_crd = NULL;
    double * restrict C_vals = NULL;
    int64_t pC2 = 0;
    int64_t C2_capacity = 0;
    C2_pos = gn_zeros(A1_dimension + 1, sizeof(int32_t), &status);
    C2_capacity = gn_estimate(A_size + B_size, GN_INDEX_MAX, 1);
    C2_crd = gn_resize(C2_crd, C2_capacity, sizeof(int32_t), &status);
    C_vals = gn_resize(C_vals, C2_capacity, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    /* i: iterate every i; locate A, B */
    for (int64_t i = 0; i < A1_dimension; i++) {
        const int64_t pC2_begin = pC2;
        /* j: co-iterate A, B */
        int64_t pA2 = A2_pos[i];
        int64_t pA2_end = A2_pos[i + 1];
        int64_t pB2 = B2_pos[i];
        int64_t pB2_end = B2_pos[i + 1];
        if (C2_capacity - pC2 < pA2_end - pA2 + (pB2_end - pB2)) {
            const int64_t capacity = gn_foresee(C2_capacity, pC2, pA2_end - pA2 + (pB2_end - pB2), i, A1_dimension, 1,
                    GN_INDEX_MAX, &status);
            C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
            C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
            if (status != GN_OK) {
                goto done;
            }
            C2_capacity = capacity;
        }
        while (pA2 < pA2_end && pB2 < pB2_end) {
            const int64_t jA = A2_crd[pA2];
            const int64_t jB = B2_crd[pB2];
            if (jA == jB) {
                C2_crd[pC2] = (int32_t) jA;
                pC2++;
                pA2++;
                pB2++;
            } else if (jA <= jB) {
                C2_crd[pC2] = (int32_t) jA;
                pC2++;
                pA2++;
            } else {
                C2_crd[pC2] = (int32_t) jB;
                pC2++;
                pB2++;
            }
        }
        while (pA2 < pA2_end) {
            const int64_t jA = A2_crd[pA2];
            C2_crd[pC2] = (int32_t) jA;
            pC2++;
            pA2++;
        }
        while (pB2 < pB2_end) {
            const int64_t jB = B2_crd[pB2];
            C2_crd[pC2] = (int32_t) jB;
            pC2++;
            pB2++;
        }
        C2_pos[i + 1] = (int32_t) (C2_pos[i + 1] + pC2 - pC2_begin);
    }
    if (pC2 > GN_INDEX_MAX) {
        status = GN_OVERFLOW;
        goto done;
    }
    int64_t total = C2_pos[0];
    for (int64_t p = 1; p < A1_dimension + 1; p++) {
        total += C2_pos[p];
        C2_pos[p] = (int32_t) total;
    }
    C->level[1].array[0] = C2_pos;
    C->level[1].length[0] = A1_dimension + 1;
    C->level[1].array[1] = C2_crd;
    C->level[1].length[1] = pC2;
    C->vals = C_vals;
    C->size = pC2;
    done:;
    if (status != GN_OK) {
        free(C2_pos);
        free(C2_crd);
        free(C_vals);
    }
    return status;
}

int assemble(gn_tensor *C, const gn_tensor *A, const gn_tensor *B)
{
    return assemble_arrays(C, A->level[1].array[0], A->level[1].array[1], A->level[0].extent, B->level[1].array[0],
            B->level[1].array[1], A->size, B->size);
}

static GN_APART int compute_arrays(const int32_t * restrict A2_pos, const int32_t * restrict A2_crd,
        int64_t A1_dimension, const double * restrict A_vals, const int32_t * restrict B2_pos,
        const int32_t * restrict B2_crd, const double * restrict B_vals, double * restrict C_vals)
{
    int64_t pC2 = 0;
    /* i: iterate every i; locate A, B */
    for (int64_t i = 0; i < A1_dimension; i++) {
        /* j: co-iterate A, B */
        int64_t pA2 = A2_pos[i];
        int64_t pA2_end = A2_pos[i + 1];
        int64_t pB2 = B2_pos[i];
        int64_t pB2_end = B2_pos[i + 1];
        while (pA2 < pA2_end && pB2 < pB2_end) {
            const int64_t jA = A2_crd[pA2];
            const int64_t jB = B2_crd[pB2];
            if (jA == jB) {
                C_vals[pC2] = A_vals[pA2] + B_vals[pB2];
                pC2++;
                pA2++;
                pB2++;
            } else if (jA <= jB) {
                C_vals[pC2] = A_vals[pA2];
                pC2++;
                pA2++;
            } else {
                C_vals[pC2] = B_vals[pB2];
                pC2++;
                pB2++;
            }
        }
        while (pA2 < pA2_end) {
            C_vals[pC2] = A_vals[pA2];
            pC2++;
            pA2++;
        }
        while (pB2 < pB2_end) {
            C_vals[pC2] = B_vals[pB2];
            pC2++;
            pB2++;
        }
    }
    return GN_OK;
}

int compute(gn_tensor *C, const gn_tensor *A, const gn_tensor *B)
{
    return compute_arrays(A->level[1].array[0], A->level[1].array[1], A->level[0].extent, A->vals, B->level[1].array[0],
            B->level[1].array[1], B->vals, C->vals);
}

static GN_APART int evaluate_arrays(gn_tensor *C, const int32_t * restrict A2_pos, const int32_t * restrict A2_crd,
        int64_t A1_dimension, const double * restrict A_vals, const int32_t * restrict B2_pos,
        const int32_t * restrict B2_crd, const double * restrict B_vals, int64_t A_size, int64_t B_size)
{
    int status = GN_OK;
    int32_t * restrict C2_pos = NULL;
    int32_t * restrict C2_crd = NULL;
    double * restrict C_vals = NULL;
    int64_t pC2 = 0;
    int64_t C2_capacity = 0;
    C2_pos = gn_zeros(A1_dimension + 1, sizeof(int32_t), &status);
    C2_capacity = gn_estimate(A_size + B_size, GN_INDEX_MAX, 1);
    C2_crd = gn_resize(C2_crd, C2_capacity, sizeof(int32_t), &status);
    C_vals = gn_resize(C_vals, C2_capacity, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    /* i: iterate every i; locate A, B */
    for (int64_t i = 0; i < A1_dimension; i++) {
        const int64_t pC2_begin = pC2;
        /* j: co-iterate A, B */
        int64_t pA2 = A2_pos[i];
        int64_t pA2_end = A2_pos[i + 1];
        int64_t pB2 = B2_pos[i];
        int64_t pB2_end = B2_pos[i + 1];
        if (C2_capacity - pC2 < pA2_end - pA2 + (pB2_end - pB2)) {
            const int64_t capacity = gn_foresee(C2_capacity, pC2, pA2_end - pA2 + (pB2_end - pB2), i, A1_dimension, 1,
                    GN_INDEX_MAX, &status);
            C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
            C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
            if (status != GN_OK) {
                goto done;
            }
            C2_capacity = capacity;
        }
        while (pA2 < pA2_end && pB2 < pB2_end) {
            const int64_t jA = A2_crd[pA2];
            const int64_t jB = B2_crd[pB2];
            if (jA == jB) {
                C2_crd[pC2] = (int32_t) jA;
                C_vals[pC2] = A_vals[pA2] + B_vals[pB2];
                pC2++;
                pA2++;
                pB2++;
            } else if (jA <= jB) {
                C2_crd[pC2] = (int32_t) jA;
                C_vals[pC2] = A_vals[pA2];
                pC2++;
                pA2++;
            } else {
                C2_crd[pC2] = (int32_t) jB;
                C_vals[pC2] = B_vals[pB2];
                pC2++;
                pB2++;
            }
        }
        while (pA2 < pA2_end) {
            const int64_t jA = A2_crd[pA2];
            C2_crd[pC2] = (int32_t) jA;
            C_vals[pC2] = A_vals[pA2];
            pC2++;
            pA2++;
        }
        while (pB2 < pB2_end) {
            const int64_t jB = B2_crd[pB2];
            C2_crd[pC2] = (int32_t) jB;
            C_vals[pC2] = B_vals[pB2];
            pC2++;
            pB2++;
        }
        C2_pos[i + 1] = (int32_t) (C2_pos[i + 1] + pC2 - pC2_begin);
    }
    if (pC2 > GN_INDEX_MAX) {
        status = GN_OVERFLOW;
        goto done;
    }
    int64_t total = C2_pos[0];
    for (int64_t p = 1; p < A1_dimension + 1; p++) {
        total += C2_pos[p];
        C2_pos[p] = (int32_t) total;
    }
    C->level[1].array[0] = C2_pos;
    C->level[1].length[0] = A1_dimension + 1;
    C->level[1].array[1] = C2_crd;
    C->level[1].length[1] = pC2;
    C->vals = C_vals;
    C->size = pC2;
    done:;
    if (status != GN_OK) {
        free(C2_pos);
        free(C2_crd);
        free(C_vals);
    }
    return status;
}

int evaluate(gn_tensor *C, const gn_tensor *A, const gn_tensor *B)
{
    return evaluate_arrays(C, A->level[1].array[0], A->level[1].array[1], A->level[0].extent, A->vals,
            B->level[1].array[0], B->level[1].array[1], B->vals, A->size, B->size);
}
