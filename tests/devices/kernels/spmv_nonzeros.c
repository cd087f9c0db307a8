#include "gnomon_cuda.h"

void spmv_nonzeros(const int32_t *A2_pos, const int32_t *A2_crd, const double *A_vals, const double *x_vals, double *y_vals,
        int64_t rows);

int evaluate(gn_tensor *y, const gn_tensor *A, const gn_tensor *x)
{
    int status = GN_OK;
    int64_t rows = A->level[0].extent;
    const int64_t size = A->size;
    gn_device_find(&status);
    int32_t *A2_pos = gn_device_array(rows + 1, sizeof(int32_t), &status);
    int32_t *A2_crd = gn_device_array(size, sizeof(int32_t), &status);
    double *A_vals = gn_device_array(size, sizeof(double), &status);
    double *x_vals = gn_device_array(x->size, sizeof(double), &status);
    double *y_vals = gn_device_array(rows, sizeof(double), &status);
    gn_device_put(A2_pos, A->level[1].array[0], rows + 1, sizeof(int32_t), &status);
    gn_device_put(A2_crd, A->level[1].array[1], size, sizeof(int32_t), &status);
    gn_device_put(A_vals, A->vals, size, sizeof(double), &status);
    gn_device_put(x_vals, x->vals, x->size, sizeof(double), &status);
    gn_device_clear(y_vals, rows, sizeof(double), &status);
    void *arguments[6] = {&A2_pos, &A2_crd, &A_vals, &x_vals, &y_vals, &rows};
    gn_launch((const void *)spmv_nonzeros, (size + 127) / 128, 32, arguments, &status);
    gn_device_finish(&status);
    gn_device_get(y->vals, y_vals, rows, sizeof(double), &status);
    gn_device_free(A2_pos);
    gn_device_free(A2_crd);
    gn_device_free(A_vals);
    gn_device_free(x_vals);
    gn_device_free(y_vals);
    return status;
}
