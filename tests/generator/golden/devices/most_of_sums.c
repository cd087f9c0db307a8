/*
 * y(i) = max(sum(k, A(k,i)), x(i))    by parallelize({0},k,GPUBlock,Atomics)
 *
 * y: dense, float64, fill 0.0
 * A: CSR, float64, fill 0.0
 * x: dense, float64, fill 0.0
 *
 * ∀i
 *   y(i) = max(w(i), x(i))
 * where w:
 *   ∀k  [GPUBlock Atomics]
 *     ∀i
 *       w(i) += A(k,i)
 */
#include "gnomon_cuda.h"

void compute_fill_y_vals(int64_t A2_dimension, double * restrict y_vals);
void compute_fill_w1_flag(int64_t A2_dimension, int32_t * restrict w1_flag);
void compute_fill_w_vals(int64_t A2_dimension, double * restrict w_vals);
void compute_k(int64_t A1_dimension, const int32_t * restrict A2_pos, const int32_t * restrict A2_crd,
        int32_t * restrict w1_flag, double * restrict w_vals, const double * restrict A_vals);
void compute_y(int64_t A2_dimension, const int32_t * restrict w1_flag, double * restrict y_vals,
        const double * restrict w_vals, const double * restrict x_vals);

int assemble(gn_tensor *y, const gn_tensor *A, const gn_tensor *x)
{
    (void) y;
    (void) x;
    int status = GN_OK;
    const int64_t A2_dimension = A->level[1].extent;
    int32_t * restrict w1_flag = NULL;
    w1_flag = gn_zeros(A2_dimension, sizeof(int32_t), &status);
    if (status != GN_OK) {
        goto done;
    }
    done:;
    free(w1_flag);
    return status;
}

