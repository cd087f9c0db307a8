"""Collectives: what the threads of a group do together. A value that each has becomes their fold, which all have.

    for (int64_t step = 0; step < 5; step++) {               lanes 16, 8, 4, 2, 1 further on
        const double other = __shfl_down_sync(GN_WARP, ty_own, 16 >> step);
        ty_own += other;
    }
    if (threadIdx.x % 32 == 0)                               and in a block of several warps
        ty_warps[threadIdx.x / 32] = ty_own;
    __syncthreads();
    ty_own = 0.0;
    for (int64_t w = 0; w < 8; w++)
        ty_own += ty_warps[w];
    __syncthreads();

The order is another one than that of a loop: operators that fold are associative and commutative by declaration.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ..assembly.initial import reset
from ..assembly.variables import Variables
from ..ir import ir, logic
from ..ir.grid import LANES, THREAD
from ..ir.ir import Code, Expr, Int, Name
from ..ir.routine import Routine
from ..ir.writer import Writer
from ..scope.team import Group

Combine = Callable[[Expr, Expr], Code]
"""What combines a place with a value."""


@dataclass(frozen=True)
class Folded:
    """A variable of which threads fold what each of them has: its type, what it starts from, and what combines two."""

    own: Name
    type: str
    start: Expr
    combine: Combine


def fold(group: Group, folded: Folded, of_warps: bool, routine: Routine, out: Writer) -> None:
    """Fold what the threads of a group have in a variable, or its warps: all threads have the result there."""
    if not of_warps:
        fold_lanes(folded, out)
    warps = group.size // LANES
    if warps > 1:
        fold_warps(folded, warps, routine, out)
    elif not of_warps:
        out.add(ir.Assign(folded.own, ir.Shuffle("from", folded.own, ir.ZERO)))


def fold_lanes(folded: Folded, out: Writer) -> None:
    """Fold what the lanes of a warp have in a variable; the first of them has the result there."""
    inner, own = out.inner(), folded.own
    step = Name(inner.fresh("step"), True)
    distance = ir.Binary(">>", Int(LANES // 2), step)
    other = inner.declare(f"const {folded.type}", f"{own.name}_other", ir.Shuffle("down", own, distance))
    inner.add(*folded.combine(own, other))
    out.add(ir.For(step.name, ir.ZERO, Int((LANES - 1).bit_length()), inner.code))


def fold_warps(folded: Folded, warps: int, routine: Routine, out: Writer) -> None:
    """Fold what the first lanes of the warps of a block have in a variable: all threads have the result there."""
    own, shared = folded.own, Name(routine.root.fresh(f"{folded.own.name}_of_warps"))
    routine.region.add(ir.Shared(folded.type, shared.name, warps))
    first = logic.compare("==", ir.mod(THREAD, Int(LANES)), ir.ZERO)
    mine = ir.Element(shared, ir.floordiv(THREAD, Int(LANES)))
    out.add(ir.If(first, (ir.Assign(mine, own),)), ir.Barrier("block"), ir.Assign(own, folded.start))
    w = Name(out.inner().fresh("w"), True)
    out.add(ir.For(w.name, ir.ZERO, Int(warps), folded.combine(own, ir.Element(shared, w))), ir.Barrier("block"))


def share(group: Group, begin: Expr) -> tuple[Expr, Expr]:
    """The first iteration of a thread of a group that shares out a loop, and the step to its next one."""
    return ir.add(begin, group.rank), Int(group.size)


def barrier(group: Group) -> ir.Stmt:
    """What keeps a group together."""
    return ir.Barrier(group.scope)


def meet(group: Group | None) -> Code:
    """What keeps a group together, so that all see what one of its threads has stored; nothing for one thread."""
    return () if group is None else (barrier(group),)


def clear(held: Variables, group: Group | None, out: Writer) -> None:
    """Forget everything stored in a workspace of a group, or of one thread."""
    inner = out.inner()
    reset(held, inner)
    out.add(*(inner.code if group is None else cooperate(inner.code, group)))


def cooperate(code: Code, group: Group) -> Code:
    """What sets elements of arrays one after another, shared out among the threads of a group, which wait for it."""
    shared = (cooperate_on(s, group) for s in code)
    return (*shared, barrier(group)) if code else ()


def cooperate_on(s: ir.Stmt, group: Group) -> ir.Stmt:
    """A loop over elements shared out; what is no such loop the first thread does."""
    match s:
        case ir.For(name=name, begin=begin, body=body) if all(sets_own(each, name) for each in body):
            first, step = share(group, begin)
            return replace(s, begin=first, step=step)
        case _:
            return ir.If(group.leads, (s,))


def sets_own(s: ir.Stmt, counter: str) -> bool:
    """Whether a statement sets the element of an array at a counter."""
    match s:
        case ir.Assign(target=ir.Element(index=Name(name=index)), operator="="):
            return index == counter
        case _:
            return False
