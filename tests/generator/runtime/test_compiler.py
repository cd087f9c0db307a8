"""The compiler and the header: kernels are called from C and from C++ as the documentation says."""

import platform
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import gnomon as gn
import pytest
from gnomon.generator.kernel_source import generate
from gnomon.generator.runtime import compiler as compilers
from gnomon.generator.runtime.compiler import (
    FLAGS,
    INCLUDE,
    LANES,
    TEAMS,
    UNROLLED,
    Compiler,
    compiler,
    header_digest,
    header_flags,
    pragma_flags,
)
from gnomon.generator.runtime.request import chosen_compiler, make_request
from gnomon.generator.runtime.sources import request_source
from gnomon.reference.algebra.dtypes import DTYPES
from gnomon.reference.errors import CompileError, NoCompilerError
from gnomon.reference.levels import LEVELS

from .product import SPMV

GUIDE = (Path(__file__).parents[3] / "docs" / "generator.md").read_text()
STRICT = ("-Wall", "-Wextra", "-Wpedantic", "-Werror")


def run(*words: object) -> str:
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("pragmas", "flags"),
    [
        ((), ()),
        (("omp parallel",), TEAMS),
        (("omp simd",), LANES),
        (("GCC unroll 4",), ()),
        (("omp parallel", "GCC unroll 4"), TEAMS + UNROLLED),
        (("omp parallel", "omp simd", "GCC unroll 4"), TEAMS + LANES + UNROLLED),
    ],
)
def test_pragmas_ask_for_flags(pragmas: tuple[str, ...], flags: tuple[str, ...]) -> None:
    assert pragma_flags("".join(f"    #pragma {each}\n" for each in pragmas)) == flags


def test_loops_that_threads_run_are_unrolled(tmp_path: Path) -> None:
    if shutil.which("gcc") is None or platform.machine() != "x86_64":
        pytest.skip("what is counted are instructions of gcc's, for this machine")
    schedule = "split(r,r0,r1,8),reorder(r0,i,r1),unroll(r1,8)"
    products = []
    for threads in ("", ",parallelize(i,CPUThread,NoRaces)"):
        request = make_request("y(i) = A(i,j) * x(j)", {"A": "ELL"}, schedule=schedule + threads)
        source = tmp_path / "spmv.c"
        source.write_text(generate(request_source(request, request.resolve_without_shapes())))
        flags = ("-std=c11", "-O3", "-w", *pragma_flags(source.read_text()))
        products.append(run("gcc", *flags, f"-I{INCLUDE}", "-S", "-o", "-", source).count("mulsd"))
    alone, shared = products
    assert shared >= alone >= 8


def test_memory_is_not_asked_ahead_where_a_flag_says_so(tmp_path: Path) -> None:
    if shutil.which("gcc") is None or platform.machine() != "x86_64":
        pytest.skip("what is counted are instructions of gcc's, for this machine")
    source = tmp_path / "spmv.c"
    request = make_request("y(i) = A(i,j) * x(j)", {"A": "CSR"})
    source.write_text(generate(request_source(request, request.resolve_without_shapes())))
    flags = ("-std=c11", "-O3", "-w", f"-I{INCLUDE}", "-S", "-o", "-")
    asked, left = (run("gcc", *flags, *more, source).count("prefetch") for more in ((), ("-DGN_NO_PREFETCH",)))
    assert asked > left == 0


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The kernel of the guide as an object file, beside the guide's program."""
    folder = tmp_path_factory.mktemp("guide")
    request = make_request("B(i,j) = A(i,j) * x(j)", {"A": "CSR"}, out="CSR")
    (folder / "scale.c").write_text(generate(request_source(request, request.resolve_without_shapes())))
    (program,) = re.findall(r"```c\n(.*?)```", GUIDE, re.DOTALL)
    (folder / "main.c").write_text(program)
    run(*compiler(None).command, "-std=c11", f"-I{INCLUDE}", "-c", folder / "scale.c", "-o", folder / "scale.o")
    return folder


@pytest.mark.parametrize(
    "language", [("gcc", "-std=c11"), ("g++", "-x", "c++", "-std=c++11")], ids=lambda words: words[0]
)
def test_the_guide_calls_a_kernel(built: Path, language: tuple[str, ...]) -> None:
    if shutil.which(language[0]) is None:
        pytest.skip(f"there is no {language[0]}")
    program, executable = built / f"main-{language[0]}.o", built / language[0]
    run(*language, *STRICT, f"-I{INCLUDE}", "-c", built / "main.c", "-o", program)
    run(language[0], program, built / "scale.o", "-lm", "-o", executable)
    assert run(executable) == "B(0,1) = 50\nB(1,0) = 7\nB(1,2) = 900\n"


