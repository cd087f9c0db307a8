"""C as Python calls it: the types of the tensor struct, memory for them, and the functions of libraries.

The types are made one by one, by the module that cffi itself makes types by. The parser of cffi could read the types
from the text of `gnomon.h`, but takes longer to load than a kernel to run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import _cffi_backend as backend
import numpy as np

FIELDS = 4
INT, INT64, UINT64 = map(backend.new_primitive_type, ("int", "int64_t", "uint64_t"))
KEPT = backend.RTLD_NOW | backend.RTLD_NODELETE
NOTHING, SECONDS = backend.new_void_type(), backend.new_primitive_type("double")


def pointer(to: Any) -> Any:
    """The type of pointers to a type."""
    return backend.new_pointer_type(to)


def row(of: Any, length: int | None = None) -> Any:
    """The type of arrays of a type; their length is given when one is made, if not here."""
    return backend.new_array_type(pointer(of), length)


def struct(name: str, fields: dict[str, Any]) -> Any:
    """The type of a struct with some fields."""
    made = backend.new_struct_type(name)
    backend.complete_struct_or_union(made, list(fields.items()))
    return made


CHAR = backend.new_primitive_type("char")
TEXT, ANYTHING, EXTENTS = pointer(CHAR), pointer(NOTHING), row(INT64)
LEVEL = struct(
    "gn_level",
    {
        "extent": INT64,
        "parameter": row(INT64, FIELDS),
        "array": row(ANYTHING, FIELDS),
        "length": row(INT64, FIELDS),
    },
)
LEVELS = row(LEVEL)
TENSOR = struct(
    "gn_tensor",
    {
        "shape": pointer(INT64),
        "level": pointer(LEVEL),
        "shared": row(ANYTHING, FIELDS),
        "shared_length": row(INT64, FIELDS),
        "vals": ANYTHING,
        "size": INT64,
    },
)
TENSORS = pointer(TENSOR)
BYTES = row(CHAR)


def new(type: Any, first: Any = None) -> Any:
    """Memory of an array type, or for what a pointer type points to, with contents or zeros."""
    return backend.newp(type, first)


def elements(array: np.ndarray) -> Any:
    """Where the elements of an array are, which live as long as this does."""
    return backend.from_buffer(BYTES, array, False)


def place_of(held: Any) -> Any:
    """Where something is, which does not keep it alive."""
    return backend.cast(ANYTHING, address_of(held))


def address_of(held: Any) -> int:
    """Where something is, as a number."""
    return int(backend.cast(UINT64, held))


def function_at(place: int, result: Any, parameters: Sequence[Any]) -> Callable[..., Any]:
    """The function of a type that is at a place."""
    found: Callable[..., Any] = backend.cast(backend.new_function_type(tuple(parameters), result, False), place)
    return found


def own(held: Any, free: Callable[[Any], object], size: int) -> Any:
    """Memory of some bytes, freed when nothing refers to it any more."""
    return backend.gcp(held, free, size)


def content(held: Any, size: int) -> Any:
    """So many bytes of memory, as a buffer."""
    return backend.buffer(held, size)


def string_at(held: Any) -> str:
    """A text that ends with a zero."""
    return str(backend.string(held).decode())


class Functions:
    """The functions of a library, or of what is loaded anyway. Raises OSError if the file is no library.

    A library stays to the end of the process: threads of OpenMP, and functions that somebody has found, outlive this.
    """

    def __init__(self, path: Path | None) -> None:
        self.lib = backend.load_library(None if path is None else str(path), KEPT)

    def find(self, name: str, result: Any, parameters: Sequence[Any]) -> Callable[..., Any]:
        """A function by its name and type; calling it releases the interpreter lock. Raises AttributeError if there
        is none."""
        found: Callable[..., Any] = self.lib.load_function(
            backend.new_function_type(tuple(parameters), result, False), name
        )
        return found
