"""Steps of procedures by kernels: each is compiled once for tensors that are stored alike, and called again."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field

from ...reference.procedure.run import CONVERT
from ...reference.procedure.syntax import Step
from ...reference.schedule.settings import AUTO
from ...reference.storage.spec import Spec
from ...reference.storage.tensor import Tensor
from ..storage.layout import Layout
from .kernel import Kernel, kernel_for, narrow_indices
from .stand_ins import stand_ins


@dataclass
class KernelSteps:
    """An engine for procedures: the kernels of the steps that it has run."""

    kernels: dict[Hashable, Kernel] = field(default_factory=dict)

    def __call__(self, step: Step, operands: Mapping[str, Tensor], out: Spec | None) -> Tensor:
        """A step by its kernel. Raises what compiling and running raise."""
        kernel = self.kernel(step, operands, out)
        result = kernel.run(operands)
        return narrow_indices(result, kernel.request.result_spec.index) if kernel.request.is_far else result

    def kernel(self, step: Step, operands: Mapping[str, Tensor], out: Spec | None) -> Kernel:
        """The kernel of a step for tensors that are stored like these."""
        stored = tuple((name, Layout.of(tensor)) for name, tensor in operands.items())
        far = stand_ins({name: tensor.shape for name, tensor in operands.items()})
        key = (step.statement.source, step.semiring, out, stored, tuple(far.items()))
        if key not in self.kernels:
            self.kernels[key] = kernel_for(
                step.statement, operands, out=out, semiring_name=step.semiring, convert=CONVERT, schedule=AUTO
            )
        return self.kernels[key]
