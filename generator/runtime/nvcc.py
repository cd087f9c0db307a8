"""The CUDA compiler: which one, and how the two texts of a kernel become a shared library.

The library has code for the architectures that are in use and, for later ones, PTX that drivers compile. CUDA's runtime
is linked into it, so that it loads where there is no driver.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from msgspec import Struct

from ...reference.errors import CompileError, HostError, NoCompilerError
from .compiler import INCLUDE, identity, outcome, words

FLAGS = ("-O3", "-cudart", "static", "-shared", "-Xcompiler", "-fPIC,-O2")
USUAL = (75, 80, 86, 89, 90)
WHEELS = ("nvidia.cu13", "nvidia.cuda_nvcc")
HINT = "install CUDA, set NVCC to its nvcc or CUDA_HOME to its folder, or: pip install nvidia-cuda-nvcc"


class Nvcc(Struct, frozen=True):
    """A command that compiles CUDA, what tells one installation from another, and the architectures to build for."""

    command: tuple[str, ...]
    identity: str
    architectures: tuple[int, ...]

    @property
    def targets(self) -> tuple[str, ...]:
        """What has code made for each architecture, and PTX for the last."""
        code = [f"-gencode=arch=compute_{n},code=sm_{n}" for n in self.architectures]
        last = self.architectures[-1]
        return (*code, f"-gencode=arch=compute_{last},code=compute_{last}")

    def build(self, host: Path, library: Path, flags: Sequence[str] = FLAGS) -> None:
        """Compile the host's text, and the device's beside it, into a shared library.

        Raises CompileError with what nvcc says of the texts, HostError where it does not work.
        """
        device = host.with_suffix(".cu")
        command = [*self.command, *self.targets, *flags, f"-I{INCLUDE}", "-o", str(library), str(device), str(host)]
        try:
            done = outcome(command)
        except OSError as error:
            raise NoCompilerError(f"{shlex.join(self.command)} cannot be run: {error}", hint=HINT) from None
        if done.returncode == 0:
            return
        said = f"{done.stdout}{done.stderr}".strip()
        if any(re.search(rf"{re.escape(str(text))}[:(]\d", said) for text in (host, device)):
            raise CompileError(f"{shlex.join(command)} failed:\n{said}")
        why = f": {said.splitlines()[0]}" if said else ""
        raise HostError(
            f"{shlex.join(self.command)} ends with status {done.returncode} and no error in the source{why}",
            hint="see that nvcc works here; it needs a C++ compiler for the host, memory, and room for temporary files",
        )

    def build_texts(self, host: str, device: str, library: Path, flags: Sequence[str]) -> Path:
        """Compile two texts into a shared library beside which they are kept; its path."""
        library.with_suffix(".c").write_text(host)
        library.with_suffix(".cu").write_text(device)
        self.build(library.with_suffix(".c"), library, flags)
        return library


@cache
def nvcc(chosen: str | None, home: str | None, wanted: str | None) -> Nvcc:
    """The nvcc that is `chosen` ($NVCC), else the one found, or that of CUDA's `home` ($CUDA_HOME), or of the wheel.

    `wanted` ($GNOMON_GPU) is the compute capability to build for, such as 86, in place of the usual ones. Raises
    NoCompilerError if there is none, HostError for a capability that it does not know.
    """
    command = words(chosen) if chosen else ("nvcc",)
    path = shutil.which(command[0]) if command else None
    if chosen and path is None:
        raise NoCompilerError(f"NVCC is {chosen!r}, which is not a program", hint="set NVCC to an nvcc, or unset it")
    if path is None:
        path = next((str(each) for each in (*folders(home), *wheels()) if os.access(each, os.X_OK)), None)
        command = (path,) if path else ()
    if path is None:
        raise NoCompilerError("no CUDA compiler found", hint=HINT)
    known = architectures(command)
    return Nvcc(command, f"{identity(command, path)} {wanted}", choose_architectures(known, wanted))


def folders(home: str | None) -> list[Path]:
    """Where CUDA's home has its compiler."""
    return [Path(home) / "bin" / "nvcc"] if home else []


def wheels() -> list[Path]:
    """Where the wheels on the package index have it."""
    found = []
    for name in WHEELS:
        try:
            there = importlib.util.find_spec(name)
        except ModuleNotFoundError:
            there = None
        found += [Path(place) / "bin" / "nvcc" for place in (there.submodule_search_locations or [] if there else [])]
    return found


def architectures(command: tuple[str, ...]) -> tuple[int, ...]:
    """The compute capabilities that an nvcc makes code for."""
    try:
        said = outcome([*command, "--list-gpu-code"]).stdout
    except OSError as error:
        raise NoCompilerError(f"{shlex.join(command)} cannot be run: {error}", hint=HINT) from None
    return tuple(sorted({int(n) for n in re.findall(r"\bsm_(\d+)\b", said)}))


def choose_architectures(known: tuple[int, ...], wanted: str | None) -> tuple[int, ...]:
    """The capabilities to build for: what is wanted, or those of the usual ones that are known."""
    if wanted is None:
        found = tuple(n for n in USUAL if n in known) or known[-1:]
        if not found:
            raise HostError("nvcc makes code for no GPU", hint=HINT)
        return found
    if not re.fullmatch(r"\d+", wanted) or int(wanted) not in known:
        raise HostError(
            f"GNOMON_GPU is {wanted!r}, for which nvcc makes no code",
            hint=f"set it to one of {', '.join(map(str, known))}, or unset it",
        )
    return (int(wanted),)


def chosen_nvcc() -> Nvcc:
    """The CUDA compiler that the environment asks for."""
    return nvcc(*(os.environ.get(name) for name in ("NVCC", "CUDA_HOME", "GNOMON_GPU")))
