"""Scans: counts in an array become the positions at which what they count begins, on the device.

Before: `first[1 … count]` holds counts, and `first[0]` is 0. After: each place holds the sum of the counts up to it,
and `total` what all of them come to. Three kernels do that. Blocks sum up counts, each as many as it has threads; one
block sums up what these came to; and each block adds what those before it came to:

    const int64_t n = blockIdx.x * 256 + threadIdx.x;
    … own = first[n + 1] …
    for (int64_t step = 0; step < 8; step++) {               own plus that of 1, 2, 4, … threads before
        const int64_t distance = 1 << step;
        sums[threadIdx.x] = own;
        __syncthreads();
        if (threadIdx.x >= distance)
            own += sums[threadIdx.x - distance];
        __syncthreads();
    }
    … first[n + 1] = own …                                   the last thread: reached[blockIdx.x] = own

    … reached[n] becomes the sum up to it …

    … first[n + 1] += reached[blockIdx.x - 1] …
"""

from __future__ import annotations

from ..ir import ir, logic
from ..ir.grid import BLOCK, THREAD
from ..ir.ir import INT, Assign, Barrier, Binary, Cast, Code, Declare, Element, Expr, For, If, Int, Kernel, Name, Shared
from .sizes import USUAL

SUMS, CARRY, OWN, N = Name("sums"), Name("carry", True), Name("own", True), Name("n", True)
MINE = Element(SUMS, THREAD)


def parts_of(count: Expr) -> Expr:
    """How many blocks sum up so many counts."""
    return ir.floordiv(ir.add(count, Int(USUAL - 1)), Int(USUAL))


def scan_parts(name: str, first: Name, reached: Name, count: Expr) -> Kernel:
    """The first kernel of a scan of `count` counts: each block sums up 256, and stores the total in `reached`."""
    place, last = Element(first, ir.add(N, ir.ONE)), logic.compare("==", THREAD, Int(USUAL - 1))
    body = (
        Shared(INT, SUMS.name, USUAL),
        own_number(),
        *sum_up(place, count),
        If(logic.compare("<", N, count), (Assign(place, OWN),)),
        If(last, (Assign(Element(reached, Cast(INT, BLOCK)), OWN),)),
    )
    return Kernel(name, parts_of(count), USUAL, body)


def scan_reached(name: str, reached: Name, count: Expr) -> Kernel:
    """The second kernel of a scan of `count` counts: one block sums up the totals in `reached`."""
    base, blocks, place = Name("base", True), parts_of(count), Element(reached, N)
    round_ = (
        Declare(f"const {INT}", N.name, ir.add(base, THREAD)),
        *sum_up(place, blocks),
        If(logic.compare("<", N, blocks), (Assign(place, ir.add(CARRY, OWN)),)),
        Assign(MINE, OWN),
        Barrier("block"),
        Assign(CARRY, Element(SUMS, Int(USUAL - 1)), "+="),
        Barrier("block"),
    )
    body = (
        Shared(INT, SUMS.name, USUAL),
        Declare(INT, CARRY.name, ir.ZERO),
        For(base.name, ir.ZERO, blocks, round_, step=Int(USUAL)),
    )
    return Kernel(name, ir.ONE, USUAL, body)


def scan(name: str, first: Name, reached: Name, total: Name, count: Expr) -> Kernel:
    """The third kernel of a scan of `count` counts: each block adds the total of all earlier blocks to its sums. The
    last sum is also stored in `total`, a variable of the host."""
    place, before = Element(first, ir.add(N, ir.ONE)), Element(reached, ir.sub(Cast(INT, BLOCK), ir.ONE))
    later = If(logic.compare("<", ir.ZERO, BLOCK), (Assign(place, before, "+="),))
    whole = If(logic.compare("==", ir.add(N, ir.ONE), count), (Assign(Element(total, ir.ZERO), place),))
    body = (own_number(), If(logic.compare("<", N, count), (later, whole)))
    return Kernel(name, parts_of(count), USUAL, body)


def own_number() -> ir.Stmt:
    """Which of the counts is that of a thread."""
    return Declare(f"const {INT}", N.name, ir.add(ir.mul(Cast(INT, BLOCK), Int(USUAL)), THREAD))


def sum_up(place: Expr, count: Expr) -> Code:
    """Declare `own`, the sum of the numbers at the places of a thread and of all earlier threads of the block."""
    step, distance = Name("step", True), Name("distance", True)
    add = (
        Declare(f"const {INT}", distance.name, Binary("<<", ir.ONE, step)),
        Assign(MINE, OWN),
        Barrier("block"),
        If(logic.compare(">=", THREAD, distance), (Assign(OWN, Element(SUMS, ir.sub(THREAD, distance)), "+="),)),
        Barrier("block"),
    )
    return (
        Declare(INT, OWN.name, ir.ZERO),
        If(logic.compare("<", N, count), (Assign(OWN, place),)),
        For(step.name, ir.ZERO, Int((USUAL - 1).bit_length()), add),
    )
