"""Whether there is a GPU that kernels can run on, what it is, and how fast it copies."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from ...generator.runtime.nvcc import chosen_nvcc
from ...reference.errors import CompileError, GnomonError
from .contenders import copying
from .timing import build_for_gpu

ASKED = ("--query-gpu=name,driver_version,memory.total", "--format=csv,noheader")
FEW, MANY = 1000, 1 << 26


@dataclass(frozen=True)
class Gpu:
    """A GPU: its name, driver and memory in words, the compiler that builds for it, and the bytes that it moves in a
    second where it copies numbers from one array to another."""

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
    return Gpu(name_of_gpu(), compiler, 2 * 8 * MANY / seconds)


def name_of_gpu() -> str:
    """What nvidia-smi says of the first GPU; "a GPU" where it says nothing."""
    if shutil.which("nvidia-smi") is None:
        return "a GPU"
    said = subprocess.run(["nvidia-smi", *ASKED], capture_output=True, text=True, check=False).stdout
    return said.partition("\n")[0].strip() or "a GPU"
