"""Terms with notes: fields that are no part of a term's meaning, such as its place in a text."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import Any, ClassVar

from msgspec import Struct


class Noted(Struct, frozen=True, eq=False):
    """A term whose `notes` equality, hash and repr do not see.

    >>> class Named(Noted, frozen=True):
    ...     name: str
    ...     line: int = 0
    ...     notes = frozenset({"line"})
    >>> Named("x", 1) == Named("x", 2), Named("x") == Named("y"), Named("x", 3)
    (True, False, Named(name='x'))
    """

    notes: ClassVar[frozenset[str]]

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        told = parts_of(type(self))
        return bool(told(self) == told(other))

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(parts_of(type(self))(self))

    def __repr__(self) -> str:
        parts = (f"{name}={getattr(self, name)!r}" for name in names_of(type(self)))
        return f"{type(self).__name__}({', '.join(parts)})"


def names_of(kind: type[Noted]) -> tuple[str, ...]:
    """The fields of a kind of terms that are not notes."""
    return tuple(name for name in kind.__struct_fields__ if name not in kind.notes)


@cache
def parts_of(kind: type[Noted]) -> Callable[[Any], tuple[Any, ...]]:
    """The function that gives what terms of a kind are compared by: a tuple, in which a NaN equals itself."""
    first, *more = names_of(kind)
    return attrgetter(first, *more) if more else lambda term: (getattr(term, first),)
