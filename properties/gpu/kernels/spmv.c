#include "gnomon_cuda.h"

void spmv(const int32_t *A2_pos, const int32_t *A2_crd, const double *A_vals, const double *x_vals, double *y_vals,
        int64_t rows);

int evaluate(gn_tensor *y, const gn_tensor *A, const gn_tensor *x)
{
    int status = GN_OK;
    int64_t rows = A->level[0].extent;
    gn_device_find(&status);
    int32_t *A2_pos = gn_device_lend(A->level[1].array[0], rows + 1, sizeof(int32_t), &status);
    int32_t *A2_crd = gn_device_lend(A->level[1].array[1], A->size, sizeof(int32_t), &status);
    double *A_vals = gn_device_lend(A->vals, A->size, sizeof(double), &status);
    double *x_vals = gn_device_lend(x->vals, x->size, sizeof(double), &status);
    double *y_vals = gn_device_array(rows, sizeof(double), &status);
    void *arguments[6] = {&A2_pos, &A2_crd, &A_vals, &x_vals, &y_vals, &rows};
    gn_launch((const void *)spmv, (rows + 7) / 8, 256, arguments, &status);
    gn_device_get(y->vals, y_vals, rows, sizeof(double), &status);
    gn_device_return(A2_pos);
    gn_device_return(A2_crd);
    gn_device_return(A_vals);
    gn_device_return(x_vals);
    gn_device_free(y_vals);
    return status;
}
