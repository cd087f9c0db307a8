"""Lanes: what reports integers that do not fit has twins without branches for lanes, which report the same."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.kernel_source import generate
from gnomon.generator.runtime.compiler import INCLUDE
from gnomon.generator.runtime.request import chosen_compiler, make_request
from gnomon.generator.runtime.sources import request_source

SIGNED = ("int8", "int16", "int32", "int64")
INTEGERS = (*SIGNED, *(f"u{name}" for name in SIGNED))
TILES = "split(j,j0,j1,8),reorder(i,j0,k,j1),parallelize(j1,CPUVector,NoRaces)"
LANES = "split(j,j0,j1,8),parallelize(j1,CPUVector,NoRaces)"
VECTOR = "bound(i,u,8,max_exact),parallelize(u,CPUVector,NoRaces)"
PRODUCT = "C(i,j) = A(i,k) * B(k,j)"


def twins(name: str) -> str:
    """C that counts where a function and its twin differ: in what they report, or in the result."""
    two = "".join(compare(name, f"{f}_{name}", f"of_{name}[n], of_{name}[m]") for f in ("add", "sub", "mul"))
    one = "".join(compare(name, f"{f}_{name}", f"of_{name}[n]") for f in ("neg", "magnitude", "square"))
    count = f"(int)(sizeof of_{name} / sizeof of_{name}[0])"
    converted = "".join(
        f"for (int n = 0; n < (int)(sizeof of_{wide} / sizeof of_{wide}[0]); n++) {{"
        + compare(name, f"to_{name}_{wide}", f"of_{wide}[n]")
        + "}"
        for wide in ("int64", "uint64")
    )
    body = f"for (int n = 0; n < {count}; n++) {{ {one} for (int m = 0; m < {count}; m++) {{ {two} }} }}"
    return f"int differ_{name}(void) {{ int found = 0; {body} {converted} return found; }}\n"


def values(name: str) -> str:
    """C that declares a sample of integers."""
    return f"static const {name}_t of_{name}[] = {{{', '.join(map(spell, sample(name)))}}};\n"


def compare(name: str, function: str, args: str) -> str:
    """C that compares a function with its twin."""
    call, twin = f"gn_{function}({args}, &s)", f"gn_lane_{function}({args}, &t)"
    return f"{{ int s = GN_OK; int64_t t = GN_OK; {name}_t a = {call}, b = {twin}; found += a != b || s != t; }}"


def sample(name: str) -> list[int]:
    """Integers of a type: all if they are few, or else those near powers of two and square roots, and random ones."""
    info = np.iinfo(name)
    if info.bits == 8:
        return list(range(int(info.min), int(info.max) + 1))
    near = {sign * (1 << n) + d for n in range(info.bits + 1) for d in (-1, 0, 1) for sign in (1, -1)}
    near |= {sign * (int(info.max**0.5) + d) for d in (-1, 0, 1, 2) for sign in (1, -1)}
    drawn = np.random.default_rng(0).integers(info.min, info.max, 100, dtype=name, endpoint=True).tolist()
    return sorted({n for n in (*near, *drawn) if info.min <= n <= info.max})


def spell(n: int) -> str:
    """An integer in C."""
    return "INT64_MIN" if n == -(1 << 63) else f"{n}{'u' if n >= 1 << 63 else ''}"


def test_twins_report_the_same(tmp_path: Path) -> None:
    text = '#include "gnomon.h"\n' + "".join(map(values, INTEGERS)) + "".join(map(twins, INTEGERS))
    (tmp_path / "twins.c").write_text(text)
    command = [*chosen_compiler().command, "-std=c11", "-O1", "-w", "-shared", "-fPIC", f"-I{INCLUDE}"]
    subprocess.run([*command, str(tmp_path / "twins.c"), "-o", str(tmp_path / "twins.so"), "-lm"], check=True)
    library = ctypes.CDLL(str(tmp_path / "twins.so"))
    assert {name: getattr(library, f"differ_{name}")() for name in INTEGERS} == dict.fromkeys(INTEGERS, 0)


def source(schedule: str, expression: str = PRODUCT, dtype: str = "int32", overflow: str = "check") -> str:
    """The C of a kernel with dense operands."""
    specs = {name: gn.spec("Dense", dtype=dtype) for name in "AB"}
    request = make_request(expression, specs, schedule=schedule, overflow=overflow)
    return generate(request_source(request, request.resolve_without_shapes()), modes=("evaluate",))


def test_lanes_report_apart_inside_another_loop() -> None:
    text = source(TILES)
    assert "&j1_status[j1]" in text
    assert "gn_lane_mul_int32" in text and "gn_lane_mul_int32" not in source(TILES, overflow="ignore")


def test_lanes_without_a_loop_around_them_reduce() -> None:
    assert "#pragma omp simd reduction(max : i_status)" in source(VECTOR, "C(i) = A(i) * B(i)")


def test_lanes_do_not_reduce_what_reports() -> None:
    total = "parallelize(i,CPUVector,ParallelReduction)"
    assert "omp simd" not in source(total, "C = A(i) * B(i)")
    assert "omp simd" in source(total, "C = A(i) * B(i)", overflow="ignore")
    assert "omp simd" in source(total, "C = A(i) * B(i)", dtype="float64")


def test_lanes_do_not_share_what_reports_something_else() -> None:
    assert "omp simd" not in source(LANES, "C(i,j) = floordiv(A(i,j), B(i,j))")


def test_all_that_an_operator_reports_has_twins() -> None:
    text = source(LANES, "C(i,j) = cube(A(i,j) + B(i,j))")
    assert "omp simd" in text and "gn_lane_mul_int32(gn_lane_mul_int32(" in text
    capped = gn.operator("capped(a,b) = min(a + b, 7)")
    whole = gn.compile(
        gn.text("C(i) = capped(A(i), 1)", operators=[capped]), A=gn.spec("Dense", dtype="int32"), schedule=VECTOR
    )
    assert "gn_min_int32(gn_lane_add_int32(" in whole.source


@pytest.mark.parametrize("dtype", ["int8", "uint32", "int64"])
def test_lanes_report_what_does_not_fit(dtype: str) -> None:
    most = int(np.iinfo(dtype).max)
    a, b = np.ones((3, 2), dtype), np.ones((2, 11), dtype)
    b[:, 3] = most, 0
    stored = gn.spec("Dense", dtype=dtype)
    kernel = gn.compile(PRODUCT, A=stored, B=stored, schedule=TILES)
    np.testing.assert_array_equal(kernel(A=a, B=b).to_numpy(), a.astype(object) @ b.astype(object))
    a[2, 0] = 2
    with pytest.raises(gn.GnomonError, match="overflow"):
        kernel(A=a, B=b)


def test_lanes_report_what_they_reduce() -> None:
    a, b = np.arange(8, dtype="int32"), np.full(8, 2, "int32")
    kernel = gn.compile(
        "C(i) = A(i) * B(i)", A=gn.spec("Dense", dtype="int32"), B=gn.spec("Dense", dtype="int32"), schedule=VECTOR
    )
    assert kernel(A=a, B=b).to_numpy().tolist() == (a * 2).tolist()
    a[5] = 1 << 30
    with pytest.raises(gn.GnomonError, match="overflow"):
        kernel(A=a, B=b)
