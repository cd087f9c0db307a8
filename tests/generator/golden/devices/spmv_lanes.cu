/*
 * y(i) = A(i,j) * x(j)    by split(i,block,warp,32),pos(j,p,A(i,j)),split(p,part,lane,8),reorder(block,warp,lane,part),parallelize(block,GPUBlock,NoRaces),parallelize(warp,GPUWarp,NoRaces),parallelize(lane,GPUThread,ParallelReduction)
 *
 * y: dense, float64, fill 0.0
 * A: CSR, float64, fill 0.0
 * x: dense, float64, fill 0.0
 *
 * ∀block  [GPUBlock NoRaces]
 *   ∀warp  [GPUWarp NoRaces]
 *     ∀lane  [GPUThread ParallelReduction]
 *       ∀part
 *         y(i) += A(i,j) * x(j)
 */
#include "gnomon_device.h"

GN_KERNEL void __launch_bounds__(256) compute_block(int64_t block_end, int64_t A1_dimension,
        const int32_t * __restrict__ A2_pos, const int32_t * __restrict__ A2_crd, const double * __restrict__ A_vals,
        const double * __restrict__ x_vals, double * __restrict__ y_vals)
{
    for (int64_t block = blockIdx.x; block < block_end; block += gridDim.x) {
        /* i: iterate every i; locate A */
        const int64_t warp = threadIdx.x / 8;
        if (warp < gn_min_int64(32, A1_dimension - block * 32)) {
            int64_t i = block * 32 + warp;
            double ty = 0.0;
            /* warp: iterate every warp */
            double ty_own = 0.0;
            /* lane: iterate every lane */
            const int64_t lane = threadIdx.x % 8;
            if (lane < gn_min_int64(8, ((int64_t) A2_pos[i + 1]) - A2_pos[i])) {
                /* j: iterate A; locate x */
                int64_t pA2_first = A2_pos[i] + lane;
                int64_t pA2_last = (int64_t) A2_pos[i + 1];
                for (int64_t pA2 = pA2_first; pA2 < pA2_last; pA2 += 8) {
                    const int64_t j = A2_crd[pA2];
                    /* part: iterate every part */
                    ty_own += A_vals[pA2] * x_vals[j];
                }
            }
            for (int64_t step = 0; step < 3; step++) {
                const double ty_own_other = __shfl_xor_sync(GN_PART_OF_WARP(8), ty_own, 4 >> step);
                ty_own += ty_own_other;
            }
            ty_own = __shfl_sync(GN_PART_OF_WARP(8), ty_own, threadIdx.x - threadIdx.x % 8);
            ty += ty_own;
            if (threadIdx.x % 8 == 0) {
                y_vals[i] = ty;
            }
        }
    }
}
