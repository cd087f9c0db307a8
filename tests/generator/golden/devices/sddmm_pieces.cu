/*
 * A(i,k) = B(i,k) * C(i,j) * D(k,j)    by collapse(i,k,f),pos(f,fpos,B(i,k)),split(fpos,block,nnz,32),split(j,part,lane,32),reorder(block,nnz,lane,part),parallelize(block,GPUBlock,NoRaces),parallelize(lane,GPUThread,ParallelReduction)
 *
 * A: CSR, float64, fill 0.0
 * B: CSR, float64, fill 0.0
 * C: dense,dense, float64, fill 0.0
 * D: dense,dense, float64, fill 0.0
 *
 * ∀block  [GPUBlock NoRaces]
 *   ∀nnz
 *     ∀lane  [GPUThread ParallelReduction]
 *       ∀part
 *         A(i,k) += B(i,k) * (C(i,j) * D(k,j))
 */
#include "gnomon_device.h"

GN_KERNEL void __launch_bounds__(256) assemble_count_block(int64_t block_end, const int32_t * __restrict__ B2_pos,
        int64_t B1_dimension, int64_t C2_dimension, int64_t * __restrict__ A2_first)
{
    for (int64_t block = ((int64_t) blockIdx.x) * blockDim.x + threadIdx.x; block < block_end;
            block += ((int64_t) gridDim.x) * blockDim.x) {
        int64_t pA2_own = 0;
        /* i: iterate every i; locate B, C */
        int64_t pB2_first = B2_pos[0] + block * 32;
        int64_t pB2_last = B2_pos[0] + gn_min_int64(((int64_t) B2_pos[B1_dimension]) - B2_pos[0], block * 32 + 32);
        int64_t pB1_first = 0;
        int64_t pB1_first_end = B1_dimension;
        while (pB1_first < pB1_first_end) {
            const int64_t middle = (pB1_first + pB1_first_end) / 2;
            if (B2_pos[middle + 1] <= pB2_first) {
                pB1_first = middle + 1;
            } else {
                pB1_first_end = middle;
            }
        }
        int64_t pB1_last = pB1_first;
        while (pB1_last < B1_dimension && B2_pos[pB1_last] < pB2_last) {
            pB1_last++;
        }
        for (int64_t i = pB1_first, i_end = gn_min_int64(B1_dimension, pB1_last); i < i_end; i++) {
            /* k: iterate B; locate D */
            int64_t pB2_begin = gn_max_int64(B2_pos[i], pB2_first);
            int64_t pB2_end = gn_min_int64(B2_pos[i + 1], pB2_last);
            for (int64_t pB2 = pB2_begin; pB2 < pB2_end; pB2++) {
                bool tA_present = false;
                /* nnz: iterate every nnz */
                /* lane: iterate every lane */
                for (int64_t lane = 0, lane_end = gn_min_int64(32, C2_dimension); lane < lane_end; lane++) {
                    /* j: iterate every j; locate C, D */
                    for (int64_t j = lane; j < C2_dimension; j += 32) {
                        /* part: iterate every part */
                        tA_present = true;
                    }
                }
                if (tA_present) {
                    pA2_own++;
                }
            }
        }
        A2_first[block + 1] = pA2_own;
    }
}

