/*
 * Support for kernels that gnomon generates for GPUs. A .cu text is C11 once CUDA's qualifiers are defined away: nvcc
 * compiles it for devices, and with GN_EMULATED any C compiler does for the CPU (gnomon_emulation.h).
 */

#ifndef GNOMON_DEVICE_H
#define GNOMON_DEVICE_H

#ifdef GN_EMULATED
#include "gnomon_emulation.h"
#endif

#ifdef __CUDACC__
#define GN_KERNEL extern "C" __global__
#define GN_INLINE static __host__ __device__ inline

/* Devices lack what compilers have built in. A product of 64 unsigned bits does not fit in __int128. */
template <class A, class B, class T> __host__ __device__ inline bool gn_add_overflows(A a, B b, T *c)
{
    const __int128 whole = (__int128)a + b;
    *c = (T)whole;
    return whole != *c;
}

template <class T> __host__ __device__ inline bool gn_sub_overflows(T a, T b, T *c)
{
    const __int128 whole = (__int128)a - b;
    *c = (T)whole;
    return whole != *c;
}

template <class T> __host__ __device__ inline bool gn_mul_overflows(T a, T b, T *c)
{
    const unsigned __int128 whole = (unsigned __int128)(__int128)a * (unsigned __int128)(__int128)b;
    *c = (T)whole;
    return whole != (unsigned __int128)(__int128)*c;
}
#define GN_ADD_OVERFLOWS gn_add_overflows
#define GN_SUB_OVERFLOWS gn_sub_overflows
#define GN_MUL_OVERFLOWS gn_mul_overflows
#else
#define GN_KERNEL __global__
#endif

#include "gnomon.h"

#ifdef __cplusplus
#include "gnomon_complex.h"
GN_EQUALITY(gn_complex64, complex64)
GN_COMPLEX(gn_complex64, float, complex64, f)
GN_EQUALITY(gn_complex128, complex128)
GN_COMPLEX(gn_complex128, double, complex128, )
#else
typedef float complex gn_complex64;
typedef double complex gn_complex128;
#endif

#define GN_LANES 32
#define GN_WARP 0xffffffffU
/* Of threads in warps of fewer lanes, several of which lie in one of CUDA's: those of this warp. */
#define GN_PART_OF_WARP(lanes) (((1U << (lanes)) - 1U) << (threadIdx.x % GN_LANES / (lanes) * (lanes)))

/*
 * What nothing comes between, on any place in device or shared memory:
 *   gn_atomic_load, gn_atomic_store  a value read or written whole
 *   gn_atomic_exchange               store `wanted` if *seen is there, bit for bit; else put what is there in *seen
 */
#define GN_PLACE(T, name)                                                                                             \
    static __device__ inline T gn_atomic_load_##name(const T *p) { return *(const volatile T *)p; }                   \
    static __device__ inline void gn_atomic_store_##name(T *p, T wanted) { *(volatile T *)p = wanted; }

#define GN_EXCHANGE(T, name, W, BITS, VALUE)                                                                          \
    static __device__ inline bool gn_atomic_exchange_##name(T *p, T *seen, T wanted)                                  \
    {                                                                                                                 \
        const W before = (W)BITS(*seen), found = atomicCAS((W *)p, before, (W)BITS(wanted));                          \
        *seen = (T)VALUE(found);                                                                                      \
        return found == before;                                                                                       \
    }

/* Values of 8 and 16 bits by the word around them, whose other bits stay as they are found. */
#define GN_EXCHANGE_PART(T, name, U)                                                                                  \
    GN_PLACE(T, name)                                                                                                 \
    static __device__ inline bool gn_atomic_exchange_##name(T *p, T *seen, T wanted)                                  \
    {                                                                                                                 \
        unsigned int *const word = (unsigned int *)((uintptr_t)p / 4 * 4);                                            \
        const unsigned int shift = 8U * (unsigned int)((uintptr_t)p % 4), mask = (unsigned int)(U)-1 << shift;        \
        const unsigned int before = (unsigned int)(U)*seen << shift, after = (unsigned int)(U)wanted << shift;        \
        unsigned int around = atomicCAS(word, 0U, 0U);                                                                \
        while ((around & mask) == before) {                                                                           \
            const unsigned int found = atomicCAS(word, around, (around & ~mask) | after);                             \
            if (found == around)                                                                                      \
                return true;                                                                                          \
            around = found;                                                                                           \
        }                                                                                                             \
        *seen = (T)(U)(around >> shift);                                                                              \
        return false;                                                                                                 \
    }

