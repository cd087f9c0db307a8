/* a = x(i) * y(i): lanes meet by shuffles, warps in shared memory, blocks by atomics; threads take every 192nd. */
#include "gnomon_device.h"

GN_KERNEL void __launch_bounds__(96) dot_warps(
        const double *__restrict__ x_vals, const double *__restrict__ y_vals, double *__restrict__ a_vals, int64_t size)
{
    __shared__ double parts[3];
    const int warp = (int)(threadIdx.x / GN_LANES), lane = (int)(threadIdx.x % GN_LANES);
    double ta = 0.0;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < size; i += (int64_t)gridDim.x * blockDim.x)
        ta += x_vals[i] * y_vals[i];
    for (int lanes = 16; lanes > 0; lanes /= 2)
        ta += __shfl_xor_sync(GN_WARP, ta, lanes);
    if (lane == 0)
        parts[warp] = ta;
    __syncthreads();
    if (warp == 0) {
        double whole = lane < 3 ? parts[lane] : 0.0;
        for (int distance = 2; distance > 0; distance /= 2)
            whole += __shfl_down_sync(GN_WARP, whole, distance);
        if (lane == 0)
            gn_atomic_add_float64(&a_vals[0], whole);
    }
}
