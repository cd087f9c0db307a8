"""Mutants of iterators over levels, and of lanes, their twins over whole levels."""

from __future__ import annotations

from mutant import Mutant
from suites import FUSED, LANES_READ, LOOPS, SCHEDULED

FOLDER = "reference/levels/"
LANES = "reference/levels/lanes.py"
ITERATORS = "reference/levels/iterators.py"

ITERATION = ("tests/reference/levels/test_iterators.py",)
WALKS = ("tests/reference/levels/test_iterators.py", "tests/properties/differential/test_check.py::test_float64")

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "level.57",
        f"{FOLDER}lanes.py",
        "self.give(self.results(call, lanes), lanes)",
        "self.give(self.results(call, lanes)[:1], lanes)",
        "lanes pass on only the first result of another level function",
        ("tests/reference/levels/test_lanes.py",),
    ),
    Mutant(
        "assembly.40",
        LANES,
        "return merge_lanes(self.block(then, lanes[holds]), self.block(otherwise, lanes[~holds]))",
        "return self.block(then, lanes[holds])",
        "lanes whose condition fails are lost",
        LANES_READ,
    ),
    Mutant(
        "assembly.41",
        LANES,
        "open_ = open_[self.condition(each, lanes[open_]) != stops]",
        "open_ = open_[np.asarray(self.condition(each, lanes))[open_] != stops]",
        "what a condition guards is read by every lane",
        LANES_READ,
    ),
    Mutant(
        "assembly.42",
        LANES,
        "left, lanes = merge_lanes(left, lanes[~holds]), self.block(body, lanes[holds])",
        "left, lanes = lanes[~holds], self.block(body, lanes[holds])",
        "lanes that left a loop before the last do not go on",
        LANES_READ,
    ),
    Mutant(
        "lattice.46",
        ITERATORS,
        "_, end = level.pos_bounds(parents[-1])",
        "_, end = level.pos_bounds(parents[0])",
        "chained duplicates have only the children of the first",
        ITERATION,
    ),
    Mutant(
        "lattice.47",
        ITERATORS,
        "if chains and parents[-1] - parents[0] + 1 == len(parents):",
        "if chains:",
        "duplicates that lie apart are chained, with what lies between them",
        WALKS,
    ),
    Mutant(
        "lattice.48",
        ITERATORS,
        "return iter(sorted(pairs, key=itemgetter(0)))",
        "return iter(list(pairs))",
        "the scratch copy of an unordered level is not sorted",
        ITERATION,
    ),
    Mutant(
        "lattice.49",
        ITERATORS,
        "return iter(sorted(pairs, key=itemgetter(0)))",
        "return iter(sorted(pairs, key=lambda pair: (pair[0], -pair[1])))",
        "duplicates lose their order in a scratch copy",
        ITERATION,
    ),
    Mutant(
        "lattice.50",
        ITERATORS,
        "yield c, tuple(q for _, q in group)",
        "yield c, tuple(q for _, q in group)[:1]",
        "of duplicates only the first counts",
        ITERATION,
    ),
    Mutant(
        "lattice.51",
        ITERATORS,
        "if begin <= c < end:\n            yield c - shift, q",
        "if begin <= c <= end:\n            yield c - shift, q",
        "the window of a loop holds its end",
        LOOPS,
    ),
    Mutant(
        "lattice.52",
        ITERATORS,
        "if c >= end and ordered:",
        "if c >= end:",
        "an unordered level is left at the first coordinate beyond the window",
        SCHEDULED,
    ),
    Mutant(
        "lattice.53",
        ITERATORS,
        "gathers = unique and (many or not level.unique)",
        "gathers = unique and many",
        "duplicates are not gathered",
        ITERATION,
    ),
    Mutant(
        "lattice.54",
        ITERATORS,
        "sorts = not level.ordered and (ordered or gathers)",
        "sorts = not level.ordered and ordered",
        "duplicates of an unordered level are gathered only where they lie side by side",
        LOOPS,
    ),
    Mutant(
        "lattice.55",
        ITERATORS,
        "return tuple(q for q, found in answers if found) or None",
        "return tuple(q for q, _ in answers) or None",
        "a coordinate is found below every one of several duplicates",
        WALKS,
    ),
    Mutant(
        "lattice.56",
        ITERATORS,
        "answers = [level.locate(each, i) for each in p]",
        "answers = [level.locate(each, i) for each in p[:1]]",
        "a coordinate is looked for below the first of several duplicates only",
        WALKS,
    ),
    Mutant(
        "lattice.57",
        ITERATORS,
        "c, found = access(q, i)\n        if found:",
        "c, _ = access(q, i)\n        if c == c:",
        "positions that hold nothing are iterated",
        ITERATION,
    ),
    Mutant(
        "lattice.58",
        ITERATORS,
        "q, found = level.coord_access(p, (*i, c))\n        if found:",
        "q, _ = level.coord_access(p, (*i, c))\n        if q >= 0:",
        "coordinates that hold nothing are iterated",
        ITERATION,
    ),
    Mutant(
        "lattice.86",
        ITERATORS,
        "gathers = unique and (many or not level.unique)",
        "gathers = many or (unique and not level.unique)",
        "below duplicates tuples are gathered by their first coordinates",
        FUSED,
    ),
)
