/*
 * C(i,j,k) = A(i,j,k) * x(k)    by parallelize(i,GPUBlock,NoRaces)
 *
 * C: compressed,compressed,compressed, float64, fill 0.0
 * A: compressed,compressed,compressed, float64, fill 0.0
 * x: dense, float64, fill 0.0
 *
 * ∀i  [GPUBlock NoRaces]
 *   ∀j
 *     ∀k
 *       C(i,j,k) = A(i,j,k) * x(k)
 */
#include "gnomon_device.h"

GN_KERNEL void __launch_bounds__(256) assemble_count_i(int64_t i_begin, int64_t i_end, const int32_t * __restrict__ A2_pos,
        const int32_t * __restrict__ A3_pos, int64_t * __restrict__ C1_first, int64_t * __restrict__ C2_first,
        int64_t * __restrict__ C3_first)
{
    for (int64_t pA1 = i_begin + (((int64_t) blockIdx.x) * blockDim.x + threadIdx.x); pA1 < i_end;
            pA1 += ((int64_t) gridDim.x) * blockDim.x) {
        int64_t pC1_own = 0;
        int64_t pC2_own = 0;
        int64_t pC3_own = 0;
        const int64_t pC2_own_begin = pC2_own;
        /* j: iterate A */
        for (int64_t pA2 = A2_pos[pA1], pA2_end = A2_pos[pA1 + 1]; pA2 < pA2_end; pA2++) {
            const int64_t pC3_own_begin = pC3_own;
            /* k: iterate A; locate x */
            int64_t pA3_begin = A3_pos[pA2];
            int64_t pA3_end = A3_pos[pA2 + 1];
            for (int64_t pA3 = pA3_begin; pA3 < pA3_end; pA3++) {
                pC3_own++;
            }
            if (pC3_own_begin < pC3_own) {
                pC2_own++;
            }
        }
        if (pC2_own_begin < pC2_own) {
            pC1_own++;
        }
        C1_first[pA1 - i_begin + 1] = pC1_own;
        C2_first[pA1 - i_begin + 1] = pC2_own;
        C3_first[pA1 - i_begin + 1] = pC3_own;
    }
}

