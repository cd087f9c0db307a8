"""Kernels: an expression and layouts, compiled, and called with tensors.

A kernel is compiled for the layouts of its operands; shapes are settled when it is called (`runners.py`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from math import prod
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from msgspec.structs import replace

from ...reference.algebra.dtypes import Number
from ...reference.algebra.scalars import abbreviate
from ...reference.algebra.semirings import Semiring, semiring_or_none
from ...reference.errors import FormatError, InternalError, MeaningError, Unsupported, in_statement
from ...reference.files.operands import as_tensors, valid_tensor
from ...reference.notation.resolution import outgrown, ring_operands
from ...reference.notation.text import Text, as_text
from ...reference.schedule.schedule import Schedule, as_schedule
from ...reference.statement.front_end import refuse_convert
from ...reference.storage.format import Format
from ...reference.storage.hierarchy import is_fixed, is_lasting
from ...reference.storage.room import LARGEST
from ...reference.storage.spec import Spec
from ...reference.storage.tensor import Tensor
from ..storage.layout import Layout, array_names
from .bound import Bound, are_steady
from .built import build, texts_of
from .call import Call, Settled
from .conversions import Converter
from .coordinates import Coordinates, coordinates_of
from .memory import memory_in
from .operand import Kept, Slot, operands_error, refuse_places
from .phases import Known, holds_the_same, storage
from .request import Request, by_schedule, layout_for, measurable
from .runner import Runner
from .runners import Runners
from .sizes import Sizes
from .stand_ins import WIDEST, stand_ins
from .structs import Struct

if TYPE_CHECKING:
    from ...reference.schedule.branched.choice import Choice
    from ...reference.statement.filling import Fillings
    from ...reference.statement.statement import Program
    from ...reference.statement.tags import Target


class Kernel:
    """A compiled expression. Call it with its operands by name: `k(A=A, x=x)`, or `k(A=A, x=x, out=y)`."""

    def __init__(self, request: Request) -> None:
        self.request = request
        resolved = request.resolve_without_shapes()
        self.result = request.result(resolved)
        self.operands = tuple(request.declarations)
        self.reads_coordinates = bool(request.text.coordinate_places)
        self.names = frozenset(self.operands)
        self.target = request.assignment.target
        absent = outgrown(resolved)
        self.slots = [self.slot(name, absent.get(name)) for name in self.operands]
        self.places = self.modes()
        self.is_given = not array_names(self.result.format)
        depends = any(slot.absent is not None for slot in self.slots)
        self.is_direct = not depends and not request.is_far and request.packed_spec is None
        self.countable: set[tuple[int, ...]] = set()
        self.others: dict[Schedule, Kernel] = {}
        self.held = {name: Kept[Struct]() for name in self.operands}
        self.assembled = Kept[Known]()
        self.sizes = Sizes()
        self.settled: Settled | None = None
        self.built = build(request, resolved, {})
        self.converter = Converter({slot.name: slot for slot in self.slots}, self.built.library)
        self.runners = Runners(request, self.built, resolved)

    def __reduce__(self) -> tuple[Any, ...]:
        return Kernel, (replace(self.request),)

    def slot(self, name: str, absent: Number | None) -> Slot:
        """What an operand must be, and a number that it must not hold."""
        layout = self.request.declarations[name]
        ring = self.request.ring if name in ring_operands(self.request.assignment) else None
        return Slot(name, layout, None if ring is None else ring.name, layout.format.is_array, absent)

    def modes(self) -> list[tuple[int, int, str]]:
        """Operand, mode and index variable of everything that has an extent."""
        place = {name: n for n, name in enumerate(self.operands)}
        return [(place[a.tensor], m, v) for a in self.request.reads for m, v in enumerate(a.indices)]

    @property
    def source(self) -> str:
        """The C text, of a kernel for a GPU that of the host, without the support header (`gnomon.h`)."""
        return texts_of(self.request)[0]

    @property
    def device_source(self) -> str:
        """The CUDA text of a kernel for a GPU, without the support header; empty for one that runs on a CPU."""
        return texts_of(self.request)[1]

    def __call__(self, /, *places: Any, out: np.ndarray | None = None, **operands: Any) -> Tensor:
        """The result on some operands by name; its values go to the array `out` if that is given.

        Raises FormatError, ExpressionError or StorageError if an operand is not what the kernel was compiled for.
        """
        refuse_places(places, self.request.text.source, self.operands)
        return self.run(operands, out)

    def run(self, operands: Mapping[str, Any], out: np.ndarray | None = None) -> Tensor:
        """The result on operands given by name."""
        call = self.prepare(operands)
        given = None if out is None else memory_in(out, self.result, call.blank.shape, operands)
        try:
            return call.evaluate(given)[0]
        except MeaningError as error:
            raise in_statement(error, self.request.text.source) from None

    def bind(self, /, *places: Any, out: np.ndarray | None = None, **operands: Any) -> Bound:
        """The kernel with its operands, and `out`: a call without arguments gives what a call with operands would give,
        and checks operands again only where they may have changed (`code.bound`). Raises the errors of a call.

        >>> import gnomon as gn
        >>> A, x = gn.tensor([[0, 1], [1, 0]], [2.0, 3.0], (2, 2), "CSR"), np.array([1.0, 10.0])
        >>> y = np.empty(2)
        >>> spmv = gn.compile("y(i) = A(i,j) * x(j)", A="CSR").bind(A=A, x=x, out=y)
        >>> spmv().to_numpy().tolist()
        [20.0, 3.0]
        >>> x[0] = 5.0
        >>> spmv() is not None and y.tolist()
        [20.0, 15.0]
        """
        refuse_places(places, self.request.text.source, self.operands)
        call = self.prepare(operands)
        given = None if out is None else memory_in(out, self.result, call.blank.shape, operands)
        steady = are_steady(self.slots, operands, self.request.text.coordinates)
        again = call.repetition(given) if steady else partial(self.run, operands, out)
        return Bound(again, self.request.text.source, partial(self.bind, out=out, **operands))

    def choose(self, /, **operands: Any) -> Kernel:
        """The kernel that runs when this one is called with some operands: itself, or the kernel of another finalist.

        Raises ExpressionError if an operand is missing, unknown or of another order.
        """
        operands |= coordinates_of(self.request.text, operands)
        if operands.keys() != self.names:
            raise operands_error(self.request.text.source, self.operands, operands)
        known = measurable(operands, self.request.ring)
        for slot in self.slots:
            slot.check_order(len(known[slot.name].shape))
        shapes = tuple(known[name].shape for name in self.operands)
        return self.other(known, Settled(shapes, *self.settle(shapes))) or self

    def assemble(self, /, **operands: Any) -> Tensor:
        """The structure of the result, its values not yet computed; in coordinates, if it is packed from them."""
        call = self.prepare(operands)
        found, read = call.assemble(), self.sparse(operands)
        if read is not None and all(map(is_fixed, read)):
            self.assembled.keep(found, Known(call.shapes, storage(read)))
        return found

    def sparse(self, operands: Mapping[str, Any]) -> list[Tensor] | None:
        """The sparse operands, if their structures determine that of the result; None where the values of a mask do so
        too, and where an operand is converted in each call."""
        mask = self.request.assignment.mask
        given = [operands[slot.name] for slot in self.slots if not slot.plain]
        follows = (mask is None or mask.structural) and all(isinstance(each, Tensor) for each in given)
        return given if follows else None

    def compute(self, structure: Tensor, /, **operands: Any) -> Tensor:
        """The result in a structure that `assemble` gave for operands of the same structure.

        Raises FormatError for a structure that is not that of the result.
        """
        call = self.prepare(operands)
        self.refuse_structure(structure, call, operands)
        vals = np.full(len(structure.vals), self.result.fill, self.result.dtype)
        made = Struct.of(structure)
        made.lend(vals)
        call.runner.run("compute", made, call.structs, self.target.tensor)
        vals.flags.writeable = False
        return call.runner.convert(dataclasses.replace(structure, vals=vals).mark_trusted())

    def refuse_structure(self, structure: object, call: Call, operands: Mapping[str, Any]) -> None:
        """Refuse what is not the structure of the result on operands: a kernel would write beyond it."""
        if isinstance(structure, Tensor):
            held = valid_tensor("the structure", structure)
            if Layout.of(structure) == self.result and structure.shape == call.blank.shape:
                known, read = self.assembled.of(structure), self.sparse(operands)
                follows = known is not None and read is not None and known.is_for(call.shapes, read)
                if self.is_given or follows or holds_the_same(held, call.assemble()):
                    return
        raise FormatError(
            f"{abbreviate(structure)} is not the structure of the result on these operands",
            hint="pass what assemble returned for them, or for others of the same structure",
            rule="code.phases",
        )

    def prepare(self, operands: Mapping[str, Any]) -> Call:
        """Operands as structs, checked against what was compiled and against one another."""
        if self.reads_coordinates:
            operands = {**operands, **coordinates_of(self.request.text, operands)}
        if operands.keys() != self.names:
            raise operands_error(self.request.text.source, self.operands, operands)
        shapes: list[tuple[int, ...]] = []
        structs: list[Struct] = []
        admitted: dict[str, Any] = {}
        for slot in self.slots:
            value = operands[slot.name]
            struct = self.held[slot.name].of(value) if isinstance(value, Tensor) else None
            if struct is None:
                value, struct = self.admit(slot, value)
            structs.append(struct)
            shapes.append(value.shape)
            admitted[slot.name] = value
        return self.ready(structs, tuple(shapes), admitted)

    def ready(self, structs: list[Struct], shapes: tuple[tuple[int, ...], ...], operands: Mapping[str, Any]) -> Call:
        """The call on operands that are what was compiled, of some shapes, converted if need be. Raises ExpressionError
        where these do not fit together, Unsupported for extents that are too large."""
        settled = self.settled
        if settled is None or settled.shapes != shapes:
            settled = self.settled = Settled(shapes, *self.settle(shapes))
        other = self.other(operands, settled)
        if other is not None:
            return other.ready(structs, shapes, operands)
        if settled.call is None:
            runner = self.runner_for(shapes, settled.extents)
            settled.call = runner, blank = runner, runner.blank(settled.shape)
            settled.fillings = self.fillings(shapes, blank.most) if blank.is_large else None
        if settled.fillings is not None:
            settled.fillings.refuse(self.arguments(operands, settled))
        runner, blank = settled.call
        if runner.conversions:
            structs = self.converter.read(runner.conversions, dict(zip(self.operands, structs, strict=True)), operands)
        return Call(runner, blank, structs, self.target.tensor, shapes)

    def arguments(self, operands: Mapping[str, Any], settled: Settled) -> Mapping[str, Any]:
        """Operands as the statement without a schedule reads them."""
        if not self.built.conversions:
            return operands
        if settled.conversions is None:
            settled.conversions = self.request.conversions(dict(zip(self.operands, settled.shapes, strict=True)))
        return self.converter.arguments(settled.conversions, operands)

    def fillings(self, shapes: Sequence[tuple[int, ...]], most: int) -> Fillings | None:
        """How a result of more than `most` coordinates is filled, on operands of some shapes."""
        from ...reference.statement.filling import find_fillings

        return find_fillings(self.program_for(shapes), most)

    def settle(self, shapes: Sequence[tuple[int, ...]]) -> tuple[tuple[int, ...], dict[str, int]]:
        """The shape of the result for operands of some shapes, and the extents of the variables."""
        extents: dict[str, int] = {}
        for n, mode, variable in self.places:
            if extents.setdefault(variable, shapes[n][mode]) != shapes[n][mode]:
                self.refuse_unequal(dict(zip(self.operands, shapes, strict=True)))
        self.refuse_wide(extents.values())
        return tuple([extents[v] for v in self.target.indices]), extents

    def runner_for(self, shapes: Sequence[tuple[int, ...]], extents: Mapping[str, int]) -> Runner:
        """The functions for operands of some shapes. Raises ScheduleError for more extents than can be counted to."""
        self.refuse_uncountable(extents, shapes)
        is_small = max(extents.values(), default=0) <= LARGEST
        usual = self.runners.usual if is_small else None
        return self.runners.of(dict(zip(self.operands, shapes, strict=True))) if usual is None else usual

    def other(self, operands: Mapping[str, Any], settled: Settled) -> Kernel | None:
        """The kernel by the schedule that is chosen for operands; None if it is this one."""
        choice = self.request.choice
        if choice is None or (self.built.depends and self.request.folds_nothing(settled.extents)):
            return None
        arguments = self.arguments(operands, settled)
        chosen = self.schedule_for(choice, arguments, settled) if choice.is_for(arguments) else self.request.schedule
        if chosen == self.request.schedule:
            return None
        if chosen not in self.others:
            self.others[chosen] = Kernel(replace(self.request, schedule=chosen, choice=None))
        return self.others[chosen]

    def schedule_for(self, choice: Choice, operands: Mapping[str, Any], settled: Settled) -> Schedule:
        """The schedule of least work for operands, of those that can count to their extents; kept while sizes stay."""
        sizes = self.sizes.of(choice.places, operands)
        if settled.chosen is None or settled.chosen[0] != sizes:
            found = choice.in_order(sizes)
            if prod(settled.extents.values()) > min(each.schedule.counts_to for each in found):
                from ...reference.schedule.branched.unasked import legal_ones

                found = legal_ones(found, self.program_for(settled.shapes)) or found
            settled.chosen = sizes, found[0].schedule
        return settled.chosen[1]

    def refuse_uncountable(self, extents: Mapping[str, int], shapes: Sequence[tuple[int, ...]]) -> None:
        """Refuse extents, not seen before, to whose combinations the schedule would have to count. Raises
        ScheduleError."""
        key = tuple(extents.values())
        if not self.request.schedule or key in self.countable or prod(key) <= self.request.schedule.counts_to:
            return
        from ...reference.schedule.application import apply_schedule

        apply_schedule(self.program_for(shapes), self.request.schedule)
        self.countable.add(key)

    def program_for(self, shapes: Sequence[tuple[int, ...]]) -> Program:
        """The program without a schedule, for operands of some shapes."""
        return self.request.lower(self.request.resolve(dict(zip(self.operands, shapes, strict=True))))

    def admit(self, slot: Slot, value: Any) -> tuple[Any, Struct]:
        """An operand and its struct. Raises an error if it is not what was compiled.

        Structs of tensors whose arrays somebody else may change are not kept: such tensors are checked at every call.
        """
        if isinstance(value, Coordinates):
            return value, slot.coordinates(value)
        if isinstance(value, np.ndarray) and slot.plain:
            return value, slot.array(value)
        tensor = valid_tensor(slot.name, slot.convert(value))
        slot.check(tensor, value)
        if slot.name == self.target.tensor and not tensor.sound:
            tensor = tensor.fill_gaps()
        struct = Struct.of(tensor)
        if is_lasting(tensor):
            self.held[slot.name].keep(tensor, struct)
            self.built.library.keep(struct)
        return tensor, struct

    def refuse_wide(self, extents: Iterable[int]) -> None:
        """Refuse extents that are too large for the indices of the result or of workspaces."""
        largest = max(extents, default=0)
        narrow = not self.request.wide or any(index == "int32" for _, _, index in self.result.index)
        if narrow and largest > WIDEST:
            raise Unsupported(
                f"an extent of {largest} does not fit in 32 bits, as the indices of this kernel have",
                hint='compile with a result of 64-bit indices, out=gn.spec(format, index="int64"), '
                "or for the operands themselves",
            )

    def refuse_unequal(self, shapes: Mapping[str, tuple[int, ...]]) -> NoReturn:
        """Refuse operands in which a variable has several extents, with the error that resolving the expression
        gives."""
        self.request.resolve(shapes)
        raise InternalError(f"the expression is resolved for operands of the shapes {shapes}")

    def __repr__(self) -> str:
        return f"<kernel {self.request.title}>"


def kernel_for(
    expression: str | Text,
    tensors: Mapping[str, Tensor],
    *,
    out: str | Format | Spec | None = None,
    semiring: str | Semiring | None = None,
    convert: str | None = None,
    schedule: str | Schedule | None = None,
    target: Target = "c",
) -> Kernel:
    """The kernel of an expression for tensors like these, with indices that reach as far as theirs."""
    refuse_convert(convert)
    ring, asked = semiring_or_none(semiring), as_schedule(schedule)
    text = as_text(expression).in_ring(ring)
    known: dict[str, Any] = {**as_tensors(tensors, ring), **coordinates_of(text, tensors)}
    layouts = {name: layout_for(name, each, len(each.shape), ring) for name, each in known.items()}
    shapes = {name: each.shape for name, each in known.items()}
    request = Request(text, layouts, out, semiring, convert, shapes=stand_ins(shapes), target=target)
    if request.shapes:
        request.resolve(shapes)
    return Kernel(by_schedule(request, asked, known))
