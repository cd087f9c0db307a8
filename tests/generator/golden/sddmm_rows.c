/*
 * C(i,j) = B(i,j) * (D(i,k) * E(k,j))    by split(i,i0,i1,32),parallelize(i0,CPUThread,NoRaces)
 *
 * C: CSR, float64, fill 0.0
 * B: CSR, float64, fill 0.0
 * D: dense,dense, float64, fill 0.0
 * E: dense,dense; (i,j)->(j,i), float64, fill 0.0
 *
 * ∀i0  [CPUThread NoRaces]
 *   ∀i1
 *     ∀j
 *       ∀k
 *         C(i,j) += B(i,j) * (D(i,k) * E(k,j))
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
    int64_t *C2_first = NULL;
    int64_t *C_before = NULL;
    C2_pos = gn_zeros(B1_dimension + 1, sizeof(int32_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    {
        int C_status = GN_OK;
        /* i0: iterate every i0 */
        int64_t i0_end = (B1_dimension + 31) / 32;
        free(C_before);
        C_before = gn_zeros(i0_end, sizeof(int64_t), &status);
        free(C2_first);
        C2_first = gn_zeros(i0_end + 1, sizeof(int64_t), &status);
        if (status != GN_OK) {
            goto done;
        }
        const bool i0_pays = gn_pays(((double) B_size) * ((double) D2_dimension));
        #pragma omp parallel reduction(max : status) if (i0_pays)
        {
            status = GN_OK;
            int64_t C_last = -1;
            bool C_ordered = true;
            int32_t *C2_crd_own = NULL;
            double *C_vals_own = NULL;
            int64_t pC2_own = 0;
            int64_t C2_room = 0;
            C2_room = gn_estimate(gn_part(B_size), GN_INDEX_MAX, 1);
            C2_crd_own = gn_resize(C2_crd_own, C2_room, sizeof(int32_t), &status);
            C_vals_own = gn_resize(C_vals_own, C2_room, sizeof(double), &status);
            #pragma omp for schedule(dynamic, gn_chunk(0, i0_end))
            for (int64_t i0 = 0; i0 < i0_end; i0++) {
                if (status == GN_OK) {
                    const int64_t C2_begun = pC2_own;
                    C_ordered = C_ordered && C_last < i0;
                    /* i: iterate every i; locate B, D */
                    for (int64_t i1 = 0, i1_end = gn_min_int64(32, B1_dimension - i0 * 32); i1 < i1_end; i1++) {
                        int64_t i = i0 * 32 + i1;
                        const int64_t pC2_own_begin = pC2_own;
                        /* i1: iterate every i1 */
                        /* j: iterate B; locate E */
                        int64_t pB2_begin = B2_pos[i];
                        int64_t pB2_end = B2_pos[i + 1];
                        if (C2_room - pC2_own < pB2_end - pB2_begin) {
                            const int64_t capacity = gn_foresee(C2_room, pC2_own, pB2_end - pB2_begin, i, B1_dimension,
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
                            bool tC_present = false;
                            /* k: iterate every k; locate D, E */
                            tC_present = tC_present || 0 < D2_dimension;
                            if (tC_present) {
                                C2_crd_own[pC2_own] = (int32_t) j;
                                pC2_own++;
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
            free(C2_crd_own);
            free(C_vals_own);
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
    free(C_before);
    free(C2_first);
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
        const double * restrict E_vals, double * restrict C_vals, int64_t B_size)
{
    int status = GN_OK;
    int64_t pC2 = 0;
    int64_t *C2_first = NULL;
    int64_t *C_before = NULL;
    {
        int C_status = GN_OK;
        /* i0: iterate every i0 */
        int64_t i0_end = (B1_dimension + 31) / 32;
        free(C_before);
        C_before = gn_zeros(i0_end, sizeof(int64_t), &status);
        free(C2_first);
        C2_first = gn_zeros(i0_end + 1, sizeof(int64_t), &status);
        if (status != GN_OK) {
            goto done;
        }
        const bool i0_pays = gn_pays(((double) B_size) * ((double) D2_dimension));
        #pragma omp parallel reduction(max : status) if (i0_pays)
        {
            status = GN_OK;
            int64_t C_last = -1;
            double *C_vals_own = NULL;
            int64_t pC2_own = 0;
            int64_t C2_room = 0;
            C2_room = gn_estimate(gn_part(B_size), GN_INDEX_MAX, 1);
            C_vals_own = gn_resize(C_vals_own, C2_room, sizeof(double), &status);
            #pragma omp for schedule(dynamic, gn_chunk(0, i0_end))
            for (int64_t i0 = 0; i0 < i0_end; i0++) {
                if (status == GN_OK) {
                    const int64_t C2_begun = pC2_own;
                    /* i: iterate every i; locate B, D */
                    for (int64_t i1 = 0, i1_end = gn_min_int64(32, B1_dimension - i0 * 32); i1 < i1_end; i1++) {
                        int64_t i = i0 * 32 + i1;
                        /* i1: iterate every i1 */
                        /* j: iterate B; locate E */
                        int64_t pB2_begin = B2_pos[i];
                        int64_t pB2_end = B2_pos[i + 1];
                        if (C2_room - pC2_own < pB2_end - pB2_begin) {
                            const int64_t capacity = gn_foresee(C2_room, pC2_own, pB2_end - pB2_begin, i, B1_dimension,
                                    1, GN_INDEX_MAX, &status);
                            C_vals_own = gn_resize(C_vals_own, capacity, sizeof(double), &status);
                            if (status != GN_OK) {
                                goto next_i0;
                            }
                            C2_room = capacity;
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
                                C_vals_own[pC2_own] = tC;
                                pC2_own++;
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

int compute(gn_tensor *C, const gn_tensor *B, const gn_tensor *D, const gn_tensor *E)
{
    return compute_arrays(B->level[1].array[0], B->level[1].array[1], B->level[0].extent, B->vals, D->level[1].extent,
            D->vals, E->vals, C->vals, B->size);
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
    int64_t *C2_first = NULL;
    int64_t *C_before = NULL;
    C2_pos = gn_zeros(B1_dimension + 1, sizeof(int32_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    {
        int C_status = GN_OK;
        /* i0: iterate every i0 */
        int64_t i0_end = (B1_dimension + 31) / 32;
        free(C_before);
        C_before = gn_zeros(i0_end, sizeof(int64_t), &status);
        free(C2_first);
        C2_first = gn_zeros(i0_end + 1, sizeof(int64_t), &status);
        if (status != GN_OK) {
            goto done;
        }
        const bool i0_pays = gn_pays(((double) B_size) * ((double) D2_dimension));
        #pragma omp parallel reduction(max : status) if (i0_pays)
        {
            status = GN_OK;
            int64_t C_last = -1;
            bool C_ordered = true;
            int32_t *C2_crd_own = NULL;
            double *C_vals_own = NULL;
            int64_t pC2_own = 0;
            int64_t C2_room = 0;
            C2_room = gn_estimate(gn_part(B_size), GN_INDEX_MAX, 1);
            C2_crd_own = gn_resize(C2_crd_own, C2_room, sizeof(int32_t), &status);
            C_vals_own = gn_resize(C_vals_own, C2_room, sizeof(double), &status);
            #pragma omp for schedule(dynamic, gn_chunk(0, i0_end))
            for (int64_t i0 = 0; i0 < i0_end; i0++) {
                if (status == GN_OK) {
                    const int64_t C2_begun = pC2_own;
                    C_ordered = C_ordered && C_last < i0;
                    /* i: iterate every i; locate B, D */
                    for (int64_t i1 = 0, i1_end = gn_min_int64(32, B1_dimension - i0 * 32); i1 < i1_end; i1++) {
                        int64_t i = i0 * 32 + i1;
                        const int64_t pC2_own_begin = pC2_own;
                        /* i1: iterate every i1 */
                        /* j: iterate B; locate E */
                        int64_t pB2_begin = B2_pos[i];
                        int64_t pB2_end = B2_pos[i + 1];
                        if (C2_room - pC2_own < pB2_end - pB2_begin) {
                            const int64_t capacity = gn_foresee(C2_room, pC2_own, pB2_end - pB2_begin, i, B1_dimension,
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
                                C2_crd_own[pC2_own] = (int32_t) j;
                                C_vals_own[pC2_own] = tC;
                                pC2_own++;
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
            free(C2_crd_own);
            free(C_vals_own);
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
    free(C_before);
    free(C2_first);
    return status;
}

int evaluate(gn_tensor *C, const gn_tensor *B, const gn_tensor *D, const gn_tensor *E)
{
    return evaluate_arrays(C, B->level[1].array[0], B->level[1].array[1], B->level[0].extent, B->vals,
            D->level[1].extent, D->vals, E->vals, B->size);
}
