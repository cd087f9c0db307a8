/*
 * CUDA's words on the CPU, for .cu texts and their hosts' halves: blocks run one after another in random order, the
 * threads of a block take turns in random order, and memory begins with rubbish. What a kernel does wrong there that can
 * be seen stops it: threads that do not meet at barriers and shuffles, writes around arrays. The rest, in
 * gnomon_emulation.c, is linked to what includes this.
 */

#ifndef GNOMON_EMULATION_H
#define GNOMON_EMULATION_H

#include <float.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The runtime. Numbers of errors are CUDA's. */
typedef enum {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorInsufficientDriver = 35,
    cudaErrorInvalidDeviceFunction = 98,
    cudaErrorNoDevice = 100,
    cudaErrorNoKernelImageForDevice = 209,
    cudaErrorUnsupportedPtxVersion = 222,
    cudaErrorIllegalAddress = 700,
    cudaErrorLaunchFailure = 719
} cudaError_t;
typedef enum {
    cudaMemcpyHostToHost = 0,
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3
} cudaMemcpyKind;
typedef struct {
    unsigned int x, y, z;
} dim3;
typedef void *cudaStream_t;
typedef double *cudaEvent_t;

cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaMalloc(void **made, size_t bytes);
cudaError_t cudaFree(void *array);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemset(void *to, int byte, size_t bytes);
cudaError_t cudaLaunchKernel(
    const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream);
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaEventCreate(cudaEvent_t *made);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t begin, cudaEvent_t end);

/* What is said to the emulation: the seed of chance, how many devices there are, how much memory they have. What it
   says: what the last kernel did wrong, nothing if nothing was seen, and how many bytes on the device are held. */
void gn_emulate(uint64_t seed, int devices, int64_t memory);
const char *gn_emulation_fault(void);
int64_t gn_emulation_held(void);

/* A kernel that may be launched, with at most so many threads a block: how to call it. */
typedef void gn_entry(void **arguments);
void gn_emulation_kernel(const void *kernel, gn_entry *entry, int threads);

/* Words of kernels. Arrays in shared memory stand together, so that every block finds rubbish there. */
#define __global__
#define __device__
#define __host__
#define __launch_bounds__(threads)
#define __shared__ static __attribute__((section("gn_shared")))

typedef struct {
    dim3 thread, block, threads, blocks;
} gn_turn;
extern gn_turn gn_emulation_turn;
#define threadIdx gn_emulation_turn.thread
#define blockIdx gn_emulation_turn.block
#define blockDim gn_emulation_turn.threads
#define gridDim gn_emulation_turn.blocks

void gn_emulation_barrier(const char *file, int line);
#define __syncthreads() gn_emulation_barrier(__FILE__, __LINE__)
#define __threadfence() ((void)0)
#define __threadfence_block() ((void)0)

/* What the lanes of a warp do together: a way to choose whose value each lane is given, and how far. */
typedef enum { GN_SYNC, GN_FROM, GN_DOWN, GN_UP, GN_XOR, GN_BALLOT } gn_meeting;
void gn_emulation_meet(
    gn_meeting kind, unsigned int mask, void *value, size_t size, int distance, const char *file, int line);

#define GN_SHUFFLE(kind, mask, v, distance)                                                                           \
    __extension__({                                                                                                   \
        __typeof__(+(v)) gn_held = (v);                                                                               \
        gn_emulation_meet(kind, mask, &gn_held, sizeof gn_held, (int)(distance), __FILE__, __LINE__);                 \
        gn_held;                                                                                                      \
    })
#define __syncwarp(mask) gn_emulation_meet(GN_SYNC, mask, NULL, 0, 0, __FILE__, __LINE__)
#define __shfl_sync(mask, v, lane) GN_SHUFFLE(GN_FROM, mask, v, lane)
#define __shfl_down_sync(mask, v, distance) GN_SHUFFLE(GN_DOWN, mask, v, distance)
#define __shfl_up_sync(mask, v, distance) GN_SHUFFLE(GN_UP, mask, v, distance)
#define __shfl_xor_sync(mask, v, lanes) GN_SHUFFLE(GN_XOR, mask, v, lanes)
#define __ballot_sync(mask, p) GN_SHUFFLE(GN_BALLOT, mask, (unsigned int)((p) != 0), 0)
#define __any_sync(mask, p) (__ballot_sync(mask, p) != 0U)
#define __all_sync(mask, p) (__ballot_sync(mask, p) == (mask))
#define __popc(bits) __builtin_popcount(bits)
#define __ffs(bits) __builtin_ffs(bits)
#define __clz(bits) ((bits) == 0 ? 32 : __builtin_clz((unsigned int)(bits)))

