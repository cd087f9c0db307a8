"""Running a kernel on the machine: tensors as structs of C, a call, and the result as a tensor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
from msgspec import field

from ...generator.ir.vocabulary import Purpose
from ...generator.runtime.status import complain
from ...generator.source import IN_PLACE
from ...generator.storage.layout import SHARED, Layout, array_names, parameters
from ...reference.storage.format import interleaving
from ...reference.storage.tensor import Tensor
from .calls import perform
from .fault import Leak, OutOfBounds, TooLong, Uninitialised, Where, WrongType
from .frame import STATE
from .memory import UNSET, Address, lend, print_pointer, zero
from .program import Program, host_program, kernels, program
from .runtime import Host, Kernel
from .state import LIMIT, State
from .types import BOOL, LONG, Complex, Floating, Integer, Struct, Type, cells, member

CALLER = Where("the caller", 0, "")


class Conditions(msgspec.Struct, frozen=True):
    """A seed for what OpenMP and CUDA leave open, how many steps and allocations a kernel may make (None: any number),
    and how many devices there are."""

    seed: int = 0
    limit: int = LIMIT
    memory: int | None = None
    devices: int = 1


USUAL = Conditions()


class Machine(msgspec.Struct, frozen=True):
    """A kernel that is ready to run: its program, the layout of its result, the beginning of its functions' names."""

    program: Program
    result: Layout
    prefix: str = ""

    def evaluate(self, operands: Mapping[str, Tensor], shape: Sequence[int], under: Conditions = USUAL) -> Tensor:
        """The result on operands in the order of the kernel's parameters.

        Raises MachineError where the C goes wrong, and what the kernel reports.
        """
        return self.ran("evaluate", operands, tuple(shape), under)[0]

    def state(self, under: Conditions) -> State:
        """What a run begins with."""
        return State(under.seed, under.limit, under.memory)

    def ran(
        self,
        mode: Purpose,
        operands: Mapping[str, Tensor],
        shape: tuple[int, ...],
        under: Conditions = USUAL,
        structure: Tensor | None = None,
    ) -> tuple[Tensor, State]:
        """The result of one of the functions, in a `structure` that is there if that is given, or in the place of its
        previous contents; and the run's state."""
        call = Call(self, self.state(under))
        if mode == IN_PLACE:
            assert structure is not None
            target, structure = call.bind("the result", structure, writable=True, arrays=True), None
        else:
            target = call.target(shape, structure, UNSET if mode == "evaluate" else self.result.fill)
        call.perform(mode, [target, *[call.bind(name, tensor) for name, tensor in operands.items()]])
        return call.finish(target, shape, structure), call.state


def call(program: Program, name: str, args: Sequence[Any], state: State) -> Any:
    """What a function of a program returns. Raises MachineError."""
    function = program.functions[name]
    body = function.body(state.watched)
    frame: list[Any] = [UNSET] * body.slots
    frame[STATE] = state
    for (slot, home), arg in zip(body.parameters, args, strict=True):
        frame[slot] = arg if home is None else home.block(arg, state)
    try:
        return perform(function, body, frame, CALLER)
    except RecursionError:
        raise TooLong("expressions and calls nest too deeply", CALLER) from None


def refuse_leaks(state: State) -> None:
    """Raise Leak if memory is left that nobody gives back."""
    for block in state.heap:
        raise Leak(f"{block} is never given back", block.where)


class DeviceMachine(Machine, frozen=True):
    """A kernel in two texts: the program is the host's, which launches these."""

    kernels: Mapping[str, Kernel] = field(default_factory=dict)

    def state(self, under: Conditions) -> State:
        """What a run of the host begins with."""
        return Host(self.kernels, under.seed, under.limit, under.memory, under.devices)


