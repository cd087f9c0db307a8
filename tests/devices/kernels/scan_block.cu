/* y(i) = the sum of x(k) over k <= i, in one block: segments, then a scan of their sums in shared memory. */
#include "gnomon_device.h"

GN_KERNEL void __launch_bounds__(64) scan_block(
        const int64_t *__restrict__ x_vals, int64_t *__restrict__ y_vals, int64_t size)
{
    __shared__ int64_t sums[2][64];
    const int thread = (int)threadIdx.x;
    const int64_t share = (size + 63) / 64, begin = thread * share;
    const int64_t end = begin + share < size ? begin + share : size;
    int64_t own = 0;
    for (int64_t i = begin; i < end; i++)
        own += x_vals[i];
    int from = 0;
    sums[from][thread] = own;
    __syncthreads();
    for (int distance = 1; distance < 64; distance *= 2) {
        sums[1 - from][thread] = sums[from][thread] + (thread >= distance ? sums[from][thread - distance] : 0);
        from = 1 - from;
        __syncthreads();
    }
    int64_t before = thread > 0 ? sums[from][thread - 1] : 0;
    for (int64_t i = begin; i < end; i++) {
        before += x_vals[i];
        y_vals[i] = before;
    }
}
