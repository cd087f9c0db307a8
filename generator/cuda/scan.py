"""Scans: counts in an array become the positions at which what they count begins, on one block of the device.

Before: `first[1 … count]` holds counts, and `first[0]` is 0. After: each place holds the sum of the counts up to it,
and `total` what all of them come to. The block takes as many counts at a time as it has threads:

    for (int64_t base = 0; base < count; base += 256) {
        … own = first[base + threadIdx.x + 1] …
        for (int64_t step = 0; step < 8; step++) {           own plus that of 1, 2, 4, … threads before
            const int64_t distance = 1 << step;
            sums[threadIdx.x] = own;
            __syncthreads();
            if (threadIdx.x >= distance)
                own += sums[threadIdx.x - distance];
            __syncthreads();
        }
        … first[base + threadIdx.x + 1] = carry + own …     and the sum of all goes to the next counts
    }
"""

from __future__ import annotations

from ..ir import ir, logic
from ..ir.grid import THREAD
from ..ir.ir import INT, Assign, Barrier, Binary, Declare, Element, Expr, For, If, Int, Kernel, Name, Shared
from .sizes import USUAL


def scan(name: str, first: Name, total: Name, count: Expr) -> Kernel:
    """The kernel that sums up so many counts, and stores their sum in a variable of the host."""
    sums, carry, own = Name("sums"), Name("carry", True), Name("own", True)
    base, n, step = Name("base", True), Name("n", True), Name("step", True)
    mine, place = Element(sums, THREAD), Element(first, ir.add(n, ir.ONE))
    there, distance = logic.compare("<", n, count), Name("distance", True)
    earlier = Element(sums, ir.sub(THREAD, distance))
    add = (
        Declare(f"const {INT}", distance.name, Binary("<<", ir.ONE, step)),
        Assign(mine, own),
        Barrier("block"),
        If(logic.compare(">=", THREAD, distance), (Assign(own, earlier, "+="),)),
        Barrier("block"),
    )
    round_ = (
        Declare(f"const {INT}", n.name, ir.add(base, THREAD)),
        Declare(INT, own.name, ir.ZERO),
        If(there, (Assign(own, place),)),
        For(step.name, ir.ZERO, Int((USUAL - 1).bit_length()), add),
        If(there, (Assign(place, ir.add(carry, own)),)),
        Assign(mine, own),
        Barrier("block"),
        Assign(carry, Element(sums, Int(USUAL - 1)), "+="),
        Barrier("block"),
    )
    return Kernel(
        name,
        ir.ONE,
        USUAL,
        (
            Shared(INT, sums.name, USUAL),
            Declare(INT, carry.name, ir.ZERO),
            For(base.name, ir.ZERO, count, round_, step=Int(USUAL)),
            If(logic.compare("==", THREAD, ir.ZERO), (Assign(Element(total, ir.ZERO), carry),)),
        ),
    )
