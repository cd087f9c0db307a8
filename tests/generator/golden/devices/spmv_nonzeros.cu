/*
 * y(i) = A(i,j) * x(j)    by collapse(i,j,f),pos(f,fpos,A(i,j)),split(fpos,block,fpos1,4096),split(fpos1,warp,fpos2,512),split(fpos2,thread,thr_nz,16),reorder(block,warp,thread,thr_nz),precompute(A(i,j) * x(j),{thr_nz},{thr_nz_pre},precomputed),unroll(thr_nz_pre,16),parallelize(block,GPUBlock,IgnoreRaces),parallelize(warp,GPUWarp,IgnoreRaces),parallelize(thread,GPUThread,Atomics)
 *
 * y: dense, float64, fill 0.0
 * A: CSR, float64, fill 0.0
 * x: dense, float64, fill 0.0
 *
 * ∀block  [GPUBlock IgnoreRaces]
 *   ∀warp  [GPUWarp IgnoreRaces]
 *     ∀thread  [GPUThread Atomics]
 *       ∀thr_nz
 *         y(i) += precomputed(thr_nz)
 *       where precomputed:
 *         ∀thr_nz_pre  [unroll 16]
 *           precomputed(thr_nz_pre) = A(i,j) * x(j)
 */
#include "gnomon_device.h"

GN_KERNEL void __launch_bounds__(256) compute_fill_y_vals(int64_t A1_dimension, double * __restrict__ y_vals)
{
    for (int64_t p = ((int64_t) blockIdx.x) * blockDim.x + threadIdx.x; p < A1_dimension;
            p += ((int64_t) gridDim.x) * blockDim.x) {
        y_vals[p] = 0.0;
    }
}

GN_KERNEL void __launch_bounds__(256) compute_block(int64_t block_end, const int32_t * __restrict__ A2_pos,
        int64_t A1_dimension, const int32_t * __restrict__ A2_crd, const double * __restrict__ A_vals,
        const double * __restrict__ x_vals, double * __restrict__ y_vals)
{
    int32_t precomputed1_flag[16];
    double precomputed_vals[16];
    for (int64_t p = 0; p < 16; p++) {
        precomputed1_flag[p] = 0;
    }
    for (int64_t block = blockIdx.x; block < block_end; block += gridDim.x) {
        /* warp: iterate every warp */
        for (int64_t warp = threadIdx.x / 32, warp_end = gn_floordiv_int64(gn_min_int64(4096,
                ((int64_t) A2_pos[A1_dimension]) - A2_pos[0]) + 511, 512); warp < warp_end; warp += 8) {
            /* thread: iterate every thread */
            for (int64_t thread = threadIdx.x % 32, thread_end = gn_floordiv_int64(gn_min_int64(512, gn_min_int64(4096,
                    ((int64_t) A2_pos[A1_dimension]) - A2_pos[0])) + 15, 16); thread < thread_end; thread += 32) {
                for (int64_t p = 0; p < 16; p++) {
                    precomputed1_flag[p] = 0;
                }
                /* i: iterate every i; locate A */
                int64_t pA2_first = A2_pos[0] + (block * 4096 + (warp * 512 + thread * 16));
                int64_t pA2_last = A2_pos[0] + gn_min_int64(((int64_t) A2_pos[A1_dimension]) - A2_pos[0],
                        block * 4096 + gn_min_int64(gn_min_int64(4096, ((int64_t) A2_pos[A1_dimension]) - A2_pos[0]),
                        warp * 512 + gn_min_int64(gn_min_int64(512, gn_min_int64(4096,
                        ((int64_t) A2_pos[A1_dimension]) - A2_pos[0])), thread * 16 + 16)));
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
                #pragma unroll 16
                for (int64_t i = pA1_first, i_end = gn_min_int64(A1_dimension, pA1_last); i < i_end; i++) {
                    if (pA2_first <= A2_pos[i] && A2_pos[i + 1] <= pA2_last) {
                        /* j: iterate A; locate x */
                        for (int64_t pA2 = gn_max_int64(A2_pos[i], pA2_first), pA2_end = gn_min_int64(A2_pos[i + 1],
                                pA2_last); pA2 < pA2_end; pA2++) {
                            const int64_t j = A2_crd[pA2];
                            /* thr_nz_pre: iterate every thr_nz_pre */
                            int64_t thr_nz_pre = gn_mod_int64(gn_mod_int64(gn_mod_int64(pA2 - A2_pos[0], 4096), 512),
                                    16);
                            const double vprecomputed = A_vals[pA2] * x_vals[j];
                            int64_t pprecomputed1 = thr_nz_pre;
                            if (precomputed1_flag[pprecomputed1] != 1) {
                                precomputed1_flag[pprecomputed1] = 1;
                                precomputed_vals[pprecomputed1] = vprecomputed;
                            } else {
                                precomputed_vals[pprecomputed1] = vprecomputed;
                            }
                        }
                    } else {
                        /* j: iterate A; locate x */
                        for (int64_t pA2 = gn_max_int64(A2_pos[i], pA2_first), pA2_end = gn_min_int64(A2_pos[i + 1],
                                pA2_last); pA2 < pA2_end; pA2++) {
                            const int64_t j = A2_crd[pA2];
                            /* thr_nz_pre: iterate every thr_nz_pre */
                            int64_t thr_nz_pre = gn_mod_int64(gn_mod_int64(gn_mod_int64(pA2 - A2_pos[0], 4096), 512),
                                    16);
                            const double vprecomputed = A_vals[pA2] * x_vals[j];
                            int64_t pprecomputed1 = thr_nz_pre;
                            if (precomputed1_flag[pprecomputed1] != 1) {
                                precomputed1_flag[pprecomputed1] = 1;
                                precomputed_vals[pprecomputed1] = vprecomputed;
                            } else {
                                precomputed_vals[pprecomputed1] = vprecomputed;
                            }
                        }
                    }
                }
                /* thr_nz: iterate precomputed */
                for (int64_t thr_nz = 0; thr_nz < 16; thr_nz++) {
                    int64_t q = thr_nz;
                    if (precomputed1_flag[q] != 1) {
                        continue;
                    }
                    int64_t fpos = block * 4096 + (warp * 512 + (thread * 16 + thr_nz));
                    if (fpos < ((int64_t) A2_pos[A1_dimension]) - A2_pos[0]) {
                        int64_t pA2_at = A2_pos[0] + fpos;
                        int64_t pA1_at = 0;
                        int64_t pA1_at_end = A1_dimension;
                        while (pA1_at < pA1_at_end) {
                            const int64_t middle = (pA1_at + pA1_at_end) / 2;
                            if (A2_pos[middle + 1] <= pA2_at) {
                                pA1_at = middle + 1;
                            } else {
                                pA1_at_end = middle;
                            }
                        }
                        /* i: iterate every i */
                        double ty = 0.0;
                        /* j: iterate every j */
                        ty += precomputed_vals[q];
                        atomicAdd(&y_vals[pA1_at], ty);
                    }
                }
            }
        }
    }
}
