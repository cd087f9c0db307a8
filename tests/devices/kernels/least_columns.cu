/* y(j) min= A(i,j) by nonzeros into values of 16 bits, by compare and swap. */
#include "gnomon_device.h"

GN_KERNEL void __launch_bounds__(32) least_columns(const int32_t *__restrict__ A2_crd,
        const int16_t *__restrict__ A_vals, int16_t *__restrict__ y_vals, int64_t size, int64_t columns)
{
    const int64_t thread = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, threads = (int64_t)gridDim.x * blockDim.x;
    for (int64_t pA2 = thread; pA2 < size; pA2 += threads)
        if (A2_crd[pA2] < columns)
            gn_atomic_min_int16(&y_vals[A2_crd[pA2]], A_vals[pA2]);
}

GN_KERNEL void __launch_bounds__(32) least_columns_start(int16_t *__restrict__ y_vals, int64_t columns)
{
    const int64_t j = (int64_t)blockIdx.x * 32 + threadIdx.x;
    if (j < columns)
        y_vals[j] = INT16_MAX;
}
