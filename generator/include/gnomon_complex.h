/*
 * Complex numbers for kernels on GPUs, where C's are not: values of a class, by the names and in the order of C11's
 * arithmetic as gcc is asked for it. Products go by the plain formula, quotients by Smith's.
 */

#ifndef GNOMON_COMPLEX_H
#define GNOMON_COMPLEX_H

#include <math.h>

#ifdef __CUDACC__
#define GN_BOTH __host__ __device__
#else
#define GN_BOTH
#endif

/* A real and an imaginary part. Whole words, as atomic operations reach them. */
template <class R> struct alignas(2 * sizeof(R)) gn_complex {
    R re, im;

    gn_complex() = default;
    GN_BOTH gn_complex(R real, R imaginary) : re(real), im(imaginary) {}
    template <class A> GN_BOTH explicit gn_complex(A a) : re((R)a), im(0) {}
    template <class A> GN_BOTH explicit gn_complex(gn_complex<A> a) : re((R)a.re), im((R)a.im) {}
    GN_BOTH explicit operator bool() const { return re != 0 || im != 0; }
};

template <class R> GN_BOTH inline gn_complex<R> operator-(gn_complex<R> a) { return gn_complex<R>(-a.re, -a.im); }

template <class R> GN_BOTH inline gn_complex<R> operator+(gn_complex<R> a, gn_complex<R> b)
{
    return gn_complex<R>(a.re + b.re, a.im + b.im);
}

template <class R> GN_BOTH inline gn_complex<R> operator-(gn_complex<R> a, gn_complex<R> b)
{
    return gn_complex<R>(a.re - b.re, a.im - b.im);
}

template <class R> GN_BOTH inline gn_complex<R> operator*(gn_complex<R> a, gn_complex<R> b)
{
    return gn_complex<R>(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}

template <class R> GN_BOTH inline gn_complex<R> operator/(gn_complex<R> a, gn_complex<R> b)
{
    if (fabs(b.re) < fabs(b.im)) {
        const R ratio = b.re / b.im, below = b.re * ratio + b.im;
        return gn_complex<R>((a.re * ratio + a.im) / below, (a.im * ratio - a.re) / below);
    }
    const R ratio = b.im / b.re, below = b.im * ratio + b.re;
    return gn_complex<R>((a.im * ratio + a.re) / below, (a.im - a.re * ratio) / below);
}

template <class R> GN_BOTH inline gn_complex<R> &operator+=(gn_complex<R> &a, gn_complex<R> b) { return a = a + b; }
template <class R> GN_BOTH inline gn_complex<R> &operator*=(gn_complex<R> &a, gn_complex<R> b) { return a = a * b; }

template <class R> GN_BOTH inline bool operator==(gn_complex<R> a, gn_complex<R> b)
{
    return a.re == b.re && a.im == b.im;
}

template <class R> GN_BOTH inline bool operator!=(gn_complex<R> a, gn_complex<R> b) { return !(a == b); }
template <class R> GN_BOTH inline bool operator==(gn_complex<R> a, int b) { return a.re == b && a.im == 0; }
template <class R> GN_BOTH inline bool operator!=(gn_complex<R> a, int b) { return !(a == b); }

typedef gn_complex<float> gn_complex64;
typedef gn_complex<double> gn_complex128;

/* What C calls them by. */
static GN_BOTH inline gn_complex64 CMPLXF(float real, float imaginary) { return gn_complex64(real, imaginary); }
static GN_BOTH inline gn_complex128 CMPLX(double real, double imaginary) { return gn_complex128(real, imaginary); }
static GN_BOTH inline float crealf(gn_complex64 a) { return a.re; }
static GN_BOTH inline double creal(gn_complex128 a) { return a.re; }
static GN_BOTH inline float cimagf(gn_complex64 a) { return a.im; }
static GN_BOTH inline double cimag(gn_complex128 a) { return a.im; }
static GN_BOTH inline float cabsf(gn_complex64 a) { return hypotf(a.re, a.im); }
static GN_BOTH inline double cabs(gn_complex128 a) { return hypot(a.re, a.im); }
static GN_BOTH inline gn_complex64 conjf(gn_complex64 a) { return gn_complex64(a.re, -a.im); }
static GN_BOTH inline gn_complex128 conj(gn_complex128 a) { return gn_complex128(a.re, -a.im); }

/* Values handed from lane to lane, part by part. */
#ifdef __CUDACC__
#define GN_HANDED(word)                                                                                               \
    template <class R> __device__ inline gn_complex<R> word(unsigned int mask, gn_complex<R> a, int distance)         \
    {                                                                                                                 \
        const R re = word(mask, a.re, distance), im = word(mask, a.im, distance);                                     \
        return gn_complex<R>(re, im);                                                                                 \
    }
GN_HANDED(__shfl_sync)
GN_HANDED(__shfl_down_sync)
GN_HANDED(__shfl_up_sync)
GN_HANDED(__shfl_xor_sync)
#endif

#endif
