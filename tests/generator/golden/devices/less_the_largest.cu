/*
 * y(i) = x(i) - max(k, z(k))    by split({1},i,block,thread,256),parallelize({1},block,GPUBlock,NoRaces),parallelize({1},thread,GPUThread,NoRaces)
 *
 * y: dense, float64, fill 0.0
 * x: dense, float64, fill 0.0
 * z: SparseVector, float64, fill 0.0
 *
 * ∀block  [GPUBlock NoRaces]
 *   ∀thread  [GPUThread NoRaces]
 *     y(i) = x(i) - w
 * where w:
 *   ∀k
 *     w max= z(k)
 */
#include "gnomon_device.h"

GN_KERNEL void __launch_bounds__(256) compute_fill_y_vals(int64_t x1_dimension, double * __restrict__ y_vals)
{
    for (int64_t p = ((int64_t) blockIdx.x) * blockDim.x + threadIdx.x; p < x1_dimension;
            p += ((int64_t) gridDim.x) * blockDim.x) {
        y_vals[p] = 0.0;
    }
}

GN_KERNEL void __launch_bounds__(32) compute_w(const int32_t * __restrict__ z1_pos, int64_t z1_dimension,
        const int32_t * __restrict__ z1_crd, double * __restrict__ tw, const double * __restrict__ z_vals,
        bool * __restrict__ tw_present)
{
    if (threadIdx.x == 0) {
        /* k: iterate every k with z alongside */
        int64_t pz1 = z1_pos[0];
        int64_t pz1_end = z1_pos[1];
        for (int64_t k = 0; k < z1_dimension; k++) {
            const bool atz1 = pz1 < pz1_end && z1_crd[pz1] == k;
            if (atz1) {
                tw[0] = gn_max_float64(tw[0], z_vals[pz1]);
                tw_present[0] = true;
            } else {
                tw[0] = gn_max_float64(tw[0], 0.0);
            }
            pz1 += atz1;
        }
    }
}

GN_KERNEL void __launch_bounds__(256) compute_block(int64_t block_end, int64_t x1_dimension, double * __restrict__ y_vals,
        const double * __restrict__ x_vals, double tw)
{
    for (int64_t block = blockIdx.x; block < block_end; block += gridDim.x) {
        /* i: iterate every i; locate x */
        const int64_t thread = threadIdx.x;
        if (thread < gn_min_int64(256, x1_dimension - block * 256)) {
            int64_t i = block * 256 + thread;
            /* thread: iterate every thread */
            y_vals[i] = x_vals[i] - tw;
        }
    }
}

GN_KERNEL void __launch_bounds__(256) compute_block_2(int64_t block_end, int64_t x1_dimension, double * __restrict__ y_vals,
        const double * __restrict__ x_vals)
{
    for (int64_t block = blockIdx.x; block < block_end; block += gridDim.x) {
        /* i: iterate every i; locate x */
        const int64_t thread = threadIdx.x;
        if (thread < gn_min_int64(256, x1_dimension - block * 256)) {
            int64_t i = block * 256 + thread;
            /* thread: iterate every thread */
            y_vals[i] = x_vals[i];
        }
    }
}
