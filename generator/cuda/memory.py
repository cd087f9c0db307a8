"""Memory: where kernels keep workspaces. A workspace belongs to whoever runs the loops around it.

That of a thread is an array of its own; that of a block lies in shared memory, and so do those of warps, side by side.
One whose size is not constant lies in the memory of the device, a slice for each block, warp or thread of the grid:

    double *restrict w_vals = &w_vals_slices[blockIdx.x * j_dimension];

A kernel with slices has few blocks, so that all slices fit into memory.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from ...reference.errors import Unsupported
from ..assembly.form import ROOT
from ..assembly.growth import lengths
from ..assembly.initial import initialise
from ..assembly.output import Output
from ..assembly.outputs import Outputs
from ..assembly.variables import Variables
from ..ir import ir
from ..ir.grid import BLOCK, THREAD, THREADS
from ..ir.ir import INT, Cast, Code, Expr, Int, Name
from ..ir.routine import Routine
from ..ir.writer import Writer
from ..scope.coordinate_list import CoordinateList
from ..scope.team import Group
from .collective import cooperate, lead
from .listing import can_list, with_list

LARGEST_OWN, LARGEST_SHARED = 512, 48 << 10
"""The most values of an array of a thread, and the most bytes that the arrays of a block have in common."""
BYTES = {"bool": 1, "float": 4, "double": 8, "float complex": 8, "double complex": 16}
BYTES |= {f"{u}int{n}_t": n // 8 for u in ("", "u") for n in (8, 16, 32, 64)}


MOST_SLICED, MOST_SLICED_OF_WARPS, MOST_SLICED_OF_THREADS = 128, 32, 4
"""The most blocks of a grid of which each, each warp or each thread has slices of arrays on the device."""


class Slices(Struct, frozen=True):
    """Who has a slice of an array on the device: how many in each of at most so many blocks, and the number of who runs
    the code here."""

    most: int
    per_block: int
    number: Expr


def slices_for(owner: Group | None, threads: int) -> Slices:
    """The slices of groups of threads, or of each thread, in blocks of some threads."""
    block = Cast(INT, BLOCK)
    match owner:
        case None:
            return Slices(MOST_SLICED_OF_THREADS, threads, ir.add(ir.mul(block, THREADS), THREAD))
        case Group(scope="warp"):
            return Slices(MOST_SLICED_OF_WARPS, owner.warps, ir.add(ir.mul(block, Int(owner.warps)), owner.warp))
        case _:
            return Slices(MOST_SLICED, 1, block)


def place_workspaces(outputs: Outputs, names: Iterable[str], group: Group | None, slices: Slices) -> Outputs:
    """The outputs with some workspaces of a group of threads, or of a thread alone, which may have slices."""
    for name in names:
        if outputs.frame.facts.workspaces[name].shape:
            outputs = outputs.replace_outputs(place(outputs, name, group, slices))
    return outputs


def place(outputs: Outputs, name: str, group: Group | None, slices: Slices) -> Output:
    """A workspace in the memory of a kernel. Raises Unsupported for one whose size is not known there."""
    routine = outputs.frame.routine
    region, before = routine.region, len(routine.region.body)
    made = outputs.make(name, outputs.frame)
    routine.frees.clear()
    declared = region.body[before:]
    del region.body[before:]
    sizes = sizes_of(made.held, name)
    for s in declared:
        if not (isinstance(s, ir.Declare) and s.name in sizes):
            region.add(s)
            continue
        kind, length = sizes[s.name]
        if isinstance(length, Int):
            region.add(*room(s.name, kind, length.value, group, routine))
        else:
            region.add(slice_of(s.name, kind, length, slices, routine))
    if can_list(made.held) and not all(isinstance(length, Int) for _, length in sizes.values()):
        listed = list_of(made.held, group, slices, routine)
        made = with_list(made, listed)
        region.add(*lead(group, listed.start))
    start = region.inner()
    initialise(made.held, start)
    region.add(*(start.code if group is None else cooperate(start.code, group)))
    return made


def sizes_of(held: Variables, name: str) -> dict[str, tuple[str, Expr]]:
    """The types and lengths of the arrays of a workspace."""
    if held.form.heads or held.counts:
        raise Unsupported(
            f"the workspace {name} grows, as none can inside a kernel for a GPU",
            hint="name a dense workspace in precompute",
        )
    return {array.name: (kind, length) for array, (kind, length) in lengths(held, ROOT, ir.ONE, Writer()).items()}


def list_of(held: Variables, group: Group | None, slices: Slices, routine: Routine) -> CoordinateList:
    """Declare a list of what a workspace holds."""
    (bound,), stem, region = held.bounds, f"{held.form.name}1", routine.region
    coordinates, counter = Name(region.fresh(f"{stem}_crd")), Name(region.fresh(f"{stem}_count"))
    kind, size = bound.types["flag"], bound.one("size", (ir.ONE,), Writer())
    region.add(slice_of(coordinates.name, kind, size, slices, routine))
    region.add(*room(counter.name, INT, 1, group, routine))
    return CoordinateList(coordinates, counter, kind, group is not None)


def slice_of(name: str, kind: str, length: Expr, slices: Slices, routine: Routine) -> ir.Stmt:
    """Declare a slice of an array on the device."""
    every = routine.reserve(f"{name}_slices", kind, ir.mul(Int(slices.most * slices.per_block), length))
    routine.most_blocks = min(slices.most, routine.most_blocks or slices.most)
    own = ir.Unary("&", ir.Element(every, ir.mul(slices.number, length)))
    return ir.Declare(f"{kind} *restrict", name, own)


def room(name: str, kind: str, count: int, group: Group | None, routine: Routine) -> Code:
    """Declare an array of a workspace."""
    if group is None:
        if count > LARGEST_OWN:
            raise Unsupported(
                f"{name} has {count} values, too many for each thread of a GPU to have",
                hint=f"precompute at most {LARGEST_OWN} of them at a time",
            )
        return (ir.Declare(f"{kind}[{count}]", name),)
    several = group.warps if group.scope == "warp" else 1
    shared = name if several == 1 else routine.root.fresh(f"{name}_of_warps")
    made = ir.Shared(kind, shared, count * several)
    held = sum(BYTES[s.type] * s.count for s in (*routine.region.body, made) if isinstance(s, ir.Shared))
    if held > LARGEST_SHARED:
        raise Unsupported(
            f"{name} and what else the threads of a block share take {held} bytes, but there are {LARGEST_SHARED}",
            hint="precompute less at a time, or inside the loop over threads",
        )
    if several == 1:
        return (made,)
    own: Expr = ir.Unary("&", ir.Element(Name(shared), ir.mul(group.warp, Int(count))))
    return (made, ir.Declare(f"{kind} *restrict", name, own))
