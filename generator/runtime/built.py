"""Libraries built for requests, kept in the cache and loaded.

Most kernels are only ever asked for whole results, so what assembles and computes one in two phases has a library of
its own, built when it is first called.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ...reference.errors import CompileError, HostError
from ...reference.notation.resolution import Resolved
from ..source import AT_ONCE, IN_PLACE
from . import cache
from .compiler import FLAGS
from .conversions import Conversion, as_note, parameters
from .garbage import without_collections
from .library import Library
from .note import Depends, Noted, read_note
from .nvcc import chosen_nvcc
from .request import Request, chosen_compiler
from .resident import DeviceLibrary

if TYPE_CHECKING:
    from ..ir.vocabulary import Purpose

NOTHING = "int evaluate(void) { return 0; }\n"


class Built(Struct, frozen=True):
    """A library of the cache, loaded, what its source depends on: extents of operands, by name and mode; and how
    operands are converted for it."""

    path: Path
    depends: Depends
    conversions: tuple[Conversion, ...]
    library: Library


def build(
    request: Request, resolved: Resolved, extents: Mapping[str, Any], purposes: Sequence[Purpose] = AT_ONCE
) -> Built:
    """The library for a resolved assignment with functions for some purposes, from the cache if it has been asked for
    before.

    One that cannot be loaded is built once more. Raises CompileError if it cannot be loaded then, HostError where none
    can.
    """
    key = cache.digest(request.key(extents), *purposes)
    needed = [purpose for purpose in purposes if purpose != IN_PLACE]
    found = read_note(cache.recall(key), request.declarations)
    kind = Library if request.target == "c" else DeviceLibrary
    for _ in range(2):
        noted = found or build_library(request, key, resolved, purposes)
        arity = 1 + len(parameters(tuple(request.declarations), noted.conversions))
        try:
            return Built(*noted, kind(noted.path, needed, [arity] * len(needed), (IN_PLACE,)))
        except (OSError, AttributeError) as error:
            found, reason = None, str(error)
            cache.unseal(noted.path)
    refuse_unloadable(request.tuning.flags)
    raise CompileError(f"the compiled kernel cannot be loaded: {reason}")


@without_collections()
def build_library(request: Request, key: str, resolved: Resolved, purposes: Sequence[Purpose]) -> Noted:
    """Build the library of a resolved assignment for some purposes, and note in the cache what there is to know of
    it."""
    from .sources import request_conversions, request_source

    source = request_source(request, resolved)
    conversions = request_conversions(request, source.program)
    modes = tuple(mode for mode in source.modes if mode in purposes)
    if request.target == "cuda":
        from ..device_source import generate_for_device

        path = cache.device_library(generate_for_device(source, modes=modes), chosen_nvcc())
    else:
        from ..kernel_source import generate

        path = cache.library(generate(source, modes=modes), chosen_compiler(), (*FLAGS, *request.tuning.flags))
    cache.remember(key, {"library": path.name, "depends": source.depends, "converted": as_note(conversions)})
    return Noted(path, source.depends, conversions)


def texts_of(request: Request) -> tuple[str, str]:
    """The texts of all functions of a request's kernel: C, and CUDA if it is for a GPU."""
    from .sources import request_source

    source = request_source(request, request.resolve_without_shapes())
    if request.target == "c":
        from ..kernel_source import generate

        return generate(source), ""
    from ..device_source import generate_for_device

    made = generate_for_device(source)
    return made.host, made.device


def refuse_unloadable(flags: Sequence[str]) -> None:
    """Build and load a library that holds next to nothing. Raises HostError if that fails."""
    path = cache.library(NOTHING, chosen_compiler(), (*FLAGS, *flags))
    try:
        Library(path, ["evaluate"], [0])
    except (OSError, AttributeError) as error:
        cache.unseal(path)
        raise HostError(
            f"compiled kernels cannot be loaded: {error}",
            hint="set CC to a compiler for this machine, GNOMON_CACHE to a folder that libraries can be loaded from",
        ) from None
