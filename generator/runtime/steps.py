"""Steps of procedures by kernels: each is compiled once for tensors that are stored alike, and called again."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import NamedTuple

import msgspec
from msgspec import field

from ...reference.algebra.dtypes import COORDINATE
from ...reference.algebra.semirings import Semiring
from ...reference.procedure.run import CONVERT
from ...reference.procedure.syntax import Step
from ...reference.schedule.settings import AUTO
from ...reference.storage.named_formats import dense
from ...reference.storage.spec import Spec
from ...reference.storage.tensor import Tensor
from ..storage.layout import Layout
from .coordinates import Coordinates, coordinates_of
from .kernel import Kernel, kernel_for
from .narrowing import narrow_indices
from .operand import Kept
from .stand_ins import stand_ins
from .structs import Struct

Far = Mapping[str, tuple[int, ...]]
"""Stand-ins for the shapes of operands with an extent that is not small."""
ODD = attrgetter("odd")
VECTOR = Layout.uniform(dense(1), COORDINATE, 0)


class Known(NamedTuple):
    """A tensor as kernels see it; one that is `odd` is looked at in every step, for where it ends or what is in it."""

    layout: Layout
    struct: Struct
    odd: bool = False


class Compiled(msgspec.Struct, frozen=True):
    """The kernel of a step for tensors that are stored in some ways."""

    semiring: Semiring | None
    out: Spec | None
    layouts: tuple[Layout, ...]
    far: Far
    kernel: Kernel

    def fits(self, step: Step, out: Spec | None, layouts: tuple[Layout, ...], far: Far) -> bool:
        """Whether the kernel was compiled for such a step on tensors that are stored in some ways."""
        alike = self.layouts == layouts and (self.out is out or self.out == out) and self.far == far
        return alike and (self.semiring is step.semiring or self.semiring == step.semiring)


class KernelSteps(msgspec.Struct):
    """An engine for procedures: the kernels of the steps that it has run, by their texts, and the tensors it knows.

    What a kernel has left in a struct is what the next one reads. The kernel that a step had last is `recent`.
    """

    compiled: dict[str, list[Compiled]] = field(default_factory=dict)
    recent: dict[int, tuple[Step, Compiled]] = field(default_factory=dict)
    known: Kept[Known] = field(default_factory=Kept)

    @property
    def kernels(self) -> list[Kernel]:
        """The kernels that there are."""
        return [each.kernel for found in self.compiled.values() for each in found]

    def __call__(self, step: Step, operands: Mapping[str, Tensor], out: Spec | None, *, spent: bool = False) -> Tensor:
        """A step by its kernel. Raises what compiling and running raise."""
        known = self.known
        read: Mapping[str, Tensor | Coordinates] = operands
        if step.statement.coordinate_places:
            read = {**operands, **coordinates_of(step.statement, operands)}
        seen = {name: known.of(each) or self.look_at(each) for name, each in read.items()}
        is_odd = any(map(ODD, seen.values()))
        far = stand_ins({name: each.shape for name, each in read.items()}) if is_odd else {}
        kernel = self.kernel(step, operands, out, tuple([each.layout for each in seen.values()]), far)
        if is_odd or not kernel.is_direct:
            result = kernel.run(operands)
            return narrow_indices(result, kernel.request.result_spec.index) if kernel.request.is_far else result
        structs = [seen[name].struct for name in kernel.operands]
        call = kernel.ready(structs, tuple([read[name].shape for name in kernel.operands]), read)
        if spent and call.runner.works_in_place:
            struct = seen[step.target].struct
            result = call.update(operands[step.target], struct)
        else:
            result, struct = call.evaluate()
        known.keep(result, Known(kernel.result, struct))
        return result

    def look_at(self, tensor: Tensor | Coordinates) -> Known:
        """A tensor that no kernel has left."""
        if isinstance(tensor, Coordinates):
            return Known(VECTOR, tensor.struct, bool(stand_ins({"": tensor.shape})))
        odd = not tensor.sound or bool(stand_ins({"": tensor.shape}))
        found = Known(Layout.of(tensor), Struct.of(tensor), odd)
        if tensor.sound:
            self.known.keep(tensor, found)
        return found

    def kernel(
        self, step: Step, operands: Mapping[str, Tensor], out: Spec | None, layouts: tuple[Layout, ...], far: Far
    ) -> Kernel:
        """The kernel of a step for tensors that are stored in some ways."""
        last = self.recent.get(id(step))
        if last is not None and last[0] is step and last[1].fits(step, out, layouts, far):
            return last[1].kernel
        found = self.find(step, operands, out, layouts, far)
        self.recent[id(step)] = step, found
        return found.kernel

    def find(
        self, step: Step, operands: Mapping[str, Tensor], out: Spec | None, layouts: tuple[Layout, ...], far: Far
    ) -> Compiled:
        """The kernel of a step's text for such tensors, compiled if there is none."""
        text = step.statement
        found = self.compiled.setdefault(text.source, [])
        for each in found:
            if each.fits(step, out, layouts, far):
                return each
        kernel = kernel_for(text, operands, out=out, semiring=step.semiring, convert=CONVERT, schedule=AUTO)
        found.append(Compiled(step.semiring, out, layouts, far, kernel))
        return found[-1]
