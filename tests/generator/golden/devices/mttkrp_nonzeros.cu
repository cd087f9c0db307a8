/*
 * A(i,j) = B(i,k,l) * C(k,j) * D(l,j)    by collapse(k,l,kl),collapse(i,kl,f),pos(f,fpos,B(i,k,l)),split(fpos,block,fpos1,128),split(fpos1,warp,nnz,16),split(j,dense_val_unbounded,thread,32),bound(dense_val_unbounded,dense_val,4,MaxExact),reorder(block,warp,dense_val,thread,nnz),parallelize(block,GPUBlock,IgnoreRaces),parallelize(warp,GPUWarp,IgnoreRaces),parallelize(thread,GPUThread,Atomics)
 *
 * A: dense,dense, float64, fill 0.0
 * B: compressed,compressed,compressed, float64, fill 0.0
 * C: dense,dense, float64, fill 0.0
 * D: dense,dense, float64, fill 0.0
 *
 * ∀block  [GPUBlock IgnoreRaces]
 *   ∀warp  [GPUWarp IgnoreRaces]
 *     ∀dense_val
 *       ∀thread  [GPUThread Atomics]
 *         ∀nnz
 *           A(i,j) += B(i,k,l) * D(l,j) * C(k,j)
 */
#include "gnomon_device.h"

GN_KERNEL void __launch_bounds__(256) compute_fill_A_vals(int64_t B1_dimension, int64_t C2_dimension,
        double * __restrict__ A_vals)
{
    for (int64_t p = ((int64_t) blockIdx.x) * blockDim.x + threadIdx.x; p < B1_dimension * C2_dimension;
            p += ((int64_t) gridDim.x) * blockDim.x) {
        A_vals[p] = 0.0;
    }
}

GN_KERNEL void __launch_bounds__(256) compute_block(int64_t block_end, const int32_t * __restrict__ B3_pos,
        const int32_t * __restrict__ B2_pos, const int32_t * __restrict__ B1_pos, int64_t C2_dimension,
        const int32_t * __restrict__ B1_crd, const int32_t * __restrict__ B2_crd, const int32_t * __restrict__ B3_crd,
        const double * __restrict__ B_vals, const double * __restrict__ D_vals, const double * __restrict__ C_vals,
        double * __restrict__ A_vals)
{
    for (int64_t block = blockIdx.x; block < block_end; block += gridDim.x) {
        /* warp: iterate every warp */
        for (int64_t warp = threadIdx.x / 32, warp_end = gn_floordiv_int64(gn_min_int64(128,
                ((int64_t) B3_pos[B2_pos[B1_pos[1]]]) - B3_pos[B2_pos[B1_pos[0]]]) + 15, 16); warp < warp_end;
                warp += 8) {
            /* dense_val: iterate every dense_val */
            for (int64_t my_dense_val = 0; my_dense_val < (C2_dimension + 31) / 32; my_dense_val++) {
                /* j: iterate every j */
                for (int64_t j = my_dense_val * 32 + threadIdx.x % 32, j_end = gn_min_int64(C2_dimension,
                        (gn_min_int64((C2_dimension + 31) / 32, my_dense_val + 1) - 1) * 32 + 32); j < j_end; j += 32) {
                    /* thread: iterate every thread */
                    /* i: iterate B */
                    int64_t pB3_first = B3_pos[B2_pos[B1_pos[0]]] + (block * 128 + warp * 16);
                    int64_t pB3_last = B3_pos[B2_pos[B1_pos[0]]] + gn_min_int64(((int64_t) B3_pos[B2_pos[B1_pos[1]]]) - B3_pos[B2_pos[B1_pos[0]]],
                            block * 128 + gn_min_int64(gn_min_int64(128,
                            ((int64_t) B3_pos[B2_pos[B1_pos[1]]]) - B3_pos[B2_pos[B1_pos[0]]]), warp * 16 + 16));
                    int64_t pB2_first = B2_pos[B1_pos[0]];
                    int64_t pB2_first_end = B2_pos[B1_pos[1]];
                    while (pB2_first < pB2_first_end) {
                        const int64_t middle = (pB2_first + pB2_first_end) / 2;
                        if (B3_pos[middle + 1] <= pB3_first) {
                            pB2_first = middle + 1;
                        } else {
                            pB2_first_end = middle;
                        }
                    }
                    int64_t pB2_last = pB2_first;
                    while (pB2_last < B2_pos[B1_pos[1]] && B3_pos[pB2_last] < pB3_last) {
                        pB2_last++;
                    }
                    int64_t pB1_first = B1_pos[0];
                    int64_t pB1_first_end = B1_pos[1];
                    while (pB1_first < pB1_first_end) {
                        const int64_t middle = (pB1_first + pB1_first_end) / 2;
                        if (B2_pos[middle + 1] <= pB2_first) {
                            pB1_first = middle + 1;
                        } else {
                            pB1_first_end = middle;
                        }
                    }
                    int64_t pB1_last = pB1_first;
                    while (pB1_last < B1_pos[1] && B2_pos[pB1_last] < pB2_last) {
                        pB1_last++;
                    }
                    for (int64_t pB1 = gn_max_int64(B1_pos[0], pB1_first), pB1_end = gn_min_int64(B1_pos[1], pB1_last);
                            pB1 < pB1_end; pB1++) {
                        const int64_t i = B1_crd[pB1];
                        double tA = 0.0;
                        /* k: iterate B; locate C */
                        for (int64_t pB2 = gn_max_int64(B2_pos[pB1], pB2_first), pB2_end = gn_min_int64(B2_pos[pB1 + 1],
                                pB2_last); pB2 < pB2_end; pB2++) {
                            const int64_t k = B2_crd[pB2];
                            int64_t pC2 = k * C2_dimension + j;
                            /* l: iterate B; locate D */
                            for (int64_t pB3 = gn_max_int64(B3_pos[pB2], pB3_first),
                                    pB3_end = gn_min_int64(B3_pos[pB2 + 1], pB3_last); pB3 < pB3_end; pB3++) {
                                const int64_t l = B3_crd[pB3];
                                int64_t pD2 = l * C2_dimension + j;
                                /* nnz: iterate every nnz */
                                tA += B_vals[pB3] * D_vals[pD2] * C_vals[pC2];
                            }
                        }
                        int64_t pA2 = i * C2_dimension + j;
                        atomicAdd(&A_vals[pA2], tA);
                    }
                }
            }
        }
    }
}
