"""Level formats of users: what is refused of them where a format is made, before any tensor is (rule `level.own`)."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import fields
from functools import cache

from ..errors import CompileError, FormatError
from .level import Level
from .restricted import functions_of, own_of, parse_level_function
from .restricted_calls import Own, calls, depth
from .restricted_kinds import PATH, parameter_kinds

EXTENTS = ("N", "M")
WITH_OWN = ("coord_access", "locate")
"""The level functions whose path ends with the coordinate of the level itself."""


def check_own(level: Level) -> None:
    """Refuse a level format whose extents have other names than N and M, or one of whose functions is in the grammar,
    with all that it calls, but is not what runs alike everywhere. Of what the grammar lacks, Python alone knows what it
    does: that is left to whoever needs the text. Raises FormatError or CompileError."""
    check_kind(type(level))  # type: ignore[arg-type]  # classes are hashable, whatever their instances are


def levels_above(level: Level) -> int:
    """How many levels must stand above one of a format for the coordinates that its functions take."""
    return deepest_path(type(level))  # type: ignore[arg-type]


@cache
def check_kind(kind: Hashable) -> None:
    """As `check_own`, once for each class."""
    assert isinstance(kind, type) and issubclass(kind, Level)
    for f in fields(kind):
        if (f.name in EXTENTS) != (f.metadata.get("role") == "extent"):
            raise FormatError(
                f"the field {f.name} of {kind.name} levels is {'no extent' if f.name in EXTENTS else 'an extent'}",
                hint="N and M are the extents of the level and of the next one; give other fields other names",
                rule="level.own",
            )
    for name in functions_in_grammar(kind):
        parse_level_function(kind, name)


@cache
def deepest_path(kind: Hashable) -> int:
    """As `levels_above`, once for each class."""
    assert isinstance(kind, type) and issubclass(kind, Level)
    own = own_of(kind)
    texts = [own.function(name) for name in functions_in_grammar(kind)]
    paths = [(f, name) for f in texts for name, each in parameter_kinds(f, own).items() if each == PATH]
    return max((depth(f, name, own) - (f.name in WITH_OWN) for f, name in paths), default=0)


def functions_in_grammar(kind: type[Level]) -> tuple[str, ...]:
    """The level functions of a format that the grammar has, with all that they call."""
    own = own_of(kind)
    return tuple(name for name in functions_of(kind) if is_in_grammar(own, name, frozenset()))


def is_in_grammar(own: Own, name: str, within: frozenset[str]) -> bool:
    """Whether the grammar has a function of a level and all that it calls."""
    try:
        found = own.function(name)
    except CompileError:
        return False
    others = {call.function for call in calls(found)} - within - {name}
    return all(is_in_grammar(own, other, within | {name}) for other in others)
