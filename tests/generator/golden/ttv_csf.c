/*
 * C(i,j) = A(i,j,k) * x(k)
 *
 * C: DCSR, float64, fill 0.0
 * A: compressed,compressed,compressed, float64, fill 0.0
 * x: dense, float64, fill 0.0
 *
 * ∀i
 *   ∀j
 *     ∀k
 *       C(i,j) += A(i,j,k) * x(k)
 */
#include "gnomon.h"

static GN_APART int assemble_arrays(gn_tensor *C, const int32_t * restrict A1_pos, const int32_t * restrict A1_crd,
        const int32_t * restrict A2_pos, const int32_t * restrict A2_crd, const int32_t * restrict A3_pos,
        int64_t A1_dimension, int64_t A_size)
{
    int status = GN_OK;
    int32_t * restrict C1_pos = NULL;
    int32_t * restrict C1_crd = NULL;
    int32_t * restrict C2_pos = NULL;
    int32_t * restrict C2_crd = NULL;
    double * restrict C_vals = NULL;
    int64_t pC1 = 0;
    int64_t C1_capacity = 0;
    int64_t pC2 = 0;
    int64_t C2_capacity = 0;
    C1_pos = gn_zeros(2, sizeof(int32_t), &status);
    C2_pos = gn_zeros(1, sizeof(int32_t), &status);
    C2_capacity = gn_estimate(A_size, GN_INDEX_MAX, 1);
    C2_crd = gn_resize(C2_crd, C2_capacity, sizeof(int32_t), &status);
    C_vals = gn_resize(C_vals, C2_capacity, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    /* i: iterate A */
    for (int64_t pA1 = A1_pos[0], pA1_end = A1_pos[1]; pA1 < pA1_end; pA1++) {
        const int64_t i = A1_crd[pA1];
        const int64_t pC2_begin = pC2;
        /* j: iterate A */
        int64_t pA2_begin = A2_pos[pA1];
        int64_t pA2_end = A2_pos[pA1 + 1];
        if (C2_capacity - pC2 < pA2_end - pA2_begin) {
            const int64_t capacity = gn_foresee(C2_capacity, pC2, pA2_end - pA2_begin, i, A1_dimension, 1, GN_INDEX_MAX,
                    &status);
            C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
            C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
            if (status != GN_OK) {
                goto done;
            }
            C2_capacity = capacity;
        }
        for (int64_t pA2 = pA2_begin; pA2 < pA2_end; pA2++) {
            const int64_t j = A2_crd[pA2];
            bool tC_present = false;
            /* k: iterate A; locate x */
            tC_present = tC_present || A3_pos[pA2] < A3_pos[pA2 + 1];
            if (tC_present) {
                C2_crd[pC2] = (int32_t) j;
                pC2++;
            }
        }
        if (pC2_begin < pC2) {
            if (pC1 == C1_capacity) {
                const int64_t capacity = gn_foresee(C1_capacity, pC1, 1, i, A1_dimension, 1, GN_INDEX_MAX, &status);
                C1_crd = gn_resize(C1_crd, capacity, sizeof(int32_t), &status);
                C2_pos = gn_resize(C2_pos, capacity + 1, sizeof(int32_t), &status);
                if (status != GN_OK) {
                    goto done;
                }
                C1_capacity = capacity;
            }
            C1_crd[pC1] = (int32_t) i;
            C2_pos[pC1 + 1] = 0;
            C2_pos[pC1 + 1] = (int32_t) (C2_pos[pC1 + 1] + pC2 - pC2_begin);
            pC1++;
        }
    }
    C1_pos[1] = (int32_t) (C1_pos[1] + pC1);
    if (pC1 > GN_INDEX_MAX || pC2 > GN_INDEX_MAX) {
        status = GN_OVERFLOW;
        goto done;
    }
    int64_t total = C1_pos[0];
    total += C1_pos[1];
    C1_pos[1] = (int32_t) total;
    int64_t total_2 = C2_pos[0];
    for (int64_t p = 1; p < pC1 + 1; p++) {
        total_2 += C2_pos[p];
        C2_pos[p] = (int32_t) total_2;
    }
    C->level[0].array[0] = C1_pos;
    C->level[0].length[0] = 2;
    C->level[0].array[1] = C1_crd;
    C->level[0].length[1] = pC1;
    C->level[1].array[0] = C2_pos;
    C->level[1].length[0] = pC1 + 1;
    C->level[1].array[1] = C2_crd;
    C->level[1].length[1] = pC2;
    C->vals = C_vals;
    C->size = pC2;
    done:;
    if (status != GN_OK) {
        free(C1_pos);
        free(C1_crd);
        free(C2_pos);
        free(C2_crd);
        free(C_vals);
    }
    return status;
}

int assemble(gn_tensor *C, const gn_tensor *A, const gn_tensor *x)
{
    (void) x;
    return assemble_arrays(C, A->level[0].array[0], A->level[0].array[1], A->level[1].array[0], A->level[1].array[1],
            A->level[2].array[0], A->level[0].extent, A->size);
}

static GN_APART int compute_arrays(const int32_t * restrict A1_pos, const int32_t * restrict A2_pos,
        const int32_t * restrict A3_pos, const int32_t * restrict A3_crd, const double * restrict A_vals,
        const double * restrict x_vals, double * restrict C_vals)
{
    int64_t pC2 = 0;
    /* i: iterate A */
    for (int64_t pA1 = A1_pos[0], pA1_end = A1_pos[1]; pA1 < pA1_end; pA1++) {
        /* j: iterate A */
        int64_t pA2_begin = A2_pos[pA1];
        int64_t pA2_end = A2_pos[pA1 + 1];
        for (int64_t pA2 = pA2_begin; pA2 < pA2_end; pA2++) {
            double tC = 0.0;
            bool tC_present = false;
            /* k: iterate A; locate x */
            int64_t pA3_next = A3_pos[pA2];
            const int64_t pA3_end = A3_pos[pA2 + 1];
            tC_present = tC_present || A3_pos[pA2] < A3_pos[pA2 + 1];
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
            if (tC_present) {
                C_vals[pC2] = tC;
                pC2++;
            }
        }
    }
    return GN_OK;
}

int compute(gn_tensor *C, const gn_tensor *A, const gn_tensor *x)
{
    return compute_arrays(A->level[0].array[0], A->level[1].array[0], A->level[2].array[0], A->level[2].array[1],
            A->vals, x->vals, C->vals);
}

static GN_APART int evaluate_arrays(gn_tensor *C, const int32_t * restrict A1_pos, const int32_t * restrict A1_crd,
        const int32_t * restrict A2_pos, const int32_t * restrict A2_crd, const int32_t * restrict A3_pos,
        const int32_t * restrict A3_crd, int64_t A1_dimension, const double * restrict A_vals,
        const double * restrict x_vals, int64_t A_size)
{
    int status = GN_OK;
    int32_t * restrict C1_pos = NULL;
    int32_t * restrict C1_crd = NULL;
    int32_t * restrict C2_pos = NULL;
    int32_t * restrict C2_crd = NULL;
    double * restrict C_vals = NULL;
    int64_t pC1 = 0;
    int64_t C1_capacity = 0;
    int64_t pC2 = 0;
    int64_t C2_capacity = 0;
    C1_pos = gn_zeros(2, sizeof(int32_t), &status);
    C2_pos = gn_zeros(1, sizeof(int32_t), &status);
    C2_capacity = gn_estimate(A_size, GN_INDEX_MAX, 1);
    C2_crd = gn_resize(C2_crd, C2_capacity, sizeof(int32_t), &status);
    C_vals = gn_resize(C_vals, C2_capacity, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    /* i: iterate A */
    for (int64_t pA1 = A1_pos[0], pA1_end = A1_pos[1]; pA1 < pA1_end; pA1++) {
        const int64_t i = A1_crd[pA1];
        const int64_t pC2_begin = pC2;
        /* j: iterate A */
        int64_t pA2_begin = A2_pos[pA1];
        int64_t pA2_end = A2_pos[pA1 + 1];
        if (C2_capacity - pC2 < pA2_end - pA2_begin) {
            const int64_t capacity = gn_foresee(C2_capacity, pC2, pA2_end - pA2_begin, i, A1_dimension, 1, GN_INDEX_MAX,
                    &status);
            C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
            C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
            if (status != GN_OK) {
                goto done;
            }
            C2_capacity = capacity;
        }
        for (int64_t pA2 = pA2_begin; pA2 < pA2_end; pA2++) {
            const int64_t j = A2_crd[pA2];
            double tC = 0.0;
            bool tC_present = false;
            /* k: iterate A; locate x */
            int64_t pA3_next = A3_pos[pA2];
            const int64_t pA3_end = A3_pos[pA2 + 1];
            tC_present = tC_present || A3_pos[pA2] < A3_pos[pA2 + 1];
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
            if (tC_present) {
                C2_crd[pC2] = (int32_t) j;
                C_vals[pC2] = tC;
                pC2++;
            }
        }
        if (pC2_begin < pC2) {
            if (pC1 == C1_capacity) {
                const int64_t capacity = gn_foresee(C1_capacity, pC1, 1, i, A1_dimension, 1, GN_INDEX_MAX, &status);
                C1_crd = gn_resize(C1_crd, capacity, sizeof(int32_t), &status);
                C2_pos = gn_resize(C2_pos, capacity + 1, sizeof(int32_t), &status);
                if (status != GN_OK) {
                    goto done;
                }
                C1_capacity = capacity;
            }
            C1_crd[pC1] = (int32_t) i;
            C2_pos[pC1 + 1] = 0;
            C2_pos[pC1 + 1] = (int32_t) (C2_pos[pC1 + 1] + pC2 - pC2_begin);
            pC1++;
        }
    }
    C1_pos[1] = (int32_t) (C1_pos[1] + pC1);
    if (pC1 > GN_INDEX_MAX || pC2 > GN_INDEX_MAX) {
        status = GN_OVERFLOW;
        goto done;
    }
    int64_t total = C1_pos[0];
    total += C1_pos[1];
    C1_pos[1] = (int32_t) total;
    int64_t total_2 = C2_pos[0];
    for (int64_t p = 1; p < pC1 + 1; p++) {
        total_2 += C2_pos[p];
        C2_pos[p] = (int32_t) total_2;
    }
    C->level[0].array[0] = C1_pos;
    C->level[0].length[0] = 2;
    C->level[0].array[1] = C1_crd;
    C->level[0].length[1] = pC1;
    C->level[1].array[0] = C2_pos;
    C->level[1].length[0] = pC1 + 1;
    C->level[1].array[1] = C2_crd;
    C->level[1].length[1] = pC2;
    C->vals = C_vals;
    C->size = pC2;
    done:;
    if (status != GN_OK) {
        free(C1_pos);
        free(C1_crd);
        free(C2_pos);
        free(C2_crd);
        free(C_vals);
    }
    return status;
}

int evaluate(gn_tensor *C, const gn_tensor *A, const gn_tensor *x)
{
    return evaluate_arrays(C, A->level[0].array[0], A->level[0].array[1], A->level[1].array[0], A->level[1].array[1],
            A->level[2].array[0], A->level[2].array[1], A->level[0].extent, A->vals, x->vals, A->size);
}
