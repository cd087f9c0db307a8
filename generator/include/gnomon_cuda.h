/*
 * Support for the host's half of kernels for GPUs: memory on the device, copies, launches, and what went wrong, through
 * CUDA's runtime, or with GN_EMULATED through its emulation. C11.
 */

#ifndef GNOMON_CUDA_H
#define GNOMON_CUDA_H

#ifdef GN_EMULATED
#include "gnomon_emulation.h"
#else
#include <cuda_runtime_api.h>
#endif

#include "gnomon.h"

/* Arrays on the device are whole words, by which gn_atomic_exchange reaches narrower values. */
#ifndef GN_WORD
#define GN_WORD 4
#endif

/* What a kernel returns beside what kernels of the host do. */
enum { GN_NO_DEVICE = 6, GN_OLD_DRIVER = 7, GN_OTHER_DEVICE = 8, GN_GRID = 9, GN_LAUNCH = 10 };

/* The status for what the runtime says. */
static inline int gn_device_status(cudaError_t said)
{
    if (said == cudaSuccess)
        return GN_OK;
    if (said == cudaErrorMemoryAllocation)
        return GN_MEMORY;
    if (said == cudaErrorNoDevice)
        return GN_NO_DEVICE;
    if (said == cudaErrorInsufficientDriver || said == cudaErrorUnsupportedPtxVersion)
        return GN_OLD_DRIVER;
    if (said == cudaErrorNoKernelImageForDevice || said == cudaErrorInvalidDeviceFunction)
        return GN_OTHER_DEVICE;
    return said == cudaErrorInvalidConfiguration ? GN_GRID : GN_LAUNCH;
}

/* Keep what the runtime says of the first call that fails; the runtime forgets it. */
static inline void gn_device_report(cudaError_t said, int *status)
{
    if (said != cudaSuccess)
        cudaGetLastError();
    if (*status == GN_OK)
        *status = gn_device_status(said);
}

/* Whether there is a device, else why not. */
static inline void gn_device_find(int *status)
{
    int count = 0;
    gn_device_report(cudaGetDeviceCount(&count), status);
    if (*status == GN_OK && count == 0)
        *status = GN_NO_DEVICE;
}

/* A new array on the device in which nothing is stored; NULL if none can be had. */
static inline void *gn_device_array(int64_t count, size_t size, int *status)
{
    void *array = NULL;
    if (*status == GN_OK && (count < 0 || (uint64_t)count > (uint64_t)PTRDIFF_MAX / size - 1))
        *status = GN_MEMORY;
    const size_t words = ((count > 0 ? (size_t)count : 1) * size + GN_WORD - 1) / GN_WORD;
    if (*status == GN_OK)
        gn_device_report(cudaMalloc(&array, words * GN_WORD), status);
    return array;
}

static inline void gn_device_free(void *array)
{
    cudaFree(array);
}

/* Arrays copied to the device, and back, and set to zero bytes. */
static inline void gn_device_put(void *device, const void *host, int64_t count, size_t size, int *status)
{
    if (*status == GN_OK && count > 0)
        gn_device_report(cudaMemcpy(device, host, (size_t)count * size, cudaMemcpyHostToDevice), status);
}

static inline void gn_device_get(void *host, const void *device, int64_t count, size_t size, int *status)
{
    if (*status == GN_OK && count > 0)
        gn_device_report(cudaMemcpy(host, device, (size_t)count * size, cudaMemcpyDeviceToHost), status);
}

static inline void gn_device_clear(void *device, int64_t count, size_t size, int *status)
{
    if (*status == GN_OK && count > 0)
        gn_device_report(cudaMemset(device, 0, (size_t)count * size), status);
}

#include "gnomon_kept.h"

#ifdef GN_TIMED
#include "gnomon_timed.h"
#else
static inline cudaError_t gn_run(const void *kernel, dim3 grid, dim3 block, void **arguments)
{
    return cudaLaunchKernel(kernel, grid, block, arguments, 0, NULL);
}
#endif

/* Run a kernel on so many blocks of threads, whose arguments are those that some pointers lead to. */
static inline void gn_launch(const void *kernel, int64_t blocks, int threads, void **arguments, int *status)
{
    if (*status != GN_OK || blocks == 0)
        return;
    if (blocks < 0 || blocks > INT32_MAX) {
        *status = GN_GRID;
        return;
    }
    const dim3 grid = {(unsigned int)blocks, 1, 1}, block = {(unsigned int)threads, 1, 1};
    gn_device_report(gn_run(kernel, grid, block, arguments), status);
}

/* Wait until the device has done what it was asked for. */
static inline void gn_device_finish(int *status)
{
    gn_device_report(cudaDeviceSynchronize(), status);
}

#endif
