"""Sections: the unbranched pieces of a branched iteration graph, and the paths that lead to them (SparseAuto, 4).

A section is what loops that stand directly inside one another enclose: an assignment, or a branch, from which further
sections go on. A path names a section by the branch taken at each step from the root: at a workspace 0 is what fills it
(the producer) and 1 what reads it (the consumer); of statements in order, each has its number.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from ..errors import ScheduleError
from ..statement.statement import Assign, Forall, Sequence, Statement, Where
from .path import Path, print_path


class Section(Struct, frozen=True):
    """Loops directly inside one another, what they enclose, and the loops around them, outer ones first."""

    path: Path
    around: tuple[Forall, ...]
    loops: tuple[Forall, ...]
    end: Statement

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables of its loops."""
        return tuple(loop.index for loop in self.loops)


def peel_loops(s: Statement) -> tuple[list[Forall], Statement]:
    """The directly nested loops from here inward, and what they enclose."""
    chain: list[Forall] = []
    while isinstance(s, Forall):
        chain.append(s)
        s = s.body
    return chain, s


def in_loops(loops: tuple[Forall, ...], body: Statement) -> Statement:
    """Loops, with their tags, around another body."""
    for loop in reversed(loops):
        body = replace(loop, body=body)
    return body


def branches(s: Statement) -> tuple[Statement, ...]:
    """What a statement branches into, in the order in which it runs: producer and consumer, or one after the other."""
    match s:
        case Where(consumer=consumer, producer=producer):
            return producer, consumer
        case Sequence(statements=statements):
            return statements
        case Assign() | Forall():
            return ()


def with_branch(s: Statement, number: int, branch: Statement) -> Statement:
    """A statement with another branch in the place of one."""
    every = tuple(branch if n == number else each for n, each in enumerate(branches(s)))
    match s:
        case Where():
            return replace(s, producer=every[0], consumer=every[1])
        case Sequence():
            return Sequence(every)
        case Assign() | Forall():
            return s


def sections(s: Statement, path: Path = (), around: tuple[Forall, ...] = ()) -> Iterator[Section]:
    """The sections of a statement, those around others first, producers before consumers."""
    own, end = peel_loops(s)
    yield Section(path, around, tuple(own), end)
    for number, branch in enumerate(branches(end)):
        yield from sections(branch, (*path, number), (*around, *own))


def outermost_nests(s: Statement) -> Iterator[Section]:
    """The sections with loops that no other loops are around."""
    return (section for section in sections(s) if section.loops and not section.around)


def section_at(s: Statement, path: Path) -> Section:
    """The section to which a path leads. Raises ScheduleError if it leads nowhere."""
    there = {section.path: section for section in sections(s)}
    if path in there:
        return there[path]
    known = max((p for p in there if path[: len(p)] == p), key=len)
    section = there[known]
    ways = len(branches(section.end))
    raise ScheduleError(
        f"the path {print_path(path)} leads nowhere: "
        + (
            f"at {print_path(known)} the ways on are {' and '.join(map(str, range(ways)))}"
            if ways
            else f"the section {print_path(known)} ends in an assignment"
        ),
        hint=f"the sections are {', '.join(map(print_path, there))}; gnomon show draws them",
        rule="schedule.path",
    )


def assignment_of(section: Section) -> Assign:
    """The assignment in which a section ends. Raises ScheduleError if it branches."""
    match section.end:
        case Assign() as leaf:
            return leaf
        case end:
            ways = [print_path((*section.path, n)) for n in range(len(branches(end)))]
            raise ScheduleError(
                f"the section {print_path(section.path)} computes nothing itself: it branches",
                hint=f"go on to {' or '.join(ways)}",
                rule="schedule.path",
            )


def loops_since_allocation(s: Statement, section: Section, name: str) -> tuple[Forall, ...]:
    """The loops around a section that run while one instance of a tensor is filled: all of them for what outlives the
    statement, for a workspace those inside its producer."""
    for depth in range(len(section.path)):
        above = section_at(s, section.path[:depth])
        if isinstance(above.end, Where) and above.end.workspace == name:
            return section.around[len(above.around) + len(above.loops) :]
    return section.around


def with_section(s: Statement, path: Path, made: Statement) -> Statement:
    """A statement with another one in the place of the section at a path and all that it leads to."""
    if not path:
        return made
    own, end = peel_loops(s)
    branch = with_section(branches(end)[path[0]], path[1:], made)
    return in_loops(tuple(own), with_branch(end, path[0], branch))
