"""Kernels as a user calls them: checked operands, results, the cache, threads, memory that runs out."""

import concurrent.futures
import ctypes
import gc
import os
import resource
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import gnomon as gn
import numpy as np
import pytest
import scipy.sparse
from gnomon.generator.kernel_source import generate
from gnomon.generator.runtime import cache
from gnomon.generator.runtime.compiler import Compiler, compiler
from gnomon.generator.runtime.kernel import Kernel
from gnomon.generator.runtime.library import Library
from gnomon.generator.runtime.request import chosen_compiler, make_request
from gnomon.generator.runtime.runner import Runner
from gnomon.generator.runtime.sources import request_source
from gnomon.properties.differential.batch import QUICK
from gnomon.reference.errors import (
    CompileError,
    DtypeError,
    FormatError,
    GnomonError,
    HostError,
    MeaningError,
    NoCompilerError,
    ScheduleError,
    StorageError,
    Unsupported,
)
from gnomon.reference.files.samples import poisson_2d
from gnomon.reference.storage.tensor import Tensor

A = gn.tensor([[0, 0, 1, 3], [0, 2, 1, 3]], [5.0, 1.0, 7.0, 9.0], (4, 4), "CSR")
X = np.array([1.0, 2.0, 3.0, 4.0])
SPMV = "y(i) = A(i,j) * x(j)"


@pytest.fixture(scope="module")
def spmv() -> Kernel:
    return gn.compile(SPMV, A="CSR")


def test_calls(spmv: Kernel) -> None:
    y = spmv(A=A, x=X)
    assert y.to_numpy().tolist() == [8.0, 14.0, 0.0, 36.0]
    out = np.empty(4)
    assert np.shares_memory(spmv(A=A, x=X, out=out).vals, out)
    assert out.tolist() == [8.0, 14.0, 0.0, 36.0]


def test_results_are_not_written_into_memory_that_is_not_aligned(spmv: Kernel) -> None:
    out = np.frombuffer(bytearray(33), np.uint8)[1:].view(np.float64)
    with pytest.raises(StorageError, match="aligned"):
        spmv(A=A, x=X, out=out)


def test_scipy_lists_and_strided_arrays_are_operands(spmv: Kernel) -> None:
    matrix = scipy.sparse.csr_array(A.to_numpy())
    expected = [8.0, 14.0, 0.0, 36.0]
    assert spmv(A=matrix, x=[1, 2, 3, 4]).to_numpy().tolist() == expected
    assert spmv(A=A, x=np.repeat(X, 2)[::2]).to_numpy().tolist() == expected


def test_shapes_are_not_compiled_in(spmv: Kernel) -> None:
    for n in (0, 1, 7):
        eye = gn.tensor([range(n), range(n)], np.arange(n) + 1.0, (n, n), "CSR")
        assert spmv(A=eye, x=np.ones(n)).to_numpy().tolist() == [*np.arange(n) + 1.0]


def test_sibling_reductions_have_extents_of_their_own() -> None:
    kernel = gn.compile("y(i) = sum(l, A(i,l)) * sum(l, B(l,i))", A="dd", B="dd")
    np.testing.assert_array_equal(kernel(A=np.ones((2, 3)), B=np.ones((4, 2))).to_numpy(), [12.0, 12.0])
    with pytest.raises(gn.GnomonError, match="extent"):
        gn.compile("y(i) = A(i,l) * B(l,i)", A="dd", B="dd")(A=np.ones((2, 3)), B=np.ones((4, 2)))


def test_results_are_tensors_that_own_their_memory() -> None:
    product = gn.compile("C(i,j) = A(i,k) * B(k,j)", A="CSR", B="CSR", out="CSR")
    grid = poisson_2d(20)
    c = product(A=grid, B=grid)
    c.validate()
    assert (c.to_scipy() != grid.to_scipy() @ grid.to_scipy()).nnz == 0
    vals = c.vals
    del c
    gc.collect()
    assert vals.sum() == (grid.to_scipy() @ grid.to_scipy()).sum()
    assert not vals.flags.writeable


