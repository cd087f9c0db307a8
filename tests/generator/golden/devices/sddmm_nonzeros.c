/*
 * A(i,k) = B(i,k) * C(i,j) * D(j,k)    by reorder(i,k,j),collapse(i,k,f),pos(f,fpos,B(i,k)),split(fpos,block,fpos1,128),split(fpos1,warp,nnz,16),split(j,dense_val_unbounded,thread,32),bound(dense_val_unbounded,dense_val,4,MaxExact),reorder(block,warp,nnz,thread,dense_val),unroll(dense_val,4),parallelize(block,GPUBlock,IgnoreRaces),parallelize(warp,GPUWarp,Atomics),parallelize(thread,GPUThread,ParallelReduction)
 *
 * A: dense,dense, float64, fill 0.0
 * B: CSR, float64, fill 0.0
 * C: dense,dense, float64, fill 0.0
 * D: dense,dense, float64, fill 0.0
 *
 * ∀block  [GPUBlock IgnoreRaces]
 *   ∀warp  [GPUWarp Atomics]
 *     ∀nnz
 *       ∀thread  [GPUThread ParallelReduction]
 *         ∀dense_val  [unroll 4]
 *           A(i,k) += B(i,k) * (C(i,j) * D(j,k))
 */
#include "gnomon_cuda.h"

void compute_fill_A_vals(int64_t B1_dimension, int64_t B2_dimension, double * restrict A_vals);
void compute_block(int64_t block_end, const int32_t * restrict B2_pos, int64_t B1_dimension,
        const int32_t * restrict B2_crd, int64_t C2_dimension, int64_t B2_dimension, const double * restrict B_vals,
        const double * restrict C_vals, const double * restrict D_vals, double * restrict A_vals);

int assemble(gn_tensor *A, const gn_tensor *B, const gn_tensor *C, const gn_tensor *D)
{
    (void) A;
    (void) B;
    (void) D;
    int status = GN_OK;
    const int64_t C2_dimension = C->level[1].extent;
    if ((C2_dimension + 31) / 32 != 4) {
        status = GN_BOUND;
        goto done;
    }
    done:;
    return status;
}

