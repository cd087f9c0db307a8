"""What a kernel returns (`gnomon.h`, `gnomon_cuda.h`), and the errors that this stands for."""

from __future__ import annotations

from enum import IntEnum

from ...reference.errors import GnomonError, HostError, InternalError, MeaningError, ScheduleError, StorageError

MOST = 2**34
"""The most bytes for an array that is made before anything is stored in it."""


class Status(IntEnum):
    """What a kernel returns; the last five, those for GPUs alone."""

    OK = 0
    MEMORY = 1
    OVERFLOW = 2
    DIVISION = 3
    BOUND = 4
    RANGE = 5
    NO_DEVICE = 6
    OLD_DRIVER = 7
    OTHER_DEVICE = 8
    GRID = 9
    LAUNCH = 10


def complain(status: int, what: str) -> None:
    """Raise the error that a kernel reports."""
    if status != Status.OK:
        raise error_of(Status(status), what)


def error_of(status: Status, what: str) -> GnomonError:
    """The error that a kernel reports while it computes something."""
    match status:
        case Status.OK:
            raise InternalError("nothing is wrong")
        case Status.MEMORY:
            return StorageError(
                f"there is not enough memory for {what} with its workspaces and its copies on threads: "
                f"what is made beforehand may have {MOST} bytes an array, on all threads together",
                hint="run on fewer threads, ask for a sparse result, name hashed workspaces in precompute, or pass "
                'convert="auto" if a workspace has all of the result',
                rule="code.status",
            )
        case Status.OVERFLOW:
            return StorageError(
                f"{what}, or a workspace for it, has more components than 32-bit positions can count",
                hint='ask for 64-bit indices: gn.spec(format, index="int64")',
                rule="code.width",
            )
        case Status.DIVISION:
            return MeaningError(
                "integer division by zero", hint="use / to divide in floating point", rule="type.overflow.division"
            )
        case Status.BOUND:
            return ScheduleError(
                f"a bound of the schedule for {what} does not hold",
                hint="give a bound that holds, or leave it out",
                rule="schedule.bound.requires",
            )
        case Status.RANGE:
            return MeaningError(
                f"integer overflow: a value on the way to {what} does not fit in its dtype",
                hint="give the operands or the result a wider dtype",
                rule="type.overflow",
            )
        case Status.NO_DEVICE:
            return HostError(f"there is no GPU to compute {what} on", hint='use engine="c", or target="c"')
        case Status.OLD_DRIVER:
            return HostError(
                f"there is no GPU to compute {what} on: the driver is missing, or too old for the CUDA of the kernel",
                hint='use engine="c"; with a GPU, update its driver, or set NVCC to the nvcc of an older CUDA',
            )
        case Status.OTHER_DEVICE:
            return HostError(
                "the kernel was built for GPUs of other architectures than this one",
                hint="set GNOMON_GPU to the compute capability of this GPU, for example 86",
            )
        case Status.GRID:
            return StorageError(
                f"{what} takes more blocks than a grid has, 2147483647",
                hint="split the loop over blocks into larger parts",
                rule="code.cuda.units",
            )
        case Status.LAUNCH:
            return HostError(
                f"the GPU has stopped while it computed {what}",
                hint="run the kernel under compute-sanitizer, and report what it says",
            )