/* Before what nothing comes between, others may take their turns; `size` bytes at `p` are reached. */
void gn_emulation_atomic(const volatile void *p, size_t size);

#define GN_UNWATCHED __attribute__((no_sanitize("thread")))
#define GN_EMULATED_ATOMIC(word, T, name, NEW)                                                                        \
    GN_UNWATCHED static inline T gn_emulated_##word##_##name(T *p, T b)                                               \
    {                                                                                                                 \
        gn_emulation_atomic(p, sizeof *p);                                                                            \
        const T a = *p;                                                                                               \
        *p = NEW;                                                                                                     \
        return a;                                                                                                     \
    }
#define GN_EMULATED_INTEGERS(T, name, SUM)                                                                            \
    GN_EMULATED_ATOMIC(add, T, name, SUM)                                                                             \
    GN_EMULATED_ATOMIC(min, T, name, a < b ? a : b)                                                                   \
    GN_EMULATED_ATOMIC(max, T, name, a > b ? a : b)                                                                   \
    GN_EMULATED_ATOMIC(exch, T, name, ((void)a, b))                                                                   \
    GN_UNWATCHED static inline T gn_emulated_cas_##name(T *p, T seen, T wanted)                                       \
    {                                                                                                                 \
        gn_emulation_atomic(p, sizeof *p);                                                                            \
        const T a = *p;                                                                                               \
        *p = a == seen ? wanted : a;                                                                                  \
        return a;                                                                                                     \
    }
GN_EMULATED_INTEGERS(int, i, (int)((unsigned int)a + (unsigned int)b))
GN_EMULATED_INTEGERS(unsigned int, u, a + b)
GN_EMULATED_INTEGERS(long long, l, (long long)((unsigned long long)a + (unsigned long long)b))
GN_EMULATED_INTEGERS(unsigned long long, w, a + b)
/* On memory of the device the instruction takes subnormal numbers for zeros, and gives zeros for them (PTX, atom). */
static inline float gn_without_subnormals(float a) { return a > -FLT_MIN && a < FLT_MIN ? 0.0F * a : a; }
GN_EMULATED_ATOMIC(add, float, f, gn_without_subnormals(gn_without_subnormals(a) + gn_without_subnormals(b)))
GN_EMULATED_ATOMIC(add, double, d, a + b)

/* Compare and swap for pairs of words, which are one step here: what was there is given in `seen`. */
GN_UNWATCHED static inline bool gn_emulation_exchange_pair(void *p, void *seen, const void *wanted)
{
    gn_emulation_atomic(p, 16);
    const bool found = memcmp(p, seen, 16) == 0;
    if (found)
        memcpy(p, wanted, 16);
    else
        memcpy(seen, p, 16);
    return found;
}

#define GN_BY_TYPE(word, p)                                                                                           \
    _Generic((p),                                                                                                     \
        int *: gn_emulated_##word##_i,                                                                                \
        unsigned int *: gn_emulated_##word##_u,                                                                       \
        long long *: gn_emulated_##word##_l,                                                                          \
        unsigned long long *: gn_emulated_##word##_w)
#define atomicMin(p, v) GN_BY_TYPE(min, p)(p, v)
#define atomicMax(p, v) GN_BY_TYPE(max, p)(p, v)
#define atomicExch(p, v) GN_BY_TYPE(exch, p)(p, v)
#define atomicCAS(p, seen, wanted) GN_BY_TYPE(cas, p)(p, seen, wanted)
#define atomicAdd(p, v)                                                                                               \
    _Generic((p),                                                                                                     \
        int *: gn_emulated_add_i,                                                                                     \
        unsigned int *: gn_emulated_add_u,                                                                            \
        unsigned long long *: gn_emulated_add_w,                                                                      \
        float *: gn_emulated_add_f,                                                                                   \
        double *: gn_emulated_add_d)(p, v)

/* Bits of numbers. */
#define GN_BITS(name, A, B)                                                                                           \
    static inline B name(A a)                                                                                         \
    {                                                                                                                 \
        B b;                                                                                                          \
        memcpy(&b, &a, sizeof b);                                                                                     \
        return b;                                                                                                     \
    }
GN_BITS(__float_as_uint, float, unsigned int)
GN_BITS(__uint_as_float, unsigned int, float)
GN_BITS(__double_as_longlong, double, long long)
GN_BITS(__longlong_as_double, long long, double)

#endif
