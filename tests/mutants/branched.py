"""Mutants of the search for branched schedules: which there are, which of them dominate, and which is chosen."""

from __future__ import annotations

from mutant import Mutant
from suites import BRANCHED_COSTS, MULTIPLIED

SPACE = "reference/schedule/branched/space.py"
CONTRACTION = "reference/schedule/branched/contraction.py"
DOMINANCE = "reference/schedule/branched/dominance.py"
HERE = "reference/schedule/branched/"
SEARCH = "reference/schedule/branched/search.py"
SELECTION = "reference/schedule/branched/selection.py"
CONSTRAINTS = "reference/schedule/branched/constraints.py"
CHOICE = "reference/schedule/branched/choice.py"

TESTS = "tests/reference/schedule/branched/"
SPACED = ("tests/reference/schedule/branched/test_space.py",)
DRAWN = ("tests/properties/strategies/test_contractions.py",)
DOMINANCES = ("tests/reference/schedule/branched/test_dominance.py",)
SEARCHED = ("tests/reference/schedule/branched/test_search.py",)
SELECTED = ("tests/reference/schedule/branched/test_selection.py",)
STATED = ("tests/reference/schedule/branched/test_constraints.py",)
REALISED = ("tests/reference/schedule/branched/test_realisation.py",)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "space.1",
        SPACE,
        "if (loc == 1 and section.newest == 0) or (loc == last and section.newest == last):",
        "if False:",
        "temporaries are copied into others",
        SPACED,
    ),
    Mutant(
        "space.2",
        SPACE,
        "if not loops and len(parting.filling) < 2:",
        "if False:",
        "operands are copied outside all loops",
        SPACED,
    ),
    Mutant(
        "space.3",
        SPACE,
        "if not (fill & ~fused and read & ~fused) or kept",
        "if kept",
        "all loops of a side may be fused",
        SPACED,
    ),
    Mutant(
        "space.4",
        SPACE,
        "kept.bit_count() > self.memory_depth:",
        "kept.bit_count() >= self.memory_depth:",
        "temporaries have one variable at most",
        SPACED,
    ),
    Mutant(
        "space.5",
        SPACE,
        "            if fill & ~fused & self.derived:\n                continue\n",
        "",
        "loops that formats derive fill temporaries",
        DRAWN,
    ),
    Mutant(
        "space.6",
        SPACE,
        "if any(not bit & shared for bit in free):",
        "if True:",
        "prefixes need not be the longest",
        SPACED,
    ),
    Mutant(
        "space.7",
        SPACE,
        "yield from (order for order in permutations(own) if order <= order[::-1])",
        "yield tuple(own)",
        "operands stay in their order",
        SPACED,
    ),
    Mutant(
        "space.8",
        SPACE,
        "    if not contraction.commutative:\n        yield tuple(own)\n        return\n",
        "",
        "operands change places though they do not commute",
        SPACED,
    ),
    Mutant(
        "space.9",
        SPACE,
        "bit & rest and not before[bit] & rest]\n            if any",
        "bit & rest]\n            if any",
        "prefixes pass over the order of storage",
        SPACED,
    ),
    Mutant(
        "space.10",
        SPACE,
        "if not all(self.may_part(filled, other, ties) for filled, other in sides):",
        "if False:",
        "two temporaries where everything would be fused",
        DRAWN,
    ),
    Mutant(
        "space.11",
        SPACE,
        "        for key, graph in self.two_temporaries(self.whole(order)):",
        "        for key, graph in ():",
        "no two temporaries outside all loops",
        SPACED,
    ),
    Mutant(
        "contraction.1",
        CONTRACTION,
        "edges = set(self.derived_edges(loops))",
        "edges = set[Edge]()",
        "parts of blocks stand outside these",
        (f"{TESTS}test_contraction.py",),
    ),
    Mutant(
        "contraction.2",
        CONTRACTION,
        "            appended = set()\n",
        "            pass\n",
        "results that go through workspaces put loops in an order",
        DRAWN,
    ),
    Mutant(
        "contraction.3",
        CONTRACTION,
        "    while isinstance(s, Where):\n        s, path = s.consumer, (*path, 1)\n",
        "",
        "products behind copies have no branched schedules",
        (f"{TESTS}test_contraction.py",),
    ),
    Mutant(
        "contraction.4",
        CONTRACTION,
        "stored = {v: level for v, level in named if not level.full}",
        "stored = dict[str, Level]()",
        "nothing is stored sparsely",
        BRANCHED_COSTS,
    ),
    Mutant(
        "dominance.1",
        DOMINANCE,
        "if not any(each.terms for each in differences) or any(np.any(self.at(each) < 0) for each in differences):",
        "if any(np.any(self.at(each) < 0) for each in differences):",
        "equal costs dominate one another",
        DOMINANCES,
    ),
    Mutant(
        "dominance.2",
        DOMINANCE,
        "if k != n and k not in dominated",
        "if k != n",
        "what is removed removes others",
        DOMINANCES,
    ),
    Mutant(
        "dominance.3",
        DOMINANCE,
        "return all(c >= 0 for _, c in shifted.terms) or (linear and is_nonnegative_at_ends(what, known))",
        "return all(c >= 0 for _, c in shifted.terms) or is_nonnegative_at_ends(what, known)",
        "polynomials are linear",
        DOMINANCES,
    ),
    Mutant(
        "dominance.4",
        DOMINANCE,
        "for ends in (tops, bottoms)",
        "for ends in (tops,)",
        "the most that is stored decides",
        DOMINANCES,
    ),
    Mutant(
        "dominance.5",
        DOMINANCE,
        "if not better(*at) or better(-at[0], -at[1]):",
        "if not better(*at):",
        "what is worse at some sizes removes, by the authors' rule",
        DOMINANCES,
    ),
    Mutant(
        "dominance.6",
        DOMINANCE,
        "add(product(map(extent_name, kept)) for kept in cost.memory if kept)",
        "add(product(map(extent_name, kept)) for kept in cost.memory)",
        "scalars count as memory",
        DOMINANCES,
    ),
    Mutant(
        "dominance.7",
        DOMINANCE,
        "for number, depth in visited_depths(contraction, leaf) if rule is Rule.STORED else ():",
        "for number, depth in visited_depths(contraction, leaf):",
        "both rules count what is stored",
        DOMINANCES,
    ),
    Mutant(
        "poset.1",
        f"{HERE}poset.py",
        "return one != other and one[0] >= other[0] and one[1] >= other[1]",
        "return one != other and one[0] >= other[0]",
        "memory does not count in depths",
        BRANCHED_COSTS,
    ),
    Mutant(
        "search.1",
        SEARCH,
        "group(shallowest(every))",
        "group(every)",
        "depths remove nothing",
        SEARCHED,
    ),
    Mutant(
        "search.2",
        SEARCH,
        "known_sizes(found.contraction, constraints, prove)",
        "known_sizes(found.contraction, (), prove)",
        "constraints are not heard",
        SEARCHED,
    ),
    Mutant(
        "selection.1",
        SELECTION,
        "return (True, held, taken) if held >= SHARE * components else (False, taken, held)",
        "return (False, taken, held)",
        "temporaries may be larger than the cache",
        SELECTED,
    ),
    Mutant(
        "selection.2",
        SELECTION,
        "return access_cost(contraction, found, sizes), disorder(contraction, found)",
        "return 0.0, disorder(contraction, found)",
        "it does not matter how far apart neighbours are",
        SELECTED,
    ),
    Mutant(
        "constraints.1",
        CONSTRAINTS,
        "                case ast.GtE():\n                    yield Constraint(right, left)",
        "                case ast.GtE():\n                    yield Constraint(left, right)",
        "at least means at most",
        STATED,
    ),
    Mutant(
        "constraints.2",
        CONSTRAINTS,
        "        if left.degree + right.degree > DEGREE:",
        "        if False:",
        "products have any number of factors",
        STATED,
    ),
    Mutant(
        "realisation.1",
        f"{HERE}realisation.py",
        "return (*graph.loops, next_, *(v for v in rest if v != next_))",
        "return (*graph.loops, *rest)",
        "more loops are fused than a structure has",
        REALISED,
    ),
    Mutant(
        "finalists.1",
        f"{HERE}finalists.py",
        "if section.loops and isinstance(section.end, Assign):",
        "if section.loops:",
        "loops around branches run on lanes",
        (f"{TESTS}test_finalists.py",),
    ),
    Mutant(
        "finalists.2",
        f"{HERE}finalists.py",
        "if isinstance(found.graph, Branch):",
        "if True:",
        "linear nests count as branched schedules",
        (f"{TESTS}test_finalists.py",),
    ),
    Mutant(
        "products.40",
        f"{HERE}finalists.py",
        "if not all(ends_in(program, access, row) for access in reads(leaf) if row in access.indices):",
        "if False:",
        "rows of sparse operands are searched for each tile",
        MULTIPLIED,
    ),
    Mutant(
        "choice.1",
        CHOICE,
        "return self.in_order(self.sizes(operands))[0]",
        "return self.in_order(self.sizes(operands))[-1]",
        "the most work is chosen",
        MULTIPLIED,
    ),
    Mutant(
        "choice.3",
        CHOICE,
        "operand.format.levels[place.level], operand.size(place.level)",
        "operand.format.levels[place.level], operand.extents[place.level]",
        "what is stored counts as an extent",
        MULTIPLIED,
    ),
    Mutant(
        "choice.10",
        CHOICE,
        "operand.shape[place.mode]",
        "operand.shape[place.level]",
        "arrays are measured by levels",
        MULTIPLIED,
    ),
)
