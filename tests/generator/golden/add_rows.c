/*
 * C(i,j) = A(i,j) + B(i,j)    by split(i,i0,i1,32),parallelize(i0,CPUThread,NoRaces)
 *
 * C: DCSR, float64, fill 0.0
 * A: DCSR, float64, fill 0.0
 * B: DCSR, float64, fill 0.0
 *
 * ∀i0  [CPUThread NoRaces]
 *   ∀i1
 *     ∀j
 *       C(i,j) = A(i,j) + B(i,j)
 */
#include "gnomon.h"

static GN_APART int assemble_arrays(gn_tensor *C, const int32_t * restrict A1_pos, const int32_t * restrict A1_crd,
        const int32_t * restrict A2_pos, const int32_t * restrict A2_crd, int64_t A1_dimension, int64_t A2_dimension,
        const int32_t * restrict B1_pos, const int32_t * restrict B1_crd, const int32_t * restrict B2_pos,
        const int32_t * restrict B2_crd, int64_t A_size, int64_t B_size)
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
    int64_t *C1_first = NULL;
    int64_t *C2_first = NULL;
    int64_t *C_before = NULL;
    C1_pos = gn_zeros(2, sizeof(int32_t), &status);
    C2_pos = gn_zeros(1, sizeof(int32_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    {
        int C_status = GN_OK;
        /* i0: iterate every i0 */
        int64_t i0_end = (A1_dimension + 31) / 32;
        free(C_before);
        C_before = gn_zeros(i0_end, sizeof(int64_t), &status);
        free(C1_first);
        C1_first = gn_zeros(i0_end + 1, sizeof(int64_t), &status);
        free(C2_first);
        C2_first = gn_zeros(i0_end + 1, sizeof(int64_t), &status);
        if (status != GN_OK) {
            goto done;
        }
        const bool i0_pays = gn_pays(((double) A_size) * (((double) B_size) / ((double) gn_max_int64(1,
                A1_dimension)) / ((double) gn_max_int64(1,
                A2_dimension))) + ((double) A_size) + ((double) B_size) / ((double) gn_max_int64(1,
                A1_dimension)) / ((double) gn_max_int64(1, A2_dimension)));
        #pragma omp parallel reduction(max : status) if (i0_pays)
        {
            status = GN_OK;
            int64_t C_last = -1;
            bool C_ordered = true;
            int32_t *C1_crd_own = NULL;
            int32_t *C2_pos_own = NULL;
            int32_t *C2_crd_own = NULL;
            double *C_vals_own = NULL;
            int64_t pC1_own = 0;
            int64_t pC2_own = 0;
            int64_t C1_room = 0;
            int64_t C2_room = 0;
            C2_pos_own = gn_zeros(1, sizeof(int32_t), &status);
            C2_room = gn_estimate(gn_part(A_size + B_size), GN_INDEX_MAX, 1);
            C2_crd_own = gn_resize(C2_crd_own, C2_room, sizeof(int32_t), &status);
            C_vals_own = gn_resize(C_vals_own, C2_room, sizeof(double), &status);
            #pragma omp for schedule(dynamic, gn_chunk(0, i0_end))
            for (int64_t i0 = 0; i0 < i0_end; i0++) {
                if (status == GN_OK) {
                    const int64_t C1_begun = pC1_own;
                    const int64_t C2_begun = pC2_own;
                    C_ordered = C_ordered && C_last < i0;
                    /* i: co-iterate A, B */
                    int64_t pA1_low = A1_pos[0];
                    int64_t pA1_high = A1_pos[1];
                    int64_t pA1_begin = pA1_low;
                    int64_t pA1_begin_end = pA1_high;
                    while (pA1_begin < pA1_begin_end) {
                        const int64_t middle = (pA1_begin + pA1_begin_end) / 2;
                        if (A1_crd[middle] < i0 * 32) {
                            pA1_begin = middle + 1;
                        } else {
                            pA1_begin_end = middle;
                        }
                    }
                    int64_t pA1_end = pA1_begin;
                    int64_t pA1_end_end = pA1_high;
                    while (pA1_end < pA1_end_end) {
                        const int64_t middle = (pA1_end + pA1_end_end) / 2;
                        if (A1_crd[middle] < gn_min_int64(A1_dimension, i0 * 32 + 32)) {
                            pA1_end = middle + 1;
                        } else {
                            pA1_end_end = middle;
                        }
                    }
                    int64_t pA1 = pA1_begin;
                    int64_t pB1_low = B1_pos[0];
                    int64_t pB1_high = B1_pos[1];
                    int64_t pB1_begin = pB1_low;
                    int64_t pB1_begin_end = pB1_high;
                    while (pB1_begin < pB1_begin_end) {
                        const int64_t middle = (pB1_begin + pB1_begin_end) / 2;
                        if (B1_crd[middle] < i0 * 32) {
                            pB1_begin = middle + 1;
                        } else {
                            pB1_begin_end = middle;
                        }
                    }
                    int64_t pB1_end = pB1_begin;
                    int64_t pB1_end_end = pB1_high;
                    while (pB1_end < pB1_end_end) {
                        const int64_t middle = (pB1_end + pB1_end_end) / 2;
                        if (B1_crd[middle] < gn_min_int64(A1_dimension, i0 * 32 + 32)) {
                            pB1_end = middle + 1;
                        } else {
                            pB1_end_end = middle;
                        }
                    }
                    int64_t pB1 = pB1_begin;
                    while (pA1 < pA1_end && pB1 < pB1_end) {
                        const int64_t iA = A1_crd[pA1];
                        const int64_t iB = B1_crd[pB1];
                        const int64_t i = gn_min_int64(iA, iB);
                        const int64_t pC2_own_begin = pC2_own;
                        if (iA == iB) {
                            /* i1: iterate every i1 */
                            /* j: co-iterate A, B */
                            int64_t pA2 = A2_pos[pA1];
                            int64_t pA2_end = A2_pos[pA1 + 1];
                            int64_t pB2 = B2_pos[pB1];
                            int64_t pB2_end = B2_pos[pB1 + 1];
                            if (C2_room - pC2_own < pA2_end - pA2 + (pB2_end - pB2)) {
                                const int64_t capacity = gn_foresee(C2_room, pC2_own, pA2_end - pA2 + (pB2_end - pB2),
                                        iA, A1_dimension, 1, GN_INDEX_MAX, &status);
                                C2_crd_own = gn_resize(C2_crd_own, capacity, sizeof(int32_t), &status);
                                C_vals_own = gn_resize(C_vals_own, capacity, sizeof(double), &status);
                                if (status != GN_OK) {
                                    goto next_i0;
                                }
                                C2_room = capacity;
                            }
                            while (pA2 < pA2_end && pB2 < pB2_end) {
                                const int64_t jA = A2_crd[pA2];
                                const int64_t jB = B2_crd[pB2];
                                if (jA == jB) {
                                    C2_crd_own[pC2_own] = (int32_t) jA;
                                    pC2_own++;
                                    pA2++;
                                    pB2++;
                                } else if (jA <= jB) {
                                    C2_crd_own[pC2_own] = (int32_t) jA;
                                    pC2_own++;
                                    pA2++;
                                } else {
                                    C2_crd_own[pC2_own] = (int32_t) jB;
                                    pC2_own++;
                                    pB2++;
                                }
                            }
                            while (pA2 < pA2_end) {
                                const int64_t jA = A2_crd[pA2];
                                C2_crd_own[pC2_own] = (int32_t) jA;
                                pC2_own++;
                                pA2++;
                            }
                            while (pB2 < pB2_end) {
                                const int64_t jB = B2_crd[pB2];
                                C2_crd_own[pC2_own] = (int32_t) jB;
                                pC2_own++;
                                pB2++;
                            }
                            pA1++;
                            pB1++;
                        } else if (iA <= iB) {
                            /* i1: iterate every i1 */
                            /* j: iterate A */
                            int64_t pA2_begin = A2_pos[pA1];
                            int64_t pA2_end = A2_pos[pA1 + 1];
                            if (C2_room - pC2_own < pA2_end - pA2_begin) {
                                const int64_t capacity = gn_foresee(C2_room, pC2_own, pA2_end - pA2_begin, iA,
                                        A1_dimension, 1, GN_INDEX_MAX, &status);
                                C2_crd_own = gn_resize(C2_crd_own, capacity, sizeof(int32_t), &status);
                                C_vals_own = gn_resize(C_vals_own, capacity, sizeof(double), &status);
                                if (status != GN_OK) {
                                    goto next_i0;
                                }
                                C2_room = capacity;
                            }
                            for (int64_t pA2 = pA2_begin; pA2 < pA2_end; pA2++) {
                                const int64_t j = A2_crd[pA2];
                                C2_crd_own[pC2_own] = (int32_t) j;
                                pC2_own++;
                            }
                            pA1++;
                        } else {
                            /* i1: iterate every i1 */
                            /* j: iterate B */
                            int64_t pB2_begin = B2_pos[pB1];
                            int64_t pB2_end = B2_pos[pB1 + 1];
                            if (C2_room - pC2_own < pB2_end - pB2_begin) {
                                const int64_t capacity = gn_foresee(C2_room, pC2_own, pB2_end - pB2_begin, iB,
                                        A1_dimension, 1, GN_INDEX_MAX, &status);
                                C2_crd_own = gn_resize(C2_crd_own, capacity, sizeof(int32_t), &status);
                                C_vals_own = gn_resize(C_vals_own, capacity, sizeof(double), &status);
                                if (status != GN_OK) {
                                    goto next_i0;
                                }
                                C2_room = capacity;
                            }
                            for (int64_t pB2 = pB2_begin; pB2 < pB2_end; pB2++) {
                                const int64_t j = B2_crd[pB2];
                                C2_crd_own[pC2_own] = (int32_t) j;
                                pC2_own++;
                            }
                            pB1++;
                        }
                        if (pC2_own_begin < pC2_own) {
                            if (pC1_own == C1_room) {
                                const int64_t capacity = gn_foresee(C1_room, pC1_own, 1, i, A1_dimension, 1,
                                        GN_INDEX_MAX, &status);
                                C1_crd_own = gn_resize(C1_crd_own, capacity, sizeof(int32_t), &status);
                                C2_pos_own = gn_resize(C2_pos_own, capacity + 1, sizeof(int32_t), &status);
                                if (status != GN_OK) {
                                    goto next_i0;
                                }
                                C1_room = capacity;
                            }
                            C1_crd_own[pC1_own] = (int32_t) i;
                            C2_pos_own[pC1_own + 1] = 0;
                            C2_pos_own[pC1_own + 1] = (int32_t) (C2_pos_own[pC1_own + 1] + pC2_own - pC2_own_begin);
                            pC1_own++;
                        }
                    }
                    while (pA1 < pA1_end) {
                        const int64_t iA = A1_crd[pA1];
                        const int64_t pC2_own_begin = pC2_own;
                        /* i1: iterate every i1 */
                        /* j: iterate A */
                        int64_t pA2_begin = A2_pos[pA1];
                        int64_t pA2_end = A2_pos[pA1 + 1];
                        if (C2_room - pC2_own < pA2_end - pA2_begin) {
                            const int64_t capacity = gn_foresee(C2_room, pC2_own, pA2_end - pA2_begin, iA, A1_dimension,
                                    1, GN_INDEX_MAX, &status);
                            C2_crd_own = gn_resize(C2_crd_own, capacity, sizeof(int32_t), &status);
                            C_vals_own = gn_resize(C_vals_own, capacity, sizeof(double), &status);
                            if (status != GN_OK) {
                                goto next_i0;
                            }
                            C2_room = capacity;
                        }
                        for (int64_t pA2 = pA2_begin; pA2 < pA2_end; pA2++) {
                            const int64_t j = A2_crd[pA2];
                            C2_crd_own[pC2_own] = (int32_t) j;
                            pC2_own++;
                        }
                        pA1++;
                        if (pC2_own_begin < pC2_own) {
                            if (pC1_own == C1_room) {
                                const int64_t capacity = gn_foresee(C1_room, pC1_own, 1, iA, A1_dimension, 1,
                                        GN_INDEX_MAX, &status);
                                C1_crd_own = gn_resize(C1_crd_own, capacity, sizeof(int32_t), &status);
                                C2_pos_own = gn_resize(C2_pos_own, capacity + 1, sizeof(int32_t), &status);
                                if (status != GN_OK) {
                                    goto next_i0;
                                }
                                C1_room = capacity;
                            }
                            C1_crd_own[pC1_own] = (int32_t) iA;
                            C2_pos_own[pC1_own + 1] = 0;
                            C2_pos_own[pC1_own + 1] = (int32_t) (C2_pos_own[pC1_own + 1] + pC2_own - pC2_own_begin);
                            pC1_own++;
                        }
                    }
                    while (pB1 < pB1_end) {
                        const int64_t iB = B1_crd[pB1];
                        const int64_t pC2_own_begin = pC2_own;
                        /* i1: iterate every i1 */
                        /* j: iterate B */
                        int64_t pB2_begin = B2_pos[pB1];
                        int64_t pB2_end = B2_pos[pB1 + 1];
                        if (C2_room - pC2_own < pB2_end - pB2_begin) {
                            const int64_t capacity = gn_foresee(C2_room, pC2_own, pB2_end - pB2_begin, iB, A1_dimension,
                                    1, GN_INDEX_MAX, &status);
                            C2_crd_own = gn_resize(C2_crd_own, capacity, sizeof(int32_t), &status);
                            C_vals_own = gn_resize(C_vals_own, capacity, sizeof(double), &status);
                            if (status != GN_OK) {
                                goto next_i0;
                            }
                            C2_room = capacity;
                        }
                        for (int64_t pB2 = pB2_begin; pB2 < pB2_end; pB2++) {
                            const int64_t j = B2_crd[pB2];
                            C2_crd_own[pC2_own] = (int32_t) j;
                            pC2_own++;
                        }
                        pB1++;
                        if (pC2_own_begin < pC2_own) {
                            if (pC1_own == C1_room) {
                                const int64_t capacity = gn_foresee(C1_room, pC1_own, 1, iB, A1_dimension, 1,
                                        GN_INDEX_MAX, &status);
                                C1_crd_own = gn_resize(C1_crd_own, capacity, sizeof(int32_t), &status);
                                C2_pos_own = gn_resize(C2_pos_own, capacity + 1, sizeof(int32_t), &status);
                                if (status != GN_OK) {
                                    goto next_i0;
                                }
                                C1_room = capacity;
                            }
                            C1_crd_own[pC1_own] = (int32_t) iB;
                            C2_pos_own[pC1_own + 1] = 0;
                            C2_pos_own[pC1_own + 1] = (int32_t) (C2_pos_own[pC1_own + 1] + pC2_own - pC2_own_begin);
                            pC1_own++;
                        }
                    }
                    C1_first[i0 + 1] = pC1_own - C1_begun;
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
                        C1_first[n + 1] += C1_first[n];
                    }
                    if (C1_capacity - pC1 < C1_first[i0_end]) {
                        const int64_t capacity = gn_capacity(C1_capacity, pC1, C1_first[i0_end], GN_INDEX_MAX, &status);
                        C1_crd = gn_resize(C1_crd, capacity, sizeof(int32_t), &status);
                        C2_pos = gn_resize(C2_pos, capacity + 1, sizeof(int32_t), &status);
                        if (status != GN_OK) {
                            goto placed_i0;
                        }
                        C1_capacity = capacity;
                    }
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
                if (pC1 == 0 && pC1_own > 0 && pC1_own == C1_first[i0_end] && C_ordered) {
                    gn_swap(C1_crd, C1_crd_own);
                    gn_swap(C2_pos, C2_pos_own);
                    C1_capacity = C1_room;
                } else {
                    gn_place(C1_crd, C1_crd_own, 0, 1, pC1, pC1_own, C1_first, C_before, C_last);
                    gn_place(C2_pos, C2_pos_own, 1, 1, pC1, pC1_own, C1_first, C_before, C_last);
                }
                if (pC2 == 0 && pC2_own > 0 && pC2_own == C2_first[i0_end] && C_ordered) {
                    gn_swap(C2_crd, C2_crd_own);
                    gn_swap(C_vals, C_vals_own);
                    C2_capacity = C2_room;
                } else {
                    gn_place(C2_crd, C2_crd_own, 0, 1, pC2, pC2_own, C2_first, C_before, C_last);
                    gn_place(C_vals, C_vals_own, 0, 1, pC2, pC2_own, C2_first, C_before, C_last);
                }
            }
            free(C1_crd_own);
            free(C2_pos_own);
            free(C2_crd_own);
            free(C_vals_own);
        }
        if (status != GN_OK) {
            goto done;
        }
        pC1 += C1_first[i0_end];
        pC2 += C2_first[i0_end];
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
    free(C_before);
    free(C1_first);
    free(C2_first);
    return status;
}

int assemble(gn_tensor *C, const gn_tensor *A, const gn_tensor *B)
{
    return assemble_arrays(C, A->level[0].array[0], A->level[0].array[1], A->level[1].array[0], A->level[1].array[1],
            A->level[0].extent, A->level[1].extent, B->level[0].array[0], B->level[0].array[1], B->level[1].array[0],
            B->level[1].array[1], A->size, B->size);
}

static GN_APART int compute_arrays(const int32_t * restrict A1_pos, const int32_t * restrict A1_crd,
        const int32_t * restrict A2_pos, const int32_t * restrict A2_crd, int64_t A1_dimension, int64_t A2_dimension,
        const double * restrict A_vals, const int32_t * restrict B1_pos, const int32_t * restrict B1_crd,
        const int32_t * restrict B2_pos, const int32_t * restrict B2_crd, const double * restrict B_vals,
        double * restrict C_vals, int64_t A_size, int64_t B_size)
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
        const bool i0_pays = gn_pays(((double) A_size) * (((double) B_size) / ((double) gn_max_int64(1,
                A1_dimension)) / ((double) gn_max_int64(1,
                A2_dimension))) + ((double) A_size) + ((double) B_size) / ((double) gn_max_int64(1,
                A1_dimension)) / ((double) gn_max_int64(1, A2_dimension)));
        #pragma omp parallel reduction(max : status) if (i0_pays)
        {
            status = GN_OK;
            int64_t C_last = -1;
            double *C_vals_own = NULL;
            int64_t pC2_own = 0;
            int64_t C2_room = 0;
            C2_room = gn_estimate(gn_part(A_size + B_size), GN_INDEX_MAX, 1);
            C_vals_own = gn_resize(C_vals_own, C2_room, sizeof(double), &status);
            #pragma omp for schedule(dynamic, gn_chunk(0, i0_end))
            for (int64_t i0 = 0; i0 < i0_end; i0++) {
                if (status == GN_OK) {
                    const int64_t C2_begun = pC2_own;
                    /* i: co-iterate A, B */
                    int64_t pA1_low = A1_pos[0];
                    int64_t pA1_high = A1_pos[1];
                    int64_t pA1_begin = pA1_low;
                    int64_t pA1_begin_end = pA1_high;
                    while (pA1_begin < pA1_begin_end) {
                        const int64_t middle = (pA1_begin + pA1_begin_end) / 2;
                        if (A1_crd[middle] < i0 * 32) {
                            pA1_begin = middle + 1;
                        } else {
                            pA1_begin_end = middle;
                        }
                    }
                    int64_t pA1_end = pA1_begin;
                    int64_t pA1_end_end = pA1_high;
                    while (pA1_end < pA1_end_end) {
                        const int64_t middle = (pA1_end + pA1_end_end) / 2;
                        if (A1_crd[middle] < gn_min_int64(A1_dimension, i0 * 32 + 32)) {
                            pA1_end = middle + 1;
                        } else {
                            pA1_end_end = middle;
                        }
                    }
                    int64_t pA1 = pA1_begin;
                    int64_t pB1_low = B1_pos[0];
                    int64_t pB1_high = B1_pos[1];
                    int64_t pB1_begin = pB1_low;
                    int64_t pB1_begin_end = pB1_high;
                    while (pB1_begin < pB1_begin_end) {
                        const int64_t middle = (pB1_begin + pB1_begin_end) / 2;
                        if (B1_crd[middle] < i0 * 32) {
                            pB1_begin = middle + 1;
                        } else {
                            pB1_begin_end = middle;
                        }
                    }
                    int64_t pB1_end = pB1_begin;
                    int64_t pB1_end_end = pB1_high;
                    while (pB1_end < pB1_end_end) {
                        const int64_t middle = (pB1_end + pB1_end_end) / 2;
                        if (B1_crd[middle] < gn_min_int64(A1_dimension, i0 * 32 + 32)) {
                            pB1_end = middle + 1;
                        } else {
                            pB1_end_end = middle;
                        }
                    }
                    int64_t pB1 = pB1_begin;
                    while (pA1 < pA1_end && pB1 < pB1_end) {
                        const int64_t iA = A1_crd[pA1];
                        const int64_t iB = B1_crd[pB1];
                        if (iA == iB) {
                            /* i1: iterate every i1 */
                            /* j: co-iterate A, B */
                            int64_t pA2 = A2_pos[pA1];
                            int64_t pA2_end = A2_pos[pA1 + 1];
                            int64_t pB2 = B2_pos[pB1];
                            int64_t pB2_end = B2_pos[pB1 + 1];
                            if (C2_room - pC2_own < pA2_end - pA2 + (pB2_end - pB2)) {
                                const int64_t capacity = gn_foresee(C2_room, pC2_own, pA2_end - pA2 + (pB2_end - pB2),
                                        iA, A1_dimension, 1, GN_INDEX_MAX, &status);
                                C_vals_own = gn_resize(C_vals_own, capacity, sizeof(double), &status);
                                if (status != GN_OK) {
                                    goto next_i0;
                                }
                                C2_room = capacity;
                            }
                            while (pA2 < pA2_end && pB2 < pB2_end) {
                                const int64_t jA = A2_crd[pA2];
                                const int64_t jB = B2_crd[pB2];
                                if (jA == jB) {
                                    C_vals_own[pC2_own] = A_vals[pA2] + B_vals[pB2];
                                    pC2_own++;
                                    pA2++;
                                    pB2++;
                                } else if (jA <= jB) {
                                    C_vals_own[pC2_own] = A_vals[pA2];
                                    pC2_own++;
                                    pA2++;
                                } else {
                                    C_vals_own[pC2_own] = B_vals[pB2];
                                    pC2_own++;
                                    pB2++;
                                }
                            }
                            while (pA2 < pA2_end) {
                                C_vals_own[pC2_own] = A_vals[pA2];
                                pC2_own++;
                                pA2++;
                            }
                            while (pB2 < pB2_end) {
                                C_vals_own[pC2_own] = B_vals[pB2];
                                pC2_own++;
                                pB2++;
                            }
                            pA1++;
                            pB1++;
                        } else if (iA <= iB) {
                            /* i1: iterate every i1 */
                            /* j: iterate A */
                            int64_t pA2_begin = A2_pos[pA1];
                            int64_t pA2_end = A2_pos[pA1 + 1];
                            if (C2_room - pC2_own < pA2_end - pA2_begin) {
                                const int64_t capacity = gn_foresee(C2_room, pC2_own, pA2_end - pA2_begin, iA,
                                        A1_dimension, 1, GN_INDEX_MAX, &status);
                                C_vals_own = gn_resize(C_vals_own, capacity, sizeof(double), &status);
                                if (status != GN_OK) {
                                    goto next_i0;
                                }
                                C2_room = capacity;
                            }
                            for (int64_t pA2 = pA2_begin; pA2 < pA2_end; pA2++) {
                                C_vals_own[pC2_own] = A_vals[pA2];
                                pC2_own++;
                            }
                            pA1++;
                        } else {
                            /* i1: iterate every i1 */
                            /* j: iterate B */
                            int64_t pB2_begin = B2_pos[pB1];
                            int64_t pB2_end = B2_pos[pB1 + 1];
                            if (C2_room - pC2_own < pB2_end - pB2_begin) {
                                const int64_t capacity = gn_foresee(C2_room, pC2_own, pB2_end - pB2_begin, iB,
                                        A1_dimension, 1, GN_INDEX_MAX, &status);
                                C_vals_own = gn_resize(C_vals_own, capacity, sizeof(double), &status);
                                if (status != GN_OK) {
                                    goto next_i0;
                                }
                                C2_room = capacity;
                            }
                            for (int64_t pB2 = pB2_begin; pB2 < pB2_end; pB2++) {
                                C_vals_own[pC2_own] = B_vals[pB2];
                                pC2_own++;
                            }
                            pB1++;
                        }
                    }
                    while (pA1 < pA1_end) {
                        const int64_t iA = A1_crd[pA1];
                        /* i1: iterate every i1 */
                        /* j: iterate A */
                        int64_t pA2_begin = A2_pos[pA1];
                        int64_t pA2_end = A2_pos[pA1 + 1];
                        if (C2_room - pC2_own < pA2_end - pA2_begin) {
                            const int64_t capacity = gn_foresee(C2_room, pC2_own, pA2_end - pA2_begin, iA, A1_dimension,
                                    1, GN_INDEX_MAX, &status);
                            C_vals_own = gn_resize(C_vals_own, capacity, sizeof(double), &status);
                            if (status != GN_OK) {
                                goto next_i0;
                            }
                            C2_room = capacity;
                        }
                        for (int64_t pA2 = pA2_begin; pA2 < pA2_end; pA2++) {
                            C_vals_own[pC2_own] = A_vals[pA2];
                            pC2_own++;
                        }
                        pA1++;
                    }
                    while (pB1 < pB1_end) {
                        const int64_t iB = B1_crd[pB1];
                        /* i1: iterate every i1 */
                        /* j: iterate B */
                        int64_t pB2_begin = B2_pos[pB1];
                        int64_t pB2_end = B2_pos[pB1 + 1];
                        if (C2_room - pC2_own < pB2_end - pB2_begin) {
                            const int64_t capacity = gn_foresee(C2_room, pC2_own, pB2_end - pB2_begin, iB, A1_dimension,
                                    1, GN_INDEX_MAX, &status);
                            C_vals_own = gn_resize(C_vals_own, capacity, sizeof(double), &status);
                            if (status != GN_OK) {
                                goto next_i0;
                            }
                            C2_room = capacity;
                        }
                        for (int64_t pB2 = pB2_begin; pB2 < pB2_end; pB2++) {
                            C_vals_own[pC2_own] = B_vals[pB2];
                            pC2_own++;
                        }
                        pB1++;
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
            free(C_vals_own);
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
    return compute_arrays(A->level[0].array[0], A->level[0].array[1], A->level[1].array[0], A->level[1].array[1],
            A->level[0].extent, A->level[1].extent, A->vals, B->level[0].array[0], B->level[0].array[1],
            B->level[1].array[0], B->level[1].array[1], B->vals, C->vals, A->size, B->size);
}

static GN_APART int evaluate_arrays(gn_tensor *C, const int32_t * restrict A1_pos, const int32_t * restrict A1_crd,
        const int32_t * restrict A2_pos, const int32_t * restrict A2_crd, int64_t A1_dimension, int64_t A2_dimension,
        const double * restrict A_vals, const int32_t * restrict B1_pos, const int32_t * restrict B1_crd,
        const int32_t * restrict B2_pos, const int32_t * restrict B2_crd, const double * restrict B_vals,
        int64_t A_size, int64_t B_size)
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
    int64_t *C1_first = NULL;
    int64_t *C2_first = NULL;
    int64_t *C_before = NULL;
    C1_pos = gn_zeros(2, sizeof(int32_t), &status);
    C2_pos = gn_zeros(1, sizeof(int32_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    {
        int C_status = GN_OK;
        /* i0: iterate every i0 */
        int64_t i0_end = (A1_dimension + 31) / 32;
        free(C_before);
        C_before = gn_zeros(i0_end, sizeof(int64_t), &status);
        free(C1_first);
        C1_first = gn_zeros(i0_end + 1, sizeof(int64_t), &status);
        free(C2_first);
        C2_first = gn_zeros(i0_end + 1, sizeof(int64_t), &status);
        if (status != GN_OK) {
            goto done;
        }
        const bool i0_pays = gn_pays(((double) A_size) * (((double) B_size) / ((double) gn_max_int64(1,
                A1_dimension)) / ((double) gn_max_int64(1,
                A2_dimension))) + ((double) A_size) + ((double) B_size) / ((double) gn_max_int64(1,
                A1_dimension)) / ((double) gn_max_int64(1, A2_dimension)));
        #pragma omp parallel reduction(max : status) if (i0_pays)
        {
            status = GN_OK;
            int64_t C_last = -1;
            bool C_ordered = true;
            int32_t *C1_crd_own = NULL;
            int32_t *C2_pos_own = NULL;
            int32_t *C2_crd_own = NULL;
            double *C_vals_own = NULL;
            int64_t pC1_own = 0;
            int64_t pC2_own = 0;
            int64_t C1_room = 0;
            int64_t C2_room = 0;
            C2_pos_own = gn_zeros(1, sizeof(int32_t), &status);
            C2_room = gn_estimate(gn_part(A_size + B_size), GN_INDEX_MAX, 1);
            C2_crd_own = gn_resize(C2_crd_own, C2_room, sizeof(int32_t), &status);
            C_vals_own = gn_resize(C_vals_own, C2_room, sizeof(double), &status);
            #pragma omp for schedule(dynamic, gn_chunk(0, i0_end))
            for (int64_t i0 = 0; i0 < i0_end; i0++) {
                if (status == GN_OK) {
                    const int64_t C1_begun = pC1_own;
                    const int64_t C2_begun = pC2_own;
                    C_ordered = C_ordered && C_last < i0;
                    /* i: co-iterate A, B */
                    int64_t pA1_low = A1_pos[0];
                    int64_t pA1_high = A1_pos[1];
                    int64_t pA1_begin = pA1_low;
                    int64_t pA1_begin_end = pA1_high;
                    while (pA1_begin < pA1_begin_end) {
                        const int64_t middle = (pA1_begin + pA1_begin_end) / 2;
                        if (A1_crd[middle] < i0 * 32) {
                            pA1_begin = middle + 1;
                        } else {
                            pA1_begin_end = middle;
                        }
                    }
                    int64_t pA1_end = pA1_begin;
                    int64_t pA1_end_end = pA1_high;
                    while (pA1_end < pA1_end_end) {
                        const int64_t middle = (pA1_end + pA1_end_end) / 2;
                        if (A1_crd[middle] < gn_min_int64(A1_dimension, i0 * 32 + 32)) {
                            pA1_end = middle + 1;
                        } else {
                            pA1_end_end = middle;
                        }
                    }
                    int64_t pA1 = pA1_begin;
                    int64_t pB1_low = B1_pos[0];
                    int64_t pB1_high = B1_pos[1];
                    int64_t pB1_begin = pB1_low;
                    int64_t pB1_begin_end = pB1_high;
                    while (pB1_begin < pB1_begin_end) {
                        const int64_t middle = (pB1_begin + pB1_begin_end) / 2;
                        if (B1_crd[middle] < i0 * 32) {
                            pB1_begin = middle + 1;
                        } else {
                            pB1_begin_end = middle;
                        }
                    }
                    int64_t pB1_end = pB1_begin;
                    int64_t pB1_end_end = pB1_high;
                    while (pB1_end < pB1_end_end) {
                        const int64_t middle = (pB1_end + pB1_end_end) / 2;
                        if (B1_crd[middle] < gn_min_int64(A1_dimension, i0 * 32 + 32)) {
                            pB1_end = middle + 1;
                        } else {
                            pB1_end_end = middle;
                        }
                    }
                    int64_t pB1 = pB1_begin;
                    while (pA1 < pA1_end && pB1 < pB1_end) {
                        const int64_t iA = A1_crd[pA1];
                        const int64_t iB = B1_crd[pB1];
                        const int64_t i = gn_min_int64(iA, iB);
                        const int64_t pC2_own_begin = pC2_own;
                        if (iA == iB) {
                            /* i1: iterate every i1 */
                            /* j: co-iterate A, B */
                            int64_t pA2 = A2_pos[pA1];
                            int64_t pA2_end = A2_pos[pA1 + 1];
                            int64_t pB2 = B2_pos[pB1];
                            int64_t pB2_end = B2_pos[pB1 + 1];
                            if (C2_room - pC2_own < pA2_end - pA2 + (pB2_end - pB2)) {
                                const int64_t capacity = gn_foresee(C2_room, pC2_own, pA2_end - pA2 + (pB2_end - pB2),
                                        iA, A1_dimension, 1, GN_INDEX_MAX, &status);
                                C2_crd_own = gn_resize(C2_crd_own, capacity, sizeof(int32_t), &status);
                                C_vals_own = gn_resize(C_vals_own, capacity, sizeof(double), &status);
                                if (status != GN_OK) {
                                    goto next_i0;
                                }
                                C2_room = capacity;
                            }
                            while (pA2 < pA2_end && pB2 < pB2_end) {
                                const int64_t jA = A2_crd[pA2];
                                const int64_t jB = B2_crd[pB2];
                                if (jA == jB) {
                                    C2_crd_own[pC2_own] = (int32_t) jA;
                                    C_vals_own[pC2_own] = A_vals[pA2] + B_vals[pB2];
                                    pC2_own++;
                                    pA2++;
                                    pB2++;
                                } else if (jA <= jB) {
                                    C2_crd_own[pC2_own] = (int32_t) jA;
                                    C_vals_own[pC2_own] = A_vals[pA2];
                                    pC2_own++;
                                    pA2++;
                                } else {
                                    C2_crd_own[pC2_own] = (int32_t) jB;
                                    C_vals_own[pC2_own] = B_vals[pB2];
                                    pC2_own++;
                                    pB2++;
                                }
                            }
                            while (pA2 < pA2_end) {
                                const int64_t jA = A2_crd[pA2];
                                C2_crd_own[pC2_own] = (int32_t) jA;
                                C_vals_own[pC2_own] = A_vals[pA2];
                                pC2_own++;
                                pA2++;
                            }
                            while (pB2 < pB2_end) {
                                const int64_t jB = B2_crd[pB2];
                                C2_crd_own[pC2_own] = (int32_t) jB;
                                C_vals_own[pC2_own] = B_vals[pB2];
                                pC2_own++;
                                pB2++;
                            }
                            pA1++;
                            pB1++;
                        } else if (iA <= iB) {
                            /* i1: iterate every i1 */
                            /* j: iterate A */
                            int64_t pA2_begin = A2_pos[pA1];
                            int64_t pA2_end = A2_pos[pA1 + 1];
                            if (C2_room - pC2_own < pA2_end - pA2_begin) {
                                const int64_t capacity = gn_foresee(C2_room, pC2_own, pA2_end - pA2_begin, iA,
                                        A1_dimension, 1, GN_INDEX_MAX, &status);
                                C2_crd_own = gn_resize(C2_crd_own, capacity, sizeof(int32_t), &status);
                                C_vals_own = gn_resize(C_vals_own, capacity, sizeof(double), &status);
                                if (status != GN_OK) {
                                    goto next_i0;
                                }
                                C2_room = capacity;
                            }
                            for (int64_t pA2 = pA2_begin; pA2 < pA2_end; pA2++) {
                                const int64_t j = A2_crd[pA2];
                                C2_crd_own[pC2_own] = (int32_t) j;
                                C_vals_own[pC2_own] = A_vals[pA2];
                                pC2_own++;
                            }
                            pA1++;
                        } else {
                            /* i1: iterate every i1 */
                            /* j: iterate B */
                            int64_t pB2_begin = B2_pos[pB1];
                            int64_t pB2_end = B2_pos[pB1 + 1];
                            if (C2_room - pC2_own < pB2_end - pB2_begin) {
                                const int64_t capacity = gn_foresee(C2_room, pC2_own, pB2_end - pB2_begin, iB,
                                        A1_dimension, 1, GN_INDEX_MAX, &status);
                                C2_crd_own = gn_resize(C2_crd_own, capacity, sizeof(int32_t), &status);
                                C_vals_own = gn_resize(C_vals_own, capacity, sizeof(double), &status);
                                if (status != GN_OK) {
                                    goto next_i0;
                                }
                                C2_room = capacity;
                            }
                            for (int64_t pB2 = pB2_begin; pB2 < pB2_end; pB2++) {
                                const int64_t j = B2_crd[pB2];
                                C2_crd_own[pC2_own] = (int32_t) j;
                                C_vals_own[pC2_own] = B_vals[pB2];
                                pC2_own++;
                            }
                            pB1++;
                        }
                        if (pC2_own_begin < pC2_own) {
                            if (pC1_own == C1_room) {
                                const int64_t capacity = gn_foresee(C1_room, pC1_own, 1, i, A1_dimension, 1,
                                        GN_INDEX_MAX, &status);
                                C1_crd_own = gn_resize(C1_crd_own, capacity, sizeof(int32_t), &status);
                                C2_pos_own = gn_resize(C2_pos_own, capacity + 1, sizeof(int32_t), &status);
                                if (status != GN_OK) {
                                    goto next_i0;
                                }
                                C1_room = capacity;
                            }
                            C1_crd_own[pC1_own] = (int32_t) i;
                            C2_pos_own[pC1_own + 1] = 0;
                            C2_pos_own[pC1_own + 1] = (int32_t) (C2_pos_own[pC1_own + 1] + pC2_own - pC2_own_begin);
                            pC1_own++;
                        }
                    }
                    while (pA1 < pA1_end) {
                        const int64_t iA = A1_crd[pA1];
                        const int64_t pC2_own_begin = pC2_own;
                        /* i1: iterate every i1 */
                        /* j: iterate A */
                        int64_t pA2_begin = A2_pos[pA1];
                        int64_t pA2_end = A2_pos[pA1 + 1];
                        if (C2_room - pC2_own < pA2_end - pA2_begin) {
                            const int64_t capacity = gn_foresee(C2_room, pC2_own, pA2_end - pA2_begin, iA, A1_dimension,
                                    1, GN_INDEX_MAX, &status);
                            C2_crd_own = gn_resize(C2_crd_own, capacity, sizeof(int32_t), &status);
                            C_vals_own = gn_resize(C_vals_own, capacity, sizeof(double), &status);
                            if (status != GN_OK) {
                                goto next_i0;
                            }
                            C2_room = capacity;
                        }
                        for (int64_t pA2 = pA2_begin; pA2 < pA2_end; pA2++) {
                            const int64_t j = A2_crd[pA2];
                            C2_crd_own[pC2_own] = (int32_t) j;
                            C_vals_own[pC2_own] = A_vals[pA2];
                            pC2_own++;
                        }
                        pA1++;
                        if (pC2_own_begin < pC2_own) {
                            if (pC1_own == C1_room) {
                                const int64_t capacity = gn_foresee(C1_room, pC1_own, 1, iA, A1_dimension, 1,
                                        GN_INDEX_MAX, &status);
                                C1_crd_own = gn_resize(C1_crd_own, capacity, sizeof(int32_t), &status);
                                C2_pos_own = gn_resize(C2_pos_own, capacity + 1, sizeof(int32_t), &status);
                                if (status != GN_OK) {
                                    goto next_i0;
                                }
                                C1_room = capacity;
                            }
                            C1_crd_own[pC1_own] = (int32_t) iA;
                            C2_pos_own[pC1_own + 1] = 0;
                            C2_pos_own[pC1_own + 1] = (int32_t) (C2_pos_own[pC1_own + 1] + pC2_own - pC2_own_begin);
                            pC1_own++;
                        }
                    }
                    while (pB1 < pB1_end) {
                        const int64_t iB = B1_crd[pB1];
                        const int64_t pC2_own_begin = pC2_own;
                        /* i1: iterate every i1 */
                        /* j: iterate B */
                        int64_t pB2_begin = B2_pos[pB1];
                        int64_t pB2_end = B2_pos[pB1 + 1];
                        if (C2_room - pC2_own < pB2_end - pB2_begin) {
                            const int64_t capacity = gn_foresee(C2_room, pC2_own, pB2_end - pB2_begin, iB, A1_dimension,
                                    1, GN_INDEX_MAX, &status);
                            C2_crd_own = gn_resize(C2_crd_own, capacity, sizeof(int32_t), &status);
                            C_vals_own = gn_resize(C_vals_own, capacity, sizeof(double), &status);
                            if (status != GN_OK) {
                                goto next_i0;
                            }
                            C2_room = capacity;
                        }
                        for (int64_t pB2 = pB2_begin; pB2 < pB2_end; pB2++) {
                            const int64_t j = B2_crd[pB2];
                            C2_crd_own[pC2_own] = (int32_t) j;
                            C_vals_own[pC2_own] = B_vals[pB2];
                            pC2_own++;
                        }
                        pB1++;
                        if (pC2_own_begin < pC2_own) {
                            if (pC1_own == C1_room) {
                                const int64_t capacity = gn_foresee(C1_room, pC1_own, 1, iB, A1_dimension, 1,
                                        GN_INDEX_MAX, &status);
                                C1_crd_own = gn_resize(C1_crd_own, capacity, sizeof(int32_t), &status);
                                C2_pos_own = gn_resize(C2_pos_own, capacity + 1, sizeof(int32_t), &status);
                                if (status != GN_OK) {
                                    goto next_i0;
                                }
                                C1_room = capacity;
                            }
                            C1_crd_own[pC1_own] = (int32_t) iB;
                            C2_pos_own[pC1_own + 1] = 0;
                            C2_pos_own[pC1_own + 1] = (int32_t) (C2_pos_own[pC1_own + 1] + pC2_own - pC2_own_begin);
                            pC1_own++;
                        }
                    }
                    C1_first[i0 + 1] = pC1_own - C1_begun;
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
                        C1_first[n + 1] += C1_first[n];
                    }
                    if (C1_capacity - pC1 < C1_first[i0_end]) {
                        const int64_t capacity = gn_capacity(C1_capacity, pC1, C1_first[i0_end], GN_INDEX_MAX, &status);
                        C1_crd = gn_resize(C1_crd, capacity, sizeof(int32_t), &status);
                        C2_pos = gn_resize(C2_pos, capacity + 1, sizeof(int32_t), &status);
                        if (status != GN_OK) {
                            goto placed_i0;
                        }
                        C1_capacity = capacity;
                    }
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
                if (pC1 == 0 && pC1_own > 0 && pC1_own == C1_first[i0_end] && C_ordered) {
                    gn_swap(C1_crd, C1_crd_own);
                    gn_swap(C2_pos, C2_pos_own);
                    C1_capacity = C1_room;
                } else {
                    gn_place(C1_crd, C1_crd_own, 0, 1, pC1, pC1_own, C1_first, C_before, C_last);
                    gn_place(C2_pos, C2_pos_own, 1, 1, pC1, pC1_own, C1_first, C_before, C_last);
                }
                if (pC2 == 0 && pC2_own > 0 && pC2_own == C2_first[i0_end] && C_ordered) {
                    gn_swap(C2_crd, C2_crd_own);
                    gn_swap(C_vals, C_vals_own);
                    C2_capacity = C2_room;
                } else {
                    gn_place(C2_crd, C2_crd_own, 0, 1, pC2, pC2_own, C2_first, C_before, C_last);
                    gn_place(C_vals, C_vals_own, 0, 1, pC2, pC2_own, C2_first, C_before, C_last);
                }
            }
            free(C1_crd_own);
            free(C2_pos_own);
            free(C2_crd_own);
            free(C_vals_own);
        }
        if (status != GN_OK) {
            goto done;
        }
        pC1 += C1_first[i0_end];
        pC2 += C2_first[i0_end];
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
    free(C_before);
    free(C1_first);
    free(C2_first);
    return status;
}

int evaluate(gn_tensor *C, const gn_tensor *A, const gn_tensor *B)
{
    return evaluate_arrays(C, A->level[0].array[0], A->level[0].array[1], A->level[1].array[0], A->level[1].array[1],
            A->level[0].extent, A->level[1].extent, A->vals, B->level[0].array[0], B->level[0].array[1],
            B->level[1].array[0], B->level[1].array[1], B->vals, A->size, B->size);
}
