#include "gnomon_cuda.h"

void row_sums_lanes(const double *A_vals, double *y_vals, int64_t rows, int64_t columns);

int evaluate(gn_tensor *y, const gn_tensor *A)
{
    int status = GN_OK;
    int64_t rows = A->level[0].extent, columns = A->level[1].extent;
    gn_device_find(&status);
    double *A_vals = gn_device_array(A->size, sizeof(double), &status);
    double *y_vals = gn_device_array(y->size, sizeof(double), &status);
    gn_device_put(A_vals, A->vals, A->size, sizeof(double), &status);
    void *arguments[4] = {&A_vals, &y_vals, &rows, &columns};
    gn_launch((const void *)row_sums_lanes, 2, 64, arguments, &status);
    gn_device_finish(&status);
    gn_device_get(y->vals, y_vals, y->size, sizeof(double), &status);
    gn_device_free(A_vals);
    gn_device_free(y_vals);
    return status;
}
