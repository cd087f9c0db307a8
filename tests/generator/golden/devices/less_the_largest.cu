/*
 * y(i) = x(i) - max(k, z(k))    by split({1,1},i,block,thread,256),parallelize({1,1},block,GPUBlock,NoRaces),parallelize({1,1},thread,GPUThread,NoRaces)
 *
 * y: dense, float64, fill 0.0
 * x: dense, float64, fill 0.0
 * z: SparseVector, float64, fill 0.0
 *
 * ∀block  [GPUBlock NoRaces]
 *   ∀thread  [GPUThread NoRaces]
 *     y(i) = x(i) - max(w, copies_max(0.0, float64(lt(w1, 4))))
 * where w1:
 *   ∀k
 *     w1<$z(k)> += 1
 * where w:
 *   ∀k
 *     w<$z(k)> max= z(k)
 */
#include "gnomon_device.h"

GN_KERNEL void __launch_bounds__(256) compute_fill_y_vals(int64_t x1_dimension, double * __restrict__ y_vals)
{
    for (int64_t p = ((int64_t) blockIdx.x) * blockDim.x + threadIdx.x; p < x1_dimension;
            p += ((int64_t) gridDim.x) * blockDim.x) {
        y_vals[p] = 0.0;
    }
}

GN_KERNEL void __launch_bounds__(32) compute_w(const int32_t * __restrict__ z1_pos, double * __restrict__ tw,
        const double * __restrict__ z_vals, bool * __restrict__ tw_present)
{
    if (threadIdx.x == 0) {
        /* k: iterate z */
        for (int64_t pz1 = z1_pos[0], pz1_end = z1_pos[1]; pz1 < pz1_end; pz1++) {
            tw[0] = gn_max_float64(tw[0], z_vals[pz1]);
            tw_present[0] = true;
        }
    }
}

GN_KERNEL void __launch_bounds__(32) compute_w1(const int32_t * __restrict__ z1_pos, int64_t * __restrict__ tw1,
        bool * __restrict__ tw1_present, int * __restrict__ failed)
{
    int status = GN_OK;
    if (threadIdx.x == 0) {
        /* k: iterate z */
        for (int64_t pz1 = z1_pos[0], pz1_end = z1_pos[1]; pz1 < pz1_end; pz1++) {
            tw1[0] = gn_add_int64(tw1[0], INT64_C(1), &status);
            tw1_present[0] = true;
        }
    }
    if (status != GN_OK) {
        atomicMax(failed, status);
    }
}

GN_KERNEL void __launch_bounds__(256) compute_block(int64_t block_end, int64_t x1_dimension, double * __restrict__ y_vals,
        const double * __restrict__ x_vals, double tw, int64_t tw1)
{
    for (int64_t block = blockIdx.x; block < block_end; block += gridDim.x) {
        /* i: iterate every i; locate x */
        const int64_t thread = threadIdx.x;
        if (thread < gn_min_int64(256, x1_dimension - block * 256)) {
            int64_t i = block * 256 + thread;
            /* thread: iterate every thread */
            y_vals[i] = x_vals[i] - gn_max_float64(tw, ((double) gn_lt_int64(tw1, INT64_C(4))) != 0 ? 0.0 : -INFINITY);
        }
    }
}

GN_KERNEL void __launch_bounds__(256) compute_block_2(int64_t block_end, int64_t x1_dimension, double * __restrict__ y_vals,
        const double * __restrict__ x_vals, double tw)
{
    for (int64_t block = blockIdx.x; block < block_end; block += gridDim.x) {
        /* i: iterate every i; locate x */
        const int64_t thread = threadIdx.x;
        if (thread < gn_min_int64(256, x1_dimension - block * 256)) {
            int64_t i = block * 256 + thread;
            /* thread: iterate every thread */
            y_vals[i] = x_vals[i] - gn_max_float64(tw, 0.0);
        }
    }
}

GN_KERNEL void __launch_bounds__(256) compute_block_3(int64_t block_end, int64_t x1_dimension, double * __restrict__ y_vals,
        const double * __restrict__ x_vals, int64_t tw1)
{
    for (int64_t block = blockIdx.x; block < block_end; block += gridDim.x) {
        /* i: iterate every i; locate x */
        const int64_t thread = threadIdx.x;
        if (thread < gn_min_int64(256, x1_dimension - block * 256)) {
            int64_t i = block * 256 + thread;
            /* thread: iterate every thread */
            y_vals[i] = x_vals[i] - (((double) gn_lt_int64(tw1, INT64_C(4))) != 0 ? 0.0 : -INFINITY);
        }
    }
}

GN_KERNEL void __launch_bounds__(256) compute_block_4(int64_t block_end, int64_t x1_dimension, double * __restrict__ y_vals,
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
