/*
 * C(i,j) = A(i,j) * B(i,j)    by parallelize(i,GPUBlock,NoRaces)
 *
 * C: CSR, float64, fill 0.0
 * A: CSR, float64, fill 0.0
 * B: CSR, float64, fill 0.0
 *
 * ∀i  [GPUBlock NoRaces]
 *   ∀j
 *     C(i,j) = A(i,j) * B(i,j)
 */
#include "gnomon_device.h"

GN_KERNEL void __launch_bounds__(256) assemble_count_i(int64_t A1_dimension, const int32_t * __restrict__ A2_pos,
        const int32_t * __restrict__ B2_pos, const int32_t * __restrict__ A2_crd, const int32_t * __restrict__ B2_crd,
        int64_t * __restrict__ C2_first)
{
    for (int64_t i = ((int64_t) blockIdx.x) * blockDim.x + threadIdx.x; i < A1_dimension;
            i += ((int64_t) gridDim.x) * blockDim.x) {
        int64_t pC2_own = 0;
        /* j: co-iterate A, B */
        int64_t pA2 = A2_pos[i];
        int64_t pA2_end = A2_pos[i + 1];
        int64_t pB2 = B2_pos[i];
        int64_t pB2_end = B2_pos[i + 1];
        while (pA2 < pA2_end && pB2 < pB2_end) {
            const int64_t jA = A2_crd[pA2];
            const int64_t jB = B2_crd[pB2];
            if (jA == jB) {
                pC2_own++;
                pA2++;
                pB2++;
            } else {
                pA2 += jA <= jB;
                pB2 += jB <= jA;
            }
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
        const int32_t * __restrict__ A2_pos, const int32_t * __restrict__ B2_pos, const int32_t * __restrict__ A2_crd,
        const int32_t * __restrict__ B2_crd, int32_t * __restrict__ C2_crd, int32_t * __restrict__ C2_pos)
{
    for (int64_t i = ((int64_t) blockIdx.x) * blockDim.x + threadIdx.x; i < A1_dimension;
            i += ((int64_t) gridDim.x) * blockDim.x) {
        int64_t pC2_own = pC2 + C2_first[i];
        const int64_t pC2_own_begin = pC2_own;
        /* j: co-iterate A, B */
        int64_t pA2 = A2_pos[i];
        int64_t pA2_end = A2_pos[i + 1];
        int64_t pB2 = B2_pos[i];
        int64_t pB2_end = B2_pos[i + 1];
        while (pA2 < pA2_end && pB2 < pB2_end) {
            const int64_t jA = A2_crd[pA2];
            const int64_t jB = B2_crd[pB2];
            if (jA == jB) {
                C2_crd[pC2_own] = (int32_t) jA;
                pC2_own++;
                pA2++;
                pB2++;
            } else {
                pA2 += jA <= jB;
                pB2 += jB <= jA;
            }
        }
        C2_pos[i + 1] = (int32_t) (C2_pos[i + 1] + pC2_own - pC2_own_begin);
    }
}

GN_KERNEL void __launch_bounds__(256) compute_i(int64_t A1_dimension, int64_t pC2, const int64_t * __restrict__ C2_first,
        const int32_t * __restrict__ A2_pos, const int32_t * __restrict__ B2_pos, const int32_t * __restrict__ A2_crd,
        const int32_t * __restrict__ B2_crd, double * __restrict__ C_vals, const double * __restrict__ A_vals,
        const double * __restrict__ B_vals)
{
    for (int64_t i = ((int64_t) blockIdx.x) * blockDim.x + threadIdx.x; i < A1_dimension;
            i += ((int64_t) gridDim.x) * blockDim.x) {
        int64_t pC2_own = pC2 + C2_first[i];
        /* j: co-iterate A, B */
        int64_t pA2 = A2_pos[i];
        int64_t pA2_end = A2_pos[i + 1];
        int64_t pB2 = B2_pos[i];
        int64_t pB2_end = B2_pos[i + 1];
        while (pA2 < pA2_end && pB2 < pB2_end) {
            const int64_t jA = A2_crd[pA2];
            const int64_t jB = B2_crd[pB2];
            if (jA == jB) {
                C_vals[pC2_own] = A_vals[pA2] * B_vals[pB2];
                pC2_own++;
                pA2++;
                pB2++;
            } else {
                pA2 += jA <= jB;
                pB2 += jB <= jA;
            }
        }
    }
}

GN_KERNEL void __launch_bounds__(256) evaluate_i(int64_t A1_dimension, int64_t pC2, const int64_t * __restrict__ C2_first,
        const int32_t * __restrict__ A2_pos, const int32_t * __restrict__ B2_pos, const int32_t * __restrict__ A2_crd,
        const int32_t * __restrict__ B2_crd, int32_t * __restrict__ C2_crd, double * __restrict__ C_vals,
        const double * __restrict__ A_vals, const double * __restrict__ B_vals, int32_t * __restrict__ C2_pos)
{
    for (int64_t i = ((int64_t) blockIdx.x) * blockDim.x + threadIdx.x; i < A1_dimension;
            i += ((int64_t) gridDim.x) * blockDim.x) {
        int64_t pC2_own = pC2 + C2_first[i];
        const int64_t pC2_own_begin = pC2_own;
        /* j: co-iterate A, B */
        int64_t pA2 = A2_pos[i];
        int64_t pA2_end = A2_pos[i + 1];
        int64_t pB2 = B2_pos[i];
        int64_t pB2_end = B2_pos[i + 1];
        while (pA2 < pA2_end && pB2 < pB2_end) {
            const int64_t jA = A2_crd[pA2];
            const int64_t jB = B2_crd[pB2];
            if (jA == jB) {
                C2_crd[pC2_own] = (int32_t) jA;
                C_vals[pC2_own] = A_vals[pA2] * B_vals[pB2];
                pC2_own++;
                pA2++;
                pB2++;
            } else {
                pA2 += jA <= jB;
                pB2 += jB <= jA;
            }
        }
        C2_pos[i + 1] = (int32_t) (C2_pos[i + 1] + pC2_own - pC2_own_begin);
    }
}
