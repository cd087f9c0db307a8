"""Runs that show what a kernel does wrong: concrete tensors on which it leaves an array, on the checked machine.

Small operands are tried first, those that show what schedules do wrong; then the tensors by which symbolic execution
turn by turn leaves an array (`c_refutation`). Nothing counts but what the machine (`properties.machine`) finds wrong
when it runs the kernel's text on tensors that pass validation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from ....generator.runtime.request import Request
from ....generator.source import Source
from ....generator.storage.layout import Layout
from ....reference.errors import GnomonError
from ....reference.execution.evaluate import interpret_unchecked
from ....reference.schedule.preparation import prepare
from ....reference.statement.converting import convert_operands
from ....reference.storage.spec import Spec
from ....reference.storage.tensor import Tensor
from ...machine.fault import (
    BadPointer,
    MachineError,
    NullPointer,
    OutOfBounds,
    Uninitialised,
    UseAfterFree,
    WriteToInput,
    WrongType,
)
from ...machine.run import Conditions, Machine, machine
from ..schedules.schedule_inputs import Question, inputs, print_call
from ..verdict import Refuted
from .c_execution import Unmodelled
from .c_refutation import find_overrun

ACCESSES = (BadPointer, NullPointer, OutOfBounds, Uninitialised, UseAfterFree, WriteToInput, WrongType)
"""What may be wrong with an access to memory; what is computed with is another matter."""
CONDITIONS = tuple(Conditions(seed, limit=200_000) for seed in (0, 1))
"""Two seeds: by one, threads share out a loop; by the other, a single thread runs the whole loop."""
COMPONENTS = 400
"""About how many an operand of the largest inputs has, so that what grows has to."""
SECONDS = 20.0


def wrong_run(text: str, source: Source, request: Request) -> Refuted | None:
    """A refutation of a kernel by tensors on which it accesses memory that it should not; None where none is found."""
    kernel = machine(text, source.layouts[source.program.result])
    question = question_of(request)
    for operands in candidates(text, source, question):
        shape = result_shape(request, operands)
        error = None if shape is None else fault(kernel, source, operands, shape)
        if error is not None:
            shown = print_call(question, operands, request.schedule, engine="'c'")
            return Refuted((("input", shown), ("goes wrong", f"{type(error).__name__}: {error.message}")))
    return None


def question_of(request: Request) -> Question:
    """What inputs are made for: the expression, with operands laid out as the kernel takes them."""
    formats = {name: spec_of(layout) for name, layout in request.declarations.items()}
    accesses = [*request.reads, request.assignment.target]
    wide = int(COMPONENTS ** (1 / max(1, *(len(access.indices) for access in accesses))))
    wider = {v: wide for access in accesses for v in access.indices}
    return Question(request.text, formats, request.out, request.semiring, request.convert, sizes=(wider,))


def spec_of(layout: Layout) -> Spec:
    """What tensors are packed by to have a layout, as far as one width of indices can say it."""
    widths = [np.dtype(index) for _, _, index in layout.index]
    return Spec(layout.format, layout.dtype, max(widths, default=np.dtype("int32")), layout.fill)


def candidates(text: str, source: Source, question: Question) -> Iterator[Mapping[str, Tensor]]:
    """Operands whose arguments have the layouts of the parameters; where none is converted, those of an overrun too."""
    for operands in inputs(question):
        given = arguments(source, operands)
        if all(Layout.of(each) == source.layouts[inner(source, name)] for name, each in given.items()):
            yield operands
    if source.program.converted:
        return
    try:
        wrong = find_overrun(text, source, SECONDS)
    except Unmodelled:
        return
    if wrong is not None and all(is_valid(tensor) for tensor in wrong.operands.values()):
        yield {name: wrong.operands[inner(source, name)] for name in source.operands}


def arguments(source: Source, operands: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """What the kernel takes, by name and in order."""
    found = convert_operands(source.program, operands)
    return {name: found[name] for name in source.operands}


def inner(source: Source, name: str) -> str:
    """What the program calls an operand: what the result held before has a name of its own there."""
    return source.program.previous if name == source.program.result else name


def is_valid(tensor: Tensor) -> bool:
    """Whether a tensor passes validation."""
    try:
        tensor.validate()
    except GnomonError:
        return False
    return True


def result_shape(request: Request, operands: Mapping[str, Tensor]) -> tuple[int, ...] | None:
    """The shape of the result, where the reference has one by the same schedule."""
    settings = question_of(request).settings
    try:
        ready = prepare(request.text, dict(operands), schedule=request.schedule, **settings)
        return interpret_unchecked(ready)[0].shape
    except GnomonError:
        return None


def fault(
    kernel: Machine, source: Source, operands: Mapping[str, Tensor], shape: tuple[int, ...]
) -> MachineError | None:
    """What is wrong with an access of a kernel on some operands: in one go, or assembled first and then computed."""
    given = arguments(source, operands)
    try:
        for under in CONDITIONS:
            kernel.evaluate(given, shape, under)
            if source.layouts[source.program.result].index:
                structure, _ = kernel.ran("assemble", given, shape, under)
                kernel.ran("compute", given, shape, under, structure)
    except ACCESSES as error:
        return error
    except GnomonError:
        return None
    return None
