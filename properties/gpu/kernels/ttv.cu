/* The values of A(i,j) = B(i,j,k) * c(k), in the order of B's fibers: a thread a fiber. */
#include "gnomon_device.h"

GN_KERNEL void __launch_bounds__(256) ttv(const int32_t *__restrict__ B3_pos, const int32_t *__restrict__ B3_crd,
        const double *__restrict__ B_vals, const double *__restrict__ c_vals, double *__restrict__ A_vals, int64_t fibers)
{
    const int64_t pB2 = (int64_t)blockIdx.x * 256 + threadIdx.x;
    if (pB2 < fibers) {
        double tA = 0.0;
        for (int32_t pB3 = B3_pos[pB2]; pB3 < B3_pos[pB2 + 1]; pB3++)
            tA += B_vals[pB3] * c_vals[B3_crd[pB3]];
        A_vals[pB2] = tA;
    }
}