int compute(gn_tensor *y, const gn_tensor *A, const gn_tensor *x)
{
    int status = GN_OK;
    const int32_t * restrict A2_pos = A->level[1].array[0];
    const int32_t * restrict A2_crd = A->level[1].array[1];
    const int64_t A1_dimension = A->level[0].extent;
    const int64_t A2_dimension = A->level[1].extent;
    const double * restrict A_vals = A->vals;
    const double * restrict x_vals = x->vals;
    int32_t * restrict w1_flag = NULL;
    double * restrict w_vals = NULL;
    double * restrict y_vals = y->vals;
    double *y_vals_device = NULL;
    int32_t *w1_flag_device = NULL;
    double *w_vals_device = NULL;
    int32_t *A2_pos_device = NULL;
    int32_t *A2_crd_device = NULL;
    double *A_vals_device = NULL;
    double *x_vals_device = NULL;
    gn_device_find(&status);
    w1_flag = gn_zeros(A2_dimension, sizeof(int32_t), &status);
    w_vals = gn_zeros(A2_dimension, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    y_vals_device = gn_device_array(y->size, sizeof(double), &status);
    {
        void *arguments[2] = {(void *) (&A2_dimension), (void *) (&y_vals_device)};
        gn_launch((const void *) compute_fill_y_vals, (A2_dimension + 255) / 256, 256, arguments, &status);
    }
    w1_flag_device = gn_device_lend(w1_flag, A2_dimension, sizeof(int32_t), &status);
    {
        void *arguments[2] = {(void *) (&A2_dimension), (void *) (&w1_flag_device)};
        gn_launch((const void *) compute_fill_w1_flag, (A2_dimension + 255) / 256, 256, arguments, &status);
    }
    w_vals_device = gn_device_lend(w_vals, A2_dimension, sizeof(double), &status);
    {
        void *arguments[2] = {(void *) (&A2_dimension), (void *) (&w_vals_device)};
        gn_launch((const void *) compute_fill_w_vals, (A2_dimension + 255) / 256, 256, arguments, &status);
    }
    /* k: iterate every k; locate A */
    A2_pos_device = gn_device_lend(A2_pos, A->level[1].length[0], sizeof(int32_t), &status);
    A2_crd_device = gn_device_lend(A2_crd, A->level[1].length[1], sizeof(int32_t), &status);
    A_vals_device = gn_device_lend(A_vals, A->size, sizeof(double), &status);
    {
        void *arguments[6] = {(void *) (&A1_dimension), (void *) (&A2_pos_device), (void *) (&A2_crd_device),
                (void *) (&w1_flag_device), (void *) (&w_vals_device), (void *) (&A_vals_device)};
        gn_launch((const void *) compute_k, A1_dimension, 32, arguments, &status);
    }
    if (status != GN_OK) {
        goto done;
    }
    /* y: one thread computes what no loop on GPUBlock does */
    x_vals_device = gn_device_lend(x_vals, x->size, sizeof(double), &status);
    {
        void *arguments[5] = {(void *) (&A2_dimension), (void *) (&w1_flag_device), (void *) (&y_vals_device),
                (void *) (&w_vals_device), (void *) (&x_vals_device)};
        gn_launch((const void *) compute_y, 1, 32, arguments, &status);
    }
    gn_device_get(y_vals, y_vals_device, y->size, sizeof(double), &status);
    gn_device_get(w1_flag, w1_flag_device, A2_dimension, sizeof(int32_t), &status);
    gn_device_get(w_vals, w_vals_device, A2_dimension, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    done:;
    free(w1_flag);
    free(w_vals);
    gn_device_return(y_vals_device);
    gn_device_return(w1_flag_device);
    gn_device_return(w_vals_device);
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
    const int64_t A2_dimension = A->level[1].extent;
    const double * restrict A_vals = A->vals;
    const double * restrict x_vals = x->vals;
    int32_t * restrict w1_flag = NULL;
    double * restrict w_vals = NULL;
    double * restrict y_vals = y->vals;
    double *y_vals_device = NULL;
    int32_t *w1_flag_device = NULL;
    double *w_vals_device = NULL;
    int32_t *A2_pos_device = NULL;
    int32_t *A2_crd_device = NULL;
    double *A_vals_device = NULL;
    double *x_vals_device = NULL;
    gn_device_find(&status);
    w1_flag = gn_zeros(A2_dimension, sizeof(int32_t), &status);
    w_vals = gn_zeros(A2_dimension, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    y_vals_device = gn_device_array(y->size, sizeof(double), &status);
    {
        void *arguments[2] = {(void *) (&A2_dimension), (void *) (&y_vals_device)};
        gn_launch((const void *) compute_fill_y_vals, (A2_dimension + 255) / 256, 256, arguments, &status);
    }
    w1_flag_device = gn_device_lend(w1_flag, A2_dimension, sizeof(int32_t), &status);
    {
        void *arguments[2] = {(void *) (&A2_dimension), (void *) (&w1_flag_device)};
        gn_launch((const void *) compute_fill_w1_flag, (A2_dimension + 255) / 256, 256, arguments, &status);
    }
    w_vals_device = gn_device_lend(w_vals, A2_dimension, sizeof(double), &status);
    {
        void *arguments[2] = {(void *) (&A2_dimension), (void *) (&w_vals_device)};
        gn_launch((const void *) compute_fill_w_vals, (A2_dimension + 255) / 256, 256, arguments, &status);
    }
    /* k: iterate every k; locate A */
    A2_pos_device = gn_device_lend(A2_pos, A->level[1].length[0], sizeof(int32_t), &status);
    A2_crd_device = gn_device_lend(A2_crd, A->level[1].length[1], sizeof(int32_t), &status);
    A_vals_device = gn_device_lend(A_vals, A->size, sizeof(double), &status);
    {
        void *arguments[6] = {(void *) (&A1_dimension), (void *) (&A2_pos_device), (void *) (&A2_crd_device),
                (void *) (&w1_flag_device), (void *) (&w_vals_device), (void *) (&A_vals_device)};
        gn_launch((const void *) compute_k, A1_dimension, 32, arguments, &status);
    }
    if (status != GN_OK) {
        goto done;
    }
    /* y: one thread computes what no loop on GPUBlock does */
    x_vals_device = gn_device_lend(x_vals, x->size, sizeof(double), &status);
    {
        void *arguments[5] = {(void *) (&A2_dimension), (void *) (&w1_flag_device), (void *) (&y_vals_device),
                (void *) (&w_vals_device), (void *) (&x_vals_device)};
        gn_launch((const void *) compute_y, 1, 32, arguments, &status);
    }
    gn_device_get(y_vals, y_vals_device, y->size, sizeof(double), &status);
    gn_device_get(w1_flag, w1_flag_device, A2_dimension, sizeof(int32_t), &status);
    gn_device_get(w_vals, w_vals_device, A2_dimension, sizeof(double), &status);
    if (status != GN_OK) {
        goto done;
    }
    done:;
    free(w1_flag);
    free(w_vals);
    gn_device_return(y_vals_device);
    gn_device_return(w1_flag_device);
    gn_device_return(w_vals_device);
    gn_device_return(A2_pos_device);
    gn_device_return(A2_crd_device);
    gn_device_return(A_vals_device);
    gn_device_return(x_vals_device);
    return status;
}
