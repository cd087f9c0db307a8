"""Sources: what a kernel is generated from, which is known before anything is generated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from .storage.layout import Layout

if TYPE_CHECKING:
    from ..reference.statement.statement import Program
    from ..reference.statement.tags import Target
    from .ir.vocabulary import Purpose

SHARING = "dynamic, gn_chunk"
PHASES: tuple[Purpose, ...] = ("assemble", "compute")
MODES: tuple[Purpose, ...] = (*PHASES, "evaluate")
IN_PLACE: Purpose = "update"
AT_ONCE: tuple[Purpose, ...] = ("evaluate", IN_PLACE)
"""The functions that give a whole result: in new memory, or in the memory of the previous contents."""


class Source(Struct, frozen=True):
    """What a kernel is generated from: a program, the layout of every operand and of the result, the text it came from.

    `wide` workspaces have 64-bit indices. `operands` names the operands in the order of the parameters, the previous
    contents of the result under its own name. `depends`: the extents that the program was built from, by operand and
    mode. `coordinates`: the operands that hold those of an index variable. `sharing`: how OpenMP schedules loops on
    threads. `checks`: integers that overflow are reported. `target`: what runs loops that are run in parallel.
    """

    program: Program
    layouts: Mapping[str, Layout]
    operands: tuple[str, ...]
    title: str
    wide: bool = False
    depends: tuple[tuple[str, int], ...] = ()
    coordinates: frozenset[str] = frozenset()
    sharing: str = SHARING
    checks: bool = True
    target: Target = "c"

    @property
    def works_in_place(self) -> bool:
        """Whether the result can go on where its previous contents are: it begins as these, and is laid out alike."""
        program = self.program
        return program.continues and self.layouts[program.result] == self.layouts[program.previous]

    @property
    def modes(self) -> tuple[Purpose, ...]:
        """The functions that the kernel has."""
        return (*MODES, IN_PLACE) if self.works_in_place and self.target == "c" else MODES
