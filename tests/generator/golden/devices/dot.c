/*
 * a = x(i) * y(i)    by split(i,block,thread,256),parallelize(block,GPUBlock,Atomics),parallelize(thread,GPUThread,Atomics)
 *
 * a: , float64, fill 0.0
 * x: dense, float64, fill 0.0
 * y: dense, float64, fill 0.0
 *
 * ∀block  [GPUBlock Atomics]
 *   ∀thread  [GPUThread Atomics]
 *     a += x(i) * y(i)
 */
#include "gnomon_cuda.h"

void compute_block(int64_t block_end, int64_t x1_dimension, const double * restrict x_vals,
        const double * restrict y_vals, double * restrict ta);

int assemble(gn_tensor *a, const gn_tensor *x, const gn_tensor *y)
{
    (void) a;
    (void) x;
    (void) y;
    return GN_OK;
}

int compute(gn_tensor *a, const gn_tensor *x, const gn_tensor *y)
{
    int status = GN_OK;
    const int64_t x1_dimension = x->level[0].extent;
    const double * restrict x_vals = x->vals;
    const double * restrict y_vals = y->vals;
    double * restrict a_vals = a->vals;
    double ta = 0.0;
    double *x_vals_device = NULL;
    double *y_vals_device = NULL;
    double *ta_device = NULL;
    gn_device_find(&status);
    /* block: iterate every block */
    int64_t block_end = (x1_dimension + 255) / 256;
    x_vals_device = gn_device_lend(x_vals, x->size, sizeof(double), &status);
    y_vals_device = gn_device_lend(y_vals, y->size, sizeof(double), &status);
    ta_device = gn_device_lend(&ta, 1, sizeof(double), &status);
    {
        void *arguments[5] = {(void *) (&block_end), (void *) (&x1_dimension), (void *) (&x_vals_device),
                (void *) (&y_vals_device), (void *) (&ta_device)};
        gn_launch((const void *) compute_block, block_end, 256, arguments, &status);
    }
    gn_device_get(&ta, ta_device, 1, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    a_vals[0] = ta;
    done:;
    gn_device_return(x_vals_device);
    gn_device_return(y_vals_device);
    gn_device_return(ta_device);
    return status;
}

int evaluate(gn_tensor *a, const gn_tensor *x, const gn_tensor *y)
{
    int status = GN_OK;
    const int64_t x1_dimension = x->level[0].extent;
    const double * restrict x_vals = x->vals;
    const double * restrict y_vals = y->vals;
    double * restrict a_vals = a->vals;
    double ta = 0.0;
    double *x_vals_device = NULL;
    double *y_vals_device = NULL;
    double *ta_device = NULL;
    gn_device_find(&status);
    /* block: iterate every block */
    int64_t block_end = (x1_dimension + 255) / 256;
    x_vals_device = gn_device_lend(x_vals, x->size, sizeof(double), &status);
    y_vals_device = gn_device_lend(y_vals, y->size, sizeof(double), &status);
    ta_device = gn_device_lend(&ta, 1, sizeof(double), &status);
    {
        void *arguments[5] = {(void *) (&block_end), (void *) (&x1_dimension), (void *) (&x_vals_device),
                (void *) (&y_vals_device), (void *) (&ta_device)};
        gn_launch((const void *) compute_block, block_end, 256, arguments, &status);
    }
    gn_device_get(&ta, ta_device, 1, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    a_vals[0] = ta;
    done:;
    gn_device_return(x_vals_device);
    gn_device_return(y_vals_device);
    gn_device_return(ta_device);
    return status;
}