def test_kernels_that_depend_on_an_extent_are_made_for_it() -> None:
    expression = "y(i) = abs(sum(k, A(i,k))) + x(i)"
    kernel = gn.compile(expression, A=gn.spec("CSR", fill=2), x="SparseVector", out="Dense")
    for n in (3, 5):
        a = gn.tensor([[0], [1]], [7.0], (n, n), "CSR", fill=2)
        x = gn.tensor([[1]], [1.0], (n,), "SparseVector")
        expected = gn.evaluate(expression, A=a, x=x)
        assert kernel(A=a, x=x).to_numpy().tolist() == expected.to_numpy().tolist()


def test_previous_contents() -> None:
    kernel = gn.compile("y(i) += A(i,j) * x(j)", A="CSR", y="Dense")
    assert kernel(A=A, x=X, y=np.ones(4)).to_numpy().tolist() == [9.0, 15.0, 1.0, 37.0]


@pytest.mark.parametrize(
    ("operands", "message"),
    [
        ({"A": A}, "operand x is missing"),
        ({"A": A, "x": X, "z": X}, "z is no operand"),
        ({"A": A.convert("CSC"), "x": X}, "compiled for CSR"),
        ({"A": A, "x": X.astype("float32")}, "dtype float32"),
        ({"A": A, "x": X[:3]}, "extent 4"),
        ({"A": A, "x": np.ones((4, 4))}, "dimensions"),
        ({"A": gn.tensor([[0], [0]], [1.0], (4, 4), "CSR", fill=1), "x": X}, "fill 1.0"),
        ({"A": gn.tensor([[0], [0]], [1.0], (4, 4), "CSR", index="int64"), "x": X}, "int64"),
        ({"A": "CSR", "x": X}, "not a tensor"),
        ({"A": A, "x": [1j, 0, 0, 0]}, "not float64"),
        ({"A": A, "x": X, "out": X}, "overlaps"),
        ({"A": A, "x": X, "out": np.empty(3)}, "writeable, aligned float64 array of shape"),
    ],
)
def test_operands_that_do_not_fit(spmv: Kernel, operands: dict[str, Any], message: str) -> None:
    with pytest.raises(GnomonError, match=message):
        spmv(**operands)


@pytest.mark.parametrize(
    "given",
    [
        A.convert("CSC"),
        A.to_numpy(),
        A.to_numpy().tolist(),
        A.to_scipy().tocsc(),
        A.to_scipy().tocoo(),
        scipy.sparse.dok_matrix(A.to_scipy()),
    ],
    ids=lambda given: type(given).__name__,
)
def test_what_is_stored_otherwise_can_be_converted_as_the_hint_says(spmv: Kernel, given: Any) -> None:
    with pytest.raises(FormatError, match="compiled for CSR") as error:
        spmv(A=given, x=X)
    told, _, written = str(error.value.hint).partition(": ")
    converted = eval(written, {"gn": gn, "np": np, "A": given})
    assert told == "convert it" and np.array_equal(spmv(A=converted, x=X).to_numpy(), spmv(A=A, x=X).to_numpy())


@pytest.mark.parametrize("given", [3.0, X, A[0], np.ones((4, 4, 4))])
def test_what_has_another_order_is_not_said_to_be_stored_otherwise(spmv: Kernel, given: Any) -> None:
    with pytest.raises(GnomonError, match=f"A has {np.ndim(given) if np.isscalar(given) else len(given.shape)} dim"):
        spmv(A=given, x=X)


def test_broken_storage_is_refused_before_anything_is_read(spmv: Kernel) -> None:
    wild = np.array([0, 2, 10**6, 1], np.int32)
    levels = (A.levels[0], {**A.levels[1], "crd": wild})
    broken = Tensor(A.format, A.shape, A.dtype, A.fill, levels, A.shared, A.extents, A.vals)
    with pytest.raises(StorageError, match="1000000"):
        spmv(A=broken, x=X)


def test_everything_is_checked_before_it_is_asked_how_it_is_stored(spmv: Kernel) -> None:
    lacking = replace(A, levels=(A.levels[0], {"crd": A.levels[1]["crd"]}))
    calls: list[Callable[[], Any]] = [
        lambda: spmv(A=lacking, x=X),
        lambda: gn.evaluate(SPMV, A=lacking, x=X, engine="c"),
        lambda: gn.compile(SPMV, A=lacking),
        lambda: gn.compile(SPMV, A=replace(A, dtype=np.dtype("float16"))),
        lambda: gn.compile(SPMV, A=replace(A, levels=(A.levels[0], {**A.levels[1], "crd": np.zeros(4)}))),
        lambda: gn.compile(SPMV, A=lacking, tune=True),
    ]
    for call in calls:
        with pytest.raises(GnomonError, match=r"lacks pos|float16|vector of integers"):
            call()


