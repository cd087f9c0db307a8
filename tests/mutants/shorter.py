"""Mutants of loops that go over the shorter of two fibers, or over runs of equal coordinates."""

from __future__ import annotations

from mutant import Mutant

SHORTER, SHORT = "generator/loops/shorter.py", ("tests/generator/loops/test_shorter.py",)
RUNS, RUN = "generator/statements/runs.py", ("tests/generator/statements/test_runs.py",)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "shorter.1",
        SHORTER,
        "is_sparse and not course.strategy.flagged and lattice.point(rest) is None",
        "is_sparse",
        "a list is taken that may lack what the loop visits",
        SHORT,
    ),
    Mutant("shorter.2", SHORTER, "walk.fiber.comes_in_order and ", "", "what has no order is searched", SHORT),
    Mutant("shorter.3", SHORTER, "loop.tags or ", "", "a loop with a tag falls in two", SHORT),
    Mutant(
        "shorter.4",
        SHORTER,
        'logic.compare(">", ir.sub(limits[1], limits[0])',
        'logic.compare("<", ir.sub(limits[1], limits[0])',
        "the longer of two is gone over",
        SHORT,
    ),
    Mutant(
        "shorter.5",
        SHORTER,
        'logic.both(logic.compare("<", p, limits[1]), logic.compare("==", coordinate(out, p), c))',
        'logic.compare("<", p, limits[1])',
        "what is found by bisection is taken for what was sought",
        SHORT,
    ),
    Mutant("runs.1", RUNS, "not active.level.ordered or ", "", "runs are seen where rows are out of order", RUN),
    Mutant("runs.2", RUNS, "loop.statement.tags or ", "", "a loop with a tag is split", RUN),
    Mutant("runs.3", RUNS, "inner.tags or ", "", "a loop around one with a tag is split", RUN),
    Mutant("runs.4", RUNS, "if indices == (loop.index,) else None", "", "rows are summed up for what is no row", RUN),
    Mutant("runs.5", RUNS, 'logic.compare(">"', 'logic.compare("<"', "short runs are visited at once", RUN),
)
