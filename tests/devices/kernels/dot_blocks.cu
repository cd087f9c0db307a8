/* a = x(i) * y(i): the sums of a block's threads meet in shared memory, those of blocks by atomics. */
#include "gnomon_device.h"

GN_KERNEL void __launch_bounds__(64) dot_blocks(
        const double *__restrict__ x_vals, const double *__restrict__ y_vals, double *__restrict__ a_vals, int64_t size)
{
    __shared__ double parts[64];
    const int thread = (int)threadIdx.x;
    const int64_t i = (int64_t)blockIdx.x * 64 + thread;
    parts[thread] = i < size ? x_vals[i] * y_vals[i] : 0.0;
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (thread < half)
            parts[thread] += parts[thread + half];
        __syncthreads();
    }
    if (thread == 0)
        gn_atomic_add_float64(&a_vals[0], parts[0]);
}
