/*
 * C(i,j) = A(i,k) * B(k,j)    by parallelize(i,GPUBlock,NoRaces),parallelize(k,GPUThread,Atomics)
 *
 * C: dense,hashed, float64, fill 0.0
 * A: CSR, float64, fill 0.0
 * B: CSR, float64, fill 0.0
 *
 * ∀i  [GPUBlock NoRaces]
 *   ∀k  [GPUThread Atomics]
 *     ∀j
 *       C(i,j) += A(i,k) * B(k,j)
 */
#include "gnomon_cuda.h"

void assemble_fill_C2_crd(int64_t A1_dimension, int64_t my_C2_W, int32_t * restrict C2_crd);
void assemble_insert_i(int64_t A1_dimension, const int32_t * restrict A2_pos, const int32_t * restrict A2_crd,
        const int32_t * restrict B2_pos, const int32_t * restrict B2_crd, int64_t my_C2_W, int32_t * restrict C2_crd,
        int64_t * restrict C2_count, bool * restrict C2_crowded);
void compute_fill_C_vals(int64_t A1_dimension, int64_t my_C2_W, double * restrict C_vals);
void compute_i(int64_t A1_dimension, const int32_t * restrict A2_pos, const int32_t * restrict A2_crd,
        const int32_t * restrict B2_pos, const int32_t * restrict B2_crd, int64_t my_C2_W,
        const int32_t * restrict C2_crd, double * restrict C_vals, const double * restrict A_vals,
        const double * restrict B_vals);

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

