/* B(j,i) = A(i,j), both dense: tiles of 8 by 8 through shared memory, which every tile of a block uses again. */
#include "gnomon_device.h"

GN_KERNEL void __launch_bounds__(64) columns_staged(
        const double *__restrict__ A_vals, double *__restrict__ B_vals, int64_t rows, int64_t columns)
{
    __shared__ double tile[64];
    const int row = (int)(threadIdx.x / 8), column = (int)(threadIdx.x % 8);
    const int64_t i0 = (int64_t)blockIdx.x * 8;
    for (int64_t j0 = 0; j0 < columns; j0 += 8) {
        if (i0 + row < rows && j0 + column < columns)
            tile[row * 8 + column] = A_vals[(i0 + row) * columns + j0 + column];
        __syncthreads();
        if (i0 + column < rows && j0 + row < columns)
            B_vals[(j0 + row) * rows + i0 + column] = tile[column * 8 + row];
        __syncthreads();
    }
}
