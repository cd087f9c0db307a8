/*
 * C(i,j) = A(i,j) + B(i,j)    by split(i,i0,i1,32),parallelize(i0,GPUBlock,NoRaces)
 *
 * C: DCSR, float64, fill 0.0
 * A: DCSR, float64, fill 0.0
 * B: DCSR, float64, fill 0.0
 *
 * ∀i0  [GPUBlock NoRaces]
 *   ∀i1
 *     ∀j
 *       C(i,j) = A(i,j) + B(i,j)
 */
#include "gnomon_device.h"

GN_KERNEL void __launch_bounds__(256) assemble_count_i0(int64_t i0_end, const int32_t * __restrict__ A1_pos,
        const int32_t * __restrict__ A1_crd, int64_t A1_dimension, const int32_t * __restrict__ B1_pos,
        const int32_t * __restrict__ B1_crd, const int32_t * __restrict__ A2_pos, const int32_t * __restrict__ B2_pos,
        const int32_t * __restrict__ A2_crd, const int32_t * __restrict__ B2_crd, int64_t * __restrict__ C1_first,
        int64_t * __restrict__ C2_first)
{
    for (int64_t i0 = ((int64_t) blockIdx.x) * blockDim.x + threadIdx.x; i0 < i0_end;
            i0 += ((int64_t) gridDim.x) * blockDim.x) {
        int64_t pC1_own = 0;
        int64_t pC2_own = 0;
        /* i: co-iterate A, B */
        int64_t pA1_low = A1_pos[0];
        int64_t pA1_high = A1_pos[1];
        int64_t pA1_begin = pA1_low;
        int64_t pA1_begin_end = pA1_high;
        while (pA1_begin < pA1_begin_end) {
            const int64_t middle = (pA1_begin + pA1_begin_end) / 2;
            if (A1_crd[middle] < i0 * 32) {
                pA1_begin = middle + 1;
            } else {
                pA1_begin_end = middle;
            }
        }
        int64_t pA1_end = pA1_begin;
        int64_t pA1_end_end = pA1_high;
        while (pA1_end < pA1_end_end) {
            const int64_t middle = (pA1_end + pA1_end_end) / 2;
            if (A1_crd[middle] < gn_min_int64(A1_dimension, i0 * 32 + 32)) {
                pA1_end = middle + 1;
            } else {
                pA1_end_end = middle;
            }
        }
        int64_t pA1 = pA1_begin;
        int64_t pB1_low = B1_pos[0];
        int64_t pB1_high = B1_pos[1];
        int64_t pB1_begin = pB1_low;
        int64_t pB1_begin_end = pB1_high;
        while (pB1_begin < pB1_begin_end) {
            const int64_t middle = (pB1_begin + pB1_begin_end) / 2;
            if (B1_crd[middle] < i0 * 32) {
                pB1_begin = middle + 1;
            } else {
                pB1_begin_end = middle;
            }
        }
        int64_t pB1_end = pB1_begin;
        int64_t pB1_end_end = pB1_high;
        while (pB1_end < pB1_end_end) {
            const int64_t middle = (pB1_end + pB1_end_end) / 2;
            if (B1_crd[middle] < gn_min_int64(A1_dimension, i0 * 32 + 32)) {
                pB1_end = middle + 1;
            } else {
                pB1_end_end = middle;
            }
        }
        int64_t pB1 = pB1_begin;
        while (pA1 < pA1_end && pB1 < pB1_end) {
            const int64_t iA = A1_crd[pA1];
            const int64_t iB = B1_crd[pB1];
            const int64_t pC2_own_begin = pC2_own;
            if (iA == iB) {
                /* i1: iterate every i1 */
                /* j: co-iterate A, B */
                int64_t pA2 = A2_pos[pA1];
                int64_t pA2_end = A2_pos[pA1 + 1];
                int64_t pB2 = B2_pos[pB1];
                int64_t pB2_end = B2_pos[pB1 + 1];
                while (pA2 < pA2_end && pB2 < pB2_end) {
                    const int64_t jA = A2_crd[pA2];
                    const int64_t jB = B2_crd[pB2];
                    if (jA == jB) {
                        pC2_own++;
                        pA2++;
                        pB2++;
                    } else if (jA <= jB) {
                        pC2_own++;
                        pA2++;
                    } else {
                        pC2_own++;
                        pB2++;
                    }
                }
                while (pA2 < pA2_end) {
                    pC2_own++;
                    pA2++;
                }
                while (pB2 < pB2_end) {
                    pC2_own++;
                    pB2++;
                }
                pA1++;
                pB1++;
            } else if (iA <= iB) {
                /* i1: iterate every i1 */
                /* j: iterate A */
                int64_t pA2_begin = A2_pos[pA1];
                int64_t pA2_end = A2_pos[pA1 + 1];
                for (int64_t pA2 = pA2_begin; pA2 < pA2_end; pA2++) {
                    pC2_own++;
                }
                pA1++;
            } else {
                /* i1: iterate every i1 */
                /* j: iterate B */
                int64_t pB2_begin = B2_pos[pB1];
                int64_t pB2_end = B2_pos[pB1 + 1];
                for (int64_t pB2 = pB2_begin; pB2 < pB2_end; pB2++) {
                    pC2_own++;
                }
                pB1++;
            }
            if (pC2_own_begin < pC2_own) {
                pC1_own++;
            }
        }
        while (pA1 < pA1_end) {
            const int64_t pC2_own_begin = pC2_own;
            /* i1: iterate every i1 */
            /* j: iterate A */
            int64_t pA2_begin = A2_pos[pA1];
            int64_t pA2_end = A2_pos[pA1 + 1];
            for (int64_t pA2 = pA2_begin; pA2 < pA2_end; pA2++) {
                pC2_own++;
            }
            pA1++;
            if (pC2_own_begin < pC2_own) {
                pC1_own++;
            }
        }
        while (pB1 < pB1_end) {
            const int64_t pC2_own_begin = pC2_own;
            /* i1: iterate every i1 */
            /* j: iterate B */
            int64_t pB2_begin = B2_pos[pB1];
            int64_t pB2_end = B2_pos[pB1 + 1];
            for (int64_t pB2 = pB2_begin; pB2 < pB2_end; pB2++) {
                pC2_own++;
            }
            pB1++;
            if (pC2_own_begin < pC2_own) {
                pC1_own++;
            }
        }
        C1_first[i0 + 1] = pC1_own;
        C2_first[i0 + 1] = pC2_own;
    }
}