@pytest.mark.parametrize("convert", [5, "AUTO", True])
def test_ways_to_convert_that_are_not_known(convert: Any) -> None:
    with pytest.raises(GnomonError, match="convert"):
        gn.evaluate(SPMV, A=A, x=X, convert=convert, engine="c")
    with pytest.raises(GnomonError, match="convert"):
        gn.compile(SPMV, A=A, convert=convert)


def test_arrays_with_gaps_in_other_byte_orders_and_off_alignment(spmv: Kernel) -> None:
    crd = A.levels[1]["crd"]
    assert isinstance(crd, np.ndarray)
    shifted = np.frombuffer(b"\0" + A.vals.tobytes(), np.float64, offset=1)
    levels = (A.levels[0], {**A.levels[1], "crd": crd.astype(">i4")})
    strange = [replace(A, vals=np.repeat(A.vals, 2)[::2]), replace(A, vals=shifted), replace(A, levels=levels)]
    for each in strange:
        assert spmv(A=each, x=X).to_numpy().tolist() == [8.0, 14.0, 0.0, 36.0]
        assert gn.evaluate(SPMV, A=each, x=X, engine="c").to_numpy().tolist() == [8.0, 14.0, 0.0, 36.0]
    assert spmv(A=A, x=np.frombuffer(b"\0" + X.tobytes(), np.float64, offset=1)).to_numpy()[3] == 36.0


def test_tensors_whose_arrays_may_change_are_checked_at_every_call(spmv: Kernel) -> None:
    crd = np.array(A.levels[1]["crd"])
    changing = replace(A, levels=(A.levels[0], {**A.levels[1], "crd": crd}))
    assert spmv(A=changing, x=X).vals[3] == 36.0
    crd[3] = 99
    with pytest.raises(StorageError, match="99"):
        spmv(A=changing, x=X)


def test_tensors_whose_arrays_are_fixed_are_checked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    checks: list[Tensor] = []
    kernel = gn.compile(SPMV, A="CSR")
    monkeypatch.setattr(Tensor, "validate", lambda tensor: checks.append(tensor))
    crd, vals = np.array(A.levels[1]["crd"]), np.array(A.vals)
    fixed = replace(A, levels=(A.levels[0], {**A.levels[1], "crd": crd}), vals=vals)
    for array in (crd, vals):
        array.flags.writeable = False
    kernel(A=fixed, x=X)
    kernel(A=fixed, x=X)
    assert checks == [fixed]


def test_structures_are_checked(spmv: Kernel) -> None:
    add = gn.compile("C(i,j) = A(i,j) + B(i,j)", A="CSR", B="CSR", out="CSR")
    structure = add.assemble(A=A, B=A)
    with pytest.raises(StorageError, match="lacks pos"):
        add.compute(replace(structure, levels=(structure.levels[0], {"crd": structure.levels[1]["crd"]})), A=A, B=A)


@pytest.mark.parametrize("index", ["int32", "int64"])
def test_offsets_of_diagonals_that_no_level_reads_are_kept_outside_kernels(index: str) -> None:
    diagonals = gn.spec("dense,dense,compressed; (i,j)->(#(j-i),i,j)", index=index)
    held = gn.tensor([[0, 1, 3], [1, 0, 3]], [1.0, 2.0, 3.0], (4, 4), diagonals)
    kernel = gn.compile("y(i) = A(i,j) * x(j)", A=diagonals)
    assert kernel(A=held, x=np.arange(4.0)).to_numpy().tolist() == [1.0, 0.0, 0.0, 9.0]
    assert gn.compile("y(i) = A(i,j)", A=held)(A=held).to_numpy().tolist() == [1.0, 2.0, 0.0, 3.0]


