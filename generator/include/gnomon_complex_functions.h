/*
 * Functions of complex numbers for kernels on GPUs, by Thrust, which CUDA comes with. C has them in <complex.h>, and
 * nothing is left to say here.
 */

#ifndef GNOMON_COMPLEX_FUNCTIONS_H
#define GNOMON_COMPLEX_FUNCTIONS_H

#ifdef __cplusplus
#include <thrust/complex.h>

#include "gnomon_complex.h"

#define GN_BY_LIBRARY(T, R, function, S)                                                                              \
    static GN_BOTH inline T c##function##S(T a)                                                                       \
    {                                                                                                                 \
        const thrust::complex<R> b = thrust::function(thrust::complex<R>(a.re, a.im));                                \
        return T(b.real(), b.imag());                                                                                 \
    }

#define GN_COMPLEX_FUNCTIONS(T, R, name, S, WHOLE)                                                                    \
    GN_BY_LIBRARY(T, R, sqrt, S)                                                                                      \
    GN_BY_LIBRARY(T, R, exp, S)                                                                                       \
    GN_BY_LIBRARY(T, R, log, S)                                                                                       \
    GN_BY_LIBRARY(T, R, sin, S)                                                                                       \
    GN_BY_LIBRARY(T, R, cos, S)                                                                                       \
    GN_BY_LIBRARY(T, R, tan, S)                                                                                       \
    GN_BY_LIBRARY(T, R, tanh, S)                                                                                      \
    static GN_BOTH inline T cpow##S(T a, T b)                                                                         \
    {                                                                                                                 \
        const thrust::complex<R> c(a.re, a.im), d(b.re, b.im), e = thrust::pow(c, d);                                 \
        return T(e.real(), e.imag());                                                                                 \
    }                                                                                                                 \
    GN_POWER(T, name, S, WHOLE)

GN_COMPLEX_FUNCTIONS(gn_complex64, float, complex64, f, CMPLXF)
GN_COMPLEX_FUNCTIONS(gn_complex128, double, complex128, , CMPLX)
#endif

#endif
