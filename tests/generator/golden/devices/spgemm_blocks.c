/*
 * C(i,j) = A(i,k) * B(k,j)    by precompute(A(i,k) * B(k,j),{j},{j},w),parallelize(i,GPUBlock,NoRaces),parallelize(j,GPUThread,NoRaces)
 *
 * C: RowMajor, float64, fill 0.0
 * A: CSR, float64, fill 0.0
 * B: CSR, float64, fill 0.0
 *
 * ∀i  [GPUBlock NoRaces]
 *   ∀j  [GPUThread NoRaces]
 *     C(i,j) = w(j)
 *   where w:
 *     ∀k
 *       ∀j  [GPUThread NoRaces]
 *         w(j) += A(i,k) * B(k,j)
 */
#include "gnomon_cuda.h"

void compute_fill_C_vals(int64_t A1_dimension, int64_t B2_dimension, double * restrict C_vals);
void compute_i(int32_t * restrict w1_flag_slices, int64_t B2_dimension, double * restrict w_vals_slices,
        int32_t * restrict w1_crd_slices, int64_t A1_dimension, const int32_t * restrict A2_pos,
        const int32_t * restrict A2_crd, const int32_t * restrict B2_pos, const int32_t * restrict B2_crd,
        const double * restrict A_vals, const double * restrict B_vals, double * restrict C_vals);

