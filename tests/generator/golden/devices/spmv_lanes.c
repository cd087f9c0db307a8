/*
 * y(i) = A(i,j) * x(j)    by split(i,block,warp,32),pos(j,p,A(i,j)),split(p,part,lane,8),reorder(block,warp,lane,part),parallelize(block,GPUBlock,NoRaces),parallelize(warp,GPUWarp,NoRaces),parallelize(lane,GPUThread,ParallelReduction)
 *
 * y: dense, float64, fill 0.0
 * A: CSR, float64, fill 0.0
 * x: dense, float64, fill 0.0
 *
 * ∀block  [GPUBlock NoRaces]
 *   ∀warp  [GPUWarp NoRaces]
 *     ∀lane  [GPUThread ParallelReduction]
 *       ∀part
 *         y(i) += A(i,j) * x(j)
 */
#include "gnomon_cuda.h"

void compute_block(int64_t block_end, int64_t A1_dimension, const int32_t * restrict A2_pos,
        const int32_t * restrict A2_crd, const double * restrict A_vals, const double * restrict x_vals,
        double * restrict y_vals);

int assemble(gn_tensor *y, const gn_tensor *A, const gn_tensor *x)
{
    (void) y;
    (void) A;
    (void) x;
    return GN_OK;
}

int compute(gn_tensor *y, const gn_tensor *A, const gn_tensor *x)
{
    int status = GN_OK;
    const int32_t * restrict A2_pos = A->level[1].array[0];
    const int32_t * restrict A2_crd = A->level[1].array[1];
    const int64_t A1_dimension = A->level[0].extent;
    const double * restrict A_vals = A->vals;
    const double * restrict x_vals = x->vals;
    double * restrict y_vals = y->vals;
    int32_t *A2_pos_device = NULL;
    int32_t *A2_crd_device = NULL;
    double *A_vals_device = NULL;
    double *x_vals_device = NULL;
    double *y_vals_device = NULL;
    gn_device_find(&status);
    /* block: iterate every block */
    int64_t block_end = (A1_dimension + 31) / 32;
    A2_pos_device = gn_device_lend(A2_pos, A->level[1].length[0], sizeof(int32_t), &status);
    A2_crd_device = gn_device_lend(A2_crd, A->level[1].length[1], sizeof(int32_t), &status);
    A_vals_device = gn_device_lend(A_vals, A->size, sizeof(double), &status);
    x_vals_device = gn_device_lend(x_vals, x->size, sizeof(double), &status);
    y_vals_device = gn_device_array(y->size, sizeof(double), &status);
    {
        void *arguments[7] = {(void *) (&block_end), (void *) (&A1_dimension), (void *) (&A2_pos_device),
                (void *) (&A2_crd_device), (void *) (&A_vals_device), (void *) (&x_vals_device),
                (void *) (&y_vals_device)};
        gn_launch((const void *) compute_block, block_end, 256, arguments, &status);
    }
    gn_device_get(y_vals, y_vals_device, y->size, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    done:;
    gn_device_return(A2_pos_device);
    gn_device_return(A2_crd_device);
    gn_device_return(A_vals_device);
    gn_device_return(x_vals_device);
    gn_device_return(y_vals_device);
    return status;
}

int evaluate(gn_tensor *y, const gn_tensor *A, const gn_tensor *x)
{
    int status = GN_OK;
    const int32_t * restrict A2_pos = A->level[1].array[0];
    const int32_t * restrict A2_crd = A->level[1].array[1];
    const int64_t A1_dimension = A->level[0].extent;
    const double * restrict A_vals = A->vals;
    const double * restrict x_vals = x->vals;
    double * restrict y_vals = y->vals;
    int32_t *A2_pos_device = NULL;
    int32_t *A2_crd_device = NULL;
    double *A_vals_device = NULL;
    double *x_vals_device = NULL;
    double *y_vals_device = NULL;
    gn_device_find(&status);
    /* block: iterate every block */
    int64_t block_end = (A1_dimension + 31) / 32;
    A2_pos_device = gn_device_lend(A2_pos, A->level[1].length[0], sizeof(int32_t), &status);
    A2_crd_device = gn_device_lend(A2_crd, A->level[1].length[1], sizeof(int32_t), &status);
    A_vals_device = gn_device_lend(A_vals, A->size, sizeof(double), &status);
    x_vals_device = gn_device_lend(x_vals, x->size, sizeof(double), &status);
    y_vals_device = gn_device_array(y->size, sizeof(double), &status);
    {
        void *arguments[7] = {(void *) (&block_end), (void *) (&A1_dimension), (void *) (&A2_pos_device),
                (void *) (&A2_crd_device), (void *) (&A_vals_device), (void *) (&x_vals_device),
                (void *) (&y_vals_device)};
        gn_launch((const void *) compute_block, block_end, 256, arguments, &status);
    }
    gn_device_get(y_vals, y_vals_device, y->size, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    done:;
    gn_device_return(A2_pos_device);
    gn_device_return(A2_crd_device);
    gn_device_return(A_vals_device);
    gn_device_return(x_vals_device);
    gn_device_return(y_vals_device);
    return status;
}