@pytest.mark.parametrize(
    ("index", "hint"), [("int32", "for the tensor itself: A=A"), ("int64", 'with gn.spec(..., index="int64")')]
)
def test_hints_about_indices_lead_to_a_result(index: str, hint: str) -> None:
    """Coordinates beyond 32 bits are stored in 64 even where positions are not."""
    far = gn.tensor([[0, 2**32], [1, 2]], [1.0, 2.0], (2**33, 4), "COO", index=index)
    wide = gn.spec("SparseVector", index="int64")
    with pytest.raises(FormatError) as found:
        gn.compile("y(i) = A(i,j)", A="COO", out=wide)(A=far)
    assert found.value.hint == f"compile {hint}"
    followed = far if "A=A" in hint else gn.spec("COO", index="int64")
    result = gn.compile("y(i) = A(i,j)", A=followed, out=wide)(A=far)
    assert [i for i, _ in result.entries()] == [(0,), (2**32,)]


def test_64_bit_indices() -> None:
    wide = gn.tensor([[0, 3], [1, 3]], [1.0, 2.0], (4, 4), "CSR", index="int64")
    kernel = gn.compile("C(i,j) = A(i,k) * A(k,j)", A=gn.spec("CSR", index="int64"), out=gn.spec("CSR", index="int64"))
    c = kernel(A=wide)
    assert c.levels[1]["crd"].dtype == np.int64
    assert list(c.entries()) == [((3, 3), 4.0)]


def test_what_makes_no_sense_to_compile() -> None:
    with pytest.raises(GnomonError, match="does not occur"):
        gn.compile(SPMV, A="CSR", B="CSR")
    with pytest.raises(GnomonError, match="engine"):
        gn.evaluate(SPMV, A=A, x=X, engine="fortran")
    with pytest.raises(NoCompilerError, match="not a program"):
        compiler("no-such-compiler")


def test_a_failing_compiler_says_what_it_said(tmp_path: Path) -> None:
    source = tmp_path / "wrong.c"
    source.write_text("int f( {")
    with pytest.raises(CompileError, match="error"):
        chosen_compiler().build(source, tmp_path / "wrong.so")
    with pytest.raises(NoCompilerError, match="cannot be run"):
        Compiler(("/nonexistent/cc",), "none").build(source, tmp_path / "wrong.so")


def test_the_cache_is_used_and_survives_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GNOMON_CACHE", str(tmp_path))
    gn.compile(SPMV, A="CSR")
    made = sorted(p.suffix for p in tmp_path.iterdir())
    assert made == [".c", ".json", ".json", ".seal", ".so"]
    calls: list[object] = []
    monkeypatch.setattr(cache, "library", lambda *args: calls.append(args))
    gn.compile(SPMV, A="CSR")
    assert not calls
    monkeypatch.undo()
    monkeypatch.setenv("GNOMON_CACHE", str(tmp_path))
    next(tmp_path.glob("*.json")).write_text("{")
    assert gn.compile(SPMV, A="CSR")(A=A, x=X).shape == (4,)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache with one kernel in it."""
    folder = tmp_path_factory.mktemp("filled")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GNOMON_CACHE", str(folder))
        gn.compile(SPMV, A="CSR")
    return folder


@pytest.fixture
def kept(filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it that is used."""
    shutil.copytree(filled, tmp_path, dirs_exist_ok=True)
    monkeypatch.setenv("GNOMON_CACHE", str(tmp_path))
    return tmp_path


def test_functions_for_two_phases_are_built_when_they_are_called(kept: Path) -> None:
    kernel = gn.compile(SPMV, A="CSR")
    kernel(A=A, x=X)
    assert len(list(kept.glob("*.so"))) == 1 and "int compute(" in kernel.source
    structure = kernel.assemble(A=A, x=X)
    assert kernel.compute(structure, A=A, x=X).vals.tolist() == [8.0, 14.0, 0.0, 36.0]
    assert gn.compile(SPMV, A="CSR").compute(structure, A=A, x=X).vals.tolist() == [8.0, 14.0, 0.0, 36.0]
    assert len(list(kept.glob("*.so"))) == 2


def test_a_kernel_is_built_again_when_a_header_changes(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "header_digest", lambda: "of other headers")
    cache.fingerprint.cache_clear()
    try:
        gn.compile(SPMV, A="CSR")
    finally:
        cache.fingerprint.cache_clear()
    assert len(list(kept.glob("*.so"))) == 2


