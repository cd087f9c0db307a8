"""CUDA on the CPU: a kernel's two texts built by a C compiler alone, with the emulation of CUDA's words beside them.

The texts are those that nvcc is given; behind the device's, a function calls each kernel with the arguments that a
launch has pointers to. Every library sees threads that do not meet, and writes around arrays. One that is built
`watched` also sees races, reads of what nothing has been stored in, and places that are no memory of the device.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from msgspec import Struct

from ...reference.errors import NoCompilerError
from .cache import digest, directory, store
from .compiler import INCLUDE, Compiler, header_flags, outcome
from .foreign import INT, INT64, NOTHING, TEXT, UINT64, Functions, string_at

QUICK = ("-std=c11", "-O0", "-w")
EMULATED = ("-fPIC", "-DGN_EMULATED", "-Wno-unknown-pragmas")
WATCHED = ("-fsanitize=thread", "--param=tsan-distinguish-volatile=1", "-fno-tree-loop-im")
"""Accesses are seen where they stand: what one thread alone loads in a loop is not loaded by all of them before it."""
RUNTIME = INCLUDE / "gnomon_emulation.c"
RUNTIME_FLAGS = ("-std=c11", "-O2", "-fPIC")
KERNEL = re.compile(r"GN_KERNEL\s+void\s+__launch_bounds__\((\d+)\)\s+(\w+)\(([^)]*)\)")
MOST = 2**63 - 1


class Entry(Struct, frozen=True):
    """A kernel that a text defines: the most threads of its blocks, its name, the types of its parameters."""

    threads: int
    name: str
    types: tuple[str, ...]

    def __str__(self) -> str:
        args = ", ".join(f"*({type} *)arguments[{n}]" for n, type in enumerate(self.types))
        head = f"GN_UNWATCHED static void gn_enter_{self.name}(void **arguments)"
        return f"{head} {{ (void)arguments; {self.name}({args}); }}"


def entries(device: str) -> list[Entry]:
    """The kernels of a text, in order.

    >>> [kernel] = entries("GN_KERNEL void __launch_bounds__(64) twice(double *__restrict__ x_vals, int64_t size) {}")
    >>> kernel.types
    ('double *__restrict__', 'int64_t')
    """
    return [Entry(int(found[1]), found[2], parameters(found[3])) for found in KERNEL.finditer(device)]


def parameters(text: str) -> tuple[str, ...]:
    """The types of parameters, without their names."""
    found = [each.strip() for each in text.split(",")]
    return tuple(re.sub(r"\s*\w+$", "", each) for each in found if each not in ("", "void"))


def with_entries(device: str) -> str:
    """A text for devices, and behind it what calls its kernels and makes them known to the emulation."""
    found = entries(device)
    known = "".join(
        f"    gn_emulation_kernel((const void *){each.name}, gn_enter_{each.name}, {each.threads});\n" for each in found
    )
    calls = "\n".join(map(str, found))
    start = f"__attribute__((constructor)) static void gn_know_kernels(void)\n{{\n{known}}}\n"
    return f"{device}\n{calls}\n{start}"


def build(
    host: str, device: str, folder: Path, compiler: Compiler, flags: Sequence[str] = QUICK, *, watched: bool = False
) -> Path:
    """A kernel's two texts as one library in a folder. Raises CompileError or HostError."""
    own = WATCHED if watched else ()
    base = folder / digest(host, device, *flags, *own)
    sources = base.with_suffix(".c"), base.with_name(f"{base.name}_device.c")
    for path, text in zip(sources, (host, with_entries(device)), strict=True):
        path.write_text(text)
    part, library = base.with_suffix(".o"), base.with_suffix(".so")
    compile_text(compiler, sources[1], [*flags, *own, *EMULATED, "-c", "-o", str(part)])
    beside = [str(part), str(runtime(compiler, tuple(flags))), "-lm"]
    spared = header_flags(host)
    compile_text(compiler, sources[0], [*flags, *EMULATED, *spared, "-shared", "-o", str(library), *beside])
    return library


@cache
def runtime(compiler: Compiler, flags: tuple[str, ...]) -> Path:
    """The emulation itself, compiled once, with the sanitizers that some flags ask for."""
    asked = (*RUNTIME_FLAGS, *[flag for flag in flags if flag.startswith(("-fsanitize", "-fno-sanitize"))])
    text = RUNTIME.read_text() + (INCLUDE / "gnomon_emulation.h").read_text()
    path = directory() / f"{digest(text, compiler.identity, *asked)}.o"
    if not path.exists():
        store(path, lambda made: compile_text(compiler, RUNTIME, [*asked, "-c", "-o", str(made)]))
    return path


def compile_text(compiler: Compiler, source: Path, words: Sequence[str]) -> None:
    """Run a compiler on a source. Raises CompileError or HostError."""
    command = [*compiler.command, *compiler.own_flags, f"-I{INCLUDE}", str(source), *words]
    try:
        done = outcome(command)
    except OSError as error:
        raise NoCompilerError(
            f"{shlex.join(compiler.command)} cannot be run: {error}", hint="set CC to a C compiler"
        ) from None
    if done.returncode:
        raise compiler.failure(command, source, done)


class Emulation:
    """The emulation in a library: chance, devices and memory as they are set, and what it has seen."""

    def __init__(self, library: Path) -> None:
        functions = Functions(library)
        self.emulate = functions.find("gn_emulate", NOTHING, [UINT64, INT, INT64])
        self.said = functions.find("gn_emulation_fault", TEXT, [])
        self.kept = functions.find("gn_emulation_held", INT64, [])

    def begin(self, seed: int, devices: int = 1, memory: int = MOST) -> None:
        """Set the order of threads by a seed, the number of devices and their memory in bytes; forget faults."""
        self.emulate(seed, devices, memory)

    @property
    def fault(self) -> str:
        """What a kernel has done wrong since the beginning, empty if nothing was seen."""
        return string_at(self.said())

    @property
    def held(self) -> int:
        """The bytes on the device that nobody has given back."""
        return int(self.kept())
