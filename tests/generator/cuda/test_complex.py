"""Complex numbers on GPUs: folded by lanes, updated while others do, computed by operators and functions."""

import re
import shutil
import subprocess
from itertools import product
from pathlib import Path

import gnomon as gn
import numpy as np
import pytest
from depth import ALL
from devices.emulated import Emulated
from gnomon.generator.cuda.complex import NAMES
from gnomon.generator.runtime.compiler import GCC, INCLUDE
from gnomon.properties.differential.devices import (
    generate_device_case,
    run_on_machine,
)
from gnomon.properties.programs.problem import Problem
from hypothesis import settings

ON_BLOCK, ON_THREAD = "parallelize(block,GPUBlock,{0})", "parallelize(thread,GPUThread,{0})"
UNITS = f"{ON_BLOCK},{ON_THREAD}"
ROWS = "split(i,block,thread,8)," + UNITS.format("NoRaces")
ACROSS = "split(i,block,thread,8)," + UNITS.format("Atomics")
LANES = "split(j,part,thread,16),parallelize(i,GPUBlock,NoRaces)," + ON_THREAD.format("ParallelReduction")
POSITIONS = "pos(j,p,A(i,j))," + LANES.replace("split(j", "split(p")
SEGMENTS = (
    "collapse(i,j,f),pos(f,p,A(i,j)),split(p,block,p1,64),split(p1,warp,thread,32),"
    f"{ON_BLOCK.format('IgnoreRaces')},parallelize(warp,GPUWarp,IgnoreRaces),{ON_THREAD.format('Atomics')}"
)
OF_WARPS = (
    f"bound(j,jb,40,max_exact),split(i,block,warp,4),{ON_BLOCK.format('Atomics')},parallelize(warp,GPUWarp,Temporary)"
)
CASES = {
    "rows": ("y(i) = A(i,j) * x(j)", ROWS, None),
    "sums by lanes": ("y(i) = A(i,j) * x(j)", POSITIONS, None),
    "products by lanes": ("y(i) = prod(j, B(i,j))", LANES, None),
    "segments": ("y(i) = A(i,j) * x(j)", SEGMENTS, None),
    "sums of columns": ("y(j) = A(i,j) * x(i)", ACROSS, None),
    "columns of warps": ("y(j) = A(i,j) * x(i)", OF_WARPS, None),
    "products of columns": ("y(j) *= A(i,j)", ACROSS, None),
    "any of a column": ("y(j) any= A(i,j)", ACROSS, None),
    "or of a column": ("y(j) or= A(i,j)", ACROSS, None),
    "xor of a column": ("y(j) xor= A(i,j)", ACROSS, None),
    "another semiring": ("y(j) = A(i,j) * x(i)", ACROSS, "any_second"),
    "parts": ("y(i) = sum(j, real(A(i,j)) * abs(x(j)) + imag(A(i,j)))", ROWS, None),
    "operators": ("y(i) = sum(j, conj(A(i,j)) / (x(j) - 2j) + A(i,j) * -x(j))", ROWS, None),
    "functions": (
        "y(i) = sum(j, sqrt(A(i,j)) + tanh(x(j)) * exp(A(i,j)) + log(x(j)) + pow(A(i,j), x(j)) + tan(sin(cos(x(j)))))",
        ROWS,
        None,
    ),
    "comparisons": ("y(i) = sum(j, A(i,j) * eq(A(i,j), x(j)))", ROWS, None),
    "another precision": ("y(i) = sum(j, A(i,j) * x(j))", ROWS, None),
}


def problem_of(name: str, dtype: str) -> Problem:
    text, schedule, ring = CASES[name]
    random, shape = np.random.default_rng(5), (9, 5) if name == "functions" else (11, 40)
    values = random.integers(1, 3, shape) + 1j * random.integers(-1, 2, shape)
    other = "complex64" if name == "another precision" else dtype
    x = (random.integers(1, 4, shape["x(j)" in text]) * (1 - 1j)).astype(other)
    operands = {
        "A": gn.from_numpy(np.where(random.random(shape) < 0.3, values, 0).astype(dtype), "CSR"),
        "B": gn.from_numpy(values.astype(dtype), "RowMajor"),
        "x": gn.from_numpy(x, "Dense"),
    }
    read = {name: tensor for name, tensor in operands.items() if f"{name}(" in text.partition("=")[2]}
    return Problem(text, read, "dense", ring, schedule=schedule)


CHOSEN = list(product(CASES, ("complex64", "complex128")))[:: 1 if ALL else 7]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Emulated[tuple[str, str]]:
    """All chosen kernels in one library."""
    return Emulated({key: problem_of(*key) for key in CHOSEN}, tmp_path_factory)


