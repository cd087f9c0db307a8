"""Collectives: what the threads of a group do together. A value that each has becomes their fold, which all have.

    for (int64_t step = 0; step < 5; step++) {               lanes 16, 8, 4, 2, 1 away
        const double other = __shfl_xor_sync(GN_WARP, ty_own, 16 >> step);
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
Flags are combined by `or`, for which lanes vote: `ty_present = __any_sync(GN_WARP, ty_present)`.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from ..ir import ir, logic
from ..ir.grid import THREAD
from ..ir.ir import LANES, Code, Expr, Int, Name
from ..ir.routine import Routine
from ..ir.writer import Writer
from ..scope.team import Group

Combine = Callable[[Expr, Expr], Code]
"""What combines a place with a value."""


class Folded(Struct, frozen=True):
    """A variable of which threads fold what each of them has: its type, what it starts from, and what combines two."""

    own: Name
    type: str
    start: Expr
    combine: Combine

    def fold_lanes(self, lanes: int, out: Writer) -> None:
        """Fold the values of the lanes of a warp of `lanes` lanes. Afterwards each lane holds the fold, combined in an
        order of the lane's own."""
        inner = out.inner()
        step = Name(inner.fresh("step"), True)
        away = ir.Binary(">>", Int(lanes // 2), step)
        shuffled = ir.Shuffle("xor", self.own, away, lanes)
        other = inner.declare(f"const {self.type}", f"{self.own.name}_other", shuffled)
        inner.add(*self.combine(self.own, other))
        out.add(ir.For(step.name, ir.ZERO, Int((lanes - 1).bit_length()), inner.code))

    def take_first(self, lanes: int, out: Writer) -> None:
        """Copy the value of the first lane of a warp of `lanes` lanes to all lanes."""
        out.add(ir.Assign(self.own, ir.Shuffle("from", self.own, first_lane(lanes), lanes)))


def first_lane(lanes: int) -> Expr:
    """The first lane of a thread's warp, of so many lanes, in the device's warp that it lies in."""
    return ir.ZERO if lanes == LANES else ir.sub(THREAD, ir.mod(THREAD, Int(lanes)))


class FoldedFlag(Folded, frozen=True):
    """A flag, of which it is folded whether any thread has set it."""

    def fold_lanes(self, lanes: int, out: Writer) -> None:
        """Have the lanes of a warp vote."""
        out.add(ir.Assign(self.own, ir.Vote(self.own, lanes)))

    def take_first(self, lanes: int, out: Writer) -> None:
        """A vote is the same for all."""


def fold(group: Group, folded: Folded, of_warps: bool, routine: Routine, out: Writer) -> None:
    """Fold what the threads of a group have in a variable, or its warps: all threads have the result there."""
    lanes = group.lanes if of_warps or group.scope == "warp" else LANES
    if not of_warps:
        folded.fold_lanes(lanes, out)
    if group.size > lanes:
        fold_warps(folded, replace(group, lanes=lanes), routine, out)
    elif not of_warps:
        folded.take_first(lanes, out)


def fold_warps(folded: Folded, group: Group, routine: Routine, out: Writer) -> None:
    """Fold what the first lanes of the warps of a block have in a variable: all threads have the result there."""
    own, shared = folded.own, Name(routine.root.fresh(f"{folded.own.name}_of_warps"))
    routine.region.add(ir.Shared(folded.type, shared.name, group.warps))
    first = logic.compare("==", ir.mod(THREAD, Int(group.lanes)), ir.ZERO)
    mine = ir.Element(shared, group.warp)
    out.add(ir.If(first, (ir.Assign(mine, own),)), ir.Barrier("block"), ir.Assign(own, folded.start))
    w = Name(out.inner().fresh("w"), True)
    out.add(ir.For(w.name, ir.ZERO, Int(group.warps), folded.combine(own, ir.Element(shared, w))), ir.Barrier("block"))


def share(group: Group, begin: Expr) -> tuple[Expr, Expr]:
    """The first iteration of a thread of a group that shares out a loop, and the step to its next one."""
    return ir.add(begin, group.rank), Int(group.size)


def barrier(group: Group) -> ir.Stmt:
    """What keeps a group together."""
    return ir.Barrier(group.scope, group.lanes)


def meet(group: Group | None) -> Code:
    """What keeps a group together, so that all see what one of its threads has stored; nothing for one thread."""
    return () if group is None else (barrier(group),)


def lead(group: Group | None, code: Code) -> Code:
    """What one thread of a group does for all of them."""
    return code if group is None else logic.conditional(group.leads, code)


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
