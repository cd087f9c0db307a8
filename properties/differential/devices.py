"""Kernels for GPUs without one: many at once in a library that the CPU emulates, and each on the checked machine.

A problem whose schedule runs no loop on a GPU has besides what kernels for GPUs follow unasked.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from zlib import crc32

from msgspec.structs import replace

from ...generator.cuda.sizes import BLOCKS
from ...generator.device_source import generate_for_device
from ...generator.runtime.cache import digest
from ...generator.runtime.compiler import Compiler
from ...generator.runtime.device import for_device
from ...generator.runtime.emulation import Emulation, build
from ...generator.runtime.library import Library
from ...generator.runtime.nvcc import chosen_nvcc
from ...generator.runtime.runner import arity
from ...reference.errors import GnomonError, InternalError
from ...reference.schedule.autoschedule.grids import grid_schedule
from ...reference.schedule.parallelize import tagged_units
from ...reference.storage.tensor import Tensor
from ..machine.run import Conditions, device_machine
from ..programs.problem import Problem
from .batch import Case, packed_spec, runner_of, separate_helpers, source_of

FAST = ("-O1", "-cudart", "static", "-shared", "-Xcompiler", "-fPIC,-O0")
"""How nvcc builds kernels that run once."""


class DeviceCase(Case, frozen=True):
    """A problem ready for a GPU: `text` is the host's, `device` is that of its kernels."""

    device: str

    @property
    def order(self) -> int:
        """The seed of the order of threads: the same for a problem every time."""
        return crc32(f"{self.problem.source} by {self.ready.schedule}".encode())


def generate_device_case(problem: Problem, name: str) -> DeviceCase:
    """A problem with its two texts, whose functions begin with a name. Raises Unsupported."""
    problem = dataclasses.replace(problem, target="cuda")
    ready = problem.ready
    if BLOCKS not in tagged_units(ready.program.statement):
        problem = problem.with_schedule(grid_schedule(ready.lowered, ready.schedule))
    source = source_of(problem.ready)
    source = replace(source, target="cuda", program=for_device(source.program, source.layouts))
    texts = generate_for_device(source, name, ("evaluate",))
    host, device = (separate_helpers(text, name) for text in (texts.host, texts.device))
    return DeviceCase(problem.ready, source, host, name, problem, device)


def build_for_gpu(batch: Sequence[DeviceCase], folder: Path) -> Library:
    """The cases compiled by nvcc into one library."""
    host, device = ("\n".join(texts) for texts in zip(*((case.text, case.device) for case in batch), strict=True))
    path = chosen_nvcc().build_texts(host, device, folder / f"{digest(host, device)}.so", FAST)
    return Library(path, [f"{c.name}evaluate" for c in batch], [arity(c.source) for c in batch])


def build_emulated(batch: Sequence[DeviceCase], folder: Path, compiler: Compiler) -> tuple[Library, Emulation]:
    """The cases compiled into one library, which sees races and stray accesses."""
    host, device = ("\n".join(texts) for texts in zip(*((case.text, case.device) for case in batch), strict=True))
    path = build(host, device, folder, compiler, watched=True)
    names = [f"{case.name}evaluate" for case in batch]
    return Library(path, names, [arity(case.source) for case in batch]), Emulation(path)


def run_emulated(case: DeviceCase, built: tuple[Library, Emulation]) -> Tensor:
    """The result of a case by its kernels on the CPU. Raises MeaningError where it has none, InternalError for what the
    emulation sees to be wrong."""
    library, emulation = built
    with without_faults(emulation, case.order):
        return runner_of(case, library).evaluate(case.ready.arguments, case.ready.resolved.shape, "the result")


@contextmanager
def without_faults(emulation: Emulation, seed: int) -> Iterator[None]:
    """Raise InternalError where an emulated call does something wrong, whatever it reports then."""
    emulation.begin(seed)
    held = emulation.held
    try:
        yield
    except GnomonError:
        if not emulation.fault:
            raise
    if emulation.fault:
        raise InternalError(emulation.fault)
    if emulation.held != held:
        raise InternalError("memory on the device is not given back")


def run_on_machine(case: DeviceCase) -> Tensor:
    """The result of a case on the checked machine. Raises MachineError for what goes wrong there."""
    machine = device_machine(case.text, case.device, case.source.layouts[case.source.program.result], case.name)
    result = machine.evaluate(case.ready.arguments, case.ready.resolved.shape, Conditions(case.order))
    packed = packed_spec(case)
    return result if packed is None else result.convert(packed)
