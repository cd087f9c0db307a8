/*
 * a = x(i) * y(i)    by split(i,block,thread,256),parallelize(block,GPUBlock,Atomics),parallelize(thread,GPUThread,Atomics)
 *
 * a: , float64, fill 0.0
 * x: dense, float64, fill 0.0
 * y: dense, float64, fill 0.0
 *
 * ∀block  [GPUBlock Atomics]
 *   ∀thread  [GPUThread Atomics]
 *     a += x(i) * y(i)
 */
#include "gnomon_device.h"

GN_KERNEL void __launch_bounds__(256) compute_block(int64_t block_end, int64_t x1_dimension,
        const double * __restrict__ x_vals, const double * __restrict__ y_vals, double * __restrict__ ta)
{
    double ta_own = 0.0;
    __shared__ double ta_own_2_of_warps[8];
    for (int64_t block = blockIdx.x; block < block_end; block += gridDim.x) {
        double ta_own_2 = 0.0;
        /* i: iterate every i; locate x, y */
        const int64_t thread = threadIdx.x;
        if (thread < gn_min_int64(256, x1_dimension - block * 256)) {
            int64_t i = block * 256 + thread;
            /* thread: iterate every thread */
            ta_own_2 += x_vals[i] * y_vals[i];
        }
        for (int64_t step = 0; step < 5; step++) {
            const double ta_own_2_other = __shfl_xor_sync(GN_WARP, ta_own_2, 16 >> step);
            ta_own_2 += ta_own_2_other;
        }
        if (threadIdx.x % 32 == 0) {
            ta_own_2_of_warps[threadIdx.x / 32] = ta_own_2;
        }
        __syncthreads();
        ta_own_2 = 0.0;
        for (int64_t w = 0; w < 8; w++) {
            ta_own_2 += ta_own_2_of_warps[w];
        }
        __syncthreads();
        ta_own += ta_own_2;
    }
    if (threadIdx.x == 0) {
        atomicAdd(&ta[0], ta_own);
    }
}
