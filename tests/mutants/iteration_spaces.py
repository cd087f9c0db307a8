"""Mutants of the spaces that loops go over: extents, windows and tiles, and the plan of a loop."""

from __future__ import annotations

from mutant import Mutant

SPACE = "reference/loops/iteration_space.py"
PLAN = "reference/loops/plan.py"
TILE = "reference/loops/tiles.py"

SCHEDULE = "tests/reference/schedule/"
GOLDEN = "tests/generator/test_kernel_source.py::test_golden"
SPACES = ("tests/reference/loops/test_iteration_space.py",)
PLANNED = ("tests/reference/loops/test_plan.py",)
FUSED = ("tests/generator/loops/test_fused.py",)
TILED = ("tests/reference/loops/test_tiles.py",)
TEXTS = (GOLDEN, "tests/generator/loops/test_walk.py")
TILES = (*TEXTS, "tests/generator/scope/test_terms.py")
LOOPS = (
    "tests/reference/loops/test_strategy.py",
    "tests/reference/loops/test_iteration_space.py",
    "tests/reference/levels/test_iterators.py",
    "tests/reference/execution/test_interpreter.py",
)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "provenance.12",
        SPACE,
        "last = outer.begin if outer.single else outer.end - 1",
        "last = outer.begin",
        "of several tiles only the first is left",
        SPACES,
    ),
    Mutant(
        "provenance.13",
        SPACE,
        "return (self.extent(parent) + (size - 1)) // size",
        "return (self.extent(parent) + size) // size",
        "there is one tile more than values lie in where the size divides",
        SPACES,
    ),
    Mutant(
        "provenance.14",
        SPACE,
        "case Divide(outer=outer, parts=parts) if outer == variable:",
        "case Divide(outer=outer, parts=parts) if outer != variable:",
        "a division has as many parts as a part has values",
        SPACES,
    ),
    Mutant(
        "provenance.15",
        SPACE,
        "return self.extent(outer) * self.extent(inner)",
        "return (self.extent(outer) + 1) * self.extent(inner)",
        "a collapsed range reaches one row too far",
        SPACES,
    ),
    Mutant(
        "provenance.16",
        SPACE,
        "width = greatest(1, size)",
        "width = size",
        "rows without columns are counted by a division by zero",
        SPACES,
    ),
    Mutant(
        "provenance.17",
        SPACE,
        "return tuple(Equal(self.derive(v), Coordinate(v)) for v in compared)",
        "return tuple(Equal(self.derive(v), Coordinate(v)) for v in compared[1:])",
        "of the derived variables that windows do not tell, the outermost is not compared",
        SPACES,
    ),
    Mutant(
        "provenance.18",
        SPACE,
        "return Range(greatest(own.begin, window.begin), least(own.end, window.end), step=step)",
        "return window",
        "the last block of a format and the tile in which it ends reach beyond the extent",
        SPACES,
    ),
    Mutant(
        "provenance.25",
        SPACE,
        "if r.first <= level < r.last and r.counts(access)",
        "if level == r.last - 1 and r.counts(access)",
        "above the last level that is counted, a walk goes over positions of all tiles",
        SPACES,
    ),
    Mutant(
        "provenance.28",
        SPACE,
        "return Standing(relation) - SegmentBegin(relation)",
        "return Standing(relation)",
        "a position counts from the first of the storage, not of its segment",
        SPACES,
    ),
    Mutant(
        "provenance.41",
        SPACE,
        "return least(size, self.extent(parent))",
        "return size",
        "a tile larger than its loop runs beyond it",
        (f"{SCHEDULE}test_schedule.py::test_tiles_larger_than_the_loop_do_not_run_for_ever",),
    ),
    Mutant(
        "provenance.49",
        SPACE,
        "found = Range(greatest(found.begin, narrowed.begin), least(found.end, narrowed.end), step=step)",
        "found = narrowed",
        "of several windows the last one counts, not what lies in all",
        SPACES,
    ),
    Mutant(
        "provenance.50",
        SPACE,
        "last * size + (size if inner.whole else inner.end)",
        "last * size + (size if inner.whole else inner.end) - 1",
        "a tile lacks its last value",
        SPACES,
    ),
    Mutant(
        "provenance.51",
        SPACE,
        "return Range(collapsed.begin // width, (collapsed.end - 1) // width + 1)",
        "return Range(collapsed.begin // width, collapsed.end // width)",
        "a range of collapsed coordinates lacks the row in which it ends",
        SPACES,
    ),
    Mutant(
        "provenance.52",
        SPACE,
        "return Range(collapsed.begin - base, collapsed.end - base)",
        "return collapsed",
        "inner coordinates of a collapsed range count from the first row",
        SPACES,
    ),
    Mutant(
        "lattice.59",
        SPACE,
        "return Range(0, size if self.fits else least(size, rest), whole=True)",
        "return Range(0, size if self.fits else rest, whole=True)",
        "a block takes all that is left of its dimension",
        LOOPS,
    ),
    Mutant(
        "generator.8",
        SPACE,
        "return Coordinate(split.outer) * split.factor",
        "return Coordinate(split.outer)",
        "a block begins at its number",
        TEXTS,
    ),
    Mutant(
        "generator.17",
        SPACE,
        "return (self.extent(parent) + (size - 1)) // size",
        "return self.extent(parent) // size",
        "the last tile of a split is left out where its size does not divide",
        TILES,
    ),
    Mutant(
        "generator.18",
        SPACE,
        "last = outer.begin if outer.single else outer.end - 1",
        "last = outer.end - 1 if outer.single else outer.begin",
        "a range of tiles ends with the first",
        TILES,
    ),
    Mutant(
        "generator.19",
        SPACE,
        "return Range(collapsed.begin // width, (collapsed.end - 1) // width + 1)",
        "return Range(collapsed.begin // width, (collapsed.end - 1) // width)",
        "a range of collapsed coordinates lacks the row in which it ends",
        TILES,
    ),
    Mutant(
        "provenance.29",
        PLAN,
        "if self.searched is not None:",
        "if False:",
        "coordinates that were found in storage are looped over all the same",
        PLANNED,
    ),
    Mutant(
        "provenance.30",
        PLAN,
        "return AssignPlan(found, replace(node.surroundings, optional=frozenset()))",
        "return AssignPlan(found, node.surroundings)",
        "an assignment that has lost what was missing may lose it again",
        PLANNED,
    ),
    Mutant(
        "lattice.69",
        PLAN,
        "gathered = {a.access for a in strategy.active if a.access not in fused and not a.level.unique}",
        "gathered = {a.access for a in strategy.active if a.access not in fused and not a.level.ordered}",
        "a level that holds duplicates is read as if each coordinate were there once",
        ("tests/reference/loops/test_plan.py",),
    ),
    Mutant(
        "lattice.87",
        PLAN,
        "fused = outside.fused | ({a.access for a in strategy.coiterated} if strategy.fused else set())",
        "fused = outside.fused | ({strategy.coiterated[0].access} if strategy.fused else set())",
        "of two chains that are merged one alone is visited tuple by tuple",
        FUSED,
    ),
    Mutant(
        "generator.51",
        PLAN,
        "() if begins is None else bounds_on(program.provenance, begins.index, space.around),",
        "bounds_on(program.provenance, s.index, space.around),",
        "what is said of a range is asked only where the loop over it is reached",
        PLANNED,
    ),
    Mutant(
        "generator.52",
        PLAN,
        "if has_one_flag or self.remains(producer) is True else",
        "if has_one_flag else",
        "a workspace that is always filled may be missing",
        PLANNED,
    ),
    Mutant(
        "generator.53",
        PLAN,
        "is_all = loop.range.whole and levels[active.first] == loop.index",
        "is_all = loop.range.whole",
        "a level that is not split is walked as a whole in every block",
        TEXTS,
    ),
    Mutant(
        "generator.54",
        PLAN,
        "return self.space.guards(self.completed, narrowed, stepped)",
        "return self.space.guards(self.completed)",
        "coordinates are compared though walks have kept to their positions",
        (GOLDEN,),
    ),
    Mutant(
        "generator.20",
        TILE,
        "return least(split.factor, room(space, split.parent) - Coordinate(split.outer) * split.factor)",
        "return split.factor",
        "the last tile of a dimension is taken to be whole",
        TILED,
    ),
    Mutant(
        "generator.21",
        TILE,
        "return (Coordinate(split.outer) + 1) * split.factor",
        "return (Coordinate(split.outer) + 1) * split.factor - 1",
        "a tile that lacks one coordinate is taken to be whole",
        TILED,
    ),
)
