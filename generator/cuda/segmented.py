"""Segmented reduction: neighbouring lanes of a warp that have values of one component fold them (Senanayake 2020,
Figure 2e).

    const int64_t i_next = __shfl_sync(GN_WARP, i_mine, (threadIdx.x + 1) % 32);
    const int64_t i_before = __shfl_sync(GN_WARP, i_mine, (threadIdx.x + 31) % 32);
    bool further = threadIdx.x % 32 < 31 && i_mine == i_next;
    for (int64_t step = 0; step < 5; step++) {               lanes 1, 2, 4, 8, 16 further on
        const double ty_own_other = __shfl_sync(GN_WARP, ty_own, (threadIdx.x + (1 << step)) % 32);
        const bool further_other = __shfl_sync(GN_WARP, further, (threadIdx.x + (1 << step)) % 32);
        if (further) {
            ty_own += ty_own_other;
            further = further_other;
        }
    }
    if (i_mine >= 0 && (threadIdx.x % 32 == 0 || i_mine != i_before))
        …

After each step a lane has the fold of twice as many lanes, itself the first, as far as its segment goes; it is told by
`further` whether that goes on after them. What lies in one segment need not be all that the warp has of a component.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..ir import ir, logic
from ..ir.grid import THREAD
from ..ir.ir import BOOL, INT, Expr, Int, Name
from ..ir.writer import Writer
from .collective import Folded, first_lane

NOTHING = Int(-1)
"""The coordinate of a lane that has no value."""


def fold_segments(path: Sequence[Name], values: Sequence[Folded], lanes: int, out: Writer) -> Expr:
    """Fold what lanes of a warp of `lanes` lanes have in variables, in segments of lanes with the same coordinates,
    into what the first lane of the segment has. Whether a lane is the first of a segment whose lanes have values."""
    lane = ir.mod(THREAD, Int(lanes))
    after = [shuffle(name, f"{name.name}_next", Int(1), lanes, out) for name in path]
    before = [shuffle(name, f"{name.name}_before", Int(lanes - 1), lanes, out) for name in path]
    same = (logic.compare("==", *pair) for pair in zip(path, after, strict=True))
    further = out.declare(BOOL, "further", logic.both(logic.compare("<", lane, Int(lanes - 1)), *same))
    inner, joined = out.inner(), out.inner()
    step = Name(inner.fresh("step"), True)
    away = ir.Binary("<<", ir.ONE, step)
    for value in values:
        other = shuffle(value.own, f"{value.own.name}_other", away, lanes, inner, value.type)
        joined.add(*value.combine(value.own, other))
    later = shuffle(further, f"{further.name}_other", away, lanes, inner, BOOL)
    joined.add(ir.Assign(further, later))
    inner.add(ir.If(further, joined.code))
    out.add(ir.For(step.name, ir.ZERO, Int((lanes - 1).bit_length()), inner.code))
    differs = (logic.compare("!=", *pair) for pair in zip(path, before, strict=True))
    begins = logic.either(logic.compare("==", lane, ir.ZERO), *differs)
    return logic.both(logic.compare(">=", path[0], ir.ZERO), begins)


def shuffle(name: Name, stem: str, distance: Expr, lanes: int, out: Writer, type: str = INT) -> Name:
    """What a variable holds in the lane of this warp so far on, counted around."""
    lane = ir.add(first_lane(lanes), ir.mod(ir.add(THREAD, distance), Int(lanes)))
    return out.declare(f"const {type}", stem, ir.Shuffle("from", name, lane, lanes))
