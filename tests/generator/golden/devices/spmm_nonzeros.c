/*
 * C(i,k) = A(i,j) * B(j,k)    by collapse(i,j,f),pos(f,fpos,A(i,j)),split(fpos,block,fpos1,128),split(fpos1,warp,nnz,16),split(k,dense_val_unbounded,thread,32),bound(dense_val_unbounded,dense_val,4,MaxExact),reorder(block,warp,nnz,thread,dense_val),unroll(dense_val,4),parallelize(block,GPUBlock,IgnoreRaces),parallelize(warp,GPUWarp,IgnoreRaces),parallelize(thread,GPUThread,Atomics)
 *
 * C: dense,dense, float64, fill 0.0
 * A: CSR, float64, fill 0.0
 * B: dense,dense, float64, fill 0.0
 *
 * ∀block  [GPUBlock IgnoreRaces]
 *   ∀warp  [GPUWarp IgnoreRaces]
 *     ∀nnz
 *       ∀thread  [GPUThread Atomics]
 *         ∀dense_val  [unroll 4]
 *           C(i,k) += A(i,j) * B(j,k)
 */
#include "gnomon_cuda.h"

void compute_fill_C_vals(int64_t A1_dimension, int64_t B2_dimension, double * restrict C_vals);
void compute_block(int64_t block_end, const int32_t * restrict A2_pos, int64_t A1_dimension,
        const int32_t * restrict A2_crd, int64_t B2_dimension, double * restrict C_vals, const double * restrict A_vals,
        const double * restrict B_vals);

int assemble(gn_tensor *C, const gn_tensor *A, const gn_tensor *B)
{
    (void) C;
    (void) A;
    int status = GN_OK;
    const int64_t B2_dimension = B->level[1].extent;
    if ((B2_dimension + 31) / 32 != 4) {
        status = GN_BOUND;
        goto done;
    }
    done:;
    return status;
}

int compute(gn_tensor *C, const gn_tensor *A, const gn_tensor *B)
{
    int status = GN_OK;
    const int32_t * restrict A2_pos = A->level[1].array[0];
    const int32_t * restrict A2_crd = A->level[1].array[1];
    const int64_t A1_dimension = A->level[0].extent;
    const double * restrict A_vals = A->vals;
    const int64_t B2_dimension = B->level[1].extent;
    const double * restrict B_vals = B->vals;
    double * restrict C_vals = C->vals;
    double *C_vals_device = NULL;
    int32_t *A2_pos_device = NULL;
    int32_t *A2_crd_device = NULL;
    double *A_vals_device = NULL;
    double *B_vals_device = NULL;
    gn_device_find(&status);
    if ((B2_dimension + 31) / 32 != 4) {
        status = GN_BOUND;
        goto done;
    }
    C_vals_device = gn_device_array(C->size, sizeof(double), &status);
    {
        void *arguments[3] = {(void *) (&A1_dimension), (void *) (&B2_dimension), (void *) (&C_vals_device)};
        gn_launch((const void *) compute_fill_C_vals, (A1_dimension * B2_dimension + 255) / 256, 256, arguments,
                &status);
    }
    /* block: iterate every block */
    int64_t block_end = gn_floordiv_int64(((int64_t) A2_pos[A1_dimension]) - A2_pos[0] + 127, 128);
    A2_pos_device = gn_device_lend(A2_pos, A->level[1].length[0], sizeof(int32_t), &status);
    A2_crd_device = gn_device_lend(A2_crd, A->level[1].length[1], sizeof(int32_t), &status);
    A_vals_device = gn_device_lend(A_vals, A->size, sizeof(double), &status);
    B_vals_device = gn_device_lend(B_vals, B->size, sizeof(double), &status);
    {
        void *arguments[8] = {(void *) (&block_end), (void *) (&A2_pos_device), (void *) (&A1_dimension),
                (void *) (&A2_crd_device), (void *) (&B2_dimension), (void *) (&C_vals_device),
                (void *) (&A_vals_device), (void *) (&B_vals_device)};
        gn_launch((const void *) compute_block, block_end, 256, arguments, &status);
    }
    gn_device_get(C_vals, C_vals_device, C->size, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    done:;
    gn_device_return(C_vals_device);
    gn_device_return(A2_pos_device);
    gn_device_return(A2_crd_device);
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
    const int64_t B2_dimension = B->level[1].extent;
    const double * restrict B_vals = B->vals;
    double * restrict C_vals = C->vals;
    double *C_vals_device = NULL;
    int32_t *A2_pos_device = NULL;
    int32_t *A2_crd_device = NULL;
    double *A_vals_device = NULL;
    double *B_vals_device = NULL;
    gn_device_find(&status);
    if ((B2_dimension + 31) / 32 != 4) {
        status = GN_BOUND;
        goto done;
    }
    C_vals_device = gn_device_array(C->size, sizeof(double), &status);
    {
        void *arguments[3] = {(void *) (&A1_dimension), (void *) (&B2_dimension), (void *) (&C_vals_device)};
        gn_launch((const void *) compute_fill_C_vals, (A1_dimension * B2_dimension + 255) / 256, 256, arguments,
                &status);
    }
    /* block: iterate every block */
    int64_t block_end = gn_floordiv_int64(((int64_t) A2_pos[A1_dimension]) - A2_pos[0] + 127, 128);
    A2_pos_device = gn_device_lend(A2_pos, A->level[1].length[0], sizeof(int32_t), &status);
    A2_crd_device = gn_device_lend(A2_crd, A->level[1].length[1], sizeof(int32_t), &status);
    A_vals_device = gn_device_lend(A_vals, A->size, sizeof(double), &status);
    B_vals_device = gn_device_lend(B_vals, B->size, sizeof(double), &status);
    {
        void *arguments[8] = {(void *) (&block_end), (void *) (&A2_pos_device), (void *) (&A1_dimension),
                (void *) (&A2_crd_device), (void *) (&B2_dimension), (void *) (&C_vals_device),
                (void *) (&A_vals_device), (void *) (&B_vals_device)};
        gn_launch((const void *) compute_block, block_end, 256, arguments, &status);
    }
    gn_device_get(C_vals, C_vals_device, C->size, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    done:;
    gn_device_return(C_vals_device);
    gn_device_return(A2_pos_device);
    gn_device_return(A2_crd_device);
    gn_device_return(A_vals_device);
    gn_device_return(B_vals_device);
    return status;
}
