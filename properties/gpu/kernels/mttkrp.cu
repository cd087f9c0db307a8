/* A(i,j) = B(i,k,l) * C(k,j) * D(l,j), B by coordinates: a warp a nonzero, whose lanes update a row of A atomically. */
#include "gnomon_device.h"

GN_KERNEL void __launch_bounds__(256) mttkrp(const int32_t *__restrict__ B1_crd, const int32_t *__restrict__ B2_crd,
        const int32_t *__restrict__ B3_crd, const double *__restrict__ B_vals, const double *__restrict__ C_vals,
        const double *__restrict__ D_vals, double *__restrict__ A_vals, int64_t size, int64_t columns)
{
    const int64_t pB = (int64_t)blockIdx.x * 8 + threadIdx.x / GN_LANES;
    if (pB < size) {
        const int64_t i = B1_crd[pB], k = B2_crd[pB], l = B3_crd[pB];
        for (int64_t j = threadIdx.x % GN_LANES; j < columns; j += GN_LANES)
            atomicAdd(&A_vals[i * columns + j], B_vals[pB] * C_vals[k * columns + j] * D_vals[l * columns + j]);
    }
}
