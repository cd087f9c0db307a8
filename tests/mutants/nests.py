"""Mutants of loop nests: their order, and what a statement must be."""

from __future__ import annotations

from mutant import Mutant

STATEMENT = "reference/statement/statement.py"
VERIFIER = "reference/statement/verifier.py"
NEST = "reference/statement/nest.py"
GRAPH = "reference/statement/iteration_graph.py"
PACKING = "reference/statement/assemblable.py"
LINEARITY = "reference/statement/linearity.py"

TESTS = "tests/reference/schedule/"
CONVERTED = ("tests/reference/statement/test_converting.py",)
VERIFIED = ("tests/reference/statement/test_verifier.py",)
PACKED = ("tests/reference/statement/test_assemblable.py",)
SPLITS = (
    "tests/reference/schedule/test_split.py",
    "tests/reference/schedule/test_schedule.py::test_tiles_of_tiles_are_limited_together",
)
CONVERSIONS = (
    "tests/reference/statement/test_converting.py",
    "tests/reference/statement/test_lowering.py",
    "tests/reference/statement/test_nest.py",
)
ELABORATED = (
    "tests/reference/statement/test_lowering.py",
    "tests/reference/statement/test_nest.py",
    "tests/reference/notation/test_elaboration.py",
    "tests/reference/execution/test_interpreter.py",
)
LOOPS = (
    "tests/reference/loops/test_strategy.py",
    "tests/reference/loops/test_iteration_space.py",
    "tests/reference/levels/test_iterators.py",
    "tests/reference/execution/test_interpreter.py",
)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "precondition.12",
        "reference/statement/statement.py",
        "*self.formats, *derived})",
        "*self.formats})",
        "names of variables that an earlier command has transformed may be used again",
        (*SPLITS, f"{TESTS}test_collapse.py"),
    ),
    Mutant(
        "converting.10",
        STATEMENT,
        "mask = leaf.mask if leaf.mask is None else replace(leaf.mask, value=rename_accesses(leaf.mask.value, names))",
        "mask = leaf.mask",
        "masks read what has no name",
        CONVERSIONS,
    ),
    Mutant(
        "converting.25",
        STATEMENT,
        'named = "" if conversion.name == conversion.source else f", named {conversion.name}"',
        'named = ""',
        "nobody is told the second name of an operand",
        CONVERTED,
    ),
    Mutant(
        "provenance.57",
        VERIFIER,
        "for v in parents(relation) if v in waiting)",
        "for v in () if v in waiting)",
        "the verifier lets a variable derive from one that is derived later",
        VERIFIED,
    ),
    Mutant(
        "provenance.58",
        VERIFIER,
        "for relation in provenance.relations:\n        for v in",
        "for relation in provenance.of_schedule:\n        for v in",
        "the verifier lets a format and a schedule derive the same variable",
        VERIFIED,
    ),
    Mutant(
        "lowering.32",
        NEST,
        "if len(set(access.indices)) < len(access.indices) or not self.can_split(access, format):",
        "if not self.can_split(access, format):",
        "the diagonal of a blocked operand is read in place",
        ELABORATED,
    ),
    Mutant(
        "lowering.33",
        NEST,
        "if len(set(access.indices)) < len(access.indices) or not self.can_split(access, format):",
        "if len(set(access.indices)) < len(access.indices):",
        "blocks of different sizes are read in one nest",
        ELABORATED,
    ),
    Mutant(
        "lowering.34",
        NEST,
        "found.append(variable if count == 1 else self.copy(variable, count))",
        "found.append(variable)",
        "the second occurrence of a variable in an access is looped over as the first",
        ELABORATED,
    ),
    Mutant(
        "lowering.35",
        NEST,
        "return self.split(access.indices[mode], factor).inner",
        "return self.split(access.indices[mode], factor).outer",
        "a level of places inside blocks is bound to the blocks",
        ELABORATED,
    ),
    Mutant(
        "lowering.36",
        NEST,
        "self.extents[split.outer] = -(-self.extents[variable] // factor)",
        "self.extents[split.outer] = self.extents[variable] // factor",
        "a dimension that a block does not divide loses its last block",
        ELABORATED,
    ),
    Mutant(
        "lowering.37",
        NEST,
        "self.ranks.append(Rank(name, access.tensor, k))",
        "self.ranks.append(Rank(name, access.tensor, 0))",
        "the extent of every rank is that of the first level",
        ("tests/reference/statement/test_relation.py",),
    ),
    Mutant(
        "lowering.38",
        NEST,
        "if split is None or split.factor != factor:\n                        return None",
        "if split is None:\n                        return None",
        "a result in blocks is appended to by loops over blocks of another size",
        ELABORATED,
    ),
    Mutant(
        "lowering.39",
        NEST,
        "return (variable,) if split is None else (split.outer, split.inner)",
        "return (variable,) if split is None else (split.inner, split.outer)",
        "places inside blocks are looped over outside the blocks",
        ELABORATED,
    ),
    Mutant(
        "lowering.40",
        NEST,
        "edges += [Edge(self.loops(v)[-1], name, None, True) for (v, _), name in self.copies.items()]",
        "edges += []",
        "the loop over a copy of a variable may come before the variable",
        ELABORATED,
    ),
    Mutant(
        "lowering.41",
        NEST,
        "edges = [Edge(s.outer, s.inner, None, True) for s in self.splits.values()]",
        "edges: list[Edge] = []",
        "the loop inside blocks may come before the one over blocks",
        ELABORATED,
    ),
    Mutant(
        "lowering.42",
        NEST,
        "return order[: len(prefix)] == prefix",
        "return True",
        "a result is appended to in whatever order the loops have",
        ELABORATED,
    ),
    Mutant(
        "lowering.43",
        NEST,
        "return order[: len(prefix)] == prefix",
        "return set(prefix) <= set(order)",
        "a result is appended to by loops that others interrupt",
        ELABORATED,
    ),
    Mutant(
        "lowering.44",
        GRAPH,
        "e.source not in placed and e.source != variable and (e.hard or not hard_only)",
        "e.source not in placed and e.source != variable and e.hard",
        "preferences among loop orders count for nothing",
        ELABORATED,
    ),
    Mutant(
        "lowering.45",
        GRAPH,
        "return tuple(trail[start:])",
        "return tuple(trail)",
        "the conflict shown also holds edges that lead into the cycle",
        ("tests/reference/statement/test_contradiction.py",),
    ),
    Mutant(
        "lowering.46",
        GRAPH,
        "return isinstance(level, Locate) and bool(level.full)",
        "return isinstance(level, Locate)",
        "a level in which coordinates can be missing may be read late",
        ELABORATED,
    ),
    Mutant(
        "lowering.47",
        GRAPH,
        "for parent in access.levels[:k]:",
        "for parent in access.levels[max(k - 1, 0) : k]:",
        "a level comes after the one above it only, not after all",
        ELABORATED,
    ),
    Mutant(
        "lowering.48",
        GRAPH,
        "edges.append(Edge(source, sink, access, not is_random_access(level)))",
        "edges.append(Edge(source, sink, access, False))",
        "no operand forces an order of loops",
        ELABORATED,
    ),
    Mutant(
        "lowering.49",
        GRAPH,
        "edges += [Edge(outer, v, access, not isinstance(level, Insert)) for v in inner if v != outer]",
        "edges += [Edge(outer, v, access, isinstance(level, Insert)) for v in inner if v != outer]",
        "a result that is inserted into forces an order of loops, one that is appended to does not",
        ELABORATED,
    ),
    Mutant(
        "lowering.50",
        GRAPH,
        "last = max((k for k, level in enumerate(format.levels) if not isinstance(level, Insert)), default=-1)",
        "last = min((k for k, level in enumerate(format.levels) if not isinstance(level, Insert)), default=-1)",
        "only the first appended level of a result needs its loops in order",
        ELABORATED,
    ),
    Mutant(
        "lowering.63",
        PACKING,
        "key=lambda mode: loops.index(parts.get(indices[mode], indices[mode]))",
        "key=lambda mode: mode",
        "coordinates that a result is packed from come row by row, whatever the operands allow",
        PACKED,
    ),
    Mutant(
        "lattice.43",
        LINEARITY,
        "return leaf.operator is DUPLICATES and distributes(",
        "return distributes(",
        "duplicates are visited one by one in reductions other than sums",
        LOOPS,
    ),
    Mutant(
        "lattice.44",
        LINEARITY,
        "len(holding) == 1\n",
        "len(holding) >= 1\n",
        "a product of a part with itself distributes over a sum of the part",
        LOOPS,
    ),
    Mutant(
        "lattice.45",
        LINEARITY,
        "                and operator.name in outer.distributes_over\n",
        "",
        "every operator distributes over every reduction",
        LOOPS,
    ),
)
