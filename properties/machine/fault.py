"""What the machine finds: one error for each way in which C may go wrong, with the line and the values."""

from __future__ import annotations

from msgspec import Struct

from ...reference.errors import GnomonError


class Where(Struct, frozen=True):
    """A line of C: its file, its number, its text."""

    file: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"line {self.line} of {self.file}: {self.text}"


class MachineError(GnomonError):
    """C that has no meaning, or not the one that was meant: what went wrong, and the line where it did."""

    def __init__(self, what: str, where: Where) -> None:
        super().__init__(f"{what}, in {where}")
        self.what, self.file, self.line, self.text = what, where.file, where.line, where.text


class OutOfBounds(MachineError):
    """An access outside a block of memory."""


class Uninitialised(MachineError):
    """A use of memory or of a variable that nothing has been stored in."""


class WriteToInput(MachineError):
    """A write to memory that was lent for reading."""


class UseAfterFree(MachineError):
    """An access to memory that has been given back, or to a variable whose block has ended."""


class DoubleFree(MachineError):
    """Memory that is given back twice."""


class BadFree(MachineError):
    """Giving back what was not allocated, or a pointer into the middle of it."""


class Leak(MachineError):
    """Memory that nobody gives back."""


class Overflow(MachineError):
    """A signed integer that does not fit its type."""


class BadShift(MachineError):
    """A shift by a negative number, by too many bits, or of what it does not leave representable."""


class DivisionByZero(MachineError):
    """An integer divided by zero."""


class BadConversion(MachineError):
    """A floating-point number that no integer of the type asked for equals, rounded to zero."""


class Narrowed(MachineError):
    """An integer that loses its value in a narrower signed type."""


class BadPointer(MachineError):
    """Pointer arithmetic that leaves its block, or that relates pointers into different ones."""


class NullPointer(MachineError):
    """An access through a null pointer."""


class WrongMemory(MachineError):
    """The host in memory of a device, or a kernel in memory of the host."""


class WrongType(MachineError):
    """Memory that is taken for another type than it holds."""


class Race(MachineError):
    """Two threads, or two lanes, at one place without order, one of them writing."""


class BadTeam(MachineError):
    """Threads that do not meet where they must: at a shared loop, at the end of a region, at a barrier, in a warp."""


class NoReturn(MachineError):
    """A function that ends without the value that it promises."""


class TooLong(MachineError):
    """More steps, or deeper calls, than were allowed: a loop that does not end."""
