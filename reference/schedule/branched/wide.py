"""Wide workspaces: those over several modes, how they may find a component, and the work of that.

Nested tables are found one in another, and are all as wide as the fullest one. A flat workspace (`../flat.py`) is one
accumulator over all places, of which there may be many more than anything is stored at: sizes decide.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from functools import reduce
from operator import mul
from typing import NamedTuple

from ...errors import ScheduleError
from ...statement.statement import Program, assignments, reads
from ..application import settle
from ..command import Command
from ..schedule import Schedule
from ..settings import FLAT_MODES, Modes, Settings
from .choice import Finalist
from .expectation import Term
from .merging import Sizes
from .multiplications import multiplications
from .work import Counted, Work

MULTIPLIED, FLAT, PARTED, STAGED, SLOTS, PLACE = 1, 10, 20, 100, 16, 1
"""The work of a multiplication into a row of the result, into a flat workspace, and into a nested one of two modes, for
a part of the result or all of it, where a step of a merge is 1; that of the slots of a table for each coordinate that
it holds, and of a place of a flat workspace."""


class Way(NamedTuple):
    """How workspaces over several modes find a component: the settings that say so, and the program then."""

    settings: Settings
    program: Program

    def finalist(self, commands: tuple[Command, ...], structure: str, work: Work) -> Finalist:
        """The finalist of some commands, with workspaces that find components so."""
        told = ", ".join((structure, *(str(each) for each in self.settings)))
        return Finalist(Schedule(commands, settings=self.settings), told, work)


def ways_of(program: Program, modes: Modes | None) -> Iterator[Way]:
    """How workspaces over several modes may find components: as they are, and flat, where that is not told."""
    yield Way((), program)
    if modes is None and wide_workspaces(program):
        try:
            flat = settle(program, Schedule(settings=(FLAT_MODES,)))
        except ScheduleError:
            return
        if wide_workspaces(flat) < wide_workspaces(program):
            yield Way((FLAT_MODES,), flat)


def wide_workspaces(program: Program) -> Counter[str]:
    """The workspaces that have more than one mode, each with how many more."""
    return Counter({each.name: len(each.shape) - 1 for each in program.workspaces if len(each.shape) > 1})


def product_work(program: Program, sizes: Sizes) -> Iterator[Counted]:
    """The work of the multiplications of each assignment, which go into rows of the result or to workspaces of several
    modes: one table further for each mode more, and each as wide as the longest fiber that goes there."""
    wide, modes = wide_workspaces(program), result_modes(program)
    places = list(flat_places(program, sizes))
    narrow = FLAT if places else MULTIPLIED
    work = max((more * (STAGED if more + 1 >= modes else PARTED) for more in wide.values()), default=narrow)
    yield from ((PLACE, each) for each in places)
    longest = [sizes.longest(v) for v in last_modes(program, wide)]
    for leaf in assignments(sizes.program.statement):
        for met in multiplications(leaf.value, sizes):
            yield work, met
            yield from ((SLOTS, met * each) for each in longest if each != Term())


def flat_places(program: Program, sizes: Sizes) -> Iterator[Term]:
    """How many places each workspace has whose mode stands for several."""
    for access in reads(program.statement):
        for variable in access.indices if access.tensor in program.workspace else ():
            originals = program.provenance.originals(variable)
            if len(originals) > 1:
                yield reduce(mul, map(sizes.extent, originals))


def last_modes(program: Program, workspaces: Collection[str]) -> tuple[str, ...]:
    """The variables of the last modes of some workspaces, as these are stored, which may be in blocks."""
    targets = (leaf.target for leaf in assignments(program.statement) if leaf.target.tensor in workspaces)
    return tuple(dict.fromkeys(a.indices[program.workspace[a.tensor].format.last_mode] for a in targets))


def result_modes(program: Program) -> int:
    """How many modes the result has."""
    targets = (leaf.target for leaf in assignments(program.statement))
    return next(len(target.indices) for target in targets if target.tensor == program.result)
