"""Ranking: the most promising templates first, by what they are likely to cost, as far as that can be told without
data.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...statement.statement import Program
from .arrangement import arrangements
from .cost import cost
from .partition import partitions
from .template import Template

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
    """The templates, the most promising first; of those that cost the same, those of fewer commands."""
    return sorted(templates(program), key=lambda template: (cost(program, template), len(template.commands)))
