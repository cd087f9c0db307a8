"""Text: a kernel library as two texts, one of C for the host, one of CUDA for the device."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ..ir import emission, ir, traversal
from ..ir.ir import Call, Code, For, Function
from ..ir.limits import hoist_limits
from ..ir.parameters import mark_unused
from ..ir.verifier import verify
from .atomics import spell_atomics
from .complex import includes, spell_complex
from .fills import fill_on_device
from .outlining import expressions_of, outline
from .residence import reside
from .structure import without_jumps


class Texts(Struct, frozen=True):
    """The text of the host and that of the device."""

    host: str
    device: str


class Parts(Struct, frozen=True):
    """The functions of the host, and those of the device; helpers come first."""

    host: tuple[Function, ...]
    device: tuple[Function, ...]
    kernels: tuple[Function, ...]


def split(helpers: Sequence[Function], functions: Sequence[Function]) -> Parts:
    """The functions of a library, some of which launch kernels, by where they run, verified."""
    outlined = outline([fill_on_device(f) for f in functions])
    kernels = tuple(hoist_limits(replace(f, body=without_jumps(f.body))) for f in outlined.kernels)
    host = tuple(hoist_limits(mark_unused(reside(f, kernels))) for f in outlined.host)
    spelled = tuple(spell_atomics(unroll_loops(f)) for f in kernels)
    verify((*host, *spelled))
    return Parts(
        (*(replace(f, type=f"static inline {f.type}") for f in helpers_of(helpers, host)), *host),
        tuple(replace(f, type=f"static __device__ inline {f.type}") for f in helpers_of(helpers, spelled)),
        spelled,
    )


def print_parts(heading: str, parts: Parts) -> Texts:
    """The two texts, each under a heading."""
    prototypes = "".join(emission.prototype(replace(k, type="void")) for k in parts.kernels)
    host = "\n".join(text for text in (prototypes, emission.text(parts.host)) if text)
    device = emission.text((*parts.device, *parts.kernels)).replace(" restrict ", " __restrict__ ")
    device = re.sub(r"GN_KERNEL (__launch_bounds__\(\d+\)) void", r"GN_KERNEL void \1", device)
    device = spell_complex(device)
    return Texts(
        f'{heading}\n#include "gnomon_cuda.h"\n\n{host}',
        f"{heading}\n{includes(device)}\n{device}",
    )


def helpers_of(helpers: Sequence[Function], functions: Sequence[Function]) -> list[Function]:
    """The helpers that functions call, or helpers that they call."""
    known, found = {f.name: f for f in helpers}, dict[str, Function]()
    waiting = [name for f in functions for name in calls(f.body)]
    while waiting:
        name = waiting.pop()
        if name in known and name not in found:
            found[name] = known[name]
            waiting += calls(known[name].body)
    return [f for f in helpers if f.name in found]


def calls(code: Code) -> Iterator[str]:
    """The functions that some code calls."""
    for s in traversal.statements(code):
        terms = (term for e in expressions_of(s) for term in traversal.subterms(e))
        yield from (term.function for term in terms if isinstance(term, Call))


def unroll_loops(f: Function) -> Function:
    """A kernel whose loops are unrolled by nvcc's own directive."""
    return replace(f, body=tuple(map(unroll, f.body)))


def unroll(s: ir.Stmt) -> ir.Stmt:
    """A statement whose loops are unrolled by nvcc's own directive."""
    changed = traversal.change_blocks(s, lambda code: tuple(map(unroll, code)))
    if not isinstance(changed, For):
        return changed
    return replace(changed, unroll=1, pragma=None if changed.unroll == 1 else f"unroll {changed.unroll}")
