#include "gnomon_cuda.h"

void copy(const double *x_vals, double *y_vals, int64_t size);

int evaluate(gn_tensor *y, const gn_tensor *x)
{
    int status = GN_OK;
    int64_t size = x->size;
    gn_device_find(&status);
    double *x_vals = gn_device_lend(x->vals, size, sizeof(double), &status);
    double *y_vals = gn_device_array(size, sizeof(double), &status);
    void *arguments[3] = {&x_vals, &y_vals, &size};
    gn_launch((const void *)copy, (size + 255) / 256, 256, arguments, &status);
    gn_device_get(y->vals, y_vals, size, sizeof(double), &status);
    gn_device_return(x_vals);
    gn_device_free(y_vals);
    return status;
}
