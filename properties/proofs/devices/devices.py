"""Obligations on kernels for GPUs: those of collectives, and of each golden kernel."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache, partial
from itertools import chain

from ....generator.cuda.text import Parts, Texts, print_parts
from ....generator.device_source import functions_for_device
from ....generator.ir import ir
from ....generator.kernel_source import heading
from ....generator.runtime.sources import request_source
from ...programs.kernels import ON_DEVICES, request_on_device
from ..c.c_launches import parse_both
from ..c.c_tree import Kernel
from ..obligation import Obligation
from ..verdict import Bounded, Proved, Unknown, Verdict, together
from .accesses import accesses
from .collectives import folds_are_whole, scan_is_whole
from .fills import agreement
from .launches import launches_fit, statements, strides_fit
from .lists import hold_each_once
from .noting import misuses
from .races import Grid, races
from .segments import segments_are_whole
from .sorts import pairs_are_apart
from .uniformity import uniform

MEETING = (
    *("dot", "spmv_blocks", "spmv_warps", "spmv_lanes", "spmv_segments", "spmm_nonzeros"),
    *("sddmm_nonzeros", "sddmm_rows", "sddmm_pieces"),
    *("mul_rows", "add_rows"),
    *("scale_unordered", "scale_fibers", "spgemm_rows", "spgemm_blocks", "spgemm_lists"),
)
"""The golden kernels whose threads meet."""
FILLING = (
    *("sddmm_rows", "sddmm_pieces", "mul_rows", "add_rows", "scale_unordered", "scale_fibers"),
    *("spgemm_rows", "spgemm_lists"),
)
"""The golden kernels that count what their iterations append."""
LISTING = ("spgemm_rows", "spgemm_blocks", "spgemm_lists")
"""The golden kernels that note coordinates in lists."""
BOUNDS = re.compile(r"__launch_bounds__\((\d+)\)")


def obligations() -> Iterator[Obligation]:
    """The obligations, in the order of the chapter."""
    yield Obligation(
        "devices.folds",
        "After a fold over a block of any number of warps all threads have each contribution once.",
        folds_are_whole,
        ("code.cuda.races",),
        slow=True,
    )
    yield Obligation(
        "devices.segments",
        "After a segmented fold the first lane of each segment, and no other one, has the sum of the segment.",
        segments_are_whole,
        ("code.cuda.segments",),
        slow=True,
    )
    yield Obligation(
        "devices.scan", "After a scan each thread has the counts up to its own.", scan_is_whole, ("code.cuda.sparse",)
    )
    yield Obligation(
        "devices.lists",
        "Whatever the order of threads that note coordinates, a list holds each once, at a place below the extent.",
        hold_each_once,
        ("code.cuda.lists",),
    )
    yield Obligation(
        "devices.sorts",
        "Pairs of numbers that threads exchange in one step of a sort have no place in common.",
        pairs_are_apart,
        ("code.cuda.lists",),
    )
    for word, names, said, prove, rule in CLAIMS:
        for name in names:
            slow = prove in (is_inside, is_free_of_races)
            yield Obligation(f"devices.{name}.{word}", said.format(name), partial(prove, name), (rule,), slow=slow)


@cache
def parts_of(name: str) -> Parts:
    """The functions of a golden kernel."""
    request = request_on_device(name)
    return functions_for_device(request_source(request, request.resolve_without_shapes()))


@cache
def texts_of(name: str) -> Texts:
    """The two texts of a golden kernel."""
    request = request_on_device(name)
    return print_parts(heading(request_source(request, request.resolve_without_shapes())), parts_of(name))


@cache
def read_texts(name: str) -> Kernel:
    """The functions of a golden kernel, read from its two texts."""
    made = texts_of(name)
    return parse_both(made.host, made.device)


def threads_of(kernel: ir.Function) -> int:
    """The threads of the blocks of a kernel."""
    found = BOUNDS.search(kernel.type)
    assert found is not None
    return int(found[1])


def fills_counts(name: str) -> Verdict:
    """Whether iterations of a golden kernel fill what they have counted."""
    return agreement(read_texts(name))


def is_inside(name: str) -> Verdict:
    """Whether every access of a golden kernel is within its array."""
    return accesses(request_on_device(name)).verdict


def is_free_of_races(name: str) -> Verdict:
    """Whether threads of a golden kernel race nowhere, whatever barriers order."""
    parts, request = parts_of(name), request_on_device(name)
    layouts = request_source(request, request.resolve_without_shapes()).layouts
    formats = {tensor: layout.format for tensor, layout in layouts.items()}
    found = [v for kernel in parts.kernels for v in races(kernel, grid_of(kernel, parts.host), formats)]
    unproved = [v.reason for v in found if isinstance(v, Unknown)]
    if not unproved:
        return Proved()
    whole = f"{len(found) - len(unproved)} of {len(found)} pairs of accesses proved"
    return Bounded(f"{whole}; of the rest it is not known, first {unproved[0]}")


def grid_of(kernel: ir.Function, host: Iterable[ir.Function]) -> Grid:
    """The grid that the host launches a kernel with."""
    launched = [s for f in host for s in statements(f.body) if isinstance(s, ir.Launch) and s.name == kernel.name]
    return Grid(threads_of(kernel), all(s.blocks == ir.ONE for s in launched))


def is_uniform(name: str) -> Verdict:
    """Whether control around the barriers of a golden kernel is uniform."""
    return together(v for kernel in parts_of(name).kernels for v in uniform(kernel, threads_of(kernel)))


def takes_steps(name: str) -> Verdict:
    """Whether a golden kernel does to its lists of coordinates what threads may do to them."""
    wrong = [what for kernel in parts_of(name).kernels for what in misuses(kernel, threads_of(kernel))]
    return Unknown(wrong[0]) if wrong else Proved()


def is_launched(name: str) -> Verdict:
    """Whether the arithmetic of the launches of a golden kernel fits in 64 bits."""
    parts = parts_of(name)
    grids = (v for f in parts.host for v in launches_fit(f))
    steps = (v for kernel in parts.kernels for v in strides_fit(kernel, threads_of(kernel)))
    return together(chain(grids, steps))


CLAIMS: tuple[tuple[str, Collection[str], str, Callable[[str], Verdict], str], ...] = (
    (
        "uniform",
        MEETING,
        "All threads that must meet at a barrier of the golden kernel {}, or at a shuffle, come to it.",
        is_uniform,
        "code.cuda.units",
    ),
    (
        "launches",
        ON_DEVICES,
        "What the golden kernel {} launches is counted without overflow, and so are the steps of its threads.",
        is_launched,
        "code.cuda.units",
    ),
    (
        "fills",
        FILLING,
        "Iterations of the golden kernel {} fill what they have counted, where counts before them lead to.",
        fills_counts,
        "code.cuda.sparse",
    ),
    (
        "notes",
        LISTING,
        "The golden kernel {} notes and forgets coordinates in lists by the steps of `devices.lists` alone.",
        takes_steps,
        "code.cuda.lists",
    ),
    (
        "accesses",
        ON_DEVICES,
        "Every access of the golden kernel {}, on the host and in any thread on a GPU, is within its array.",
        is_inside,
        "code.cuda.memory",
    ),
    (
        "races",
        ON_DEVICES,
        "Between barriers, threads of the golden kernel {} meet in an array by atomic operations or to read.",
        is_free_of_races,
        "code.cuda.races",
    ),
)
"""What is claimed of golden kernels: a word, the kernels, the claim with their name, the proof and the rule."""
