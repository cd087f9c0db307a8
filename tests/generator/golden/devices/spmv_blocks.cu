/*
 * y(i) = A(i,j) * x(j)    by parallelize(i,GPUBlock,NoRaces),parallelize(j,GPUThread,ParallelReduction)
 *
 * y: dense, float64, fill 0.0
 * A: CSR, float64, fill 0.0
 * x: dense, float64, fill 0.0
 *
 * ∀i  [GPUBlock NoRaces]
 *   ∀j  [GPUThread ParallelReduction]
 *     y(i) += A(i,j) * x(j)
 */
#include "gnomon_device.h"

GN_KERNEL void __launch_bounds__(256) compute_i(int64_t A1_dimension, const int32_t * __restrict__ A2_pos,
        const int32_t * __restrict__ A2_crd, const double * __restrict__ A_vals, const double * __restrict__ x_vals,
        double * __restrict__ y_vals)
{
    __shared__ double ty_own_of_warps[8];
    for (int64_t i = blockIdx.x; i < A1_dimension; i += gridDim.x) {
        double ty = 0.0;
        double ty_own = 0.0;
        /* j: iterate A; locate x */
        for (int64_t pA2 = A2_pos[i] + threadIdx.x, pA2_end = A2_pos[i + 1]; pA2 < pA2_end; pA2 += 256) {
            const int64_t j = A2_crd[pA2];
            ty_own += A_vals[pA2] * x_vals[j];
        }
        for (int64_t step = 0; step < 5; step++) {
            const double ty_own_other = __shfl_xor_sync(GN_WARP, ty_own, 16 >> step);
            ty_own += ty_own_other;
        }
        if (threadIdx.x % 32 == 0) {
            ty_own_of_warps[threadIdx.x / 32] = ty_own;
        }
        __syncthreads();
        ty_own = 0.0;
        for (int64_t w = 0; w < 8; w++) {
            ty_own += ty_own_of_warps[w];
        }
        __syncthreads();
        ty += ty_own;
        if (threadIdx.x == 0) {
            y_vals[i] = ty;
        }
    }
}