GN_KERNEL void __launch_bounds__(256) assemble_parts_of_A2_first(int64_t block_end, int64_t * __restrict__ A2_first,
        int64_t * __restrict__ A_reached)
{
    __shared__ int64_t sums[256];
    const int64_t n = ((int64_t) blockIdx.x) * 256 + threadIdx.x;
    int64_t own = 0;
    if (n < block_end) {
        own = A2_first[n + 1];
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
    if (n < block_end) {
        A2_first[n + 1] = own;
    }
    if (threadIdx.x == 255) {
        A_reached[(int64_t) blockIdx.x] = own;
    }
}

GN_KERNEL void __launch_bounds__(256) assemble_reached_of_A2_first(int64_t block_end, int64_t * __restrict__ A_reached)
{
    __shared__ int64_t sums[256];
    int64_t carry = 0;
    for (int64_t base = 0; base < (block_end + 255) / 256; base += 256) {
        const int64_t n = base + threadIdx.x;
        int64_t own = 0;
        if (n < (block_end + 255) / 256) {
            own = A_reached[n];
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
        if (n < (block_end + 255) / 256) {
            A_reached[n] = carry + own;
        }
        sums[threadIdx.x] = own;
        __syncthreads();
        carry += sums[255];
        __syncthreads();
    }
}

GN_KERNEL void __launch_bounds__(256) assemble_scan_A2_first(int64_t block_end, int64_t * __restrict__ A2_first,
        const int64_t * __restrict__ A_reached, int64_t * __restrict__ A2_total)
{
    const int64_t n = ((int64_t) blockIdx.x) * 256 + threadIdx.x;
    if (n < block_end) {
        if (0 < blockIdx.x) {
            A2_first[n + 1] += A_reached[((int64_t) blockIdx.x) - 1];
        }
        if (n + 1 == block_end) {
            A2_total[0] = A2_first[n + 1];
        }
    }
}

GN_KERNEL void __launch_bounds__(256) assemble_block(int64_t block_end_2, int64_t pA2,
        const int64_t * __restrict__ A2_first, const int32_t * __restrict__ B2_pos, int64_t B1_dimension,
        const int32_t * __restrict__ B2_crd, int64_t C2_dimension, int32_t * __restrict__ A2_crd, int32_t * __restrict__ A2_pos)
{
    for (int64_t block = ((int64_t) blockIdx.x) * 8 + threadIdx.x / 32; block < block_end_2;
            block += ((int64_t) gridDim.x) * 8) {
        int64_t pA2_own = pA2 + A2_first[block];
        /* i: iterate every i; locate B, C */
        int64_t pB2_first = B2_pos[0] + block * 32;
        int64_t pB2_last = B2_pos[0] + gn_min_int64(((int64_t) B2_pos[B1_dimension]) - B2_pos[0], block * 32 + 32);
        int64_t pB1_first = 0;
        int64_t pB1_first_end = B1_dimension;
        while (pB1_first < pB1_first_end) {
            const int64_t middle = (pB1_first + pB1_first_end) / 2;
            if (B2_pos[middle + 1] <= pB2_first) {
                pB1_first = middle + 1;
            } else {
                pB1_first_end = middle;
            }
        }
        int64_t pB1_last = pB1_first;
        while (pB1_last < B1_dimension && B2_pos[pB1_last] < pB2_last) {
            pB1_last++;
        }
        for (int64_t i = pB1_first, i_end = gn_min_int64(B1_dimension, pB1_last); i < i_end; i++) {
            const int64_t pA2_own_begin = pA2_own;
            /* k: iterate B; locate D */
            int64_t pB2_begin = gn_max_int64(B2_pos[i], pB2_first);
            int64_t pB2_end = gn_min_int64(B2_pos[i + 1], pB2_last);
            for (int64_t pB2 = pB2_begin; pB2 < pB2_end; pB2++) {
                const int64_t k = B2_crd[pB2];
                bool tA_present = false;
                /* nnz: iterate every nnz */
                bool tA_own_present = false;
                /* lane: iterate every lane */
                const int64_t lane = threadIdx.x % 32;
                if (lane < gn_min_int64(32, C2_dimension)) {
                    /* j: iterate every j; locate C, D */
                    for (int64_t j = lane; j < C2_dimension; j += 32) {
                        /* part: iterate every part */
                        tA_own_present = true;
                    }
                }
                tA_own_present = __any_sync(GN_WARP, tA_own_present);
                tA_present = tA_present || tA_own_present;
                if (threadIdx.x % 32 == 0 && tA_present) {
                    A2_crd[pA2_own] = (int32_t) k;
                    pA2_own++;
                }
            }
            if (threadIdx.x % 32 == 0) {
                gn_atomic_add_int32(&A2_pos[i + 1], (int32_t) (pA2_own - pA2_own_begin));
            }
        }
    }
}

GN_KERNEL void __launch_bounds__(256) compute_block(int64_t block_end_2, int64_t pA2, const int64_t * __restrict__ A2_first,
        const int32_t * __restrict__ B2_pos, int64_t B1_dimension, const int32_t * __restrict__ B2_crd, int64_t C2_dimension,
        const double * __restrict__ B_vals, const double * __restrict__ C_vals, const double * __restrict__ D_vals,
        double * __restrict__ A_vals)
{
    for (int64_t block = ((int64_t) blockIdx.x) * 8 + threadIdx.x / 32; block < block_end_2;
            block += ((int64_t) gridDim.x) * 8) {
        int64_t pA2_own = pA2 + A2_first[block];
        /* i: iterate every i; locate B, C */
        int64_t pB2_first = B2_pos[0] + block * 32;
        int64_t pB2_last = B2_pos[0] + gn_min_int64(((int64_t) B2_pos[B1_dimension]) - B2_pos[0], block * 32 + 32);
        int64_t pB1_first = 0;
        int64_t pB1_first_end = B1_dimension;
        while (pB1_first < pB1_first_end) {
            const int64_t middle = (pB1_first + pB1_first_end) / 2;
            if (B2_pos[middle + 1] <= pB2_first) {
                pB1_first = middle + 1;
            } else {
                pB1_first_end = middle;
            }
        }
        int64_t pB1_last = pB1_first;
        while (pB1_last < B1_dimension && B2_pos[pB1_last] < pB2_last) {
            pB1_last++;
        }
        for (int64_t i = pB1_first, i_end = gn_min_int64(B1_dimension, pB1_last); i < i_end; i++) {
            /* k: iterate B; locate D */
            int64_t pB2_begin = gn_max_int64(B2_pos[i], pB2_first);
            int64_t pB2_end = gn_min_int64(B2_pos[i + 1], pB2_last);
            for (int64_t pB2 = pB2_begin; pB2 < pB2_end; pB2++) {
                const int64_t k = B2_crd[pB2];
                double tA = 0.0;
                bool tA_present = false;
                /* nnz: iterate every nnz */
                double tA_own = 0.0;
                bool tA_own_present = false;
                /* lane: iterate every lane */
                const int64_t lane = threadIdx.x % 32;
                if (lane < gn_min_int64(32, C2_dimension)) {
                    /* j: iterate every j; locate C, D */
                    for (int64_t j = lane; j < C2_dimension; j += 32) {
                        int64_t pC2 = i * C2_dimension + j;
                        int64_t pD2 = k * C2_dimension + j;
                        /* part: iterate every part */
                        tA_own += B_vals[pB2] * (C_vals[pC2] * D_vals[pD2]);
                        tA_own_present = true;
                    }
                }
                for (int64_t step = 0; step < 5; step++) {
                    const double tA_own_other = __shfl_xor_sync(GN_WARP, tA_own, 16 >> step);
                    tA_own += tA_own_other;
                }
                tA_own = __shfl_sync(GN_WARP, tA_own, 0);
                tA += tA_own;
                tA_own_present = __any_sync(GN_WARP, tA_own_present);
                tA_present = tA_present || tA_own_present;
                if (threadIdx.x % 32 == 0 && tA_present) {
                    A_vals[pA2_own] = tA;
                    pA2_own++;
                }
            }
        }
    }
}

GN_KERNEL void __launch_bounds__(256) evaluate_block(int64_t block_end_2, int64_t pA2,
        const int64_t * __restrict__ A2_first, const int32_t * __restrict__ B2_pos, int64_t B1_dimension,
        const int32_t * __restrict__ B2_crd, int64_t C2_dimension, const double * __restrict__ B_vals,
        const double * __restrict__ C_vals, const double * __restrict__ D_vals, int32_t * __restrict__ A2_crd,
        double * __restrict__ A_vals, int32_t * __restrict__ A2_pos)
{
    for (int64_t block = ((int64_t) blockIdx.x) * 8 + threadIdx.x / 32; block < block_end_2;
            block += ((int64_t) gridDim.x) * 8) {
        int64_t pA2_own = pA2 + A2_first[block];
        /* i: iterate every i; locate B, C */
        int64_t pB2_first = B2_pos[0] + block * 32;
        int64_t pB2_last = B2_pos[0] + gn_min_int64(((int64_t) B2_pos[B1_dimension]) - B2_pos[0], block * 32 + 32);
        int64_t pB1_first = 0;
        int64_t pB1_first_end = B1_dimension;
        while (pB1_first < pB1_first_end) {
            const int64_t middle = (pB1_first + pB1_first_end) / 2;
            if (B2_pos[middle + 1] <= pB2_first) {
                pB1_first = middle + 1;
            } else {
                pB1_first_end = middle;
            }
        }
        int64_t pB1_last = pB1_first;
        while (pB1_last < B1_dimension && B2_pos[pB1_last] < pB2_last) {
            pB1_last++;
        }
        for (int64_t i = pB1_first, i_end = gn_min_int64(B1_dimension, pB1_last); i < i_end; i++) {
            const int64_t pA2_own_begin = pA2_own;
            /* k: iterate B; locate D */
            int64_t pB2_begin = gn_max_int64(B2_pos[i], pB2_first);
            int64_t pB2_end = gn_min_int64(B2_pos[i + 1], pB2_last);
            for (int64_t pB2 = pB2_begin; pB2 < pB2_end; pB2++) {
                const int64_t k = B2_crd[pB2];
                double tA = 0.0;
                bool tA_present = false;
                /* nnz: iterate every nnz */
                double tA_own = 0.0;
                bool tA_own_present = false;
                /* lane: iterate every lane */
                const int64_t lane = threadIdx.x % 32;
                if (lane < gn_min_int64(32, C2_dimension)) {
                    /* j: iterate every j; locate C, D */
                    for (int64_t j = lane; j < C2_dimension; j += 32) {
                        int64_t pC2 = i * C2_dimension + j;
                        int64_t pD2 = k * C2_dimension + j;
                        /* part: iterate every part */
                        tA_own += B_vals[pB2] * (C_vals[pC2] * D_vals[pD2]);
                        tA_own_present = true;
                    }
                }
                for (int64_t step = 0; step < 5; step++) {
                    const double tA_own_other = __shfl_xor_sync(GN_WARP, tA_own, 16 >> step);
                    tA_own += tA_own_other;
                }
                tA_own = __shfl_sync(GN_WARP, tA_own, 0);
                tA += tA_own;
                tA_own_present = __any_sync(GN_WARP, tA_own_present);
                tA_present = tA_present || tA_own_present;
                if (threadIdx.x % 32 == 0 && tA_present) {
                    A2_crd[pA2_own] = (int32_t) k;
                    A_vals[pA2_own] = tA;
                    pA2_own++;
                }
            }
            if (threadIdx.x % 32 == 0) {
                gn_atomic_add_int32(&A2_pos[i + 1], (int32_t) (pA2_own - pA2_own_begin));
            }
        }
    }
}
