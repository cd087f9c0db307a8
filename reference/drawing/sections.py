"""The sections of a branched statement as text: a line each, with the path that leads there (SparseAuto, section 4)."""

from __future__ import annotations

from ..schedule.application import legal
from ..schedule.path import print_path
from ..schedule.schedule import Schedule
from ..schedule.section import Section, sections
from ..statement.staging import dissolve
from ..statement.statement import Assign, Forall, Program, Sequence, Where, show


def branched_graph(program: Program) -> str:
    """The branched iteration graph of a program, as commands see it: without the workspace that its result is assembled
    through."""
    return "\n".join(map(line, sections(dissolve(program).statement)))


def line(section: Section) -> str:
    """A section: its path, its loops, and what they enclose."""
    head = [print_path(section.path), *(f"∀{loop.index}{tags(loop)}" for loop in section.loops)]
    match section.end:
        case Where(workspace=workspace):
            head.append(f"where {workspace}")
        case Sequence():
            head.append("in order")
        case Assign() | Forall() as leaf:
            head.append(show(leaf))
    return "  " * len(section.path) + " ".join(head)


def tags(loop: Forall) -> str:
    """What a schedule says about a loop."""
    return f"[{', '.join(map(str, loop.tags))}]" if loop.tags else ""


def steps(program: Program, schedule: Schedule) -> list[tuple[str, Program]]:
    """The program before a schedule and after each of its commands, each with what was done."""
    found = [("before", program)]
    for number, command in enumerate(schedule.commands, 1):
        program = legal(command, program)
        found.append((f"{command}{', chosen' if number <= schedule.chosen else ''}", program))
    return found
