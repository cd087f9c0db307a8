"""The search space before any heuristic (Senanayake 2020, section 6, Figure 20).

Our conventions: the outermost loops that stand directly inside one another are cut into runs in every way; each run is
left whole, split in coordinates, or split in the positions of an operand that stores it, and nothing is split twice;
the resulting loops take any order; at most one of them runs on threads and at most one other on lanes. Whether a
schedule is legal is not asked.
"""

from __future__ import annotations

from itertools import product
from math import factorial

from ...statement.statement import Program
from .partition import Cut, Run, operands_to_count, outermost_loops, runs


def size(program: Program) -> int:
    """The number of templates without heuristics."""
    total = 0
    for way in runs(outermost_loops(program)):
        for chosen in product(*(every_cut(program, run) for run in way)):
            loops = sum(1 + cut.split for cut in chosen)
            total += factorial(loops) * (loops * loops + loops + 1)
    return total


def every_cut(program: Program, run: Run) -> list[Cut]:
    """All that may become of a run."""
    return [Cut(run, False), Cut(run, True), *(Cut(run, True, access) for access in operands_to_count(program, run))]
