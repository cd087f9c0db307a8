/* C(i,k) = A(i,j) * B(j,k): a warp a row, whose lanes go over the columns of B. */
#include "gnomon_device.h"

GN_KERNEL void __launch_bounds__(256) spmm(const int32_t *__restrict__ A2_pos, const int32_t *__restrict__ A2_crd,
        const double *__restrict__ A_vals, const double *__restrict__ B_vals, double *__restrict__ C_vals, int64_t rows,
        int64_t columns)
{
    const int64_t i = (int64_t)blockIdx.x * 8 + threadIdx.x / GN_LANES;
    if (i < rows) {
        for (int64_t k = threadIdx.x % GN_LANES; k < columns; k += GN_LANES) {
            double tC = 0.0;
            for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++)
                tC += A_vals[pA2] * B_vals[A2_crd[pA2] * columns + k];
            C_vals[i * columns + k] = tC;
        }
    }
}