GN_KERNEL void __launch_bounds__(256) assemble_parts_of_C1_first(int64_t i0_end, int64_t * __restrict__ C1_first,
        int64_t * __restrict__ C_reached)
{
    __shared__ int64_t sums[256];
    const int64_t n = ((int64_t) blockIdx.x) * 256 + threadIdx.x;
    int64_t own = 0;
    if (n < i0_end) {
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
    if (n < i0_end) {
        C1_first[n + 1] = own;
    }
    if (threadIdx.x == 255) {
        C_reached[(int64_t) blockIdx.x] = own;
    }
}

GN_KERNEL void __launch_bounds__(256) assemble_reached_of_C1_first(int64_t i0_end, int64_t * __restrict__ C_reached)
{
    __shared__ int64_t sums[256];
    int64_t carry = 0;
    for (int64_t base = 0; base < (i0_end + 255) / 256; base += 256) {
        const int64_t n = base + threadIdx.x;
        int64_t own = 0;
        if (n < (i0_end + 255) / 256) {
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
        if (n < (i0_end + 255) / 256) {
            C_reached[n] = carry + own;
        }
        sums[threadIdx.x] = own;
        __syncthreads();
        carry += sums[255];
        __syncthreads();
    }
}

GN_KERNEL void __launch_bounds__(256) assemble_scan_C1_first(int64_t i0_end, int64_t * __restrict__ C1_first,
        const int64_t * __restrict__ C_reached, int64_t * __restrict__ C1_total)
{
    const int64_t n = ((int64_t) blockIdx.x) * 256 + threadIdx.x;
    if (n < i0_end) {
        if (0 < blockIdx.x) {
            C1_first[n + 1] += C_reached[((int64_t) blockIdx.x) - 1];
        }
        if (n + 1 == i0_end) {
            C1_total[0] = C1_first[n + 1];
        }
    }
}

GN_KERNEL void __launch_bounds__(256) assemble_parts_of_C2_first(int64_t i0_end, int64_t * __restrict__ C2_first,
        int64_t * __restrict__ C_reached)
{
    __shared__ int64_t sums[256];
    const int64_t n = ((int64_t) blockIdx.x) * 256 + threadIdx.x;
    int64_t own = 0;
    if (n < i0_end) {
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
    if (n < i0_end) {
        C2_first[n + 1] = own;
    }
    if (threadIdx.x == 255) {
        C_reached[(int64_t) blockIdx.x] = own;
    }
}

GN_KERNEL void __launch_bounds__(256) assemble_scan_C2_first(int64_t i0_end, int64_t * __restrict__ C2_first,
        const int64_t * __restrict__ C_reached, int64_t * __restrict__ C2_total)
{
    const int64_t n = ((int64_t) blockIdx.x) * 256 + threadIdx.x;
    if (n < i0_end) {
        if (0 < blockIdx.x) {
            C2_first[n + 1] += C_reached[((int64_t) blockIdx.x) - 1];
        }
        if (n + 1 == i0_end) {
            C2_total[0] = C2_first[n + 1];
        }
    }
}

GN_KERNEL void __launch_bounds__(256) assemble_i0(int64_t i0_end_2, int64_t pC1, const int64_t * __restrict__ C1_first,
        int64_t pC2, const int64_t * __restrict__ C2_first, const int32_t * __restrict__ A1_pos,
        const int32_t * __restrict__ A1_crd, int64_t A1_dimension, const int32_t * __restrict__ B1_pos,
        const int32_t * __restrict__ B1_crd, const int32_t * __restrict__ A2_pos, const int32_t * __restrict__ B2_pos,
        const int32_t * __restrict__ A2_crd, const int32_t * __restrict__ B2_crd, int32_t * __restrict__ C2_crd,
        int32_t * __restrict__ C1_crd, int32_t * __restrict__ C2_pos)
{
    for (int64_t i0 = ((int64_t) blockIdx.x) * blockDim.x + threadIdx.x; i0 < i0_end_2;
            i0 += ((int64_t) gridDim.x) * blockDim.x) {
        int64_t pC1_own = pC1 + C1_first[i0];
        int64_t pC2_own = pC2 + C2_first[i0];
        /* i: co-iterate A, B */
        int64_t pA1_low = A1_pos[0];
        int64_t pA1_high = A1_pos[1];
        int64_t pA1_begin = pA1_low;
        int64_t pA1_begin_end = pA1_high;
        while (pA1_begin < pA1_begin_end) {
            const int64_t middle = (pA1_begin + pA1_begin_end) / 2;
            if (A1_crd[middle] < i0 * 32) {
                pA1_begin = middle + 1;
            } else {
                pA1_begin_end = middle;
            }
        }
        int64_t pA1_end = pA1_begin;
        int64_t pA1_end_end = pA1_high;
        while (pA1_end < pA1_end_end) {
            const int64_t middle = (pA1_end + pA1_end_end) / 2;
            if (A1_crd[middle] < gn_min_int64(A1_dimension, i0 * 32 + 32)) {
                pA1_end = middle + 1;
            } else {
                pA1_end_end = middle;
            }
        }
        int64_t pA1 = pA1_begin;
        int64_t pB1_low = B1_pos[0];
        int64_t pB1_high = B1_pos[1];
        int64_t pB1_begin = pB1_low;
        int64_t pB1_begin_end = pB1_high;
        while (pB1_begin < pB1_begin_end) {
            const int64_t middle = (pB1_begin + pB1_begin_end) / 2;
            if (B1_crd[middle] < i0 * 32) {
                pB1_begin = middle + 1;
            } else {
                pB1_begin_end = middle;
            }
        }
        int64_t pB1_end = pB1_begin;
        int64_t pB1_end_end = pB1_high;
        while (pB1_end < pB1_end_end) {
            const int64_t middle = (pB1_end + pB1_end_end) / 2;
            if (B1_crd[middle] < gn_min_int64(A1_dimension, i0 * 32 + 32)) {
                pB1_end = middle + 1;
            } else {
                pB1_end_end = middle;
            }
        }
        int64_t pB1 = pB1_begin;
        while (pA1 < pA1_end && pB1 < pB1_end) {
            const int64_t iA = A1_crd[pA1];
            const int64_t iB = B1_crd[pB1];
            const int64_t i = gn_min_int64(iA, iB);
            const int64_t pC2_own_begin = pC2_own;
            if (iA == iB) {
                /* i1: iterate every i1 */
                /* j: co-iterate A, B */
                int64_t pA2 = A2_pos[pA1];
                int64_t pA2_end = A2_pos[pA1 + 1];
                int64_t pB2 = B2_pos[pB1];
                int64_t pB2_end = B2_pos[pB1 + 1];
                while (pA2 < pA2_end && pB2 < pB2_end) {
                    const int64_t jA = A2_crd[pA2];
                    const int64_t jB = B2_crd[pB2];
                    if (jA == jB) {
                        C2_crd[pC2_own] = (int32_t) jA;
                        pC2_own++;
                        pA2++;
                        pB2++;
                    } else if (jA <= jB) {
                        C2_crd[pC2_own] = (int32_t) jA;
                        pC2_own++;
                        pA2++;
                    } else {
                        C2_crd[pC2_own] = (int32_t) jB;
                        pC2_own++;
                        pB2++;
                    }
                }
                while (pA2 < pA2_end) {
                    const int64_t jA = A2_crd[pA2];
                    C2_crd[pC2_own] = (int32_t) jA;
                    pC2_own++;
                    pA2++;
                }
                while (pB2 < pB2_end) {
                    const int64_t jB = B2_crd[pB2];
                    C2_crd[pC2_own] = (int32_t) jB;
                    pC2_own++;
                    pB2++;
                }
                pA1++;
                pB1++;
            } else if (iA <= iB) {
                /* i1: iterate every i1 */
                /* j: iterate A */
                int64_t pA2_begin = A2_pos[pA1];
                int64_t pA2_end = A2_pos[pA1 + 1];
                for (int64_t pA2 = pA2_begin; pA2 < pA2_end; pA2++) {
                    const int64_t j = A2_crd[pA2];
                    C2_crd[pC2_own] = (int32_t) j;
                    pC2_own++;
                }
                pA1++;
            } else {
                /* i1: iterate every i1 */
                /* j: iterate B */
                int64_t pB2_begin = B2_pos[pB1];
                int64_t pB2_end = B2_pos[pB1 + 1];
                for (int64_t pB2 = pB2_begin; pB2 < pB2_end; pB2++) {
                    const int64_t j = B2_crd[pB2];
                    C2_crd[pC2_own] = (int32_t) j;
                    pC2_own++;
                }
                pB1++;
            }
            if (pC2_own_begin < pC2_own) {
                C1_crd[pC1_own] = (int32_t) i;
                C2_pos[pC1_own + 1] = 0;
                C2_pos[pC1_own + 1] = (int32_t) (C2_pos[pC1_own + 1] + pC2_own - pC2_own_begin);
                pC1_own++;
            }
        }
        while (pA1 < pA1_end) {
            const int64_t iA = A1_crd[pA1];
            const int64_t pC2_own_begin = pC2_own;
            /* i1: iterate every i1 */
            /* j: iterate A */
            int64_t pA2_begin = A2_pos[pA1];
            int64_t pA2_end = A2_pos[pA1 + 1];
            for (int64_t pA2 = pA2_begin; pA2 < pA2_end; pA2++) {
                const int64_t j = A2_crd[pA2];
                C2_crd[pC2_own] = (int32_t) j;
                pC2_own++;
            }
            pA1++;
            if (pC2_own_begin < pC2_own) {
                C1_crd[pC1_own] = (int32_t) iA;
                C2_pos[pC1_own + 1] = 0;
                C2_pos[pC1_own + 1] = (int32_t) (C2_pos[pC1_own + 1] + pC2_own - pC2_own_begin);
                pC1_own++;
            }
        }
        while (pB1 < pB1_end) {
            const int64_t iB = B1_crd[pB1];
            const int64_t pC2_own_begin = pC2_own;
            /* i1: iterate every i1 */
            /* j: iterate B */
            int64_t pB2_begin = B2_pos[pB1];
            int64_t pB2_end = B2_pos[pB1 + 1];
            for (int64_t pB2 = pB2_begin; pB2 < pB2_end; pB2++) {
                const int64_t j = B2_crd[pB2];
                C2_crd[pC2_own] = (int32_t) j;
                pC2_own++;
            }
            pB1++;
            if (pC2_own_begin < pC2_own) {
                C1_crd[pC1_own] = (int32_t) iB;
                C2_pos[pC1_own + 1] = 0;
                C2_pos[pC1_own + 1] = (int32_t) (C2_pos[pC1_own + 1] + pC2_own - pC2_own_begin);
                pC1_own++;
            }
        }
    }
}

GN_KERNEL void __launch_bounds__(256) compute_i0(int64_t i0_end_2, int64_t pC2, const int64_t * __restrict__ C2_first,
        const int32_t * __restrict__ A1_pos, const int32_t * __restrict__ A1_crd, int64_t A1_dimension,
        const int32_t * __restrict__ B1_pos, const int32_t * __restrict__ B1_crd, const int32_t * __restrict__ A2_pos,
        const int32_t * __restrict__ B2_pos, const int32_t * __restrict__ A2_crd, const int32_t * __restrict__ B2_crd,
        double * __restrict__ C_vals, const double * __restrict__ A_vals, const double * __restrict__ B_vals)
{
    for (int64_t i0 = ((int64_t) blockIdx.x) * blockDim.x + threadIdx.x; i0 < i0_end_2;
            i0 += ((int64_t) gridDim.x) * blockDim.x) {
        int64_t pC2_own = pC2 + C2_first[i0];
        /* i: co-iterate A, B */
        int64_t pA1_low = A1_pos[0];
        int64_t pA1_high = A1_pos[1];
        int64_t pA1_begin = pA1_low;
        int64_t pA1_begin_end = pA1_high;
        while (pA1_begin < pA1_begin_end) {
            const int64_t middle = (pA1_begin + pA1_begin_end) / 2;
            if (A1_crd[middle] < i0 * 32) {
                pA1_begin = middle + 1;
            } else {
                pA1_begin_end = middle;
            }
        }
        int64_t pA1_end = pA1_begin;
        int64_t pA1_end_end = pA1_high;
        while (pA1_end < pA1_end_end) {
            const int64_t middle = (pA1_end + pA1_end_end) / 2;
            if (A1_crd[middle] < gn_min_int64(A1_dimension, i0 * 32 + 32)) {
                pA1_end = middle + 1;
            } else {
                pA1_end_end = middle;
            }
        }
        int64_t pA1 = pA1_begin;
        int64_t pB1_low = B1_pos[0];
        int64_t pB1_high = B1_pos[1];
        int64_t pB1_begin = pB1_low;
        int64_t pB1_begin_end = pB1_high;
        while (pB1_begin < pB1_begin_end) {
            const int64_t middle = (pB1_begin + pB1_begin_end) / 2;
            if (B1_crd[middle] < i0 * 32) {
                pB1_begin = middle + 1;
            } else {
                pB1_begin_end = middle;
            }
        }
        int64_t pB1_end = pB1_begin;
        int64_t pB1_end_end = pB1_high;
        while (pB1_end < pB1_end_end) {
            const int64_t middle = (pB1_end + pB1_end_end) / 2;
            if (B1_crd[middle] < gn_min_int64(A1_dimension, i0 * 32 + 32)) {
                pB1_end = middle + 1;
            } else {
                pB1_end_end = middle;
            }
        }
        int64_t pB1 = pB1_begin;
        while (pA1 < pA1_end && pB1 < pB1_end) {
            const int64_t iA = A1_crd[pA1];
            const int64_t iB = B1_crd[pB1];
            if (iA == iB) {
                /* i1: iterate every i1 */
                /* j: co-iterate A, B */
                int64_t pA2 = A2_pos[pA1];
                int64_t pA2_end = A2_pos[pA1 + 1];
                int64_t pB2 = B2_pos[pB1];
                int64_t pB2_end = B2_pos[pB1 + 1];
                while (pA2 < pA2_end && pB2 < pB2_end) {
                    const int64_t jA = A2_crd[pA2];
                    const int64_t jB = B2_crd[pB2];
                    if (jA == jB) {
                        C_vals[pC2_own] = A_vals[pA2] + B_vals[pB2];
                        pC2_own++;
                        pA2++;
                        pB2++;
                    } else if (jA <= jB) {
                        C_vals[pC2_own] = A_vals[pA2];
                        pC2_own++;
                        pA2++;
                    } else {
                        C_vals[pC2_own] = B_vals[pB2];
                        pC2_own++;
                        pB2++;
                    }
                }
                while (pA2 < pA2_end) {
                    C_vals[pC2_own] = A_vals[pA2];
                    pC2_own++;
                    pA2++;
                }
                while (pB2 < pB2_end) {
                    C_vals[pC2_own] = B_vals[pB2];
                    pC2_own++;
                    pB2++;
                }
                pA1++;
                pB1++;
            } else if (iA <= iB) {
                /* i1: iterate every i1 */
                /* j: iterate A */
                int64_t pA2_begin = A2_pos[pA1];
                int64_t pA2_end = A2_pos[pA1 + 1];
                for (int64_t pA2 = pA2_begin; pA2 < pA2_end; pA2++) {
                    C_vals[pC2_own] = A_vals[pA2];
                    pC2_own++;
                }
                pA1++;
            } else {
                /* i1: iterate every i1 */
                /* j: iterate B */
                int64_t pB2_begin = B2_pos[pB1];
                int64_t pB2_end = B2_pos[pB1 + 1];
                for (int64_t pB2 = pB2_begin; pB2 < pB2_end; pB2++) {
                    C_vals[pC2_own] = B_vals[pB2];
                    pC2_own++;
                }
                pB1++;
            }
        }
        while (pA1 < pA1_end) {
            /* i1: iterate every i1 */
            /* j: iterate A */
            int64_t pA2_begin = A2_pos[pA1];
            int64_t pA2_end = A2_pos[pA1 + 1];
            for (int64_t pA2 = pA2_begin; pA2 < pA2_end; pA2++) {
                C_vals[pC2_own] = A_vals[pA2];
                pC2_own++;
            }
            pA1++;
        }
        while (pB1 < pB1_end) {
            /* i1: iterate every i1 */
            /* j: iterate B */
            int64_t pB2_begin = B2_pos[pB1];
            int64_t pB2_end = B2_pos[pB1 + 1];
            for (int64_t pB2 = pB2_begin; pB2 < pB2_end; pB2++) {
                C_vals[pC2_own] = B_vals[pB2];
                pC2_own++;
            }
            pB1++;
        }
    }
}

GN_KERNEL void __launch_bounds__(256) evaluate_i0(int64_t i0_end_2, int64_t pC1, const int64_t * __restrict__ C1_first,
        int64_t pC2, const int64_t * __restrict__ C2_first, const int32_t * __restrict__ A1_pos,
        const int32_t * __restrict__ A1_crd, int64_t A1_dimension, const int32_t * __restrict__ B1_pos,
        const int32_t * __restrict__ B1_crd, const int32_t * __restrict__ A2_pos, const int32_t * __restrict__ B2_pos,
        const int32_t * __restrict__ A2_crd, const int32_t * __restrict__ B2_crd, int32_t * __restrict__ C2_crd,
        double * __restrict__ C_vals, const double * __restrict__ A_vals, const double * __restrict__ B_vals,
        int32_t * __restrict__ C1_crd, int32_t * __restrict__ C2_pos)
{
    for (int64_t i0 = ((int64_t) blockIdx.x) * blockDim.x + threadIdx.x; i0 < i0_end_2;
            i0 += ((int64_t) gridDim.x) * blockDim.x) {
        int64_t pC1_own = pC1 + C1_first[i0];
        int64_t pC2_own = pC2 + C2_first[i0];
        /* i: co-iterate A, B */
        int64_t pA1_low = A1_pos[0];
        int64_t pA1_high = A1_pos[1];
        int64_t pA1_begin = pA1_low;
        int64_t pA1_begin_end = pA1_high;
        while (pA1_begin < pA1_begin_end) {
            const int64_t middle = (pA1_begin + pA1_begin_end) / 2;
            if (A1_crd[middle] < i0 * 32) {
                pA1_begin = middle + 1;
            } else {
                pA1_begin_end = middle;
            }
        }
        int64_t pA1_end = pA1_begin;
        int64_t pA1_end_end = pA1_high;
        while (pA1_end < pA1_end_end) {
            const int64_t middle = (pA1_end + pA1_end_end) / 2;
            if (A1_crd[middle] < gn_min_int64(A1_dimension, i0 * 32 + 32)) {
                pA1_end = middle + 1;
            } else {
                pA1_end_end = middle;
            }
        }
        int64_t pA1 = pA1_begin;
        int64_t pB1_low = B1_pos[0];
        int64_t pB1_high = B1_pos[1];
        int64_t pB1_begin = pB1_low;
        int64_t pB1_begin_end = pB1_high;
        while (pB1_begin < pB1_begin_end) {
            const int64_t middle = (pB1_begin + pB1_begin_end) / 2;
            if (B1_crd[middle] < i0 * 32) {
                pB1_begin = middle + 1;
            } else {
                pB1_begin_end = middle;
            }
        }
        int64_t pB1_end = pB1_begin;
        int64_t pB1_end_end = pB1_high;
        while (pB1_end < pB1_end_end) {
            const int64_t middle = (pB1_end + pB1_end_end) / 2;
            if (B1_crd[middle] < gn_min_int64(A1_dimension, i0 * 32 + 32)) {
                pB1_end = middle + 1;
            } else {
                pB1_end_end = middle;
            }
        }
        int64_t pB1 = pB1_begin;
        while (pA1 < pA1_end && pB1 < pB1_end) {
            const int64_t iA = A1_crd[pA1];
            const int64_t iB = B1_crd[pB1];
            const int64_t i = gn_min_int64(iA, iB);
            const int64_t pC2_own_begin = pC2_own;
            if (iA == iB) {
                /* i1: iterate every i1 */
                /* j: co-iterate A, B */
                int64_t pA2 = A2_pos[pA1];
                int64_t pA2_end = A2_pos[pA1 + 1];
                int64_t pB2 = B2_pos[pB1];
                int64_t pB2_end = B2_pos[pB1 + 1];
                while (pA2 < pA2_end && pB2 < pB2_end) {
                    const int64_t jA = A2_crd[pA2];
                    const int64_t jB = B2_crd[pB2];
                    if (jA == jB) {
                        C2_crd[pC2_own] = (int32_t) jA;
                        C_vals[pC2_own] = A_vals[pA2] + B_vals[pB2];
                        pC2_own++;
                        pA2++;
                        pB2++;
                    } else if (jA <= jB) {
                        C2_crd[pC2_own] = (int32_t) jA;
                        C_vals[pC2_own] = A_vals[pA2];
                        pC2_own++;
                        pA2++;
                    } else {
                        C2_crd[pC2_own] = (int32_t) jB;
                        C_vals[pC2_own] = B_vals[pB2];
                        pC2_own++;
                        pB2++;
                    }
                }
                while (pA2 < pA2_end) {
                    const int64_t jA = A2_crd[pA2];
                    C2_crd[pC2_own] = (int32_t) jA;
                    C_vals[pC2_own] = A_vals[pA2];
                    pC2_own++;
                    pA2++;
                }
                while (pB2 < pB2_end) {
                    const int64_t jB = B2_crd[pB2];
                    C2_crd[pC2_own] = (int32_t) jB;
                    C_vals[pC2_own] = B_vals[pB2];
                    pC2_own++;
                    pB2++;
                }
                pA1++;
                pB1++;
            } else if (iA <= iB) {
                /* i1: iterate every i1 */
                /* j: iterate A */
                int64_t pA2_begin = A2_pos[pA1];
                int64_t pA2_end = A2_pos[pA1 + 1];
                for (int64_t pA2 = pA2_begin; pA2 < pA2_end; pA2++) {
                    const int64_t j = A2_crd[pA2];
                    C2_crd[pC2_own] = (int32_t) j;
                    C_vals[pC2_own] = A_vals[pA2];
                    pC2_own++;
                }
                pA1++;
            } else {
                /* i1: iterate every i1 */
                /* j: iterate B */
                int64_t pB2_begin = B2_pos[pB1];
                int64_t pB2_end = B2_pos[pB1 + 1];
                for (int64_t pB2 = pB2_begin; pB2 < pB2_end; pB2++) {
                    const int64_t j = B2_crd[pB2];
                    C2_crd[pC2_own] = (int32_t) j;
                    C_vals[pC2_own] = B_vals[pB2];
                    pC2_own++;
                }
                pB1++;
            }
            if (pC2_own_begin < pC2_own) {
                C1_crd[pC1_own] = (int32_t) i;
                C2_pos[pC1_own + 1] = 0;
                C2_pos[pC1_own + 1] = (int32_t) (C2_pos[pC1_own + 1] + pC2_own - pC2_own_begin);
                pC1_own++;
            }
        }
        while (pA1 < pA1_end) {
            const int64_t iA = A1_crd[pA1];
            const int64_t pC2_own_begin = pC2_own;
            /* i1: iterate every i1 */
            /* j: iterate A */
            int64_t pA2_begin = A2_pos[pA1];
            int64_t pA2_end = A2_pos[pA1 + 1];
            for (int64_t pA2 = pA2_begin; pA2 < pA2_end; pA2++) {
                const int64_t j = A2_crd[pA2];
                C2_crd[pC2_own] = (int32_t) j;
                C_vals[pC2_own] = A_vals[pA2];
                pC2_own++;
            }
            pA1++;
            if (pC2_own_begin < pC2_own) {
                C1_crd[pC1_own] = (int32_t) iA;
                C2_pos[pC1_own + 1] = 0;
                C2_pos[pC1_own + 1] = (int32_t) (C2_pos[pC1_own + 1] + pC2_own - pC2_own_begin);
                pC1_own++;
            }
        }
        while (pB1 < pB1_end) {
            const int64_t iB = B1_crd[pB1];
            const int64_t pC2_own_begin = pC2_own;
            /* i1: iterate every i1 */
            /* j: iterate B */
            int64_t pB2_begin = B2_pos[pB1];
            int64_t pB2_end = B2_pos[pB1 + 1];
            for (int64_t pB2 = pB2_begin; pB2 < pB2_end; pB2++) {
                const int64_t j = B2_crd[pB2];
                C2_crd[pC2_own] = (int32_t) j;
                C_vals[pC2_own] = B_vals[pB2];
                pC2_own++;
            }
            pB1++;
            if (pC2_own_begin < pC2_own) {
                C1_crd[pC1_own] = (int32_t) iB;
                C2_pos[pC1_own + 1] = 0;
                C2_pos[pC1_own + 1] = (int32_t) (C2_pos[pC1_own + 1] + pC2_own - pC2_own_begin);
                pC1_own++;
            }
        }
    }
}
