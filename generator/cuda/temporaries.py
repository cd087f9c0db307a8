"""Temporaries: values of a whole tensor that each block, warp or thread has of its own, until they are combined.

    double *restrict y_own = &y_slices[blockIdx.x * i_dimension];
    for (int64_t p = threadIdx.x; p < i_dimension; p += 256)
        y_own[p] = 0.0;
    __syncthreads();
    for (int64_t block = blockIdx.x; block < block_end; block += gridDim.x) { … y_own[i] += … }
    __syncthreads();
    for (int64_t p = threadIdx.x; p < i_dimension; p += 256)
        atomicAdd(&y_vals[p], y_own[p]);

Those of a thread are an array of its own; those of warps lie in shared memory.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from ...reference.statement.statement import Assign
from ..assembly.output import Output
from ..ir import ir
from ..ir.ir import Code, Expr, Int, Name
from ..ir.writer import Writer
from ..scope.team import Group
from ..values.combining import combine_partial, start
from .atomics import atomically
from .collective import barrier, share
from .memory import Slices, room, slice_of


def own_values(output: Output, group: Group | None, slices: Slices) -> Output:
    """A plain output whose values a group of threads, or a thread, has of its own."""
    held, routine = output.held, output.frame.routine
    kind, count, name = held.store.type, held.positions(Writer()), routine.root.fresh(f"{output.name}_own")
    of_block = group is not None and group.scope == "block"
    if isinstance(count, Int) and not of_block:
        routine.region.add(*room(name, kind, count.value, group, routine))
    else:
        routine.region.add(slice_of(name, kind, count, slices, routine))
    return replace(output, held=replace(held, vals=Name(name)))


def begin(own: Output, leaf: Assign, group: Group | None, out: Writer) -> None:
    """Let values of one's own be those that nothing was combined with."""
    first = start(leaf, own.frame)
    out.add(*for_each(own, group, out, lambda p: (ir.Assign(ir.Element(own.held.vals, p), first),)))
    out.add(*(() if group is None else (barrier(group),)))


def end(own: Output, common: Output, leaf: Assign, group: Group | None, out: Writer) -> None:
    """Combine values of one's own with those that all have."""
    assert leaf.operator is not None
    operator, dtype, frame = leaf.operator.name, own.frame.facts.dtypes[own.name].name, own.frame

    def combine(p: Expr) -> Code:
        place, value = ir.Element(common.held.vals, p), ir.Element(own.held.vals, p)
        return tuple(atomically(s, operator, dtype) for s in combine_partial(place, value, leaf, frame))

    out.add(*(() if group is None else (barrier(group),)))
    out.add(*for_each(own, group, out, combine))


def for_each(own: Output, group: Group | None, out: Writer, body: Callable[[Expr], Code]) -> Code:
    """A loop over the positions of an output, shared out among a group."""
    p = Name(out.inner().fresh("p"), True)
    first, step = (ir.ZERO, Int(1)) if group is None else share(group, ir.ZERO)
    return (ir.For(p.name, first, own.held.positions(Writer()), body(p), step=step),)
