"""Analysis: what levels choose before anything is stored, with all components at hand (rule `level.analyse`)."""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct

from ..algebra.scalars import abbreviate
from ..errors import StorageError
from ..levels.level import Indices, Level
from .format import Format, interleaving
from .hierarchy import EXTENT


class Components(Struct, frozen=True):
    """Components in storage order: level coordinates (one array a level), values, level extents, shared arrays."""

    levels: tuple[Indices, ...]
    values: np.ndarray
    shape: tuple[int, ...]
    extents: tuple[int, ...]
    shared: dict[str, Indices]
    duplicates: bool


def analyse_level(
    format: Format, k: int, found: Components, shared: dict[str, Indices], parents: Indices, count: int
) -> tuple[Level, dict[str, Any]]:
    """Level `k` bound to extents, shared arrays and what its `analyse` chooses; and its own arrays and parameters."""
    level = format.levels[k]
    roles = level.roles()
    for name, role in roles.items():
        if role == "shared":
            shared.setdefault(name, np.zeros(0, np.int64))
    own: dict[str, Any] = {
        name: 0 if role == "parameter" else np.zeros(0, np.int64)
        for name, role in roles.items()
        if role in ("array", "parameter")
    }
    own |= interleaving(format, k)
    given = {"N": found.extents[k], "M": found.extents[k + 1] if k + 1 < len(found.extents) else 0}
    bound = level.bind({**shared, **own, **given})
    chosen = bound.analyse(parents, found.levels[: k + 1], count)
    own |= {name: whole_parameter(level, name, v) if roles[name] == "parameter" else v for name, v in chosen.items()}
    return level.bind({**shared, **own, **given}) if chosen else bound, own


def whole_parameter(level: Level, name: str, chosen: Any) -> int:
    """What a level has chosen for a parameter. Raises StorageError unless that is a whole number, 0 or more."""
    if not isinstance(chosen, int | np.integer) or not 0 <= chosen <= EXTENT:
        raise StorageError(
            f"a {level.name} level chooses {abbreviate(chosen)} for {name}",
            hint=f"parameters are whole numbers from 0 to {EXTENT}",
            rule="level.own",
        )
    return int(chosen)
