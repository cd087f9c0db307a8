/*
 * y(i) = A(i,j) * x(j)    by collapse(i,j,f),pos(f,p,A(i,j)),split(p,block,p1,4096),split(p1,warp,thread,512),parallelize(block,GPUBlock,IgnoreRaces),parallelize(warp,GPUWarp,IgnoreRaces),parallelize(thread,GPUThread,Atomics)
 *
 * y: dense, float64, fill 0.0
 * A: CSR, float64, fill 0.0
 * x: dense, float64, fill 0.0
 *
 * ∀block  [GPUBlock IgnoreRaces]
 *   ∀warp  [GPUWarp IgnoreRaces]
 *     ∀thread  [GPUThread Atomics]
 *       y(i) += A(i,j) * x(j)
 */
#include "gnomon_device.h"

GN_KERNEL void __launch_bounds__(256) compute_fill_y_vals(int64_t A1_dimension, double * __restrict__ y_vals)
{
    for (int64_t p = ((int64_t) blockIdx.x) * blockDim.x + threadIdx.x; p < A1_dimension;
            p += ((int64_t) gridDim.x) * blockDim.x) {
        y_vals[p] = 0.0;
    }
}

GN_KERNEL void __launch_bounds__(256) compute_block(int64_t block_end, const int32_t * __restrict__ A2_pos,
        int64_t A1_dimension, const int32_t * __restrict__ A2_crd, const double * __restrict__ A_vals,
        const double * __restrict__ x_vals, double * __restrict__ y_vals)
{
    for (int64_t block = blockIdx.x; block < block_end; block += gridDim.x) {
        /* warp: iterate every warp */
        for (int64_t warp = threadIdx.x / 32, warp_end = gn_floordiv_int64(gn_min_int64(4096,
                ((int64_t) A2_pos[A1_dimension]) - A2_pos[0]) + 511, 512); warp < warp_end; warp += 8) {
            /* thread: share out what A stores */
            int64_t pA2_first = A2_pos[0] + (block * 4096 + warp * 512);
            int64_t pA2_last = A2_pos[0] + gn_min_int64(((int64_t) A2_pos[A1_dimension]) - A2_pos[0],
                    block * 4096 + gn_min_int64(gn_min_int64(4096, ((int64_t) A2_pos[A1_dimension]) - A2_pos[0]),
                    warp * 512 + 512));
            int64_t pA1_first = 0;
            int64_t pA1_first_end = A1_dimension;
            while (pA1_first < pA1_first_end) {
                const int64_t middle = (pA1_first + pA1_first_end) / 2;
                if (A2_pos[middle + 1] <= pA2_first) {
                    pA1_first = middle + 1;
                } else {
                    pA1_first_end = middle;
                }
            }
            int64_t pA1_last = pA1_first;
            int64_t pA1_last_end = A1_dimension;
            while (pA1_last < pA1_last_end) {
                const int64_t middle = (pA1_last + pA1_last_end) / 2;
                if (A2_pos[middle + 1] <= pA2_last - 1) {
                    pA1_last = middle + 1;
                } else {
                    pA1_last_end = middle;
                }
            }
            for (int64_t pA2_round = pA2_first; pA2_round < pA2_last; pA2_round += 32) {
                const int64_t pA2 = pA2_round + threadIdx.x % 32;
                double ty_own = 0.0;
                int64_t i_mine = -1;
                if (pA2 < pA2_last) {
                    int64_t pA1_at = pA1_first;
                    int64_t pA1_at_end = pA1_last + 1;
                    while (pA1_at < pA1_at_end) {
                        const int64_t middle = (pA1_at + pA1_at_end) / 2;
                        if (A2_pos[middle + 1] <= pA2) {
                            pA1_at = middle + 1;
                        } else {
                            pA1_at_end = middle;
                        }
                    }
                    int64_t j = A2_crd[pA2];
                    i_mine = pA1_at;
                    ty_own += A_vals[pA2] * x_vals[j];
                }
                const int64_t i_mine_next = __shfl_sync(GN_WARP, i_mine, (threadIdx.x + 1) % 32);
                const int64_t i_mine_before = __shfl_sync(GN_WARP, i_mine, (threadIdx.x + 31) % 32);
                bool further = threadIdx.x % 32 < 31 && i_mine == i_mine_next;
                for (int64_t step = 0; step < 5; step++) {
                    const double ty_own_other = __shfl_sync(GN_WARP, ty_own, (threadIdx.x + (1 << step)) % 32);
                    const bool further_other = __shfl_sync(GN_WARP, further, (threadIdx.x + (1 << step)) % 32);
                    if (further) {
                        ty_own += ty_own_other;
                        further = further_other;
                    }
                }
                if (i_mine >= 0 && (threadIdx.x % 32 == 0 || i_mine != i_mine_before)) {
                    atomicAdd(&y_vals[i_mine], ty_own);
                }
            }
        }
    }
}
