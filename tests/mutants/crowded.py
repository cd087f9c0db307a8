"""Mutants of loops over lists that hold nearly every coordinate, and of the room for what is appended."""

from __future__ import annotations

from mutant import Mutant
from suites import GROWN

CROWDED, CROWD = "generator/loops/crowded.py", ("tests/generator/loops/test_crowded.py",)
GROWTH = "generator/assembly/growth.py"

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "crowded.1",
        CROWDED,
        "ahead(ir.sub(end, begin), every)",
        "ahead(ir.sub(last, first), every)",
        "room is made for those that are listed",
        CROWD,
    ),
    Mutant("crowded.2", CROWDED, "logic.conditional(found, there.code)", "there.code", "all coordinates count", CROWD),
    Mutant("crowded.3", CROWDED, "fiber.sorts and ", "", "what need not be in order is located", CROWD),
    Mutant("crowded.4", CROWDED, " and not loop.tags", "", "a loop with a tag falls in two", CROWD),
    Mutant(
        "crowded.5", CROWDED, " and stored_coordinates(walk) is not None", "", "a tile goes over the whole row", CROWD
    ),
    Mutant("crowded.6", CROWDED, "isinstance(fiber.level, Locate) and ", "", "what cannot be located is", CROWD),
    Mutant("crowded.7", CROWDED, 'logic.compare(">="', 'logic.compare("<"', "few are looked for among all", CROWD),
    Mutant(
        "crowded.8",
        GROWTH,
        "(*now, reached, held.bounds[0].fields",
        "(*now, ir.ZERO, held.bounds[0].fields",
        "the first row tells of all",
        GROWN,
    ),
    Mutant("crowded.9", GROWTH, "if reached is None:", "if reached is not None:", "what is known is not used", GROWN),
)
