"""Mutants of complex numbers in kernels for GPUs."""

from __future__ import annotations

from mutant import Mutant

TEXT, CLASS, DEVICE = (
    "generator/cuda/complex.py",
    "generator/include/gnomon_complex.h",
    "generator/include/gnomon_device.h",
)
TESTS = ("tests/generator/cuda/test_complex.py",)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "complexes.1",
        CLASS,
        "a.re * b.re - a.im * b.im",
        "a.re * b.re + a.im * b.im",
        "products of imaginary parts are added",
        TESTS,
    ),
    Mutant(
        "complexes.2",
        CLASS,
        "fabs(b.re) < fabs(b.im)",
        "fabs(b.re) <= fabs(b.im)",
        "quotients scale by the other part where both are as large",
        TESTS,
    ),
    Mutant("complexes.3", CLASS, "{ return a = a * b; }", "{ return a = b * b; }", "`*=` squares", TESTS),
    Mutant(
        "complexes.4",
        CLASS,
        "return !(a == b); }\ntemplate <class R> GN_BOTH inline bool operator==(gn_complex<R> a, int",
        "return a.re != b.re; }\ntemplate <class R> GN_BOTH inline bool operator==(gn_complex<R> a, int",
        "numbers that differ in the imaginary part are taken for equal",
        TESTS,
    ),
    Mutant("complexes.5", CLASS, "return a.re == b && a.im == 0; }", "return a.re == b; }", "i + 1 is 1", TESTS),
    Mutant("complexes.6", CLASS, "{ return re != 0 || im != 0; }", "{ return re != 0; }", "i is false", TESTS),
    Mutant(
        "complexes.7",
        CLASS,
        "conjf(gn_complex64 a) { return gn_complex64(a.re, -a.im); }",
        "conjf(gn_complex64 a) { return a; }",
        "single numbers are conjugates of themselves",
        TESTS,
    ),
    Mutant(
        "complexes.8",
        DEVICE,
        "gn_atomic_add_##part((R *)p + 1, gn_imag_##name(b));",
        "gn_atomic_add_##part((R *)p, gn_imag_##name(b));",
        "imaginary parts are added to real ones",
        TESTS,
    ),
    Mutant(
        "complexes.9",
        "generator/include/gnomon_emulation.h",
        "memcmp(p, seen, 16) == 0",
        "memcmp(p, seen, 8) == 0",
        "pairs are exchanged where the first parts are alike",
        TESTS,
    ),
    Mutant(
        "complexes.10",
        TEXT,
        '"double complex": "gn_complex128"',
        '"double complex": "gn_complex64"',
        "double precision is single on devices",
        TESTS,
    ),
    Mutant(
        "complexes.11",
        "generator/cuda/memory.py",
        '"float complex": 8, "double complex": 16',
        '"float complex": 8',
        "arrays of complex numbers have no size in shared memory",
        TESTS,
    ),
    Mutant(
        "complexes.12",
        "properties/machine/device.py",
        "return alike(a.real, b.real) and alike(a.imag, b.imag)",
        "return alike(a.real, b.real)",
        "the machine exchanges numbers that differ in the imaginary part",
        ("tests/properties/machine/test_grid.py",),
    ),
    Mutant(
        "complexes.13",
        "properties/machine/device.py",
        "        case Complex(bits=32):\n            return single_parts\n",
        "",
        "the machine adds single numbers in double precision",
        ("tests/properties/machine/test_grid.py",),
    ),
)
