/*
 * A(i,k) = B(i,k) * C(i,j) * D(j,k)    by reorder(i,k,j),collapse(i,k,f),pos(f,fpos,B(i,k)),split(fpos,block,fpos1,128),split(fpos1,warp,nnz,16),split(j,dense_val_unbounded,thread,32),bound(dense_val_unbounded,dense_val,4,MaxExact),reorder(block,warp,nnz,thread,dense_val),unroll(dense_val,4),parallelize(block,GPUBlock,IgnoreRaces),parallelize(warp,GPUWarp,Atomics),parallelize(thread,GPUThread,ParallelReduction)
 *
 * A: dense,dense, float64, fill 0.0
 * B: CSR, float64, fill 0.0
 * C: dense,dense, float64, fill 0.0
 * D: dense,dense, float64, fill 0.0
 *
 * ∀block  [GPUBlock IgnoreRaces]
 *   ∀warp  [GPUWarp Atomics]
 *     ∀nnz
 *       ∀thread  [GPUThread ParallelReduction]
 *         ∀dense_val  [unroll 4]
 *           A(i,k) += B(i,k) * (C(i,j) * D(j,k))
 */
#include "gnomon_device.h"

GN_KERNEL void __launch_bounds__(256) compute_fill_A_vals(int64_t B1_dimension, int64_t B2_dimension,
        double * __restrict__ A_vals)
{
    for (int64_t p = ((int64_t) blockIdx.x) * blockDim.x + threadIdx.x; p < B1_dimension * B2_dimension;
            p += ((int64_t) gridDim.x) * blockDim.x) {
        A_vals[p] = 0.0;
    }
}

GN_KERNEL void __launch_bounds__(256) compute_block(int64_t block_end, const int32_t * __restrict__ B2_pos,
        int64_t B1_dimension, const int32_t * __restrict__ B2_crd, int64_t C2_dimension, int64_t B2_dimension,
        const double * __restrict__ B_vals, const double * __restrict__ C_vals, const double * __restrict__ D_vals,
        double * __restrict__ A_vals)
{
    for (int64_t block = blockIdx.x; block < block_end; block += gridDim.x) {
        /* warp: iterate every warp */
        for (int64_t warp = threadIdx.x / 32, warp_end = gn_floordiv_int64(gn_min_int64(128,
                ((int64_t) B2_pos[B1_dimension]) - B2_pos[0]) + 15, 16); warp < warp_end; warp += 8) {
            /* i: iterate every i; locate B, C */
            int64_t pB2_first = B2_pos[0] + (block * 128 + warp * 16);
            int64_t pB2_last = B2_pos[0] + gn_min_int64(((int64_t) B2_pos[B1_dimension]) - B2_pos[0],
                    block * 128 + gn_min_int64(gn_min_int64(128, ((int64_t) B2_pos[B1_dimension]) - B2_pos[0]),
                    warp * 16 + 16));
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
                /* k: iterate B */
                for (int64_t pB2 = gn_max_int64(B2_pos[i], pB2_first), pB2_end = gn_min_int64(B2_pos[i + 1], pB2_last);
                        pB2 < pB2_end; pB2++) {
                    const int64_t k = B2_crd[pB2];
                    double tA = 0.0;
                    /* nnz: iterate every nnz */
                    double tA_own = 0.0;
                    /* thread: iterate every thread */
                    const int64_t thread = threadIdx.x % 32;
                    if (thread < gn_min_int64(32, C2_dimension)) {
                        /* j: iterate every j; locate C, D */
                        #pragma unroll 4
                        for (int64_t j = thread; j < C2_dimension; j += 32) {
                            int64_t pC2 = i * C2_dimension + j;
                            int64_t pD2 = j * B2_dimension + k;
                            /* dense_val: iterate every dense_val */
                            tA_own += B_vals[pB2] * (C_vals[pC2] * D_vals[pD2]);
                        }
                    }
                    for (int64_t step = 0; step < 5; step++) {
                        const double tA_own_other = __shfl_xor_sync(GN_WARP, tA_own, 16 >> step);
                        tA_own += tA_own_other;
                    }
                    tA_own = __shfl_sync(GN_WARP, tA_own, 0);
                    tA += tA_own;
                    int64_t pA2 = i * B2_dimension + k;
                    if (threadIdx.x % 32 == 0) {
                        A_vals[pA2] += tA;
                    }
                }
            }
        }
    }
}