GN_KERNEL void __launch_bounds__(256) assemble_parts_of_C1_first(int64_t i_count, int64_t * __restrict__ C1_first,
        int64_t * __restrict__ C_reached)
{
    __shared__ int64_t sums[256];
    const int64_t n = ((int64_t) blockIdx.x) * 256 + threadIdx.x;
    int64_t own = 0;
    if (n < i_count) {
        own = C1_first[n + 1];
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
    if (n < i_count) {
        C1_first[n + 1] = own;
    }
    if (threadIdx.x == 255) {
        C_reached[(int64_t) blockIdx.x] = own;
    }
}

GN_KERNEL void __launch_bounds__(256) assemble_reached_of_C1_first(int64_t i_count, int64_t * __restrict__ C_reached)
{
    __shared__ int64_t sums[256];
    int64_t carry = 0;
    for (int64_t base = 0; base < (i_count + 255) / 256; base += 256) {
        const int64_t n = base + threadIdx.x;
        int64_t own = 0;
        if (n < (i_count + 255) / 256) {
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
        if (n < (i_count + 255) / 256) {
            C_reached[n] = carry + own;
        }
        sums[threadIdx.x] = own;
        __syncthreads();
        carry += sums[255];
        __syncthreads();
    }
}

GN_KERNEL void __launch_bounds__(256) assemble_scan_C1_first(int64_t i_count, int64_t * __restrict__ C1_first,
        const int64_t * __restrict__ C_reached, int64_t * __restrict__ C1_total)
{
    const int64_t n = ((int64_t) blockIdx.x) * 256 + threadIdx.x;
    if (n < i_count) {
        if (0 < blockIdx.x) {
            C1_first[n + 1] += C_reached[((int64_t) blockIdx.x) - 1];
        }
        if (n + 1 == i_count) {
            C1_total[0] = C1_first[n + 1];
        }
    }
}

GN_KERNEL void __launch_bounds__(256) assemble_parts_of_C2_first(int64_t i_count, int64_t * __restrict__ C2_first,
        int64_t * __restrict__ C_reached)
{
    __shared__ int64_t sums[256];
    const int64_t n = ((int64_t) blockIdx.x) * 256 + threadIdx.x;
    int64_t own = 0;
    if (n < i_count) {
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
    if (n < i_count) {
        C2_first[n + 1] = own;
    }
    if (threadIdx.x == 255) {
        C_reached[(int64_t) blockIdx.x] = own;
    }
}

GN_KERNEL void __launch_bounds__(256) assemble_scan_C2_first(int64_t i_count, int64_t * __restrict__ C2_first,
        const int64_t * __restrict__ C_reached, int64_t * __restrict__ C2_total)
{
    const int64_t n = ((int64_t) blockIdx.x) * 256 + threadIdx.x;
    if (n < i_count) {
        if (0 < blockIdx.x) {
            C2_first[n + 1] += C_reached[((int64_t) blockIdx.x) - 1];
        }
        if (n + 1 == i_count) {
            C2_total[0] = C2_first[n + 1];
        }
    }
}

GN_KERNEL void __launch_bounds__(256) assemble_parts_of_C3_first(int64_t i_count, int64_t * __restrict__ C3_first,
        int64_t * __restrict__ C_reached)
{
    __shared__ int64_t sums[256];
    const int64_t n = ((int64_t) blockIdx.x) * 256 + threadIdx.x;
    int64_t own = 0;
    if (n < i_count) {
        own = C3_first[n + 1];
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
    if (n < i_count) {
        C3_first[n + 1] = own;
    }
    if (threadIdx.x == 255) {
        C_reached[(int64_t) blockIdx.x] = own;
    }
}

GN_KERNEL void __launch_bounds__(256) assemble_scan_C3_first(int64_t i_count, int64_t * __restrict__ C3_first,
        const int64_t * __restrict__ C_reached, int64_t * __restrict__ C3_total)
{
    const int64_t n = ((int64_t) blockIdx.x) * 256 + threadIdx.x;
    if (n < i_count) {
        if (0 < blockIdx.x) {
            C3_first[n + 1] += C_reached[((int64_t) blockIdx.x) - 1];
        }
        if (n + 1 == i_count) {
            C3_total[0] = C3_first[n + 1];
        }
    }
}

GN_KERNEL void __launch_bounds__(256) assemble_i(int64_t i_begin_2, int64_t i_end_2, int64_t pC1,
        const int64_t * __restrict__ C1_first, int64_t pC2, const int64_t * __restrict__ C2_first, int64_t pC3,
        const int64_t * __restrict__ C3_first, const int32_t * __restrict__ A1_crd, const int32_t * __restrict__ A2_pos,
        const int32_t * __restrict__ A2_crd, const int32_t * __restrict__ A3_pos, const int32_t * __restrict__ A3_crd,
        int32_t * __restrict__ C3_crd, int32_t * __restrict__ C2_crd, int32_t * __restrict__ C3_pos, int32_t * __restrict__ C1_crd,
        int32_t * __restrict__ C2_pos)
{
    for (int64_t pA1 = i_begin_2 + (((int64_t) blockIdx.x) * blockDim.x + threadIdx.x); pA1 < i_end_2;
            pA1 += ((int64_t) gridDim.x) * blockDim.x) {
        int64_t pC1_own = pC1 + C1_first[pA1 - i_begin_2];
        int64_t pC2_own = pC2 + C2_first[pA1 - i_begin_2];
        int64_t pC3_own = pC3 + C3_first[pA1 - i_begin_2];
        const int64_t i = A1_crd[pA1];
        const int64_t pC2_own_begin = pC2_own;
        /* j: iterate A */
        for (int64_t pA2 = A2_pos[pA1], pA2_end = A2_pos[pA1 + 1]; pA2 < pA2_end; pA2++) {
            const int64_t j = A2_crd[pA2];
            const int64_t pC3_own_begin = pC3_own;
            /* k: iterate A; locate x */
            int64_t pA3_begin = A3_pos[pA2];
            int64_t pA3_end = A3_pos[pA2 + 1];
            for (int64_t pA3 = pA3_begin; pA3 < pA3_end; pA3++) {
                const int64_t k = A3_crd[pA3];
                C3_crd[pC3_own] = (int32_t) k;
                pC3_own++;
            }
            if (pC3_own_begin < pC3_own) {
                C2_crd[pC2_own] = (int32_t) j;
                C3_pos[pC2_own + 1] = 0;
                C3_pos[pC2_own + 1] = (int32_t) (C3_pos[pC2_own + 1] + pC3_own - pC3_own_begin);
                pC2_own++;
            }
        }
        if (pC2_own_begin < pC2_own) {
            C1_crd[pC1_own] = (int32_t) i;
            C2_pos[pC1_own + 1] = 0;
            C2_pos[pC1_own + 1] = (int32_t) (C2_pos[pC1_own + 1] + pC2_own - pC2_own_begin);
            pC1_own++;
        }
    }
}

GN_KERNEL void __launch_bounds__(256) compute_i(int64_t i_begin_2, int64_t i_end_2, int64_t pC3,
        const int64_t * __restrict__ C3_first, const int32_t * __restrict__ A2_pos, const int32_t * __restrict__ A3_pos,
        const int32_t * __restrict__ A3_crd, double * __restrict__ C_vals, const double * __restrict__ A_vals,
        const double * __restrict__ x_vals)
{
    for (int64_t pA1 = i_begin_2 + (((int64_t) blockIdx.x) * blockDim.x + threadIdx.x); pA1 < i_end_2;
            pA1 += ((int64_t) gridDim.x) * blockDim.x) {
        int64_t pC3_own = pC3 + C3_first[pA1 - i_begin_2];
        /* j: iterate A */
        for (int64_t pA2 = A2_pos[pA1], pA2_end = A2_pos[pA1 + 1]; pA2 < pA2_end; pA2++) {
            /* k: iterate A; locate x */
            int64_t pA3_begin = A3_pos[pA2];
            int64_t pA3_end = A3_pos[pA2 + 1];
            for (int64_t pA3 = pA3_begin; pA3 < pA3_end; pA3++) {
                const int64_t k = A3_crd[pA3];
                C_vals[pC3_own] = A_vals[pA3] * x_vals[k];
                pC3_own++;
            }
        }
    }
}

GN_KERNEL void __launch_bounds__(256) evaluate_i(int64_t i_begin_2, int64_t i_end_2, int64_t pC1,
        const int64_t * __restrict__ C1_first, int64_t pC2, const int64_t * __restrict__ C2_first, int64_t pC3,
        const int64_t * __restrict__ C3_first, const int32_t * __restrict__ A1_crd, const int32_t * __restrict__ A2_pos,
        const int32_t * __restrict__ A2_crd, const int32_t * __restrict__ A3_pos, const int32_t * __restrict__ A3_crd,
        int32_t * __restrict__ C3_crd, double * __restrict__ C_vals, const double * __restrict__ A_vals,
        const double * __restrict__ x_vals, int32_t * __restrict__ C2_crd, int32_t * __restrict__ C3_pos, int32_t * __restrict__ C1_crd,
        int32_t * __restrict__ C2_pos)
{
    for (int64_t pA1 = i_begin_2 + (((int64_t) blockIdx.x) * blockDim.x + threadIdx.x); pA1 < i_end_2;
            pA1 += ((int64_t) gridDim.x) * blockDim.x) {
        int64_t pC1_own = pC1 + C1_first[pA1 - i_begin_2];
        int64_t pC2_own = pC2 + C2_first[pA1 - i_begin_2];
        int64_t pC3_own = pC3 + C3_first[pA1 - i_begin_2];
        const int64_t i = A1_crd[pA1];
        const int64_t pC2_own_begin = pC2_own;
        /* j: iterate A */
        for (int64_t pA2 = A2_pos[pA1], pA2_end = A2_pos[pA1 + 1]; pA2 < pA2_end; pA2++) {
            const int64_t j = A2_crd[pA2];
            const int64_t pC3_own_begin = pC3_own;
            /* k: iterate A; locate x */
            int64_t pA3_begin = A3_pos[pA2];
            int64_t pA3_end = A3_pos[pA2 + 1];
            for (int64_t pA3 = pA3_begin; pA3 < pA3_end; pA3++) {
                const int64_t k = A3_crd[pA3];
                C3_crd[pC3_own] = (int32_t) k;
                C_vals[pC3_own] = A_vals[pA3] * x_vals[k];
                pC3_own++;
            }
            if (pC3_own_begin < pC3_own) {
                C2_crd[pC2_own] = (int32_t) j;
                C3_pos[pC2_own + 1] = 0;
                C3_pos[pC2_own + 1] = (int32_t) (C3_pos[pC2_own + 1] + pC3_own - pC3_own_begin);
                pC2_own++;
            }
        }
        if (pC2_own_begin < pC2_own) {
            C1_crd[pC1_own] = (int32_t) i;
            C2_pos[pC1_own + 1] = 0;
            C2_pos[pC1_own + 1] = (int32_t) (C2_pos[pC1_own + 1] + pC2_own - pC2_own_begin);
            pC1_own++;
        }
    }
}
