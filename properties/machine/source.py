"""From C text to pycparser's tree, which no other file of the machine imports; what the system's headers declare."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from msgspec import Struct

from ...generator.ir.c_trees import c_ast as c_ast
from ...generator.ir.c_trees import parser
from ...generator.ir.emission import PARSING
from ...generator.runtime.compiler import INCLUDE
from .fault import Where
from .preprocessor import Macro, Macros, preprocess

HEADER, DEVICE_HEADER, HOST_HEADER = "gnomon.h", "gnomon_device.h", "gnomon_cuda.h"
SHARED = "_Thread_local"
"""The storage class of C that stands for memory of a block of threads, which C has no word for."""
SYSTEM = """
#define NULL ((void *)0)
#define bool _Bool
#define true 1
#define false 0
#define complex _Complex
#define _Complex_I CMPLXF(0.0f, 1.0f)
#define INT8_MIN (-128)
#define INT8_MAX 127
#define INT16_MIN (-32768)
#define INT16_MAX 32767
#define INT32_MIN (-2147483647 - 1)
#define INT32_MAX 2147483647
#define INT64_MIN (-9223372036854775807L - 1)
#define INT64_MAX 9223372036854775807L
#define UINT8_MAX 255
#define UINT16_MAX 65535
#define UINT32_MAX 4294967295U
#define UINT64_MAX 18446744073709551615UL
#define PTRDIFF_MAX INT64_MAX
#define INT8_C(c) c
#define INT16_C(c) c
#define INT32_C(c) c
#define INT64_C(c) c ## L
#define UINT8_C(c) c
#define UINT16_C(c) c
#define UINT32_C(c) c ## U
#define UINT64_C(c) c ## UL
#define INFINITY (1e30000f)
#define NAN __builtin_nanf()
"""
TYPEDEFS = (
    "typedef signed char int8_t; typedef short int16_t; typedef int int32_t; typedef long int64_t;"
    "typedef unsigned char uint8_t; typedef unsigned short uint16_t; typedef unsigned int uint32_t;"
    "typedef unsigned long uint64_t; typedef unsigned long size_t; typedef long ptrdiff_t;"
    "typedef unsigned long uintptr_t;"
)
QUALIFIERS = f"""
#define __global__
#define __device__
#define __host__
#define __shared__ {SHARED}
#define __restrict__ restrict
#define __launch_bounds__(threads)
#define GN_WORD 1
"""
RUNTIME = """
typedef struct { unsigned int x, y, z; } dim3;
typedef void *cudaStream_t;
typedef int cudaError_t;
enum {
    cudaSuccess = 0, cudaErrorMemoryAllocation = 2, cudaErrorInvalidConfiguration = 9,
    cudaErrorInsufficientDriver = 35, cudaErrorInvalidDeviceFunction = 98, cudaErrorNoDevice = 100,
    cudaErrorNoKernelImageForDevice = 209, cudaErrorUnsupportedPtxVersion = 222
};
enum { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2, cudaMemcpyDeviceToDevice = 3 };
"""
LENDING = """
static inline void *gn_device_lend(const void *host, int64_t count, size_t size, int *status)
{
    void *device = gn_device_array(count, size, status);
    gn_device_put(device, host, count, size, status);
    return device;
}
static inline void gn_device_return(void *device) { gn_device_free(device); }
"""
CUDA = ("dim3", "cudaStream_t", "cudaError_t")
OWN = ("gn_tensor", "gn_level", "gn_list", "gn_pair")
COMPLEX = ("gn_complex64", "gn_complex128")


class Unit(Struct, frozen=True):
    """A parsed file: its top-level declarations, the macros it leaves, its lines."""

    file: str
    tree: Any
    macros: Macros
    lines: tuple[str, ...]

    def where(self, line: int) -> Where:
        """A line of it."""
        text = self.lines[line - 1] if 0 < line <= len(self.lines) else ""
        return Where(self.file, line, text.strip())


def parse(text: str, file: str, macros: Macros, types: Iterable[str] = ()) -> Unit:
    """A file as a tree, where `types` are names of types from elsewhere."""
    plain, left = preprocess(text, macros)
    preamble = TYPEDEFS + "".join(f"typedef int {name};" for name in types)
    with PARSING:
        tree = parser().parse(f'{preamble}\n# 1 "{file}"\n{plain}', file)
    own = [d for d in tree.ext if d.coord is None or (d.coord.file == file and not is_preamble(d, types))]
    return Unit(file, c_ast.FileAST(own), left, tuple(text.split("\n")))


def is_preamble(d: Any, types: Iterable[str]) -> bool:
    """Whether a declaration only tells the parser that a name is a type."""
    known = [part.split()[-1] for part in TYPEDEFS.split(";") if part]
    return isinstance(d, c_ast.Typedef) and d.name in {*known, *types}


@cache
def system() -> Mapping[str, Macro]:
    """The macros of the system's headers."""
    return preprocess(SYSTEM, {})[1]


@cache
def header(defines: tuple[tuple[str, str], ...] = ()) -> Unit:
    """The support header; `defines` are macros that stand before it."""
    lines = "".join(f"#define {name} {text}\n" for name, text in defines)
    return parse((INCLUDE / HEADER).read_text(), HEADER, preprocess(lines, system())[1])


def kernel(text: str, file: str = "kernel", defines: tuple[tuple[str, str], ...] = ()) -> Unit:
    """A kernel that includes the support header."""
    return parse(text, file, header(defines).macros, OWN)


@cache
def device_header() -> Unit:
    """The support header of kernels on devices."""
    macros = preprocess(QUALIFIERS, header().macros)[1]
    return parse((INCLUDE / DEVICE_HEADER).read_text(), DEVICE_HEADER, macros, OWN)


@cache
def runtime_header() -> Unit:
    """What CUDA's runtime declares."""
    return parse(RUNTIME, "cuda_runtime_api.h", header().macros, OWN)


@cache
def host_header() -> Unit:
    """The support header of their hosts."""
    macros = preprocess(QUALIFIERS, header().macros)[1]
    return parse((INCLUDE / HOST_HEADER).read_text(), HOST_HEADER, macros, (*OWN, *CUDA))


@cache
def lending() -> Unit:
    """What gnomon_kept.h does where no copies are kept."""
    return parse(LENDING, "gnomon_kept.h", host_header().macros, (*OWN, *CUDA))


def device(text: str) -> Unit:
    """The device's text of a kernel."""
    return parse(text, "device", device_header().macros, (*OWN, *COMPLEX))


def host(text: str) -> Unit:
    """The host's text of a kernel on devices."""
    return parse(text, "host", host_header().macros, (*OWN, *CUDA))


def inside(node: Any) -> Iterator[Any]:
    """The parts of a node."""
    for _, part in node.children():
        yield part
