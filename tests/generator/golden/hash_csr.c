/*
 * C(i,j) = A(i,j)
 *
 * C: HashRows, float64, fill 0.0
 * A: CSR, float64, fill 0.0
 *
 * ∀i
 *   ∀j
 *     C(i,j) = A(i,j)
 */
#include "gnomon.h"

static inline int64_t hashed_locate(int64_t W, const int32_t * restrict crd, int64_t p, int64_t i, bool *out1)
{
    int64_t end;
    int64_t begin = p * W;
    int64_t q = begin + i % W;
    if (crd[q] != -1 && crd[q] != i) {
        end = q;
        q = begin + gn_mod_int64(q - begin + 1, W);
        while (crd[q] != -1 && crd[q] != i && q != end) {
            q = begin + gn_mod_int64(q - begin + 1, W);
        }
    }
    *out1 = crd[q] == i;
    return q;
}

static inline int C2_widen(int32_t **old_C2_crd, int64_t **old_C2_count, double **old_C_vals, int64_t *old_my_C2_W,
        int64_t parents, int64_t room)
{
    int status = GN_OK;
    const int64_t was_W = *old_my_C2_W;
    int32_t *was_C2_crd = *old_C2_crd;
    int64_t *was_C2_count = *old_C2_count;
    double *was_C_vals = *old_C_vals;
    const int64_t new_W = 2 * was_W;
    int32_t *new_C2_crd = gn_zeros(room * new_W, sizeof(int32_t), &status);
    int64_t *new_C2_count = gn_zeros(room, sizeof(int64_t), &status);
    double *new_C_vals = gn_zeros(room * new_W, sizeof(double), &status);
    if (status != GN_OK) {
        free(new_C2_crd);
        free(new_C2_count);
        free(new_C_vals);
        return status;
    }
    for (int64_t p = 0; p < parents * new_W; p++) {
        new_C2_crd[p] = -1;
    }
    for (int64_t p = 0; p < parents * new_W; p++) {
        new_C_vals[p] = 0.0;
    }
    for (int64_t p = 0; p < parents; p++) {
        for (int64_t s = p * was_W; s < (p + 1) * was_W; s++) {
            if (was_C2_crd[s] != -1) {
                int64_t i = was_C2_crd[s];
                bool present;
                int64_t q = hashed_locate(new_W, new_C2_crd, p, i, &present);
                new_C2_count[p]++;
                new_C2_crd[q] = (int32_t) i;
                new_C_vals[q] = was_C_vals[s];
            }
        }
    }
    free(was_C2_crd);
    *old_C2_crd = new_C2_crd;
    free(was_C2_count);
    *old_C2_count = new_C2_count;
    free(was_C_vals);
    *old_C_vals = new_C_vals;
    *old_my_C2_W = new_W;
    return GN_OK;
}

