/*
 * C(i,j) = A(i,j) * x(j)    by parallelize(i,GPUBlock,NoRaces)
 *
 * C: CSR, float64, fill 0.0
 * A: dense,compressed(unordered), float64, fill 0.0
 * x: dense, float64, fill 0.0
 *
 * ∀i  [GPUBlock NoRaces]
 *   ∀j
 *     C(i,j) = A_ordered(i,j) * x(j)
 * where A_ordered:
 *   ∀i1
 *     ∀j1
 *       A_ordered(i1,j1) = A(i1,j1)
 */
#include "gnomon_device.h"

GN_KERNEL void __launch_bounds__(256) assemble_count_i(int64_t A1_dimension, const int32_t * __restrict__ A_ordered2_pos,
        int64_t * __restrict__ C2_first)
{
    for (int64_t i = ((int64_t) blockIdx.x) * blockDim.x + threadIdx.x; i < A1_dimension;
            i += ((int64_t) gridDim.x) * blockDim.x) {
        int64_t pC2_own = 0;
        /* j: iterate A_ordered; locate x */
        int64_t pA_ordered2_begin = A_ordered2_pos[i];
        int64_t pA_ordered2_end = A_ordered2_pos[i + 1];
        for (int64_t pA_ordered2_2 = pA_ordered2_begin; pA_ordered2_2 < pA_ordered2_end; pA_ordered2_2++) {
            pC2_own++;
        }
        C2_first[i + 1] = pC2_own;
    }
}

GN_KERNEL void __launch_bounds__(256) assemble_parts_of_C2_first(int64_t A1_dimension, int64_t * __restrict__ C2_first,
        int64_t * __restrict__ C_reached)
{
    __shared__ int64_t sums[256];
    const int64_t n = ((int64_t) blockIdx.x) * 256 + threadIdx.x;
    int64_t own = 0;
    if (n < A1_dimension) {
        own = C2_first[n + 1];
    }
    for (int64_t step = 0; step < 8; step++) {
        const int64_t distance = 1 << step;
        sums[threadIdx.x] = own;
        __syncthreads();
        if (threadIdx.x >= distance) {
            own += sums[threadIdx.x - distance];
        }
        __syncthreads();
    }
    if (n < A1_dimension) {
        C2_first[n + 1] = own;
    }
    if (threadIdx.x == 255) {
        C_reached[(int64_t) blockIdx.x] = own;
    }
}

GN_KERNEL void __launch_bounds__(256) assemble_reached_of_C2_first(int64_t A1_dimension, int64_t * __restrict__ C_reached)
{
    __shared__ int64_t sums[256];
    int64_t carry = 0;
    for (int64_t base = 0; base < (A1_dimension + 255) / 256; base += 256) {
        const int64_t n = base + threadIdx.x;
        int64_t own = 0;
        if (n < (A1_dimension + 255) / 256) {
            own = C_reached[n];
        }
        for (int64_t step = 0; step < 8; step++) {
            const int64_t distance = 1 << step;
            sums[threadIdx.x] = own;
            __syncthreads();
            if (threadIdx.x >= distance) {
                own += sums[threadIdx.x - distance];
            }
            __syncthreads();
        }
        if (n < (A1_dimension + 255) / 256) {
            C_reached[n] = carry + own;
        }
        sums[threadIdx.x] = own;
        __syncthreads();
        carry += sums[255];
        __syncthreads();
    }
}

GN_KERNEL void __launch_bounds__(256) assemble_scan_C2_first(int64_t A1_dimension, int64_t * __restrict__ C2_first,
        const int64_t * __restrict__ C_reached, int64_t * __restrict__ C2_total)
{
    const int64_t n = ((int64_t) blockIdx.x) * 256 + threadIdx.x;
    if (n < A1_dimension) {
        if (0 < blockIdx.x) {
            C2_first[n + 1] += C_reached[((int64_t) blockIdx.x) - 1];
        }
        if (n + 1 == A1_dimension) {
            C2_total[0] = C2_first[n + 1];
        }
    }
}

