"""The trace of an execution: the executable cost semantics."""

from __future__ import annotations

from collections import Counter
from typing import Any

from msgspec import Struct, field

from ..levels.level import Level
from ..schedule.origin import Origin
from .contributions import Contributions

LEVEL_FUNCTIONS = ("coord_bounds", "coord_access", "pos_bounds", "pos_access", "locate")


class Trace(Struct):
    """What an execution did.

    `iterations`: loop variable to the number of coordinates its loops visited. `calls`: `"A2.pos_access"` to the number
    of calls of that level function on level 2 of tensor A. `workspaces`: name to the number of components of the
    largest instance. `origins`: why there is a workspace that nobody has asked for. `stores`: tensor to the number of
    contributions written to it. If asked for, `visits`: target, original coordinates and positions to the number of
    contributions; `path`: the loops' values at each, in order; `contributions`: what every component is made of,
    through workspaces.
    """

    iterations: Counter[str] = field(default_factory=Counter)
    calls: Counter[str] = field(default_factory=Counter)
    stores: Counter[str] = field(default_factory=Counter)
    workspaces: dict[str, int] = field(default_factory=dict)
    origins: dict[str, Origin] = field(default_factory=dict)
    visits: Counter[Any] | None = None
    path: list[dict[str, int]] | None = None
    contributions: Contributions | None = None

    def instrument(self, level: Level, name: str) -> Level:
        """A copy of a bound level whose level functions count their calls under `name`."""
        copied = level.bind({role: getattr(level, role) for role in level.roles()})
        for function in LEVEL_FUNCTIONS:
            if hasattr(level, function):
                object.__setattr__(copied, function, self.count_calls(getattr(level, function), f"{name}.{function}"))
        return copied

    def count_calls(self, function: Any, key: str) -> Any:
        """A level function that counts its calls."""
        calls = self.calls

        def call(*args: Any) -> Any:
            calls[key] += 1
            return function(*args)

        return call