int assemble(gn_tensor *C, const gn_tensor *A, const gn_tensor *B)
{
    int status = GN_OK;
    const int32_t * restrict A2_pos = A->level[1].array[0];
    const int32_t * restrict A2_crd = A->level[1].array[1];
    const int64_t A1_dimension = A->level[0].extent;
    const int32_t * restrict B2_pos = B->level[1].array[0];
    const int32_t * restrict B2_crd = B->level[1].array[1];
    int32_t *C2_crd = NULL;
    double *C_vals = NULL;
    int64_t my_C2_W = 4;
    int64_t *C2_count = NULL;
    bool C2_crowded = false;
    int32_t *C2_crd_device = NULL;
    int32_t *A2_pos_device = NULL;
    int32_t *A2_crd_device = NULL;
    int32_t *B2_pos_device = NULL;
    int32_t *B2_crd_device = NULL;
    int64_t *C2_count_device = NULL;
    bool *C2_crowded_device = NULL;
    gn_device_find(&status);
    C2_crd = gn_room(A1_dimension * my_C2_W, sizeof(int32_t), &status);
    C2_count = gn_zeros(A1_dimension, sizeof(int64_t), &status);
    C_vals = gn_zeros(A1_dimension * my_C2_W, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    C2_crd_device = gn_device_array(A1_dimension * my_C2_W, sizeof(int32_t), &status);
    gn_device_put(C2_crd_device, C2_crd, A1_dimension * my_C2_W, sizeof(int32_t), &status);
    {
        void *arguments[3] = {(void *) (&A1_dimension), (void *) (&my_C2_W), (void *) (&C2_crd_device)};
        gn_launch((const void *) assemble_fill_C2_crd, (A1_dimension * my_C2_W + 255) / 256, 256, arguments, &status);
    }
    gn_device_get(C2_crd, C2_crd_device, A1_dimension * my_C2_W, sizeof(int32_t), &status);
    gn_device_return(C2_crd_device);
    C2_crd_device = NULL;
    C2_crowded = true;
    A2_pos_device = gn_device_lend(A2_pos, A->level[1].length[0], sizeof(int32_t), &status);
    A2_crd_device = gn_device_lend(A2_crd, A->level[1].length[1], sizeof(int32_t), &status);
    B2_pos_device = gn_device_lend(B2_pos, B->level[1].length[0], sizeof(int32_t), &status);
    B2_crd_device = gn_device_lend(B2_crd, B->level[1].length[1], sizeof(int32_t), &status);
    C2_count_device = gn_device_array(A1_dimension, sizeof(int64_t), &status);
    C2_crowded_device = gn_device_array(1, sizeof(bool), &status);
    while (C2_crowded) {
        C2_crowded = false;
        /* i: iterate every i; locate A */
        C2_crd_device = gn_device_array(A1_dimension * my_C2_W, sizeof(int32_t), &status);
        gn_device_put(C2_crd_device, C2_crd, A1_dimension * my_C2_W, sizeof(int32_t), &status);
        gn_device_put(C2_count_device, C2_count, A1_dimension, sizeof(int64_t), &status);
        gn_device_put(C2_crowded_device, &C2_crowded, 1, sizeof(bool), &status);
        {
            void *arguments[9] = {(void *) (&A1_dimension), (void *) (&A2_pos_device), (void *) (&A2_crd_device),
                    (void *) (&B2_pos_device), (void *) (&B2_crd_device), (void *) (&my_C2_W),
                    (void *) (&C2_crd_device), (void *) (&C2_count_device), (void *) (&C2_crowded_device)};
            gn_launch((const void *) assemble_insert_i, A1_dimension, 256, arguments, &status);
        }
        gn_device_get(C2_crd, C2_crd_device, A1_dimension * my_C2_W, sizeof(int32_t), &status);
        gn_device_return(C2_crd_device);
        C2_crd_device = NULL;
        gn_device_get(C2_count, C2_count_device, A1_dimension, sizeof(int64_t), &status);
        gn_device_get(&C2_crowded, C2_crowded_device, 1, sizeof(bool), &status);
        if (status != GN_OK) {
            goto done;
        }
        if (C2_crowded) {
            const int widened = C2_widen(&C2_crd, &C2_count, &C_vals, &my_C2_W, A1_dimension, A1_dimension);
            if (widened != GN_OK) {
                status = widened;
                goto done;
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
    gn_device_return(C2_crd_device);
    gn_device_return(A2_pos_device);
    gn_device_return(A2_crd_device);
    gn_device_return(B2_pos_device);
    gn_device_return(B2_crd_device);
    gn_device_return(C2_count_device);
    gn_device_return(C2_crowded_device);
    return status;
}

int compute(gn_tensor *C, const gn_tensor *A, const gn_tensor *B)
{
    int status = GN_OK;
    const int32_t * restrict A2_pos = A->level[1].array[0];
    const int32_t * restrict A2_crd = A->level[1].array[1];
    const int64_t A1_dimension = A->level[0].extent;
    const double * restrict A_vals = A->vals;
    const int32_t * restrict B2_pos = B->level[1].array[0];
    const int32_t * restrict B2_crd = B->level[1].array[1];
    const double * restrict B_vals = B->vals;
    int32_t * restrict C2_crd = C->level[1].array[0];
    double * restrict C_vals = C->vals;
    int64_t my_C2_W = C->level[1].parameter[0];
    double *C_vals_device = NULL;
    int32_t *A2_pos_device = NULL;
    int32_t *A2_crd_device = NULL;
    int32_t *B2_pos_device = NULL;
    int32_t *B2_crd_device = NULL;
    int32_t *C2_crd_device = NULL;
    double *A_vals_device = NULL;
    double *B_vals_device = NULL;
    gn_device_find(&status);
    C_vals_device = gn_device_array(C->size, sizeof(double), &status);
    {
        void *arguments[3] = {(void *) (&A1_dimension), (void *) (&my_C2_W), (void *) (&C_vals_device)};
        gn_launch((const void *) compute_fill_C_vals, (A1_dimension * my_C2_W + 255) / 256, 256, arguments, &status);
    }
    /* i: iterate every i; locate A */
    A2_pos_device = gn_device_lend(A2_pos, A->level[1].length[0], sizeof(int32_t), &status);
    A2_crd_device = gn_device_lend(A2_crd, A->level[1].length[1], sizeof(int32_t), &status);
    B2_pos_device = gn_device_lend(B2_pos, B->level[1].length[0], sizeof(int32_t), &status);
    B2_crd_device = gn_device_lend(B2_crd, B->level[1].length[1], sizeof(int32_t), &status);
    C2_crd_device = gn_device_lend(C2_crd, C->level[1].length[0], sizeof(int32_t), &status);
    A_vals_device = gn_device_lend(A_vals, A->size, sizeof(double), &status);
    B_vals_device = gn_device_lend(B_vals, B->size, sizeof(double), &status);
    {
        void *arguments[10] = {(void *) (&A1_dimension), (void *) (&A2_pos_device), (void *) (&A2_crd_device),
                (void *) (&B2_pos_device), (void *) (&B2_crd_device), (void *) (&my_C2_W), (void *) (&C2_crd_device),
                (void *) (&C_vals_device), (void *) (&A_vals_device), (void *) (&B_vals_device)};
        gn_launch((const void *) compute_i, A1_dimension, 256, arguments, &status);
    }
    gn_device_get(C_vals, C_vals_device, C->size, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    done:;
    gn_device_return(C_vals_device);
    gn_device_return(A2_pos_device);
    gn_device_return(A2_crd_device);
    gn_device_return(B2_pos_device);
    gn_device_return(B2_crd_device);
    gn_device_return(C2_crd_device);
    gn_device_return(A_vals_device);
    gn_device_return(B_vals_device);
    return status;
}

int evaluate(gn_tensor *C, const gn_tensor *A, const gn_tensor *B)
{
    int status = GN_OK;
    const int32_t * restrict A2_pos = A->level[1].array[0];
    const int32_t * restrict A2_crd = A->level[1].array[1];
    const int64_t A1_dimension = A->level[0].extent;
    const double * restrict A_vals = A->vals;
    const int32_t * restrict B2_pos = B->level[1].array[0];
    const int32_t * restrict B2_crd = B->level[1].array[1];
    const double * restrict B_vals = B->vals;
    int32_t *C2_crd = NULL;
    double *C_vals = NULL;
    int64_t my_C2_W = 4;
    int64_t *C2_count = NULL;
    bool C2_crowded = false;
    int32_t *C2_crd_device = NULL;
    int32_t *A2_pos_device = NULL;
    int32_t *A2_crd_device = NULL;
    int32_t *B2_pos_device = NULL;
    int32_t *B2_crd_device = NULL;
    int64_t *C2_count_device = NULL;
    bool *C2_crowded_device = NULL;
    double *C_vals_device = NULL;
    double *A_vals_device = NULL;
    double *B_vals_device = NULL;
    gn_device_find(&status);
    C2_crd = gn_room(A1_dimension * my_C2_W, sizeof(int32_t), &status);
    C2_count = gn_zeros(A1_dimension, sizeof(int64_t), &status);
    C_vals = gn_zeros(A1_dimension * my_C2_W, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    C2_crd_device = gn_device_array(A1_dimension * my_C2_W, sizeof(int32_t), &status);
    gn_device_put(C2_crd_device, C2_crd, A1_dimension * my_C2_W, sizeof(int32_t), &status);
    {
        void *arguments[3] = {(void *) (&A1_dimension), (void *) (&my_C2_W), (void *) (&C2_crd_device)};
        gn_launch((const void *) assemble_fill_C2_crd, (A1_dimension * my_C2_W + 255) / 256, 256, arguments, &status);
    }
    gn_device_get(C2_crd, C2_crd_device, A1_dimension * my_C2_W, sizeof(int32_t), &status);
    gn_device_return(C2_crd_device);
    C2_crd_device = NULL;
    C2_crowded = true;
    A2_pos_device = gn_device_lend(A2_pos, A->level[1].length[0], sizeof(int32_t), &status);
    A2_crd_device = gn_device_lend(A2_crd, A->level[1].length[1], sizeof(int32_t), &status);
    B2_pos_device = gn_device_lend(B2_pos, B->level[1].length[0], sizeof(int32_t), &status);
    B2_crd_device = gn_device_lend(B2_crd, B->level[1].length[1], sizeof(int32_t), &status);
    C2_count_device = gn_device_array(A1_dimension, sizeof(int64_t), &status);
    C2_crowded_device = gn_device_array(1, sizeof(bool), &status);
    while (C2_crowded) {
        C2_crowded = false;
        /* i: iterate every i; locate A */
        C2_crd_device = gn_device_array(A1_dimension * my_C2_W, sizeof(int32_t), &status);
        gn_device_put(C2_crd_device, C2_crd, A1_dimension * my_C2_W, sizeof(int32_t), &status);
        gn_device_put(C2_count_device, C2_count, A1_dimension, sizeof(int64_t), &status);
        gn_device_put(C2_crowded_device, &C2_crowded, 1, sizeof(bool), &status);
        {
            void *arguments[9] = {(void *) (&A1_dimension), (void *) (&A2_pos_device), (void *) (&A2_crd_device),
                    (void *) (&B2_pos_device), (void *) (&B2_crd_device), (void *) (&my_C2_W),
                    (void *) (&C2_crd_device), (void *) (&C2_count_device), (void *) (&C2_crowded_device)};
            gn_launch((const void *) assemble_insert_i, A1_dimension, 256, arguments, &status);
        }
        gn_device_get(C2_crd, C2_crd_device, A1_dimension * my_C2_W, sizeof(int32_t), &status);
        gn_device_return(C2_crd_device);
        C2_crd_device = NULL;
        gn_device_get(C2_count, C2_count_device, A1_dimension, sizeof(int64_t), &status);
        gn_device_get(&C2_crowded, C2_crowded_device, 1, sizeof(bool), &status);
        if (status != GN_OK) {
            goto done;
        }
        if (C2_crowded) {
            const int widened = C2_widen(&C2_crd, &C2_count, &C_vals, &my_C2_W, A1_dimension, A1_dimension);
            if (widened != GN_OK) {
                status = widened;
                goto done;
            }
        }
    }
    /* i: iterate every i; locate A */
    C_vals_device = gn_device_lend(C_vals, A1_dimension * my_C2_W, sizeof(double), &status);
    A_vals_device = gn_device_lend(A_vals, A->size, sizeof(double), &status);
    B_vals_device = gn_device_lend(B_vals, B->size, sizeof(double), &status);
    C2_crd_device = gn_device_array(A1_dimension * my_C2_W, sizeof(int32_t), &status);
    gn_device_put(C2_crd_device, C2_crd, A1_dimension * my_C2_W, sizeof(int32_t), &status);
    {
        void *arguments[10] = {(void *) (&A1_dimension), (void *) (&A2_pos_device), (void *) (&A2_crd_device),
                (void *) (&B2_pos_device), (void *) (&B2_crd_device), (void *) (&my_C2_W), (void *) (&C2_crd_device),
                (void *) (&C_vals_device), (void *) (&A_vals_device), (void *) (&B_vals_device)};
        gn_launch((const void *) compute_i, A1_dimension, 256, arguments, &status);
    }
    gn_device_return(C2_crd_device);
    C2_crd_device = NULL;
    gn_device_get(C_vals, C_vals_device, A1_dimension * my_C2_W, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
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
    gn_device_return(C2_crd_device);
    gn_device_return(A2_pos_device);
    gn_device_return(A2_crd_device);
    gn_device_return(B2_pos_device);
    gn_device_return(B2_crd_device);
    gn_device_return(C2_count_device);
    gn_device_return(C2_crowded_device);
    gn_device_return(C_vals_device);
    gn_device_return(A_vals_device);
    gn_device_return(B_vals_device);
    return status;
}