GN_KERNEL void __launch_bounds__(256) assemble_i(int64_t A1_dimension, int64_t pC2, const int64_t * __restrict__ C2_first,
        const int32_t * __restrict__ A_ordered2_pos, const int32_t * __restrict__ A_ordered2_crd, int32_t * __restrict__ C2_crd,
        int32_t * __restrict__ C2_pos)
{
    for (int64_t i = ((int64_t) blockIdx.x) * blockDim.x + threadIdx.x; i < A1_dimension;
            i += ((int64_t) gridDim.x) * blockDim.x) {
        int64_t pC2_own = pC2 + C2_first[i];
        const int64_t pC2_own_begin = pC2_own;
        /* j: iterate A_ordered; locate x */
        int64_t pA_ordered2_begin = A_ordered2_pos[i];
        int64_t pA_ordered2_end = A_ordered2_pos[i + 1];
        for (int64_t pA_ordered2_2 = pA_ordered2_begin; pA_ordered2_2 < pA_ordered2_end; pA_ordered2_2++) {
            const int64_t j = A_ordered2_crd[pA_ordered2_2];
            C2_crd[pC2_own] = (int32_t) j;
            pC2_own++;
        }
        C2_pos[i + 1] = (int32_t) (C2_pos[i + 1] + pC2_own - pC2_own_begin);
    }
}

GN_KERNEL void __launch_bounds__(256) compute_i(int64_t A1_dimension, int64_t pC2, const int64_t * __restrict__ C2_first,
        const int32_t * __restrict__ A_ordered2_pos, const int32_t * __restrict__ A_ordered2_crd, double * __restrict__ C_vals,
        const double * __restrict__ A_ordered_vals, const double * __restrict__ x_vals)
{
    for (int64_t i = ((int64_t) blockIdx.x) * blockDim.x + threadIdx.x; i < A1_dimension;
            i += ((int64_t) gridDim.x) * blockDim.x) {
        int64_t pC2_own = pC2 + C2_first[i];
        /* j: iterate A_ordered; locate x */
        int64_t pA_ordered2_begin = A_ordered2_pos[i];
        int64_t pA_ordered2_end = A_ordered2_pos[i + 1];
        for (int64_t pA_ordered2_2 = pA_ordered2_begin; pA_ordered2_2 < pA_ordered2_end; pA_ordered2_2++) {
            const int64_t j = A_ordered2_crd[pA_ordered2_2];
            C_vals[pC2_own] = A_ordered_vals[pA_ordered2_2] * x_vals[j];
            pC2_own++;
        }
    }
}

GN_KERNEL void __launch_bounds__(256) evaluate_i(int64_t A1_dimension, int64_t pC2, const int64_t * __restrict__ C2_first,
        const int32_t * __restrict__ A_ordered2_pos, const int32_t * __restrict__ A_ordered2_crd, int32_t * __restrict__ C2_crd,
        double * __restrict__ C_vals, const double * __restrict__ A_ordered_vals, const double * __restrict__ x_vals,
        int32_t * __restrict__ C2_pos)
{
    for (int64_t i = ((int64_t) blockIdx.x) * blockDim.x + threadIdx.x; i < A1_dimension;
            i += ((int64_t) gridDim.x) * blockDim.x) {
        int64_t pC2_own = pC2 + C2_first[i];
        const int64_t pC2_own_begin = pC2_own;
        /* j: iterate A_ordered; locate x */
        int64_t pA_ordered2_begin = A_ordered2_pos[i];
        int64_t pA_ordered2_end = A_ordered2_pos[i + 1];
        for (int64_t pA_ordered2_2 = pA_ordered2_begin; pA_ordered2_2 < pA_ordered2_end; pA_ordered2_2++) {
            const int64_t j = A_ordered2_crd[pA_ordered2_2];
            C2_crd[pC2_own] = (int32_t) j;
            C_vals[pC2_own] = A_ordered_vals[pA_ordered2_2] * x_vals[j];
            pC2_own++;
        }
        C2_pos[i + 1] = (int32_t) (C2_pos[i + 1] + pC2_own - pC2_own_begin);
    }
}
