"""Mutants of provenance: relations among index variables, their graph, and what it expands to."""

from __future__ import annotations

from mutant import Mutant
from suites import FIXED, SPACES

RELATION = "reference/statement/relation.py"
PROVENANCE = "reference/statement/provenance.py"
EXPANSION = "reference/statement/expansion.py"

SCHEDULE = "tests/reference/schedule/"
RELATIONS = ("tests/reference/statement/test_relation.py",)
RELATED = ("tests/reference/statement/test_provenance.py", "tests/reference/statement/test_expansion.py")
BLOCKS = (
    "tests/reference/statement/test_nest.py",
    "tests/reference/execution/test_interpreter.py",
    "tests/reference/storage/test_tensor.py",
)
RELATED_FIXED = (*RELATED, *FIXED)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "provenance.1",
        RELATION,
        "return (extent + (self.parts - 1)) // self.parts",
        "return extent // self.parts",
        "the width of a division is rounded down, so that the parts do not reach the end",
        RELATIONS,
    ),
    Mutant(
        "provenance.2",
        RELATION,
        "access.levels[: self.last] == own.levels[: self.last]",
        "access.levels[: self.first] == own.levels[: self.first]",
        "an access that reads other levels stands at the positions that are counted",
        (*RELATIONS, f"{SCHEDULE}test_precompute.py"),
    ),
    Mutant(
        "provenance.3",
        RELATION,
        "return self if self.access in same or not same else replace(self, access=same[0])",
        "return self",
        "positions go on to be counted by an access that the statement no longer has",
        (*RELATIONS, f"{SCHEDULE}test_precompute.py"),
    ),
    Mutant(
        "provenance.4",
        RELATION,
        "return end <= relation.size",
        "return end < relation.size",
        "a range may not end exactly at its greatest end",
        RELATIONS,
    ),
    Mutant(
        "provenance.5",
        RELATION,
        "return begin >= relation.size",
        "return begin <= relation.size",
        "a range may begin before its least beginning",
        RELATIONS,
    ),
    Mutant(
        "provenance.6",
        RELATION,
        "return (end - begin) % relation.size == 0",
        "return end % relation.size == 0",
        "a multiple is asked of the end of a range, not of its length",
        RELATIONS,
    ),
    Mutant(
        "provenance.7",
        RELATION,
        "return values[outer] * factor(relation, space) + values[inner]",
        "return values[inner] * factor(relation, space) + values[outer]",
        "a split variable is recovered with its parts exchanged",
        RELATIONS,
    ),
    Mutant(
        "provenance.8",
        RELATION,
        "size = space.extent(inner)\n            return values[fused] // size",
        "size = space.extent(outer)\n            return values[fused] // size",
        "a collapsed variable is taken apart by the extent of the outer one",
        RELATIONS,
    ),
    Mutant(
        "provenance.9",
        RELATION,
        "return values[fused] // size if variable == outer else values[fused] % size",
        "return values[fused] // size if variable == inner else values[fused] % size",
        "the outer and the inner coordinate of a collapsed variable are exchanged",
        RELATIONS,
    ),
    Mutant(
        "provenance.10",
        RELATION,
        "return values[parent] // size if variable == outer else values[parent] % size",
        "return values[parent] % size if variable == outer else values[parent] // size",
        "the outer part of a split is the remainder",
        RELATIONS,
    ),
    Mutant(
        "provenance.11",
        RELATION,
        "return values[outer] * space.extent(inner) + values[inner]",
        "return values[outer] * space.extent(outer) + values[inner]",
        "a collapsed variable strides by the extent of the outer one",
        RELATIONS,
    ),
    Mutant(
        "provenance.20",
        PROVENANCE,
        "if s.outer in known and s.inner in known), None)",
        "if s.outer in known), None)",
        "a blocked coordinate is known as soon as its block is",
        BLOCKS,
    ),
    Mutant(
        "provenance.22",
        PROVENANCE,
        "return (*own, *(r.copy for r in self.of_formats if isinstance(r, Same) and r.original == variable))",
        "return own",
        "copies of a variable are no parts of it: a diagonal's loops race",
        (f"{SCHEDULE}test_races.py", f"{SCHEDULE}test_precompute.py", f"{SCHEDULE}test_parallelize.py"),
    ),
    Mutant(
        "provenance.33",
        PROVENANCE,
        "return self.space_of(parents(relation)[-1])",
        "return None",
        "a part of a range of positions counts those of no operand",
        FIXED,
    ),
    Mutant(
        "provenance.34",
        PROVENANCE,
        "relation is not None and all(self.is_derivable(parent, known) for parent in parents(relation))",
        "relation is not None and any(self.is_derivable(parent, known) for parent in parents(relation))",
        "a collapsed variable is known as soon as one of the two is",
        RELATED_FIXED,
    ),
    Mutant(
        "provenance.35",
        PROVENANCE,
        "all(self.is_recoverable(v, known) for v in derived_variables(use)) for use in self.uses(variable)",
        "any(self.is_recoverable(v, known) for v in derived_variables(use)) for use in self.uses(variable)",
        "a split variable is known as soon as one of its parts is",
        RELATED_FIXED,
    ),
    Mutant(
        "provenance.40",
        PROVENANCE,
        "case Coord(of=of):\n            return replace(relation, of=of.follow(accesses))",
        "case Coord():\n            return relation",
        "coordinates of positions go on to be read from an access that the statement no longer has",
        (*RELATED, f"{SCHEDULE}test_precompute.py", *FIXED),
    ),
    Mutant(
        "provenance.59",
        PROVENANCE,
        "below = (*self.splits(variable), *self.uses(variable))",
        "below = self.uses(variable)",
        "a row is not recovered from blocks of a format",
        (*RELATED, *SPACES),
    ),
    Mutant(
        "provenance.24",
        EXPANSION,
        "own = set(graph.lineage(variable)) - around",
        "own = set(graph.lineage(variable))",
        "a bound is checked again in every loop below the one that counts through it",
        RELATED_FIXED,
    ),
    Mutant(
        "provenance.36",
        EXPANSION,
        "return found if any(graph.is_original(v) for v in found) else ()",
        "return found",
        "a loop over a range of integers stands for others",
        RELATED_FIXED,
    ),
    Mutant(
        "provenance.37",
        EXPANSION,
        "loops_of(graph, parent, (*known, *found))",
        "loops_of(graph, parent, known)",
        "what one parent has made known is reached again for the other",
        RELATED_FIXED,
    ),
    Mutant(
        "provenance.38",
        EXPANSION,
        "if variable in known or not uses:\n        return (variable,)",
        "if not uses:\n        return (variable,)",
        "a variable that a loop runs over is looked for among its derived ones all the same",
        (*RELATED, f"{SCHEDULE}test_legality.py", *FIXED),
    ),
    Mutant(
        "provenance.39",
        EXPANSION,
        "own = [replaced.get(v, v) for v in derived_variables(first)]",
        "own = list(derived_variables(first))",
        "the loop over coordinates of a position is not one of those that a variable has become",
        (*RELATED, f"{SCHEDULE}test_legality.py", *FIXED),
    ),
    Mutant(
        "provenance.55",
        EXPANSION,
        "if added and relation is not None and relation.access not in reads(s.body):",
        "if False:",
        "coordinates are looped over where nothing reads the operand whose positions are counted",
        (*RELATED, f"{SCHEDULE}test_precompute.py", *FIXED),
    ),
    Mutant(
        "provenance.56",
        EXPANSION,
        "loops = [Forall(v, s.body, s.tags if v == s.index else ()) for v in variables]",
        "loops = [Forall(v, s.body, s.tags) for v in variables]",
        "the loops that a parallel one stands for are parallel too",
        ("tests/reference/statement/test_expansion.py", f"{SCHEDULE}test_parallelize.py"),
    ),
)
