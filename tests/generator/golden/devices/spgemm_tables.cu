/*
 * C(i,j) = A(i,k) * B(k,j)    by parallelize(i,GPUBlock,NoRaces),parallelize(k,GPUThread,Atomics)
 *
 * C: dense,hashed, float64, fill 0.0
 * A: CSR, float64, fill 0.0
 * B: CSR, float64, fill 0.0
 *
 * ∀i  [GPUBlock NoRaces]
 *   ∀k  [GPUThread Atomics]
 *     ∀j
 *       C(i,j) += A(i,k) * B(k,j)
 */
#include "gnomon_device.h"

static inline __device__ int64_t hashed_locate_meanwhile(int64_t W, const int32_t * __restrict__ crd, int64_t p, int64_t i,
        bool *out1)
{
    int64_t end;
    int64_t begin = p * W;
    int64_t q = begin + i % W;
    if (((int64_t) gn_atomic_load_int32(&crd[q])) != -1 && ((int64_t) gn_atomic_load_int32(&crd[q])) != i) {
        end = q;
        q = begin + gn_mod_int64(q - begin + 1, W);
        while (((int64_t) gn_atomic_load_int32(&crd[q])) != -1 && ((int64_t) gn_atomic_load_int32(&crd[q])) != i &&
                q != end) {
            q = begin + gn_mod_int64(q - begin + 1, W);
        }
    }
    *out1 = ((int64_t) gn_atomic_load_int32(&crd[q])) == i;
    return q;
}

static inline __device__ int64_t hashed_locate(int64_t W, const int32_t * __restrict__ crd, int64_t p, int64_t i,
        bool *out1)
{
    int64_t end;
    int64_t begin = p * W;
    int64_t q = begin + i % W;
    if (crd[q] != -1 && crd[q] != i) {
        end = q;
        q = begin + gn_mod_int64(q - begin + 1, W);
        while (crd[q] != -1 && crd[q] != i && q != end) {
            q = begin + gn_mod_int64(q - begin + 1, W);
        }
    }
    *out1 = crd[q] == i;
    return q;
}

GN_KERNEL void __launch_bounds__(256) assemble_fill_C2_crd(int64_t A1_dimension, int64_t my_C2_W,
        int32_t * __restrict__ C2_crd)
{
    for (int64_t p = ((int64_t) blockIdx.x) * blockDim.x + threadIdx.x; p < A1_dimension * my_C2_W;
            p += ((int64_t) gridDim.x) * blockDim.x) {
        C2_crd[p] = -1;
    }
}

GN_KERNEL void __launch_bounds__(256) assemble_insert_i(int64_t A1_dimension, const int32_t * __restrict__ A2_pos,
        const int32_t * __restrict__ A2_crd, const int32_t * __restrict__ B2_pos, const int32_t * __restrict__ B2_crd,
        int64_t my_C2_W, int32_t * __restrict__ C2_crd, int64_t * __restrict__ C2_count, bool * __restrict__ C2_crowded)
{
    for (int64_t i = blockIdx.x; i < A1_dimension; i += gridDim.x) {
        /* k: iterate A; locate B */
        for (int64_t pA2 = A2_pos[i] + threadIdx.x, pA2_end = A2_pos[i + 1]; pA2 < pA2_end; pA2 += 256) {
            const int64_t k = A2_crd[pA2];
            /* j: iterate B */
            for (int64_t pB2 = B2_pos[k], pB2_end = B2_pos[k + 1]; pB2 < pB2_end; pB2++) {
                const int64_t j = B2_crd[pB2];
                bool foundC2;
                int64_t pC2 = hashed_locate_meanwhile(my_C2_W, C2_crd, i, j, &foundC2);
                while (!foundC2) {
                    int32_t my_seen = -1;
                    foundC2 = gn_atomic_exchange_int32(&C2_crd[pC2], &my_seen, (int32_t) j);
                    if (foundC2) {
                        gn_atomic_add_int64(&C2_count[i], 1);
                        const int64_t children = gn_atomic_load_int64(&C2_count[i]);
                        if (4 * children > 3 * my_C2_W) {
                            gn_atomic_store_bool(&C2_crowded[0], true);
                        }
                    } else {
                        bool present;
                        int64_t again = hashed_locate_meanwhile(my_C2_W, C2_crd, i, j, &present);
                        if (!present && again == pC2) {
                            gn_atomic_store_bool(&C2_crowded[0], true);
                            break;
                        }
                        pC2 = again;
                        foundC2 = present;
                    }
                }
            }
        }
    }
}

GN_KERNEL void __launch_bounds__(256) compute_fill_C_vals(int64_t A1_dimension, int64_t my_C2_W,
        double * __restrict__ C_vals)
{
    for (int64_t p = ((int64_t) blockIdx.x) * blockDim.x + threadIdx.x; p < A1_dimension * my_C2_W;
            p += ((int64_t) gridDim.x) * blockDim.x) {
        C_vals[p] = 0.0;
    }
}

GN_KERNEL void __launch_bounds__(256) compute_i(int64_t A1_dimension, const int32_t * __restrict__ A2_pos,
        const int32_t * __restrict__ A2_crd, const int32_t * __restrict__ B2_pos, const int32_t * __restrict__ B2_crd,
        int64_t my_C2_W, const int32_t * __restrict__ C2_crd, double * __restrict__ C_vals, const double * __restrict__ A_vals,
        const double * __restrict__ B_vals)
{
    for (int64_t i = blockIdx.x; i < A1_dimension; i += gridDim.x) {
        /* k: iterate A; locate B */
        for (int64_t pA2 = A2_pos[i] + threadIdx.x, pA2_end = A2_pos[i + 1]; pA2 < pA2_end; pA2 += 256) {
            const int64_t k = A2_crd[pA2];
            /* j: iterate B */
            for (int64_t pB2 = B2_pos[k], pB2_end = B2_pos[k + 1]; pB2 < pB2_end; pB2++) {
                const int64_t j = B2_crd[pB2];
                bool found;
                int64_t pC2 = hashed_locate(my_C2_W, C2_crd, i, j, &found);
                atomicAdd(&C_vals[pC2], A_vals[pA2] * B_vals[pB2]);
            }
        }
    }
}
