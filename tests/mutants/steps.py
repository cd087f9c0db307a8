"""Mutants of loops that go by the step of their range."""

from __future__ import annotations

from mutant import Mutant
from suites import SPACES

SPACE, EXACTNESS = "reference/loops/iteration_space.py", "reference/statement/exactness.py"
COURSE, WALK = "generator/loops/course.py", "generator/loops/walk.py"
EXACT = ("tests/reference/statement/test_exactness.py",)
LOOPS = ("tests/generator/loops/test_loops.py",)
PROVED = ("tests/properties/proofs/relations/test_stepped_loops.py",)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "steps.1",
        SPACE,
        "step=size * outer.step if inner.single and (outer.whole or outer.step != 1) else 1",
        "step=size if inner.single else 1",
        "tiles of tiles are one tile apart, and so are those of which only some belong here",
        SPACES,
    ),
    Mutant(
        "steps.2",
        SPACE,
        "return Range(begin, end, step=inner.step)",
        "return Range(begin, end)",
        "parts of a tile are compared",
        LOOPS,
    ),
    Mutant(
        "steps.3",
        SPACE,
        "step = narrowed.step if found.whole else 1",
        "step = narrowed.step",
        "a variable that two relations narrow goes by the step of one",
        SPACES,
    ),
    Mutant(
        "steps.4",
        SPACE,
        "end = extent if outer.whole else ",
        "end = ",
        "the last tile ends with the first of it",
        LOOPS,
    ),
    Mutant(
        "steps.5",
        EXACTNESS,
        "exact = position in stepped or is_exact(",
        "exact = True or is_exact(",
        "positions of other tiles are not told apart",
        EXACT,
    ),
    Mutant(
        "steps.6",
        EXACTNESS,
        "return exact and tells(graph, variable, around)",
        "return exact",
        "rows that several tiles have a part of are taken to be of one",
        EXACT,
    ),
    Mutant(
        "steps.7",
        COURSE,
        "if len(kept) != 1 or kept[0].relation.last != kept[0].relation.first + 1:",
        "if len(kept) != 1:",
        "a walk below several levels begins with whatever its row begins with",
        LOOPS,
    ),
    Mutant(
        "steps.8",
        WALK,
        "if self.step != ir.ONE and self.places is not None:",
        "if self.places is not None:",
        "rows end with the tile",
        LOOPS,
    ),
    Mutant(
        "steps.9",
        "generator/cuda/grid.py",
        "ir.add(first, ir.mul(BLOCK, loop.step))",
        "ir.add(first, BLOCK)",
        "blocks begin with what belongs to others",
        LOOPS,
    ),
    Mutant(
        "steps.10",
        "generator/cuda/spread.py",
        "begin, step = ir.add(loop.begin, ir.mul(rank, loop.step))",
        "begin, step = ir.add(loop.begin, rank)",
        "threads begin with what belongs to others",
        LOOPS,
    ),
    Mutant(
        "steps.11",
        "generator/threads/region.py",
        "replace(round.loop, begin=begin, end=end, body=body, pragma=pragma)",
        "ir.For(round.loop.name, begin, end, body, pragma)",
        "teams go over what belongs to others",
        LOOPS,
    ),
    Mutant(
        "steps.12",
        "generator/loops/loops.py",
        "return out.loop(counter, begin, end, inner.code, step)",
        "return out.loop(counter, begin, end, inner.code)",
        "a loop that compares nothing goes over every coordinate",
        LOOPS,
    ),
    Mutant(
        "steps.13",
        COURSE,
        "covers = env.target.covers and not space.overlaps(self.index, self.env.tiling.stepped)",
        "covers = env.target.covers and not space.overlaps(self.index)",
        "what is there before is read where nothing else stores",
        LOOPS,
    ),
    Mutant(
        "steps.14",
        "properties/proofs/relations/stepped_loops.py",
        "return z3.BoolVal(True) if range_.step == 1 else",
        "return z3.BoolVal(True) if range_.step != 0 else",
        "the prover lets loops by steps go over everything",
        PROVED,
    ),
    Mutant(
        "steps.15",
        "reference/execution/iteration.py",
        "number(loop.range.step, state)",
        "1 + number(loop.range.step, state)",
        "the interpreter leaves out coordinates",
        ("tests/reference/schedule/test_reorder.py",),
    ),
)