int compute(gn_tensor *A, const gn_tensor *B, const gn_tensor *C, const gn_tensor *D)
{
    int status = GN_OK;
    const int32_t * restrict B2_pos = B->level[1].array[0];
    const int32_t * restrict B2_crd = B->level[1].array[1];
    const int64_t B1_dimension = B->level[0].extent;
    const int64_t B2_dimension = B->level[1].extent;
    const double * restrict B_vals = B->vals;
    const int64_t C2_dimension = C->level[1].extent;
    const double * restrict C_vals = C->vals;
    const double * restrict D_vals = D->vals;
    double * restrict A_vals = A->vals;
    double *A_vals_device = NULL;
    int32_t *B2_pos_device = NULL;
    int32_t *B2_crd_device = NULL;
    double *B_vals_device = NULL;
    double *C_vals_device = NULL;
    double *D_vals_device = NULL;
    gn_device_find(&status);
    if ((C2_dimension + 31) / 32 != 4) {
        status = GN_BOUND;
        goto done;
    }
    A_vals_device = gn_device_array(A->size, sizeof(double), &status);
    {
        void *arguments[3] = {(void *) (&B1_dimension), (void *) (&B2_dimension), (void *) (&A_vals_device)};
        gn_launch((const void *) compute_fill_A_vals, (B1_dimension * B2_dimension + 255) / 256, 256, arguments,
                &status);
    }
    /* block: iterate every block */
    int64_t block_end = gn_floordiv_int64(((int64_t) B2_pos[B1_dimension]) - B2_pos[0] + 127, 128);
    B2_pos_device = gn_device_lend(B2_pos, B->level[1].length[0], sizeof(int32_t), &status);
    B2_crd_device = gn_device_lend(B2_crd, B->level[1].length[1], sizeof(int32_t), &status);
    B_vals_device = gn_device_lend(B_vals, B->size, sizeof(double), &status);
    C_vals_device = gn_device_lend(C_vals, C->size, sizeof(double), &status);
    D_vals_device = gn_device_lend(D_vals, D->size, sizeof(double), &status);
    {
        void *arguments[10] = {(void *) (&block_end), (void *) (&B2_pos_device), (void *) (&B1_dimension),
                (void *) (&B2_crd_device), (void *) (&C2_dimension), (void *) (&B2_dimension),
                (void *) (&B_vals_device), (void *) (&C_vals_device), (void *) (&D_vals_device),
                (void *) (&A_vals_device)};
        gn_launch((const void *) compute_block, block_end, 256, arguments, &status);
    }
    gn_device_get(A_vals, A_vals_device, A->size, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    done:;
    gn_device_return(A_vals_device);
    gn_device_return(B2_pos_device);
    gn_device_return(B2_crd_device);
    gn_device_return(B_vals_device);
    gn_device_return(C_vals_device);
    gn_device_return(D_vals_device);
    return status;
}

int evaluate(gn_tensor *A, const gn_tensor *B, const gn_tensor *C, const gn_tensor *D)
{
    int status = GN_OK;
    const int32_t * restrict B2_pos = B->level[1].array[0];
    const int32_t * restrict B2_crd = B->level[1].array[1];
    const int64_t B1_dimension = B->level[0].extent;
    const int64_t B2_dimension = B->level[1].extent;
    const double * restrict B_vals = B->vals;
    const int64_t C2_dimension = C->level[1].extent;
    const double * restrict C_vals = C->vals;
    const double * restrict D_vals = D->vals;
    double * restrict A_vals = A->vals;
    double *A_vals_device = NULL;
    int32_t *B2_pos_device = NULL;
    int32_t *B2_crd_device = NULL;
    double *B_vals_device = NULL;
    double *C_vals_device = NULL;
    double *D_vals_device = NULL;
    gn_device_find(&status);
    if ((C2_dimension + 31) / 32 != 4) {
        status = GN_BOUND;
        goto done;
    }
    A_vals_device = gn_device_array(A->size, sizeof(double), &status);
    {
        void *arguments[3] = {(void *) (&B1_dimension), (void *) (&B2_dimension), (void *) (&A_vals_device)};
        gn_launch((const void *) compute_fill_A_vals, (B1_dimension * B2_dimension + 255) / 256, 256, arguments,
                &status);
    }
    /* block: iterate every block */
    int64_t block_end = gn_floordiv_int64(((int64_t) B2_pos[B1_dimension]) - B2_pos[0] + 127, 128);
    B2_pos_device = gn_device_lend(B2_pos, B->level[1].length[0], sizeof(int32_t), &status);
    B2_crd_device = gn_device_lend(B2_crd, B->level[1].length[1], sizeof(int32_t), &status);
    B_vals_device = gn_device_lend(B_vals, B->size, sizeof(double), &status);
    C_vals_device = gn_device_lend(C_vals, C->size, sizeof(double), &status);
    D_vals_device = gn_device_lend(D_vals, D->size, sizeof(double), &status);
    {
        void *arguments[10] = {(void *) (&block_end), (void *) (&B2_pos_device), (void *) (&B1_dimension),
                (void *) (&B2_crd_device), (void *) (&C2_dimension), (void *) (&B2_dimension),
                (void *) (&B_vals_device), (void *) (&C_vals_device), (void *) (&D_vals_device),
                (void *) (&A_vals_device)};
        gn_launch((const void *) compute_block, block_end, 256, arguments, &status);
    }
    gn_device_get(A_vals, A_vals_device, A->size, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    done:;
    gn_device_return(A_vals_device);
    gn_device_return(B2_pos_device);
    gn_device_return(B2_crd_device);
    gn_device_return(B_vals_device);
    gn_device_return(C_vals_device);
    gn_device_return(D_vals_device);
    return status;
}
