"""Random schedules with settings: such as can be had for a program, and commands on what they leave."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from hypothesis import strategies as st
from msgspec.structs import replace

from ...reference.errors import GnomonError
from ...reference.schedule.application import apply_commands
from ...reference.schedule.branched.turning import directions
from ...reference.schedule.branched.unasked import choose_schedule
from ...reference.schedule.schedule import Schedule, as_schedule
from ...reference.schedule.settings import AUTO, MASK, MODES, VALUES, WORKSPACES
from ...reference.statement.statement import Program
from ...reference.storage.tensor import Tensor
from .schedules import schedules

ALWAYS = "workspaces=output"


@st.composite
def schedules_with_settings(
    draw: st.DrawFn, program: Program, operands: Mapping[str, Tensor], *, units: tuple[str, ...]
) -> Schedule:
    """Settings that a program can have, on operands by whose sizes they choose, now and then with commands behind them
    that are legal then. They shrink towards settings that choose nothing."""
    wanted = as_schedule(draw(st.sampled_from(texts(program))))
    asked = wanted if can_have(program, wanted, operands) else as_schedule(ALWAYS)
    if not draw(st.booleans()):
        return asked
    left = apply_commands(program, choose_schedule(asked, program, operands))
    drawn = draw(schedules(left, units=units, longest=3))
    whole = replace(asked, commands=drawn.schedule.commands, source=None)
    return whole if can_have(program, whole, operands) else asked


def texts(program: Program) -> list[str]:
    """Settings to draw from, such that choose nothing first: those of masks more often where something is reduced under
    one."""
    masked = bool(directions(program))
    workspaces = [f"{WORKSPACES}={each}" for each in reversed(VALUES[WORKSPACES])]
    masks = [f"{MASK}={each}" for each in VALUES[MASK]] if masked else [f"{MASK}=auto"]
    modes = [f"{MODES}={each}" for each in VALUES[MODES]]
    beside = [f"{first},{second}" for pair in product(masks, workspaces) for first, second in (pair, pair[::-1])]
    automatic = [f"{AUTO},{each}" for each in (*workspaces, *modes)]
    return [ALWAYS, *workspaces, AUTO, *masks, *modes, *(beside if masked else ()), *automatic]


def can_have(program: Program, asked: Schedule, operands: Mapping[str, Tensor]) -> bool:
    """Whether a program can have a schedule."""
    try:
        apply_commands(program, choose_schedule(asked, program, operands))
    except GnomonError:
        return False
    return True
