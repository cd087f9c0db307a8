"""The source of a kernel whose loops run on a GPU: one text of C for the host, one of CUDA for the device."""

from __future__ import annotations

from msgspec.structs import replace

from .cuda.text import Parts, Texts, print_parts, split
from .ir.ir import Function
from .ir.simplify import simplify
from .ir.vocabulary import Purpose
from .kernel_source import heading, too_deep, write_function
from .source import MODES, Source
from .statements.single import DeviceStatements


def generate_for_device(source: Source, prefix: str = "", modes: tuple[Purpose, ...] = MODES) -> Texts:
    """The texts of a kernel whose loops run on a GPU, its functions named with a prefix. Raises CompileError where
    expressions are nested too deeply."""
    try:
        return print_parts(heading(source), functions_for_device(source, prefix, modes))
    except RecursionError:
        raise too_deep() from None


def functions_for_device(source: Source, prefix: str = "", modes: tuple[Purpose, ...] = MODES) -> Parts:
    """The functions of a kernel whose loops run on a GPU, by where they run."""
    shared: dict[str, Function] = {}
    own = [write_function(source, mode, prefix, shared, DeviceStatements) for mode in modes]
    helpers, functions = ([replace(f, body=simplify(f.body)) for f in each] for each in (shared.values(), own))
    return split(helpers, functions)
