/*
 * y(i) = A(i,j) * x(j)    by split(i,block,block_row,64),split(block_row,warp_row,warp,16),pos(j,jpos,A(i,j)),split(jpos,thread_nz,thread,32),reorder(block,warp,warp_row,thread,thread_nz),parallelize(block,GPUBlock,IgnoreRaces),parallelize(warp,GPUWarp,IgnoreRaces),parallelize(thread,GPUThread,Temporary)
 *
 * y: dense, float64, fill 0.0
 * A: CSR, float64, fill 0.0
 * x: dense, float64, fill 0.0
 *
 * ∀block  [GPUBlock IgnoreRaces]
 *   ∀warp  [GPUWarp IgnoreRaces]
 *     ∀warp_row
 *       ∀thread  [GPUThread Temporary]
 *         ∀thread_nz
 *           y(i) += A(i,j) * x(j)
 */
#include "gnomon_device.h"

GN_KERNEL void __launch_bounds__(512) compute_block(int64_t block_end, int64_t A1_dimension,
        const int32_t * __restrict__ A2_pos, const int32_t * __restrict__ A2_crd, const double * __restrict__ A_vals,
        const double * __restrict__ x_vals, double * __restrict__ y_vals)
{
    for (int64_t block = blockIdx.x; block < block_end; block += gridDim.x) {
        /* warp: iterate every warp */
        const int64_t warp = threadIdx.x / 32;
        if (warp < gn_min_int64(16, gn_min_int64(64, A1_dimension))) {
            /* i: iterate every i; locate A */
            for (int64_t i = block * 64 + warp, i_end = gn_min_int64(A1_dimension, block * 64 + gn_min_int64(64,
                    A1_dimension)); i < i_end; i += 16) {
                double ty = 0.0;
                /* warp_row: iterate every warp_row */
                double ty_own = 0.0;
                /* thread: iterate every thread */
                const int64_t thread = threadIdx.x % 32;
                if (thread < gn_min_int64(32, ((int64_t) A2_pos[i + 1]) - A2_pos[i])) {
                    /* j: iterate A; locate x */
                    int64_t pA2_first = A2_pos[i] + thread;
                    int64_t pA2_last = (int64_t) A2_pos[i + 1];
                    for (int64_t pA2 = pA2_first; pA2 < pA2_last; pA2 += 32) {
                        const int64_t j = A2_crd[pA2];
                        /* thread_nz: iterate every thread_nz */
                        ty_own += A_vals[pA2] * x_vals[j];
                    }
                }
                for (int64_t step = 0; step < 5; step++) {
                    const double ty_own_other = __shfl_xor_sync(GN_WARP, ty_own, 16 >> step);
                    ty_own += ty_own_other;
                }
                ty_own = __shfl_sync(GN_WARP, ty_own, 0);
                ty += ty_own;
                if (threadIdx.x % 32 == 0) {
                    y_vals[i] = ty;
                }
            }
        }
    }
}
