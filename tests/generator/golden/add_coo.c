/*
 * C(i,j) = A(i,j) + B(i,j)
 *
 * C: COO, float64, fill 0.0
 * A: COO, float64, fill 0.0
 * B: COO, float64, fill 0.0
 *
 * ∀i
 *   ∀j
 *     C(i,j) = A(i,j) + B(i,j)
 */
#include "gnomon.h"

int assemble(gn_tensor *C, const gn_tensor *A, const gn_tensor *B)
{
    int status = GN_OK;
    const int32_t * restrict A1_pos = A->level[0].array[0];
    const int32_t * restrict A1_crd = A->level[0].array[1];
    const int32_t * restrict A2_crd = A->level[1].array[0];
    const int32_t * restrict B1_pos = B->level[0].array[0];
    const int32_t * restrict B1_crd = B->level[0].array[1];
    const int32_t * restrict B2_crd = B->level[1].array[0];
    int32_t * restrict C1_pos = NULL;
    int32_t * restrict C1_crd = NULL;
    int32_t * restrict C2_crd = NULL;
    double * restrict C_vals = NULL;
    int64_t pC1 = 0;
    int64_t C1_capacity = 0;
    C1_pos = gn_zeros(2, sizeof(int32_t), &status);
    C1_capacity = gn_estimate(A->size + B->size, GN_INDEX_MAX, 1);
    C1_crd = gn_resize(C1_crd, C1_capacity, sizeof(int32_t), &status);
    C2_crd = gn_resize(C2_crd, C1_capacity, sizeof(int32_t), &status);
    C_vals = gn_resize(C_vals, C1_capacity, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    C1_pos[1] = 0;
    /* i: co-iterate A, B; deduplicate A; deduplicate B */
    int64_t pA1 = A1_pos[0];
    int64_t pA1_end = A1_pos[1];
    int64_t pB1 = B1_pos[0];
    int64_t pB1_end = B1_pos[1];
    while (pA1 < pA1_end && pB1 < pB1_end) {
        const int64_t iA = A1_crd[pA1];
        int64_t pA1_segend = pA1 + 1;
        while (pA1_segend < pA1_end && A1_crd[pA1_segend] == iA) {
            pA1_segend++;
        }
        const int64_t iB = B1_crd[pB1];
        int64_t pB1_segend = pB1 + 1;
        while (pB1_segend < pB1_end && B1_crd[pB1_segend] == iB) {
            pB1_segend++;
        }
        const int64_t i = gn_min_int64(iA, iB);
        if (iA == i && iB == i) {
            /* j: co-iterate A, B */
            int64_t pA2 = pA1;
            int64_t pB2 = pB1;
            while (pA2 < pA1_segend && pB2 < pB1_segend) {
                const int64_t jA = A2_crd[pA2];
                int64_t pA2_segend = pA2 + 1;
                while (pA2_segend < pA1_segend && A2_crd[pA2_segend] == jA) {
                    pA2_segend++;
                }
                const int64_t jB = B2_crd[pB2];
                int64_t pB2_segend = pB2 + 1;
                while (pB2_segend < pB1_segend && B2_crd[pB2_segend] == jB) {
                    pB2_segend++;
                }
                const int64_t j = gn_min_int64(jA, jB);
                if (pC1 >= C1_capacity) {
                    const int64_t capacity = gn_capacity(C1_capacity, GN_INDEX_MAX, &status);
                    C1_crd = gn_resize(C1_crd, capacity, sizeof(int32_t), &status);
                    C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
                    C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
                    if (status != GN_OK) {
                        goto done;
                    }
                    C1_capacity = capacity;
                }
                if (jA == j && jB == j) {
                    C1_crd[pC1] = (int32_t) i;
                    C2_crd[pC1] = (int32_t) j;
                    pC1++;
                    pA2 = pA2_segend;
                    pB2 = pB2_segend;
                } else if (jA == j) {
                    C1_crd[pC1] = (int32_t) i;
                    C2_crd[pC1] = (int32_t) j;
                    pC1++;
                    pA2 = pA2_segend;
                } else {
                    C1_crd[pC1] = (int32_t) i;
                    C2_crd[pC1] = (int32_t) j;
                    pC1++;
                    pB2 = pB2_segend;
                }
            }
            while (pA2 < pA1_segend) {
                const int64_t jA = A2_crd[pA2];
                int64_t pA2_segend = pA2 + 1;
                while (pA2_segend < pA1_segend && A2_crd[pA2_segend] == jA) {
                    pA2_segend++;
                }
                if (pC1 >= C1_capacity) {
                    const int64_t capacity = gn_capacity(C1_capacity, GN_INDEX_MAX, &status);
                    C1_crd = gn_resize(C1_crd, capacity, sizeof(int32_t), &status);
                    C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
                    C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
                    if (status != GN_OK) {
                        goto done;
                    }
                    C1_capacity = capacity;
                }
                C1_crd[pC1] = (int32_t) i;
                C2_crd[pC1] = (int32_t) jA;
                pC1++;
                pA2 = pA2_segend;
            }
            while (pB2 < pB1_segend) {
                const int64_t jB = B2_crd[pB2];
                int64_t pB2_segend = pB2 + 1;
                while (pB2_segend < pB1_segend && B2_crd[pB2_segend] == jB) {
                    pB2_segend++;
                }
                if (pC1 >= C1_capacity) {
                    const int64_t capacity = gn_capacity(C1_capacity, GN_INDEX_MAX, &status);
                    C1_crd = gn_resize(C1_crd, capacity, sizeof(int32_t), &status);
                    C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
                    C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
                    if (status != GN_OK) {
                        goto done;
                    }
                    C1_capacity = capacity;
                }
                C1_crd[pC1] = (int32_t) i;
                C2_crd[pC1] = (int32_t) jB;
                pC1++;
                pB2 = pB2_segend;
            }
            pA1 = pA1_segend;
            pB1 = pB1_segend;
        } else if (iA == i) {
            /* j: iterate A */
            int64_t pA2 = pA1;
            while (pA2 < pA1_segend) {
                const int64_t j = A2_crd[pA2];
                int64_t pA2_segend = pA2 + 1;
                while (pA2_segend < pA1_segend && A2_crd[pA2_segend] == j) {
                    pA2_segend++;
                }
                if (pC1 >= C1_capacity) {
                    const int64_t capacity = gn_capacity(C1_capacity, GN_INDEX_MAX, &status);
                    C1_crd = gn_resize(C1_crd, capacity, sizeof(int32_t), &status);
                    C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
                    C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
                    if (status != GN_OK) {
                        goto done;
                    }
                    C1_capacity = capacity;
                }
                C1_crd[pC1] = (int32_t) i;
                C2_crd[pC1] = (int32_t) j;
                pC1++;
                pA2 = pA2_segend;
            }
            pA1 = pA1_segend;
        } else {
            /* j: iterate B */
            int64_t pB2 = pB1;
            while (pB2 < pB1_segend) {
                const int64_t j = B2_crd[pB2];
                int64_t pB2_segend = pB2 + 1;
                while (pB2_segend < pB1_segend && B2_crd[pB2_segend] == j) {
                    pB2_segend++;
                }
                if (pC1 >= C1_capacity) {
                    const int64_t capacity = gn_capacity(C1_capacity, GN_INDEX_MAX, &status);
                    C1_crd = gn_resize(C1_crd, capacity, sizeof(int32_t), &status);
                    C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
                    C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
                    if (status != GN_OK) {
                        goto done;
                    }
                    C1_capacity = capacity;
                }
                C1_crd[pC1] = (int32_t) i;
                C2_crd[pC1] = (int32_t) j;
                pC1++;
                pB2 = pB2_segend;
            }
            pB1 = pB1_segend;
        }
    }
    while (pA1 < pA1_end) {
        const int64_t iA = A1_crd[pA1];
        int64_t pA1_segend = pA1 + 1;
        while (pA1_segend < pA1_end && A1_crd[pA1_segend] == iA) {
            pA1_segend++;
        }
        /* j: iterate A */
        int64_t pA2 = pA1;
        while (pA2 < pA1_segend) {
            const int64_t j = A2_crd[pA2];
            int64_t pA2_segend = pA2 + 1;
            while (pA2_segend < pA1_segend && A2_crd[pA2_segend] == j) {
                pA2_segend++;
            }
            if (pC1 >= C1_capacity) {
                const int64_t capacity = gn_capacity(C1_capacity, GN_INDEX_MAX, &status);
                C1_crd = gn_resize(C1_crd, capacity, sizeof(int32_t), &status);
                C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
                C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
                if (status != GN_OK) {
                    goto done;
                }
                C1_capacity = capacity;
            }
            C1_crd[pC1] = (int32_t) iA;
            C2_crd[pC1] = (int32_t) j;
            pC1++;
            pA2 = pA2_segend;
        }
        pA1 = pA1_segend;
    }
    while (pB1 < pB1_end) {
        const int64_t iB = B1_crd[pB1];
        int64_t pB1_segend = pB1 + 1;
        while (pB1_segend < pB1_end && B1_crd[pB1_segend] == iB) {
            pB1_segend++;
        }
        /* j: iterate B */
        int64_t pB2 = pB1;
        while (pB2 < pB1_segend) {
            const int64_t j = B2_crd[pB2];
            int64_t pB2_segend = pB2 + 1;
            while (pB2_segend < pB1_segend && B2_crd[pB2_segend] == j) {
                pB2_segend++;
            }
            if (pC1 >= C1_capacity) {
                const int64_t capacity = gn_capacity(C1_capacity, GN_INDEX_MAX, &status);
                C1_crd = gn_resize(C1_crd, capacity, sizeof(int32_t), &status);
                C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
                C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
                if (status != GN_OK) {
                    goto done;
                }
                C1_capacity = capacity;
            }
            C1_crd[pC1] = (int32_t) iB;
            C2_crd[pC1] = (int32_t) j;
            pC1++;
            pB2 = pB2_segend;
        }
        pB1 = pB1_segend;
    }
    C1_pos[1] = (int32_t) pC1;
    int64_t total = C1_pos[0];
    total += C1_pos[1];
    C1_pos[1] = (int32_t) total;
    C->level[0].array[0] = C1_pos;
    C->level[0].length[0] = 2;
    C->level[0].array[1] = C1_crd;
    C->level[0].length[1] = pC1;
    C->level[1].array[0] = C2_crd;
    C->level[1].length[0] = pC1;
    C->vals = C_vals;
    C->size = pC1;
    done:;
    if (status != GN_OK) {
        free(C1_pos);
        free(C1_crd);
        free(C2_crd);
        free(C_vals);
    }
    return status;
}

int compute(gn_tensor *C, const gn_tensor *A, const gn_tensor *B)
{
    const int32_t * restrict A1_pos = A->level[0].array[0];
    const int32_t * restrict A1_crd = A->level[0].array[1];
    const int32_t * restrict A2_crd = A->level[1].array[0];
    const double * restrict A_vals = A->vals;
    const int32_t * restrict B1_pos = B->level[0].array[0];
    const int32_t * restrict B1_crd = B->level[0].array[1];
    const int32_t * restrict B2_crd = B->level[1].array[0];
    const double * restrict B_vals = B->vals;
    double * restrict C_vals = C->vals;
    int64_t pC1 = 0;
    /* i: co-iterate A, B; deduplicate A; deduplicate B */
    int64_t pA1 = A1_pos[0];
    int64_t pA1_end = A1_pos[1];
    int64_t pB1 = B1_pos[0];
    int64_t pB1_end = B1_pos[1];
    while (pA1 < pA1_end && pB1 < pB1_end) {
        const int64_t iA = A1_crd[pA1];
        int64_t pA1_segend = pA1 + 1;
        while (pA1_segend < pA1_end && A1_crd[pA1_segend] == iA) {
            pA1_segend++;
        }
        const int64_t iB = B1_crd[pB1];
        int64_t pB1_segend = pB1 + 1;
        while (pB1_segend < pB1_end && B1_crd[pB1_segend] == iB) {
            pB1_segend++;
        }
        const int64_t i = gn_min_int64(iA, iB);
        if (iA == i && iB == i) {
            /* j: co-iterate A, B */
            int64_t pA2 = pA1;
            int64_t pB2 = pB1;
            while (pA2 < pA1_segend && pB2 < pB1_segend) {
                const int64_t jA = A2_crd[pA2];
                int64_t pA2_segend = pA2 + 1;
                while (pA2_segend < pA1_segend && A2_crd[pA2_segend] == jA) {
                    pA2_segend++;
                }
                const int64_t jB = B2_crd[pB2];
                int64_t pB2_segend = pB2 + 1;
                while (pB2_segend < pB1_segend && B2_crd[pB2_segend] == jB) {
                    pB2_segend++;
                }
                const int64_t j = gn_min_int64(jA, jB);
                if (jA == j && jB == j) {
                    double tA = 0.0;
                    for (int64_t q = pA2; q < pA2_segend; q++) {
                        tA += A_vals[q];
                    }
                    double tB = 0.0;
                    for (int64_t q = pB2; q < pB2_segend; q++) {
                        tB += B_vals[q];
                    }
                    C_vals[pC1] = tA + tB;
                    pC1++;
                    pA2 = pA2_segend;
                    pB2 = pB2_segend;
                } else if (jA == j) {
                    double tA = 0.0;
                    for (int64_t q = pA2; q < pA2_segend; q++) {
                        tA += A_vals[q];
                    }
                    C_vals[pC1] = tA;
                    pC1++;
                    pA2 = pA2_segend;
                } else {
                    double tB = 0.0;
                    for (int64_t q = pB2; q < pB2_segend; q++) {
                        tB += B_vals[q];
                    }
                    C_vals[pC1] = tB;
                    pC1++;
                    pB2 = pB2_segend;
                }
            }
            while (pA2 < pA1_segend) {
                const int64_t jA = A2_crd[pA2];
                int64_t pA2_segend = pA2 + 1;
                while (pA2_segend < pA1_segend && A2_crd[pA2_segend] == jA) {
                    pA2_segend++;
                }
                double tA = 0.0;
                for (int64_t q = pA2; q < pA2_segend; q++) {
                    tA += A_vals[q];
                }
                C_vals[pC1] = tA;
                pC1++;
                pA2 = pA2_segend;
            }
            while (pB2 < pB1_segend) {
                const int64_t jB = B2_crd[pB2];
                int64_t pB2_segend = pB2 + 1;
                while (pB2_segend < pB1_segend && B2_crd[pB2_segend] == jB) {
                    pB2_segend++;
                }
                double tB = 0.0;
                for (int64_t q = pB2; q < pB2_segend; q++) {
                    tB += B_vals[q];
                }
                C_vals[pC1] = tB;
                pC1++;
                pB2 = pB2_segend;
            }
            pA1 = pA1_segend;
            pB1 = pB1_segend;
        } else if (iA == i) {
            /* j: iterate A */
            int64_t pA2 = pA1;
            while (pA2 < pA1_segend) {
                const int64_t j = A2_crd[pA2];
                int64_t pA2_segend = pA2 + 1;
                while (pA2_segend < pA1_segend && A2_crd[pA2_segend] == j) {
                    pA2_segend++;
                }
                double tA = 0.0;
                for (int64_t q = pA2; q < pA2_segend; q++) {
                    tA += A_vals[q];
                }
                C_vals[pC1] = tA;
                pC1++;
                pA2 = pA2_segend;
            }
            pA1 = pA1_segend;
        } else {
            /* j: iterate B */
            int64_t pB2 = pB1;
            while (pB2 < pB1_segend) {
                const int64_t j = B2_crd[pB2];
                int64_t pB2_segend = pB2 + 1;
                while (pB2_segend < pB1_segend && B2_crd[pB2_segend] == j) {
                    pB2_segend++;
                }
                double tB = 0.0;
                for (int64_t q = pB2; q < pB2_segend; q++) {
                    tB += B_vals[q];
                }
                C_vals[pC1] = tB;
                pC1++;
                pB2 = pB2_segend;
            }
            pB1 = pB1_segend;
        }
    }
    while (pA1 < pA1_end) {
        const int64_t iA = A1_crd[pA1];
        int64_t pA1_segend = pA1 + 1;
        while (pA1_segend < pA1_end && A1_crd[pA1_segend] == iA) {
            pA1_segend++;
        }
        /* j: iterate A */
        int64_t pA2 = pA1;
        while (pA2 < pA1_segend) {
            const int64_t j = A2_crd[pA2];
            int64_t pA2_segend = pA2 + 1;
            while (pA2_segend < pA1_segend && A2_crd[pA2_segend] == j) {
                pA2_segend++;
            }
            double tA = 0.0;
            for (int64_t q = pA2; q < pA2_segend; q++) {
                tA += A_vals[q];
            }
            C_vals[pC1] = tA;
            pC1++;
            pA2 = pA2_segend;
        }
        pA1 = pA1_segend;
    }
    while (pB1 < pB1_end) {
        const int64_t iB = B1_crd[pB1];
        int64_t pB1_segend = pB1 + 1;
        while (pB1_segend < pB1_end && B1_crd[pB1_segend] == iB) {
            pB1_segend++;
        }
        /* j: iterate B */
        int64_t pB2 = pB1;
        while (pB2 < pB1_segend) {
            const int64_t j = B2_crd[pB2];
            int64_t pB2_segend = pB2 + 1;
            while (pB2_segend < pB1_segend && B2_crd[pB2_segend] == j) {
                pB2_segend++;
            }
            double tB = 0.0;
            for (int64_t q = pB2; q < pB2_segend; q++) {
                tB += B_vals[q];
            }
            C_vals[pC1] = tB;
            pC1++;
            pB2 = pB2_segend;
        }
        pB1 = pB1_segend;
    }
    return GN_OK;
}

int evaluate(gn_tensor *C, const gn_tensor *A, const gn_tensor *B)
{
    int status = GN_OK;
    const int32_t * restrict A1_pos = A->level[0].array[0];
    const int32_t * restrict A1_crd = A->level[0].array[1];
    const int32_t * restrict A2_crd = A->level[1].array[0];
    const double * restrict A_vals = A->vals;
    const int32_t * restrict B1_pos = B->level[0].array[0];
    const int32_t * restrict B1_crd = B->level[0].array[1];
    const int32_t * restrict B2_crd = B->level[1].array[0];
    const double * restrict B_vals = B->vals;
    int32_t * restrict C1_pos = NULL;
    int32_t * restrict C1_crd = NULL;
    int32_t * restrict C2_crd = NULL;
    double * restrict C_vals = NULL;
    int64_t pC1 = 0;
    int64_t C1_capacity = 0;
    C1_pos = gn_zeros(2, sizeof(int32_t), &status);
    C1_capacity = gn_estimate(A->size + B->size, GN_INDEX_MAX, 1);
    C1_crd = gn_resize(C1_crd, C1_capacity, sizeof(int32_t), &status);
    C2_crd = gn_resize(C2_crd, C1_capacity, sizeof(int32_t), &status);
    C_vals = gn_resize(C_vals, C1_capacity, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    C1_pos[1] = 0;
    /* i: co-iterate A, B; deduplicate A; deduplicate B */
    int64_t pA1 = A1_pos[0];
    int64_t pA1_end = A1_pos[1];
    int64_t pB1 = B1_pos[0];
    int64_t pB1_end = B1_pos[1];
    while (pA1 < pA1_end && pB1 < pB1_end) {
        const int64_t iA = A1_crd[pA1];
        int64_t pA1_segend = pA1 + 1;
        while (pA1_segend < pA1_end && A1_crd[pA1_segend] == iA) {
            pA1_segend++;
        }
        const int64_t iB = B1_crd[pB1];
        int64_t pB1_segend = pB1 + 1;
        while (pB1_segend < pB1_end && B1_crd[pB1_segend] == iB) {
            pB1_segend++;
        }
        const int64_t i = gn_min_int64(iA, iB);
        if (iA == i && iB == i) {
            /* j: co-iterate A, B */
            int64_t pA2 = pA1;
            int64_t pB2 = pB1;
            while (pA2 < pA1_segend && pB2 < pB1_segend) {
                const int64_t jA = A2_crd[pA2];
                int64_t pA2_segend = pA2 + 1;
                while (pA2_segend < pA1_segend && A2_crd[pA2_segend] == jA) {
                    pA2_segend++;
                }
                const int64_t jB = B2_crd[pB2];
                int64_t pB2_segend = pB2 + 1;
                while (pB2_segend < pB1_segend && B2_crd[pB2_segend] == jB) {
                    pB2_segend++;
                }
                const int64_t j = gn_min_int64(jA, jB);
                if (pC1 >= C1_capacity) {
                    const int64_t capacity = gn_capacity(C1_capacity, GN_INDEX_MAX, &status);
                    C1_crd = gn_resize(C1_crd, capacity, sizeof(int32_t), &status);
                    C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
                    C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
                    if (status != GN_OK) {
                        goto done;
                    }
                    C1_capacity = capacity;
                }
                if (jA == j && jB == j) {
                    double tA = 0.0;
                    for (int64_t q = pA2; q < pA2_segend; q++) {
                        tA += A_vals[q];
                    }
                    double tB = 0.0;
                    for (int64_t q = pB2; q < pB2_segend; q++) {
                        tB += B_vals[q];
                    }
                    C1_crd[pC1] = (int32_t) i;
                    C2_crd[pC1] = (int32_t) j;
                    C_vals[pC1] = tA + tB;
                    pC1++;
                    pA2 = pA2_segend;
                    pB2 = pB2_segend;
                } else if (jA == j) {
                    double tA = 0.0;
                    for (int64_t q = pA2; q < pA2_segend; q++) {
                        tA += A_vals[q];
                    }
                    C1_crd[pC1] = (int32_t) i;
                    C2_crd[pC1] = (int32_t) j;
                    C_vals[pC1] = tA;
                    pC1++;
                    pA2 = pA2_segend;
                } else {
                    double tB = 0.0;
                    for (int64_t q = pB2; q < pB2_segend; q++) {
                        tB += B_vals[q];
                    }
                    C1_crd[pC1] = (int32_t) i;
                    C2_crd[pC1] = (int32_t) j;
                    C_vals[pC1] = tB;
                    pC1++;
                    pB2 = pB2_segend;
                }
            }
            while (pA2 < pA1_segend) {
                const int64_t jA = A2_crd[pA2];
                int64_t pA2_segend = pA2 + 1;
                while (pA2_segend < pA1_segend && A2_crd[pA2_segend] == jA) {
                    pA2_segend++;
                }
                if (pC1 >= C1_capacity) {
                    const int64_t capacity = gn_capacity(C1_capacity, GN_INDEX_MAX, &status);
                    C1_crd = gn_resize(C1_crd, capacity, sizeof(int32_t), &status);
                    C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
                    C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
                    if (status != GN_OK) {
                        goto done;
                    }
                    C1_capacity = capacity;
                }
                double tA = 0.0;
                for (int64_t q = pA2; q < pA2_segend; q++) {
                    tA += A_vals[q];
                }
                C1_crd[pC1] = (int32_t) i;
                C2_crd[pC1] = (int32_t) jA;
                C_vals[pC1] = tA;
                pC1++;
                pA2 = pA2_segend;
            }
            while (pB2 < pB1_segend) {
                const int64_t jB = B2_crd[pB2];
                int64_t pB2_segend = pB2 + 1;
                while (pB2_segend < pB1_segend && B2_crd[pB2_segend] == jB) {
                    pB2_segend++;
                }
                if (pC1 >= C1_capacity) {
                    const int64_t capacity = gn_capacity(C1_capacity, GN_INDEX_MAX, &status);
                    C1_crd = gn_resize(C1_crd, capacity, sizeof(int32_t), &status);
                    C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
                    C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
                    if (status != GN_OK) {
                        goto done;
                    }
                    C1_capacity = capacity;
                }
                double tB = 0.0;
                for (int64_t q = pB2; q < pB2_segend; q++) {
                    tB += B_vals[q];
                }
                C1_crd[pC1] = (int32_t) i;
                C2_crd[pC1] = (int32_t) jB;
                C_vals[pC1] = tB;
                pC1++;
                pB2 = pB2_segend;
            }
            pA1 = pA1_segend;
            pB1 = pB1_segend;
        } else if (iA == i) {
            /* j: iterate A */
            int64_t pA2 = pA1;
            while (pA2 < pA1_segend) {
                const int64_t j = A2_crd[pA2];
                int64_t pA2_segend = pA2 + 1;
                while (pA2_segend < pA1_segend && A2_crd[pA2_segend] == j) {
                    pA2_segend++;
                }
                if (pC1 >= C1_capacity) {
                    const int64_t capacity = gn_capacity(C1_capacity, GN_INDEX_MAX, &status);
                    C1_crd = gn_resize(C1_crd, capacity, sizeof(int32_t), &status);
                    C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
                    C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
                    if (status != GN_OK) {
                        goto done;
                    }
                    C1_capacity = capacity;
                }
                double tA = 0.0;
                for (int64_t q = pA2; q < pA2_segend; q++) {
                    tA += A_vals[q];
                }
                C1_crd[pC1] = (int32_t) i;
                C2_crd[pC1] = (int32_t) j;
                C_vals[pC1] = tA;
                pC1++;
                pA2 = pA2_segend;
            }
            pA1 = pA1_segend;
        } else {
            /* j: iterate B */
            int64_t pB2 = pB1;
            while (pB2 < pB1_segend) {
                const int64_t j = B2_crd[pB2];
                int64_t pB2_segend = pB2 + 1;
                while (pB2_segend < pB1_segend && B2_crd[pB2_segend] == j) {
                    pB2_segend++;
                }
                if (pC1 >= C1_capacity) {
                    const int64_t capacity = gn_capacity(C1_capacity, GN_INDEX_MAX, &status);
                    C1_crd = gn_resize(C1_crd, capacity, sizeof(int32_t), &status);
                    C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
                    C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
                    if (status != GN_OK) {
                        goto done;
                    }
                    C1_capacity = capacity;
                }
                double tB = 0.0;
                for (int64_t q = pB2; q < pB2_segend; q++) {
                    tB += B_vals[q];
                }
                C1_crd[pC1] = (int32_t) i;
                C2_crd[pC1] = (int32_t) j;
                C_vals[pC1] = tB;
                pC1++;
                pB2 = pB2_segend;
            }
            pB1 = pB1_segend;
        }
    }
    while (pA1 < pA1_end) {
        const int64_t iA = A1_crd[pA1];
        int64_t pA1_segend = pA1 + 1;
        while (pA1_segend < pA1_end && A1_crd[pA1_segend] == iA) {
            pA1_segend++;
        }
        /* j: iterate A */
        int64_t pA2 = pA1;
        while (pA2 < pA1_segend) {
            const int64_t j = A2_crd[pA2];
            int64_t pA2_segend = pA2 + 1;
            while (pA2_segend < pA1_segend && A2_crd[pA2_segend] == j) {
                pA2_segend++;
            }
            if (pC1 >= C1_capacity) {
                const int64_t capacity = gn_capacity(C1_capacity, GN_INDEX_MAX, &status);
                C1_crd = gn_resize(C1_crd, capacity, sizeof(int32_t), &status);
                C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
                C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
                if (status != GN_OK) {
                    goto done;
                }
                C1_capacity = capacity;
            }
            double tA = 0.0;
            for (int64_t q = pA2; q < pA2_segend; q++) {
                tA += A_vals[q];
            }
            C1_crd[pC1] = (int32_t) iA;
            C2_crd[pC1] = (int32_t) j;
            C_vals[pC1] = tA;
            pC1++;
            pA2 = pA2_segend;
        }
        pA1 = pA1_segend;
    }
    while (pB1 < pB1_end) {
        const int64_t iB = B1_crd[pB1];
        int64_t pB1_segend = pB1 + 1;
        while (pB1_segend < pB1_end && B1_crd[pB1_segend] == iB) {
            pB1_segend++;
        }
        /* j: iterate B */
        int64_t pB2 = pB1;
        while (pB2 < pB1_segend) {
            const int64_t j = B2_crd[pB2];
            int64_t pB2_segend = pB2 + 1;
            while (pB2_segend < pB1_segend && B2_crd[pB2_segend] == j) {
                pB2_segend++;
            }
            if (pC1 >= C1_capacity) {
                const int64_t capacity = gn_capacity(C1_capacity, GN_INDEX_MAX, &status);
                C1_crd = gn_resize(C1_crd, capacity, sizeof(int32_t), &status);
                C2_crd = gn_resize(C2_crd, capacity, sizeof(int32_t), &status);
                C_vals = gn_resize(C_vals, capacity, sizeof(double), &status);
                if (status != GN_OK) {
                    goto done;
                }
                C1_capacity = capacity;
            }
            double tB = 0.0;
            for (int64_t q = pB2; q < pB2_segend; q++) {
                tB += B_vals[q];
            }
            C1_crd[pC1] = (int32_t) iB;
            C2_crd[pC1] = (int32_t) j;
            C_vals[pC1] = tB;
            pC1++;
            pB2 = pB2_segend;
        }
        pB1 = pB1_segend;
    }
    C1_pos[1] = (int32_t) pC1;
    int64_t total = C1_pos[0];
    total += C1_pos[1];
    C1_pos[1] = (int32_t) total;
    C->level[0].array[0] = C1_pos;
    C->level[0].length[0] = 2;
    C->level[0].array[1] = C1_crd;
    C->level[0].length[1] = pC1;
    C->level[1].array[0] = C2_crd;
    C->level[1].length[0] = pC1;
    C->vals = C_vals;
    C->size = pC1;
    done:;
    if (status != GN_OK) {
        free(C1_pos);
        free(C1_crd);
        free(C2_crd);
        free(C_vals);
    }
    return status;
}
