/*
 * y(i) = A(i,j) * x(j)    by collapse(i,j,f),pos(f,p,A(i,j)),split(p,block,p1,4096),split(p1,warp,thread,512),parallelize(block,GPUBlock,IgnoreRaces),parallelize(warp,GPUWarp,IgnoreRaces),parallelize(thread,GPUThread,Atomics)
 *
 * y: dense, float64, fill 0.0
 * A: CSR, float64, fill 0.0
 * x: dense, float64, fill 0.0
 *
 * ∀block  [GPUBlock IgnoreRaces]
 *   ∀warp  [GPUWarp IgnoreRaces]
 *     ∀thread  [GPUThread Atomics]
 *       y(i) += A(i,j) * x(j)
 */
#include "gnomon_cuda.h"

void compute_fill_y_vals(int64_t A1_dimension, double * restrict y_vals);
void compute_block(int64_t block_end, const int32_t * restrict A2_pos, int64_t A1_dimension,
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
    double *y_vals_device = NULL;
    int32_t *A2_pos_device = NULL;
    int32_t *A2_crd_device = NULL;
    double *A_vals_device = NULL;
    double *x_vals_device = NULL;
    gn_device_find(&status);
    y_vals_device = gn_device_array(y->size, sizeof(double), &status);
    {
        void *arguments[2] = {(void *) (&A1_dimension), (void *) (&y_vals_device)};
        gn_launch((const void *) compute_fill_y_vals, (A1_dimension + 255) / 256, 256, arguments, &status);
    }
    /* block: iterate every block */
    int64_t block_end = gn_floordiv_int64(((int64_t) A2_pos[A1_dimension]) - A2_pos[0] + 4095, 4096);
    A2_pos_device = gn_device_lend(A2_pos, A->level[1].length[0], sizeof(int32_t), &status);
    A2_crd_device = gn_device_lend(A2_crd, A->level[1].length[1], sizeof(int32_t), &status);
    A_vals_device = gn_device_lend(A_vals, A->size, sizeof(double), &status);
    x_vals_device = gn_device_lend(x_vals, x->size, sizeof(double), &status);
    {
        void *arguments[7] = {(void *) (&block_end), (void *) (&A2_pos_device), (void *) (&A1_dimension),
                (void *) (&A2_crd_device), (void *) (&A_vals_device), (void *) (&x_vals_device),
                (void *) (&y_vals_device)};
        gn_launch((const void *) compute_block, block_end, 256, arguments, &status);
    }
    gn_device_get(y_vals, y_vals_device, y->size, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    done:;
    gn_device_return(y_vals_device);
    gn_device_return(A2_pos_device);
    gn_device_return(A2_crd_device);
    gn_device_return(A_vals_device);
    gn_device_return(x_vals_device);
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
    double *y_vals_device = NULL;
    int32_t *A2_pos_device = NULL;
    int32_t *A2_crd_device = NULL;
    double *A_vals_device = NULL;
    double *x_vals_device = NULL;
    gn_device_find(&status);
    y_vals_device = gn_device_array(y->size, sizeof(double), &status);
    {
        void *arguments[2] = {(void *) (&A1_dimension), (void *) (&y_vals_device)};
        gn_launch((const void *) compute_fill_y_vals, (A1_dimension + 255) / 256, 256, arguments, &status);
    }
    /* block: iterate every block */
    int64_t block_end = gn_floordiv_int64(((int64_t) A2_pos[A1_dimension]) - A2_pos[0] + 4095, 4096);
    A2_pos_device = gn_device_lend(A2_pos, A->level[1].length[0], sizeof(int32_t), &status);
    A2_crd_device = gn_device_lend(A2_crd, A->level[1].length[1], sizeof(int32_t), &status);
    A_vals_device = gn_device_lend(A_vals, A->size, sizeof(double), &status);
    x_vals_device = gn_device_lend(x_vals, x->size, sizeof(double), &status);
    {
        void *arguments[7] = {(void *) (&block_end), (void *) (&A2_pos_device), (void *) (&A1_dimension),
                (void *) (&A2_crd_device), (void *) (&A_vals_device), (void *) (&x_vals_device),
                (void *) (&y_vals_device)};
        gn_launch((const void *) compute_block, block_end, 256, arguments, &status);
    }
    gn_device_get(y_vals, y_vals_device, y->size, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    done:;
    gn_device_return(y_vals_device);
    gn_device_return(A2_pos_device);
    gn_device_return(A2_crd_device);
    gn_device_return(A_vals_device);
    gn_device_return(x_vals_device);
    return status;
}