@pytest.mark.parametrize("damage", ["truncated", "junk", "empty", "unsealed", "without source", "no library"])
def test_damaged_libraries_are_built_again(kept: Path, damage: str) -> None:
    found = next(kept.glob("*.so"))
    match damage:
        case "truncated" | "junk" | "empty":
            text = found.read_bytes()
            found.unlink()
            found.write_bytes({"truncated": text[:2000], "junk": b"junk", "empty": b""}[damage])
        case "unsealed":
            found.with_suffix(".seal").unlink()
        case "without source":
            found.with_suffix(".c").unlink()
        case _:
            found.unlink()
    kernel = gn.compile(SPMV, A="CSR")
    assert kernel(A=A, x=X).vals.tolist() == [8.0, 14.0, 0.0, 36.0]
    assert "evaluate" in kernel.source


JUNK = [
    "{}", "[]", "null", "3", '{"library": 5, "depends": []}', '{"library": "x", "depends": []}',
    '{"library": "/bin/sh", "depends": []}', '{"library": "LIBRARY", "depends": [["Q", 0]]}',
    '{"library": "LIBRARY", "depends": [["A", 7]]}', '{"library": "LIBRARY", "depends": 1}',
    '{"library": "LIBRARY", "depends": [0]}', '{"library": "LIBRARY"}', "\udcff",
    '{"library": "LIBRARY", "depends": []}', '{"library": "LIBRARY", "depends": [], "converted": 3}',
    '{"library": "LIBRARY", "depends": [], "converted": [["A"]]}',
]  # fmt: skip


@pytest.mark.parametrize("text", JUNK)
def test_damaged_notes_are_written_again(kept: Path, text: str) -> None:
    note = next(each for each in kept.glob("*.json") if "library" in each.read_text())
    found = next(kept.glob("*.so"))
    before = note.read_text()
    note.write_bytes(text.replace("LIBRARY", found.name).encode(errors="surrogateescape"))
    assert gn.compile(SPMV, A="CSR")(A=A, x=X).vals.tolist() == [8.0, 14.0, 0.0, 36.0]
    assert note.read_text() == before


def test_a_library_that_cannot_be_loaded_is_built_again_once(kept: Path) -> None:
    found = next(kept.glob("*.so"))
    found.unlink()
    found.write_bytes(b"junk")
    cache.seal(found)
    assert gn.compile(SPMV, A="CSR")(A=A, x=X).vals.tolist() == [8.0, 14.0, 0.0, 36.0]


def test_a_compiler_that_writes_no_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GNOMON_CACHE", str(tmp_path))
    monkeypatch.setenv("CC", "true")
    with pytest.raises(HostError, match="cannot be loaded"):
        gn.compile(SPMV, A="CSR")


