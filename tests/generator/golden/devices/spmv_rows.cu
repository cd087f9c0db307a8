/*
 * y(i) = A(i,j) * x(j)    by split(i,block,thread,256),parallelize(block,GPUBlock,NoRaces),parallelize(thread,GPUThread,NoRaces)
 *
 * y: dense, float64, fill 0.0
 * A: CSR, float64, fill 0.0
 * x: dense, float64, fill 0.0
 *
 * ∀block  [GPUBlock NoRaces]
 *   ∀thread  [GPUThread NoRaces]
 *     ∀j
 *       y(i) += A(i,j) * x(j)
 */
#include "gnomon_device.h"

GN_KERNEL void __launch_bounds__(256) compute_block(int64_t block_end, int64_t A1_dimension,
        const int32_t * __restrict__ A2_pos, const int32_t * __restrict__ A2_crd, const double * __restrict__ A_vals,
        const double * __restrict__ x_vals, double * __restrict__ y_vals)
{
    for (int64_t block = blockIdx.x; block < block_end; block += gridDim.x) {
        /* i: iterate every i; locate A */
        const int64_t thread = threadIdx.x;
        if (thread < gn_min_int64(256, A1_dimension - block * 256)) {
            int64_t i = block * 256 + thread;
            double ty = 0.0;
            /* thread: iterate every thread */
            /* j: iterate A; locate x */
            for (int64_t pA2 = A2_pos[i], pA2_end = A2_pos[i + 1]; pA2 < pA2_end; pA2++) {
                const int64_t j = A2_crd[pA2];
                ty += A_vals[pA2] * x_vals[j];
            }
            y_vals[i] = ty;
        }
    }
}
