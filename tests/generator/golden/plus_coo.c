/*
 * C(i,j,k) = A(i,j,k) + B(i,j,k)
 *
 * C: COO, float64, fill 0.0
 * A: COO, float64, fill 0.0
 * B: COO, float64, fill 0.0
 *
 * ∀i
 *   ∀j
 *     ∀k
 *       C(i,j,k) = A(i,j,k) + B(i,j,k)
 */
#include "gnomon.h"

static GN_APART int assemble_arrays(gn_tensor *C, const int32_t * restrict A1_pos, const int32_t * restrict A1_crd,
        const int32_t * restrict A2_crd, const int32_t * restrict A3_crd, int64_t A1_dimension,
        const int32_t * restrict B1_pos, const int32_t * restrict B1_crd, const int32_t * restrict B2_crd,
        const int32_t * restrict B3_crd, int64_t A_size, int64_t B_size)
{
    int status = GN_OK;
    int32_t * restrict C1_pos = NULL;
    int32_t * restrict C1_crd = NULL;
    int32_t * restrict C2_crd = NULL;
    int32_t * restrict C3_crd = NULL;
    double * restrict C_vals = NULL;
    int64_t pC1 = 0;
    int64_t C1_capacity = 0;
    C1_pos = gn_zeros(2, sizeof(int32_t), &status);
    C1_capacity = gn_estimate(A_size + B_size, GN_INDEX_MAX, 1);
    C1_crd = gn_resize(C1_crd, C1_capacity, sizeof(int32_t), &status);
    C2_crd = gn_resize(C2_crd, C1_capacity, sizeof(int32_t), &status);
    C3_crd = gn_resize(C3_crd, C1_capacity, sizeof(int32_t), &status);
    C_vals = gn_resize(C_vals, C1_capacity, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    /* i: co-iterate A, B; deduplicate A; deduplicate B */
    int64_t pA1 = A1_pos[0];
    int64_t pA1_end = A1_pos[1];
    int64_t pA1_segend = pA1;
    int64_t pB1 = B1_pos[0];
    int64_t pB1_end = B1_pos[1];
    int64_t pB1_segend = pB1;
    while (pA1 < pA1_end && pB1 < pB1_end) {
        const int64_t iA = A1_crd[pA1];
        pA1_segend = gn_max_int64(pA1_segend, pA1 + 1);
        while (pA1_segend < pA1_end && A1_crd[pA1_segend] == iA) {
            pA1_segend++;
        }
        const int64_t iB = B1_crd[pB1];
        pB1_segend = gn_max_int64(pB1_segend, pB1 + 1);
        while (pB1_segend < pB1_end && B1_crd[pB1_segend] == iB) {
            pB1_segend++;
        }
        if (iA == iB) {
            /* j: co-iterate A, B; fused */
            int64_t pA2 = pA1;
            int64_t pB2 = pB1;
            while (pA2 < pA1_segend && pB2 < pB1_segend) {
                const int64_t jA = A2_crd[pA2];
                const int64_t jB = B2_crd[pB2];
                int64_t jkA = jA * 4294967296LL + A3_crd[pA2];
                int64_t jkB = jB * 4294967296LL + B3_crd[pB2];
                if (jkA == jkB) {
                    /* k: co-iterate A, B */
                    const int64_t k = A3_crd[pA2];
                    if (pC1 == C1_capacity) {
                        const int64_t capacity = gn_foresee(C1_capacity, pC1, 1, iA, A1_dimension, 1, GN_INDEX_MAX,
                                &status);
                        C1_crd = gn_resize(C1_crd, capacity, sizeof(int32_t), &status);
                        C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
                        C3_crd = gn_resize(C3_crd, capacity, sizeof(int32_t), &status);
                        C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
                        if (status != GN_OK) {
                            goto done;
                        }
                        C1_capacity = capacity;
                    }
                    C1_crd[pC1] = (int32_t) iA;
                    C2_crd[pC1] = (int32_t) jA;
                    C3_crd[pC1] = (int32_t) k;
                    pC1++;
                    pA2++;
                    pB2++;
                } else if (jkA <= jkB) {
                    /* k: iterate A */
                    if (pC1 == C1_capacity) {
                        const int64_t capacity = gn_foresee(C1_capacity, pC1, 1, iA, A1_dimension, 1, GN_INDEX_MAX,
                                &status);
                        C1_crd = gn_resize(C1_crd, capacity, sizeof(int32_t), &status);
                        C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
                        C3_crd = gn_resize(C3_crd, capacity, sizeof(int32_t), &status);
                        C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
                        if (status != GN_OK) {
                            goto done;
                        }
                        C1_capacity = capacity;
                    }
                    const int64_t k = A3_crd[pA2];
                    C1_crd[pC1] = (int32_t) iA;
                    C2_crd[pC1] = (int32_t) jA;
                    C3_crd[pC1] = (int32_t) k;
                    pC1++;
                    pA2++;
                } else {
                    /* k: iterate B */
                    if (pC1 == C1_capacity) {
                        const int64_t capacity = gn_foresee(C1_capacity, pC1, 1, iA, A1_dimension, 1, GN_INDEX_MAX,
                                &status);
                        C1_crd = gn_resize(C1_crd, capacity, sizeof(int32_t), &status);
                        C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
                        C3_crd = gn_resize(C3_crd, capacity, sizeof(int32_t), &status);
                        C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
                        if (status != GN_OK) {
                            goto done;
                        }
                        C1_capacity = capacity;
                    }
                    const int64_t k = B3_crd[pB2];
                    C1_crd[pC1] = (int32_t) iA;
                    C2_crd[pC1] = (int32_t) jB;
                    C3_crd[pC1] = (int32_t) k;
                    pC1++;
                    pB2++;
                }
            }
            while (pA2 < pA1_segend) {
                const int64_t jA = A2_crd[pA2];
                /* k: iterate A */
                if (pC1 == C1_capacity) {
                    const int64_t capacity = gn_foresee(C1_capacity, pC1, 1, iA, A1_dimension, 1, GN_INDEX_MAX,
                            &status);
                    C1_crd = gn_resize(C1_crd, capacity, sizeof(int32_t), &status);
                    C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
                    C3_crd = gn_resize(C3_crd, capacity, sizeof(int32_t), &status);
                    C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
                    if (status != GN_OK) {
                        goto done;
                    }
                    C1_capacity = capacity;
                }
                const int64_t k = A3_crd[pA2];
                C1_crd[pC1] = (int32_t) iA;
                C2_crd[pC1] = (int32_t) jA;
                C3_crd[pC1] = (int32_t) k;
                pC1++;
                pA2++;
            }
            while (pB2 < pB1_segend) {
                const int64_t jB = B2_crd[pB2];
                /* k: iterate B */
                if (pC1 == C1_capacity) {
                    const int64_t capacity = gn_foresee(C1_capacity, pC1, 1, iA, A1_dimension, 1, GN_INDEX_MAX,
                            &status);
                    C1_crd = gn_resize(C1_crd, capacity, sizeof(int32_t), &status);
                    C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
                    C3_crd = gn_resize(C3_crd, capacity, sizeof(int32_t), &status);
                    C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
                    if (status != GN_OK) {
                        goto done;
                    }
                    C1_capacity = capacity;
                }
                const int64_t k = B3_crd[pB2];
                C1_crd[pC1] = (int32_t) iA;
                C2_crd[pC1] = (int32_t) jB;
                C3_crd[pC1] = (int32_t) k;
                pC1++;
                pB2++;
            }
            pA1 = pA1_segend;
            pB1 = pB1_segend;
        } else if (iA <= iB) {
            /* j: iterate A; fused */
            if (C1_capacity - pC1 < pA1_segend - pA1) {
                const int64_t capacity = gn_foresee(C1_capacity, pC1, pA1_segend - pA1, iA, A1_dimension, 1,
                        GN_INDEX_MAX, &status);
                C1_crd = gn_resize(C1_crd, capacity, sizeof(int32_t), &status);
                C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
                C3_crd = gn_resize(C3_crd, capacity, sizeof(int32_t), &status);
                C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
                if (status != GN_OK) {
                    goto done;
                }
                C1_capacity = capacity;
            }
            for (int64_t pA2 = pA1; pA2 < pA1_segend; pA2++) {
                const int64_t j = A2_crd[pA2];
                /* k: iterate A */
                const int64_t k = A3_crd[pA2];
                C1_crd[pC1] = (int32_t) iA;
                C2_crd[pC1] = (int32_t) j;
                C3_crd[pC1] = (int32_t) k;
                pC1++;
            }
            pA1 = pA1_segend;
        } else {
            /* j: iterate B; fused */
            if (C1_capacity - pC1 < pB1_segend - pB1) {
                const int64_t capacity = gn_foresee(C1_capacity, pC1, pB1_segend - pB1, iB, A1_dimension, 1,
                        GN_INDEX_MAX, &status);
                C1_crd = gn_resize(C1_crd, capacity, sizeof(int32_t), &status);
                C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
                C3_crd = gn_resize(C3_crd, capacity, sizeof(int32_t), &status);
                C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
                if (status != GN_OK) {
                    goto done;
                }
                C1_capacity = capacity;
            }
            for (int64_t pB2 = pB1; pB2 < pB1_segend; pB2++) {
                const int64_t j = B2_crd[pB2];
                /* k: iterate B */
                const int64_t k = B3_crd[pB2];
                C1_crd[pC1] = (int32_t) iB;
                C2_crd[pC1] = (int32_t) j;
                C3_crd[pC1] = (int32_t) k;
                pC1++;
            }
            pB1 = pB1_segend;
        }
    }
    while (pA1 < pA1_end) {
        const int64_t iA = A1_crd[pA1];
        pA1_segend = gn_max_int64(pA1_segend, pA1 + 1);
        while (pA1_segend < pA1_end && A1_crd[pA1_segend] == iA) {
            pA1_segend++;
        }
        /* j: iterate A; fused */
        if (C1_capacity - pC1 < pA1_segend - pA1) {
            const int64_t capacity = gn_foresee(C1_capacity, pC1, pA1_segend - pA1, iA, A1_dimension, 1, GN_INDEX_MAX,
                    &status);
            C1_crd = gn_resize(C1_crd, capacity, sizeof(int32_t), &status);
            C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
            C3_crd = gn_resize(C3_crd, capacity, sizeof(int32_t), &status);
            C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
            if (status != GN_OK) {
                goto done;
            }
            C1_capacity = capacity;
        }
        for (int64_t pA2 = pA1; pA2 < pA1_segend; pA2++) {
            const int64_t j = A2_crd[pA2];
            /* k: iterate A */
            const int64_t k = A3_crd[pA2];
            C1_crd[pC1] = (int32_t) iA;
            C2_crd[pC1] = (int32_t) j;
            C3_crd[pC1] = (int32_t) k;
            pC1++;
        }
        pA1 = pA1_segend;
    }
    while (pB1 < pB1_end) {
        const int64_t iB = B1_crd[pB1];
        pB1_segend = gn_max_int64(pB1_segend, pB1 + 1);
        while (pB1_segend < pB1_end && B1_crd[pB1_segend] == iB) {
            pB1_segend++;
        }
        /* j: iterate B; fused */
        if (C1_capacity - pC1 < pB1_segend - pB1) {
            const int64_t capacity = gn_foresee(C1_capacity, pC1, pB1_segend - pB1, iB, A1_dimension, 1, GN_INDEX_MAX,
                    &status);
            C1_crd = gn_resize(C1_crd, capacity, sizeof(int32_t), &status);
            C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
            C3_crd = gn_resize(C3_crd, capacity, sizeof(int32_t), &status);
            C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
            if (status != GN_OK) {
                goto done;
            }
            C1_capacity = capacity;
        }
        for (int64_t pB2 = pB1; pB2 < pB1_segend; pB2++) {
            const int64_t j = B2_crd[pB2];
            /* k: iterate B */
            const int64_t k = B3_crd[pB2];
            C1_crd[pC1] = (int32_t) iB;
            C2_crd[pC1] = (int32_t) j;
            C3_crd[pC1] = (int32_t) k;
            pC1++;
        }
        pB1 = pB1_segend;
    }
    C1_pos[1] = (int32_t) (C1_pos[1] + pC1);
    if (pC1 > GN_INDEX_MAX) {
        status = GN_OVERFLOW;
        goto done;
    }
    int64_t total = C1_pos[0];
    total += C1_pos[1];
    C1_pos[1] = (int32_t) total;
    C->level[0].array[0] = C1_pos;
    C->level[0].length[0] = 2;
    C->level[0].array[1] = C1_crd;
    C->level[0].length[1] = pC1;
    C->level[1].array[0] = C2_crd;
    C->level[1].length[0] = pC1;
    C->level[2].array[0] = C3_crd;
    C->level[2].length[0] = pC1;
    C->vals = C_vals;
    C->size = pC1;
    done:;
    if (status != GN_OK) {
        free(C1_pos);
        free(C1_crd);
        free(C2_crd);
        free(C3_crd);
        free(C_vals);
    }
    return status;
}

int assemble(gn_tensor *C, const gn_tensor *A, const gn_tensor *B)
{
    return assemble_arrays(C, A->level[0].array[0], A->level[0].array[1], A->level[1].array[0], A->level[2].array[0],
            A->level[0].extent, B->level[0].array[0], B->level[0].array[1], B->level[1].array[0], B->level[2].array[0],
            A->size, B->size);
}

static GN_APART int compute_arrays(const int32_t * restrict A1_pos, const int32_t * restrict A1_crd,
        const int32_t * restrict A2_crd, const int32_t * restrict A3_crd, const double * restrict A_vals,
        const int32_t * restrict B1_pos, const int32_t * restrict B1_crd, const int32_t * restrict B2_crd,
        const int32_t * restrict B3_crd, const double * restrict B_vals, double * restrict C_vals)
{
    int64_t pC1 = 0;
    /* i: co-iterate A, B; deduplicate A; deduplicate B */
    int64_t pA1 = A1_pos[0];
    int64_t pA1_end = A1_pos[1];
    int64_t pA1_segend = pA1;
    int64_t pB1 = B1_pos[0];
    int64_t pB1_end = B1_pos[1];
    int64_t pB1_segend = pB1;
    while (pA1 < pA1_end && pB1 < pB1_end) {
        const int64_t iA = A1_crd[pA1];
        pA1_segend = gn_max_int64(pA1_segend, pA1 + 1);
        while (pA1_segend < pA1_end && A1_crd[pA1_segend] == iA) {
            pA1_segend++;
        }
        const int64_t iB = B1_crd[pB1];
        pB1_segend = gn_max_int64(pB1_segend, pB1 + 1);
        while (pB1_segend < pB1_end && B1_crd[pB1_segend] == iB) {
            pB1_segend++;
        }
        if (iA == iB) {
            /* j: co-iterate A, B; fused */
            int64_t pA2 = pA1;
            int64_t pB2 = pB1;
            while (pA2 < pA1_segend && pB2 < pB1_segend) {
                const int64_t jA = A2_crd[pA2];
                const int64_t jB = B2_crd[pB2];
                int64_t jkA = jA * 4294967296LL + A3_crd[pA2];
                int64_t jkB = jB * 4294967296LL + B3_crd[pB2];
                if (jkA == jkB) {
                    /* k: co-iterate A, B */
                    C_vals[pC1] = A_vals[pA2] + B_vals[pB2];
                    pC1++;
                    pA2++;
                    pB2++;
                } else if (jkA <= jkB) {
                    /* k: iterate A */
                    C_vals[pC1] = A_vals[pA2];
                    pC1++;
                    pA2++;
                } else {
                    /* k: iterate B */
                    C_vals[pC1] = B_vals[pB2];
                    pC1++;
                    pB2++;
                }
            }
            while (pA2 < pA1_segend) {
                /* k: iterate A */
                C_vals[pC1] = A_vals[pA2];
                pC1++;
                pA2++;
            }
            while (pB2 < pB1_segend) {
                /* k: iterate B */
                C_vals[pC1] = B_vals[pB2];
                pC1++;
                pB2++;
            }
            pA1 = pA1_segend;
            pB1 = pB1_segend;
        } else if (iA <= iB) {
            /* j: iterate A; fused */
            for (int64_t pA2 = pA1; pA2 < pA1_segend; pA2++) {
                /* k: iterate A */
                C_vals[pC1] = A_vals[pA2];
                pC1++;
            }
            pA1 = pA1_segend;
        } else {
            /* j: iterate B; fused */
            for (int64_t pB2 = pB1; pB2 < pB1_segend; pB2++) {
                /* k: iterate B */
                C_vals[pC1] = B_vals[pB2];
                pC1++;
            }
            pB1 = pB1_segend;
        }
    }
    while (pA1 < pA1_end) {
        const int64_t iA = A1_crd[pA1];
        pA1_segend = gn_max_int64(pA1_segend, pA1 + 1);
        while (pA1_segend < pA1_end && A1_crd[pA1_segend] == iA) {
            pA1_segend++;
        }
        /* j: iterate A; fused */
        for (int64_t pA2 = pA1; pA2 < pA1_segend; pA2++) {
            /* k: iterate A */
            C_vals[pC1] = A_vals[pA2];
            pC1++;
        }
        pA1 = pA1_segend;
    }
    while (pB1 < pB1_end) {
        const int64_t iB = B1_crd[pB1];
        pB1_segend = gn_max_int64(pB1_segend, pB1 + 1);
        while (pB1_segend < pB1_end && B1_crd[pB1_segend] == iB) {
            pB1_segend++;
        }
        /* j: iterate B; fused */
        for (int64_t pB2 = pB1; pB2 < pB1_segend; pB2++) {
            /* k: iterate B */
            C_vals[pC1] = B_vals[pB2];
            pC1++;
        }
        pB1 = pB1_segend;
    }
    return GN_OK;
}

int compute(gn_tensor *C, const gn_tensor *A, const gn_tensor *B)
{
    return compute_arrays(A->level[0].array[0], A->level[0].array[1], A->level[1].array[0], A->level[2].array[0],
            A->vals, B->level[0].array[0], B->level[0].array[1], B->level[1].array[0], B->level[2].array[0], B->vals,
            C->vals);
}

static GN_APART int evaluate_arrays(gn_tensor *C, const int32_t * restrict A1_pos, const int32_t * restrict A1_crd,
        const int32_t * restrict A2_crd, const int32_t * restrict A3_crd, int64_t A1_dimension,
        const double * restrict A_vals, const int32_t * restrict B1_pos, const int32_t * restrict B1_crd,
        const int32_t * restrict B2_crd, const int32_t * restrict B3_crd, const double * restrict B_vals,
        int64_t A_size, int64_t B_size)
{
    int status = GN_OK;
    int32_t * restrict C1_pos = NULL;
    int32_t * restrict C1_crd = NULL;
    int32_t * restrict C2_crd = NULL;
    int32_t * restrict C3_crd = NULL;
    double * restrict C_vals = NULL;
    int64_t pC1 = 0;
    int64_t C1_capacity = 0;
    C1_pos = gn_zeros(2, sizeof(int32_t), &status);
    C1_capacity = gn_estimate(A_size + B_size, GN_INDEX_MAX, 1);
    C1_crd = gn_resize(C1_crd, C1_capacity, sizeof(int32_t), &status);
    C2_crd = gn_resize(C2_crd, C1_capacity, sizeof(int32_t), &status);
    C3_crd = gn_resize(C3_crd, C1_capacity, sizeof(int32_t), &status);
    C_vals = gn_resize(C_vals, C1_capacity, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    /* i: co-iterate A, B; deduplicate A; deduplicate B */
    int64_t pA1 = A1_pos[0];
    int64_t pA1_end = A1_pos[1];
    int64_t pA1_segend = pA1;
    int64_t pB1 = B1_pos[0];
    int64_t pB1_end = B1_pos[1];
    int64_t pB1_segend = pB1;
    while (pA1 < pA1_end && pB1 < pB1_end) {
        const int64_t iA = A1_crd[pA1];
        pA1_segend = gn_max_int64(pA1_segend, pA1 + 1);
        while (pA1_segend < pA1_end && A1_crd[pA1_segend] == iA) {
            pA1_segend++;
        }
        const int64_t iB = B1_crd[pB1];
        pB1_segend = gn_max_int64(pB1_segend, pB1 + 1);
        while (pB1_segend < pB1_end && B1_crd[pB1_segend] == iB) {
            pB1_segend++;
        }
        if (iA == iB) {
            /* j: co-iterate A, B; fused */
            int64_t pA2 = pA1;
            int64_t pB2 = pB1;
            while (pA2 < pA1_segend && pB2 < pB1_segend) {
                const int64_t jA = A2_crd[pA2];
                const int64_t jB = B2_crd[pB2];
                int64_t jkA = jA * 4294967296LL + A3_crd[pA2];
                int64_t jkB = jB * 4294967296LL + B3_crd[pB2];
                if (jkA == jkB) {
                    /* k: co-iterate A, B */
                    const int64_t k = A3_crd[pA2];
                    if (pC1 == C1_capacity) {
                        const int64_t capacity = gn_foresee(C1_capacity, pC1, 1, iA, A1_dimension, 1, GN_INDEX_MAX,
                                &status);
                        C1_crd = gn_resize(C1_crd, capacity, sizeof(int32_t), &status);
                        C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
                        C3_crd = gn_resize(C3_crd, capacity, sizeof(int32_t), &status);
                        C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
                        if (status != GN_OK) {
                            goto done;
                        }
                        C1_capacity = capacity;
                    }
                    C1_crd[pC1] = (int32_t) iA;
                    C2_crd[pC1] = (int32_t) jA;
                    C3_crd[pC1] = (int32_t) k;
                    C_vals[pC1] = A_vals[pA2] + B_vals[pB2];
                    pC1++;
                    pA2++;
                    pB2++;
                } else if (jkA <= jkB) {
                    /* k: iterate A */
                    if (pC1 == C1_capacity) {
                        const int64_t capacity = gn_foresee(C1_capacity, pC1, 1, iA, A1_dimension, 1, GN_INDEX_MAX,
                                &status);
                        C1_crd = gn_resize(C1_crd, capacity, sizeof(int32_t), &status);
                        C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
                        C3_crd = gn_resize(C3_crd, capacity, sizeof(int32_t), &status);
                        C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
                        if (status != GN_OK) {
                            goto done;
                        }
                        C1_capacity = capacity;
                    }
                    const int64_t k = A3_crd[pA2];
                    C1_crd[pC1] = (int32_t) iA;
                    C2_crd[pC1] = (int32_t) jA;
                    C3_crd[pC1] = (int32_t) k;
                    C_vals[pC1] = A_vals[pA2];
                    pC1++;
                    pA2++;
                } else {
                    /* k: iterate B */
                    if (pC1 == C1_capacity) {
                        const int64_t capacity = gn_foresee(C1_capacity, pC1, 1, iA, A1_dimension, 1, GN_INDEX_MAX,
                                &status);
                        C1_crd = gn_resize(C1_crd, capacity, sizeof(int32_t), &status);
                        C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
                        C3_crd = gn_resize(C3_crd, capacity, sizeof(int32_t), &status);
                        C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
                        if (status != GN_OK) {
                            goto done;
                        }
                        C1_capacity = capacity;
                    }
                    const int64_t k = B3_crd[pB2];
                    C1_crd[pC1] = (int32_t) iA;
                    C2_crd[pC1] = (int32_t) jB;
                    C3_crd[pC1] = (int32_t) k;
                    C_vals[pC1] = B_vals[pB2];
                    pC1++;
                    pB2++;
                }
            }
            while (pA2 < pA1_segend) {
                const int64_t jA = A2_crd[pA2];
                /* k: iterate A */
                if (pC1 == C1_capacity) {
                    const int64_t capacity = gn_foresee(C1_capacity, pC1, 1, iA, A1_dimension, 1, GN_INDEX_MAX,
                            &status);
                    C1_crd = gn_resize(C1_crd, capacity, sizeof(int32_t), &status);
                    C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
                    C3_crd = gn_resize(C3_crd, capacity, sizeof(int32_t), &status);
                    C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
                    if (status != GN_OK) {
                        goto done;
                    }
                    C1_capacity = capacity;
                }
                const int64_t k = A3_crd[pA2];
                C1_crd[pC1] = (int32_t) iA;
                C2_crd[pC1] = (int32_t) jA;
                C3_crd[pC1] = (int32_t) k;
                C_vals[pC1] = A_vals[pA2];
                pC1++;
                pA2++;
            }
            while (pB2 < pB1_segend) {
                const int64_t jB = B2_crd[pB2];
                /* k: iterate B */
                if (pC1 == C1_capacity) {
                    const int64_t capacity = gn_foresee(C1_capacity, pC1, 1, iA, A1_dimension, 1, GN_INDEX_MAX,
                            &status);
                    C1_crd = gn_resize(C1_crd, capacity, sizeof(int32_t), &status);
                    C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
                    C3_crd = gn_resize(C3_crd, capacity, sizeof(int32_t), &status);
                    C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
                    if (status != GN_OK) {
                        goto done;
                    }
                    C1_capacity = capacity;
                }
                const int64_t k = B3_crd[pB2];
                C1_crd[pC1] = (int32_t) iA;
                C2_crd[pC1] = (int32_t) jB;
                C3_crd[pC1] = (int32_t) k;
                C_vals[pC1] = B_vals[pB2];
                pC1++;
                pB2++;
            }
            pA1 = pA1_segend;
            pB1 = pB1_segend;
        } else if (iA <= iB) {
            /* j: iterate A; fused */
            if (C1_capacity - pC1 < pA1_segend - pA1) {
                const int64_t capacity = gn_foresee(C1_capacity, pC1, pA1_segend - pA1, iA, A1_dimension, 1,
                        GN_INDEX_MAX, &status);
                C1_crd = gn_resize(C1_crd, capacity, sizeof(int32_t), &status);
                C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
                C3_crd = gn_resize(C3_crd, capacity, sizeof(int32_t), &status);
                C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
                if (status != GN_OK) {
                    goto done;
                }
                C1_capacity = capacity;
            }
            for (int64_t pA2 = pA1; pA2 < pA1_segend; pA2++) {
                const int64_t j = A2_crd[pA2];
                /* k: iterate A */
                const int64_t k = A3_crd[pA2];
                C1_crd[pC1] = (int32_t) iA;
                C2_crd[pC1] = (int32_t) j;
                C3_crd[pC1] = (int32_t) k;
                C_vals[pC1] = A_vals[pA2];
                pC1++;
            }
            pA1 = pA1_segend;
        } else {
            /* j: iterate B; fused */
            if (C1_capacity - pC1 < pB1_segend - pB1) {
                const int64_t capacity = gn_foresee(C1_capacity, pC1, pB1_segend - pB1, iB, A1_dimension, 1,
                        GN_INDEX_MAX, &status);
                C1_crd = gn_resize(C1_crd, capacity, sizeof(int32_t), &status);
                C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
                C3_crd = gn_resize(C3_crd, capacity, sizeof(int32_t), &status);
                C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
                if (status != GN_OK) {
                    goto done;
                }
                C1_capacity = capacity;
            }
            for (int64_t pB2 = pB1; pB2 < pB1_segend; pB2++) {
                const int64_t j = B2_crd[pB2];
                /* k: iterate B */
                const int64_t k = B3_crd[pB2];
                C1_crd[pC1] = (int32_t) iB;
                C2_crd[pC1] = (int32_t) j;
                C3_crd[pC1] = (int32_t) k;
                C_vals[pC1] = B_vals[pB2];
                pC1++;
            }
            pB1 = pB1_segend;
        }
    }
    while (pA1 < pA1_end) {
        const int64_t iA = A1_crd[pA1];
        pA1_segend = gn_max_int64(pA1_segend, pA1 + 1);
        while (pA1_segend < pA1_end && A1_crd[pA1_segend] == iA) {
            pA1_segend++;
        }
        /* j: iterate A; fused */
        if (C1_capacity - pC1 < pA1_segend - pA1) {
            const int64_t capacity = gn_foresee(C1_capacity, pC1, pA1_segend - pA1, iA, A1_dimension, 1, GN_INDEX_MAX,
                    &status);
            C1_crd = gn_resize(C1_crd, capacity, sizeof(int32_t), &status);
            C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
            C3_crd = gn_resize(C3_crd, capacity, sizeof(int32_t), &status);
            C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
            if (status != GN_OK) {
                goto done;
            }
            C1_capacity = capacity;
        }
        for (int64_t pA2 = pA1; pA2 < pA1_segend; pA2++) {
            const int64_t j = A2_crd[pA2];
            /* k: iterate A */
            const int64_t k = A3_crd[pA2];
            C1_crd[pC1] = (int32_t) iA;
            C2_crd[pC1] = (int32_t) j;
            C3_crd[pC1] = (int32_t) k;
            C_vals[pC1] = A_vals[pA2];
            pC1++;
        }
        pA1 = pA1_segend;
    }
    while (pB1 < pB1_end) {
        const int64_t iB = B1_crd[pB1];
        pB1_segend = gn_max_int64(pB1_segend, pB1 + 1);
        while (pB1_segend < pB1_end && B1_crd[pB1_segend] == iB) {
            pB1_segend++;
        }
        /* j: iterate B; fused */
        if (C1_capacity - pC1 < pB1_segend - pB1) {
            const int64_t capacity = gn_foresee(C1_capacity, pC1, pB1_segend - pB1, iB, A1_dimension, 1, GN_INDEX_MAX,
                    &status);
            C1_crd = gn_resize(C1_crd, capacity, sizeof(int32_t), &status);
            C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
            C3_crd = gn_resize(C3_crd, capacity, sizeof(int32_t), &status);
            C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
            if (status != GN_OK) {
                goto done;
            }
            C1_capacity = capacity;
        }
        for (int64_t pB2 = pB1; pB2 < pB1_segend; pB2++) {
            const int64_t j = B2_crd[pB2];
            /* k: iterate B */
            const int64_t k = B3_crd[pB2];
            C1_crd[pC1] = (int32_t) iB;
            C2_crd[pC1] = (int32_t) j;
            C3_crd[pC1] = (int32_t) k;
            C_vals[pC1] = B_vals[pB2];
            pC1++;
        }
        pB1 = pB1_segend;
    }
    C1_pos[1] = (int32_t) (C1_pos[1] + pC1);
    if (pC1 > GN_INDEX_MAX) {
        status = GN_OVERFLOW;
        goto done;
    }
    int64_t total = C1_pos[0];
    total += C1_pos[1];
    C1_pos[1] = (int32_t) total;
    C->level[0].array[0] = C1_pos;
    C->level[0].length[0] = 2;
    C->level[0].array[1] = C1_crd;
    C->level[0].length[1] = pC1;
    C->level[1].array[0] = C2_crd;
    C->level[1].length[0] = pC1;
    C->level[2].array[0] = C3_crd;
    C->level[2].length[0] = pC1;
    C->vals = C_vals;
    C->size = pC1;
    done:;
    if (status != GN_OK) {
        free(C1_pos);
        free(C1_crd);
        free(C2_crd);
        free(C3_crd);
        free(C_vals);
    }
    return status;
}

int evaluate(gn_tensor *C, const gn_tensor *A, const gn_tensor *B)
{
    return evaluate_arrays(C, A->level[0].array[0], A->level[0].array[1], A->level[1].array[0], A->level[2].array[0],
            A->level[0].extent, A->vals, B->level[0].array[0], B->level[0].array[1], B->level[1].array[0],
            B->level[2].array[0], B->vals, A->size, B->size);
}
