/* y(i) = A(i,j), A dense: eight lanes a row leave their sums in shared memory, where their warp alone meets. */
#include "gnomon_device.h"

GN_KERNEL void __launch_bounds__(64) row_sums_lanes(
        const double *__restrict__ A_vals, double *__restrict__ y_vals, int64_t rows, int64_t columns)
{
    __shared__ double parts[64];
    const int thread = (int)threadIdx.x, part = thread % 8;
    for (int64_t i0 = (int64_t)blockIdx.x * 8; i0 < rows; i0 += (int64_t)gridDim.x * 8) {
        const int64_t i = i0 + thread / 8;
        double ty = 0.0;
        for (int64_t j = part; i < rows && j < columns; j += 8)
            ty += A_vals[i * columns + j];
        parts[thread] = ty;
        __syncwarp(GN_WARP);
        if (part == 0 && i < rows) {
            double whole = 0.0;
            for (int k = 0; k < 8; k++)
                whole += parts[thread + k];
            y_vals[i] = whole;
        }
        __syncwarp(GN_WARP);
    }
}
