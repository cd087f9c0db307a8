/*
 * D(i,j) = A(i,j) * B(i,j) + C(i,j)
 *
 * D: CSR, float64, fill 0.0
 * A: CSR, float64, fill 0.0
 * B: CSR, float64, fill 0.0
 * C: CSR, float64, fill 0.0
 *
 * ∀i
 *   ∀j
 *     D(i,j) = A(i,j) * B(i,j) + C(i,j)
 */
#include "gnomon.h"

static GN_APART int assemble_arrays(gn_tensor *D, const int32_t * restrict A2_pos, const int32_t * restrict A2_crd,
        int64_t A1_dimension, const int32_t * restrict B2_pos, const int32_t * restrict B2_crd,
        const int32_t * restrict C2_pos, const int32_t * restrict C2_crd, int64_t A_size, int64_t B_size,
        int64_t C_size)
{
    int status = GN_OK;
    int32_t * restrict D2_pos = NULL;
    int32_t * restrict D2_crd = NULL;
    double * restrict D_vals = NULL;
    int64_t pD2 = 0;
    int64_t D2_capacity = 0;
    D2_pos = gn_zeros(A1_dimension + 1, sizeof(int32_t), &status);
    D2_capacity = gn_estimate(A_size + B_size + C_size, GN_INDEX_MAX, 1);
    D2_crd = gn_resize(D2_crd, D2_capacity, sizeof(int32_t), &status);
    D_vals = gn_resize(D_vals, D2_capacity, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    /* i: iterate every i; locate A, B, C */
    for (int64_t i = 0; i < A1_dimension; i++) {
        const int64_t pD2_begin = pD2;
        /* j: co-iterate A, B, C; empty where missing */
        int64_t pA2 = A2_pos[i];
        int64_t pA2_end = A2_pos[i + 1];
        int64_t pB2 = B2_pos[i];
        int64_t pB2_end = B2_pos[i + 1];
        int64_t pC2 = C2_pos[i];
        int64_t pC2_end = C2_pos[i + 1];
        int64_t j_most = pA2_end - pA2 + (pB2_end - pB2) + (pC2_end - pC2);
        if (D2_capacity - pD2 < j_most) {
            const int64_t capacity = gn_foresee(D2_capacity, pD2, j_most, i, A1_dimension, 1, GN_INDEX_MAX, &status);
            D2_crd = gn_resize(D2_crd, capacity, sizeof(int32_t), &status);
            D_vals = gn_resize(D_vals, capacity, sizeof(double), &status);
            if (status != GN_OK) {
                goto done;
            }
            D2_capacity = capacity;
        }
        while ((pA2 < pA2_end && pB2 < pB2_end) || pC2 < pC2_end) {
            const int64_t jA = pA2 < pA2_end ? A2_crd[pA2] : INT64_MAX;
            const int64_t jB = pB2 < pB2_end ? B2_crd[pB2] : INT64_MAX;
            const int64_t jC = pC2 < pC2_end ? C2_crd[pC2] : INT64_MAX;
            const int64_t j = gn_min_int64(gn_min_int64(jA, jB), jC);
            if ((jA == j && jB == j) || jC == j) {
                D2_crd[pD2] = (int32_t) j;
                pD2++;
            }
            pA2 += jA == j;
            pB2 += jB == j;
            pC2 += jC == j;
        }
        D2_pos[i + 1] = (int32_t) (D2_pos[i + 1] + pD2 - pD2_begin);
    }
    if (pD2 > GN_INDEX_MAX) {
        status = GN_OVERFLOW;
        goto done;
    }
    int64_t total = D2_pos[0];
    for (int64_t p = 1; p < A1_dimension + 1; p++) {
        total += D2_pos[p];
        D2_pos[p] = (int32_t) total;
    }
    D->level[1].array[0] = D2_pos;
    D->level[1].length[0] = A1_dimension + 1;
    D->level[1].array[1] = D2_crd;
    D->level[1].length[1] = pD2;
    D->vals = D_vals;
    D->size = pD2;
    done:;
    if (status != GN_OK) {
        free(D2_pos);
        free(D2_crd);
        free(D_vals);
    }
    return status;
}

int assemble(gn_tensor *D, const gn_tensor *A, const gn_tensor *B, const gn_tensor *C)
{
    return assemble_arrays(D, A->level[1].array[0], A->level[1].array[1], A->level[0].extent, B->level[1].array[0],
            B->level[1].array[1], C->level[1].array[0], C->level[1].array[1], A->size, B->size, C->size);
}

static GN_APART int compute_arrays(const int32_t * restrict A2_pos, const int32_t * restrict A2_crd,
        int64_t A1_dimension, const double * restrict A_vals, const int32_t * restrict B2_pos,
        const int32_t * restrict B2_crd, const double * restrict B_vals, const int32_t * restrict C2_pos,
        const int32_t * restrict C2_crd, const double * restrict C_vals, double * restrict D_vals)
{
    int64_t pD2 = 0;
    /* i: iterate every i; locate A, B, C */
    for (int64_t i = 0; i < A1_dimension; i++) {
        /* j: co-iterate A, B, C; empty where missing */
        int64_t pA2 = A2_pos[i];
        int64_t pA2_end = A2_pos[i + 1];
        int64_t pB2 = B2_pos[i];
        int64_t pB2_end = B2_pos[i + 1];
        int64_t pC2 = C2_pos[i];
        int64_t pC2_end = C2_pos[i + 1];
        while ((pA2 < pA2_end && pB2 < pB2_end) || pC2 < pC2_end) {
            const int64_t jA = pA2 < pA2_end ? A2_crd[pA2] : INT64_MAX;
            const int64_t jB = pB2 < pB2_end ? B2_crd[pB2] : INT64_MAX;
            const int64_t jC = pC2 < pC2_end ? C2_crd[pC2] : INT64_MAX;
            const int64_t j = gn_min_int64(gn_min_int64(jA, jB), jC);
            if ((jA == j && jB == j) || jC == j) {
                double t = (jA == j && jB == j) ? A_vals[pA2] * B_vals[pB2] : 0.0;
                D_vals[pD2] = jC != j ? t : (jA == j && jB == j) ? t + C_vals[pC2] : C_vals[pC2];
                pD2++;
            }
            pA2 += jA == j;
            pB2 += jB == j;
            pC2 += jC == j;
        }
    }
    return GN_OK;
}

int compute(gn_tensor *D, const gn_tensor *A, const gn_tensor *B, const gn_tensor *C)
{
    return compute_arrays(A->level[1].array[0], A->level[1].array[1], A->level[0].extent, A->vals, B->level[1].array[0],
            B->level[1].array[1], B->vals, C->level[1].array[0], C->level[1].array[1], C->vals, D->vals);
}

static GN_APART int evaluate_arrays(gn_tensor *D, const int32_t * restrict A2_pos, const int32_t * restrict A2_crd,
        int64_t A1_dimension, const double * restrict A_vals, const int32_t * restrict B2_pos,
        const int32_t * restrict B2_crd, const double * restrict B_vals, const int32_t * restrict C2_pos,
        const int32_t * restrict C2_crd, const double * restrict C_vals, int64_t A_size, int64_t B_size, int64_t C_size)
{
    int status = GN_OK;
    int32_t * restrict D2_pos = NULL;
    int32_t * restrict D2_crd = NULL;
    double * restrict D_vals = NULL;
    int64_t pD2 = 0;
    int64_t D2_capacity = 0;
    D2_pos = gn_zeros(A1_dimension + 1, sizeof(int32_t), &status);
    D2_capacity = gn_estimate(A_size + B_size + C_size, GN_INDEX_MAX, 1);
    D2_crd = gn_resize(D2_crd, D2_capacity, sizeof(int32_t), &status);
    D_vals = gn_resize(D_vals, D2_capacity, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    /* i: iterate every i; locate A, B, C */
    for (int64_t i = 0; i < A1_dimension; i++) {
        const int64_t pD2_begin = pD2;
        /* j: co-iterate A, B, C; empty where missing */
        int64_t pA2 = A2_pos[i];
        int64_t pA2_end = A2_pos[i + 1];
        int64_t pB2 = B2_pos[i];
        int64_t pB2_end = B2_pos[i + 1];
        int64_t pC2 = C2_pos[i];
        int64_t pC2_end = C2_pos[i + 1];
        int64_t j_most = pA2_end - pA2 + (pB2_end - pB2) + (pC2_end - pC2);
        if (D2_capacity - pD2 < j_most) {
            const int64_t capacity = gn_foresee(D2_capacity, pD2, j_most, i, A1_dimension, 1, GN_INDEX_MAX, &status);
            D2_crd = gn_resize(D2_crd, capacity, sizeof(int32_t), &status);
            D_vals = gn_resize(D_vals, capacity, sizeof(double), &status);
            if (status != GN_OK) {
                goto done;
            }
            D2_capacity = capacity;
        }
        while ((pA2 < pA2_end && pB2 < pB2_end) || pC2 < pC2_end) {
            const int64_t jA = pA2 < pA2_end ? A2_crd[pA2] : INT64_MAX;
            const int64_t jB = pB2 < pB2_end ? B2_crd[pB2] : INT64_MAX;
            const int64_t jC = pC2 < pC2_end ? C2_crd[pC2] : INT64_MAX;
            const int64_t j = gn_min_int64(gn_min_int64(jA, jB), jC);
            if ((jA == j && jB == j) || jC == j) {
                double t = (jA == j && jB == j) ? A_vals[pA2] * B_vals[pB2] : 0.0;
                D2_crd[pD2] = (int32_t) j;
                D_vals[pD2] = jC != j ? t : (jA == j && jB == j) ? t + C_vals[pC2] : C_vals[pC2];
                pD2++;
            }
            pA2 += jA == j;
            pB2 += jB == j;
            pC2 += jC == j;
        }
        D2_pos[i + 1] = (int32_t) (D2_pos[i + 1] + pD2 - pD2_begin);
    }
    if (pD2 > GN_INDEX_MAX) {
        status = GN_OVERFLOW;
        goto done;
    }
    int64_t total = D2_pos[0];
    for (int64_t p = 1; p < A1_dimension + 1; p++) {
        total += D2_pos[p];
        D2_pos[p] = (int32_t) total;
    }
    D->level[1].array[0] = D2_pos;
    D->level[1].length[0] = A1_dimension + 1;
    D->level[1].array[1] = D2_crd;
    D->level[1].length[1] = pD2;
    D->vals = D_vals;
    D->size = pD2;
    done:;
    if (status != GN_OK) {
        free(D2_pos);
        free(D2_crd);
        free(D_vals);
    }
    return status;
}

int evaluate(gn_tensor *D, const gn_tensor *A, const gn_tensor *B, const gn_tensor *C)
{
    return evaluate_arrays(D, A->level[1].array[0], A->level[1].array[1], A->level[0].extent, A->vals,
            B->level[1].array[0], B->level[1].array[1], B->vals, C->level[1].array[0], C->level[1].array[1], C->vals,
            A->size, B->size, C->size);
}
