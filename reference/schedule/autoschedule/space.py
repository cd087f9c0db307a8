"""The search space before any heuristic (Senanayake 2020, section 6, Figure 20).

Our conventions: the outermost loops that stand directly inside one another are cut into runs in every way; each run is
left whole, split in coordinates, or split in the positions of an operand that stores it, and nothing is split twice;
the resulting loops take any order; each unit runs at most one of them, which no other unit runs: threads and lanes of a
CPU, or blocks, warps and threads of a GPU. Whether a schedule is legal is not asked.
"""

from __future__ import annotations

from itertools import product
from math import comb, factorial, perm

from ...statement.statement import Program
from .partition import Cut, Run, operands_to_count, outermost_loops, runs

CPU, GPU = 2, 3
"""How many units there are."""


def size(program: Program, units: int = CPU) -> int:
    """The number of templates without heuristics, for so many units."""
    total = 0
    for way in runs(outermost_loops(program)):
        for chosen in product(*(every_cut(program, run) for run in way)):
            loops = sum(1 + cut.split for cut in chosen)
            total += factorial(loops) * sum(comb(units, k) * perm(loops, k) for k in range(units + 1))
    return total


def every_cut(program: Program, run: Run) -> list[Cut]:
    """All that may become of a run."""
    return [Cut(run, False), Cut(run, True), *(Cut(run, True, access) for access in operands_to_count(program, run))]
