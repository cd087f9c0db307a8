"""Mutants of lists in which what is stored out of order is put in order."""

from __future__ import annotations

from mutant import Mutant

CURSOR = "generator/loops/cursor.py"
WALKED = ("tests/generator/loops/test_walk.py",)
CONTRACTED = ("tests/properties/proofs/c/test_c_contracts.py::test_ordering",)
COUNTED = ("tests/properties/proofs/c/test_c_simulation.py",)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "ordering.1",
        CURSOR,
        "certain = there == ir.TRUE and fiber.holds(found, q) == ir.TRUE and walk.outside(c, q) == ir.FALSE",
        "certain = there == ir.TRUE and fiber.holds(found, q) == ir.TRUE",
        "coordinates outside the loop's window are visited",
        WALKED,
    ),
    Mutant(
        "ordering.2",
        CURSOR,
        "certain = there == ir.TRUE and fiber.holds(found, q) == ir.TRUE and",
        "certain = fiber.holds(found, q) == ir.TRUE and",
        "what is below an empty fiber is visited",
        ("tests/generator/scope/test_flags.py",),
    ),
    Mutant(
        "ordering.3",
        "properties/proofs/c/c_contracts.py",
        "z3.And(position.at(k) >= begin, position.at(k) < end)",
        "z3.And(position.at(k) >= begin, position.at(k) <= end)",
        "a position after the last may be listed",
        CONTRACTED,
    ),
    Mutant(
        "ordering.4",
        "properties/proofs/c/c_simulation.py",
        "natural(end if is_zero(begin) else end - begin)",
        "natural(end)",
        "a list is as long as the last position says",
        COUNTED,
    ),
)