/* An atomic update of *p, which holds `a`, by `b`; what was there is given. NEW says in terms of both what comes there. */
#define GN_ATOMIC(T, name, operator, NEW)                                                                             \
    static __device__ inline T gn_atomic_##operator##_##name(T *p, T b)                                               \
    {                                                                                                                 \
        T a = gn_atomic_load_##name(p);                                                                               \
        while (!gn_atomic_exchange_##name(p, &a, NEW))                                                                \
            ;                                                                                                         \
        return a;                                                                                                     \
    }

/* The same where devices have an instruction for it. */
#define GN_NATIVE(T, name, operator, W, WORD)                                                                         \
    static __device__ inline T gn_atomic_##operator##_##name(T *p, T b) { return (T)WORD((W *)p, (W)b); }

#define GN_LOOPS(T, name)                                                                                             \
    GN_ATOMIC(T, name, and, (T)(a != 0 && b != 0))                                                                    \
    GN_ATOMIC(T, name, or, (T)(a != 0 || b != 0))

#define GN_PARTS(T, name, U)                                                                                          \
    GN_EXCHANGE_PART(T, name, U)                                                                                      \
    GN_ATOMIC(T, name, add, (T)(a + b))                                                                               \
    GN_ATOMIC(T, name, min, gn_min_##name(a, b))                                                                      \
    GN_ATOMIC(T, name, max, gn_max_##name(a, b))                                                                      \
    GN_LOOPS(T, name)

/* S is the type that sums are counted in, which wrap, and M the one in which values are compared. */
#define GN_WORDS(T, name, S, M)                                                                                       \
    GN_PLACE(T, name)                                                                                                 \
    GN_EXCHANGE(T, name, S, , )                                                                                       \
    GN_NATIVE(T, name, add, S, atomicAdd)                                                                             \
    GN_NATIVE(T, name, min, M, atomicMin)                                                                             \
    GN_NATIVE(T, name, max, M, atomicMax)                                                                             \
    GN_LOOPS(T, name)

#define GN_REALS(T, name, W, BITS, VALUE)                                                                             \
    GN_PLACE(T, name)                                                                                                 \
    GN_EXCHANGE(T, name, W, BITS, VALUE)                                                                              \
    GN_ATOMIC(T, name, min, gn_min_##name(a, b))                                                                      \
    GN_ATOMIC(T, name, max, gn_max_##name(a, b))                                                                      \
    GN_LOOPS(T, name)

#ifdef __cplusplus
GN_PARTS(bool, bool, uint8_t)
#else
/* A macro that stands for another word would be part of the names. */
#undef bool
typedef _Bool bool;
GN_PARTS(bool, bool, uint8_t)
#define bool _Bool
#endif
GN_PARTS(int8_t, int8, uint8_t)
GN_PARTS(uint8_t, uint8, uint8_t)
GN_PARTS(int16_t, int16, uint16_t)
GN_PARTS(uint16_t, uint16, uint16_t)
GN_WORDS(int32_t, int32, unsigned int, int)
GN_WORDS(uint32_t, uint32, unsigned int, unsigned int)
GN_WORDS(int64_t, int64, unsigned long long, long long)
GN_WORDS(uint64_t, uint64, unsigned long long, unsigned long long)
GN_REALS(float, float32, unsigned int, __float_as_uint, __uint_as_float)
GN_REALS(double, float64, unsigned long long, __double_as_longlong, __longlong_as_double)
GN_ATOMIC(int8_t, int8, mul, (int8_t)(a * b))
GN_ATOMIC(uint8_t, uint8, mul, (uint8_t)(a * b))
GN_ATOMIC(int16_t, int16, mul, (int16_t)(a * b))
GN_ATOMIC(uint16_t, uint16, mul, (uint16_t)(a * b))
GN_ATOMIC(int32_t, int32, mul, a * b)
GN_ATOMIC(uint32_t, uint32, mul, a * b)
GN_ATOMIC(int64_t, int64, mul, a * b)
GN_ATOMIC(uint64_t, uint64, mul, a * b)
/* Devices add numbers of 32 bits as if those that are subnormal were zeros: not by their instruction. */
GN_ATOMIC(float, float32, add, a + b)
GN_NATIVE(double, float64, add, double, atomicAdd)
GN_ATOMIC(float, float32, mul, a * b)
GN_ATOMIC(double, float64, mul, a * b)

/* Complex numbers of single precision are words of 64 bits. */
static __device__ inline unsigned long long gn_bits_complex64(gn_complex64 a)
{
    unsigned long long bits;
    memcpy(&bits, &a, sizeof bits);
    return bits;
}

static __device__ inline gn_complex64 gn_value_complex64(unsigned long long bits)
{
    gn_complex64 a;
    memcpy(&a, &bits, sizeof a);
    return a;
}

GN_EXCHANGE(gn_complex64, complex64, unsigned long long, gn_bits_complex64, gn_value_complex64)

/* For those of double precision no device before 9.0 has an instruction: whoever has the lock of a place comes first.
   Lanes of a warp may want one lock, so that nobody waits for it between taking it and giving it back. */
#ifdef __CUDACC__
#define GN_LOCKS 1024
static __device__ unsigned int gn_locks[GN_LOCKS];

static __device__ inline bool gn_exchange_pair(void *p, void *seen, const void *wanted)
{
    volatile unsigned long long *const word = (volatile unsigned long long *)p;
    unsigned long long *const before = (unsigned long long *)seen;
    const unsigned long long *const after = (const unsigned long long *)wanted;
    unsigned int *const lock = &gn_locks[(uintptr_t)p / 16 % GN_LOCKS];
    bool done = false, found = false;
    while (!done)
        if (atomicCAS(lock, 0U, 1U) == 0U) {
            __threadfence();
            const unsigned long long first = word[0], second = word[1];
            found = first == before[0] && second == before[1];
            if (found) {
                word[0] = after[0];
                word[1] = after[1];
            }
            before[0] = first;
            before[1] = second;
            __threadfence();
            atomicExch(lock, 0U);
            done = true;
        }
    return found;
}
#else
#define gn_exchange_pair gn_emulation_exchange_pair
#endif

static __device__ inline bool gn_atomic_exchange_complex128(gn_complex128 *p, gn_complex128 *seen, gn_complex128 wanted)
{
    return gn_exchange_pair(p, seen, &wanted);
}

/* What is there is found by storing it again, and given up for another value. Sums take their parts one by one: nobody
   looks at what others still add to. */
#define GN_COMPLEXES(T, name, R, part)                                                                                \
    static __device__ inline T gn_atomic_load_##name(T *p)                                                            \
    {                                                                                                                 \
        T seen = (T)0;                                                                                                \
        gn_atomic_exchange_##name(p, &seen, seen);                                                                    \
        return seen;                                                                                                  \
    }                                                                                                                 \
    static __device__ inline void gn_atomic_store_##name(T *p, T wanted)                                              \
    {                                                                                                                 \
        T seen = gn_atomic_load_##name(p);                                                                            \
        while (!gn_atomic_exchange_##name(p, &seen, wanted))                                                          \
            ;                                                                                                         \
    }                                                                                                                 \
    static __device__ inline void gn_atomic_add_##name(T *p, T b)                                                     \
    {                                                                                                                 \
        gn_atomic_add_##part((R *)p, gn_real_##name(b));                                                              \
        gn_atomic_add_##part((R *)p + 1, gn_imag_##name(b));                                                          \
    }                                                                                                                 \
    GN_ATOMIC(T, name, mul, a * b)

GN_COMPLEXES(gn_complex64, complex64, float, float32)
GN_COMPLEXES(gn_complex128, complex128, double, float64)

/*
 * Put n numbers in order, as one thread does alone, or all threads of a group together, who meet before and after: by a
 * bitonic network (Batcher 1968), whose steps exchange numbers so far apart. The first step of each run mirrors it, so
 * that what lies beyond the end would stay there.
 */
#define GN_SORT(T, name, owner, LANES, RANK, SIZE, MEET)                                                              \
    static __device__ inline void gn_sort_##owner##_##name(T *numbers, int64_t n LANES)                               \
    {                                                                                                                 \
        for (int64_t run = 1; run < n; run *= 2)                                                                      \
            for (int64_t away = run; away > 0; away /= 2) {                                                           \
                MEET;                                                                                                 \
                for (int64_t k = RANK; 2 * k < n + away; k += SIZE) {                                                 \
                    const int64_t p = 2 * k - k % away, q = away == run ? p + 2 * (run - k % run) - 1 : p + away;     \
                    if (q < n && numbers[q] < numbers[p]) {                                                           \
                        const T larger = numbers[p];                                                                  \
                        numbers[p] = numbers[q];                                                                      \
                        numbers[q] = larger;                                                                          \
                    }                                                                                                 \
                }                                                                                                     \
            }                                                                                                         \
    }

#define GN_COMMA_LANES , unsigned int lanes
#define GN_SORTS(T, name)                                                                                             \
    GN_SORT(T, name, alone, , 0, 1, )                                                                                 \
    GN_SORT(T, name, warp, GN_COMMA_LANES, threadIdx.x % lanes, lanes,                                                \
            __syncwarp(lanes == GN_LANES ? GN_WARP : GN_PART_OF_WARP(lanes)))                                         \
    GN_SORT(T, name, block, , threadIdx.x, blockDim.x, __syncthreads())

GN_SORTS(int32_t, int32)
GN_SORTS(int64_t, int64)

#endif
