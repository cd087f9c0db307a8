"""Origins: by which rule a workspace that no command makes came in (COMET, section IV)."""

from __future__ import annotations

from enum import StrEnum

from ..statement.statement import Program
from .schedule import Schedule


class Origin(StrEnum):
    """Why there is a workspace that nobody has asked for."""

    RESULT = "the result is not visited in its storage order, so that it is assembled in this workspace"
    MASK = "a copy of the mask, which pushes: each coordinate is found at once, as in a bitmap"
    INPUT = "a copy of an input, which a setting has chosen"
    PART = "a part of the product, which a setting has chosen to compute first"


def origins(program: Program, schedule: Schedule) -> dict[str, Origin]:
    """Why there are workspaces in a program by a schedule that is worked out, by their names: for those that no command
    of a user makes, and that the statement does not have by itself."""
    found = dict.fromkeys(program.copies, Origin.MASK)
    if program.staging is not None:
        found[program.staging.name] = Origin.RESULT
    kinds = {"precompute": Origin.INPUT, "loopfuse": Origin.PART}
    for command in schedule.commands[: schedule.chosen]:
        if command.name in kinds:
            found |= {str(name): kinds[command.name] for name in command.args if name in program.workspace}
    return found
