"""Insertion on the device: results that are hash tables, or have flags above others, in two kernels.

A kernel inserts the coordinates that the loops come to, or sets their flags. Where a level was crowded the host widens
it, as for kernels of the CPU, and launches the kernel again: what is there is found then. Another kernel computes the
values, all of which have their places, so that nothing needs to be done over that cannot be:

    C2_crowded = true;
    while (C2_crowded) {
        C2_crowded = false;
        gn_launch(evaluate_insert_i, …);                    claims.py
        if (C2_crowded) { status = C2_widen(&C2_crd, …); }
    }
    gn_launch(evaluate_i, …);                               C_vals[pC2] += …
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from ...reference.levels.level import Level, Widen
from ...reference.storage.assemblable import flags_alone
from ..assembly.output import Output
from ..assembly.outputs import Outputs
from ..assembly.widening import widen_level
from ..ir import ir, logic
from ..ir.ir import BOOL, Assign, Name
from ..ir.writer import Writer
from .claims import Claims

WriteKernel = Callable[[Outputs, str, Writer], None]
"""What writes a kernel that fills some outputs; its name begins with a word."""


def shares_places(levels: Sequence[Level]) -> bool:
    """Whether threads can insert into levels, and come to one place for different components: in a hash table, or where
    a level above the last keeps which of its coordinates are there."""
    if not flags_alone([level for level in levels if not isinstance(level, Widen)]):
        return False
    return any(isinstance(level, Widen) for level in levels) or not all(level.full for level in levels[:-1])


def write_kernels(outputs: Outputs, names: Iterable[str], write: WriteKernel, out: Writer) -> None:
    """Write the kernel of what fills some tensors, and one before it if any of them is inserted into."""
    filled = (output for name in names if (output := outputs.find(name)) is not None)
    inserted = [output for output in filled if shares_places(output.levels)]
    if not inserted:
        write(outputs, "", out)
        return
    frame = outputs.frame
    fresh = [output for output in inserted if output.form.fresh]
    if fresh:
        claimed = [claims(output) for output in fresh]
        structural = replace(frame, purpose="assemble")
        seen = replace(outputs.replace_outputs(*claimed), frame=structural)
        again = [name for each in claimed for name in each.crowded.values()]
        inner = out.inner() if again else out
        inner.add(*(Assign(name, ir.FALSE) for name in again))
        write(seen, "insert_", inner)
        for each in claimed:
            widen(each, inner)
        if again:
            out.add(*(Assign(name, ir.TRUE) for name in again), ir.While(logic.either(*again), inner.code))
    if not frame.is_structural:
        found = [replace(each, held=replace(each.held, form=replace(each.form, fresh=False))) for each in inserted]
        write(outputs.replace_outputs(*found), "", out)


def claims(output: Output) -> Claims:
    """A tensor as threads insert into it."""
    routine = output.frame.routine
    crowded: dict[int, Name] = {}
    for k, level in enumerate(output.levels):
        if isinstance(level, Widen):
            crowded[k] = routine.region.declare(BOOL, f"{output.name}{k + 1}_crowded", ir.FALSE)
    return Claims(output.frame, output.held, output.widenings, crowded=crowded)


def widen(output: Claims, out: Writer) -> None:
    """Widen the levels that were crowded."""
    routine = output.frame.routine
    for k, name in output.crowded.items():
        inner = out.inner()
        widen_level(output.held, k, output.widenings, routine, inner)
        out.add(*logic.conditional(name, inner.code))
