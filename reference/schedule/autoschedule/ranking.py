"""Ranking: the most promising templates first, as far as that can be told without data.

Threads that write side by side come before one thread, and that before threads that meet at components. Lanes over a
tile of coordinates come first, those over positions, which gather or scatter, last. Then: a tile that stays in
registers, because the loop around the lanes reduces into it; even shares of positions last, since they cost more than
they balance on most data; fewer commands.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...statement.statement import Program, assignments
from .arrangement import LANES, THREADS, arrangements
from .partition import outermost_loops, partitions
from .template import Purpose, Template

MOST = 2000
"""How many templates are looked at: six loops have millions."""


def templates(program: Program) -> Iterator[Template]:
    """The templates that the heuristics leave, each distinct one once, of many the first ones; the loops as they are
    where they leave none."""
    seen: set[str] = set()
    for partition in partitions(program):
        for template in arrangements(partition):
            if str(template) not in seen:
                seen.add(str(template))
                yield template
            if len(seen) == MOST:
                return
    if not seen:
        yield Template(())


def rank(program: Program) -> list[Template]:
    """The templates, most promising first."""
    return sorted(templates(program), key=lambda template: merit(program, template))


def merit(program: Program, template: Template) -> tuple[int, ...]:
    """What a template is sorted by, less being better."""
    units = {c.args[1]: c.args for c in template.commands if c.name == "parallelize"}
    threads = 1 if THREADS not in units else 0 if units[THREADS][2] == "NoRaces" else 2
    tiles = {inner for inner, purpose in template.purposes.items() if purpose is Purpose.TILE}
    lanes = 1 if LANES not in units else 0 if units[LANES][0] in tiles else 2
    positions = sum(c.name == "pos" for c in template.commands)
    return (threads, lanes, not keeps_tile(program, template), positions, len(template.commands))


def keeps_tile(program: Program, template: Template) -> bool:
    """Whether the innermost loop counts through a tile of the result, and the one around it reduces into that."""
    order = next((c.args for c in template.commands if c.name == "reorder"), outermost_loops(program))
    splits = {c.args[2]: c.args[0] for c in template.commands if c.name == "split"}
    results = {v for leaf in assignments(program.statement) for v in leaf.target.indices}
    return len(order) > 1 and splits.get(order[-1]) in results and order[-2] not in results | set(splits)
