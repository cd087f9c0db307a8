"""Partitions of an iteration space by collapse, pos and split (Senanayake 2020, section 6.1).

The outermost loops that stand directly inside one another are cut into runs. A run of several loops is collapsed, which
is worth it only if what is collapsed into the outer one is compressed, and is then always split. A run of one may be
split: in coordinates where it is dense, in positions where it is compressed. Nothing is split twice, blocks of a format
not even once.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from msgspec import Struct

from ...errors import ScheduleError
from ...levels.level import Level
from ...notation.syntax import Access
from ...statement.iteration_graph import is_random_access
from ...statement.relation import Split
from ...statement.statement import Forall, Program, Statement, reads
from ..command import Command
from ..commands import run
from ..legality import check
from ..nests import fresh_name

Run = tuple[str, ...]


class Cut(Struct, frozen=True):
    """What is to become of a run: split in the positions of an access, in coordinates, or left whole."""

    run: Run
    split: bool
    access: Access | None = None


class Partition(Struct, frozen=True):
    """Commands that partition an iteration space, the program after them, and the parts of what they split."""

    commands: tuple[Command, ...]
    program: Program
    splits: tuple[tuple[str, str], ...]

    @property
    def loops(self) -> Run:
        """The outermost loops."""
        return outermost_loops(self.program)


def outermost_loops(program: Program) -> Run:
    """The variables of the outermost loops that stand directly inside one another."""
    found: list[str] = []
    s: Statement = program.statement
    while isinstance(s, Forall):
        found.append(s.index)
        s = s.body
    return tuple(found)


def runs(variables: Run) -> Iterator[tuple[Run, ...]]:
    """The ways to cut variables into runs.

    >>> [" ".join("".join(run) for run in way) for way in runs(("i", "j", "k"))]
    ['i j k', 'i jk', 'ij k', 'ijk']
    """
    if not variables:
        yield ()
    for size in range(1, len(variables) + 1):
        for rest in runs(variables[size:]):
            yield (variables[:size], *rest)


def is_compressed(program: Program, variable: str) -> bool:
    """Whether some operand has a level at a variable that must be iterated below its parent."""
    formats = program.formats
    return any(
        not is_dense(level)
        for access in reads(program.statement)
        for level, v in zip(formats[access.tensor].levels, access.levels, strict=True)
        if v == variable
    )


def is_dense(level: Level) -> bool:
    """Whether a level holds every coordinate, and finds it."""
    return level.full and is_random_access(level)


def is_dense_tensor(program: Program, name: str) -> bool:
    """Whether a tensor stores every component."""
    return all(map(is_dense, program.formats[name].levels))


def operands_to_count(program: Program, run_: Run) -> list[Access]:
    """The operands that store a run of variables in consecutive levels, not all dense: their positions may be
    counted."""
    formats, found = program.formats, []
    for access in reads(program.statement):
        starts = range(len(access.levels) - len(run_) + 1)
        first = next((k for k in starts if access.levels[k : k + len(run_)] == run_), None)
        levels = () if first is None else formats[access.tensor].levels[first : first + len(run_)]
        if not all(map(is_dense, levels)):
            found.append(Access(access.tensor, access.indices))
    return list(dict.fromkeys(found))


def cuts(program: Program, run_: Run) -> list[Cut]:
    """What may become of a run, by the heuristics."""
    by_position = [Cut(run_, True, access) for access in operands_to_count(program, run_)]
    if any(isinstance(program.provenance.format_relation_of(v), Split) for v in run_):
        return [Cut(run_, False)] if len(run_) == 1 else []
    if len(run_) > 1:
        return by_position if all(is_compressed(program, v) for v in run_[1:]) else []
    in_coordinates = [] if is_compressed(program, run_[0]) else [Cut(run_, True)]
    return [Cut(run_, False), *in_coordinates, *by_position]


def partitions(program: Program) -> Iterator[Partition]:
    """The partitions that the heuristics leave and that are legal."""
    for way in runs(outermost_loops(program)):
        for chosen in product(*(cuts(program, run_) for run_ in way)):
            try:
                yield partition(program, chosen)
            except ScheduleError:
                continue


def partition(program: Program, chosen: tuple[Cut, ...]) -> Partition:
    """The partition by some cuts. Raises ScheduleError if it is not legal."""
    found = Partition((), program, ())
    for cut in chosen:
        found = with_cut(found, cut)
    check(found.program)
    return found


def with_cut(found: Partition, cut: Cut) -> Partition:
    """A partition with one more cut."""
    commands, program, splits = list(found.commands), found.program, found.splits

    def step(name: str, *args: str | int | Access) -> None:
        nonlocal program
        command = Command(name, args)
        program = run(command, program)
        commands.append(command)

    variable = cut.run[0]
    for inner in cut.run[1:]:
        fused = fresh_name(program, "f")
        step("collapse", variable, inner, fused)
        variable = fused
    if cut.access is not None:
        position = fresh_name(program, "p")
        step("pos", variable, position, cut.access)
        variable = position
    if cut.split:
        outer, inner = fresh_name(program, f"{variable}0"), fresh_name(program, f"{variable}1")
        step("split", variable, outer, inner, 2)
        splits = (*splits, (outer, inner))
    return Partition(tuple(commands), program, splits)
