"""How long kernels run on a GPU: texts built into a library that sums up the time between events around launches.

Calls copy results back to the host, so the time of a call would be that of the bus. Operands stay on the device,
but not in its caches (gnomon_timed.h).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median

import msgspec

from ...generator.cuda.text import Texts
from ...generator.runtime.cache import digest
from ...generator.runtime.foreign import SECONDS
from ...generator.runtime.nvcc import FLAGS, chosen_nvcc
from ...generator.runtime.resident import DeviceLibrary
from ...generator.runtime.runner import Runner
from ...generator.runtime.structs import Struct
from ...generator.storage.layout import Layout
from ...reference.storage.tensor import Tensor

TIMED = "-DGN_TIMED"
FEWEST, MOST, LONGEST = 3, 21, 0.5
"""How many calls are timed: the fewest, the most, and the seconds after which no further one begins."""
Build = Callable[[Texts, Path], Path]
"""What makes a library of two texts in a folder."""


def build_for_gpu(texts: Texts, folder: Path) -> Path:
    """A library for the GPU that is there, which tells how long kernels have run; built once for equal texts."""
    library = folder / f"{digest(texts.host, texts.device)}.so"
    if library.exists():
        return library
    return chosen_nvcc().build_texts(texts.host, texts.device, library, (*FLAGS, TIMED))


class Timed(msgspec.Struct, frozen=True):
    """A kernel in a library that tells how long it has run, and its operands, which the device keeps."""

    library: DeviceLibrary
    result: Layout
    shape: tuple[int, ...]
    operands: Sequence[Struct]

    @classmethod
    def of(cls, path: Path, result: Layout, shape: tuple[int, ...], operands: Mapping[str, Tensor]) -> Timed:
        """The function `evaluate` of a library, on operands in the order of its parameters."""
        library = DeviceLibrary(path, ["evaluate"], [1 + len(operands)])
        structs = [Struct.of(tensor) for tensor in operands.values()]
        for struct in structs:
            library.keep(struct)
        return cls(library, result, shape, structs)

    def run(self) -> Tensor:
        """The result of a call."""
        runner = Runner(self.library, self.result)
        blank = runner.blank(self.shape)
        return blank.finish(runner.begin("evaluate", blank, self.operands, "the result"))

    def seconds(self) -> float:
        """How long the kernels of a call run: the median of several calls, after one that copies operands."""
        passed = self.library.functions.find("gn_kernel_seconds", SECONDS, [])

        def once() -> float:
            self.run()
            return float(passed())

        return median_of(once)


def median_of(once: Callable[[], float]) -> float:
    """The median of several times, after one that is left out; of one time where that was long."""
    if once() > LONGEST:
        return once()
    until, times = time.monotonic() + LONGEST, [once() for _ in range(FEWEST)]
    while len(times) < MOST and time.monotonic() < until:
        times.append(once())
    return median(times)
