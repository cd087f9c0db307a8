"""Kernels that run out of memory or of positions, or read what they have not written."""

import ctypes
from pathlib import Path
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.kernel_source import generate
from gnomon.generator.runtime import cache
from gnomon.generator.runtime.library import Library
from gnomon.generator.runtime.request import chosen_compiler, make_request
from gnomon.generator.runtime.runner import Runner
from gnomon.generator.runtime.sources import request_source
from gnomon.properties.differential.batch import QUICK
from gnomon.reference.errors import StorageError
from gnomon.reference.files.samples import poisson_2d

HOOKS = """
#include <stddef.h>
#include <stdlib.h>
long gn_left = -1;
static void *gn_realloc(void *p, size_t n) { return gn_left-- == 0 ? NULL : realloc(p, n); }
static void *gn_calloc(size_t m, size_t n) { return gn_left-- == 0 ? NULL : calloc(m, n); }
void gn_allow(int *n) { gn_left = *n; }
#define GN_REALLOC gn_realloc
#define GN_CALLOC gn_calloc
"""


def runner(expression: str, specs: dict[str, Any], out: Any, folder: Path, prelude: str) -> tuple[Runner, Any]:
    request = make_request(expression, specs, out=out)
    resolved = request.resolve_without_shapes()
    path = folder / f"{cache.digest(expression, prelude)}.c"
    path.write_text(prelude + generate(request_source(request, resolved), modes=("evaluate",)))
    chosen_compiler().build(path, path.with_suffix(".so"), QUICK)
    library = Library(path.with_suffix(".so"), ["evaluate"], [3])
    return Runner(library, request.result(resolved)), path.with_suffix(".so")


@pytest.mark.every(2)
@pytest.mark.parametrize("out", ["CSR", "DCSR", "COO", "BCSR(2,2)", "HashRows", "HashMap"])
def test_every_allocation_may_fail(out: str, tmp_path: Path) -> None:
    run, path = runner("C(i,j) = A(i,k) * B(k,j)", {"A": "CSR", "B": "CSC"}, out, tmp_path, HOOKS)
    limit = ctypes.CDLL(str(path)).gn_allow
    grid = poisson_2d(6)
    operands = {"A": grid, "B": grid.convert("CSC")}
    for allowed in range(200):
        limit(ctypes.byref(ctypes.c_int(allowed)))
        try:
            result = run.evaluate(operands, (36, 36), "C")
        except StorageError:
            continue
        assert allowed > 2  # a result has three arrays at least
        result.validate()
        assert np.allclose(result.to_numpy(), grid.to_numpy() @ grid.to_numpy())
        return
    raise AssertionError("never enough memory")


STALE = """
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
static void *gn_stale(void *p, size_t n)
{
    const size_t before = p == NULL ? 0 : malloc_usable_size(p);
    char *q = realloc(p, n);
    if (q != NULL && malloc_usable_size(q) > before)
        memset(q + before, 0xBE, malloc_usable_size(q) - before);
    return q;
}
#define GN_REALLOC gn_stale
#define GN_CALLOC calloc
"""
WIDENED = [
    "dense,compressed,hashed", "compressed,hashed,hashed", "compressed,dense,hashed", "compressed,hashed,dense",
    "compressed,compressed,hashed(width=1)", "dense,dense,hashed(width=1)",
]  # fmt: skip


@pytest.mark.every(2)
@pytest.mark.parametrize("out", WIDENED)
def test_memory_is_written_before_it_is_read(out: str, tmp_path: Path) -> None:
    run, _ = runner("C(i,j,k) = A(i,j) * B(k)", {"A": "CSR"}, out, tmp_path, STALE)
    grid, b = poisson_2d(6), gn.tensor([range(30)], np.arange(30) + 1.0, (30,), "Dense")
    result = run.evaluate({"A": grid, "B": b}, (36, 36, 30), "C")
    result.validate()
    assert np.array_equal(result.to_numpy(), np.multiply.outer(grid.to_numpy(), b.to_numpy()))


@pytest.mark.parametrize("out", ["CSR", "DCSR", "COO"])
def test_positions_that_overflow_are_an_error(out: str, tmp_path: Path) -> None:
    run, _ = runner("C(i,j) = A(i,k) * B(k,j)", {"A": "CSR", "B": "CSR"}, out, tmp_path, "#define GN_INDEX_MAX 100\n")
    small, large = poisson_2d(3), poisson_2d(10)
    assert run.evaluate({"A": small, "B": small}, (9, 9), "C").nnz == 61
    with pytest.raises(StorageError, match="64-bit indices"):
        run.evaluate({"A": large, "B": large}, (100, 100), "C")


@pytest.mark.parametrize(("most", "fits"), [(36 * 8 - 1, False), (36 * 8, True)])
def test_what_is_made_beforehand_has_a_limit(most: int, fits: bool, tmp_path: Path) -> None:
    grid = poisson_2d(6)
    run, _ = runner("C(i,j) = A(i,k) * B(k,j)", {"A": "CSR", "B": "CSR"}, "DCSR", tmp_path, f"#define GN_MOST {most}\n")
    if fits:
        assert run.evaluate({"A": grid, "B": grid}, (36, 36), "C").nnz > 36
        return
    with pytest.raises(StorageError, match=rf"not enough memory for C(.|\n)*{2**34} bytes an array(.|\n)*hashed"):
        run.evaluate({"A": grid, "B": grid}, (36, 36), "C")
