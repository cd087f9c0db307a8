"""Calling kernels: the functions of a library, and the errors that they report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from ...reference.errors import GnomonError, HostError, MeaningError, ScheduleError, StorageError
from .foreign import INT, TENSORS, Functions
from .structs import Struct
from .teams import leave_teams

Call = Callable[..., int]
OK, MEMORY, OVERFLOW, DIVISION = range(4)
MOST = 2**34


class Library:
    """A loaded library: its functions by name, of which it may lack optional ones. They take `Struct` pointers.

    Raises OSError if the file is no library, AttributeError if it lacks a function.
    """

    def __init__(self, path: Path, names: Sequence[str], arities: Sequence[int], optional: Sequence[str] = ()) -> None:
        self.functions = Functions(path)
        leave_teams(self.functions)
        self.found = {name: self.find(name, n) for name, n in zip(names, arities, strict=True)}
        for name, n in zip(optional, arities, strict=False):
            with suppress(AttributeError):
                self.found[name] = self.find(name, n)

    def find(self, name: str, arity: int) -> Call:
        """A function that takes that many tensors. Raises AttributeError if there is none."""
        return self.functions.find(name, INT, [TENSORS] * arity)

    def function(self, name: str) -> Call:
        """A function of the library; calling it releases the interpreter lock."""
        return self.found[name]

    def keep(self, struct: Struct) -> None:
        """An operand will be used again and again: nothing to do where its arrays are used as they are."""

    def has(self, name: str) -> bool:
        """Whether there is a function of a name."""
        return name in self.found


def complain(status: int, what: str) -> None:
    """Raise the error that a kernel reports."""
    match status:
        case 0:
            return
        case 1:
            raise StorageError(
                f"there is not enough memory for {what} with its workspaces and its copies on threads: "
                f"what is made beforehand may have {MOST} bytes an array, on all threads together",
                hint="run on fewer threads, ask for a sparse result, or name hashed workspaces in precompute",
                rule="code.status",
            )
        case 2:
            raise StorageError(
                f"{what} has more components than 32-bit positions can count",
                hint='ask for 64-bit indices: gn.spec(format, index="int64")',
                rule="code.width",
            )
        case 4:
            raise ScheduleError(
                f"a bound of the schedule for {what} does not hold",
                hint="give a bound that holds, or leave it out",
                rule="schedule.bound.requires",
            )
        case 5:
            raise MeaningError(
                f"integer overflow: a value on the way to {what} does not fit in its dtype",
                hint="give the operands or the result a wider dtype",
                rule="type.overflow",
            )
        case 3:
            raise MeaningError(
                "integer division by zero", hint="use / to divide in floating point", rule="type.overflow.division"
            )
        case _:
            raise device_error(status, what)


def device_error(status: int, what: str) -> GnomonError:
    """The error that a kernel reports of a GPU."""
    match status:
        case 6:
            return HostError(f"there is no GPU to compute {what} on", hint='use engine="c", or target="c"')
        case 7:
            return HostError(
                f"there is no GPU to compute {what} on: the driver is missing, or too old for the CUDA of the kernel",
                hint='use engine="c"; with a GPU, update its driver, or set NVCC to the nvcc of an older CUDA',
            )
        case 8:
            return HostError(
                "the kernel was built for GPUs of other architectures than this one",
                hint="set GNOMON_GPU to the compute capability of this GPU, for example 86",
            )
        case 9:
            return StorageError(
                f"{what} takes more blocks than a grid has, 2147483647",
                hint="split the loop over blocks into larger parts",
                rule="code.cuda.units",
            )
        case _:
            return HostError(
                f"the GPU has stopped while it computed {what}",
                hint="run the kernel under compute-sanitizer, and report what it says",
            )
