"""Mutants of the schedule that a kernel for a GPU follows unasked, and of the parts of results that blocks append."""

from __future__ import annotations

from mutant import Mutant
from suites import BY_LANES, BY_NONZEROS

LANES, NONZEROS, GRIDS = (f"reference/schedule/autoschedule/{name}.py" for name in ("by_lanes", "by_nonzeros", "grids"))
DIVISION, RACES = "generator/threads/division.py", "reference/schedule/races.py"
DIVIDED = ("tests/generator/threads/test_division.py",)
UNASKED = ("tests/generator/cuda/test_counting.py::test_what_is_followed_unasked_fills_results",)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "grids.1",
        LANES,
        "return variable not in leaf.target.indices and program.provenance.format_relation_of(variable) is None",
        "return variable not in leaf.target.indices",
        "lanes share out the second loop over a diagonal",
        BY_LANES,
    ),
    Mutant(
        "grids.2",
        GRIDS,
        "        check(ordered)\n",
        "",
        "blocks run a loop that merges once operands are copied in order",
        BY_LANES + UNASKED,
    ),
    Mutant(
        "grids.3",
        GRIDS,
        "return after if next(sorted_operands(ordered), None) is None else None",
        "return after",
        "warps count positions of what would have to be sorted",
        UNASKED,
    ),
    Mutant(
        "grids.4",
        NONZEROS,
        "nest.variables[:count] == access.levels == target.levels[:count]",
        "nest.variables[:count] == access.levels",
        "tiles of nonzeros append what the result has not in their order",
        BY_LANES + UNASKED,
    ),
    Mutant(
        "grids.5",
        RACES,
        "for access in reads(without_copies(program)))",
        "for access in reads(program.statement))",
        "what a copy is made of has duplicates in the way of tiles",
        UNASKED,
    ),
    Mutant(
        "grids.9",
        GRIDS,
        "    elif comes_to_each_once(program, nest):\n",
        "    else:\n",
        "tiles of nonzeros append pieces of a component, one for each duplicate of another operand",
        UNASKED,
    ),
    Mutant(
        "grids.10",
        GRIDS,
        "    read = as_read_on_device(program)\n",
        "    read = program\n",
        "duplicates that a copy puts together keep tiles of nonzeros from appending",
        BY_NONZEROS,
    ),
    Mutant(
        "grids.8",
        GRIDS,
        "return with_ordered_copies(with_bitmaps(program))",
        "return with_ordered_copies(program)",
        "workspaces stay tables, which no kernel can put in order",
        UNASKED,
    ),
    Mutant(
        "grids.6",
        DIVISION,
        "return any(takes_tiles(region, split.outer) for split in graph.splits(variable))",
        "return False",
        "one thread appends the rows of all blocks",
        DIVIDED,
    ),
    Mutant(
        "grids.7",
        DIVISION,
        "return any(takes_tiles(region, split.outer) for split in graph.splits(variable))",
        "return any(takes_tiles(region, v) for split in graph.splits(variable) for v in (split.outer, split.inner))",
        "threads share out the few rows within a block",
        DIVIDED,
    ),
)