int assemble(gn_tensor *C, const gn_tensor *A, const gn_tensor *B)
{
    (void) C;
    (void) A;
    (void) B;
    return GN_OK;
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
    const int64_t B2_dimension = B->level[1].extent;
    const double * restrict B_vals = B->vals;
    double * restrict C_vals = C->vals;
    int32_t * restrict w1_flag_slices = NULL;
    double *C_vals_device = NULL;
    int32_t *w1_flag_slices_device = NULL;
    double *w_vals_slices_device = NULL;
    int32_t *w1_crd_slices_device = NULL;
    int32_t *A2_pos_device = NULL;
    int32_t *A2_crd_device = NULL;
    int32_t *B2_pos_device = NULL;
    int32_t *B2_crd_device = NULL;
    double *A_vals_device = NULL;
    double *B_vals_device = NULL;
    gn_device_find(&status);
    w1_flag_slices = gn_room(128 * B2_dimension, sizeof(int32_t), &status);
    double * restrict w_vals_slices = NULL;
    w_vals_slices = gn_room(128 * B2_dimension, sizeof(double), &status);
    int32_t * restrict w1_crd_slices = NULL;
    w1_crd_slices = gn_room(128 * B2_dimension, sizeof(int32_t), &status);
    C_vals_device = gn_device_array(C->size, sizeof(double), &status);
    {
        void *arguments[3] = {(void *) (&A1_dimension), (void *) (&B2_dimension), (void *) (&C_vals_device)};
        gn_launch((const void *) compute_fill_C_vals, (A1_dimension * B2_dimension + 255) / 256, 256, arguments,
                &status);
    }
    /* i: iterate every i; locate A */
    w1_flag_slices_device = gn_device_array(128 * B2_dimension, sizeof(int32_t), &status);
    w_vals_slices_device = gn_device_array(128 * B2_dimension, sizeof(double), &status);
    w1_crd_slices_device = gn_device_array(128 * B2_dimension, sizeof(int32_t), &status);
    A2_pos_device = gn_device_lend(A2_pos, A->level[1].length[0], sizeof(int32_t), &status);
    A2_crd_device = gn_device_lend(A2_crd, A->level[1].length[1], sizeof(int32_t), &status);
    B2_pos_device = gn_device_lend(B2_pos, B->level[1].length[0], sizeof(int32_t), &status);
    B2_crd_device = gn_device_lend(B2_crd, B->level[1].length[1], sizeof(int32_t), &status);
    A_vals_device = gn_device_lend(A_vals, A->size, sizeof(double), &status);
    B_vals_device = gn_device_lend(B_vals, B->size, sizeof(double), &status);
    {
        void *arguments[12] = {(void *) (&w1_flag_slices_device), (void *) (&B2_dimension),
                (void *) (&w_vals_slices_device), (void *) (&w1_crd_slices_device), (void *) (&A1_dimension),
                (void *) (&A2_pos_device), (void *) (&A2_crd_device), (void *) (&B2_pos_device),
                (void *) (&B2_crd_device), (void *) (&A_vals_device), (void *) (&B_vals_device),
                (void *) (&C_vals_device)};
        gn_launch((const void *) compute_i, gn_min_int64(A1_dimension, 128), 256, arguments, &status);
    }
    gn_device_get(C_vals, C_vals_device, C->size, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    done:;
    free(w1_flag_slices);
    free(w_vals_slices);
    free(w1_crd_slices);
    gn_device_return(C_vals_device);
    gn_device_return(w1_flag_slices_device);
    gn_device_return(w_vals_slices_device);
    gn_device_return(w1_crd_slices_device);
    gn_device_return(A2_pos_device);
    gn_device_return(A2_crd_device);
    gn_device_return(B2_pos_device);
    gn_device_return(B2_crd_device);
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
    const int64_t B2_dimension = B->level[1].extent;
    const double * restrict B_vals = B->vals;
    double * restrict C_vals = C->vals;
    int32_t * restrict w1_flag_slices = NULL;
    double *C_vals_device = NULL;
    int32_t *w1_flag_slices_device = NULL;
    double *w_vals_slices_device = NULL;
    int32_t *w1_crd_slices_device = NULL;
    int32_t *A2_pos_device = NULL;
    int32_t *A2_crd_device = NULL;
    int32_t *B2_pos_device = NULL;
    int32_t *B2_crd_device = NULL;
    double *A_vals_device = NULL;
    double *B_vals_device = NULL;
    gn_device_find(&status);
    w1_flag_slices = gn_room(128 * B2_dimension, sizeof(int32_t), &status);
    double * restrict w_vals_slices = NULL;
    w_vals_slices = gn_room(128 * B2_dimension, sizeof(double), &status);
    int32_t * restrict w1_crd_slices = NULL;
    w1_crd_slices = gn_room(128 * B2_dimension, sizeof(int32_t), &status);
    C_vals_device = gn_device_array(C->size, sizeof(double), &status);
    {
        void *arguments[3] = {(void *) (&A1_dimension), (void *) (&B2_dimension), (void *) (&C_vals_device)};
        gn_launch((const void *) compute_fill_C_vals, (A1_dimension * B2_dimension + 255) / 256, 256, arguments,
                &status);
    }
    /* i: iterate every i; locate A */
    w1_flag_slices_device = gn_device_array(128 * B2_dimension, sizeof(int32_t), &status);
    w_vals_slices_device = gn_device_array(128 * B2_dimension, sizeof(double), &status);
    w1_crd_slices_device = gn_device_array(128 * B2_dimension, sizeof(int32_t), &status);
    A2_pos_device = gn_device_lend(A2_pos, A->level[1].length[0], sizeof(int32_t), &status);
    A2_crd_device = gn_device_lend(A2_crd, A->level[1].length[1], sizeof(int32_t), &status);
    B2_pos_device = gn_device_lend(B2_pos, B->level[1].length[0], sizeof(int32_t), &status);
    B2_crd_device = gn_device_lend(B2_crd, B->level[1].length[1], sizeof(int32_t), &status);
    A_vals_device = gn_device_lend(A_vals, A->size, sizeof(double), &status);
    B_vals_device = gn_device_lend(B_vals, B->size, sizeof(double), &status);
    {
        void *arguments[12] = {(void *) (&w1_flag_slices_device), (void *) (&B2_dimension),
                (void *) (&w_vals_slices_device), (void *) (&w1_crd_slices_device), (void *) (&A1_dimension),
                (void *) (&A2_pos_device), (void *) (&A2_crd_device), (void *) (&B2_pos_device),
                (void *) (&B2_crd_device), (void *) (&A_vals_device), (void *) (&B_vals_device),
                (void *) (&C_vals_device)};
        gn_launch((const void *) compute_i, gn_min_int64(A1_dimension, 128), 256, arguments, &status);
    }
    gn_device_get(C_vals, C_vals_device, C->size, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    done:;
    free(w1_flag_slices);
    free(w_vals_slices);
    free(w1_crd_slices);
    gn_device_return(C_vals_device);
    gn_device_return(w1_flag_slices_device);
    gn_device_return(w_vals_slices_device);
    gn_device_return(w1_crd_slices_device);
    gn_device_return(A2_pos_device);
    gn_device_return(A2_crd_device);
    gn_device_return(B2_pos_device);
    gn_device_return(B2_crd_device);
    gn_device_return(A_vals_device);
    gn_device_return(B_vals_device);
    return status;
}
