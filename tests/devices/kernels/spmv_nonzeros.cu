/* y(i) = A(i,j) * x(j) by nonzeros: four a thread, whose sums meet by atomics. */
#include "gnomon_device.h"

static __device__ inline int64_t row_of(const int32_t *A2_pos, int64_t rows, int64_t position)
{
    int64_t low = 0, high = rows;
    while (high - low > 1) {
        const int64_t middle = (low + high) / 2;
        if (A2_pos[middle] <= position)
            low = middle;
        else
            high = middle;
    }
    return low;
}

GN_KERNEL void __launch_bounds__(32) spmv_nonzeros(const int32_t *__restrict__ A2_pos,
        const int32_t *__restrict__ A2_crd, const double *__restrict__ A_vals, const double *__restrict__ x_vals,
        double *__restrict__ y_vals, int64_t rows)
{
    const int64_t begin = ((int64_t)blockIdx.x * 32 + threadIdx.x) * 4;
    const int64_t end = begin + 4 < A2_pos[rows] ? begin + 4 : A2_pos[rows];
    if (begin < end) {
        int64_t i = row_of(A2_pos, rows, begin);
        double ty = 0.0;
        for (int64_t pA2 = begin; pA2 < end; pA2++) {
            while (pA2 == A2_pos[i + 1]) {
                gn_atomic_add_float64(&y_vals[i], ty);
                ty = 0.0;
                i++;
            }
            ty += A_vals[pA2] * x_vals[A2_crd[pA2]];
        }
        gn_atomic_add_float64(&y_vals[i], ty);
    }
}
