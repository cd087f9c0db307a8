"""Mutants of sizes: by which of them operands are stored otherwise, and loops of a result go outside."""

from __future__ import annotations

from mutant import Mutant

HERE, ORDERED = "reference/schedule/", ("tests/reference/schedule/branched/test_orders.py",)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "orders.60",
        f"{HERE}branched/orders.py",
        "    yield from outward_loops(program, sizes, modes)\n",
        "",
        "all of a result goes through a workspace though its loops may stand outside",
        ORDERED,
    ),
    Mutant(
        "orders.61",
        f"{HERE}branched/orders.py",
        "yield from dict.fromkeys((*alone, *([whole] if whole != access.levels else [])))",
        "yield from alone",
        "an operand of three modes is not stored in the order of its result",
        ORDERED,
    ),
    Mutant(
        "orders.62",
        f"{HERE}direct.py",
        "for count in range(len(own), 0, -1):",
        "for count in (len(own),):",
        "the loops of a result go outside all together or not at all",
        ORDERED,
    ),
    Mutant(
        "orders.63",
        f"{HERE}branched/inputs.py",
        "    is_plain = not bare.workspaces",
        "    if bare.provenance.of_formats:\n        return None\n    is_plain = not bare.workspaces",
        "beside blocks nothing is stored in another order",
        ORDERED,
    ),
    Mutant(
        "orders.64",
        f"{HERE}branched/merging.py",
        "case Split(outer=outer, parent=source) if variable == outer:",
        "case Split(parent=source):",
        "the inside of a block of the result counts as all coordinates",
        ORDERED,
    ),
    Mutant(
        "orders.65",
        f"{HERE}branched/merging.py",
        "return next((derived_variables(s) for s in graph.splits(variable) if s.outer in stored), ())",
        "return ()",
        "a mode that an operand has in blocks counts as one coordinate",
        ORDERED,
    ),
)
