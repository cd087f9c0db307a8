#include "gnomon_cuda.h"

void dot_warps(const double *x_vals, const double *y_vals, double *a_vals, int64_t size);

int evaluate(gn_tensor *a, const gn_tensor *x, const gn_tensor *y)
{
    int status = GN_OK;
    int64_t size = x->size;
    gn_device_find(&status);
    double *x_vals = gn_device_array(size, sizeof(double), &status);
    double *y_vals = gn_device_array(size, sizeof(double), &status);
    double *a_vals = gn_device_array(1, sizeof(double), &status);
    gn_device_put(x_vals, x->vals, size, sizeof(double), &status);
    gn_device_put(y_vals, y->vals, size, sizeof(double), &status);
    gn_device_clear(a_vals, 1, sizeof(double), &status);
    void *arguments[4] = {&x_vals, &y_vals, &a_vals, &size};
    gn_launch((const void *)dot_warps, 2, 96, arguments, &status);
    gn_device_finish(&status);
    gn_device_get(a->vals, a_vals, 1, sizeof(double), &status);
    gn_device_free(x_vals);
    gn_device_free(y_vals);
    gn_device_free(a_vals);
    return status;
}
