"""The C compiler: which one, with which flags, and how a source becomes a shared library."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shlex
import shutil
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from ...reference.errors import CompileError, GnomonError, HostError, NoCompilerError
from .processor import processor

if TYPE_CHECKING:
    from subprocess import CompletedProcess, Popen

INCLUDE = Path(__file__).parents[1] / "include"
FLAGS = ("-std=c11", "-O3", "-fno-math-errno", "-fno-trapping-math")
GCC = ("-fcx-fortran-rules", "-fno-loop-unroll-and-jam", "-fno-tree-loop-distribution", "-pass-exit-codes", "-pipe")
TEAMS = ("-fopenmp",)
TEAM_PROGRAM = "#include <omp.h>\nint main(void) { return omp_get_max_threads() < 1; }\n"
LANES = ("-fopenmp-simd", "-march=native", "-ffp-contract=fast")
UNROLLED = ("-funroll-loops", "--param=max-unroll-times=1")
"""gcc makes a function of each parallel region, and does not heed `#pragma GCC unroll` there unless `-funroll-loops` is
on. With the parameter, loops without the pragma are not unrolled by that."""
SHARED = ("-shared", "-fPIC")
ASIDE = re.compile(r"/\*.*?\*/|^\s*#.*?$", re.DOTALL | re.MULTILINE)
DEFINED = re.compile(r"^\w[^\n;=]*?(\w+)\(", re.MULTILINE)
CALLED = re.compile(r"(\w+) ?\(")
ARITHMETIC = re.compile(r"\bgn_(?!order_|(?:min|max|floordiv|mod)_int64)\w+")
DTYPE = re.compile(r"_(bool|u?int\d+|float\d+|complex\d+)(?![a-z0-9])")
OF_DTYPE = re.compile(rf"^gn_(?!order_).*{DTYPE.pattern}")
NUMBERS = re.compile(r"INFINITY|NAN")
COMPLEX = ("complex64", "complex128")
WITHOUT_MEMORY = frozenset(
    f"gn_{name}"
    for name in ("pays", "fits", "estimate", "part", "capacity", "foresee", "swap", "chunk", "prefetch", "report")
)
"""What gnomon.h has, beside arithmetic, that works without memory."""
KEYWORDS = frozenset({"if", "for", "while", "return", "sizeof"})
MEMORY = frozenset({"free", "malloc", "calloc", "realloc", "memcpy", "memmove", "memset"})
REJECTED = 1  # the exit status of a compiler that has found an error in a source


class Compiler(Struct, frozen=True):
    """A command that compiles C, and what tells one installation from another."""

    command: tuple[str, ...]
    identity: str

    def build(self, source: Path, library: Path, flags: Sequence[str] = FLAGS) -> None:
        """Compile a source into a shared library. Raises CompileError with what the compiler says of the source,
        HostError if it says nothing of it: it was killed, or has no room, or is none.

        What a compiler does not understand of what makes pragmas count is left out: loops on threads then run one
        iteration after another. It is asked for that once it has failed, since most understand it all.
        """
        text = source.read_text()
        asked, spared = pragma_flags(text), header_flags(text)
        try:
            self.run(source, library, (*asked, *spared, *flags))
        except (CompileError, HostError):
            known = tuple(flag for flag in asked if understands(self.command, (flag,)))
            if known == asked:
                raise
            self.run(source, library, (*known, *spared, *flags))

    def run(self, source: Path, library: Path, flags: Sequence[str]) -> None:
        """Compile a source with some flags. Raises CompileError or HostError."""
        shared = (*SHARED, f"-I{INCLUDE}", "-o", str(library), str(source))
        command = [*self.command, *self.own_flags, *flags, *shared, *self.libraries(flags)]
        try:
            done = outcome(command)
        except OSError as error:
            raise NoCompilerError(
                f"{shlex.join(self.command)} cannot be run: {error}", hint="set CC to a C compiler"
            ) from None
        if done.returncode:
            raise self.failure(command, source, done)

    def failure(self, command: Sequence[str], source: Path, done: CompletedProcess[str]) -> GnomonError:
        """The error for a command that failed. Compilers that reject a source name a line of it."""
        said = done.stderr.strip()
        if done.returncode == REJECTED and re.search(rf"{re.escape(str(source))}:\d", said):
            return CompileError(f"{shlex.join(command)} failed:\n{said}")
        why = f": {said.splitlines()[0]}" if said else ""
        return HostError(
            f"{shlex.join(self.command)} ends with status {done.returncode} and no error in the source{why}",
            hint="set CC to a C compiler that works here; it needs memory, and room in the folder for temporary files",
        )

    @property
    def own_flags(self) -> tuple[str, ...]:
        """What only gcc understands: complex products by the plain formula, as in NumPy; no jam, which slows SpMM; no
        distribution of loops, which slows products with short rows; an exit status that tells a crash from a rejected
        source; an assembler that begins before the compiler ends."""
        return GCC if "gcc" in Path(os.path.realpath(shutil.which(self.command[0]) or "")).name else ()

    def libraries(self, flags: Sequence[str]) -> tuple[str, ...]:
        """What a library is linked with. Looking for all that gcc links with unasked takes as long as to link; of that,
        kernels need the team's threads and gcc's own arithmetic, since the C library is in the process anyway. A `CC`
        with flags of its own, and sanitizers, may need more."""
        is_plain = self.own_flags and len(self.command) == 1 and sys.platform == "linux"
        if not is_plain or any(flag.startswith("-fsanitize") for flag in flags):
            return ("-lm",)
        return ("-nostdlib", *(("-lgomp",) if set(TEAMS) <= set(flags) else ()), "-lm", "-lgcc")


def pragma_flags(text: str) -> tuple[str, ...]:
    """What makes the pragmas of a source count. Where lanes are asked for, all that the processor has are used."""
    teams = "#pragma omp parallel" in text
    unrolled = UNROLLED if teams and "#pragma GCC unroll" in text else ()
    return (TEAMS if teams else ()) + (LANES if "#pragma omp simd" in text else ()) + unrolled


def header_flags(text: str) -> tuple[str, ...]:
    """What leaves out of gnomon.h what a source does not call: arithmetic of other dtypes, math.h, memory and lists.

    >>> header_flags("x[0] = x[1] + x[2];"), header_flags("x[0] = gn_pow_float64(x[1], 2);")
    (('-DGN_PLAIN',), ('-DGN_PLAIN', '-DGN_FLOAT64', '-DGN_MATH'))
    >>> header_flags("free(list);")
    ('-DGN_PLAIN', '-DGN_ROOM')
    """
    code = ASIDE.sub("", text)
    named = {dtype for name in ARITHMETIC.findall(code) for dtype in DTYPE.findall(name)}
    dtypes = sorted(named.union(COMPLEX) if "complex" in code or "CMPLX" in code else named)
    called = set(CALLED.findall(code)) - KEYWORDS - set(DEFINED.findall(code))
    foreign = {name for name in called if not name.startswith(("gn_", "omp_"))}
    own = {name for name in called if name.startswith("gn_")} - WITHOUT_MEMORY
    takes_room = not all(map(OF_DTYPE.search, own))
    needs_math = bool(dtypes) or NUMBERS.search(code) or not foreign <= MEMORY
    needs_room = foreign or takes_room or "gn_list" in code
    more = (("-DGN_MATH",) if needs_math else ()) + (("-DGN_ROOM",) if needs_room else ())
    return "-DGN_PLAIN", *(f"-DGN_{dtype.upper()}" for dtype in dtypes), *more


def outcome(command: Sequence[str], text: str | None = None) -> CompletedProcess[str]:
    """The output and the exit status of a command. Raises OSError if the command cannot be run.

    Temporary files of the command are in a folder that is removed in the end. An interrupt kills the command and all
    processes that the command has started.
    """
    import subprocess
    import tempfile

    pipe = subprocess.PIPE
    with tempfile.TemporaryDirectory(prefix="gnomon-", ignore_cleanup_errors=True) as folder:
        around = {**os.environ, "TMPDIR": folder}
        process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=around, process_group=0
        )
        try:
            said = process.communicate(text)
        except BaseException:
            kill(process)
            raise
    return subprocess.CompletedProcess(command, process.returncode, *said)


def kill(process: Popen[str]) -> None:
    """Kill a process with all of its group, and wait until none of them can write any more."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


