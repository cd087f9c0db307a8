/*
 * C(i,k) = A(i,j) * B(j,k)    by collapse(i,j,f),pos(f,fpos,A(i,j)),split(fpos,block,fpos1,128),split(fpos1,warp,nnz,16),split(k,dense_val_unbounded,thread,32),bound(dense_val_unbounded,dense_val,4,MaxExact),reorder(block,warp,nnz,thread,dense_val),unroll(dense_val,4),parallelize(block,GPUBlock,IgnoreRaces),parallelize(warp,GPUWarp,IgnoreRaces),parallelize(thread,GPUThread,Atomics)
 *
 * C: dense,dense, float64, fill 0.0
 * A: CSR, float64, fill 0.0
 * B: dense,dense, float64, fill 0.0
 *
 * ∀block  [GPUBlock IgnoreRaces]
 *   ∀warp  [GPUWarp IgnoreRaces]
 *     ∀nnz
 *       ∀thread  [GPUThread Atomics]
 *         ∀dense_val  [unroll 4]
 *           C(i,k) += A(i,j) * B(j,k)
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

GN_KERNEL void __launch_bounds__(256) compute_block(int64_t block_end, const int32_t * __restrict__ A2_pos,
        int64_t A1_dimension, const int32_t * __restrict__ A2_crd, int64_t B2_dimension, double * __restrict__ C_vals,
        const double * __restrict__ A_vals, const double * __restrict__ B_vals)
{
    for (int64_t block = blockIdx.x; block < block_end; block += gridDim.x) {
        /* warp: iterate every warp */
        for (int64_t warp = threadIdx.x / 32, warp_end = gn_floordiv_int64(gn_min_int64(128,
                ((int64_t) A2_pos[A1_dimension]) - A2_pos[0]) + 15, 16); warp < warp_end; warp += 8) {
            /* i: iterate every i; locate A */
            int64_t pA2_first = A2_pos[0] + (block * 128 + warp * 16);
            int64_t pA2_last = A2_pos[0] + gn_min_int64(((int64_t) A2_pos[A1_dimension]) - A2_pos[0],
                    block * 128 + gn_min_int64(gn_min_int64(128, ((int64_t) A2_pos[A1_dimension]) - A2_pos[0]),
                    warp * 16 + 16));
            int64_t pA1_first = 0;
            int64_t pA1_first_end = A1_dimension;
            while (pA1_first < pA1_first_end) {
                const int64_t middle = (pA1_first + pA1_first_end) / 2;
                if (A2_pos[middle + 1] <= pA2_first) {
                    pA1_first = middle + 1;
                } else {
                    pA1_first_end = middle;
                }
            }
            int64_t pA1_last = pA1_first;
            while (pA1_last < A1_dimension && A2_pos[pA1_last] < pA2_last) {
                pA1_last++;
            }
            for (int64_t i = pA1_first, i_end = gn_min_int64(A1_dimension, pA1_last); i < i_end; i++) {
                if (pA2_first <= A2_pos[i] && A2_pos[i + 1] <= pA2_last) {
                    /* j: iterate A; locate B */
                    for (int64_t pA2 = gn_max_int64(A2_pos[i], pA2_first), pA2_end = gn_min_int64(A2_pos[i + 1],
                            pA2_last); pA2 < pA2_end; pA2++) {
                        const int64_t j = A2_crd[pA2];
                        /* nnz: iterate every nnz */
                        __syncwarp(GN_WARP);
                        /* thread: iterate every thread */
                        const int64_t thread = threadIdx.x % 32;
                        if (thread < gn_min_int64(32, B2_dimension)) {
                            /* k: iterate every k; locate B */
                            #pragma unroll 4
                            for (int64_t k = thread; k < B2_dimension; k += 32) {
                                int64_t pB2 = j * B2_dimension + k;
                                int64_t pC2 = i * B2_dimension + k;
                                double tC = C_vals[pC2];
                                /* dense_val: iterate every dense_val */
                                tC += A_vals[pA2] * B_vals[pB2];
                                C_vals[pC2] = tC;
                            }
                        }
                        __syncwarp(GN_WARP);
                    }
                } else {
                    /* j: iterate A; locate B */
                    for (int64_t pA2 = gn_max_int64(A2_pos[i], pA2_first), pA2_end = gn_min_int64(A2_pos[i + 1],
                            pA2_last); pA2 < pA2_end; pA2++) {
                        const int64_t j = A2_crd[pA2];
                        /* nnz: iterate every nnz */
                        /* thread: iterate every thread */
                        const int64_t thread = threadIdx.x % 32;
                        if (thread < gn_min_int64(32, B2_dimension)) {
                            /* k: iterate every k; locate B */
                            #pragma unroll 4
                            for (int64_t k = thread; k < B2_dimension; k += 32) {
                                int64_t pB2 = j * B2_dimension + k;
                                double tC = 0.0;
                                /* dense_val: iterate every dense_val */
                                tC += A_vals[pA2] * B_vals[pB2];
                                int64_t pC2 = i * B2_dimension + k;
                                atomicAdd(&C_vals[pC2], tC);
                            }
                        }
                    }
                }
            }
        }
    }
}
