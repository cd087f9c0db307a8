"""Alone: what the first thread of a group does for all of them, where nothing inside is shared out.

What goes to accumulators of the group all of its threads compute instead, each its own copy.
"""

from __future__ import annotations

from ...reference.statement.statement import Statement, assignments, foralls
from ..scope.env import Env
from .sizes import unit_of


def is_for_one(s: Statement, env: Env) -> bool:
    """Whether one thread of the group here runs a statement, since it only stores in memory."""
    if env.teams.group is None or any(unit_of(loop) for loop in foralls(s)):
        return False
    return not any(a.target.tensor in env.target.cells or a.target.tensor in env.target.marks for a in assignments(s))
