/*
 * C(i,j) = B(i,j) * (D(i,k) * E(k,j))
 *
 * C: CSR, float64, fill 0.0
 * B: CSR, float64, fill 0.0
 * D: dense,dense, float64, fill 0.0
 * E: dense,dense; (i,j)->(j,i), float64, fill 0.0
 *
 * ∀i
 *   ∀j
 *     ∀k
 *       C(i,j) += B(i,j) * (D(i,k) * E(k,j))
 */
#include "gnomon.h"

static GN_APART int assemble_arrays(gn_tensor *C, const int32_t * restrict B2_pos, const int32_t * restrict B2_crd,
        int64_t B1_dimension, int64_t D2_dimension, int64_t B_size)
{
    int status = GN_OK;
    int32_t * restrict C2_pos = NULL;
    int32_t * restrict C2_crd = NULL;
    double * restrict C_vals = NULL;
    int64_t pC2 = 0;
    int64_t C2_capacity = 0;
    C2_pos = gn_zeros(B1_dimension + 1, sizeof(int32_t), &status);
    C2_capacity = gn_estimate(B_size, GN_INDEX_MAX, 1);
    C2_crd = gn_resize(C2_crd, C2_capacity, sizeof(int32_t), &status);
    C_vals = gn_resize(C_vals, C2_capacity, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    /* i: iterate every i; locate B, D */
    for (int64_t i = 0; i < B1_dimension; i++) {
        const int64_t pC2_begin = pC2;
        /* j: iterate B; locate E */
        int64_t pB2_begin = B2_pos[i];
        int64_t pB2_end = B2_pos[i + 1];
        if (C2_capacity - pC2 < pB2_end - pB2_begin) {
            const int64_t capacity = gn_foresee(C2_capacity, pC2, pB2_end - pB2_begin, i, B1_dimension, 1, GN_INDEX_MAX,
                    &status);
            C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
            C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
            if (status != GN_OK) {
                goto done;
            }
            C2_capacity = capacity;
        }
        for (int64_t pB2 = pB2_begin; pB2 < pB2_end; pB2++) {
            const int64_t j = B2_crd[pB2];
            bool tC_present = false;
            /* k: iterate every k; locate D, E */
            tC_present = tC_present || 0 < D2_dimension;
            if (tC_present) {
                C2_crd[pC2] = (int32_t) j;
                pC2++;
            }
        }
        C2_pos[i + 1] = (int32_t) (C2_pos[i + 1] + pC2 - pC2_begin);
    }
    if (pC2 > GN_INDEX_MAX) {
        status = GN_OVERFLOW;
        goto done;
    }
    int64_t total = C2_pos[0];
    for (int64_t p = 1; p < B1_dimension + 1; p++) {
        total += C2_pos[p];
        C2_pos[p] = (int32_t) total;
    }
    C->level[1].array[0] = C2_pos;
    C->level[1].length[0] = B1_dimension + 1;
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

int assemble(gn_tensor *C, const gn_tensor *B, const gn_tensor *D, const gn_tensor *E)
{
    (void) E;
    return assemble_arrays(C, B->level[1].array[0], B->level[1].array[1], B->level[0].extent, D->level[1].extent,
            B->size);
}

static GN_APART int compute_arrays(const int32_t * restrict B2_pos, const int32_t * restrict B2_crd,
        int64_t B1_dimension, const double * restrict B_vals, int64_t D2_dimension, const double * restrict D_vals,
        const double * restrict E_vals, double * restrict C_vals)
{
    int64_t pC2 = 0;
    /* i: iterate every i; locate B, D */
    for (int64_t i = 0; i < B1_dimension; i++) {
        /* j: iterate B; locate E */
        int64_t pB2_begin = B2_pos[i];
        int64_t pB2_end = B2_pos[i + 1];
        for (int64_t pB2 = pB2_begin; pB2 < pB2_end; pB2++) {
            const int64_t j = B2_crd[pB2];
            double tC = 0.0;
            bool tC_present = false;
            /* k: iterate every k; locate D, E */
            int64_t k_next = 0;
            tC_present = tC_present || 0 < D2_dimension;
            if (D2_dimension >= 16) {
                double tC_2 = -0.0;
                double tC_3 = -0.0;
                double tC_4 = -0.0;
                for (int64_t k = 0; k < D2_dimension - 3; k += 4) {
                    int64_t pD2 = i * D2_dimension + k;
                    int64_t pE2 = j * D2_dimension + k;
                    tC += B_vals[pB2] * (D_vals[pD2] * E_vals[pE2]);
                    int64_t pD2_2 = i * D2_dimension + (k + 1);
                    int64_t pE2_2 = j * D2_dimension + (k + 1);
                    tC_2 += B_vals[pB2] * (D_vals[pD2_2] * E_vals[pE2_2]);
                    int64_t pD2_3 = i * D2_dimension + (k + 2);
                    int64_t pE2_3 = j * D2_dimension + (k + 2);
                    tC_3 += B_vals[pB2] * (D_vals[pD2_3] * E_vals[pE2_3]);
                    int64_t pD2_4 = i * D2_dimension + (k + 3);
                    int64_t pE2_4 = j * D2_dimension + (k + 3);
                    tC_4 += B_vals[pB2] * (D_vals[pD2_4] * E_vals[pE2_4]);
                }
                tC = tC + tC_2 + (tC_3 + tC_4);
                k_next += D2_dimension / 4 * 4;
            }
            for (int64_t k = k_next; k < D2_dimension; k++) {
                int64_t pD2 = i * D2_dimension + k;
                int64_t pE2 = j * D2_dimension + k;
                tC += B_vals[pB2] * (D_vals[pD2] * E_vals[pE2]);
            }
            if (tC_present) {
                C_vals[pC2] = tC;
                pC2++;
            }
        }
    }
    return GN_OK;
}

int compute(gn_tensor *C, const gn_tensor *B, const gn_tensor *D, const gn_tensor *E)
{
    return compute_arrays(B->level[1].array[0], B->level[1].array[1], B->level[0].extent, B->vals, D->level[1].extent,
            D->vals, E->vals, C->vals);
}

static GN_APART int evaluate_arrays(gn_tensor *C, const int32_t * restrict B2_pos, const int32_t * restrict B2_crd,
        int64_t B1_dimension, const double * restrict B_vals, int64_t D2_dimension, const double * restrict D_vals,
        const double * restrict E_vals, int64_t B_size)
{
    int status = GN_OK;
    int32_t * restrict C2_pos = NULL;
    int32_t * restrict C2_crd = NULL;
    double * restrict C_vals = NULL;
    int64_t pC2 = 0;
    int64_t C2_capacity = 0;
    C2_pos = gn_zeros(B1_dimension + 1, sizeof(int32_t), &status);
    C2_capacity = gn_estimate(B_size, GN_INDEX_MAX, 1);
    C2_crd = gn_resize(C2_crd, C2_capacity, sizeof(int32_t), &status);
    C_vals = gn_resize(C_vals, C2_capacity, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    /* i: iterate every i; locate B, D */
    for (int64_t i = 0; i < B1_dimension; i++) {
        const int64_t pC2_begin = pC2;
        /* j: iterate B; locate E */
        int64_t pB2_begin = B2_pos[i];
        int64_t pB2_end = B2_pos[i + 1];
        if (C2_capacity - pC2 < pB2_end - pB2_begin) {
            const int64_t capacity = gn_foresee(C2_capacity, pC2, pB2_end - pB2_begin, i, B1_dimension, 1, GN_INDEX_MAX,
                    &status);
            C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
            C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
            if (status != GN_OK) {
                goto done;
            }
            C2_capacity = capacity;
        }
        for (int64_t pB2 = pB2_begin; pB2 < pB2_end; pB2++) {
            const int64_t j = B2_crd[pB2];
            double tC = 0.0;
            bool tC_present = false;
            /* k: iterate every k; locate D, E */
            int64_t k_next = 0;
            tC_present = tC_present || 0 < D2_dimension;
            if (D2_dimension >= 16) {
                double tC_2 = -0.0;
                double tC_3 = -0.0;
                double tC_4 = -0.0;
                for (int64_t k = 0; k < D2_dimension - 3; k += 4) {
                    int64_t pD2 = i * D2_dimension + k;
                    int64_t pE2 = j * D2_dimension + k;
                    tC += B_vals[pB2] * (D_vals[pD2] * E_vals[pE2]);
                    int64_t pD2_2 = i * D2_dimension + (k + 1);
                    int64_t pE2_2 = j * D2_dimension + (k + 1);
                    tC_2 += B_vals[pB2] * (D_vals[pD2_2] * E_vals[pE2_2]);
                    int64_t pD2_3 = i * D2_dimension + (k + 2);
                    int64_t pE2_3 = j * D2_dimension + (k + 2);
                    tC_3 += B_vals[pB2] * (D_vals[pD2_3] * E_vals[pE2_3]);
                    int64_t pD2_4 = i * D2_dimension + (k + 3);
                    int64_t pE2_4 = j * D2_dimension + (k + 3);
                    tC_4 += B_vals[pB2] * (D_vals[pD2_4] * E_vals[pE2_4]);
                }
                tC = tC + tC_2 + (tC_3 + tC_4);
                k_next += D2_dimension / 4 * 4;
            }
            for (int64_t k = k_next; k < D2_dimension; k++) {
                int64_t pD2 = i * D2_dimension + k;
                int64_t pE2 = j * D2_dimension + k;
                tC += B_vals[pB2] * (D_vals[pD2] * E_vals[pE2]);
            }
            if (tC_present) {
                C2_crd[pC2] = (int32_t) j;
                C_vals[pC2] = tC;
                pC2++;
            }
        }
        C2_pos[i + 1] = (int32_t) (C2_pos[i + 1] + pC2 - pC2_begin);
    }
    if (pC2 > GN_INDEX_MAX) {
        status = GN_OVERFLOW;
        goto done;
    }
    int64_t total = C2_pos[0];
    for (int64_t p = 1; p < B1_dimension + 1; p++) {
        total += C2_pos[p];
        C2_pos[p] = (int32_t) total;
    }
    C->level[1].array[0] = C2_pos;
    C->level[1].length[0] = B1_dimension + 1;
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

int evaluate(gn_tensor *C, const gn_tensor *B, const gn_tensor *D, const gn_tensor *E)
{
    return evaluate_arrays(C, B->level[1].array[0], B->level[1].array[1], B->level[0].extent, B->vals,
            D->level[1].extent, D->vals, E->vals, B->size);
}
