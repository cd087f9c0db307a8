/*
 * y(i) = max(sum(k, A(k,i)), x(i))    by parallelize({0},k,GPUBlock,Atomics)
 *
 * y: dense, float64, fill 0.0
 * A: CSR, float64, fill 0.0
 * x: dense, float64, fill 0.0
 *
 * ∀i
 *   y(i) = max(w(i), x(i))
 * where w:
 *   ∀k  [GPUBlock Atomics]
 *     ∀i
 *       w(i) += A(k,i)
 */
#include "gnomon_device.h"

GN_KERNEL void __launch_bounds__(256) compute_fill_y_vals(int64_t A2_dimension, double * __restrict__ y_vals)
{
    for (int64_t p = ((int64_t) blockIdx.x) * blockDim.x + threadIdx.x; p < A2_dimension;
            p += ((int64_t) gridDim.x) * blockDim.x) {
        y_vals[p] = 0.0;
    }
}

GN_KERNEL void __launch_bounds__(256) compute_fill_w1_flag(int64_t A2_dimension, int32_t * __restrict__ w1_flag)
{
    for (int64_t p = ((int64_t) blockIdx.x) * blockDim.x + threadIdx.x; p < A2_dimension;
            p += ((int64_t) gridDim.x) * blockDim.x) {
        w1_flag[p] = 0;
    }
}

GN_KERNEL void __launch_bounds__(256) compute_fill_w_vals(int64_t A2_dimension, double * __restrict__ w_vals)
{
    for (int64_t p = ((int64_t) blockIdx.x) * blockDim.x + threadIdx.x; p < A2_dimension;
            p += ((int64_t) gridDim.x) * blockDim.x) {
        w_vals[p] = 0.0;
    }
}

GN_KERNEL void __launch_bounds__(32) compute_k(int64_t A1_dimension, const int32_t * __restrict__ A2_pos,
        const int32_t * __restrict__ A2_crd, int32_t * __restrict__ w1_flag, double * __restrict__ w_vals,
        const double * __restrict__ A_vals)
{
    for (int64_t k = blockIdx.x; k < A1_dimension; k += gridDim.x) {
        if (threadIdx.x == 0) {
            /* i: iterate A */
            for (int64_t pA2 = A2_pos[k], pA2_end = A2_pos[k + 1]; pA2 < pA2_end; pA2++) {
                const int64_t i = A2_crd[pA2];
                int64_t pw1 = i;
                gn_atomic_store_int32(&w1_flag[pw1], 1);
                atomicAdd(&w_vals[pw1], A_vals[pA2]);
            }
        }
    }
}

GN_KERNEL void __launch_bounds__(32) compute_y(int64_t A2_dimension, const int32_t * __restrict__ w1_flag,
        double * __restrict__ y_vals, const double * __restrict__ w_vals, const double * __restrict__ x_vals)
{
    if (threadIdx.x == 0) {
        /* i: iterate every i; locate w, x */
        for (int64_t i = 0; i < A2_dimension; i++) {
            int64_t pw1 = i;
            const bool foundw1 = w1_flag[pw1] == 1;
            if (foundw1) {
                y_vals[i] = gn_max_float64(w_vals[pw1], x_vals[i]);
            } else {
                y_vals[i] = gn_max_float64(0.0, x_vals[i]);
            }
        }
    }
}
