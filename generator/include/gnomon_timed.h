/*
 * With GN_TIMED, how long the kernels of calls run on the device: by events around each launch, which are asked when the
 * call is over. Before the first kernel of a call the device clears more memory than its caches hold: what the kernel
 * reads comes from memory, and the host has time to queue the launch, so that its own time does not count.
 */

#ifndef GNOMON_TIMED_H
#define GNOMON_TIMED_H

/* The most launches between which nothing is asked, and how many bytes are cleared. */
enum { GN_LAUNCHES = 64, GN_CACHED = 1 << 27 };

static cudaEvent_t gn_begins[GN_LAUNCHES], gn_ends[GN_LAUNCHES];
static int gn_launched = 0;
static double gn_seconds = 0;
static void *gn_cleared = NULL;

double gn_kernel_seconds(void);

/* Add up what the launches so far have taken. */
static inline void gn_ask(void)
{
    for (int n = 0; n < gn_launched; n++) {
        float passed = 0;
        cudaEventSynchronize(gn_ends[n]);
        cudaEventElapsedTime(&passed, gn_begins[n], gn_ends[n]);
        cudaEventDestroy(gn_begins[n]);
        cudaEventDestroy(gn_ends[n]);
        gn_seconds += passed / 1e3;
    }
    gn_launched = 0;
}

/* How long kernels have run since it was last asked, in seconds. */
double gn_kernel_seconds(void)
{
    gn_ask();
    const double passed = gn_seconds;
    gn_seconds = 0;
    return passed;
}

/* Have the device empty its caches. */
static inline cudaError_t gn_clear_caches(void)
{
    cudaError_t said = gn_cleared == NULL ? cudaMalloc(&gn_cleared, GN_CACHED) : cudaSuccess;
    return said == cudaSuccess ? cudaMemset(gn_cleared, 0, GN_CACHED) : said;
}

static inline cudaError_t gn_run(const void *kernel, dim3 grid, dim3 block, void **arguments)
{
    const int n = gn_launched;
    cudaError_t said = n == 0 && gn_seconds == 0 ? gn_clear_caches() : cudaSuccess;
    if (said == cudaSuccess)
        said = cudaEventCreate(&gn_begins[n]);
    if (said != cudaSuccess)
        return said;
    said = cudaEventCreate(&gn_ends[n]);
    if (said != cudaSuccess) {
        cudaEventDestroy(gn_begins[n]);
        return said;
    }
    cudaEventRecord(gn_begins[n], NULL);
    said = cudaLaunchKernel(kernel, grid, block, arguments, 0, NULL);
    cudaEventRecord(gn_ends[n], NULL);
    if (++gn_launched == GN_LAUNCHES)
        gn_ask();
    return said;
}

#endif
