"""Kernels of what the tests of a file check, compiled together once these are done: alone, each costs a compiler."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gnomon.generator.kernel_source import generate
from gnomon.generator.runtime import built
from gnomon.generator.runtime.request import chosen_compiler
from gnomon.generator.runtime.sources import refuse_gpu
from gnomon.properties.differential.batch import KernelText, batches, build_library, run, separate_helpers, source_of
from gnomon.properties.differential.check import compare_results
from gnomon.properties.programs.problem import denote
from gnomon.reference.execution.evaluate import Execution
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.storage.tensor import Tensor

Left = tuple[KernelText, Execution]


class Together:
    """What is left to run: kernels, and what the reference has run."""

    def __init__(self) -> None:
        self.left: list[Left] = []

    def by_kernel(self, execution: Execution, settings: Mapping[str, Any]) -> Tensor:
        """Generate the kernel; until it is compiled the result of the reference stands for its own. Raises Unsupported
        where C has none."""
        ready = prepare(execution.text, execution.operands, **settings)
        refuse_gpu(ready.program.statement)
        source, name = source_of(ready), f"k{len(self.left)}_"
        text = separate_helpers(generate(source, name, ("evaluate",)), name)
        self.left.append((KernelText(ready, source, text, name), execution))
        return execution.result

    def finish(self, folder: Path) -> None:
        """Compile and run all kernels. Raises DisagreementError where the result of one is not what is meant."""
        for some in batches(self.left):
            compare_kernels(some, folder)


def compare_kernels(left: Sequence[Left], folder: Path) -> None:
    """Compile and run some kernels."""
    library = build_library([kernel for kernel, _ in left], folder, chosen_compiler(), built.FLAGS)
    for kernel, execution in left:
        compare_results(denote(execution.resolved, execution.operands), execution, {"c": run(kernel, library)})
