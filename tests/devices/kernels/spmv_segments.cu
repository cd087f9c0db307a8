/* y(i) = A(i,j) * x(j) by nonzeros, one a lane: sums of a row meet in its warp, then by one atomic a row and warp. */
#include "gnomon_device.h"

GN_KERNEL void __launch_bounds__(64) spmv_segments(const int32_t *__restrict__ A2_pos,
        const int32_t *__restrict__ A2_crd, const double *__restrict__ A_vals, const double *__restrict__ x_vals,
        double *__restrict__ y_vals, int64_t rows)
{
    const int64_t pA2 = (int64_t)blockIdx.x * 64 + threadIdx.x;
    const int lane = (int)(threadIdx.x % GN_LANES);
    int64_t i = 0;
    double ty = 0.0;
    if (pA2 < A2_pos[rows]) {
        while (A2_pos[i + 1] <= pA2)
            i++;
        ty = A_vals[pA2] * x_vals[A2_crd[pA2]];
    } else {
        i = rows - 1;
    }
    for (int distance = 1; distance < GN_LANES; distance *= 2) {
        const int64_t above = __shfl_up_sync(GN_WARP, i, distance);
        const double part = __shfl_up_sync(GN_WARP, ty, distance);
        if (lane >= distance && above == i)
            ty += part;
    }
    const int64_t below = __shfl_down_sync(GN_WARP, i, 1);
    if (lane == GN_LANES - 1 || below != i)
        gn_atomic_add_float64(&y_vals[i], ty);
}
