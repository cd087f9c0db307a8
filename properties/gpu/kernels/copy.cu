/* y(i) = x(i): what a device moves at best. */
#include "gnomon_device.h"

GN_KERNEL void __launch_bounds__(256) copy(const double *__restrict__ x_vals, double *__restrict__ y_vals, int64_t size)
{
    for (int64_t i = (int64_t)blockIdx.x * 256 + threadIdx.x; i < size; i += (int64_t)gridDim.x * 256)
        y_vals[i] = x_vals[i];
}
