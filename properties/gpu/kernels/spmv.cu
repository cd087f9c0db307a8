/* y(i) = A(i,j) * x(j): a warp a row, whose lanes' sums meet by shuffles. */
#include "gnomon_device.h"

GN_KERNEL void __launch_bounds__(256) spmv(const int32_t *__restrict__ A2_pos, const int32_t *__restrict__ A2_crd,
        const double *__restrict__ A_vals, const double *__restrict__ x_vals, double *__restrict__ y_vals, int64_t rows)
{
    const int64_t i = (int64_t)blockIdx.x * 8 + threadIdx.x / GN_LANES;
    const int lane = (int)(threadIdx.x % GN_LANES);
    if (i < rows) {
        double ty = 0.0;
        for (int32_t pA2 = A2_pos[i] + lane; pA2 < A2_pos[i + 1]; pA2 += GN_LANES)
            ty += A_vals[pA2] * x_vals[A2_crd[pA2]];
        for (int distance = 16; distance > 0; distance /= 2)
            ty += __shfl_down_sync(GN_WARP, ty, distance);
        if (lane == 0)
            y_vals[i] = ty;
    }
}