@pytest.mark.parametrize("folder", ["/dev/null", "/dev/null/kernels", "/proc/kernels"])
def test_a_cache_folder_that_cannot_be_used(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GNOMON_CACHE", folder)
    with pytest.raises(HostError, match="GNOMON_CACHE") as found:
        gn.compile(SPMV, A="CSR")
    assert folder in found.value.message


@pytest.mark.parametrize("command", ["'", 'gcc "', " ", "no-such-compiler"])
def test_compilers_that_are_no_commands(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", command)
    with pytest.raises(NoCompilerError, match="CC is"):
        gn.compile(SPMV, A="CSR")


def test_processes_share_the_cache(tmp_path: Path) -> None:
    operands = "A=gn.tensor([[0],[0]],[2.],(1,1),'CSR'), x=[3]"
    script = f"import gnomon as gn; print(gn.compile({SPMV!r}, A='CSR')({operands}).vals)"
    environment = {**os.environ, "GNOMON_CACHE": str(tmp_path)}
    started = [
        subprocess.Popen([sys.executable, "-c", script], env=environment, stdout=subprocess.PIPE) for _ in range(2)
    ]
    assert [p.communicate()[0].strip() for p in started] == [b"[6.]"] * 2
    assert len(list(tmp_path.glob("*.so"))) == 1


def test_no_memory_is_lost() -> None:
    product = gn.compile("C(i,j) = A(i,k) * B(k,j)", A="CSR", B="CSR", out="CSR")
    grid = poisson_2d(100)

    def many() -> int:
        for n in range(30):
            made = product(A=grid, B=grid)
            assert n % 2 or made.vals.size  # every other result is not looked at
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    many()
    before = many()
    assert many() - before < 20_000


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


def test_extents_beyond_32_bits_need_64_bit_indices() -> None:
    huge = gn.tensor([[2**33]], [1.0], (2**34,), "SparseVector", index="int64")
    kernel = gn.compile("a = x(i) * y(i)", x=gn.spec("SparseVector", index="int64"), y="SparseVector")
    with pytest.raises(GnomonError, match="int64"):
        kernel(x=huge, y=huge)
    both = gn.spec("SparseVector", index="int64")
    assert gn.compile("a = x(i) * y(i)", x=both, y=both)(x=huge, y=huge).vals.tolist() == [1.0]


def test_extents_that_64_bits_do_not_hold() -> None:
    wide = gn.spec("SparseVector", index="int64")
    small = gn.tensor([[0]], [1.0], (4,), "SparseVector", index="int64")
    huge = replace(small, shape=(2**63,), extents=(2**63,))
    with pytest.raises(GnomonError, match="9223372036854775808"):
        gn.compile("a = x(i)", x=wide)(x=huge)


def test_kernels_with_32_bit_indices_refuse_extents_beyond_them() -> None:
    kernel = gn.compile("y(i) = x(i)", x="SparseVector", out="SparseVector")
    held = gn.tensor([[2**31 - 1]], [1.0], (2**31,), "SparseVector")
    assert list(kernel(x=held).entries()) == [((2**31 - 1,), 1.0)]
    with pytest.raises(Unsupported, match=r"2147483649 does not fit in 32 bits(.|\n)*out=gn.spec"):
        kernel(x=gn.tensor([[0]], [1.0], (2**31 + 1,), "SparseVector"))


def test_a_narrow_result_of_wide_operands_refuses_extents_beyond_it() -> None:
    wide = gn.spec("SparseVector", index="int64")
    huge = gn.tensor([[2**31]], [1.0], (2**31 + 1,), wide)
    with pytest.raises(Unsupported, match="32 bits"):
        gn.compile("y(i) = x(i)", x=wide, out="SparseVector")(x=huge)
    for operand, out in ((wide, wide), (huge, "SparseVector")):
        result = gn.compile("y(i) = x(i)", x=operand, out=out)(x=huge)
        assert result.levels[0]["crd"].tolist() == [2**31]


def test_dense_results_too_large_for_memory_are_refused() -> None:
    huge = gn.tensor([[0]], [1.0], (2**30,), "SparseVector")
    kernel = gn.compile("C(i,j) = x(i) * z(j)", x="SparseVector", z="SparseVector")
    with pytest.raises(StorageError, match="does not fit in memory"):
        kernel(x=huge, z=huge)


def test_meaning_errors_do_not_leave_results_behind() -> None:
    kernel = gn.compile(
        "c(i) = floordiv(a(i), b(i))", a=gn.spec("SparseVector", dtype="int64"), b=gn.spec("Dense", dtype="int64"),
        out="SparseVector",
    )  # fmt: skip
    a = gn.tensor([[0, 1]], [4, 9], (2,), "SparseVector")
    with pytest.raises(MeaningError):
        kernel(a=a, b=np.array([2, 0]))
    assert [v for _, v in kernel(a=a, b=np.array([2, 3])).entries()] == [2, 3]


def test_a_loop_whose_range_is_said_to_be_exact_counts_to_a_constant() -> None:
    schedule = "bound(i,b,16,max_exact),split(b,c,d,4),parallelize(d,CPUVector,NoRaces)"
    kernel = gn.compile("y(i) = x(i) * 2", schedule=schedule)
    assert "x1_dimension != 16" in kernel.source and "c < 4" in kernel.source
    assert kernel(x=np.arange(16.0)).to_numpy().tolist() == (2 * np.arange(16.0)).tolist()
    with pytest.raises(ScheduleError, match="a bound of the schedule for y does not hold"):
        kernel(x=np.arange(15.0))


@pytest.mark.parametrize("fill", [1j, 0.5, 300])
def test_fills_that_an_operand_cannot_hold(fill: complex) -> None:
    with pytest.raises(DtypeError, match="does not fit in int8"):
        gn.compile("y(i) = A(i,j) * x(j)", A=gn.spec("CSR", dtype="int8", fill=fill))


def test_what_is_masked_or_ragged_is_no_operand() -> None:
    kernel = gn.compile("y(i) = x(i)", x=gn.spec("Dense", dtype="uint64"))
    assert kernel(x=[2**63 + 1, 1]).to_numpy().tolist() == [2**63 + 1, 1]
    with pytest.raises(GnomonError, match="are masked"):
        kernel(x=np.ma.array(np.ones(2, "uint64"), mask=[True, False]))
    with pytest.raises(GnomonError, match="are ragged"):
        kernel(x=[[1], [2, 3]])


@pytest.mark.parametrize(("most", "fits"), [(36 * 8 - 1, False), (36 * 8, True)])
def test_what_is_made_beforehand_has_a_limit(most: int, fits: bool, tmp_path: Path) -> None:
    grid = poisson_2d(6)
    run, _ = runner("C(i,j) = A(i,k) * B(k,j)", {"A": "CSR", "B": "CSR"}, "DCSR", tmp_path, f"#define GN_MOST {most}\n")
    if fits:
        assert run.evaluate({"A": grid, "B": grid}, (36, 36), "C").nnz > 36
        return
    with pytest.raises(StorageError, match=rf"not enough memory for C(.|\n)*{2**34} bytes an array(.|\n)*hashed"):
        run.evaluate({"A": grid, "B": grid}, (36, 36), "C")


def test_results_and_workspaces_of_huge_extents_are_refused_or_hashed_before_anything_is_computed() -> None:
    wide, n = gn.spec("DCSR", index="int64"), 2**40
    small, huge = (gn.tensor([[1], [m - 1]], [1.5], (2, m), wide) for m in (9, n))
    kernel = gn.compile("y(j) = A(i,j)", A=wide, out=gn.spec("SparseVector", index="int64"))
    for a in (small, huge, small):
        assert list(kernel(A=a).entries()) == [((a.shape[1] - 1,), 1.5)]
    with pytest.raises(StorageError, match=f"in CSC needs {n} positions, more than {2**28}"):
        gn.evaluate("C(i,j) = A(i,j)", A=huge.convert("DCSC"), out="CSC", engine="c")
    with pytest.raises(StorageError, match=rf"needs {n} values of 8 bytes(.|\n)*{2**34}(.|\n)*sparse"):
        gn.evaluate("y(j) = A(i,j)", A=huge, engine="c")


@pytest.mark.parametrize("format", ["bitmap,dense", "dense,bitmap", "dense,hashed", "DIA", "ELL"])
def test_what_lies_where_a_previous_result_holds_nothing_is_not_gone_on_from(format: str) -> None:
    """Whoever makes a tensor of arrays may leave anything there."""
    held = gn.tensor([[0, 2], [1, 2]], [5.0, 6.0], (4, 4), format)
    numbered = replace(held, vals=np.arange(len(held.vals)) + 0.0)
    stored = np.isin(numbered.vals, numbered.components()[1])
    left = replace(held, vals=np.where(stored, held.vals, 99.0))
    assert not stored.all()
    ones = gn.from_numpy(np.ones((4, 4)), "Dense")
    out = format if format in ("bitmap,dense", "dense,bitmap", "dense,hashed") else "Dense"
    found = [gn.evaluate("R(i,j) += A(i,j)", R=each, A=ones, out=out, engine="c").to_numpy() for each in (held, left)]
    assert found[0].tolist() == found[1].tolist()


@pytest.mark.usefixtures("kernels_as_they_ship")
def test_threads_run_at_the_same_time() -> None:
    kernel = gn.compile("c = a(i) * b(j)")
    a = np.ones(20_000)
    ticks = []
    done = threading.Event()

    def watch() -> None:
        while not done.is_set():
            ticks.append(1)
            time.sleep(0.001)

    watcher = threading.Thread(target=watch)
    watcher.start()
    before = len(ticks)
    with concurrent.futures.ThreadPoolExecutor() as pool:
        results = list(pool.map(lambda _: kernel(a=a, b=a).vals[0], range(4)))
    during = len(ticks) - before
    done.set()
    watcher.join()
    assert results == [20_000.0**2] * 4
    assert during > 5


@pytest.mark.usefixtures("kernels_as_they_ship")
@pytest.mark.parametrize("reduction", ["min", "max", "sum"])
def test_lanes_keep_nan(reduction: str) -> None:
    x = np.arange(32.0)
    for place in (0, 5, 31):
        x[place] = np.nan
        schedule = "split(i,i0,i1,8),parallelize(i1,CPUVector,ParallelReduction)"
        assert np.isnan(gn.evaluate(f"a = {reduction}(i, x(i))", x=x, schedule=schedule, engine="c").to_numpy())
        x[place] = place
