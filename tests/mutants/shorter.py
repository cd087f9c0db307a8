"""Mutants of loops that go over the shorter of two fibers, or over runs of equal coordinates."""

from __future__ import annotations

from mutant import Mutant

SHORTER, SHORT = "generator/loops/shorter.py", ("tests/generator/loops/test_shorter.py",)
SEEKING, SOUGHT = "generator/loops/seeking.py", ("tests/generator/loops/test_seeking.py",)
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
    Mutant("seeking.1", SEEKING, "if course.strategy.forks:", "if False:", "an iterator of a union seeks", SOUGHT),
    Mutant(
        "seeking.3",
        SEEKING,
        "above[a] < others for others",
        "above[a] <= others for others",
        "iterators that begin anew together seek",
        SOUGHT,
    ),
    Mutant(
        "seeking.4",
        SEEKING,
        "fiber.by_position and fiber.comes_in_order and not fiber.sorts",
        "fiber.by_position",
        "what has no order is sought by bisection",
        SOUGHT,
    ),
    Mutant(
        "seeking.5",
        SEEKING,
        "ir.add(ir.floordiv(stride, Int(2)), ir.ONE)",
        "ir.add(stride, ir.ONE)",
        "the place at which a stride has come too far is passed over",
        SOUGHT,
    ),
    Mutant(
        "seeking.6",
        SEEKING,
        "last = extremes.smaller(farther, cursor.end)",
        "last = cursor.end",
        "bisection goes to the end of the fiber",
        SOUGHT,
        equivalent="slower: the place at the stride is not before what is sought, so that it is found all the same",
    ),
    Mutant(
        "seeking.7",
        "generator/loops/coiteration.py",
        "seek(cursor, ir.add(standing[0].c, cursor.walk.fiber.base), out)",
        "seek(cursor, standing[0].c, out)",
        "in a part of a block the coordinate of the loop is sought",
        SOUGHT,
    ),
    Mutant(
        "seeking.8",
        "generator/loops/coiteration.py",
        "out.add(ir.If(cursor.alive, inner.code))",
        "out.add(*inner.code)",
        "what stands behind the end of a fiber is looked at",
        SOUGHT,
    ),
    Mutant(
        "seeking.9",
        SEEKING,
        "at_once if len(again) + len(at_once) < len(cursors) else at_once[1:]",
        "at_once[1:]",
        "a line beside a row is gone along",
        SOUGHT,
    ),
    Mutant("seeking.10", SEEKING, "not fiber.by_position and not fiber.sorts", "False", "lines are gone along", SOUGHT),
    Mutant(
        "seeking.11",
        SEEKING,
        "for a, c in cursors.items() if (can_bisect(c) and above[a] < above[leader]) or can_jump(c))",
        "for a, c in cursors.items() if can_bisect(c) or can_jump(c))",
        "fibers of a sum that begin anew are sought in",
        SOUGHT,
    ),
    Mutant(
        "seeking.12",
        SEEKING,
        "if a.is_sparse and a.access not in course.strategy.uncertain)",
        "if a.is_sparse)",
        "what nothing needs is sought in others",
        SOUGHT,
    ),
    Mutant(
        "seeking.13",
        "generator/loops/flagged.py",
        "out.add(ir.If(cursor.alive, inner.code))",
        "out.add(*inner.code)",
        "what stands behind the end of a fiber of a sum is looked at",
        SOUGHT,
    ),
    Mutant(
        "seeking.14",
        "generator/loops/flagged.py",
        "seek(cursor, ir.add(c, cursor.walk.fiber.base), inner)",
        "seek(cursor, ir.add(ir.add(c, ir.ONE), cursor.walk.fiber.base), inner)",
        "the coordinate after the one that is sought is found",
        SOUGHT,
    ),
)
