"""Settings: what a schedule says of choices that nobody has made, before its commands.

| setting | what is chosen |
|---|---|
| `mask=push`, `mask=pull` | loops in whose order a mask is asked, or visited (`branched/turning.py`) |
| `mask=auto` | one of both, by the sizes of operands (`branched/directions.py`) |
| `workspaces=none` | nothing is copied, and loops visit the result in storage order (`direct.py`) |
| `workspaces=output` | workspaces for the result and its mask alone, as without a setting |
| `workspaces=both` | copies of inputs, too, by the sizes of operands (`branched/inputs.py`) |
| `modes=flat` | workspaces over several modes have one instead, in an accumulator (`flat.py`) |
| `modes=nested` | they have a table for each mode |
| `auto` | all that a kernel does unasked: `mask=auto,workspaces=both`, products taken apart, tiles, threads, … |

What a setting chooses is commands (`branched/unasked.py`), which those of the schedule follow.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from ..algebra.scalars import abbreviate
from ..errors import ScheduleError
from ..noted import Noted
from ..span import Span

AUTO, MASK, MODES, WORKSPACES = "auto", "mask", "modes", "workspaces"


class Direction(StrEnum):
    """How a mask meets what it masks: it is asked, or visited."""

    PUSH = "push"
    PULL = "pull"
    AUTO = "auto"


class Workspaces(StrEnum):
    """Who may get workspaces that no command makes."""

    NONE = "none"
    OUTPUT = "output"
    BOTH = "both"


class Modes(StrEnum):
    """How a workspace over several modes finds a component: by one coordinate after the other, or by all at once."""

    NESTED = "nested"
    FLAT = "flat"


VALUES: dict[str, tuple[str, ...]] = {MASK: tuple(Direction), MODES: tuple(Modes), WORKSPACES: tuple(Workspaces)}


class Setting(Noted, frozen=True):
    """A setting's name and value, and where it stands in a schedule's text; `auto` has no value."""

    notes = frozenset({"span"})

    name: str
    value: str = ""
    span: Span | None = None

    def __str__(self) -> str:
        return f"{self.name}={self.value}" if self.value else self.name


Settings = tuple[Setting, ...]
NO_WORKSPACES = Setting(WORKSPACES, Workspaces.NONE)
FLAT_MODES = Setting(MODES, Modes.FLAT)


def make_setting(name: str, value: str) -> Setting:
    """A setting of a value. Raises ScheduleError for a value that it does not have."""
    if not isinstance(value, str) or value not in VALUES[name]:
        raise ScheduleError(
            f"{name} has no value {abbreviate(value)}",
            hint=f"write one of {', '.join(VALUES[name])}",
            rule="schedule.settings",
        )
    return Setting(name, value)


def is_automatic(settings: Settings) -> bool:
    """Whether everything is chosen that no other setting tells."""
    return any(each.name == AUTO for each in settings)


def find_setting(settings: Settings, name: str) -> Setting | None:
    """The setting of a name, if there is one."""
    return next((each for each in settings if each.name == name), None)


def workspaces_of(settings: Settings) -> Workspaces:
    """Who may get workspaces."""
    told = find_setting(settings, WORKSPACES)
    if told is None:
        return Workspaces.BOTH if is_automatic(settings) else Workspaces.OUTPUT
    return Workspaces(told.value)


def direction_of(settings: Settings) -> Direction | None:
    """The direction of masks; None if they keep that of the loops as they are."""
    told = find_setting(settings, MASK)
    if told is None:
        return Direction.AUTO if is_automatic(settings) else None
    return Direction(told.value)


def modes_of(settings: Settings) -> Modes | None:
    """How workspaces over several modes find a component; None if that is to be chosen."""
    told = find_setting(settings, MODES)
    if told is None:
        return None if is_automatic(settings) else Modes.NESTED
    return Modes(told.value)


def find_repetition(settings: Iterable[Setting]) -> Setting | None:
    """The first setting of a name that an earlier one has; None if there is none."""
    seen = set[str]()
    for each in settings:
        if each.name in seen:
            return each
        seen.add(each.name)
    return None
