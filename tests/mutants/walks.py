"""Mutants of the loops that are generated: walks, merges, searches, and the places that they go to."""

from __future__ import annotations

from mutant import Mutant
from suites import FUSED, TEXTS, TILES

COITERATION = "generator/loops/coiteration.py"
MERGING = "generator/loops/merging.py"
FIBER = "generator/loops/fiber.py"
WALK = "generator/loops/walk.py"

NUMBERS = (
    "tests/properties/proofs/lattices/test_lattices.py::test_obligations_are_built_without_work_and_have_names_of_their_own",
)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "lattice.88",
        "generator/loops/fused.py",
        "BEYOND_INDEX = 2**32",
        "BEYOND_INDEX = 2**8",
        "two coordinates of 32 bits do not fit into their number",
        NUMBERS,
    ),
    Mutant(
        "lattice.89",
        "generator/loops/fused.py",
        "for a, b in reversed(pairs):",
        "for a, b in pairs:",
        "of longer tuples the last numbers that differ decide",
        FUSED,
    ),
    Mutant(
        "lattice.90",
        "generator/loops/fused.py",
        "bounds = (*first.bounds[k : k + 2], *second.bounds[k : k + 2])",
        "bounds = first.bounds[k : k + 2]",
        "coordinates of 64 bits of the second operand are packed with others",
        FUSED,
    ),
    Mutant(
        "generator.1",
        COITERATION,
        "c = ir.sub(head.c, fiber.base)",
        "c = head.c",
        "inside a block, coordinates are compared as the level counts them, not as the loop does",
        TEXTS,
    ),
    Mutant(
        "generator.2",
        COITERATION,
        "least = reduce(extremes.smaller, [s.c",
        "least = reduce(extremes.larger, [s.c",
        "a merge visits the greatest coordinate",
        TEXTS,
    ),
    Mutant(
        "generator.4",
        "generator/loops/locating.py",
        "found = logic.both(found, ir.Element(store.present, q))",
        "found = ir.Element(store.present, q)",
        "a workspace's flag is read where its level has not found the coordinate",
        TEXTS,
        equivalent="a workspace has flags only where missing contributions count, which reach all its coordinates",
    ),
    Mutant(
        "generator.5",
        MERGING,
        "return ir.Assign(cursor.place, logic.choice(there, following, cursor.place))",
        "return ir.Assign(cursor.place, following)",
        "a cursor steps over duplicates that were not visited",
        TEXTS,
        equivalent="beside an extent the place after duplicates is the place itself where the cursor does not stand at "
        "the coordinate, and a merge comes to an operand that is never missing at each of its coordinates",
    ),
    Mutant(
        "generator.6",
        MERGING,
        "if present is False:\n            return ()",
        "if present is None:\n            return ()",
        "a cursor that may have been visited stays, one that was not moves on",
        TEXTS,
    ),
    Mutant(
        "generator.7",
        "generator/loops/course.py",
        "end = extremes.smaller(end, ir.sub(places[1], first))",
        "end = ir.sub(places[1], first)",
        "a loop over every coordinate runs on to the end of its tile of positions",
        TILES,
    ),
    Mutant(
        "generator.9",
        FIBER,
        "return bool(above.ordered and above.compact and self.level.ordered and self.level.compact)",
        "return True",
        "children of duplicates are walked as one range, whatever lies between or however they are ordered",
        TEXTS,
    ),
    Mutant(
        "generator.10",
        FIBER,
        "unordered = not self.level.ordered and (self.strategy.ordered or self.gathers)",
        "unordered = not self.level.ordered and self.gathers",
        "an unordered level is not sorted for a merge",
        TEXTS,
    ),
    Mutant(
        "generator.12",
        FIBER,
        "return found if self.flags is None else logic.both(found, ir.Element(self.flags, p))",
        "return found",
        "what is labeled in a workspace is present",
        TEXTS,
    ),
    Mutant(
        "generator.13",
        WALK,
        "return ir.add(begin, self.fiber.base), ir.add(end, self.fiber.base)",
        "return begin, end",
        "the window of a block is that of the first block",
        TEXTS,
    ),
    Mutant(
        "generator.14",
        WALK,
        'found = logic.either(logic.compare("<", c, begin), logic.compare(">=", c, end))',
        'found = logic.either(logic.compare("<", c, begin), logic.compare(">", c, end))',
        "the window of a walk holds its end",
        TILES,
    ),
    Mutant(
        "generator.15",
        WALK,
        'before = logic.compare("<", begin, first) if self.ends else logic.compare("<=", end, first)',
        'before = logic.compare("<", begin, first)',
        "duplicates that reach into a tile belong to the one before, though what lies below them does not",
        TILES,
    ),
    Mutant(
        "generator.16",
        WALK,
        'end = self.fiber.bound_level.call("pos_bounds", (ir.sub(last, ir.ONE),), out)[1]',
        'end = self.fiber.bound_level.call("pos_bounds", (first,), out)[1]',
        "of a run of duplicates only the first has children",
        TEXTS,
    ),
    Mutant(
        "generator.23",
        "generator/scope/places.py",
        'return logic.compare("<=", below(level, p, ir.add(p, ir.ONE), inner)[1], q)',
        'return logic.compare("<", below(level, p, ir.add(p, ir.ONE), inner)[1], q)',
        "a position at the start of a row is looked for in the row before",
        TILES,
    ),
    Mutant(
        "generator.24",
        "generator/scope/searching.py",
        "(ir.Assign(end, middle),)",
        "(ir.Assign(end, ir.sub(middle, ir.ONE)),)",
        "bisection steps over the place that it is looking for",
        TILES,
    ),
)