def test_the_guide_lists_what_levels_store() -> None:
    rows = re.findall(r"^\| (\w+) \| (.*?) ?\| (.*?) ?\| (.*?) ?\|$", GUIDE, re.MULTILINE)
    listed = {name: tuple(tuple(re.findall(r"`(\w+)`", cell)) for cell in cells) for name, *cells in rows}
    stored = {kind.name: (kind().arrays(), level_parameters(kind()), shared(kind())) for kind in LEVELS}
    assert {name: listed[name] for name in stored} == stored


def level_parameters(level) -> tuple[str, ...]:  # type: ignore[no-untyped-def]
    return tuple(name for name, role in level.roles().items() if role == "parameter")


def shared(level) -> tuple[str, ...]:  # type: ignore[no-untyped-def]
    return tuple(name for name, role in level.roles().items() if role == "shared")


def test_no_compiler_is_an_error_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    for chosen in ("/nonexistent", "'", " "):
        with pytest.raises(NoCompilerError, match="is not a program"):
            compiler.__wrapped__(chosen)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(NoCompilerError, match="no C compiler found"):
        compiler.__wrapped__(None)


@pytest.fixture
def without_threads(tmp_path: Path) -> Compiler:
    """A compiler that does not know threads, and counts in a file how often it runs."""
    real = shutil.which(compiler(None).command[0])
    program = tmp_path / "cc"
    refused = 'case " $* " in *" -fopenmp "*) echo "cc: error: no -fopenmp here" >&2; exit 1;; esac'
    program.write_text(f'#!/bin/sh\necho run >> {tmp_path}/runs\n{refused}\nexec {real} "$@"\n')
    program.chmod(0o755)
    return Compiler((str(program),), "without threads")


@pytest.mark.parametrize(("text", "runs"), [("int one;\n", 1), ("/* #pragma omp parallel */ int one;\n", 3)])
def test_what_a_compiler_does_not_understand_is_left_out(
    without_threads: Compiler, tmp_path: Path, text: str, runs: int
) -> None:
    (tmp_path / "one.c").write_text(text)
    without_threads.build(tmp_path / "one.c", tmp_path / "one.so")
    assert (tmp_path / "one.so").exists()
    assert len((tmp_path / "runs").read_text().split()) == runs


def test_a_source_that_is_wrong_is_not_built_without_what_is_understood(tmp_path: Path) -> None:
    (tmp_path / "wrong.c").write_text("#pragma omp parallel\nint;;x\n")
    with pytest.raises(CompileError, match=r"-fopenmp.*wrong\.c"):
        compiler(None).build(tmp_path / "wrong.c", tmp_path / "wrong.so")


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ("for (int64_t p = 0; p < gn_min_int64(n, 4); p++) x[p] = own(x[p], sizeof (double));", ""),
        (
            "gn_list list = GN_NO_LIST; int status = 0; gn_order_int32(&list, crd, gn_mod_int64(n, 2), n, &status);",
            "room",
        ),
        ("int status = 0; int64_t *own = gn_zeros(n, 8, &status); free(own);", "room"),
        ("int64_t *own = 0; int64_t *other = 0; gn_swap(own, other);", ""),
        ("int64_t own = gn_chunk(0, gn_part(n)); x[0] = (double)own;", ""),
        ("memcpy(x, crd, 8);", "room"),
        ("gn_list list;", "room"),
        ("int64_t one[2] = {0, 1}; gn_place(x, x, 0, 1, 0, 1, one, one, -1);", "room"),
        ("int status; x[0] = gn_add_int64(n, 1, &status);", "int64"),
        ("int status; x[0] = gn_quotient_int64(n, 2, &status);", "int64"),
        ("x[0] = gn_floor_int8(n, 2) + gn_min_uint16(1, 2);", "int8 uint16"),
        ("int64_t status; x[0] = gn_lane_to_uint32_int64(n, &status);", "int64 uint32"),
        ("int64_t status; x[0] = gn_lane_mul_int64(n, 1, &status);", "int64"),
        ("x[0] = gn_not_bool(gn_max_float32(1, 2));", "bool float32"),
        ("double complex z = gn_conj_complex128(x[0]); x[0] = cabs(z);", "complex128 complex64 math room"),
        ("x[0] = creal(CMPLX(x[0], 1.0));", "complex128 complex64 math room"),
        ("x[0] = -INFINITY;", "math"),
        ("x[0] = NAN;", "math"),
        ("x[0] = sqrt(x[0]);", "math room"),
        ("x[0] = isnan (x[0]);", "math room"),
    ],
)
def test_what_is_not_called_is_left_out(body: str, named: str, tmp_path: Path) -> None:
    source = tmp_path / "one.c"
    beside = "static double own(double a, size_t n) { return a; }"
    text = f"{beside}\nint f(double *x, int64_t n, const int32_t *crd)\n{{\n    {body}\n    return 0;\n}}\n"
    needs = [each for each in named.split() if each not in ("math", "room")]
    defined = [*needs, *(each for each in ("math", "room") if each in named or (needs and each == "math"))]
    assert header_flags(text) == ("-DGN_PLAIN", *(f"-DGN_{name.upper()}" for name in defined))
    absent = ", ".join(f"gn_eq_{dtype}" for dtype in DTYPES if dtype.name not in needs)
    lists = "" if "room" in named else "int gn_zeros, gn_list;"
    source.write_text(f'#include "gnomon.h"\n{text}#define ABSENT int {absent}; {lists}\nABSENT\n')
    compiler(None).build(source, tmp_path / "one.so", ("-std=c11", "-Werror"))


