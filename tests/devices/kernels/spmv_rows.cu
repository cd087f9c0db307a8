/* y(i) = A(i,j) * x(j) by rows: a thread a row. */
#include "gnomon_device.h"

GN_KERNEL void __launch_bounds__(64) spmv_rows(const int32_t *__restrict__ A2_pos, const int32_t *__restrict__ A2_crd,
        const double *__restrict__ A_vals, const double *__restrict__ x_vals, double *__restrict__ y_vals, int64_t rows)
{
    const int64_t i = (int64_t)blockIdx.x * 64 + threadIdx.x;
    if (i < rows) {
        double ty = 0.0;
        for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++)
            ty += A_vals[pA2] * x_vals[A2_crd[pA2]];
        y_vals[i] = ty;
    }
}
