"""Whether there is a GPU that kernels can run on: its name, and how fast numbers are copied there."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from ...generator.runtime.nvcc import chosen_nvcc
from ...reference.errors import CompileError, GnomonError
from .contenders import copying
from .timing import build_for_gpu

FORMAT = "--format=csv,noheader"
CAPABILITY = "GNOMON_GPU"
FEW, MANY = 1000, 1 << 26


class Gpu(Struct, frozen=True):
    """A GPU: name, driver and memory in words, the compiler of its kernels, and the bytes a second that a kernel moves
    which copies numbers from one array to another."""

    name: str
    compiler: str
    bandwidth: float


def find_gpu(folder: Path) -> Gpu | str:
    """The GPU that kernels run on, or why there is none."""
    try:
        compiler = " ".join(chosen_nvcc().command)
        copying(FEW, build_for_gpu, folder).run()
        seconds = copying(MANY, build_for_gpu, folder).seconds()
    except CompileError as error:
        return error.message.partition("\n")[0]
    except GnomonError as error:
        return error.message
    return Gpu(what_is_said("name,driver_version,memory.total") or "a GPU", compiler, 2 * 8 * MANY / seconds)


def what_is_said(properties: str) -> str:
    """What nvidia-smi says of some properties of the first GPU; empty where it says nothing."""
    if shutil.which("nvidia-smi") is None:
        return ""
    asked = ["nvidia-smi", f"--query-gpu={properties}", FORMAT]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    return "" if done.returncode else done.stdout.partition("\n")[0].strip()


@contextmanager
def for_this_gpu_alone() -> Iterator[None]:
    """Build kernels for the GPU that is there alone, in a fifth of the time, unless $GNOMON_GPU names another one."""
    capability = what_is_said("compute_cap").replace(".", "")
    if not capability.isdigit() or CAPABILITY in os.environ:
        yield
        return
    os.environ[CAPABILITY] = capability
    try:
        yield
    finally:
        del os.environ[CAPABILITY]