@cache
def understands(command: tuple[str, ...], flags: tuple[str, ...]) -> bool:
    """Whether a compiler takes some flags, and finds the libraries that they need."""
    text = TEAM_PROGRAM if flags == TEAMS else "int main(void) { return 0; }\n"
    asked = [*command, *flags, "-x", "c", "-o", os.devnull, "-"]
    try:
        return not outcome(asked, text).returncode
    except OSError:
        return False


@cache
def compiler(chosen: str | None) -> Compiler:
    """The compiler `chosen` ($CC), else gcc, clang or cc, else the ziglang wheel's. Raises NoCompilerError if none."""
    if chosen:
        command = words(chosen)
        path = shutil.which(command[0]) if command else None
        if path is None:
            raise NoCompilerError(
                f"CC is {chosen!r}, which is not a program", hint="set CC to a C compiler, or unset it"
            )
        return Compiler(command, identity(command, path))
    for name in ("gcc", "clang", "cc"):
        path = shutil.which(name)
        if path is not None:
            return Compiler((name,), identity((name,), path))
    if importlib.util.find_spec("ziglang") is not None:
        return Compiler((sys.executable, "-m", "ziglang", "cc"), "ziglang")
    raise NoCompilerError("no C compiler found", hint="install gcc or clang, set CC, or: pip install ziglang")


def words(command: str) -> tuple[str, ...]:
    """The words of a command, by the quotes of a shell; none if a quote is not closed."""
    try:
        return tuple(shlex.split(command))
    except ValueError:
        return ()


def identity(command: tuple[str, ...], path: str) -> str:
    """What changes when the compiler does."""
    real = os.path.realpath(path)
    facts = os.stat(real)
    return f"{shlex.join(command)} {real} {facts.st_size} {facts.st_mtime_ns} {processor()}"


@cache
def header_digest() -> str:
    """What changes when the support headers do."""
    return hashlib.sha256(b"".join(path.read_bytes() for path in sorted(INCLUDE.glob("*.h")))).hexdigest()