@pytest.mark.parametrize(("name", "dtype"), CHOSEN)
def test_complex_numbers(name: str, dtype: str, built: Emulated[tuple[str, str]]) -> None:
    case = built.cases[name, dtype]
    points = {tuple(c): case.problem.denotation.point(tuple(c)) for c in case.problem.denotation.points()}
    for found in (built.run((name, dtype)), run_on_machine(case)):
        entries = {tuple(c): v for c, v in found.entries()}
        assert entries.keys() == points.keys() and found.dtype == case.problem.dtype
        assert [(c, v) for c, v in entries.items() if not points[c].accepts(v)] == []


def test_the_header_has_every_function_that_c_has_for_complex_numbers() -> None:
    text = (INCLUDE / "gnomon_complex_functions.h").read_text()
    assert tuple(re.findall(r"^ +GN_BY_LIBRARY\(T, R, (\w+), S\)", text, re.MULTILINE)) == NAMES
    assert all(name in CASES["functions"][0] for name in NAMES)


PAIRS = """
#include "gnomon_emulation.h"
void gn_emulation_atomic(const volatile void *p, size_t size) { (void)p, (void)size; }
int main(void)
{
    double p[2] = {1.0, 2.0}, seen[2] = {1.0, 3.0};
    const double wanted[2] = {1.0, 6.0};
    if (gn_emulation_exchange_pair(p, seen, wanted) || p[1] != 2.0 || seen[1] != 2.0)
        return 1;
    return !gn_emulation_exchange_pair(p, seen, wanted) || p[1] != 6.0;
}
"""


def test_pairs_are_exchanged_where_both_parts_are_as_they_were_seen(tmp_path: Path) -> None:
    program = str(tmp_path / "pairs")
    subprocess.run(["gcc", "-std=c11", f"-I{INCLUDE}", "-xc", "-", "-o", program], input=PAIRS, text=True, check=True)
    assert subprocess.run([program], check=False).returncode == 0


PROGRAM = r"""
#include <math.h>
#include <stdio.h>
#ifdef __cplusplus
#include "gnomon_complex.h"
#else
#include <complex.h>
typedef float complex gn_complex64;
typedef double complex gn_complex128;
#endif
static void tell(double x) { if (isnan(x)) printf(" nan"); else printf(" %a", x); }
static void tell_pair(gn_complex128 a) { tell(creal(a)); tell(cimag(a)); }
static void tell_single(gn_complex64 a) { tell(crealf(a)); tell(cimagf(a)); }
int main(void)
{
    const double parts[] = {0.0, -0.0, 1.0, -1.0, -2.5, 0.1, 3e200, 1e-310, INFINITY, -INFINITY, NAN};
    for (int n = 0; n < 11 * 11 * 11 * 11; n++) {
        const gn_complex128 a = CMPLX(parts[n % 11], parts[n / 11 % 11]);
        const gn_complex128 b = CMPLX(parts[n / 121 % 11], parts[n / 1331]);
        const gn_complex64 c = (gn_complex64)a, d = (gn_complex64)b;
        gn_complex128 e = a;
        e += b;
        tell_pair(e), tell_pair(a - b), tell_pair(a * b), tell_pair(a / b), tell_pair(-a), tell_pair(conj(a));
        tell(cabs(a)), tell_pair((gn_complex128)c), tell_pair((gn_complex128)n), tell_pair((gn_complex128)(a != 0));
        gn_complex64 f = c;
        f *= d;
        tell_single(f), tell_single(c + d), tell_single(c - d), tell_single(c / d), tell_single(conjf(c));
        printf(" %.6g %d %d %d %d\n", cabsf(c), a == b, a != b, (bool)a, d == 1);
    }
}
"""


@pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++")
def test_the_class_computes_as_gcc_does(tmp_path: Path) -> None:
    said = []
    for command in (("gcc", *GCC, "-std=c11", "-Dbool=_Bool", "-xc"), ("g++", "-std=c++17", "-xc++")):
        words = [*command, "-Wall", "-Wextra", "-Werror", f"-I{INCLUDE}", "-", "-lm", "-o", str(tmp_path / command[0])]
        subprocess.run(words, input=PROGRAM, text=True, check=True)
        said.append(
            subprocess.run([tmp_path / command[0]], capture_output=True, text=True, check=True).stdout.split("\n")
        )
    assert len(said[0]) == 11**4 + 1 and said[0] == said[1]


@pytest.mark.skipif(settings.default.max_examples < 1000, reason="nvcc takes seconds: `make deep`")
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc")
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_nvcc_compiles_complex_numbers_without_a_warning(dtype: str, tmp_path: Path) -> None:
    names = enumerate(name for name in CASES if name != "another precision")
    texts = [generate_device_case(problem_of(name, dtype), f"k{n}_").device for n, name in names]
    (tmp_path / "text.cu").write_text("\n".join(texts))
    words = ["nvcc", "-arch=sm_80", f"-I{INCLUDE}", "-c", str(tmp_path / "text.cu"), "-o", str(tmp_path / "text.o")]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
