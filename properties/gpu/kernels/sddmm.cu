/* The values of A(i,k) = B(i,k) * C(i,j) * D(k,j), in the order of B: a warp a row, whose lanes share out each sum. */
#include "gnomon_device.h"

GN_KERNEL void __launch_bounds__(256) sddmm(const int32_t *__restrict__ B2_pos, const int32_t *__restrict__ B2_crd,
        const double *__restrict__ B_vals, const double *__restrict__ C_vals, const double *__restrict__ D_vals,
        double *__restrict__ A_vals, int64_t rows, int64_t inner)
{
    const int64_t i = (int64_t)blockIdx.x * 8 + threadIdx.x / GN_LANES;
    const int lane = (int)(threadIdx.x % GN_LANES);
    if (i < rows) {
        for (int32_t pB2 = B2_pos[i]; pB2 < B2_pos[i + 1]; pB2++) {
            double tA = 0.0;
            for (int64_t j = lane; j < inner; j += GN_LANES)
                tA += C_vals[i * inner + j] * D_vals[B2_crd[pB2] * inner + j];
            for (int distance = 16; distance > 0; distance /= 2)
                tA += __shfl_down_sync(GN_WARP, tA, distance);
            if (lane == 0)
                A_vals[pB2] = B_vals[pB2] * tA;
        }
    }
}
