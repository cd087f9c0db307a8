/*
 * T(i,j,k) = A(i,l) * B(l,j,k)    by modes=flat
 *
 * T: compressed,compressed,compressed, float64, fill 0.0
 * A: CSR, float64, fill 0.0
 * B: compressed,compressed,compressed, float64, fill 0.0
 *
 * ∀i
 *   ∀jk
 *     T(i,j,k) = w(jk)
 *   where w:
 *     ∀l
 *       ∀j
 *         ∀k
 *           ∀jk
 *             w(jk) += A(i,l) * B(l,j,k)
 */
#include "gnomon.h"

static GN_APART int assemble_arrays(gn_tensor *T, const int32_t * restrict A2_pos, const int32_t * restrict A2_crd,
        int64_t A1_dimension, int64_t A2_dimension, const int32_t * restrict B1_pos, const int32_t * restrict B1_crd,
        const int32_t * restrict B2_pos, const int32_t * restrict B2_crd, const int32_t * restrict B3_pos,
        const int32_t * restrict B3_crd, int64_t B2_dimension, int64_t B3_dimension, int64_t A_size, int64_t B_size)
{
    int status = GN_OK;
    int32_t * restrict w1_slot = NULL;
    int32_t * restrict w1_crd = NULL;
    int32_t * restrict w1_count = NULL;
    int32_t * restrict T1_pos = NULL;
    int32_t * restrict T1_crd = NULL;
    int32_t * restrict T2_pos = NULL;
    int32_t * restrict T2_crd = NULL;
    int32_t * restrict T3_pos = NULL;
    int32_t * restrict T3_crd = NULL;
    double * restrict T_vals = NULL;
    int64_t pT1 = 0;
    int64_t T1_capacity = 0;
    int64_t pT2 = 0;
    int64_t T2_capacity = 0;
    int64_t pT3 = 0;
    int64_t T3_capacity = 0;
    gn_list w1_list = GN_NO_LIST;
    if (B2_dimension * B3_dimension > GN_INDEX_MAX) {
        status = GN_OVERFLOW;
        goto done;
    }
    w1_slot = gn_zeros(B2_dimension * B3_dimension, sizeof(int32_t), &status);
    w1_crd = gn_room(B2_dimension * B3_dimension, sizeof(int32_t), &status);
    w1_count = gn_zeros(1, sizeof(int32_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    T1_pos = gn_zeros(2, sizeof(int32_t), &status);
    T2_pos = gn_zeros(1, sizeof(int32_t), &status);
    T3_pos = gn_zeros(1, sizeof(int32_t), &status);
    T3_capacity = gn_estimate(A_size + B_size, GN_INDEX_MAX, 1);
    T3_crd = gn_resize(T3_crd, T3_capacity, sizeof(int32_t), &status);
    T_vals = gn_resize(T_vals, T3_capacity, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    /* i: iterate every i; locate A */
    for (int64_t i = 0; i < A1_dimension; i++) {
        const int64_t pT2_begin = pT2;
        for (int64_t q = 0, q_end = w1_count[0]; q < q_end; q++) {
            w1_slot[w1_crd[q]] = 0;
        }
        w1_count[0] = 0;
        /* l: co-iterate A, B */
        int64_t pA2 = A2_pos[i];
        int64_t pA2_end = A2_pos[i + 1];
        int64_t pB1 = B1_pos[0];
        int64_t pB1_end = B1_pos[1];
        while (pA2 < pA2_end && pB1 < pB1_end) {
            const int64_t lA = A2_crd[pA2];
            if (B1_crd[pB1] < lA) {
                pB1 = gn_max_int64(pB1, pB1_end - (A2_dimension - lA));
                if (B1_crd[pB1] < lA) {
                    int64_t pB1_stride = 1;
                    while (pB1_stride < pB1_end - pB1 && B1_crd[pB1 + pB1_stride] < lA) {
                        pB1_stride = pB1_stride * 2;
                    }
                    int64_t pB1_found = pB1 + (pB1_stride / 2 + 1);
                    int64_t pB1_found_end = gn_min_int64(pB1 + pB1_stride, pB1_end);
                    while (pB1_found < pB1_found_end) {
                        const int64_t middle = (pB1_found + pB1_found_end) / 2;
                        if (B1_crd[middle] < lA) {
                            pB1_found = middle + 1;
                        } else {
                            pB1_found_end = middle;
                        }
                    }
                    pB1 = pB1_found;
                }
            }
            if (pB1 < pB1_end) {
                const int64_t lB = B1_crd[pB1];
                if (lA == lB) {
                    /* j: iterate B */
                    for (int64_t pB2 = B2_pos[pB1], pB2_end = B2_pos[pB1 + 1]; pB2 < pB2_end; pB2++) {
                        const int64_t j = B2_crd[pB2];
                        /* k: iterate B */
                        for (int64_t pB3 = B3_pos[pB2], pB3_end = B3_pos[pB2 + 1]; pB3 < pB3_end; pB3++) {
                            const int64_t k = B3_crd[pB3];
                            /* jk: iterate every jk */
                            int64_t jk = j * B3_dimension + k;
                            int64_t n = w1_slot[jk];
                            int64_t pw1 = n != 0 ? n - 1 : w1_count[0];
                            if (n == 0) {
                                w1_crd[pw1] = (int32_t) jk;
                                w1_count[0] = (int32_t) (pw1 + 1);
                                w1_slot[jk] = (int32_t) (pw1 + 1);
                            }
                        }
                    }
                    pA2++;
                    pB1++;
                } else {
                    pA2 += lA <= lB;
                    pB1 += lB <= lA;
                }
            }
        }
        /* jk: iterate w; reorder w */
        if (5 * ((int64_t) w1_count[0]) >= 4 * (B2_dimension * B3_dimension)) {
            if (T3_capacity - pT3 < B2_dimension * B3_dimension) {
                const int64_t capacity = gn_foresee(T3_capacity, pT3, B2_dimension * B3_dimension, i, A1_dimension, 1,
                        GN_INDEX_MAX, &status);
                T3_crd = gn_resize(T3_crd, capacity, sizeof(int32_t), &status);
                T_vals = gn_resize(T_vals, capacity, sizeof(double), &status);
                if (status != GN_OK) {
                    goto done;
                }
                T3_capacity = capacity;
            }
            for (int64_t jk = 0; jk < B2_dimension * B3_dimension; jk++) {
                int64_t n = w1_slot[jk];
                const bool foundw1 = n != 0;
                if (foundw1) {
                    const int64_t j = jk / B3_dimension;
                    const int64_t k = jk % B3_dimension;
                    const int64_t pT3_begin = pT3;
                    T3_crd[pT3] = (int32_t) k;
                    pT3++;
                    if (pT3_begin < pT3) {
                        int64_t pT2_at = pT2 - 1;
                        if (!((pT2_begin < pT2 || (0 < pT1 && T1_crd[pT1 - 1] == i && 0 < T2_pos[pT1])) &&
                                T2_crd[pT2 - 1] == j)) {
                            if (pT2 == T2_capacity) {
                                const int64_t capacity = gn_foresee(T2_capacity, pT2, 1, i, A1_dimension, 1,
                                        GN_INDEX_MAX, &status);
                                T2_crd = gn_resize(T2_crd, capacity, sizeof(int32_t), &status);
                                T3_pos = gn_resize(T3_pos, capacity + 1, sizeof(int32_t), &status);
                                if (status != GN_OK) {
                                    goto done;
                                }
                                T2_capacity = capacity;
                            }
                            T2_crd[pT2] = (int32_t) j;
                            T3_pos[pT2 + 1] = 0;
                            pT2_at = pT2;
                            pT2++;
                        }
                        T3_pos[pT2_at + 1] = (int32_t) (T3_pos[pT2_at + 1] + pT3 - pT3_begin);
                    }
                }
            }
        } else {
            gn_order_int32(&w1_list, w1_crd, 0, w1_count[0], &status);
            if (status != GN_OK) {
                goto done;
            }
            int64_t sw1 = 0;
            if (T3_capacity - pT3 < w1_list.size - sw1) {
                const int64_t capacity = gn_foresee(T3_capacity, pT3, w1_list.size - sw1, i, A1_dimension, 1,
                        GN_INDEX_MAX, &status);
                T3_crd = gn_resize(T3_crd, capacity, sizeof(int32_t), &status);
                T_vals = gn_resize(T_vals, capacity, sizeof(double), &status);
                if (status != GN_OK) {
                    goto done;
                }
                T3_capacity = capacity;
            }
            while (sw1 < w1_list.size) {
                const int64_t jk = w1_list.item[sw1].coordinate;
                const int64_t j = jk / B3_dimension;
                const int64_t k = jk % B3_dimension;
                const int64_t pT3_begin = pT3;
                T3_crd[pT3] = (int32_t) k;
                pT3++;
                if (pT3_begin < pT3) {
                    int64_t pT2_at = pT2 - 1;
                    if (!((pT2_begin < pT2 || (0 < pT1 && T1_crd[pT1 - 1] == i && 0 < T2_pos[pT1])) &&
                            T2_crd[pT2 - 1] == j)) {
                        if (pT2 == T2_capacity) {
                            const int64_t capacity = gn_foresee(T2_capacity, pT2, 1, i, A1_dimension, 1, GN_INDEX_MAX,
                                    &status);
                            T2_crd = gn_resize(T2_crd, capacity, sizeof(int32_t), &status);
                            T3_pos = gn_resize(T3_pos, capacity + 1, sizeof(int32_t), &status);
                            if (status != GN_OK) {
                                goto done;
                            }
                            T2_capacity = capacity;
                        }
                        T2_crd[pT2] = (int32_t) j;
                        T3_pos[pT2 + 1] = 0;
                        pT2_at = pT2;
                        pT2++;
                    }
                    T3_pos[pT2_at + 1] = (int32_t) (T3_pos[pT2_at + 1] + pT3 - pT3_begin);
                }
                sw1++;
            }
        }
        if (pT2_begin < pT2) {
            if (pT1 == T1_capacity) {
                const int64_t capacity = gn_foresee(T1_capacity, pT1, 1, i, A1_dimension, 1, GN_INDEX_MAX, &status);
                T1_crd = gn_resize(T1_crd, capacity, sizeof(int32_t), &status);
                T2_pos = gn_resize(T2_pos, capacity + 1, sizeof(int32_t), &status);
                if (status != GN_OK) {
                    goto done;
                }
                T1_capacity = capacity;
            }
            T1_crd[pT1] = (int32_t) i;
            T2_pos[pT1 + 1] = 0;
            T2_pos[pT1 + 1] = (int32_t) (T2_pos[pT1 + 1] + pT2 - pT2_begin);
            pT1++;
        }
    }
    T1_pos[1] = (int32_t) (T1_pos[1] + pT1);
    if (pT1 > GN_INDEX_MAX || pT2 > GN_INDEX_MAX || pT3 > GN_INDEX_MAX) {
        status = GN_OVERFLOW;
        goto done;
    }
    int64_t total = T1_pos[0];
    total += T1_pos[1];
    T1_pos[1] = (int32_t) total;
    int64_t total_2 = T2_pos[0];
    for (int64_t p = 1; p < pT1 + 1; p++) {
        total_2 += T2_pos[p];
        T2_pos[p] = (int32_t) total_2;
    }
    int64_t total_3 = T3_pos[0];
    for (int64_t p = 1; p < pT2 + 1; p++) {
        total_3 += T3_pos[p];
        T3_pos[p] = (int32_t) total_3;
    }
    T->level[0].array[0] = T1_pos;
    T->level[0].length[0] = 2;
    T->level[0].array[1] = T1_crd;
    T->level[0].length[1] = pT1;
    T->level[1].array[0] = T2_pos;
    T->level[1].length[0] = pT1 + 1;
    T->level[1].array[1] = T2_crd;
    T->level[1].length[1] = pT2;
    T->level[2].array[0] = T3_pos;
    T->level[2].length[0] = pT2 + 1;
    T->level[2].array[1] = T3_crd;
    T->level[2].length[1] = pT3;
    T->vals = T_vals;
    T->size = pT3;
    done:;
    if (status != GN_OK) {
        free(T1_pos);
        free(T1_crd);
        free(T2_pos);
        free(T2_crd);
        free(T3_pos);
        free(T3_crd);
        free(T_vals);
    }
    free(w1_slot);
    free(w1_crd);
    free(w1_count);
    free(w1_list.item);
    free(w1_list.place);
    free(w1_list.mark);
    return status;
}

int assemble(gn_tensor *T, const gn_tensor *A, const gn_tensor *B)
{
    return assemble_arrays(T, A->level[1].array[0], A->level[1].array[1], A->level[0].extent, A->level[1].extent,
            B->level[0].array[0], B->level[0].array[1], B->level[1].array[0], B->level[1].array[1],
            B->level[2].array[0], B->level[2].array[1], B->level[1].extent, B->level[2].extent, A->size, B->size);
}

static GN_APART int compute_arrays(const int32_t * restrict A2_pos, const int32_t * restrict A2_crd,
        int64_t A1_dimension, int64_t A2_dimension, const double * restrict A_vals, const int32_t * restrict B1_pos,
        const int32_t * restrict B1_crd, const int32_t * restrict B2_pos, const int32_t * restrict B2_crd,
        const int32_t * restrict B3_pos, const int32_t * restrict B3_crd, int64_t B2_dimension, int64_t B3_dimension,
        const double * restrict B_vals, double * restrict T_vals)
{
    int status = GN_OK;
    int32_t * restrict w1_slot = NULL;
    int32_t * restrict w1_crd = NULL;
    int32_t * restrict w1_count = NULL;
    double * restrict w_vals = NULL;
    int64_t pT3 = 0;
    gn_list w1_list = GN_NO_LIST;
    if (B2_dimension * B3_dimension > GN_INDEX_MAX) {
        status = GN_OVERFLOW;
        goto done;
    }
    w1_slot = gn_zeros(B2_dimension * B3_dimension, sizeof(int32_t), &status);
    w1_crd = gn_room(B2_dimension * B3_dimension, sizeof(int32_t), &status);
    w1_count = gn_zeros(1, sizeof(int32_t), &status);
    w_vals = gn_room(B2_dimension * B3_dimension, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    /* i: iterate every i; locate A */
    for (int64_t i = 0; i < A1_dimension; i++) {
        for (int64_t q = 0, q_end = w1_count[0]; q < q_end; q++) {
            w1_slot[w1_crd[q]] = 0;
        }
        w1_count[0] = 0;
        /* l: co-iterate A, B */
        int64_t pA2 = A2_pos[i];
        int64_t pA2_end = A2_pos[i + 1];
        int64_t pB1 = B1_pos[0];
        int64_t pB1_end = B1_pos[1];
        while (pA2 < pA2_end && pB1 < pB1_end) {
            const int64_t lA = A2_crd[pA2];
            if (B1_crd[pB1] < lA) {
                pB1 = gn_max_int64(pB1, pB1_end - (A2_dimension - lA));
                if (B1_crd[pB1] < lA) {
                    int64_t pB1_stride = 1;
                    while (pB1_stride < pB1_end - pB1 && B1_crd[pB1 + pB1_stride] < lA) {
                        pB1_stride = pB1_stride * 2;
                    }
                    int64_t pB1_found = pB1 + (pB1_stride / 2 + 1);
                    int64_t pB1_found_end = gn_min_int64(pB1 + pB1_stride, pB1_end);
                    while (pB1_found < pB1_found_end) {
                        const int64_t middle = (pB1_found + pB1_found_end) / 2;
                        if (B1_crd[middle] < lA) {
                            pB1_found = middle + 1;
                        } else {
                            pB1_found_end = middle;
                        }
                    }
                    pB1 = pB1_found;
                }
            }
            if (pB1 < pB1_end) {
                const int64_t lB = B1_crd[pB1];
                if (lA == lB) {
                    /* j: iterate B */
                    for (int64_t pB2 = B2_pos[pB1], pB2_end = B2_pos[pB1 + 1]; pB2 < pB2_end; pB2++) {
                        const int64_t j = B2_crd[pB2];
                        /* k: iterate B */
                        for (int64_t pB3 = B3_pos[pB2], pB3_end = B3_pos[pB2 + 1]; pB3 < pB3_end; pB3++) {
                            const int64_t k = B3_crd[pB3];
                            /* jk: iterate every jk */
                            int64_t jk = j * B3_dimension + k;
                            const double vw = A_vals[pA2] * B_vals[pB3];
                            int64_t n = w1_slot[jk];
                            int64_t pw1 = n != 0 ? n - 1 : w1_count[0];
                            if (n == 0) {
                                w1_crd[pw1] = (int32_t) jk;
                                w1_count[0] = (int32_t) (pw1 + 1);
                                w1_slot[jk] = (int32_t) (pw1 + 1);
                                w_vals[pw1] = vw;
                            } else {
                                w_vals[pw1] += vw;
                            }
                        }
                    }
                    pA2++;
                    pB1++;
                } else {
                    pA2 += lA <= lB;
                    pB1 += lB <= lA;
                }
            }
        }
        /* jk: iterate w; reorder w */
        if (5 * ((int64_t) w1_count[0]) >= 4 * (B2_dimension * B3_dimension)) {
            for (int64_t jk = 0; jk < B2_dimension * B3_dimension; jk++) {
                int64_t n = w1_slot[jk];
                int64_t pw1 = n != 0 ? n - 1 : w1_count[0];
                const bool foundw1 = n != 0;
                if (foundw1) {
                    T_vals[pT3] = w_vals[pw1];
                    pT3++;
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
                T_vals[pT3] = w_vals[pw1];
                pT3++;
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

int compute(gn_tensor *T, const gn_tensor *A, const gn_tensor *B)
{
    return compute_arrays(A->level[1].array[0], A->level[1].array[1], A->level[0].extent, A->level[1].extent, A->vals,
            B->level[0].array[0], B->level[0].array[1], B->level[1].array[0], B->level[1].array[1],
            B->level[2].array[0], B->level[2].array[1], B->level[1].extent, B->level[2].extent, B->vals, T->vals);
}

static GN_APART int evaluate_arrays(gn_tensor *T, const int32_t * restrict A2_pos, const int32_t * restrict A2_crd,
        int64_t A1_dimension, int64_t A2_dimension, const double * restrict A_vals, const int32_t * restrict B1_pos,
        const int32_t * restrict B1_crd, const int32_t * restrict B2_pos, const int32_t * restrict B2_crd,
        const int32_t * restrict B3_pos, const int32_t * restrict B3_crd, int64_t B2_dimension, int64_t B3_dimension,
        const double * restrict B_vals, int64_t A_size, int64_t B_size)
{
    int status = GN_OK;
    int32_t * restrict w1_slot = NULL;
    int32_t * restrict w1_crd = NULL;
    int32_t * restrict w1_count = NULL;
    double * restrict w_vals = NULL;
    int32_t * restrict T1_pos = NULL;
    int32_t * restrict T1_crd = NULL;
    int32_t * restrict T2_pos = NULL;
    int32_t * restrict T2_crd = NULL;
    int32_t * restrict T3_pos = NULL;
    int32_t * restrict T3_crd = NULL;
    double * restrict T_vals = NULL;
    int64_t pT1 = 0;
    int64_t T1_capacity = 0;
    int64_t pT2 = 0;
    int64_t T2_capacity = 0;
    int64_t pT3 = 0;
    int64_t T3_capacity = 0;
    gn_list w1_list = GN_NO_LIST;
    if (B2_dimension * B3_dimension > GN_INDEX_MAX) {
        status = GN_OVERFLOW;
        goto done;
    }
    w1_slot = gn_zeros(B2_dimension * B3_dimension, sizeof(int32_t), &status);
    w1_crd = gn_room(B2_dimension * B3_dimension, sizeof(int32_t), &status);
    w1_count = gn_zeros(1, sizeof(int32_t), &status);
    w_vals = gn_room(B2_dimension * B3_dimension, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    T1_pos = gn_zeros(2, sizeof(int32_t), &status);
    T2_pos = gn_zeros(1, sizeof(int32_t), &status);
    T3_pos = gn_zeros(1, sizeof(int32_t), &status);
    T3_capacity = gn_estimate(A_size + B_size, GN_INDEX_MAX, 1);
    T3_crd = gn_resize(T3_crd, T3_capacity, sizeof(int32_t), &status);
    T_vals = gn_resize(T_vals, T3_capacity, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    /* i: iterate every i; locate A */
    for (int64_t i = 0; i < A1_dimension; i++) {
        const int64_t pT2_begin = pT2;
        for (int64_t q = 0, q_end = w1_count[0]; q < q_end; q++) {
            w1_slot[w1_crd[q]] = 0;
        }
        w1_count[0] = 0;
        /* l: co-iterate A, B */
        int64_t pA2 = A2_pos[i];
        int64_t pA2_end = A2_pos[i + 1];
        int64_t pB1 = B1_pos[0];
        int64_t pB1_end = B1_pos[1];
        while (pA2 < pA2_end && pB1 < pB1_end) {
            const int64_t lA = A2_crd[pA2];
            if (B1_crd[pB1] < lA) {
                pB1 = gn_max_int64(pB1, pB1_end - (A2_dimension - lA));
                if (B1_crd[pB1] < lA) {
                    int64_t pB1_stride = 1;
                    while (pB1_stride < pB1_end - pB1 && B1_crd[pB1 + pB1_stride] < lA) {
                        pB1_stride = pB1_stride * 2;
                    }
                    int64_t pB1_found = pB1 + (pB1_stride / 2 + 1);
                    int64_t pB1_found_end = gn_min_int64(pB1 + pB1_stride, pB1_end);
                    while (pB1_found < pB1_found_end) {
                        const int64_t middle = (pB1_found + pB1_found_end) / 2;
                        if (B1_crd[middle] < lA) {
                            pB1_found = middle + 1;
                        } else {
                            pB1_found_end = middle;
                        }
                    }
                    pB1 = pB1_found;
                }
            }
            if (pB1 < pB1_end) {
                const int64_t lB = B1_crd[pB1];
                if (lA == lB) {
                    /* j: iterate B */
                    for (int64_t pB2 = B2_pos[pB1], pB2_end = B2_pos[pB1 + 1]; pB2 < pB2_end; pB2++) {
                        const int64_t j = B2_crd[pB2];
                        /* k: iterate B */
                        for (int64_t pB3 = B3_pos[pB2], pB3_end = B3_pos[pB2 + 1]; pB3 < pB3_end; pB3++) {
                            const int64_t k = B3_crd[pB3];
                            /* jk: iterate every jk */
                            int64_t jk = j * B3_dimension + k;
                            const double vw = A_vals[pA2] * B_vals[pB3];
                            int64_t n = w1_slot[jk];
                            int64_t pw1 = n != 0 ? n - 1 : w1_count[0];
                            if (n == 0) {
                                w1_crd[pw1] = (int32_t) jk;
                                w1_count[0] = (int32_t) (pw1 + 1);
                                w1_slot[jk] = (int32_t) (pw1 + 1);
                                w_vals[pw1] = vw;
                            } else {
                                w_vals[pw1] += vw;
                            }
                        }
                    }
                    pA2++;
                    pB1++;
                } else {
                    pA2 += lA <= lB;
                    pB1 += lB <= lA;
                }
            }
        }
        /* jk: iterate w; reorder w */
        if (5 * ((int64_t) w1_count[0]) >= 4 * (B2_dimension * B3_dimension)) {
            if (T3_capacity - pT3 < B2_dimension * B3_dimension) {
                const int64_t capacity = gn_foresee(T3_capacity, pT3, B2_dimension * B3_dimension, i, A1_dimension, 1,
                        GN_INDEX_MAX, &status);
                T3_crd = gn_resize(T3_crd, capacity, sizeof(int32_t), &status);
                T_vals = gn_resize(T_vals, capacity, sizeof(double), &status);
                if (status != GN_OK) {
                    goto done;
                }
                T3_capacity = capacity;
            }
            for (int64_t jk = 0; jk < B2_dimension * B3_dimension; jk++) {
                int64_t n = w1_slot[jk];
                int64_t pw1 = n != 0 ? n - 1 : w1_count[0];
                const bool foundw1 = n != 0;
                if (foundw1) {
                    const int64_t j = jk / B3_dimension;
                    const int64_t k = jk % B3_dimension;
                    const int64_t pT3_begin = pT3;
                    T3_crd[pT3] = (int32_t) k;
                    T_vals[pT3] = w_vals[pw1];
                    pT3++;
                    if (pT3_begin < pT3) {
                        int64_t pT2_at = pT2 - 1;
                        if (!((pT2_begin < pT2 || (0 < pT1 && T1_crd[pT1 - 1] == i && 0 < T2_pos[pT1])) &&
                                T2_crd[pT2 - 1] == j)) {
                            if (pT2 == T2_capacity) {
                                const int64_t capacity = gn_foresee(T2_capacity, pT2, 1, i, A1_dimension, 1,
                                        GN_INDEX_MAX, &status);
                                T2_crd = gn_resize(T2_crd, capacity, sizeof(int32_t), &status);
                                T3_pos = gn_resize(T3_pos, capacity + 1, sizeof(int32_t), &status);
                                if (status != GN_OK) {
                                    goto done;
                                }
                                T2_capacity = capacity;
                            }
                            T2_crd[pT2] = (int32_t) j;
                            T3_pos[pT2 + 1] = 0;
                            pT2_at = pT2;
                            pT2++;
                        }
                        T3_pos[pT2_at + 1] = (int32_t) (T3_pos[pT2_at + 1] + pT3 - pT3_begin);
                    }
                }
            }
        } else {
            gn_order_int32(&w1_list, w1_crd, 0, w1_count[0], &status);
            if (status != GN_OK) {
                goto done;
            }
            int64_t sw1 = 0;
            if (T3_capacity - pT3 < w1_list.size - sw1) {
                const int64_t capacity = gn_foresee(T3_capacity, pT3, w1_list.size - sw1, i, A1_dimension, 1,
                        GN_INDEX_MAX, &status);
                T3_crd = gn_resize(T3_crd, capacity, sizeof(int32_t), &status);
                T_vals = gn_resize(T_vals, capacity, sizeof(double), &status);
                if (status != GN_OK) {
                    goto done;
                }
                T3_capacity = capacity;
            }
            while (sw1 < w1_list.size) {
                const int64_t jk = w1_list.item[sw1].coordinate;
                int64_t pw1 = w1_list.item[sw1].position;
                const int64_t j = jk / B3_dimension;
                const int64_t k = jk % B3_dimension;
                const int64_t pT3_begin = pT3;
                T3_crd[pT3] = (int32_t) k;
                T_vals[pT3] = w_vals[pw1];
                pT3++;
                if (pT3_begin < pT3) {
                    int64_t pT2_at = pT2 - 1;
                    if (!((pT2_begin < pT2 || (0 < pT1 && T1_crd[pT1 - 1] == i && 0 < T2_pos[pT1])) &&
                            T2_crd[pT2 - 1] == j)) {
                        if (pT2 == T2_capacity) {
                            const int64_t capacity = gn_foresee(T2_capacity, pT2, 1, i, A1_dimension, 1, GN_INDEX_MAX,
                                    &status);
                            T2_crd = gn_resize(T2_crd, capacity, sizeof(int32_t), &status);
                            T3_pos = gn_resize(T3_pos, capacity + 1, sizeof(int32_t), &status);
                            if (status != GN_OK) {
                                goto done;
                            }
                            T2_capacity = capacity;
                        }
                        T2_crd[pT2] = (int32_t) j;
                        T3_pos[pT2 + 1] = 0;
                        pT2_at = pT2;
                        pT2++;
                    }
                    T3_pos[pT2_at + 1] = (int32_t) (T3_pos[pT2_at + 1] + pT3 - pT3_begin);
                }
                sw1++;
            }
        }
        if (pT2_begin < pT2) {
            if (pT1 == T1_capacity) {
                const int64_t capacity = gn_foresee(T1_capacity, pT1, 1, i, A1_dimension, 1, GN_INDEX_MAX, &status);
                T1_crd = gn_resize(T1_crd, capacity, sizeof(int32_t), &status);
                T2_pos = gn_resize(T2_pos, capacity + 1, sizeof(int32_t), &status);
                if (status != GN_OK) {
                    goto done;
                }
                T1_capacity = capacity;
            }
            T1_crd[pT1] = (int32_t) i;
            T2_pos[pT1 + 1] = 0;
            T2_pos[pT1 + 1] = (int32_t) (T2_pos[pT1 + 1] + pT2 - pT2_begin);
            pT1++;
        }
    }
    T1_pos[1] = (int32_t) (T1_pos[1] + pT1);
    if (pT1 > GN_INDEX_MAX || pT2 > GN_INDEX_MAX || pT3 > GN_INDEX_MAX) {
        status = GN_OVERFLOW;
        goto done;
    }
    int64_t total = T1_pos[0];
    total += T1_pos[1];
    T1_pos[1] = (int32_t) total;
    int64_t total_2 = T2_pos[0];
    for (int64_t p = 1; p < pT1 + 1; p++) {
        total_2 += T2_pos[p];
        T2_pos[p] = (int32_t) total_2;
    }
    int64_t total_3 = T3_pos[0];
    for (int64_t p = 1; p < pT2 + 1; p++) {
        total_3 += T3_pos[p];
        T3_pos[p] = (int32_t) total_3;
    }
    T->level[0].array[0] = T1_pos;
    T->level[0].length[0] = 2;
    T->level[0].array[1] = T1_crd;
    T->level[0].length[1] = pT1;
    T->level[1].array[0] = T2_pos;
    T->level[1].length[0] = pT1 + 1;
    T->level[1].array[1] = T2_crd;
    T->level[1].length[1] = pT2;
    T->level[2].array[0] = T3_pos;
    T->level[2].length[0] = pT2 + 1;
    T->level[2].array[1] = T3_crd;
    T->level[2].length[1] = pT3;
    T->vals = T_vals;
    T->size = pT3;
    done:;
    if (status != GN_OK) {
        free(T1_pos);
        free(T1_crd);
        free(T2_pos);
        free(T2_crd);
        free(T3_pos);
        free(T3_crd);
        free(T_vals);
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

int evaluate(gn_tensor *T, const gn_tensor *A, const gn_tensor *B)
{
    return evaluate_arrays(T, A->level[1].array[0], A->level[1].array[1], A->level[0].extent, A->level[1].extent,
            A->vals, B->level[0].array[0], B->level[0].array[1], B->level[1].array[0], B->level[1].array[1],
            B->level[2].array[0], B->level[2].array[1], B->level[1].extent, B->level[2].extent, B->vals, A->size,
            B->size);
}
