"""Vocabularies: what names stand for that no text of a program defines."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from .fault import Where
from .frame import Value
from .library import LIBRARY, Routine

Word = Callable[[list[Value], Where], Value]


class Vocabulary(Struct, frozen=True):
    """Functions of libraries, words that are compiled in place, and structs that say who a thread is."""

    routines: Mapping[str, Routine]
    word: Callable[[str], Word | None] = lambda name: None
    indices: tuple[str, ...] = ()


PLAIN = Vocabulary(LIBRARY)
