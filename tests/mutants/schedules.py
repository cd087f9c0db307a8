"""Mutants of scheduled execution: exact windows, sizes, visits, what is compared and what counts as a finding."""

from __future__ import annotations

from mutant import Mutant

EXACTNESS = "reference/exactness.py"
EXACT = ("tests/reference/test_exactness.py", "tests/generator/test_spaces.py")

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "schedule.1",
        EXACTNESS,
        "known = variable == outer or graph.is_derivable(outer, around)",
        "known = True",
        "the inner one of collapsed variables is taken to be narrowed before the outer one is known",
        EXACT,
    ),
    Mutant(
        "schedule.2",
        EXACTNESS,
        "return is_exact(graph, loop, bound[: bound.index(loop)], narrowed)",
        "return is_exact(graph, loop, [v for v in bound if v != loop], narrowed)",
        "a window is taken to be made of what only loops inside it give",
        EXACT,
    ),
    Mutant(
        "schedule.3",
        EXACTNESS,
        "now = [v for v in bound if follows(graph, v, bound) and not (v in before and follows(graph, v, before))]",
        "now = []",
        "nothing is compared where a window holds what belongs elsewhere",
        EXACT,
    ),
    Mutant(
        "schedule.6",
        EXACTNESS,
        "now = [v for v in bound if follows(graph, v, bound) and not (v in before and follows(graph, v, before))]",
        "now = [v for v in before if follows(graph, v, bound) and not follows(graph, v, before)]",
        "a part of a split is not compared where the loop that completes its parent brings it along",
        EXACT,
    ),
    Mutant(
        "schedule.4",
        EXACTNESS,
        "return open_ and is_exact(graph, outer, around, narrowed)",
        "return is_exact(graph, outer, around, narrowed)",
        "a range of tiles is taken to be exact although the loop inside the tiles stands outside",
        EXACT,
    ),
    Mutant(
        "schedule.5",
        EXACTNESS,
        "return use in narrowed and is_exact(graph, position, around, narrowed)",
        "return is_exact(graph, position, around, narrowed)",
        "positions are taken to be kept to by loops that do not walk them",
        EXACT,
    ),
)
