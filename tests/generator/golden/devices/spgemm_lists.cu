/*
 * C(i,j) = A(i,k) * B(k,j)    by parallelize(i,GPUBlock,NoRaces),pos(k,k_at,A(i,k)),split(k_at,part,warp,32),reorder(warp,part),pos(j,j_at,B(k,j)),split(j_at,piece,lane,8),reorder(lane,piece),parallelize(warp,GPUWarp,IgnoreRaces),parallelize(lane,GPUThread,Atomics)
 *
 * C: CSR, float64, fill 0.0
 * A: CSR, float64, fill 0.0
 * B: CSR, float64, fill 0.0
 *
 * ∀i  [GPUBlock NoRaces]
 *   ∀j
 *     C(i,j) = w(j)
 *   where w:
 *     ∀warp  [GPUWarp IgnoreRaces]
 *       ∀part
 *         ∀lane  [GPUThread Atomics]
 *           ∀piece
 *             w(j) += A(i,k) * B(k,j)
 */
#include "gnomon_device.h"

GN_KERNEL void __launch_bounds__(256) assemble_count_i(int32_t * __restrict__ w1_flag_slices, int64_t B2_dimension,
        int32_t * __restrict__ w1_crd_slices, int64_t A1_dimension, const int32_t * __restrict__ A2_pos,
        const int32_t * __restrict__ A2_crd, const int32_t * __restrict__ B2_pos, const int32_t * __restrict__ B2_crd,
        int64_t * __restrict__ C2_first)
{
    int32_t * __restrict__ w1_flag = &w1_flag_slices[((int64_t) blockIdx.x) * B2_dimension];
    int32_t * __restrict__ w1_crd = &w1_crd_slices[((int64_t) blockIdx.x) * B2_dimension];
    __shared__ int64_t w1_count[1];
    if (threadIdx.x == 0) {
        w1_count[0] = 0;
    }
    for (int64_t p = threadIdx.x; p < B2_dimension; p += 256) {
        w1_flag[p] = 0;
    }
    __syncthreads();
    for (int64_t i = (int64_t) blockIdx.x; i < A1_dimension; i += (int64_t) gridDim.x) {
        int64_t pC2_own = 0;
        int64_t w1_before = w1_count[0];
        for (int64_t n = threadIdx.x; n < w1_before; n += 256) {
            w1_flag[w1_crd[n]] = 0;
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            w1_count[0] = 0;
        }
        __syncthreads();
        /* warp: iterate every warp */
        const int64_t warp = threadIdx.x / 8;
        if (warp < gn_min_int64(32, ((int64_t) A2_pos[i + 1]) - A2_pos[i])) {
            /* k: iterate A; locate B */
            int64_t pA2_first = A2_pos[i] + warp;
            int64_t pA2_last = (int64_t) A2_pos[i + 1];
            for (int64_t pA2 = pA2_first; pA2 < pA2_last; pA2 += 32) {
                const int64_t k = A2_crd[pA2];
                /* part: iterate every part */
                /* lane: iterate every lane */
                const int64_t lane = threadIdx.x % 8;
                if (lane < gn_min_int64(8, ((int64_t) B2_pos[k + 1]) - B2_pos[k])) {
                    /* j: iterate B */
                    int64_t pB2_first = B2_pos[k] + lane;
                    int64_t pB2_last = (int64_t) B2_pos[k + 1];
                    for (int64_t pB2 = pB2_first; pB2 < pB2_last; pB2 += 8) {
                        const int64_t j = B2_crd[pB2];
                        bool tw_present = false;
                        /* piece: iterate every piece */
                        tw_present = true;
                        if (tw_present) {
                            int64_t pw1 = j;
                            int32_t my_seen = gn_atomic_load_int32(&w1_flag[pw1]);
                            if (my_seen == 0 && gn_atomic_exchange_int32(&w1_flag[pw1], &my_seen, 1)) {
                                w1_crd[gn_atomic_add_int64(&w1_count[0], 1)] = (int32_t) j;
                            }
                        }
                    }
                }
            }
        }
        __syncthreads();
        /* j: iterate w */
        int64_t w1_end = w1_count[0];
        pC2_own += w1_end;
        __syncthreads();
        if (threadIdx.x == 0) {
            C2_first[i + 1] = pC2_own;
        }
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

GN_KERNEL void __launch_bounds__(256) assemble_i(int32_t * __restrict__ w1_flag_slices_2, int64_t B2_dimension,
        int32_t * __restrict__ w1_crd_slices_2, int64_t A1_dimension, int64_t pC2, const int64_t * __restrict__ C2_first,
        const int32_t * __restrict__ A2_pos, const int32_t * __restrict__ A2_crd, const int32_t * __restrict__ B2_pos,
        const int32_t * __restrict__ B2_crd, int32_t * __restrict__ C2_crd, int32_t * __restrict__ C2_pos)
{
    int32_t * __restrict__ w1_flag = &w1_flag_slices_2[((int64_t) blockIdx.x) * B2_dimension];
    int32_t * __restrict__ w1_crd = &w1_crd_slices_2[((int64_t) blockIdx.x) * B2_dimension];
    __shared__ int64_t w1_count[1];
    if (threadIdx.x == 0) {
        w1_count[0] = 0;
    }
    for (int64_t p = threadIdx.x; p < B2_dimension; p += 256) {
        w1_flag[p] = 0;
    }
    __syncthreads();
    for (int64_t i = (int64_t) blockIdx.x; i < A1_dimension; i += (int64_t) gridDim.x) {
        int64_t pC2_own = pC2 + C2_first[i];
        const int64_t pC2_own_begin = pC2_own;
        int64_t w1_before = w1_count[0];
        for (int64_t n = threadIdx.x; n < w1_before; n += 256) {
            w1_flag[w1_crd[n]] = 0;
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            w1_count[0] = 0;
        }
        __syncthreads();
        /* warp: iterate every warp */
        const int64_t warp = threadIdx.x / 8;
        if (warp < gn_min_int64(32, ((int64_t) A2_pos[i + 1]) - A2_pos[i])) {
            /* k: iterate A; locate B */
            int64_t pA2_first = A2_pos[i] + warp;
            int64_t pA2_last = (int64_t) A2_pos[i + 1];
            for (int64_t pA2 = pA2_first; pA2 < pA2_last; pA2 += 32) {
                const int64_t k = A2_crd[pA2];
                /* part: iterate every part */
                /* lane: iterate every lane */
                const int64_t lane = threadIdx.x % 8;
                if (lane < gn_min_int64(8, ((int64_t) B2_pos[k + 1]) - B2_pos[k])) {
                    /* j: iterate B */
                    int64_t pB2_first = B2_pos[k] + lane;
                    int64_t pB2_last = (int64_t) B2_pos[k + 1];
                    for (int64_t pB2 = pB2_first; pB2 < pB2_last; pB2 += 8) {
                        const int64_t j = B2_crd[pB2];
                        bool tw_present = false;
                        /* piece: iterate every piece */
                        tw_present = true;
                        if (tw_present) {
                            int64_t pw1 = j;
                            int32_t my_seen = gn_atomic_load_int32(&w1_flag[pw1]);
                            if (my_seen == 0 && gn_atomic_exchange_int32(&w1_flag[pw1], &my_seen, 1)) {
                                w1_crd[gn_atomic_add_int64(&w1_count[0], 1)] = (int32_t) j;
                            }
                        }
                    }
                }
            }
        }
        __syncthreads();
        gn_sort_block_int32(w1_crd, w1_count[0]);
        __syncthreads();
        /* j: iterate w */
        int64_t w1_end = w1_count[0];
        for (int64_t n = threadIdx.x; n < w1_end; n += 256) {
            const int64_t j = w1_crd[n];
            C2_crd[pC2_own + n] = (int32_t) j;
        }
        pC2_own += w1_end;
        __syncthreads();
        if (threadIdx.x == 0) {
            C2_pos[i + 1] = (int32_t) (C2_pos[i + 1] + pC2_own - pC2_own_begin);
        }
    }
}

GN_KERNEL void __launch_bounds__(256) compute_i(int32_t * __restrict__ w1_flag_slices_2, int64_t B2_dimension,
        double * __restrict__ w_vals_slices, int32_t * __restrict__ w1_crd_slices_2, int64_t A1_dimension, int64_t pC2,
        const int64_t * __restrict__ C2_first, const int32_t * __restrict__ A2_pos, const int32_t * __restrict__ A2_crd,
        const int32_t * __restrict__ B2_pos, const int32_t * __restrict__ B2_crd, const double * __restrict__ A_vals,
        const double * __restrict__ B_vals, double * __restrict__ C_vals)
{
    int32_t * __restrict__ w1_flag = &w1_flag_slices_2[((int64_t) blockIdx.x) * B2_dimension];
    double * __restrict__ w_vals = &w_vals_slices[((int64_t) blockIdx.x) * B2_dimension];
    int32_t * __restrict__ w1_crd = &w1_crd_slices_2[((int64_t) blockIdx.x) * B2_dimension];
    __shared__ int64_t w1_count[1];
    if (threadIdx.x == 0) {
        w1_count[0] = 0;
    }
    for (int64_t p = threadIdx.x; p < B2_dimension; p += 256) {
        w1_flag[p] = 0;
    }
    for (int64_t p = threadIdx.x; p < B2_dimension; p += 256) {
        w_vals[p] = 0.0;
    }
    __syncthreads();
    for (int64_t i = (int64_t) blockIdx.x; i < A1_dimension; i += (int64_t) gridDim.x) {
        int64_t pC2_own = pC2 + C2_first[i];
        int64_t w1_before = w1_count[0];
        for (int64_t n = threadIdx.x; n < w1_before; n += 256) {
            w1_flag[w1_crd[n]] = 0;
            w_vals[w1_crd[n]] = 0.0;
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            w1_count[0] = 0;
        }
        __syncthreads();
        /* warp: iterate every warp */
        const int64_t warp = threadIdx.x / 8;
        if (warp < gn_min_int64(32, ((int64_t) A2_pos[i + 1]) - A2_pos[i])) {
            /* k: iterate A; locate B */
            int64_t pA2_first = A2_pos[i] + warp;
            int64_t pA2_last = (int64_t) A2_pos[i + 1];
            for (int64_t pA2 = pA2_first; pA2 < pA2_last; pA2 += 32) {
                const int64_t k = A2_crd[pA2];
                /* part: iterate every part */
                /* lane: iterate every lane */
                const int64_t lane = threadIdx.x % 8;
                if (lane < gn_min_int64(8, ((int64_t) B2_pos[k + 1]) - B2_pos[k])) {
                    /* j: iterate B */
                    int64_t pB2_first = B2_pos[k] + lane;
                    int64_t pB2_last = (int64_t) B2_pos[k + 1];
                    for (int64_t pB2 = pB2_first; pB2 < pB2_last; pB2 += 8) {
                        const int64_t j = B2_crd[pB2];
                        double tw = 0.0;
                        bool tw_present = false;
                        /* piece: iterate every piece */
                        tw += A_vals[pA2] * B_vals[pB2];
                        tw_present = true;
                        if (tw_present) {
                            int64_t pw1 = j;
                            int32_t my_seen = gn_atomic_load_int32(&w1_flag[pw1]);
                            if (my_seen == 0 && gn_atomic_exchange_int32(&w1_flag[pw1], &my_seen, 1)) {
                                w1_crd[gn_atomic_add_int64(&w1_count[0], 1)] = (int32_t) j;
                            }
                            atomicAdd(&w_vals[pw1], tw);
                        }
                    }
                }
            }
        }
        __syncthreads();
        gn_sort_block_int32(w1_crd, w1_count[0]);
        __syncthreads();
        /* j: iterate w */
        int64_t w1_end = w1_count[0];
        for (int64_t n = threadIdx.x; n < w1_end; n += 256) {
            const int64_t j = w1_crd[n];
            int64_t q = j;
            C_vals[pC2_own + n] = w_vals[q];
        }
        pC2_own += w1_end;
        __syncthreads();
    }
}

GN_KERNEL void __launch_bounds__(256) evaluate_i(int32_t * __restrict__ w1_flag_slices_2, int64_t B2_dimension,
        double * __restrict__ w_vals_slices, int32_t * __restrict__ w1_crd_slices_2, int64_t A1_dimension, int64_t pC2,
        const int64_t * __restrict__ C2_first, const int32_t * __restrict__ A2_pos, const int32_t * __restrict__ A2_crd,
        const int32_t * __restrict__ B2_pos, const int32_t * __restrict__ B2_crd, const double * __restrict__ A_vals,
        const double * __restrict__ B_vals, int32_t * __restrict__ C2_crd, double * __restrict__ C_vals, int32_t * __restrict__ C2_pos)
{
    int32_t * __restrict__ w1_flag = &w1_flag_slices_2[((int64_t) blockIdx.x) * B2_dimension];
    double * __restrict__ w_vals = &w_vals_slices[((int64_t) blockIdx.x) * B2_dimension];
    int32_t * __restrict__ w1_crd = &w1_crd_slices_2[((int64_t) blockIdx.x) * B2_dimension];
    __shared__ int64_t w1_count[1];
    if (threadIdx.x == 0) {
        w1_count[0] = 0;
    }
    for (int64_t p = threadIdx.x; p < B2_dimension; p += 256) {
        w1_flag[p] = 0;
    }
    for (int64_t p = threadIdx.x; p < B2_dimension; p += 256) {
        w_vals[p] = 0.0;
    }
    __syncthreads();
    for (int64_t i = (int64_t) blockIdx.x; i < A1_dimension; i += (int64_t) gridDim.x) {
        int64_t pC2_own = pC2 + C2_first[i];
        const int64_t pC2_own_begin = pC2_own;
        int64_t w1_before = w1_count[0];
        for (int64_t n = threadIdx.x; n < w1_before; n += 256) {
            w1_flag[w1_crd[n]] = 0;
            w_vals[w1_crd[n]] = 0.0;
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            w1_count[0] = 0;
        }
        __syncthreads();
        /* warp: iterate every warp */
        const int64_t warp = threadIdx.x / 8;
        if (warp < gn_min_int64(32, ((int64_t) A2_pos[i + 1]) - A2_pos[i])) {
            /* k: iterate A; locate B */
            int64_t pA2_first = A2_pos[i] + warp;
            int64_t pA2_last = (int64_t) A2_pos[i + 1];
            for (int64_t pA2 = pA2_first; pA2 < pA2_last; pA2 += 32) {
                const int64_t k = A2_crd[pA2];
                /* part: iterate every part */
                /* lane: iterate every lane */
                const int64_t lane = threadIdx.x % 8;
                if (lane < gn_min_int64(8, ((int64_t) B2_pos[k + 1]) - B2_pos[k])) {
                    /* j: iterate B */
                    int64_t pB2_first = B2_pos[k] + lane;
                    int64_t pB2_last = (int64_t) B2_pos[k + 1];
                    for (int64_t pB2 = pB2_first; pB2 < pB2_last; pB2 += 8) {
                        const int64_t j = B2_crd[pB2];
                        double tw = 0.0;
                        bool tw_present = false;
                        /* piece: iterate every piece */
                        tw += A_vals[pA2] * B_vals[pB2];
                        tw_present = true;
                        if (tw_present) {
                            int64_t pw1 = j;
                            int32_t my_seen = gn_atomic_load_int32(&w1_flag[pw1]);
                            if (my_seen == 0 && gn_atomic_exchange_int32(&w1_flag[pw1], &my_seen, 1)) {
                                w1_crd[gn_atomic_add_int64(&w1_count[0], 1)] = (int32_t) j;
                            }
                            atomicAdd(&w_vals[pw1], tw);
                        }
                    }
                }
            }
        }
        __syncthreads();
        gn_sort_block_int32(w1_crd, w1_count[0]);
        __syncthreads();
        /* j: iterate w */
        int64_t w1_end = w1_count[0];
        for (int64_t n = threadIdx.x; n < w1_end; n += 256) {
            const int64_t j = w1_crd[n];
            int64_t q = j;
            C2_crd[pC2_own + n] = (int32_t) j;
            C_vals[pC2_own + n] = w_vals[q];
        }
        pC2_own += w1_end;
        __syncthreads();
        if (threadIdx.x == 0) {
            C2_pos[i + 1] = (int32_t) (C2_pos[i + 1] + pC2_own - pC2_own_begin);
        }
    }
}
