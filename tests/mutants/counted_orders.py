"""Mutants of what is counted of workspaces of several modes, and of operands in other orders."""

from __future__ import annotations

from mutant import Mutant
from suites import ORDERED_INPUTS

ORDERS, WIDE, MERGING, CHOICE = (
    f"reference/schedule/branched/{name}.py" for name in ("orders", "wide", "merging", "choice")
)
CALLED = ("tests/generator/runtime/test_runners.py",)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "counted_orders.1",
        WIDE,
        "Counter({each.name: len(each.shape) - 1 for",
        "Counter({each.name: 1 for",
        "a workspace of two modes is as wide as one of three",
        ORDERED_INPUTS,
    ),
    Mutant(
        "counted_orders.2",
        ORDERS,
        " if not any(each.work.exceeds(other.work) for other in finalists))",
        ")",
        "schedules stay that are more work than others, whatever the sizes are",
        ORDERED_INPUTS,
    ),
    Mutant(
        "counted_orders.3",
        WIDE,
        "(STAGED if more + 1 >= modes else PARTED)",
        "STAGED",
        "a part of a result in a workspace of two modes costs what all of it costs",
        ORDERED_INPUTS,
    ),
    Mutant(
        "counted_orders.4",
        ORDERS,
        "return active.access in met and len(met) > 1",
        "return False",
        "operands in other orders meet other factors for nothing",
        ORDERED_INPUTS,
    ),
    Mutant(
        "counted_orders.5",
        ORDERS,
        "return active.access in met and len(met) > 1",
        "return True",
        "masks are walked again where operands in other orders are",
        ORDERED_INPUTS,
    ),
    Mutant(
        "counted_orders.6",
        MERGING,
        "if self.program.formats[access.tensor].levels[depth - 1].full:",
        "if False:",
        "rows that hold nothing are no positions of a dense level",
        ORDERED_INPUTS,
    ),
    Mutant(
        "counted_orders.7",
        MERGING,
        "levels=tuple(access.indices[m] for m in format.stored_modes))",
        "levels=access.levels)",
        "an operand that is converted has the sizes of its first modes, not of those that it is given with",
        ORDERED_INPUTS,
    ),
    Mutant(
        "counted_orders.8",
        MERGING,
        " if nest[-1].strategy.needs(a.access)]",
        "]",
        "what is merged with one of two operands is sought by that one alone",
        ORDERED_INPUTS,
    ),
    Mutant(
        "counted_orders.9",
        ORDERS,
        "return Sizes(bare, sizes.places, sizes.program)",
        "return Sizes(bare, sizes.places)",
        "what commands convert is measured as if it were given so",
        ORDERED_INPUTS,
    ),
    Mutant(
        "counted_orders.10",
        CHOICE,
        "if place.size is Size.COORDINATES and isinstance(level, Hashed):",
        "if False:",
        "empty slots of hash tables are components",
        ORDERED_INPUTS,
    ),
    Mutant(
        "counted_orders.11",
        MERGING,
        "if not isinstance(format.levels[-1], Hashed):",
        "if True:",
        "what meets is counted in slots of hash tables",
        ORDERED_INPUTS,
    ),
    Mutant(
        "counted_orders.12",
        WIDE,
        "            yield from ((SLOTS, met * each) for each in longest if each != Term())\n",
        "",
        "tables that one long fiber makes wide cost no more than narrow ones",
        ORDERED_INPUTS,
    ),
    Mutant(
        "counted_orders.13",
        CHOICE,
        'return int(np.diff(storage["pos"]).max(initial=0))',
        "return 1",
        "fibers of compressed levels are short",
        ORDERED_INPUTS,
    ),
    Mutant(
        "counted_orders.14",
        CHOICE,
        "if not all(len(each) == size for each in arrays):",
        "if True:",
        "fibers of lists of coordinates are as long as may be",
        ORDERED_INPUTS,
    ),
    Mutant(
        "counted_orders.15",
        CHOICE,
        "if self.is_for(operands) else self.finalists[0]",
        "",
        "sizes of operands that a statement for some extents does not read are looked up",
        CALLED,
    ),
    Mutant(
        "counted_orders.16",
        "generator/runtime/runners.py",
        "self.request.result(resolved), self.request.packed_spec",
        "self.request.result(self.request.resolve_without_shapes()), self.request.packed_spec",
        "results are packed from the order of other extents",
        CALLED,
    ),
)
