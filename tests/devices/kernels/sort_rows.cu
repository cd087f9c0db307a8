/* C(g,i,j): the rows of A in order, each sorted by a block, by a warp of 8 lanes, and by a thread. */
#include "gnomon_device.h"

GN_KERNEL void __launch_bounds__(64) sort_rows(
        const int64_t *__restrict__ A_vals, int64_t *__restrict__ C_vals, int64_t rows, int64_t columns)
{
    const int64_t size = rows * columns;
    int64_t *const by_warps = &C_vals[size], *const by_threads = &C_vals[2 * size];
    for (int64_t p = threadIdx.x; p < 3 * size; p += 64)
        C_vals[p] = A_vals[p % size];
    __syncthreads();
    for (int64_t i = 0; i < rows; i++)
        gn_sort_block_int64(&C_vals[i * columns], columns);
    for (int64_t i = threadIdx.x / 8; i < rows; i += 8)
        gn_sort_warp_int64(&by_warps[i * columns], columns, 8);
    for (int64_t i = threadIdx.x; i < rows; i += 64)
        gn_sort_alone_int64(&by_threads[i * columns], columns);
}