class Call:
    """One call of a kernel."""

    def __init__(self, machine: Machine, state: State) -> None:
        self.machine, self.result, self.state = machine, machine.result, state
        self.types = machine.program.types.types
        self.where = CALLER

    @property
    def is_given(self) -> bool:
        """Whether the result stores nothing but its values, whose memory the caller provides."""
        return not array_names(self.result.format)

    def struct(self, name: str) -> Struct:
        """A struct of the header."""
        found = self.types[name]
        assert isinstance(found, Struct)
        return found

    def tensor(self, name: str, shape: Sequence[int], extents: Sequence[int], *, writable: bool) -> Address:
        """A tensor without arrays."""
        kind, level = self.struct("gn_tensor"), self.struct("gn_level")
        made = lend(name, kind, map(zero, cells(kind)), self.where, writable=writable)
        levels = lend(f"{name}->level", level, map(zero, cells(level) * len(extents)), self.where, writable=writable)
        for k, extent in enumerate(extents):
            levels[0].data[place(level, k, "extent")] = extent
        set_(made, "level", levels)
        set_(made, "shape", lend(f"{name}->shape", LONG, map(int, shape), self.where))
        return made

    def bind(self, name: str, tensor: Tensor, *, writable: bool = False, arrays: bool = False) -> Address:
        """A tensor with its arrays. The kernel may write to its struct, or to what the struct points to as well."""
        made = self.tensor(name, tensor.shape, tensor.extents, writable=writable)
        format, level = tensor.format, self.struct("gn_level")
        levels = get(made, "level")[0].data
        for k, kind in enumerate(format.levels):
            for n, array in enumerate(kind.arrays()):
                held = tensor.levels[k][array]
                assert isinstance(held, np.ndarray)
                levels[place(level, k, "array", n)] = self.array(f"{name}{k + 1}_{array}", held, writable=arrays)
                levels[place(level, k, "length", n)] = len(held)
            for n, parameter in enumerate(parameters(format, k)):
                levels[place(level, k, "parameter", n)] = int(tensor.levels[k][parameter])
        for n, array in enumerate(common(tensor.format)):
            set_(made, "shared", self.array(f"{name}_{array}", tensor.shared[array], writable=arrays), n)
            set_(made, "shared_length", len(tensor.shared[array]), n)
        set_(made, "vals", self.array(f"{name}_vals", tensor.vals, writable=arrays))
        set_(made, "size", len(tensor.vals))
        return made

    def array(self, name: str, held: np.ndarray, *, writable: bool = False) -> Address:
        """An array that the kernel may read, or write as well."""
        values = [int(v) for v in held] if held.dtype.kind in "b" else held.tolist()
        return lend(name, scalar(held.dtype), values, self.where, writable=writable)

    def target(self, shape: tuple[int, ...], structure: Tensor | None, first: Any) -> Address:
        """The struct for the result. `first` is what memory holds that the caller provides."""
        name, kind = "the result", scalar(self.result.dtype)
        if structure is not None:
            made = self.bind(name, structure, writable=True)
            fill = np.full(len(structure.vals), self.result.fill, self.result.dtype)
            set_(made, "vals", self.array(f"{name}_vals", fill, writable=True))
            return made
        extents = self.extents(shape)
        made = self.tensor(name, shape, extents, writable=True)
        if self.is_given:
            count = int(np.prod(extents, dtype=object)) if extents else 1
            set_(made, "vals", lend(f"{name}_vals", kind, [first] * count, self.where, writable=True))
            set_(made, "size", count)
        return made

    def extents(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """The extents of the result's level coordinates."""
        return tuple(0 if n is None else n for n in self.result.format.map.level_extents(shape))

    def perform(self, mode: str, structs: Sequence[Address]) -> None:
        """Call a function. Raises what it reports."""
        status = call(self.machine.program, self.machine.prefix + mode, structs, self.state)
        if status != 0:
            refuse_leaks(self.state)
        complain(status, "the result")

    def finish(self, made: Address, shape: tuple[int, ...], structure: Tensor | None) -> Tensor:
        """The tensor in a struct."""
        result = self.result
        if structure is not None:
            vals = self.read_array(made, get(made, "vals"), len(structure.vals), result.dtype)
            refuse_leaks(self.state)
            return Tensor(
                structure.format, structure.shape, vals.dtype, structure.fill, structure.levels, structure.shared,
                structure.extents, vals,
            )  # fmt: skip
        widths = {(k, name): np.dtype(index) for k, name, index in result.index}
        level, levels = self.struct("gn_level"), get(made, "level")[0].data
        found: list[dict[str, Any]] = []
        for k, kind in enumerate(result.format.levels):
            own: dict[str, Any] = {}
            for n, array in enumerate(kind.arrays()):
                there, length = levels[place(level, k, "array", n)], levels[place(level, k, "length", n)]
                own[array] = self.read_array(made, there, length, widths[k, array])
            for n, parameter in enumerate(parameters(result.format, k)):
                own[parameter] = levels[place(level, k, "parameter", n)]
            found.append(own | interleaving(result.format, k))
        shared = {
            array: self.read_array(made, get(made, "shared", n), get(made, "shared_length", n), widths[SHARED, array])
            for n, array in enumerate(common(result.format))
        }
        vals = self.read_array(made, get(made, "vals"), get(made, "size"), result.dtype)
        refuse_leaks(self.state)
        return Tensor(result.format, shape, result.dtype, result.fill, tuple(found), shared, self.extents(shape), vals)

    def read_array(self, made: Address, p: Address | None, length: int, dtype: np.dtype) -> np.ndarray:
        """An array that the kernel has left. All of a dense result must have been stored."""
        if p is None and length == 0:
            return np.zeros(0, dtype)
        if p is None or p[1] != 0 or p[0].ended is not None or length > len(p[0].data):
            raise OutOfBounds(
                f"an array of length {length} at {print_pointer(p)}", self.where if p is None else p[0].where
            )
        block = p[0]
        self.state.heap.pop(block, None)
        if block.type != scalar(dtype) and length:
            raise WrongType(f"{block} as an array of {scalar(dtype)}", block.where)
        if self.is_given and UNSET in block.data[:length]:
            raise Uninitialised(f"element {block.data.index(UNSET)} of {block}, which is the result", block.where)
        return np.array([self.garbage(dtype) if v is UNSET else v for v in block.data[:length]], dtype)

    def garbage(self, dtype: np.dtype) -> Any:
        """What a part of an array holds that the format gives no meaning to, where nothing has been stored."""
        kind = scalar(dtype)
        return self.state.random.randint(kind.low, kind.high) if isinstance(kind, Integer) else np.nan


def place(struct: Struct, k: int, name: str, n: int = 0) -> int:
    """The cell of a member, or of its element, in the struct with some number."""
    return k * len(cells(struct)) + member(struct, name)[0] + n


def set_(p: Address, name: str, value: Any, n: int = 0) -> None:
    """Store in a member of a struct."""
    assert isinstance(p[0].type, Struct)
    p[0].data[place(p[0].type, 0, name, n)] = value


def get(p: Address, name: str, n: int = 0) -> Any:
    """A member of a struct."""
    assert isinstance(p[0].type, Struct)
    return p[0].data[place(p[0].type, 0, name, n)]


def common(format: Any) -> list[str]:
    """The arrays of a format that belong to no level."""
    return [name for k, name in array_names(format) if k == SHARED]


def scalar(dtype: np.dtype) -> Type:
    """The type of C for a dtype."""
    match dtype.kind:
        case "b":
            return BOOL
        case "i" | "u":
            return Integer(8 * dtype.itemsize, dtype.kind == "i")
        case "f":
            return Floating(8 * dtype.itemsize)
        case _:
            return Complex(4 * dtype.itemsize)


def machine(text: str, result: Layout, prefix: str = "", defines: Mapping[str, str] | None = None) -> Machine:
    """The machine of a kernel's text; `defines` are macros that stand before the support header."""
    return Machine(program(text, defines=tuple(sorted((defines or {}).items()))), result, prefix)


def device_machine(host: str, device: str, result: Layout, prefix: str = "") -> DeviceMachine:
    """The machine of a kernel's two texts."""
    return DeviceMachine(host_program(host), result, prefix, kernels(device))
