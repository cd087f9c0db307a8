/*
 * C(i,j) = A(i,k) * B(k,j)    by precompute(A(i,k) * B(k,j),{j},{j},w),parallelize(i,GPUBlock,NoRaces),parallelize(j,GPUThread,NoRaces)
 *
 * C: RowMajor, float64, fill 0.0
 * A: CSR, float64, fill 0.0
 * B: CSR, float64, fill 0.0
 *
 * ∀i  [GPUBlock NoRaces]
 *   ∀j  [GPUThread NoRaces]
 *     C(i,j) = w(j)
 *   where w:
 *     ∀k
 *       ∀j  [GPUThread NoRaces]
 *         w(j) += A(i,k) * B(k,j)
 */
#include "gnomon_device.h"

GN_KERNEL void __launch_bounds__(256) compute_fill_C_vals(int64_t A1_dimension, int64_t B2_dimension,
        double * __restrict__ C_vals)
{
    for (int64_t p = ((int64_t) blockIdx.x) * blockDim.x + threadIdx.x; p < A1_dimension * B2_dimension;
            p += ((int64_t) gridDim.x) * blockDim.x) {
        C_vals[p] = 0.0;
    }
}

GN_KERNEL void __launch_bounds__(256) compute_i(int32_t * __restrict__ w1_flag_slices, int64_t B2_dimension,
        double * __restrict__ w_vals_slices, int32_t * __restrict__ w1_crd_slices, int64_t A1_dimension,
        const int32_t * __restrict__ A2_pos, const int32_t * __restrict__ A2_crd, const int32_t * __restrict__ B2_pos,
        const int32_t * __restrict__ B2_crd, const double * __restrict__ A_vals, const double * __restrict__ B_vals,
        double * __restrict__ C_vals)
{
    int32_t * __restrict__ w1_flag = &w1_flag_slices[((int64_t) blockIdx.x) * B2_dimension];
    double * __restrict__ w_vals = &w_vals_slices[((int64_t) blockIdx.x) * B2_dimension];
    int32_t * __restrict__ w1_crd = &w1_crd_slices[((int64_t) blockIdx.x) * B2_dimension];
    __shared__ int64_t w1_count[1];
    if (threadIdx.x == 0) {
        w1_count[0] = 0;
    }
    for (int64_t p = threadIdx.x; p < B2_dimension; p += 256) {
        w1_flag[p] = 0;
    }
    __syncthreads();
    for (int64_t i = blockIdx.x; i < A1_dimension; i += gridDim.x) {
        int64_t w1_before = w1_count[0];
        for (int64_t n = threadIdx.x; n < w1_before; n += 256) {
            w1_flag[w1_crd[n]] = 0;
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            w1_count[0] = 0;
        }
        __syncthreads();
        /* k: iterate A; locate B */
        for (int64_t pA2 = A2_pos[i], pA2_end = A2_pos[i + 1]; pA2 < pA2_end; pA2++) {
            const int64_t k = A2_crd[pA2];
            __syncthreads();
            /* j: iterate B */
            for (int64_t pB2 = B2_pos[k] + threadIdx.x, pB2_end = B2_pos[k + 1]; pB2 < pB2_end; pB2 += 256) {
                const int64_t j = B2_crd[pB2];
                const double vw = A_vals[pA2] * B_vals[pB2];
                int64_t pw1 = j;
                if (w1_flag[pw1] != 1) {
                    w1_flag[pw1] = 1;
                    w1_crd[gn_atomic_add_int64(&w1_count[0], 1)] = (int32_t) j;
                    w_vals[pw1] = vw;
                } else {
                    w_vals[pw1] += vw;
                }
            }
            __syncthreads();
        }
        __syncthreads();
        /* j: iterate w */
        int64_t w1_end = w1_count[0];
        for (int64_t n = threadIdx.x; n < w1_end; n += 256) {
            const int64_t j = w1_crd[n];
            int64_t q = j;
            int64_t pC2 = i * B2_dimension + j;
            C_vals[pC2] = w_vals[q];
        }
        __syncthreads();
    }
}