static GN_APART int assemble_arrays(gn_tensor *C, const int32_t * restrict A2_pos, const int32_t * restrict A2_crd,
        int64_t A1_dimension)
{
    int status = GN_OK;
    int32_t *C2_crd = NULL;
    double *C_vals = NULL;
    int64_t my_C2_W = 4;
    int64_t *C2_count = NULL;
    C2_crd = gn_room(A1_dimension * my_C2_W, sizeof(int32_t), &status);
    C2_count = gn_zeros(A1_dimension, sizeof(int64_t), &status);
    C_vals = gn_zeros(A1_dimension * my_C2_W, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    for (int64_t p = 0; p < A1_dimension * my_C2_W; p++) {
        C2_crd[p] = -1;
    }
    /* i: iterate every i; locate A */
    for (int64_t i = 0; i < A1_dimension; i++) {
        /* j: iterate A */
        for (int64_t pA2 = A2_pos[i], pA2_end = A2_pos[i + 1]; pA2 < pA2_end; pA2++) {
            const int64_t j = A2_crd[pA2];
            bool foundC2;
            int64_t pC2 = hashed_locate(my_C2_W, C2_crd, i, j, &foundC2);
            if (!foundC2) {
                if (4 * (C2_count[i] + 1) > 3 * my_C2_W) {
                    const int widened = C2_widen(&C2_crd, &C2_count, &C_vals, &my_C2_W, A1_dimension, A1_dimension);
                    if (widened != GN_OK) {
                        status = widened;
                        goto done;
                    }
                    bool present;
                    int64_t q = hashed_locate(my_C2_W, C2_crd, i, j, &present);
                    pC2 = q;
                }
                C2_count[i]++;
                C2_crd[pC2] = (int32_t) j;
            }
        }
    }
    C->level[1].array[0] = C2_crd;
    C->level[1].length[0] = A1_dimension * my_C2_W;
    C->level[1].parameter[0] = my_C2_W;
    C->vals = C_vals;
    C->size = A1_dimension * my_C2_W;
    done:;
    if (status != GN_OK) {
        free(C2_crd);
        free(C_vals);
    }
    free(C2_count);
    return status;
}

int assemble(gn_tensor *C, const gn_tensor *A)
{
    return assemble_arrays(C, A->level[1].array[0], A->level[1].array[1], A->level[0].extent);
}

static GN_APART int compute_arrays(const int32_t * restrict A2_pos, const int32_t * restrict A2_crd,
        int64_t A1_dimension, const double * restrict A_vals, int32_t * restrict C2_crd, double * restrict C_vals,
        int64_t my_C2_W)
{
    for (int64_t p = 0; p < A1_dimension * my_C2_W; p++) {
        C_vals[p] = 0.0;
    }
    /* i: iterate every i; locate A */
    for (int64_t i = 0; i < A1_dimension; i++) {
        /* j: iterate A */
        for (int64_t pA2 = A2_pos[i], pA2_end = A2_pos[i + 1]; pA2 < pA2_end; pA2++) {
            const int64_t j = A2_crd[pA2];
            const double vC = A_vals[pA2];
            bool foundC2;
            int64_t pC2 = hashed_locate(my_C2_W, C2_crd, i, j, &foundC2);
            C_vals[pC2] = vC;
        }
    }
    return GN_OK;
}

int compute(gn_tensor *C, const gn_tensor *A)
{
    return compute_arrays(A->level[1].array[0], A->level[1].array[1], A->level[0].extent, A->vals, C->level[1].array[0],
            C->vals, C->level[1].parameter[0]);
}

static GN_APART int evaluate_arrays(gn_tensor *C, const int32_t * restrict A2_pos, const int32_t * restrict A2_crd,
        int64_t A1_dimension, const double * restrict A_vals)
{
    int status = GN_OK;
    int32_t *C2_crd = NULL;
    double *C_vals = NULL;
    int64_t my_C2_W = 4;
    int64_t *C2_count = NULL;
    C2_crd = gn_room(A1_dimension * my_C2_W, sizeof(int32_t), &status);
    C2_count = gn_zeros(A1_dimension, sizeof(int64_t), &status);
    C_vals = gn_zeros(A1_dimension * my_C2_W, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    for (int64_t p = 0; p < A1_dimension * my_C2_W; p++) {
        C2_crd[p] = -1;
    }
    /* i: iterate every i; locate A */
    for (int64_t i = 0; i < A1_dimension; i++) {
        /* j: iterate A */
        for (int64_t pA2 = A2_pos[i], pA2_end = A2_pos[i + 1]; pA2 < pA2_end; pA2++) {
            const int64_t j = A2_crd[pA2];
            const double vC = A_vals[pA2];
            bool foundC2;
            int64_t pC2 = hashed_locate(my_C2_W, C2_crd, i, j, &foundC2);
            if (!foundC2) {
                if (4 * (C2_count[i] + 1) > 3 * my_C2_W) {
                    const int widened = C2_widen(&C2_crd, &C2_count, &C_vals, &my_C2_W, A1_dimension, A1_dimension);
                    if (widened != GN_OK) {
                        status = widened;
                        goto done;
                    }
                    bool present;
                    int64_t q = hashed_locate(my_C2_W, C2_crd, i, j, &present);
                    pC2 = q;
                }
                C2_count[i]++;
                C2_crd[pC2] = (int32_t) j;
                C_vals[pC2] = vC;
            } else {
                C_vals[pC2] = vC;
            }
        }
    }
    C->level[1].array[0] = C2_crd;
    C->level[1].length[0] = A1_dimension * my_C2_W;
    C->level[1].parameter[0] = my_C2_W;
    C->vals = C_vals;
    C->size = A1_dimension * my_C2_W;
    done:;
    if (status != GN_OK) {
        free(C2_crd);
        free(C_vals);
    }
    free(C2_count);
    return status;
}

int evaluate(gn_tensor *C, const gn_tensor *A)
{
    return evaluate_arrays(C, A->level[1].array[0], A->level[1].array[1], A->level[0].extent, A->vals);
}
