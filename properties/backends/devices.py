"""Kernels for GPUs as backends: on a GPU, and without one, emulated by the CPU or on the checked machine."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from ...generator.runtime.emulation import Emulation
from ...generator.runtime.library import Library
from ...generator.runtime.request import chosen_compiler
from ...reference.errors import GnomonError
from ...reference.statement.tags import GPU
from ...reference.storage.tensor import Tensor
from ..differential.batch import runner_of
from ..differential.devices import (
    DeviceCase,
    build_emulated,
    build_for_gpu,
    generate_device_case,
    run_emulated,
    run_on_machine,
)
from ..programs.features import EVERYTHING
from ..programs.problem import Problem, print_format, print_text, script_of_operands
from . import BackendError
from .backend import Refused
from .own import Kernels, L


class OnDevices(Kernels[DeviceCase, L]):
    """What programs for GPUs use: everything, and units of a GPU."""

    name: str
    features = replace(EVERYTHING, units=GPU)

    def supports(self, problem: Problem) -> bool:
        """Raises Refused with what the features lack."""
        lacking = self.features.lacks(problem)
        if lacking is not None:
            raise Refused(lacking)
        return True

    def script(self, problem: Problem) -> str:
        """A script that runs a problem on the backend, and says what comes of it."""
        given = f"{print_text(problem.text)}, {{{', '.join(f'{name!r}: {name}' for name in problem.operands)}}}"
        asked = f"{print_format(problem.out)!r}, {problem.semiring!r}, {str(problem.schedule)!r}"
        return "\n".join(
            [
                "import gnomon as gn",
                "from gnomon.properties.backends import judge, load, result_of",
                "from gnomon.properties.programs.problem import Problem",
                "from numpy import inf, nan",
                *script_of_operands(problem.operands),
                f"problem = Problem({given}, {asked}, {problem.target!r})",
                f"print(judge(problem, result_of(load({self.name!r}).run(problem)), {self.promises!r}))",
            ]
        )

    def generate(self, problem: Problem, name: str) -> DeviceCase:
        return generate_device_case(problem, name)


class OnGpu(OnDevices[Library]):
    """Kernels for GPUs on the GPU that is there, built by nvcc. Raises BackendError where there is none."""

    name = "cuda"
    reserves_addresses = True

    def __init__(self) -> None:
        super().__init__()
        try:
            self.run(Problem("y(i) = x(i)", {"x": np.ones(2)}, "Dense"))
        except GnomonError as error:
            raise BackendError(error.message, hint="backend emulated runs the same kernels on the CPU") from None

    def build(self, batch: Sequence[DeviceCase]) -> Library:
        return build_for_gpu(batch, self.folder)

    def evaluate(self, case: DeviceCase, library: Library) -> Tensor:
        operands, shape = case.ready.arguments, case.ready.resolved.shape
        return runner_of(case, library).evaluate(operands, shape, "the result")


class Emulated(OnDevices[tuple[Library, Emulation]]):
    """Kernels for GPUs on the CPU, watched: threads in random order, races, reads of what nothing is stored in."""

    name = "emulated"

    def build(self, batch: Sequence[DeviceCase]) -> tuple[Library, Emulation]:
        return build_emulated(batch, self.folder, chosen_compiler())

    def evaluate(self, case: DeviceCase, library: tuple[Library, Emulation]) -> Tensor:
        return run_emulated(case, library)


class Machine(OnDevices[None]):
    """Kernels for GPUs on the checked machine, each thread a coroutine."""

    name = "machine"

    def build(self, batch: Sequence[DeviceCase]) -> None:
        """Texts run as they are."""

    def evaluate(self, case: DeviceCase, library: None) -> Tensor:
        return run_on_machine(case)