@pytest.mark.skipif(sys.platform != "linux", reason="what libraries are linked with is as elsewhere")
@pytest.mark.parametrize(
    ("command", "flags", "linked"),
    [
        (("gcc",), FLAGS, ("-nostdlib", "-lm", "-lgcc")),
        (("gcc",), (*TEAMS, *FLAGS), ("-nostdlib", "-lgomp", "-lm", "-lgcc")),
        (("gcc",), (*FLAGS, "-fsanitize=address"), ("-lm",)),
        (("gcc", "-m64"), FLAGS, ("-lm",)),
        (("clang",), FLAGS, ("-lm",)),
    ],
)
def test_libraries_are_linked_with_what_kernels_need(
    command: tuple[str, ...], flags: tuple[str, ...], linked: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.which", lambda name: f"/nowhere/{name}")
    assert Compiler(command, "").libraries(flags) == linked


def test_an_interrupted_compiler_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    program, late = tmp_path / "cc", tmp_path / "late"
    begun = f"(sleep 2; echo late > {late}) & echo part > $TMPDIR/part.o; echo begun > {tmp_path}/begun; wait"
    program.write_text(f"#!/bin/sh\n{begun}\n")
    program.chmod(0o755)

    def interrupt() -> None:
        while not (tmp_path / "begun").exists():
            time.sleep(0.01)
        time.sleep(0.5)
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    interrupter = threading.Thread(target=interrupt)
    interrupter.start()
    with pytest.raises(KeyboardInterrupt):
        Compiler((str(program),), "slow").run(tmp_path / "one.c", tmp_path / "one.so", ())
    interrupter.join()
    signal.signal(signal.SIGINT, before)
    assert {path.name for path in tmp_path.iterdir()} == {"cc", "begun"}
    time.sleep(2)
    assert not late.exists()


@pytest.mark.parametrize("name", sorted(path.name for path in INCLUDE.glob("*.h")))
def test_every_header_counts(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(INCLUDE, tmp_path / "include")
    monkeypatch.setattr(compilers, "INCLUDE", tmp_path / "include")
    assert header_digest.__wrapped__() == header_digest()
    with (tmp_path / "include" / name).open("a") as header:
        header.write("/* more */")
    assert header_digest.__wrapped__() != header_digest()


GROWING = """
#include "gnomon.h"
#include <stdio.h>
int main(void)
{
    int status = GN_OK;
    char *array = NULL;
    for (int64_t bytes = 1 << 22; bytes <= 1 << 26; bytes *= 2)
        array = (char *)gn_resize(array, bytes, 1, &status);
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[4096];
    while (fgets(line, sizeof line, maps) != NULL) {
        unsigned long begin, end;
        if (sscanf(line, "%lx-%lx", &begin, &end) == 2 && begin <= (uintptr_t)array && (uintptr_t)array < end)
            printf("%d", (uintptr_t)array + (1 << 26) <= end);
    }
    return status;
}
"""


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="the system does not list mappings")
def test_arrays_with_huge_pages_stay_whole_mappings(tmp_path: Path) -> None:
    """What is parted is copied whenever it grows, all of its pages touched anew."""
    source, program = tmp_path / "growing.c", tmp_path / "growing"
    source.write_text(GROWING)
    run(*compiler(None).command, "-std=gnu11", f"-I{INCLUDE}", source, "-o", program, "-lm")
    assert run(program) == "1"


def test_a_failing_compiler_says_what_it_said(tmp_path: Path) -> None:
    source = tmp_path / "wrong.c"
    source.write_text("int f( {")
    with pytest.raises(CompileError, match="error"):
        chosen_compiler().build(source, tmp_path / "wrong.so")
    with pytest.raises(NoCompilerError, match="cannot be run"):
        Compiler(("/nonexistent/cc",), "none").build(source, tmp_path / "wrong.so")


@pytest.mark.parametrize("command", ["'", 'gcc "', " ", "no-such-compiler"])
def test_compilers_that_are_no_commands(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", command)
    with pytest.raises(NoCompilerError, match="CC is"):
        gn.compile(SPMV, A="CSR")
