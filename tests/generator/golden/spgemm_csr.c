/*
 * C(i,j) = A(i,k) * B(k,j)
 *
 * C: CSR, float64, fill 0.0
 * A: CSR, float64, fill 0.0
 * B: CSR, float64, fill 0.0
 *
 * ∀i
 *   ∀j
 *     C(i,j) = w(j)
 *   where w:
 *     ∀k
 *       ∀j
 *         w(j) += A(i,k) * B(k,j)
 */
#include "gnomon.h"

static GN_APART int assemble_arrays(gn_tensor *C, const int32_t * restrict A2_pos, const int32_t * restrict A2_crd,
        int64_t A1_dimension, const int32_t * restrict B2_pos, const int32_t * restrict B2_crd, int64_t B2_dimension,
        int64_t A_size, int64_t B_size)
{
    int status = GN_OK;
    int32_t * restrict w1_slot = NULL;
    int32_t * restrict w1_crd = NULL;
    int32_t * restrict w1_count = NULL;
    int32_t * restrict C2_pos = NULL;
    int32_t * restrict C2_crd = NULL;
    double * restrict C_vals = NULL;
    int64_t pC2 = 0;
    int64_t C2_capacity = 0;
    gn_list w1_list = GN_NO_LIST;
    w1_slot = gn_zeros(B2_dimension, sizeof(int32_t), &status);
    w1_crd = gn_room(B2_dimension, sizeof(int32_t), &status);
    w1_count = gn_zeros(1, sizeof(int32_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    C2_pos = gn_zeros(A1_dimension + 1, sizeof(int32_t), &status);
    C2_capacity = gn_estimate(A_size + B_size, GN_INDEX_MAX, 1);
    C2_crd = gn_resize(C2_crd, C2_capacity, sizeof(int32_t), &status);
    C_vals = gn_resize(C_vals, C2_capacity, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    /* i: iterate every i; locate A */
    for (int64_t i = 0; i < A1_dimension; i++) {
        const int64_t pC2_begin = pC2;
        for (int64_t q = 0, q_end = w1_count[0]; q < q_end; q++) {
            w1_slot[w1_crd[q]] = 0;
        }
        w1_count[0] = 0;
        /* k: iterate A; locate B */
        for (int64_t pA2 = A2_pos[i], pA2_end = A2_pos[i + 1]; pA2 < pA2_end; pA2++) {
            const int64_t k = A2_crd[pA2];
            /* j: iterate B */
            for (int64_t pB2 = B2_pos[k], pB2_end = B2_pos[k + 1]; pB2 < pB2_end; pB2++) {
                const int64_t j = B2_crd[pB2];
                int64_t n = w1_slot[j];
                int64_t pw1 = n != 0 ? n - 1 : w1_count[0];
                if (n == 0) {
                    w1_crd[pw1] = (int32_t) j;
                    w1_count[0] = (int32_t) (pw1 + 1);
                    w1_slot[j] = (int32_t) (pw1 + 1);
                }
            }
        }
        /* j: iterate w; reorder w */
        if (5 * ((int64_t) w1_count[0]) >= 4 * B2_dimension) {
            if (C2_capacity - pC2 < B2_dimension) {
                const int64_t capacity = gn_foresee(C2_capacity, pC2, B2_dimension, i, A1_dimension, 1, GN_INDEX_MAX,
                        &status);
                C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
                C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
                if (status != GN_OK) {
                    goto done;
                }
                C2_capacity = capacity;
            }
            for (int64_t j = 0; j < B2_dimension; j++) {
                int64_t n = w1_slot[j];
                const bool foundw1 = n != 0;
                if (foundw1) {
                    C2_crd[pC2] = (int32_t) j;
                    pC2++;
                }
            }
        } else {
            gn_order_int32(&w1_list, w1_crd, 0, w1_count[0], &status);
            if (status != GN_OK) {
                goto done;
            }
            int64_t sw1 = 0;
            if (C2_capacity - pC2 < w1_list.size - sw1) {
                const int64_t capacity = gn_foresee(C2_capacity, pC2, w1_list.size - sw1, i, A1_dimension, 1,
                        GN_INDEX_MAX, &status);
                C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
                C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
                if (status != GN_OK) {
                    goto done;
                }
                C2_capacity = capacity;
            }
            while (sw1 < w1_list.size) {
                const int64_t j = w1_list.item[sw1].coordinate;
                C2_crd[pC2] = (int32_t) j;
                pC2++;
                sw1++;
            }
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
    free(w1_slot);
    free(w1_crd);
    free(w1_count);
    free(w1_list.item);
    free(w1_list.place);
    free(w1_list.mark);
    return status;
}

int assemble(gn_tensor *C, const gn_tensor *A, const gn_tensor *B)
{
    return assemble_arrays(C, A->level[1].array[0], A->level[1].array[1], A->level[0].extent, B->level[1].array[0],
            B->level[1].array[1], B->level[1].extent, A->size, B->size);
}

static GN_APART int compute_arrays(const int32_t * restrict A2_pos, const int32_t * restrict A2_crd,
        int64_t A1_dimension, const double * restrict A_vals, const int32_t * restrict B2_pos,
        const int32_t * restrict B2_crd, int64_t B2_dimension, const double * restrict B_vals, double * restrict C_vals)
{
    int status = GN_OK;
    int32_t * restrict w1_slot = NULL;
    int32_t * restrict w1_crd = NULL;
    int32_t * restrict w1_count = NULL;
    double * restrict w_vals = NULL;
    int64_t pC2 = 0;
    gn_list w1_list = GN_NO_LIST;
    w1_slot = gn_zeros(B2_dimension, sizeof(int32_t), &status);
    w1_crd = gn_room(B2_dimension, sizeof(int32_t), &status);
    w1_count = gn_zeros(1, sizeof(int32_t), &status);
    w_vals = gn_room(B2_dimension, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    /* i: iterate every i; locate A */
    for (int64_t i = 0; i < A1_dimension; i++) {
        for (int64_t q = 0, q_end = w1_count[0]; q < q_end; q++) {
            w1_slot[w1_crd[q]] = 0;
        }
        w1_count[0] = 0;
        /* k: iterate A; locate B */
        for (int64_t pA2 = A2_pos[i], pA2_end = A2_pos[i + 1]; pA2 < pA2_end; pA2++) {
            const int64_t k = A2_crd[pA2];
            /* j: iterate B */
            for (int64_t pB2 = B2_pos[k], pB2_end = B2_pos[k + 1]; pB2 < pB2_end; pB2++) {
                const int64_t j = B2_crd[pB2];
                const double vw = A_vals[pA2] * B_vals[pB2];
                int64_t n = w1_slot[j];
                int64_t pw1 = n != 0 ? n - 1 : w1_count[0];
                if (n == 0) {
                    w1_crd[pw1] = (int32_t) j;
                    w1_count[0] = (int32_t) (pw1 + 1);
                    w1_slot[j] = (int32_t) (pw1 + 1);
                    w_vals[pw1] = vw;
                } else {
                    w_vals[pw1] += vw;
                }
            }
        }
        /* j: iterate w; reorder w */
        if (5 * ((int64_t) w1_count[0]) >= 4 * B2_dimension) {
            for (int64_t j = 0; j < B2_dimension; j++) {
                int64_t n = w1_slot[j];
                int64_t pw1 = n != 0 ? n - 1 : w1_count[0];
                const bool foundw1 = n != 0;
                if (foundw1) {
                    C_vals[pC2] = w_vals[pw1];
                    pC2++;
                }
            }
        } else {
            gn_order_int32(&w1_list, w1_crd, 0, w1_count[0], &status);
            if (status != GN_OK) {
                goto done;
            }
            int64_t sw1 = 0;
            while (sw1 < w1_list.size) {
                int64_t pw1 = w1_list.item[sw1].position;
                C_vals[pC2] = w_vals[pw1];
                pC2++;
                sw1++;
            }
        }
    }
    done:;
    free(w1_slot);
    free(w1_crd);
    free(w1_count);
    free(w_vals);
    free(w1_list.item);
    free(w1_list.place);
    free(w1_list.mark);
    return status;
}

int compute(gn_tensor *C, const gn_tensor *A, const gn_tensor *B)
{
    return compute_arrays(A->level[1].array[0], A->level[1].array[1], A->level[0].extent, A->vals, B->level[1].array[0],
            B->level[1].array[1], B->level[1].extent, B->vals, C->vals);
}

static GN_APART int evaluate_arrays(gn_tensor *C, const int32_t * restrict A2_pos, const int32_t * restrict A2_crd,
        int64_t A1_dimension, const double * restrict A_vals, const int32_t * restrict B2_pos,
        const int32_t * restrict B2_crd, int64_t B2_dimension, const double * restrict B_vals, int64_t A_size,
        int64_t B_size)
{
    int status = GN_OK;
    int32_t * restrict w1_slot = NULL;
    int32_t * restrict w1_crd = NULL;
    int32_t * restrict w1_count = NULL;
    double * restrict w_vals = NULL;
    int32_t * restrict C2_pos = NULL;
    int32_t * restrict C2_crd = NULL;
    double * restrict C_vals = NULL;
    int64_t pC2 = 0;
    int64_t C2_capacity = 0;
    gn_list w1_list = GN_NO_LIST;
    w1_slot = gn_zeros(B2_dimension, sizeof(int32_t), &status);
    w1_crd = gn_room(B2_dimension, sizeof(int32_t), &status);
    w1_count = gn_zeros(1, sizeof(int32_t), &status);
    w_vals = gn_room(B2_dimension, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    C2_pos = gn_zeros(A1_dimension + 1, sizeof(int32_t), &status);
    C2_capacity = gn_estimate(A_size + B_size, GN_INDEX_MAX, 1);
    C2_crd = gn_resize(C2_crd, C2_capacity, sizeof(int32_t), &status);
    C_vals = gn_resize(C_vals, C2_capacity, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    /* i: iterate every i; locate A */
    for (int64_t i = 0; i < A1_dimension; i++) {
        const int64_t pC2_begin = pC2;
        for (int64_t q = 0, q_end = w1_count[0]; q < q_end; q++) {
            w1_slot[w1_crd[q]] = 0;
        }
        w1_count[0] = 0;
        /* k: iterate A; locate B */
        for (int64_t pA2 = A2_pos[i], pA2_end = A2_pos[i + 1]; pA2 < pA2_end; pA2++) {
            const int64_t k = A2_crd[pA2];
            /* j: iterate B */
            for (int64_t pB2 = B2_pos[k], pB2_end = B2_pos[k + 1]; pB2 < pB2_end; pB2++) {
                const int64_t j = B2_crd[pB2];
                const double vw = A_vals[pA2] * B_vals[pB2];
                int64_t n = w1_slot[j];
                int64_t pw1 = n != 0 ? n - 1 : w1_count[0];
                if (n == 0) {
                    w1_crd[pw1] = (int32_t) j;
                    w1_count[0] = (int32_t) (pw1 + 1);
                    w1_slot[j] = (int32_t) (pw1 + 1);
                    w_vals[pw1] = vw;
                } else {
                    w_vals[pw1] += vw;
                }
            }
        }
        /* j: iterate w; reorder w */
        if (5 * ((int64_t) w1_count[0]) >= 4 * B2_dimension) {
            if (C2_capacity - pC2 < B2_dimension) {
                const int64_t capacity = gn_foresee(C2_capacity, pC2, B2_dimension, i, A1_dimension, 1, GN_INDEX_MAX,
                        &status);
                C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
                C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
                if (status != GN_OK) {
                    goto done;
                }
                C2_capacity = capacity;
            }
            for (int64_t j = 0; j < B2_dimension; j++) {
                int64_t n = w1_slot[j];
                int64_t pw1 = n != 0 ? n - 1 : w1_count[0];
                const bool foundw1 = n != 0;
                if (foundw1) {
                    C2_crd[pC2] = (int32_t) j;
                    C_vals[pC2] = w_vals[pw1];
                    pC2++;
                }
            }
        } else {
            gn_order_int32(&w1_list, w1_crd, 0, w1_count[0], &status);
            if (status != GN_OK) {
                goto done;
            }
            int64_t sw1 = 0;
            if (C2_capacity - pC2 < w1_list.size - sw1) {
                const int64_t capacity = gn_foresee(C2_capacity, pC2, w1_list.size - sw1, i, A1_dimension, 1,
                        GN_INDEX_MAX, &status);
                C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
                C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
                if (status != GN_OK) {
                    goto done;
                }
                C2_capacity = capacity;
            }
            while (sw1 < w1_list.size) {
                const int64_t j = w1_list.item[sw1].coordinate;
                int64_t pw1 = w1_list.item[sw1].position;
                C2_crd[pC2] = (int32_t) j;
                C_vals[pC2] = w_vals[pw1];
                pC2++;
                sw1++;
            }
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
    free(w1_slot);
    free(w1_crd);
    free(w1_count);
    free(w_vals);
    free(w1_list.item);
    free(w1_list.place);
    free(w1_list.mark);
    return status;
}

int evaluate(gn_tensor *C, const gn_tensor *A, const gn_tensor *B)
{
    return evaluate_arrays(C, A->level[1].array[0], A->level[1].array[1], A->level[0].extent, A->vals,
            B->level[1].array[0], B->level[1].array[1], B->level[1].extent, B->vals, A->size, B->size);
}
