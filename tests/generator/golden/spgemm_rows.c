/*
 * C(i,j) = A(i,k) * B(k,j)    by split(i,i0,i1,32),parallelize(i0,CPUThread,NoRaces)
 *
 * C: CSR, float64, fill 0.0
 * A: CSR, float64, fill 0.0
 * B: CSR, float64, fill 0.0
 *
 * ∀i0  [CPUThread NoRaces]
 *   ∀i1
 *     ∀j
 *       C(i,j) = w(j)
 *     where w:
 *       ∀k
 *         ∀j
 *           w(j) += A(i,k) * B(k,j)
 */
#include "gnomon.h"

static GN_APART int assemble_arrays(gn_tensor *C, const int32_t * restrict A2_pos, const int32_t * restrict A2_crd,
        int64_t A1_dimension, int64_t A2_dimension, const int32_t * restrict B2_pos, const int32_t * restrict B2_crd,
        int64_t B2_dimension, int64_t A_size, int64_t B_size)
{
    int status = GN_OK;
    int32_t * restrict C2_pos = NULL;
    int32_t * restrict C2_crd = NULL;
    double * restrict C_vals = NULL;
    int64_t pC2 = 0;
    int64_t C2_capacity = 0;
    int64_t *C2_first = NULL;
    int64_t *C_before = NULL;
    C2_pos = gn_zeros(A1_dimension + 1, sizeof(int32_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    {
        int C_status = GN_OK;
        /* i0: iterate every i0 */
        int64_t i0_end = (A1_dimension + 31) / 32;
        free(C_before);
        C_before = gn_zeros(i0_end, sizeof(int64_t), &status);
        free(C2_first);
        C2_first = gn_zeros(i0_end + 1, sizeof(int64_t), &status);
        if (status != GN_OK) {
            goto done;
        }
        const bool i0_pays = gn_pays(3.0 * (((double) A_size) * (((double) B_size) / ((double) gn_max_int64(1,
                A2_dimension)))) + ((double) A_size) + ((double) B_size) / ((double) gn_max_int64(1, A2_dimension))) &&
                gn_fits((double) B2_dimension);
        #pragma omp parallel reduction(max : status) if (i0_pays)
        {
            status = GN_OK;
            int32_t * restrict w1_slot = NULL;
            int32_t * restrict w1_crd = NULL;
            int32_t * restrict w1_count = NULL;
            int64_t C_last = -1;
            bool C_ordered = true;
            int32_t *C2_crd_own = NULL;
            double *C_vals_own = NULL;
            int64_t pC2_own = 0;
            int64_t C2_room = 0;
            gn_list w1_list = GN_NO_LIST;
            w1_slot = gn_zeros(B2_dimension, sizeof(int32_t), &status);
            w1_crd = gn_room(B2_dimension, sizeof(int32_t), &status);
            w1_count = gn_zeros(1, sizeof(int32_t), &status);
            if (status != GN_OK) {
                goto ready_i0;
            }
            ready_i0:;
            C2_room = gn_estimate(gn_part(A_size + B_size), GN_INDEX_MAX, 1);
            C2_crd_own = gn_resize(C2_crd_own, C2_room, sizeof(int32_t), &status);
            C_vals_own = gn_resize(C_vals_own, C2_room, sizeof(double), &status);
            #pragma omp for schedule(dynamic, gn_chunk(0, i0_end))
            for (int64_t i0 = 0; i0 < i0_end; i0++) {
                if (status == GN_OK) {
                    const int64_t C2_begun = pC2_own;
                    C_ordered = C_ordered && C_last < i0;
                    /* i: iterate every i; locate A */
                    for (int64_t i1 = 0, i1_end = gn_min_int64(32, A1_dimension - i0 * 32); i1 < i1_end; i1++) {
                        int64_t i = i0 * 32 + i1;
                        const int64_t pC2_own_begin = pC2_own;
                        /* i1: iterate every i1 */
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
                            if (C2_room - pC2_own < B2_dimension) {
                                const int64_t capacity = gn_foresee(C2_room, pC2_own, B2_dimension, i, A1_dimension, 1,
                                        GN_INDEX_MAX, &status);
                                C2_crd_own = gn_resize(C2_crd_own, capacity, sizeof(int32_t), &status);
                                C_vals_own = gn_resize(C_vals_own, capacity, sizeof(double), &status);
                                if (status != GN_OK) {
                                    goto next_i0;
                                }
                                C2_room = capacity;
                            }
                            for (int64_t j = 0; j < B2_dimension; j++) {
                                int64_t n = w1_slot[j];
                                const bool foundw1 = n != 0;
                                if (foundw1) {
                                    C2_crd_own[pC2_own] = (int32_t) j;
                                    pC2_own++;
                                }
                            }
                        } else {
                            gn_order_int32(&w1_list, w1_crd, 0, w1_count[0], &status);
                            if (status != GN_OK) {
                                goto next_i0;
                            }
                            int64_t sw1 = 0;
                            if (C2_room - pC2_own < w1_list.size - sw1) {
                                const int64_t capacity = gn_foresee(C2_room, pC2_own, w1_list.size - sw1, i,
                                        A1_dimension, 1, GN_INDEX_MAX, &status);
                                C2_crd_own = gn_resize(C2_crd_own, capacity, sizeof(int32_t), &status);
                                C_vals_own = gn_resize(C_vals_own, capacity, sizeof(double), &status);
                                if (status != GN_OK) {
                                    goto next_i0;
                                }
                                C2_room = capacity;
                            }
                            while (sw1 < w1_list.size) {
                                const int64_t j = w1_list.item[sw1].coordinate;
                                C2_crd_own[pC2_own] = (int32_t) j;
                                pC2_own++;
                                sw1++;
                            }
                        }
                        C2_pos[i + 1] = (int32_t) (C2_pos[i + 1] + pC2_own - pC2_own_begin);
                    }
                    C2_first[i0 + 1] = pC2_own - C2_begun;
                    C_before[i0] = C_last;
                    C_last = i0;
                    next_i0:;
                }
                if (status != GN_OK) {
                    #pragma omp critical
                    {
                        C_status = status;
                    }
                }
            }
            #pragma omp single
            {
                if (C_status == GN_OK) {
                    for (int64_t n = 0; n < i0_end; n++) {
                        C2_first[n + 1] += C2_first[n];
                    }
                    if (C2_capacity - pC2 < C2_first[i0_end]) {
                        const int64_t capacity = gn_capacity(C2_capacity, pC2, C2_first[i0_end], GN_INDEX_MAX, &status);
                        C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
                        C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
                        if (status != GN_OK) {
                            goto placed_i0;
                        }
                        C2_capacity = capacity;
                    }
                    placed_i0:;
                    C_status = status;
                }
            }
            if (C_status != GN_OK) {
                status = C_status;
            }
            if (status == GN_OK) {
                if (pC2 == 0 && pC2_own > 0 && pC2_own == C2_first[i0_end] && C_ordered) {
                    gn_swap(C2_crd, C2_crd_own);
                    gn_swap(C_vals, C_vals_own);
                    C2_capacity = C2_room;
                } else {
                    gn_place(C2_crd, C2_crd_own, 0, 1, pC2, pC2_own, C2_first, C_before, C_last);
                    gn_place(C_vals, C_vals_own, 0, 1, pC2, pC2_own, C2_first, C_before, C_last);
                }
            }
            free(w1_slot);
            free(w1_crd);
            free(w1_count);
            free(C2_crd_own);
            free(C_vals_own);
            free(w1_list.item);
            free(w1_list.place);
            free(w1_list.mark);
        }
        if (status != GN_OK) {
            goto done;
        }
        pC2 += C2_first[i0_end];
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
    free(C_before);
    free(C2_first);
    return status;
}

int assemble(gn_tensor *C, const gn_tensor *A, const gn_tensor *B)
{
    return assemble_arrays(C, A->level[1].array[0], A->level[1].array[1], A->level[0].extent, A->level[1].extent,
            B->level[1].array[0], B->level[1].array[1], B->level[1].extent, A->size, B->size);
}

static GN_APART int compute_arrays(const int32_t * restrict A2_pos, const int32_t * restrict A2_crd,
        int64_t A1_dimension, int64_t A2_dimension, const double * restrict A_vals, const int32_t * restrict B2_pos,
        const int32_t * restrict B2_crd, int64_t B2_dimension, const double * restrict B_vals, double * restrict C_vals,
        int64_t A_size, int64_t B_size)
{
    int status = GN_OK;
    int64_t pC2 = 0;
    int64_t *C2_first = NULL;
    int64_t *C_before = NULL;
    {
        int C_status = GN_OK;
        /* i0: iterate every i0 */
        int64_t i0_end = (A1_dimension + 31) / 32;
        free(C_before);
        C_before = gn_zeros(i0_end, sizeof(int64_t), &status);
        free(C2_first);
        C2_first = gn_zeros(i0_end + 1, sizeof(int64_t), &status);
        if (status != GN_OK) {
            goto done;
        }
        const bool i0_pays = gn_pays(3.0 * (((double) A_size) * (((double) B_size) / ((double) gn_max_int64(1,
                A2_dimension)))) + ((double) A_size) + ((double) B_size) / ((double) gn_max_int64(1, A2_dimension))) &&
                gn_fits((double) B2_dimension);
        #pragma omp parallel reduction(max : status) if (i0_pays)
        {
            status = GN_OK;
            int32_t * restrict w1_slot = NULL;
            int32_t * restrict w1_crd = NULL;
            int32_t * restrict w1_count = NULL;
            double * restrict w_vals = NULL;
            int64_t C_last = -1;
            double *C_vals_own = NULL;
            int64_t pC2_own = 0;
            int64_t C2_room = 0;
            gn_list w1_list = GN_NO_LIST;
            w1_slot = gn_zeros(B2_dimension, sizeof(int32_t), &status);
            w1_crd = gn_room(B2_dimension, sizeof(int32_t), &status);
            w1_count = gn_zeros(1, sizeof(int32_t), &status);
            w_vals = gn_room(B2_dimension, sizeof(double), &status);
            if (status != GN_OK) {
                goto ready_i0;
            }
            ready_i0:;
            C2_room = gn_estimate(gn_part(A_size + B_size), GN_INDEX_MAX, 1);
            C_vals_own = gn_resize(C_vals_own, C2_room, sizeof(double), &status);
            #pragma omp for schedule(dynamic, gn_chunk(0, i0_end))
            for (int64_t i0 = 0; i0 < i0_end; i0++) {
                if (status == GN_OK) {
                    const int64_t C2_begun = pC2_own;
                    /* i: iterate every i; locate A */
                    for (int64_t i1 = 0, i1_end = gn_min_int64(32, A1_dimension - i0 * 32); i1 < i1_end; i1++) {
                        int64_t i = i0 * 32 + i1;
                        /* i1: iterate every i1 */
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
                            if (C2_room - pC2_own < B2_dimension) {
                                const int64_t capacity = gn_foresee(C2_room, pC2_own, B2_dimension, i, A1_dimension, 1,
                                        GN_INDEX_MAX, &status);
                                C_vals_own = gn_resize(C_vals_own, capacity, sizeof(double), &status);
                                if (status != GN_OK) {
                                    goto next_i0;
                                }
                                C2_room = capacity;
                            }
                            for (int64_t j = 0; j < B2_dimension; j++) {
                                int64_t n = w1_slot[j];
                                int64_t pw1 = n != 0 ? n - 1 : w1_count[0];
                                const bool foundw1 = n != 0;
                                if (foundw1) {
                                    C_vals_own[pC2_own] = w_vals[pw1];
                                    pC2_own++;
                                }
                            }
                        } else {
                            gn_order_int32(&w1_list, w1_crd, 0, w1_count[0], &status);
                            if (status != GN_OK) {
                                goto next_i0;
                            }
                            int64_t sw1 = 0;
                            if (C2_room - pC2_own < w1_list.size - sw1) {
                                const int64_t capacity = gn_foresee(C2_room, pC2_own, w1_list.size - sw1, i,
                                        A1_dimension, 1, GN_INDEX_MAX, &status);
                                C_vals_own = gn_resize(C_vals_own, capacity, sizeof(double), &status);
                                if (status != GN_OK) {
                                    goto next_i0;
                                }
                                C2_room = capacity;
                            }
                            while (sw1 < w1_list.size) {
                                int64_t pw1 = w1_list.item[sw1].position;
                                C_vals_own[pC2_own] = w_vals[pw1];
                                pC2_own++;
                                sw1++;
                            }
                        }
                    }
                    C2_first[i0 + 1] = pC2_own - C2_begun;
                    C_before[i0] = C_last;
                    C_last = i0;
                    next_i0:;
                }
                if (status != GN_OK) {
                    #pragma omp critical
                    {
                        C_status = status;
                    }
                }
            }
            #pragma omp single
            {
                if (C_status == GN_OK) {
                    for (int64_t n = 0; n < i0_end; n++) {
                        C2_first[n + 1] += C2_first[n];
                    }
                }
            }
            if (C_status != GN_OK) {
                status = C_status;
            }
            if (status == GN_OK) {
                gn_place(C_vals, C_vals_own, 0, 1, pC2, pC2_own, C2_first, C_before, C_last);
            }
            free(w1_slot);
            free(w1_crd);
            free(w1_count);
            free(w_vals);
            free(C_vals_own);
            free(w1_list.item);
            free(w1_list.place);
            free(w1_list.mark);
        }
        if (status != GN_OK) {
            goto done;
        }
        pC2 += C2_first[i0_end];
    }
    done:;
    free(C_before);
    free(C2_first);
    return status;
}

int compute(gn_tensor *C, const gn_tensor *A, const gn_tensor *B)
{
    return compute_arrays(A->level[1].array[0], A->level[1].array[1], A->level[0].extent, A->level[1].extent, A->vals,
            B->level[1].array[0], B->level[1].array[1], B->level[1].extent, B->vals, C->vals, A->size, B->size);
}

static GN_APART int evaluate_arrays(gn_tensor *C, const int32_t * restrict A2_pos, const int32_t * restrict A2_crd,
        int64_t A1_dimension, int64_t A2_dimension, const double * restrict A_vals, const int32_t * restrict B2_pos,
        const int32_t * restrict B2_crd, int64_t B2_dimension, const double * restrict B_vals, int64_t A_size,
        int64_t B_size)
{
    int status = GN_OK;
    int32_t * restrict C2_pos = NULL;
    int32_t * restrict C2_crd = NULL;
    double * restrict C_vals = NULL;
    int64_t pC2 = 0;
    int64_t C2_capacity = 0;
    int64_t *C2_first = NULL;
    int64_t *C_before = NULL;
    C2_pos = gn_zeros(A1_dimension + 1, sizeof(int32_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    {
        int C_status = GN_OK;
        /* i0: iterate every i0 */
        int64_t i0_end = (A1_dimension + 31) / 32;
        free(C_before);
        C_before = gn_zeros(i0_end, sizeof(int64_t), &status);
        free(C2_first);
        C2_first = gn_zeros(i0_end + 1, sizeof(int64_t), &status);
        if (status != GN_OK) {
            goto done;
        }
        const bool i0_pays = gn_pays(3.0 * (((double) A_size) * (((double) B_size) / ((double) gn_max_int64(1,
                A2_dimension)))) + ((double) A_size) + ((double) B_size) / ((double) gn_max_int64(1, A2_dimension))) &&
                gn_fits((double) B2_dimension);
        #pragma omp parallel reduction(max : status) if (i0_pays)
        {
            status = GN_OK;
            int32_t * restrict w1_slot = NULL;
            int32_t * restrict w1_crd = NULL;
            int32_t * restrict w1_count = NULL;
            double * restrict w_vals = NULL;
            int64_t C_last = -1;
            bool C_ordered = true;
            int32_t *C2_crd_own = NULL;
            double *C_vals_own = NULL;
            int64_t pC2_own = 0;
            int64_t C2_room = 0;
            gn_list w1_list = GN_NO_LIST;
            w1_slot = gn_zeros(B2_dimension, sizeof(int32_t), &status);
            w1_crd = gn_room(B2_dimension, sizeof(int32_t), &status);
            w1_count = gn_zeros(1, sizeof(int32_t), &status);
            w_vals = gn_room(B2_dimension, sizeof(double), &status);
            if (status != GN_OK) {
                goto ready_i0;
            }
            ready_i0:;
            C2_room = gn_estimate(gn_part(A_size + B_size), GN_INDEX_MAX, 1);
            C2_crd_own = gn_resize(C2_crd_own, C2_room, sizeof(int32_t), &status);
            C_vals_own = gn_resize(C_vals_own, C2_room, sizeof(double), &status);
            #pragma omp for schedule(dynamic, gn_chunk(0, i0_end))
            for (int64_t i0 = 0; i0 < i0_end; i0++) {
                if (status == GN_OK) {
                    const int64_t C2_begun = pC2_own;
                    C_ordered = C_ordered && C_last < i0;
                    /* i: iterate every i; locate A */
                    for (int64_t i1 = 0, i1_end = gn_min_int64(32, A1_dimension - i0 * 32); i1 < i1_end; i1++) {
                        int64_t i = i0 * 32 + i1;
                        const int64_t pC2_own_begin = pC2_own;
                        /* i1: iterate every i1 */
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
                            if (C2_room - pC2_own < B2_dimension) {
                                const int64_t capacity = gn_foresee(C2_room, pC2_own, B2_dimension, i, A1_dimension, 1,
                                        GN_INDEX_MAX, &status);
                                C2_crd_own = gn_resize(C2_crd_own, capacity, sizeof(int32_t), &status);
                                C_vals_own = gn_resize(C_vals_own, capacity, sizeof(double), &status);
                                if (status != GN_OK) {
                                    goto next_i0;
                                }
                                C2_room = capacity;
                            }
                            for (int64_t j = 0; j < B2_dimension; j++) {
                                int64_t n = w1_slot[j];
                                int64_t pw1 = n != 0 ? n - 1 : w1_count[0];
                                const bool foundw1 = n != 0;
                                if (foundw1) {
                                    C2_crd_own[pC2_own] = (int32_t) j;
                                    C_vals_own[pC2_own] = w_vals[pw1];
                                    pC2_own++;
                                }
                            }
                        } else {
                            gn_order_int32(&w1_list, w1_crd, 0, w1_count[0], &status);
                            if (status != GN_OK) {
                                goto next_i0;
                            }
                            int64_t sw1 = 0;
                            if (C2_room - pC2_own < w1_list.size - sw1) {
                                const int64_t capacity = gn_foresee(C2_room, pC2_own, w1_list.size - sw1, i,
                                        A1_dimension, 1, GN_INDEX_MAX, &status);
                                C2_crd_own = gn_resize(C2_crd_own, capacity, sizeof(int32_t), &status);
                                C_vals_own = gn_resize(C_vals_own, capacity, sizeof(double), &status);
                                if (status != GN_OK) {
                                    goto next_i0;
                                }
                                C2_room = capacity;
                            }
                            while (sw1 < w1_list.size) {
                                const int64_t j = w1_list.item[sw1].coordinate;
                                int64_t pw1 = w1_list.item[sw1].position;
                                C2_crd_own[pC2_own] = (int32_t) j;
                                C_vals_own[pC2_own] = w_vals[pw1];
                                pC2_own++;
                                sw1++;
                            }
                        }
                        C2_pos[i + 1] = (int32_t) (C2_pos[i + 1] + pC2_own - pC2_own_begin);
                    }
                    C2_first[i0 + 1] = pC2_own - C2_begun;
                    C_before[i0] = C_last;
                    C_last = i0;
                    next_i0:;
                }
                if (status != GN_OK) {
                    #pragma omp critical
                    {
                        C_status = status;
                    }
                }
            }
            #pragma omp single
            {
                if (C_status == GN_OK) {
                    for (int64_t n = 0; n < i0_end; n++) {
                        C2_first[n + 1] += C2_first[n];
                    }
                    if (C2_capacity - pC2 < C2_first[i0_end]) {
                        const int64_t capacity = gn_capacity(C2_capacity, pC2, C2_first[i0_end], GN_INDEX_MAX, &status);
                        C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
                        C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
                        if (status != GN_OK) {
                            goto placed_i0;
                        }
                        C2_capacity = capacity;
                    }
                    placed_i0:;
                    C_status = status;
                }
            }
            if (C_status != GN_OK) {
                status = C_status;
            }
            if (status == GN_OK) {
                if (pC2 == 0 && pC2_own > 0 && pC2_own == C2_first[i0_end] && C_ordered) {
                    gn_swap(C2_crd, C2_crd_own);
                    gn_swap(C_vals, C_vals_own);
                    C2_capacity = C2_room;
                } else {
                    gn_place(C2_crd, C2_crd_own, 0, 1, pC2, pC2_own, C2_first, C_before, C_last);
                    gn_place(C_vals, C_vals_own, 0, 1, pC2, pC2_own, C2_first, C_before, C_last);
                }
            }
            free(w1_slot);
            free(w1_crd);
            free(w1_count);
            free(w_vals);
            free(C2_crd_own);
            free(C_vals_own);
            free(w1_list.item);
            free(w1_list.place);
            free(w1_list.mark);
        }
        if (status != GN_OK) {
            goto done;
        }
        pC2 += C2_first[i0_end];
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
    free(C_before);
    free(C2_first);
    return status;
}

int evaluate(gn_tensor *C, const gn_tensor *A, const gn_tensor *B)
{
    return evaluate_arrays(C, A->level[1].array[0], A->level[1].array[1], A->level[0].extent, A->level[1].extent,
            A->vals, B->level[1].array[0], B->level[1].array[1], B->level[1].extent, B->vals, A->size, B->size);
}
