"""Scopes: what a name stands for where code is compiled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from .declarations import Declared
from .fault import Where
from .frame import FIRST, Variable
from .function import Function
from .residence import Key
from .source import Unit
from .types import Type
from .vocabulary import Vocabulary


class Scope:
    """Where code is compiled: what the program declares, the file, the names around.

    `watched` code tells teams what it reaches; variables that are `resident` live in memory.
    """

    def __init__(
        self,
        types: Declared,
        functions: Mapping[str, Function],
        unit: Unit,
        watched: bool,
        resident: frozenset[Key],
        vocabulary: Vocabulary,
    ) -> None:
        self.types, self.functions, self.unit = types, functions, unit
        self.watched, self.resident, self.vocabulary = watched, resident, vocabulary
        self.names: list[dict[str, Variable]] = [{}]
        self.slots = FIRST
        self.here = unit.where(0)
        self.result: Type | None = None

    def declare(
        self, name: str, type: Type, key: Key, *, certain: bool, memory: bool = False, shared: bool = False
    ) -> Variable:
        """A new variable of the innermost scope."""
        made = Variable(name, self.slots, type, memory or key in self.resident, certain, shared)
        self.slots += 1
        self.names[-1][name] = made
        return made

    def temporary(self) -> int:
        """A slot without a name."""
        self.slots += 1
        return self.slots - 1

    def find(self, name: str) -> Variable | None:
        """The variable that a name stands for."""
        return next((scope[name] for scope in reversed(self.names) if name in scope), None)

    @contextmanager
    def inner(self) -> Iterator[dict[str, Variable]]:
        """A scope inside; what is declared there."""
        self.names.append({})
        yield self.names[-1]
        self.names.pop()

    def where(self, node: Any) -> Where:
        """The line of a node, or of the last that had one."""
        if node.coord is not None and node.coord.line != self.here.line:
            self.here = self.unit.where(node.coord.line)
        return self.here

    @contextmanager
    def watch(self) -> Iterator[None]:
        """Code that threads or lanes run."""
        before, self.watched = self.watched, True
        yield
        self.watched = before
